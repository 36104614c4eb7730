"""
A score where the model will run
================================

A test set has one positive in ten instances. In use, a sample of 4000 instances showed 12
positives. ``at`` says so, and the interval includes the uncertainty of that sample. The
assumption is that the classifier keeps its true and false positive rates. See
:func:`skewproof.interval` and :doc:`/guide/deployment`.
"""

import matplotlib.pyplot as plt

from skewproof import ConfusionMatrix, Prevalence, interval
from skewproof.plot import PrevalenceDisplay

matrix = ConfusionMatrix(tp=80, fp=30, fn=20, tn=870)
deployed = Prevalence.sampled(12, 4000)

print(interval("precision", matrix))
print(interval("precision", matrix, at=deployed))

# %%
# The curve shows precision at every other prevalence, too:

PrevalenceDisplay(metric="precision", matrix=matrix, at=deployed).plot()
plt.show()
