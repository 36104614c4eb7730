"""Signal detection: an observer's ability to tell signals from noise, and bias to yes or no."""

from skewproof.core.algebra import Value, exp, ratio, sqrt
from skewproof.core.confusion import ConfusionMatrix
from skewproof.metrics.atlas.entry import (
    DETECTION,
    UNBOUNDED,
    published,
)
from skewproof.metrics.atlas.measures.elementary import (
    added,
    error_function,
    larger,
    probit,
    smaller,
    where_positive,
)


@published("d'", DETECTION("d prime", "Green and Swets 1966"), bounds=(-UNBOUNDED, UNBOUNDED))
def d_prime(c: ConfusionMatrix) -> Value:
    """Distance of signals from noise in standard deviations, if both are normal."""
    return added(probit(c.tpr), -probit(c.fpr))


@published(
    "A_z", DETECTION("area under the equal-variance normal ROC curve", "Swets and Pickett 1982")
)
def normal_area(c: ConfusionMatrix) -> Value:
    """Area under the curve of d prime."""
    return (1 + error_function(d_prime(c) / 2)) / 2


@published(
    r"p_{\max}",
    DETECTION("largest share of right answers", "Macmillan and Creelman 2005"),
    remark="By the model, the shares of hits and of correct rejections without bias are the normal"
    " probability of half of d prime.",
)
def largest_share_right(c: ConfusionMatrix) -> Value:
    """Accuracy of an unbiased observer with this d prime at equal classes."""
    root = sqrt(8 + 0 * c.tp)  # exact for a symbol
    return (1 + error_function(d_prime(c) / root)) / 2


@published(
    "c",
    DETECTION("criterion", "Macmillan and Creelman 2005"),
    bounds=(-UNBOUNDED, UNBOUNDED),
    direction="target",
)
def criterion(c: ConfusionMatrix) -> Value:
    """Distance of the observer's criterion from the middle; above 0 there are too many noes."""
    return -added(probit(c.tpr), probit(c.fpr)) / 2


@published(
    r"\ln\beta",
    DETECTION("log likelihood ratio of the criterion", "Green and Swets 1966"),
    bounds=(-UNBOUNDED, UNBOUNDED),
    direction="target",
)
def log_beta(c: ConfusionMatrix) -> Value:
    """Logarithm of the likelihood ratio at which the observer says yes."""
    return added(probit(c.fpr) ** 2, -(probit(c.tpr) ** 2)) / 2


@published(
    r"\beta",
    DETECTION("likelihood ratio of the criterion", "Green and Swets 1966"),
    bounds=(0, UNBOUNDED),
    direction="target",
)
def beta(c: ConfusionMatrix) -> Value:
    """Likelihood ratio at which the observer says yes."""
    return exp(log_beta(c))


@published(
    "c'",
    DETECTION("relative criterion", "Macmillan and Creelman 2005"),
    bounds=(-UNBOUNDED, UNBOUNDED),
    direction="none",
)
def relative_criterion(c: ConfusionMatrix) -> Value:
    """Criterion over d prime."""
    return ratio(criterion(c), d_prime(c))


@published("A'", DETECTION("A prime", "Pollack and Norman 1964; Grier 1971"))
def a_prime(c: ConfusionMatrix) -> Value:
    """Mean of the smallest and largest area under ROC curves through the point."""
    high, low = larger(c.tpr, c.fpr), smaller(c.tpr, c.fpr)
    gain = ratio((high - low) * (1 + high - low), 2 * high * (1 - low))
    return (1 + where_positive(c.tpr - c.fpr, gain, -gain)) / 2


@published(
    "B''",
    DETECTION("B double prime", "Grier 1971"),
    bounds=(-1, 1),
    direction="none",
    remark="Below the diagonal of the ROC plane its sign is reversed, as in Aaronson and Watts"
    " (1987).",
)
def b_double_prime(c: ConfusionMatrix) -> Value:
    """Bias to no: difference of the variances of hits and false alarms over their sum."""
    hits, alarms = c.tpr * c.fnr, c.fpr * c.tnr
    bias = ratio(hits - alarms, hits + alarms)
    return where_positive(c.tpr - c.fpr, bias, -bias)


@published(
    r"B''_D",
    DETECTION("Donaldson's B double prime", "Donaldson 1992"),
    bounds=(-1, 1),
    direction="none",
)
def donaldson_bias(c: ConfusionMatrix) -> Value:
    """Bias to no: misses times rejections minus hits times false alarms, over their sum."""
    no, yes = c.fnr * c.tnr, c.tpr * c.fpr
    return ratio(no - yes, no + yes)


@published(
    "B_r",
    DETECTION("bias index of two high thresholds", "Snodgrass and Corwin 1988"),
    direction="none",
    remark="Choi et al. print (ab + bc)/(ab + 2bc + cd) as Peirce's measure; Peirce (1884) has (ad"
    " - bc)/((a + c)(b + d)), which is Youden's J.",
)
def two_threshold_bias(c: ConfusionMatrix) -> Value:
    """Share of yes where the observer guesses."""
    return ratio(c.fpr, c.fnr + c.fpr)


@published(
    r"\eta",
    DETECTION("choice theory's similarity", "Luce 1963"),
    bounds=(0, UNBOUNDED),
    direction="lower",
    remark="By the model, the odds of a yes are 1/(eta·b) for signals and eta/b for noise.",
)
def luce_similarity(c: ConfusionMatrix) -> Value:
    """Root of the inverse odds ratio."""
    return sqrt(ratio(c.fp * c.fn, c.tp * c.tn))


@published(
    r"b_L",
    DETECTION("choice theory's bias", "Luce 1963"),
    bounds=(0, UNBOUNDED),
    direction="none",
    remark="By the model, the odds of a yes are 1/(eta·b) for signals and eta/b for noise.",
)
def luce_bias(c: ConfusionMatrix) -> Value:
    """Root of the product of the odds of a no in both classes."""
    return sqrt(ratio(c.fnr * c.tnr, c.tpr * c.fpr))
