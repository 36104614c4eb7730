"""Similarity by deviation from chance: hits beyond what the sizes of the classes give."""

import math

from skewproof.core.algebra import Value, is_symbolic, log, pi, ratio, sqrt
from skewproof.core.confusion import ConfusionMatrix
from skewproof.metrics.atlas.entry import ASSOCIATION, SIMILARITY, UNBOUNDED, published
from skewproof.metrics.atlas.measures.contingency.information import shared
from skewproof.metrics.atlas.measures.elementary import (
    added,
    determinant,
    errors,
    larger,
    log_factorial,
    log_ten,
    log_two,
    margins,
    smaller,
    stirling_rest,
)


def beyond_chance(c: ConfusionMatrix) -> Value:
    """Number of hits minus that of chance."""
    return ratio(determinant(c), c.total)


@published(
    r"\mathrm{SS}_V", SIMILARITY("Sokal and Sneath V", "Sokal and Sneath 1963; Choi et al. 2010")
)
def ochiai_ii(c: ConfusionMatrix) -> Value:
    """Geometric mean of the four conditional shares of right calls, squared."""
    return ratio(c.tp * c.tn, sqrt(margins(c)))


@published("B_2", SIMILARITY("Baulieu II", "Baulieu 1989"))
def baulieu_ii(c: ConfusionMatrix) -> Value:
    """Product of the four conditional shares of right calls."""
    return ratio((c.tp * c.tn) ** 2, margins(c))


@published(
    "Gw",
    SIMILARITY("Gower", "Gower 1971; Choi et al. 2010"),
    bounds=(0, UNBOUNDED),
    direction="none",
    remark="Choi et al. print it with a root over all four sums; it depends on the counts.",
)
def gower(c: ConfusionMatrix) -> Value:
    """Right calls over the root of the product of the four sums."""
    return ratio(c.tp + c.tn, sqrt(margins(c)))


@published(
    "De", SIMILARITY("Dennis", "Dennis 1965; Choi et al. 2010"), bounds=(-UNBOUNDED, UNBOUNDED)
)
def dennis(c: ConfusionMatrix) -> Value:
    """Hits beyond chance over the root of those of chance: it grows with the counts."""
    return ratio(determinant(c), sqrt(c.total * c.predicted_positives * c.positives))


@published("Tw", SIMILARITY("Tarwid", "Tarwid 1960; Choi et al. 2010"), bounds=(-1, 1))
def tarwid(c: ConfusionMatrix) -> Value:
    """Hits minus those of chance, over their sum."""
    chance = c.predicted_positives * c.positives
    return ratio(c.total * c.tp - chance, c.total * c.tp + chance)


@published(
    "Fo",
    SIMILARITY("Fossum", "Fossum and Kaskey 1966; Choi et al. 2010"),
    bounds=(0, UNBOUNDED),
    remark="binsdpy has the root of P·P' in the denominator.",
)
def fossum(c: ConfusionMatrix) -> Value:
    """Lift times the hits, of which a half is taken off: n(tp - 1/2)² over P·P'; it depends on the
    counts."""
    return ratio(c.total * (2 * c.tp - 1) ** 2, 4 * c.positives * c.predicted_positives)


@published(
    "Ey",
    SIMILARITY("Eyraud", "Eyraud 1936; Choi et al. 2010"),
    bounds=(-UNBOUNDED, UNBOUNDED),
    remark="Choi et al. divide n²(n·tp - P·P') by the product of the four sums; pycm and abydos"
    " divide (tp - P·P') by it.",
)
def eyraud(c: ConfusionMatrix) -> Value:
    """Covariance over the product of both variances."""
    return ratio(c.total**2 * determinant(c), margins(c))


@published(
    r"\mathrm{Ey}'",
    SIMILARITY("Eyraud without n", "pycm 4.6: distance Eyraud"),
    bounds=(-UNBOUNDED, UNBOUNDED),
    bounds_of_counts=(-UNBOUNDED, 0),
    direction="none",
    remark="Choi et al. (2010) have n²(n·tp - P·P') instead of tp - P·P'.",
)
def eyraud_without_total(c: ConfusionMatrix) -> Value:
    """Hits minus P·P' over the product of the four sums; it depends on the counts."""
    return ratio(c.tp - c.positives * c.predicted_positives, margins(c))


