"""Maps compared with the ground: the errors in quantity and in allocation."""

from skewproof.core.algebra import Value, ratio
from skewproof.core.confusion import ConfusionMatrix
from skewproof.metrics.atlas.entry import ECOLOGY, LAND, LEARNING, UNBOUNDED, published
from skewproof.metrics.atlas.measures.elementary import smaller


@published(
    r"\mathrm{AM}",
    LEARNING("automatic less manual", "pycm 4.6: AM"),
    bounds=(-UNBOUNDED, UNBOUNDED),
    direction="target",
)
def surplus_calls(c: ConfusionMatrix) -> Value:
    """Excess of instances called positive over positives."""
    return c.fp - c.fn


@published(
    r"\mathrm{BCD}",
    LEARNING("Bray-Curtis dissimilarity of the class sizes", "pycm 4.6: BCD"),
    bounds=(0, 0.5),
    direction="quantity, lowest",
)
def half_quantity_disagreement(c: ConfusionMatrix) -> Value:
    """Half the difference of the called and the true share."""
    return ratio(abs(c.fp - c.fn), 2 * c.total)


@published(
    r"\mathrm{QD}",
    LAND("quantity disagreement", "Pontius and Millones 2011"),
    direction="quantity, lowest",
)
def quantity_disagreement(c: ConfusionMatrix) -> Value:
    """Difference of the called and the true share."""
    return ratio(abs(c.fp - c.fn), c.total)


@published(
    r"\mathrm{AD}", LAND("allocation disagreement", "Pontius and Millones 2011"), direction="lower"
)
def allocation_disagreement(c: ConfusionMatrix) -> Value:
    """Error rate minus the quantity disagreement."""
    return ratio(2 * smaller(c.fp, c.fn), c.total)


@published(
    r"\mathrm{ODP}",
    ECOLOGY("overall diagnostic power", "Fielding and Bell 1997; dismo, evaluate"),
    direction="none",
)
def share_of_negatives(c: ConfusionMatrix) -> Value:
    """Share of the negatives, which no classifier changes."""
    return ratio(c.negatives, c.total)


@published(
    r"\mathrm{PPI}",
    ECOLOGY("potential presence increment", "Barbosa et al. 2013; modEvA, threshMeasures"),
    bounds=(-1, UNBOUNDED),
    direction="target",
)
def presence_increment(c: ConfusionMatrix) -> Value:
    """Excess of instances called positive over positives, for each positive."""
    return ratio(c.predicted_positives, c.positives) - 1


@published(
    r"\mathrm{PAI}",
    ECOLOGY("potential absence increment", "Barbosa et al. 2013; modEvA, threshMeasures"),
    bounds=(-1, UNBOUNDED),
    direction="target",
)
def absence_increment(c: ConfusionMatrix) -> Value:
    """Excess of instances called negative over negatives, for each negative."""
    return ratio(c.predicted_negatives, c.negatives) - 1
