"""
Which point of a ROC curve is the best?
=======================================

Four metrics choose their best points on the same ROC curve, at six levels of imbalance. Youden's J
stays where it is. F1 and accuracy call less and less positive, and MCC stops at a point in between.
See :func:`skewproof.operating_points.best_point`, :func:`skewproof.operating_points.rare_limit` and
:doc:`/guide/which_to_optimize`.
"""

import matplotlib.pyplot as plt
import numpy as np
from scipy.stats import norm

from skewproof.operating_points import BinormalCurve, best_point, exchange_rate, rare_limit

curve = BinormalCurve(mean=2)
levels = ["1:1", "1:3", "1:10", "1:100", "1:1000", "1:10000"]

figure, axes = plt.subplots(figsize=(5, 4.4), layout="constrained")
cutoffs = np.linspace(-3, 5, 200)
axes.plot(norm.sf(cutoffs), norm.sf(cutoffs - 2), color="0.6")
for metric, marker in {"youden_j": "s", "mcc": "o", "f1": "^", "accuracy": "v"}.items():
    points = [best_point(metric, curve, at=level) for level in levels]
    rates = [(point.fpr, point.tpr) for point in points]
    axes.plot(*zip(*rates, strict=True), marker, label=metric, fillstyle="none")
    print(f"{metric}: the TPR tends to {rare_limit(metric, curve).tpr:.3f}")
axes.set(xlabel="false positive rate", ylabel="true positive rate")
axes.legend()
plt.show()

# %%
# The reason is what each metric trades for one more hit, in false alarms:

for metric in ("youden_j", "f1", "accuracy"):
    print(f"{metric}: {exchange_rate(metric).formula} false alarms for a hit")
