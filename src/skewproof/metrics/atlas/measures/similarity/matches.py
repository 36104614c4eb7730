"""Similarity by matches of both kinds: functions of right and wrong calls, and of one kind each."""

from skewproof.core.algebra import Value, log, pi, ratio, sqrt
from skewproof.core.confusion import ConfusionMatrix
from skewproof.metrics.atlas.entry import (
    FAULTS,
    LEARNING,
    SIMILARITY,
    UNBOUNDED,
    published,
)
from skewproof.metrics.atlas.measures.elementary import asin, errors, smaller


def correct(c: ConfusionMatrix) -> Value:
    """Number of right calls."""
    return c.tp + c.tn


@published(
    r"\mathrm{RT}", SIMILARITY("Rogers and Tanimoto", "Rogers and Tanimoto 1960; Choi et al. 2010")
)
def rogers_tanimoto(c: ConfusionMatrix) -> Value:
    """Accuracy in which errors count twice."""
    return ratio(correct(c), correct(c) + 2 * errors(c))


@published(
    r"1-\mathrm{RT}",
    SIMILARITY("Rogers and Tanimoto dissimilarity", "Rogers and Tanimoto 1960"),
    direction="lower",
)
def rogers_tanimoto_distance(c: ConfusionMatrix) -> Value:
    """1 minus Rogers and Tanimoto."""
    return ratio(2 * errors(c), correct(c) + 2 * errors(c))


@published(
    r"\mathrm{SS}_{II}",
    SIMILARITY("Sokal and Sneath II", "Sokal and Sneath 1963; Choi et al. 2010"),
    remark="The numbering differs: abydos calls this Sokal and Sneath I.",
)
def sokal_sneath_ii(c: ConfusionMatrix) -> Value:
    """Accuracy in which right calls count twice."""
    return ratio(2 * correct(c), 2 * correct(c) + errors(c))


@published(
    r"\mathrm{SS}_{III}",
    SIMILARITY("Sokal and Sneath III", "Sokal and Sneath 1963; Choi et al. 2010"),
    bounds=(0, UNBOUNDED),
)
def sokal_sneath_iii(c: ConfusionMatrix) -> Value:
    """Right calls for each wrong one."""
    return ratio(correct(c), errors(c))


@published("Fa", SIMILARITY("Faith", "Faith 1983; Choi et al. 2010"))
def faith(c: ConfusionMatrix) -> Value:
    """Accuracy in which correct rejections count half."""
    return ratio(2 * c.tp + c.tn, 2 * c.total)


@published("a", SIMILARITY("Intersection", "Choi et al. 2010"), bounds=(0, UNBOUNDED))
def hits(c: ConfusionMatrix) -> Value:
    """Number of true positives."""
    return c.tp


@published("a+d", SIMILARITY("Inner product", "Choi et al. 2010"), bounds=(0, UNBOUNDED))
def right_calls(c: ConfusionMatrix) -> Value:
    """Number of right calls."""
    return correct(c)


@published("d", LEARNING("true negatives", "pycm 4.6: TN"), bounds=(0, UNBOUNDED))
def correct_rejections(c: ConfusionMatrix) -> Value:
    """Number of true negatives."""
    return c.tn


@published(
    "b", LEARNING("false positives", "pycm 4.6: FP"), bounds=(0, UNBOUNDED), direction="lower"
)
def false_alarms(c: ConfusionMatrix) -> Value:
    """Number of false positives."""
    return c.fp


@published(
    "c", LEARNING("false negatives", "pycm 4.6: FN"), bounds=(0, UNBOUNDED), direction="lower"
)
def misses(c: ConfusionMatrix) -> Value:
    """Number of false negatives."""
    return c.fn


@published(
    "b+c",
    SIMILARITY("Hamming distance", "Hamming 1950; Choi et al. 2010"),
    bounds=(0, UNBOUNDED),
    direction="lower",
    remark="pycm calls (fp + fn)/(P + P') the Canberra distance, which is 1 minus the F1 score.",
)
def hamming_distance(c: ConfusionMatrix) -> Value:
    """Number of wrong calls."""
    return errors(c)


@published(
    r"\sqrt{b+c}",
    SIMILARITY("Euclidean distance", "Choi et al. 2010"),
    bounds=(0, UNBOUNDED),
    direction="lower",
)
def euclidean_distance(c: ConfusionMatrix) -> Value:
    """Root of the number of wrong calls."""
    return sqrt(errors(c))


