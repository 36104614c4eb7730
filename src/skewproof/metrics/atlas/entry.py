"""What the atlas knows of a measure beside its formula: its names, by community, and direction."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, NamedTuple

from skewproof.core.algebra import Value
from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.metric import Bounds, Formula, Metric

Direction = Literal[
    "higher",
    "lower",
    "target",
    "association",
    "association, lowest",
    "quantity",
    "quantity, lowest",
    "none",
]
"""What a good value is, at given class sizes: the highest or the lowest, which the perfect
classifier has, or those near it where its own is 0/0, and the one that is always wrong has not; a
value between them, which it has, as 1 of the frequency bias (target); the highest or the lowest,
which the one that is always wrong has too, as of chi-squared (association); the highest or the
lowest, which all have that call as many positive as are, as of McNemar's statistic (quantity); or
none, where at some class sizes others lie on either side of the perfect one, or all classifiers
have one value."""

UNBOUNDED = float("inf")

NOT_VERIFIED = "Not verified: no second source for the formula was at hand."

NAMED_HERE = "named here"
"""Among the sources of a name: no publication or package has these words, only this atlas."""


class Name(NamedTuple):
    """What a community calls a measure."""

    community: str
    """Key of one of :data:`COMMUNITIES`."""

    name: str
    """The name there."""

    source: str
    """Who says so: a publication, or a package as "package version: function"; several with "; "
    between them, :data:`NAMED_HERE` among them where the words are this atlas's own."""

    @property
    def coined(self) -> bool:
        """Whether the words are this atlas's own, and no source has them."""
        return NAMED_HERE in self.source.split("; ")


class Entry(NamedTuple):
    """What is known of a measure beside its formula."""

    names: tuple[Name, ...]
    """Its names; the first is the metric's own."""

    remark: str
    """Where sources disagree on the formula; else empty."""

    direction: Direction
    """What a good value is."""

    bounds_of_counts: Bounds | None = None
    """Smallest and largest value over whole counts, where those over real cells lie beyond."""


@dataclass(frozen=True)
class Community:
    """A field that has its own names for measures of two classes."""

    key: str
    description: str

    def __call__(self, name: str, source: str) -> Name:
        """A name that the community uses, with its source."""
        return Name(self.key, name, source)


IMBALANCE = Community(
    "class imbalance", "metrics of imbalanced classes, and those that they are compared with"
)
LEARNING = Community("machine learning", "classifiers, learned from examples, and what they score")
FORECAST = Community("forecast verification", "warnings of rain, storms and other rare events")
DIAGNOSIS = Community("diagnostic tests", "medical tests against a reference standard")
EPIDEMIOLOGY = Community("epidemiology", "exposure and disease, treatment and outcome")
SIMILARITY = Community("similarity", "species, molecules and texts by what they share")
RULES = Community("association rules", "rules in transactions, if this then that")
RETRIEVAL = Community("information retrieval", "documents that are found, and those that matter")
AGREEMENT = Community("agreement", "two raters of the same subjects, in psychology and medicine")
ASSOCIATION = Community("statistics of association", "tests and measures of 2 x 2 tables")
INFORMATION = Community("information theory", "entropies of truth and calls, in bits or nats")
LAND = Community("remote sensing", "maps of land cover against the ground")
ECOLOGY = Community("species distribution models", "maps of where a species lives")
DETECTION = Community("signal detection", "observers who tell signals from noise")
FAULTS = Community("fault localization", "statements of a program by the tests that run them")
GENETICS = Community("genetics", "alleles of two loci that are inherited together")
WORDS = Community("collocations", "words that occur together in texts")

COMMUNITIES = (
    IMBALANCE,
    LEARNING,
    FORECAST,
    DIAGNOSIS,
    EPIDEMIOLOGY,
    SIMILARITY,
    RULES,
    RETRIEVAL,
    AGREEMENT,
    ASSOCIATION,
    INFORMATION,
    LAND,
    ECOLOGY,
    DETECTION,
    FAULTS,
    WORDS,
    GENETICS,
)
"""The communities whose names are listed, in the order of the docs."""


@dataclass(frozen=True)
class Measure:
    """A declaration of the atlas: a metric, and its entry."""

    metric: Metric
    entry: Entry

    @property
    def key(self) -> str:
        """Key of the metric."""
        return self.metric.key

    def __call__(self, matrix: ConfusionMatrix) -> Value:
        """Evaluate the metric."""
        return self.metric(matrix)


def measure(
    symbol: str,
    *names: Name,
    bounds: Bounds = (0.0, 1.0),
    direction: Direction = "higher",
    remark: str = "",
    bounds_of_counts: Bounds | None = None,
) -> Callable[[Formula], Measure]:
    """Declare a measure of the atlas: its function's name is its key.

    Parameters
    ----------
    symbol
        A symbol in LaTeX, without dollar signs.
    names
        Its names, each with the source for it; the first is the one that tables show.
    bounds
        Smallest and largest value over all matrices of nonnegative real cells of a sum of at
        least 1.
    direction, remark, bounds_of_counts
        As for :class:`Entry`.

    Examples
    --------
    >>> from skewproof.metrics.atlas.entry import FORECAST, measure
    >>> @measure("B", FORECAST("frequency bias", "an example"), direction="target")
    ... def bias(c):
    ...     return (c.tp + c.fp) / (c.tp + c.fn)
    >>> bias.key, bias.metric.name, bias.entry.direction
    ('bias', 'frequency bias', 'target')
    """

    def declare(formula: Formula) -> Measure:
        first = names[0]
        metric = Metric(
            formula.__name__,
            symbol,
            first.name,
            first.source,
            formula,
            aliases=tuple(dict.fromkeys(n.name for n in names[1:] if n.name != first.name)),
            bounds=bounds,
            lower_is_better=direction.endswith(("lower", "lowest")),
        )
        return Measure(metric, Entry(names, remark, direction, bounds_of_counts))

    return declare
