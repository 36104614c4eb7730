"""Metrics that combine other metrics.

Equation numbers are those of van Zyl and Engelbrecht. Values are float64 in [0, 1] of the
matrix's broadcast shape; NaN where a denominator is 0.
"""

from skewproof.confusion import ConfusionMatrix, Value, ratio, sqrt
from skewproof.metrics.agreement import accuracy, mcc
from skewproof.metrics.precision_recall import f1
from skewproof.normalize import normalized
from skewproof.registry import metric


@metric(
    symbol=r"\mathrm{OP}",
    name="optimized precision",
    source="Ranawana and Palade 2006; Eq. 28",
    kinks=("tpr = tnr",),
)
def optimized_precision(c: ConfusionMatrix) -> Value:
    """Accuracy less the relationship index |tnr - tpr|/(tnr + tpr), scaled from [-1, 1] to
    [0, 1]; undefined where both rates are 0."""
    relationship = ratio(abs(c.tnr - c.tpr), c.tnr + c.tpr)
    return (accuracy(c) - relationship + 1) / 2


@metric(
    symbol=r"\mathrm{MCC}\text{-}F_1",
    name="MCC-F1 metric of one threshold",
    # Eq. 37 lacks "1 -" behind its first equals sign.
    source="Cao et al. 2020; Eq. 37",
)
def mcc_f1(c: ConfusionMatrix) -> Value:
    """Nearness to the perfect point in the plane of MCC (scaled to [0, 1]) and F1; undefined where
    MCC is."""
    return 1 - sqrt(((f1(c) - 1) ** 2 + (mcc(c) - 1) ** 2) / 2)


optimized_precision_i = normalized(
    optimized_precision,
    key="optimized_precision_i",
    symbol=r"\mathrm{OP}_i",
    name="normalized optimized precision",
    source="Eq. 48",
)

mcc_f1_i = normalized(
    mcc_f1,
    key="mcc_f1_i",
    symbol=r"\mathrm{MCC}\text{-}F_i",
    name="normalized MCC-F1 metric",
    source="Eq. 49",
)
