"""Metrics that combine precision and recall, which do not depend on the true negatives.

Equation numbers are those of van Zyl and Engelbrecht. Values are float64 in [0, 1] of the
matrix's broadcast shape, and NaN where a denominator is 0.
"""

from fractions import Fraction

from skewproof.core.algebra import Value, is_symbolic, ratio, sqrt
from skewproof.core.arguments import expect, expect_number
from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.metric import metric
from skewproof.core.normalize import normalized


@metric(
    symbol=r"\rho_{t_p}",
    name="precision",
    source="Mullick et al. 2020, their Eq. 4",
    aliases=("positive predictive value",),
)
def precision(c: ConfusionMatrix) -> Value:
    """Share of the instances called positive that are positive; undefined when P' = 0."""
    return c.ppv


@metric(
    symbol="v",
    name="Gilbert's ratio of verification",
    source="Gilbert 1884; Eq. 11",
    aliases=("threat score", "critical success index", "Jaccard index"),
)
def gilbert_ratio(c: ConfusionMatrix) -> Value:
    """Share of hits among all instances that are positive or called positive."""
    return ratio(c.tp, c.tp + c.fn + c.fp)


@metric(symbol="F_1", name="F1 score", source="van Rijsbergen 1975; Eq. 19", aliases=("Dice",))
def f1(c: ConfusionMatrix) -> Value:
    """Harmonic mean of precision and recall."""
    return ratio(2 * c.tp, 2 * c.tp + c.fn + c.fp)


def f_beta(c: ConfusionMatrix, beta: float | Fraction) -> Value:
    """Compute the weighted harmonic mean of precision and recall (Tharwat 2021, his Eq. 13).

    Values are in [0, 1].

    Parameters
    ----------
    c
        The matrix.
    beta
        Weight of recall relative to precision, above 0 and finite. A SymPy symbol, with a symbolic
        matrix, results in the formula of the family.

    Raises
    ------
    ValueError
        If beta is anything else.

    Examples
    --------
    >>> from skewproof import ConfusionMatrix
    >>> from skewproof.metrics import f_beta
    >>> round(float(f_beta(ConfusionMatrix(tp=9, fp=4, fn=3, tn=20), beta=2)), 4)
    0.7377
    """
    expect(isinstance(c, ConfusionMatrix), "c", c, "a ConfusionMatrix")
    if is_symbolic(beta):
        recall, precision = beta**2, 1
    else:
        expect_number("beta", beta, above=0)
        squared = Fraction(beta) ** 2
        # Whole numbers keep symbolic formulas exact.
        symbolic = is_symbolic(c.tp)
        recall, precision = squared.as_integer_ratio() if symbolic else (float(squared), 1)
    hits = (recall + precision) * c.tp
    return ratio(hits, hits + recall * c.fn + precision * c.fp)


@metric(symbol="F_2", name="F2 score", source="van Rijsbergen 1975; Tharwat 2021, his Eq. 13")
def f2(c: ConfusionMatrix) -> Value:
    """F-measure in which recall weighs twice as much as precision."""
    return f_beta(c, 2)


@metric(symbol="F_{0.5}", name="F0.5 score", source="van Rijsbergen 1975; Tharwat 2021, his Eq. 13")
def f0_5(c: ConfusionMatrix) -> Value:
    """F-measure in which precision weighs twice as much as recall."""
    return f_beta(c, Fraction(1, 2))


@metric(
    symbol=r"\mathrm{FMI}",
    name="Fowlkes-Mallows index",
    # Eq. 26 of van Zyl and Engelbrecht prints NPV instead of recall; the tables use recall.
    source="Fowlkes and Mallows 1983; Eq. 26 corrected",
    remark="Fowlkes and Mallows, and scikit-learn, count pairs of instances.",
)
def fowlkes_mallows(c: ConfusionMatrix) -> Value:
    """Geometric mean of precision and recall; undefined when P' = 0."""
    return sqrt(c.ppv * c.tpr)


@metric(
    symbol="A_{PR}",
    name="arithmetic mean of precision and recall",
    source="Eq. 50",
    aliases=("area under the single-threshold precision-recall curve",),
)
def precision_recall_mean(c: ConfusionMatrix) -> Value:
    """Area under the precision-recall curve of one point; undefined when P' = 0."""
    return (c.ppv + c.tpr) / 2


@metric(symbol="Q_{PR}", name="root of the mean of precision and recall", source="Eq. 51")
def precision_recall_root_mean(c: ConfusionMatrix) -> Value:
    """Square root of the arithmetic mean of precision and recall, as printed; the text calls it a
    quadratic mean, which it is not. Undefined when P' = 0."""
    return sqrt((c.ppv + c.tpr) / 2)


gilbert_ratio_i = normalized(
    gilbert_ratio,
    symbol="v_i",
    name="normalized Gilbert's ratio",
    source="Eq. 42",
)

f1_i = normalized(f1, symbol="F_i", source="Eq. 43")

precision_i = normalized(
    precision,
    symbol=r"\hat\zeta",
    name="mPrecision",
    source="Bradley et al. 2006; Mullick et al. 2020, their Eq. 8",
)

precision_recall_mean_i = normalized(
    precision_recall_mean,
    symbol=r"\hat\kappa",
    name="mAURPC",
    source="Bradley et al. 2006; Mullick et al. 2020, their Eq. 9",
)
