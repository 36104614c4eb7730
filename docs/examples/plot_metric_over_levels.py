"""
The same classifier at seven levels of imbalance
================================================

A classifier finds 80 % of the positives and raises a false alarm on 10 % of the negatives. Both
rates stay the same while positives become rarer. F1 and MCC fall nevertheless. Balanced accuracy
does not change, because it is a function of the two rates. The normalized variant ``f1_i`` is the
F1 of the rates, so it does not change either. See :func:`skewproof.normalized`.
"""

import matplotlib.pyplot as plt

from skewproof import ConfusionMatrix
from skewproof.metrics import balanced_accuracy, f1, f1_i, mcc

negatives = [1, 3, 10, 30, 100, 300, 1000]
matrices = ConfusionMatrix.from_rates(0.8, 0.1, positives=1, negatives=negatives)

figure, axes = plt.subplots(layout="constrained")
for metric in (balanced_accuracy, f1_i, f1, mcc):
    axes.plot(negatives, metric(matrices), marker="o", label=metric.name)
axes.set(xscale="log", xlabel="negatives for each positive", ylabel="value", ylim=(0, 1))
axes.legend()
plt.show()

# %%
# The values at 1:1000 are:

for metric in (balanced_accuracy, f1_i, f1, mcc):
    print(f"{metric.name}: {metric(matrices)[-1]:.3f}")
