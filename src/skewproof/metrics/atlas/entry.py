"""What the atlas knows of a measure beside its formula: its names, by community, and direction."""

from __future__ import annotations

import csv
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

from skewproof.core.metric import Bounds, Direction, Formula, Metric, metric

UNBOUNDED = float("inf")

NOT_VERIFIED = "Not verified: no second source for the formula was at hand."

NAMED_HERE = "named here"
"""Among the sources of a name: no publication or package has these words, only this atlas."""


class Name(NamedTuple):
    """Name of a measure in a community."""

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
    """Facts about a measure in addition to its formula."""

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


def published(symbol: str, name: Name, **properties: Any) -> Callable[[Formula], Metric]:
    """Declare a metric of the atlas: its function's name is its key.

    Parameters
    ----------
    symbol
        A symbol in LaTeX, without dollar signs.
    name
        The name that tables show, with its community and source; other names are rows of names.csv.
    properties
        Further attributes of :class:`~skewproof.core.metric.Metric`. Its bounds are those over all
        matrices of nonnegative real cells of a sum of at least 1.

    Examples
    --------
    >>> from skewproof.metrics.atlas.entry import FORECAST, published
    >>> @published("B", FORECAST("frequency bias", "an example"), direction="target")
    ... def bias(c):
    ...     return (c.tp + c.fp) / (c.tp + c.fn)
    >>> bias.key, bias.name, bias.direction
    ('bias', 'frequency bias', 'target')
    """
    community, words, source = name
    return metric(symbol=symbol, name=words, source=source, community=community, **properties)


class Row(NamedTuple):
    """A row of names.csv."""

    key: str
    """Key of the metric."""

    name: Name

    searched: bool
    """Whether it is only searched for, and decides what is meant: a usual abbreviation, or what a
    package calls its function. Any other name is shown as well."""


@cache
def listed_names() -> tuple[Row, ...]:
    """The rows of names.csv, which has every name but the one of the declaration."""
    text = files("skewproof.metrics.atlas").joinpath("names.csv").read_text("utf-8")
    return tuple(
        Row(row["key"], Name(row["community"], row["name"], row["source"]), row["use"] == "search")
        for row in csv.DictReader(text.splitlines())
    )


def catalog(metrics: Mapping[str, Metric]) -> dict[str, Entry]:
    """Facts about each metric in addition to its formula, with the names of names.csv."""
    names: dict[str, dict[tuple[str, str], dict[str, None]]] = {
        key: {(one.community or IMBALANCE.key, one.name): dict.fromkeys(one.source.split("; "))}
        for key, one in metrics.items()
    }
    for key, name, searched in listed_names():
        if not searched:
            sources = names[key].setdefault((name.community, name.name), {})
            sources.update(dict.fromkeys(name.source.split("; ")))
    return {
        key: Entry(
            tuple(Name(*name, "; ".join(sources)) for name, sources in names[key].items()),
            one.remark,
            one.direction,
            one.bounds_of_counts,
        )
        for key, one in metrics.items()
    }
