"""The names of a measure by community, and other facts of the atlas in addition to its formula."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import NamedTuple

import numpy as np

from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.messages import facts_shown
from skewproof.core.metric import Bounds, Direction, Metric
from skewproof.core.registry import ByKey

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


class Catalog(ByKey[Entry]):
    """An immutable catalog of facts about measures, by key.

    Examples
    --------
    >>> from skewproof.metrics.atlas import CATALOG
    >>> CATALOG["f1"].names[1].name
    'Dice'
    """

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


COMMUNITIES = (
    Community(
        "class imbalance", "metrics of imbalanced classes, and those that they are compared with"
    ),
    Community("machine learning", "classifiers, learned from examples, and what they score"),
    Community("forecast verification", "warnings of rain, storms and other rare events"),
    Community("diagnostic tests", "medical tests against a reference standard"),
    Community("epidemiology", "exposure and disease, treatment and outcome"),
    Community("similarity", "species, molecules and texts by what they share"),
    Community("association rules", "rules in transactions, if this then that"),
    Community("information retrieval", "documents that are found, and those that matter"),
    Community("agreement", "two raters of the same subjects, in psychology and medicine"),
    Community("statistics of association", "tests and measures of 2 x 2 tables"),
    Community("information theory", "entropies of truth and calls, in bits or nats"),
    Community("remote sensing", "maps of land cover against the ground"),
    Community("species distribution models", "maps of where a species lives"),
    Community("signal detection", "observers who tell signals from noise"),
    Community("fault localization", "statements of a program by the tests that run them"),
    Community("collocations", "words that occur together in texts"),
    Community("genetics", "alleles of two loci that are inherited together"),
)
"""The communities whose names are listed, in the order of the docs."""


class Row(NamedTuple):
    """A row of names.csv."""

    key: str
    """Key of the metric."""

    name: Name

    searched: bool
    """True for a name that is only searched for and never shown: a common abbreviation, or the name
    of a package's function. Such a name has no other meaning in a search."""


def read_table(name: str) -> list[dict[str, str]]:
    """Read the rows of a table of the data package; tests check that its cells fit their fields."""
    text = files("skewproof.metrics.atlas").joinpath(f"{name}.csv").read_text("utf-8")
    return list(csv.DictReader(text.splitlines()))


@cache
def listed_names() -> tuple[Row, ...]:
    """Read the rows of names.csv, which has every name except that of the declaration."""
    return tuple(
        Row(row["key"], Name(row["community"], row["name"], row["source"]), row["use"] == "search")
        for row in read_table("names")
    )


def catalog(metrics: Mapping[str, Metric]) -> dict[str, Entry]:
    """Collect facts about each metric in addition to its formula, with the names of names.csv."""
    names: dict[str, dict[tuple[str, str], dict[str, None]]] = {
        key: {
            (metric.community or COMMUNITIES[0].key, metric.name): dict.fromkeys(
                metric.source.split("; ")
            )
        }
        for key, metric in metrics.items()
    }
    for key, name, searched in listed_names():
        if not searched:
            sources = names[key].setdefault((name.community, name.name), {})
            sources.update(dict.fromkeys(name.source.split("; ")))
    return {
        key: Entry(
            tuple(Name(*name, "; ".join(sources)) for name, sources in names[key].items()),
            metric.remark,
            metric.direction,
            metric.bounds_of_counts,
        )
        for key, metric in metrics.items()
    }


DIRECTIONS = {
    "higher": "higher is better",
    "lower": "lower is better",
    "target": "best at the value of the perfect classifier, which is between others",
    "association": "largest for the perfect classifier and for the one that is always wrong",
    "association, lowest": "smallest for the perfect classifier and for the one that is always"
    " wrong",
    "quantity": "largest if as many instances are called positive as are positive",
    "quantity, lowest": "smallest if as many instances are called positive as are positive",
    "none": "neither higher nor lower is better at all class sizes",
}

CONSTANT = "the same for all classifiers of given classes"


def direction_in_words(metric: Metric) -> str:
    """Describe good values; without direction, tell whether the value depends on the classifier.

    Examples
    --------
    >>> from skewproof.metrics.atlas import ATLAS
    >>> direction_in_words(ATLAS["error_rate"]), direction_in_words(ATLAS["base_rate"])
    ('lower is better', 'the same for all classifiers of given classes')
    """
    if metric.direction == "none":
        rates = np.random.default_rng(0).random((2, 20))
        values = metric(ConfusionMatrix.from_rates(*rates, positives=100, negatives=1000))
        if np.ptp(values) == 0:
            return CONSTANT
    return DIRECTIONS[metric.direction]
