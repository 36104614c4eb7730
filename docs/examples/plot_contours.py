"""
Contours of a metric, with a classifier on them
===============================================

The picture shows F1 over all true and false positive rates, at the prevalence at which the
classifier will run. The dot is the classifier, and the region around it has 95 % of the
probability of its rates. At 1:100 the contours are steep: a few more false alarms cost much more
than a few more misses. See :class:`skewproof.plot.ContourDisplay`.
"""

import matplotlib.pyplot as plt

from skewproof import ConfusionMatrix
from skewproof.plot import ContourDisplay

matrix = ConfusionMatrix(tp=80, fp=30, fn=20, tn=870)

figure, axes = plt.subplots(1, 2, figsize=(9, 4), layout="constrained")
for ax, at in zip(axes, ("test set", "1:100"), strict=True):
    ContourDisplay(metric="f1", matrix=matrix, at=at, fpr_scale="log").plot(ax)
plt.show()
