"""The names of a measure by community, and other facts of the atlas in addition to its formula."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

from skewproof.core.messages import facts_shown, shown
from skewproof.core.metric import Bounds, Direction, Formula, Metric, metric
from skewproof.core.registry import ALIKE, nearest

UNBOUNDED = float("inf")

NOT_VERIFIED = "Not verified: no second source for the formula was at hand."

NAMED_HERE = "named here"
"""The source of a name that no publication or package has, but only this atlas."""


class Name(NamedTuple):
    """A name of a measure in a community."""

    community: str
    """Key of one of :data:`COMMUNITIES`."""

    name: str
    """The name that the community uses."""

    source: str
    """Sources of the name, separated by "; ": publications, packages as "package version:
    function", and :data:`NAMED_HERE` if the atlas coined the name."""

    @property
    def coined(self) -> bool:
        """True if the atlas coined the name, and no source has it."""
        return NAMED_HERE in self.source.split("; ")


class Entry(NamedTuple):
    """Facts about a measure in addition to its formula."""

    names: tuple[Name, ...]
    """The names; the first is the metric's own."""

    remark: str
    """Disagreement of sources on the formula; empty if there is none."""

    direction: Direction
    """The direction of good values."""

    bounds_of_counts: Bounds | None = None
    """Smallest and largest value over whole counts, if they are narrower than those over real
    cells."""

    def __repr__(self) -> str:
        names = ", ".join(f"{name.name} ({name.community})" for name in self.names)
        facts = {"names": names, "remark": self.remark, "direction": self.direction}
        if self.bounds_of_counts is not None:
            facts["bounds of counts"] = "{:g} to {:g}".format(*self.bounds_of_counts)
        return facts_shown("Entry", facts)


class Catalog(Mapping[str, Entry]):
    """An immutable catalog of facts about measures, by key.

    Examples
    --------
    >>> from skewproof import CATALOG
    >>> CATALOG["f1"].names[1].name
    'Dice'
    """

    def __init__(self, entries: Mapping[str, Entry]) -> None:
        self._entries = dict(entries)

    def __getitem__(self, key: str) -> Entry:
        """Look up a measure by its key.

        Raises
        ------
        KeyError
            If no measure has the key; the message offers a similar key.
        """
        if not isinstance(key, str) or key not in self._entries:
            raise KeyError(f"no measure {shown(key)}{nearest(key, self._entries, ALIKE)}")
        return self._entries[key]

    def __contains__(self, key: object) -> bool:
        return key in self._entries

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)

    def __repr__(self) -> str:
        example = next(iter(self), "f1")
        return (
            f"Catalog of {len(self)} measures\n"
            f"Fields of an entry: {', '.join(Entry._fields)}\n"
            f"To look up a measure by its key: CATALOG[{example!r}]\n"
            "To find the key of a name: get_metric(name).key"
        )


@dataclass(frozen=True)
class Community:
    """A field with its own names for measures of two classes."""

    key: str
    description: str

    def __call__(self, name: str, source: str) -> Name:
        """Make a name that the community uses, with its source."""
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
    """Declare a metric of the atlas by its formula; the function's name is the metric's key.

    Parameters
    ----------
    symbol
        A symbol in LaTeX, without dollar signs.
    name
        The name that tables show, with its community and source; other names are rows of names.csv.
    properties
        Further attributes of :class:`~skewproof.core.metric.Metric`. Bounds are those over all
        matrices of nonnegative real cells whose sum is at least 1.

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
    """True for a name that is only searched for and never shown: a common abbreviation, or the name
    of a package's function. Such a name has no other meaning in a search."""


@cache
def listed_names() -> tuple[Row, ...]:
    """Read the rows of names.csv, which has every name except that of the declaration."""
    text = files("skewproof.metrics.atlas").joinpath("names.csv").read_text("utf-8")
    return tuple(
        Row(row["key"], Name(row["community"], row["name"], row["source"]), row["use"] == "search")
        for row in csv.DictReader(text.splitlines())
    )


def catalog(metrics: Mapping[str, Metric]) -> dict[str, Entry]:
    """Collect facts about each metric in addition to its formula, with the names of names.csv."""
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
