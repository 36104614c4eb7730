"""Measures of diagnostic tests, all functions of sensitivity and specificity alone.

Equation numbers are Tharwat's (*Classification assessment methods*, 2021). Values are float64 of
the matrix's broadcast shape, NaN where a formula divides 0 by 0. The likelihood and odds ratios
have no upper bound and are inf where only their denominator is 0; the discriminant power has
neither a lower nor an upper bound.
"""

from skewproof.core.algebra import Value, log, pi, ratio, sqrt
from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.metric import metric

UNBOUNDED = float("inf")


@metric(
    symbol=r"\mathrm{LR}_+",
    name="positive likelihood ratio",
    source="Tharwat 2021, his Eq. 9",
    bounds=(0, UNBOUNDED),
)
def positive_likelihood_ratio(c: ConfusionMatrix) -> Value:
    """Factor by which a positive call multiplies the odds of being positive; inf where no negative
    is called positive, undefined where nothing is."""
    return ratio(c.tpr, c.fpr)


@metric(
    symbol=r"\mathrm{LR}_-",
    name="negative likelihood ratio",
    source="Tharwat 2021, his Eq. 9",
    bounds=(0, UNBOUNDED),
    direction="lower",
)
def negative_likelihood_ratio(c: ConfusionMatrix) -> Value:
    """Factor by which a negative call multiplies the odds of being positive; inf where no negative
    is called negative, undefined where nothing is."""
    return ratio(c.fnr, c.tnr)


@metric(
    symbol=r"\mathrm{DOR}",
    name="diagnostic odds ratio",
    source="Glas et al. 2003; Tharwat 2021, his Eq. 10",
    bounds=(0, UNBOUNDED),
)
def diagnostic_odds_ratio(c: ConfusionMatrix) -> Value:
    """Odds of a positive call among positives divided by those among negatives; inf where both
    classes have correct calls and one has no errors, undefined where 0 is divided by 0."""
    return ratio(c.tp * c.tn, c.fp * c.fn)


@metric(
    symbol="J",
    name="Youden's J",
    source="Youden 1950; Tharwat 2021, his Section 2.7",
    aliases=("Youden's index", "bookmaker informedness"),
    bounds=(-1, 1),
)
def youden_j(c: ConfusionMatrix) -> Value:
    """Sensitivity plus specificity minus 1, in [-1, 1]."""
    return c.tpr + c.tnr - 1


@metric(
    symbol=r"\mathrm{DP}",
    name="discriminant power",
    # The article's text has lost the root sign over 3.
    source="Sokolova et al. 2006; Tharwat 2021, his Section 2.8",
    bounds=(-UNBOUNDED, UNBOUNDED),
    remark="With natural logarithms; pycm uses decimal logarithms.",
)
def discriminant_power(c: ConfusionMatrix) -> Value:
    """Logarithm of the diagnostic odds ratio divided by the standard deviation of the logistic
    distribution; -inf where that ratio is 0, inf where it is infinite."""
    odds = diagnostic_odds_ratio(c)
    return sqrt(3 / pi(odds) ** 2) * log(odds)


@metric(
    symbol=r"\mathrm{BER}",
    name="balanced error rate",
    source="Tharwat 2021, his Section 2.8",
    aliases=("half total error rate",),
    direction="lower",
)
def balanced_error_rate(c: ConfusionMatrix) -> Value:
    """Mean of the error rates of both classes."""
    return (c.fnr + c.fpr) / 2
