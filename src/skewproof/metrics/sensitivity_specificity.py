"""Metrics that combine sensitivity and specificity; all but HMNC are functions of the rates alone.

Equation numbers are those of van Zyl and Engelbrecht. Values are float64 in [0, 1] of the
matrix's broadcast shape, and NaN where a denominator is 0.
"""

from skewproof.core.algebra import Value, ratio, sqrt
from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.metric import metric


@metric(
    symbol="B",
    name="balanced accuracy",
    # Eq. 15 and 16 of van Zyl and Engelbrecht print the false negative rate instead of the true
    # negative rate.
    source="Brodersen et al. 2010; Eq. 16 corrected",
    aliases=(
        "area under the single-threshold ROC curve",
        "Youden's J and Peirce's I, scaled to [0, 1]",
    ),
)
def balanced_accuracy(c: ConfusionMatrix) -> Value:
    """Arithmetic mean of sensitivity and specificity."""
    return (c.tpr + c.tnr) / 2


@metric(
    symbol="G_{SS}",
    name="geometric mean of sensitivity and specificity",
    source="Kubat et al. 1997; Eq. 39",
)
def g_mean(c: ConfusionMatrix) -> Value:
    """Geometric mean of sensitivity and specificity."""
    return sqrt(c.tpr * c.tnr)


@metric(
    symbol=r"\mathrm{IBA}", name="index of balanced accuracy", source="García et al. 2009; Eq. 41"
)
def iba(c: ConfusionMatrix) -> Value:
    """Squared geometric mean weighted by dominance, (1 + tpr - tnr)·tpr·tnr (alpha = 1)."""
    return c.tpr * c.tnr * (1 + c.tpr - c.tnr)


@metric(symbol="H_{SS}", name="harmonic mean of sensitivity and specificity", source="Eq. 52")
def sensitivity_specificity_harmonic_mean(c: ConfusionMatrix) -> Value:
    """Harmonic mean of sensitivity and specificity; undefined where both are 0."""
    return ratio(2 * c.tpr * c.tnr, c.tpr + c.tnr)


@metric(symbol="Q_{SS}", name="root of the mean of sensitivity and specificity", source="Eq. 53")
def sensitivity_specificity_root_mean(c: ConfusionMatrix) -> Value:
    """Square root of the arithmetic mean of sensitivity and specificity, as printed; the text calls
    it a quadratic mean, which it is not."""
    return sqrt((c.tpr + c.tnr) / 2)


@metric(
    symbol=r"\mathrm{HMNC}",
    name="harmonic mean of recall and selectivity normalized in class labels",
    source="Burduk 2020; his Eq. 11",
)
def hmnc(c: ConfusionMatrix) -> Value:
    """Harmonic mean of the hits of each class, scaled to [0, 1]."""
    return ratio(c.tp * c.tn * c.total, (c.tp + c.tn) * c.positives * c.negatives)