@published(r"\sqrt{a+d}", FAULTS("Euclid", "Krause 1973; Naish et al. 2011"), bounds=(0, UNBOUNDED))
def root_of_right_calls(c: ConfusionMatrix) -> Value:
    """Root of the number of right calls."""
    return sqrt(correct(c))


@published(
    r"1-\frac{a}{n}",
    SIMILARITY("Russell and Rao dissimilarity", "scipy 1.17.1: distance.russellrao"),
    direction="lower",
)
def russell_rao_distance(c: ConfusionMatrix) -> Value:
    """Share of all that are not hits."""
    return 1 - ratio(c.tp, c.total)


@published(
    "n-a",
    SIMILARITY("Unknown K", "abydos 0.5.0: UnknownK.dist_abs"),
    bounds=(0, UNBOUNDED),
    direction="lower",
)
def others_than_hits(c: ConfusionMatrix) -> Value:
    """Number of all that are not hits."""
    return c.total - c.tp


@published(
    r"\mathrm{Vari}", SIMILARITY("Vari", "Choi et al. 2010"), bounds=(0, 0.25), direction="lower"
)
def vari(c: ConfusionMatrix) -> Value:
    """A quarter of the error rate."""
    return ratio(errors(c), 4 * c.total)


@published(
    r"\mathrm{RMSE}",
    SIMILARITY("mean Euclidean distance", "Sneath and Sokal 1973"),
    direction="lower",
)
def root_error_rate(c: ConfusionMatrix) -> Value:
    """Root of the error rate."""
    return sqrt(ratio(errors(c), c.total))


@published(
    r"\mathrm{Size}",
    SIMILARITY("size difference of Choi et al.", "Choi et al. 2010"),
    direction="lower",
    remark="Choi et al. and abydos have (b + c)²/n²; Penrose (1952) and Baulieu (1997, his VIII)"
    " have (b - c)²/n².",
)
def size_difference(c: ConfusionMatrix) -> Value:
    """Squared error rate."""
    return ratio(errors(c) ** 2, c.total**2)


@published("B_8", SIMILARITY("Baulieu VIII", "Baulieu 1997"), direction="quantity, lowest")
def baulieu_viii(c: ConfusionMatrix) -> Value:
    """Squared difference of the called and the true share."""
    return ratio((c.fp - c.fn) ** 2, c.total**2)


@published(
    r"\mathrm{Shape}",
    SIMILARITY("shape difference", "Penrose 1952; Choi et al. 2010"),
    direction="lower",
    remark="binsdpy has (fp + fn)² instead of (fp - fn)².",
)
def shape_difference(c: ConfusionMatrix) -> Value:
    """Error rate minus the squared difference of the called and the true share."""
    return ratio(c.total * errors(c) - (c.fp - c.fn) ** 2, c.total**2)


@published(
    r"\mathrm{Pat}",
    SIMILARITY("pattern difference", "Batagelj and Bren 1995; Choi et al. 2010"),
    direction="lower",
)
def pattern_difference(c: ConfusionMatrix) -> Value:
    """Four times the product of the shares of both kinds of errors."""
    return ratio(4 * c.fp * c.fn, c.total**2)


@published(
    "Q_0",
    SIMILARITY("Batagelj and Bren", "Batagelj and Bren 1995"),
    bounds=(0, UNBOUNDED),
    direction="lower",
)
def inverse_odds_ratio(c: ConfusionMatrix) -> Value:
    """One over the odds ratio."""
    return ratio(c.fp * c.fn, c.tp * c.tn)


@published(
    r"\Delta_{AM}",
    SIMILARITY("Andrés and Marzo's delta", "Martín Andrés and Femia Marzo 2004"),
    bounds=(-1, 1),
)
def andres_marzo_delta(c: ConfusionMatrix) -> Value:
    """Accuracy minus twice the geometric mean of the shares of both kinds of errors."""
    return ratio(correct(c) - 2 * sqrt(c.fp * c.fn), c.total)


@published(
    r"\mathrm{BUB}_I",
    SIMILARITY("Baroni-Urbani and Buser I", "Baroni-Urbani and Buser 1976; Choi et al. 2010"),
)
def baroni_urbani_buser_i(c: ConfusionMatrix) -> Value:
    """Jaccard index in which the geometric mean of right calls counts beside the hits."""
    shared = sqrt(c.tp * c.tn) + c.tp
    return ratio(shared, shared + errors(c))


