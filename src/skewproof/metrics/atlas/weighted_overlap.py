"""Overlap of sets in which what they share counts more than once."""

from skewproof.core.algebra import Value, ratio, sqrt
from skewproof.core.confusion import ConfusionMatrix
from skewproof.metrics.atlas.elementary import errors
from skewproof.metrics.atlas.entry import SIMILARITY, measure


@measure(r"\mathrm{S}_4", SIMILARITY("Jaccard with hits four times", "Ling 2010, as Sorensen"))
def jaccard_4w(c: ConfusionMatrix) -> Value:
    """Jaccard index in which hits count four times."""
    return ratio(4 * c.tp, 4 * c.tp + errors(c))


@measure(r"\mathrm{A}_8", SIMILARITY("Jaccard with hits eight times", "Ling 2010, as Anderberg"))
def jaccard_8w(c: ConfusionMatrix) -> Value:
    """Jaccard index in which hits count eight times."""
    return ratio(8 * c.tp, 8 * c.tp + errors(c))


@measure(r"F_A", SIMILARITY("Alroy's F", "Alroy 2015"))
def alroy(c: ConfusionMatrix) -> Value:
    """Hits against pairs of a miss and a false alarm, with more weight in large unions; it depends
    on the counts."""
    union = c.tp + errors(c)
    weighed = 2 * c.tp * (union + sqrt(union))
    return ratio(weighed, weighed + 3 * c.fp * c.fn)
