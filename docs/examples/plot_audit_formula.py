"""
Does a formula of your own depend on the class sizes?
=====================================================

:func:`skewproof.audit` reads a formula. It proves that the metric does not depend on the class
sizes, or gives a classifier whose value differs between two levels. See
:doc:`/guide/tutorials/audit`.
"""

import matplotlib.pyplot as plt

from skewproof import ConfusionMatrix, audit
from skewproof.plot import ContourDisplay

formulas = {
    "smaller of recall and precision": "min(tp/(tp + fn), tp/(tp + fp))",
    "smaller of recall and specificity": "min(tp/(tp + fn), tn/(tn + fp))",
}
for name, formula in formulas.items():
    print(f"The {name}. {audit(formula).verdict}\n")

# %%
# Contours at 1:100 show the difference. Only the first metric falls to nearly 0 for most
# classifiers:

matrix = ConfusionMatrix(tp=80, fp=30, fn=20, tn=870)
figure, axes = plt.subplots(1, 2, figsize=(9, 4), layout="constrained")
for ax, formula in zip(axes, formulas.values(), strict=True):
    ContourDisplay(metric=formula, matrix=matrix, at="1:100").plot(ax)
plt.show()