@published(
    r"\mathrm{BUB}_{II}",
    SIMILARITY("Baroni-Urbani and Buser II", "Baroni-Urbani and Buser 1976; Choi et al. 2010"),
    bounds=(-1, 1),
)
def baroni_urbani_buser_ii(c: ConfusionMatrix) -> Value:
    """Baroni-Urbani and Buser I, scaled to [-1, 1]."""
    shared = sqrt(c.tp * c.tn) + c.tp
    return ratio(shared - errors(c), shared + errors(c))


@published("Go", SIMILARITY("Goodall", "Goodall 1967; Austin and Colwell 1977"))
def goodall(c: ConfusionMatrix) -> Value:
    """Angle whose sine is the root of accuracy, as a share of a right angle."""
    accuracy = ratio(correct(c), c.total)
    return 2 * asin(sqrt(accuracy)) / pi(accuracy)


@published("HD", SIMILARITY("Hawkins and Dotson", "Hawkins and Dotson 1975"))
def hawkins_dotson(c: ConfusionMatrix) -> Value:
    """Mean of the Jaccard indices of both classes."""
    return (ratio(c.tp, c.tp + errors(c)) + ratio(c.tn, c.tn + errors(c))) / 2


@published(
    "HL",
    SIMILARITY("Harris and Lahey", "Harris and Lahey 1978"),
    remark="binsdpy does not divide by n.",
)
def harris_lahey(c: ConfusionMatrix) -> Value:
    """Jaccard indices of both classes, each weighted by the mean share of the other."""
    of_hits = ratio(c.tp, c.tp + errors(c)) * (2 * c.tn + errors(c))
    of_rejections = ratio(c.tn, c.tn + errors(c)) * (2 * c.tp + errors(c))
    return ratio(of_hits + of_rejections, 2 * c.total)


@published(
    r"\mathrm{Kö}_I",
    SIMILARITY("Köppen I", "Köppen 1870"),
    bounds=(-1, 1),
    remark="pycm and abydos use counts; Köppen uses shares.",
)
def koppen_i(c: ConfusionMatrix) -> Value:
    """1 minus half the errors over the product of the mean sizes of both classes: it depends on the
    counts."""
    sizes = (2 * c.tp + errors(c)) * (2 * c.tn + errors(c))
    return 1 - ratio(2 * errors(c), sizes)


@published(
    r"\mathrm{Kö}_{II}",
    SIMILARITY("Köppen II", "Köppen 1870"),
    bounds=(0, UNBOUNDED),
    direction="none",
)
def koppen_ii(c: ConfusionMatrix) -> Value:
    """Mean of the numbers of positives and of positive calls."""
    return c.tp + errors(c) / 2


@published(
    r"\mathrm{CT}_I", SIMILARITY("Consonni and Todeschini I", "Consonni and Todeschini 2012")
)
def consonni_todeschini_i(c: ConfusionMatrix) -> Value:
    """Logarithm of 1 and the right calls over that of 1 and all."""
    return ratio(log(1 + correct(c)), log(1 + c.total))


@published(
    r"\mathrm{CT}_{II}", SIMILARITY("Consonni and Todeschini II", "Consonni and Todeschini 2012")
)
def consonni_todeschini_ii(c: ConfusionMatrix) -> Value:
    """1 minus the logarithm of 1 and the wrong calls over that of 1 and all."""
    return 1 - ratio(log(1 + errors(c)), log(1 + c.total))


@published(
    r"\mathrm{CT}_{III}", SIMILARITY("Consonni and Todeschini III", "Consonni and Todeschini 2012")
)
def consonni_todeschini_iii(c: ConfusionMatrix) -> Value:
    """Logarithm of 1 and the hits over that of 1 and all."""
    return ratio(log(1 + c.tp), log(1 + c.total))


@published(
    r"\mathrm{CT}_V",
    SIMILARITY("Consonni and Todeschini V", "Consonni and Todeschini 2012"),
    bounds=(-1, 1),
)
def consonni_todeschini_v(c: ConfusionMatrix) -> Value:
    """Difference of the logarithms of 1 and both products, over the largest."""
    return ratio(log(1 + c.tp * c.tn) - log(1 + c.fp * c.fn), log(1 + c.total**2 / 4))


@published(r"\mathrm{UL}", SIMILARITY("Clement of matches", "abydos 0.5.0: UnknownL.sim"))
def unknown_l(c: ConfusionMatrix) -> Value:
    """Right calls over the rarer kind of error and the rest."""
    return ratio(correct(c), correct(c) + 2 * smaller(c.fp, c.fn))
