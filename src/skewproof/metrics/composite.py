"""Metrics that combine other metrics.

Equation numbers are those of van Zyl and Engelbrecht. Values are float64 of the matrix's broadcast
shape, in [0, 1] unless stated otherwise, and NaN where a denominator is 0.
"""

from fractions import Fraction

from skewproof.core.algebra import Value, ratio, sqrt, unless_zero
from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.metric import metric
from skewproof.core.normalize import normalized
from skewproof.core.scales import bounded
from skewproof.metrics.agreement import accuracy, mcc
from skewproof.metrics.precision_recall import f1, f_beta
from skewproof.metrics.sensitivity_specificity import g_mean


@metric(
    symbol=r"\mathrm{OP}",
    name="optimized precision",
    source="Ranawana and Palade 2006; Eq. 28",
    # The paper maps from this range, for the variant, too: -1 is a limit.
    bounds=(-1, 1),
    remark="Van Zyl and Engelbrecht scale it to [0, 1].",
)
def optimized_precision(c: ConfusionMatrix) -> Value:
    """Accuracy minus the relationship index |tnr - tpr|/(tnr + tpr), in [-1, 1]; undefined where
    both rates are 0."""
    return accuracy(c) - ratio(abs(c.tnr - c.tpr), c.tnr + c.tpr)


@metric(
    symbol=r"\mathrm{MCC}\text{-}F_1",
    name="MCC-F1 metric of one threshold",
    # Eq. 37 of van Zyl and Engelbrecht lacks "1 -" after its first equals sign.
    source="Cao et al. 2020; Eq. 37",
)
def mcc_f1(c: ConfusionMatrix) -> Value:
    """Nearness to the perfect point in the plane of MCC (scaled to [0, 1]) and F1; undefined where
    MCC is undefined."""
    unit_mcc = bounded(mcc)(c)
    return 1 - sqrt(((f1(c) - 1) ** 2 + (unit_mcc - 1) ** 2) / 2)


@metric(
    symbol=r"\mathrm{AGF}",
    name="adjusted F-measure",
    # The article's text has lost the root sign.
    source="Maratea et al. 2014; Tharwat 2021, his Eq. 14",
)
def adjusted_f(c: ConfusionMatrix) -> Value:
    """Geometric mean of F2 and of F0.5 with the classes switched; undefined where no instance is in
    a class and none is predicted as it."""
    switched = ConfusionMatrix(tp=c.tn, fp=c.fn, fn=c.fp, tn=c.tp)
    return sqrt(f_beta(c, 2) * f_beta(switched, Fraction(1, 2)))


@metric(
    symbol=r"\mathrm{AGM}",
    name="adjusted geometric mean",
    source="Tharwat 2021, his Eq. 16, after Batuwita and Palade 2009",
    remark="Tharwat uses the number of the negatives; Batuwita and Palade (2009), and pycm, use"
    " their share.",
)
def adjusted_g_mean(c: ConfusionMatrix) -> Value:
    """Sum of the geometric mean of the rates and N times specificity, divided by 1 + N; 0 where
    sensitivity is 0. It depends on the absolute size of the negative class."""
    value = ratio(g_mean(c) + c.tnr * c.negatives, 1 + c.negatives)
    return unless_zero(c.tpr, value)


optimized_precision_i = normalized(optimized_precision, symbol=r"\mathrm{OP}_i", source="Eq. 48")

mcc_f1_i = normalized(
    mcc_f1,
    symbol=r"\mathrm{MCC}\text{-}F_i",
    name="normalized MCC-F1 metric",
    source="Eq. 49",
)