@published(
    "St",
    SIMILARITY("Stiles", "Stiles 1961; Choi et al. 2010"),
    bounds=(-UNBOUNDED, UNBOUNDED),
    direction="association",
    remark="abydos has |n·tp - fp·fn| in the numerator and other sums in the denominator.",
)
def stiles(c: ConfusionMatrix) -> Value:
    """Decimal logarithm of Yates' chi-squared; it depends on the counts."""
    deviation = abs(determinant(c)) - c.total / 2
    return log(ratio(c.total * deviation**2, margins(c))) / log_ten(c.total)


@published(
    r"\mathrm{McM}",
    SIMILARITY("McEwen and Michael", "Michael 1920; Choi et al. 2010"),
    bounds=(-1, 1),
    direction="none",
)
def michael(c: ConfusionMatrix) -> Value:
    """Four times tp·tn - fp·fn over the squared numbers of right and of wrong calls."""
    return ratio(4 * determinant(c), (c.tp + c.tn) ** 2 + errors(c) ** 2)


@published("Cl", SIMILARITY("Clement", "Clement 1976"))
def clement(c: ConfusionMatrix) -> Value:
    """Predictive values of both calls, each weighted by the share of the other."""
    rest = c.ppv * c.predicted_negatives + c.npv * c.predicted_positives
    return ratio(rest, c.total)


@published("B_3", SIMILARITY("Baulieu III", "Baulieu 1989"), direction="lower")
def baulieu_iii(c: ConfusionMatrix) -> Value:
    """Half minus twice the covariance of calls and truth."""
    return ratio(c.total**2 - 4 * determinant(c), 2 * c.total**2)


@published(
    r"\Lambda_{AMPLE}",
    SIMILARITY("AMPLE of the calls", "pycm 4.6: distance AMPLE"),
    direction="association",
    remark="Dallmeier et al. (2005) have |tpr - fpr|; pycm and abydos have |ppv - for|.",
)
def ample_of_calls(c: ConfusionMatrix) -> Value:
    """Absolute markedness."""
    return abs(c.ppv - ratio(c.fn, c.predicted_negatives))


@published("K_I", SIMILARITY("Kuhns I", "Kuhns 1965"), bounds=(-0.5, 0.5))
def kuhns_i(c: ConfusionMatrix) -> Value:
    """Twice the covariance of calls and truth."""
    return ratio(2 * determinant(c), c.total**2)


@published("K_{II}", SIMILARITY("Kuhns II", "Kuhns 1965"), bounds=(-0.5, 1))
def kuhns_ii(c: ConfusionMatrix) -> Value:
    """Hits beyond chance over the larger of P and P'."""
    return ratio(beyond_chance(c), larger(c.positives, c.predicted_positives))


@published("K_{III}", SIMILARITY("Kuhns III", "Kuhns 1965"), bounds=(-1 / 3, 1))
def kuhns_iii(c: ConfusionMatrix) -> Value:
    """Hits beyond chance over a share of the union that chance expects."""
    sizes = c.positives + c.predicted_positives
    share = 1 - ratio(c.tp, sizes)
    return ratio(
        beyond_chance(c), share * (sizes - ratio(c.positives * c.predicted_positives, c.total))
    )


@published("K_{IV}", SIMILARITY("Kuhns IV", "Kuhns 1965"), bounds=(-1, 1))
def kuhns_iv(c: ConfusionMatrix) -> Value:
    """Hits beyond chance over the smaller of P and P'."""
    return ratio(beyond_chance(c), smaller(c.positives, c.predicted_positives))


@published("K_V", SIMILARITY("Kuhns V", "Kuhns 1965"), bounds=(-1, 1))
def kuhns_v(c: ConfusionMatrix) -> Value:
    """Covariance of calls and truth over the larger of both variances."""
    variances = c.predicted_positives * c.predicted_negatives, c.positives * c.negatives
    return ratio(determinant(c), larger(*variances))


