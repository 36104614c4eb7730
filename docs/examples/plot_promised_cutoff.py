"""
A cut-off that keeps a promise
==============================

At least half of the alarms must be right where one instance in 101 is positive.
:func:`skewproof.choose_threshold` finds the cut-off that meets this requirement with a confidence
of 95 %, and finds as many positives as it can. See :doc:`/guide/which_cutoff`.
"""

import matplotlib.pyplot as plt
import numpy as np

from skewproof import choose_threshold
from skewproof.curves import threshold_matrices
from skewproof.metrics import precision

random = np.random.default_rng(0)
y_true = np.repeat([1, 0], [200, 2000])
y_score = random.normal(3 * y_true)

found = choose_threshold(y_true, y_score, at="1:100", require="precision >= 0.5")
print(found)

# %%
# The observed precision rises and falls from one cut-off to the next. The promised cut-off lies
# higher than the lowest one with an observed precision of 0.5:

matrices, thresholds = threshold_matrices(y_true, y_score, at="1:100")
figure, axes = plt.subplots(layout="constrained")
axes.plot(thresholds, precision(matrices), label="observed precision at 1:100")
axes.axhline(0.5, color="0.5", linestyle="--", label="required")
axes.axvline(found.threshold, color="C1", label="promised cut-off")
axes.set(xlabel="cut-off", ylabel="precision", ylim=(0, 1))
axes.legend()
plt.show()
