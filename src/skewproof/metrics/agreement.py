"""Metrics of agreement between the predicted and the true class.

Equation numbers are those of van Zyl and Engelbrecht, who map kappa, MCC and markedness from
[-1, 1] to [0, 1]; here each keeps its published range, and :func:`skewproof.core.scales.bounded`
maps it. Values are float64 of the matrix's broadcast shape, in [0, 1] unless stated otherwise, and
NaN where a denominator is 0.
"""

from skewproof.core.algebra import Value, ratio, sqrt
from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.metric import metric
from skewproof.core.normalize import normalized


@metric(symbol="A", name="accuracy", source="Rosenblatt 1958; Eq. 9")
def accuracy(c: ConfusionMatrix) -> Value:
    """Share of instances classified correctly."""
    return ratio(c.tp + c.tn, c.total)


@metric(
    symbol=r"\kappa",
    name="Cohen's kappa",
    source="Cohen 1960; Eq. 21",
    aliases=("Heidke skill score",),
    bounds=(-1, 1),
    remark="Van Zyl and Engelbrecht scale it to [0, 1]; binsdpy has the root of another sum in the"
    " denominator.",
)
def cohen_kappa(c: ConfusionMatrix) -> Value:
    """Agreement beyond chance, in [-1, 1]; undefined when P' = P = 0 or N' = N = 0."""
    agreement = 2 * (c.tp * c.tn - c.fp * c.fn)
    largest = c.predicted_positives * c.negatives + c.positives * c.predicted_negatives
    return ratio(agreement, largest)


@metric(
    symbol=r"\pi",
    name="Scott's pi",
    source="Scott 1955; Eq. 16 of the survey",
    bounds=(-1, 1),
    remark="binsdpy has 2 + tn instead of 2tn in the denominator.",
)
def scott_pi(c: ConfusionMatrix) -> Value:
    """Agreement beyond chance, in [-1, 1], where chance follows the mean of the true and predicted
    shares; undefined when P' = P = 0 or N' = N = 0."""
    errors = c.fp + c.fn
    largest = (c.positives + c.predicted_positives) * (c.negatives + c.predicted_negatives)
    return ratio(4 * c.tp * c.tn - errors**2, largest)


@metric(symbol="L", name="Laplace estimate", source="Laplace 1814; Eq. 22")
def laplace(c: ConfusionMatrix) -> Value:
    """Precision with one success and one failure added; the only metric here that depends on the
    absolute class sizes."""
    return ratio(c.tp + 1, c.tp + c.fp + 2)


@metric(
    symbol=r"\mathrm{MCC}",
    name="Matthews correlation coefficient",
    source="Matthews 1975; Eq. 23",
    aliases=("phi coefficient",),
    bounds=(-1, 1),
    remark="Van Zyl and Engelbrecht, and miseval, scale it to [0, 1].",
)
def mcc(c: ConfusionMatrix) -> Value:
    """Correlation of predicted and true class, in [-1, 1]; undefined when one of P, N, P', N' is
    0."""
    margins = c.predicted_positives * c.positives * c.negatives * c.predicted_negatives
    return ratio(c.tp * c.tn - c.fp * c.fn, sqrt(margins))


@metric(
    symbol=r"\mathrm{MK}",
    name="markedness",
    source="Powers 2011; Eq. 24",
    bounds=(-1, 1),
    remark="Van Zyl and Engelbrecht scale it to [0, 1], where it is the mean of both predictive"
    " values.",
)
def markedness(c: ConfusionMatrix) -> Value:
    """Sum of the two predictive values minus 1, in [-1, 1]; undefined when P' = 0 or N' = 0."""
    return c.ppv + c.npv - 1


cohen_kappa_i = normalized(cohen_kappa, symbol=r"\kappa_i", source="Eq. 44")


def _from_thirds(laplace_of_rates: Value) -> Value:
    """Map [1/3, 2/3], the values of the rates, to [0, 1]."""
    return 3 * laplace_of_rates - 1


laplace_i = normalized(laplace, symbol="L_i", source="Eq. 45, 46", rescale=_from_thirds)

mcc_i = normalized(mcc, symbol=r"\mathrm{MCC}_i", source="Eq. 47")