@published("K_{VI}", SIMILARITY("Kuhns VI", "Kuhns 1965"), bounds=(-1, 1))
def kuhns_vi(c: ConfusionMatrix) -> Value:
    """Covariance of calls and truth over the smaller of both variances."""
    variances = c.predicted_positives * c.predicted_negatives, c.positives * c.negatives
    return ratio(determinant(c), smaller(*variances))


@published("K_{VII}", SIMILARITY("Kuhns VII", "Kuhns 1965"), bounds=(-0.5, 1))
def kuhns_vii(c: ConfusionMatrix) -> Value:
    """Hits beyond chance over the geometric mean of P and P'."""
    return ratio(beyond_chance(c), sqrt(c.positives * c.predicted_positives))


@published("K_{VIII}", SIMILARITY("Kuhns VIII", "Kuhns 1965"), bounds=(-0.5, 1))
def kuhns_viii(c: ConfusionMatrix) -> Value:
    """Hits beyond chance over the arithmetic mean of P and P'."""
    return ratio(2 * beyond_chance(c), c.positives + c.predicted_positives)


@published(
    "GW",
    SIMILARITY("Gilbert and Wells", "Gilbert and Wells 1966"),
    bounds=(1 - math.log(math.pi), UNBOUNDED),
    direction="association",
    remark="Choi et al. (2010) use this name for the natural logarithm of the lift. The lower"
    " bound is the limit of tables (2m², m, m, 0); a search found no smaller value.",
)
def gilbert_wells(c: ConfusionMatrix) -> Value:
    """Logarithm of the probability of the cells by chance, against its normal approximation; it
    depends on the counts."""
    sums = c.predicted_positives, c.positives, c.negatives, c.predicted_negatives
    parts = c.total, c.tp, c.fp, c.fn, c.tn
    normal = log(ratio(c.total**3, 2 * pi(c.total) * margins(c)))
    if is_symbolic(c.tp):
        return normal + 2 * (sum(map(log_factorial, parts)) - sum(map(log_factorial, sums)))
    rest = sum(map(stirling_rest, parts)) - sum(map(stirling_rest, sums))
    return normal + 2 * (log_two(c.total) * c.total * shared(c) + rest)


@published(
    r"\tau_S",
    SIMILARITY("surplus of matches for each pair", "pycm 4.6: distance KendallTau"),
    bounds=(-UNBOUNDED, UNBOUNDED),
    direction="higher",
    remark="pycm and abydos call this Kendall's tau; for 2 x 2 tables tau b is the correlation"
    " (Kendall 1955).",
)
def matches_for_each_pair(c: ConfusionMatrix) -> Value:
    """Right minus wrong calls for each pair of instances; it depends on the counts."""
    return ratio(2 * (c.tp + c.tn - errors(c)), c.total * (c.total - 1))


@published(r"\mathrm{WV}", SIMILARITY("Warrens V", "Warrens 2008"), bounds=(-1, UNBOUNDED))
def warrens_v(c: ConfusionMatrix) -> Value:
    """tp·tn - fp·fn over its largest size below 0 at these class sizes."""
    largest = smaller(c.positives * c.predicted_positives, c.negatives * c.predicted_negatives)
    return ratio(determinant(c), largest)


@published(
    r"\mathrm{UF}",
    SIMILARITY("Unknown F", "abydos 0.5.0: UnknownF.sim_score"),
    bounds=(-UNBOUNDED, 1),
    remark="abydos replaces values above 1 by 1, although this formula has no value above 1.",
)
def unknown_f(c: ConfusionMatrix) -> Value:
    """1 and the natural logarithm of the Fowlkes-Mallows index."""
    return 1 + log(ratio(c.tp, sqrt(c.positives * c.predicted_positives)))


@published(
    r"\mathrm{US}",
    ASSOCIATION("unigram subtuples", "Blaheta and Johnson 2001; Pecina 2010"),
    bounds=(-UNBOUNDED, UNBOUNDED),
    direction="none",
)
def unigram_subtuples(c: ConfusionMatrix) -> Value:
    """Log odds ratio minus 3.29 times its standard error, the lower end of its 99.9 % interval."""
    inverse = ratio(1, c.tp) + ratio(1, c.fp) + ratio(1, c.fn) + ratio(1, c.tn)
    return added(log(ratio(c.tp * c.tn, c.fp * c.fn)), -329 * sqrt(inverse) / 100)
