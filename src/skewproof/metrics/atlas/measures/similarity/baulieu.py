"""Baulieu's presence and absence coefficients, and others that depend on the counts."""

from skewproof.core.algebra import Value, exp, ratio, sqrt
from skewproof.core.confusion import ConfusionMatrix
from skewproof.metrics.atlas.entry import SIMILARITY, UNBOUNDED, published
from skewproof.metrics.atlas.measures.elementary import errors, larger, margins


@published(
    "B_4", SIMILARITY("Baulieu IV", "Baulieu 1997"), bounds=(-UNBOUNDED, 1), direction="lower"
)
def baulieu_iv(c: ConfusionMatrix) -> Value:
    """Errors minus (tp + 1/2)(tn + 1/2)tn·e, over all; it depends on the counts."""
    return ratio(
        errors(c) - (2 * c.tp + 1) * (2 * c.tn + 1) * c.tn * exp(1 + 0 * c.tn) / 4, c.total
    )


@published("B_5", SIMILARITY("Baulieu V", "Baulieu 1997"), direction="lower")
def baulieu_v(c: ConfusionMatrix) -> Value:
    """Jaccard distance with an error added; it depends on the counts."""
    return ratio(errors(c) + 1, c.tp + errors(c) + 1)


@published("B_6", SIMILARITY("Baulieu VI", "Baulieu 1997"), direction="lower")
def baulieu_vi(c: ConfusionMatrix) -> Value:
    """Errors over the union and 1; it depends on the counts."""
    return ratio(errors(c), c.tp + errors(c) + 1)


@published("B_7", SIMILARITY("Baulieu VII", "Baulieu 1997"), direction="lower")
def baulieu_vii(c: ConfusionMatrix) -> Value:
    """Errors over n and tp(tp - 4)²; it depends on the counts."""
    return ratio(errors(c), c.total + c.tp * (c.tp - 4) ** 2)


@published("B_9", SIMILARITY("Baulieu IX", "Baulieu 1997"), direction="lower")
def baulieu_ix(c: ConfusionMatrix) -> Value:
    """Error rate in which misses count twice."""
    return ratio(c.fp + 2 * c.fn, c.total + c.fn)


@published("B_{10}", SIMILARITY("Baulieu X", "Baulieu 1997"), direction="lower")
def baulieu_x(c: ConfusionMatrix) -> Value:
    """Error rate in which the more frequent kind of errors counts twice."""
    more = larger(c.fp, c.fn)
    return ratio(errors(c) + more, c.total + more)


@published("B_{11}", SIMILARITY("Baulieu XI", "Baulieu 1997"), direction="lower")
def baulieu_xi(c: ConfusionMatrix) -> Value:
    """Jaccard distance of the negatives."""
    return ratio(errors(c), c.tn + errors(c))


@published(
    "B_{12}",
    SIMILARITY("Baulieu XII", "Baulieu 1997"),
    bounds=(-UNBOUNDED, UNBOUNDED),
    bounds_of_counts=(0, UNBOUNDED),
    direction="lower",
)
def baulieu_xii(c: ConfusionMatrix) -> Value:
    """Errors over the union minus 1; it depends on the counts, and is infinite at a union of 1."""
    return ratio(errors(c), c.tp + errors(c) - 1)


@published("B_{13}", SIMILARITY("Baulieu XIII", "Baulieu 1997"), direction="lower")
def baulieu_xiii(c: ConfusionMatrix) -> Value:
    """Errors over the union and tp(tp - 4)²; it depends on the counts."""
    return ratio(errors(c), c.tp + errors(c) + c.tp * (c.tp - 4) ** 2)


@published("B_{14}", SIMILARITY("Baulieu XIV", "Baulieu 1997"), direction="lower")
def baulieu_xiv(c: ConfusionMatrix) -> Value:
    """Jaccard distance in which misses count twice."""
    return ratio(c.fp + 2 * c.fn, c.tp + c.fp + 2 * c.fn)


@published("B_{15}", SIMILARITY("Baulieu XV", "Baulieu 1997"), direction="lower")
def baulieu_xv(c: ConfusionMatrix) -> Value:
    """Jaccard distance in which the more frequent kind of errors counts twice."""
    more = larger(c.fp, c.fn)
    return ratio(errors(c) + more, c.tp + errors(c) + more)


@published(
    "D'",
    SIMILARITY("Anderberg's D of pycm", "pycm 4.6: distance Anderberg"),
    bounds=(-0.25, 0.5),
    direction="none",
    remark="Anderberg (1973) uses the larger of (tp + fn) and (fp + tn) for the second share.",
)
def anderberg_d_of_pycm(c: ConfusionMatrix) -> Value:
    """Larger cells minus the larger of P' and N, and of P' and N', over twice all."""
    cells = larger(c.tp, c.fp) + larger(c.fn, c.tn) + larger(c.tp, c.fn) + larger(c.fp, c.tn)
    sums = larger(c.predicted_positives, c.negatives)
    sums = sums + larger(c.predicted_positives, c.predicted_negatives)
    return ratio(cells - sums, 2 * c.total)


@published(
    r"\mathrm{UI}",
    SIMILARITY("Unknown I", "abydos 0.5.0: UnknownI.sim"),
    remark="Mountford (1962) does not add 1 to the cells.",
)
def mountford_of_one_more(c: ConfusionMatrix) -> Value:
    """Mountford's index with 1 added to each cell; it depends on the counts."""
    tp, fp, fn = c.tp + 1, c.fp + 1, c.fn + 1
    return ratio(2 * tp, tp * (fp + fn) + 2 * fp * fn)


@published(
    r"\mathrm{UM}",
    SIMILARITY("Unknown M", "abydos 0.5.0: UnknownM.sim_score"),
    bounds=(-1, UNBOUNDED),
    direction="lower",
)
def unknown_m(c: ConfusionMatrix) -> Value:
    """n minus tp·tn over the root of the product of the four sums; it depends on the counts."""
    return ratio(c.total - c.tp * c.tn, sqrt(margins(c)))
