"""What a name means: the measures that have it, what they are, and which others are the same."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

from skewproof.core.messages import shortened, shown
from skewproof.core.metric import Bounds, Metric
from skewproof.metrics.atlas import ATLAS, CATALOG, Entry
from skewproof.metrics.atlas.classes import same, stored_classes
from skewproof.metrics.atlas.directions import direction_in_words
from skewproof.metrics.lookup import meanings, nearest_name
from skewproof.multiclass import MEASURES, measures_named
from skewproof.multiclass.measure import Measure
from skewproof.reporting.shown_formula import typed, typed_matrix
from skewproof.reporting.summary import Summary
from skewproof.sensitivity.behavior_types import DIFFERS, SAME

MOST_LISTED = 15
"""Measures that are listed as the same as another; the dictionary has all."""

CHANGES = {
    DIFFERS: "Prevalence changes its value even if the rates stay the same.",
    SAME: "Prevalence does not change its value if the rates stay the same.",
}
"""What is said for each stored verdict."""

UNKNOWN = "It is not known whether prevalence changes its value if the rates stay the same."

ORDERS = {
    "yes": "the same at all class sizes",
    "no": "not the same at all class sizes",
}
"""What is said of the order of classifiers, for each stored word."""


@dataclass(frozen=True)
class Meaning:
    """A measure of two classes: what it is, and which others of the atlas are the same."""

    key: str
    matched: str
    """The name or key that was found."""
    community: str
    """The field that has this name for it."""
    formula: str
    low: float
    high: float
    low_of_counts: float | None
    """Smallest value over whole counts where it lies above that over real cells, else None."""
    high_of_counts: float | None
    direction: str
    """What a good value is, in words."""
    remark: str
    """Where sources disagree on the formula; else empty."""
    verdict: str
    """Whether prevalence changes the value where the rates stay the same: "differs", "same",
    "undecided", or "not stored"."""
    same_order_at_all_sizes: str
    """Whether the order of classifiers is the same at all class sizes: "yes", "no", "undecided", or
    "not stored"."""
    equal: list[str] | None
    """Other measures with the same values; None where that is not known."""
    linear: list[str] | None
    """Other measures of which it is a linear function that is not the identity."""
    same_order_1_1: list[str] | None
    """Other measures that order classifiers alike on classes of equal size, better first."""
    same_order_1_100: list[str] | None
    """The same with 100 negatives to a positive."""
    names: list[dict[str, str]]
    """A dictionary for each name: name, community, source."""

    def summary(self) -> Summary:
        """What is shown of it."""
        facts = [
            ("Found as", f"{self.matched} ({self.community})" * (self.matched != self.key)),
            ("Formula", self.formula),
            ("Range", _range(self.low, self.high)),
            ("Of counts", _range(self.low_of_counts, self.high_of_counts)),
            ("Good values", self.direction),
            ("Remark", self.remark),
            ("Equal to", _listed(self.equal)),
            ("Linear function of", _listed(self.linear)),
            ("Same order at 1:1", _listed(self.same_order_1_1)),
            ("Same order at 1:100", _listed(self.same_order_1_100)),
            ("Order of classifiers", ORDERS.get(self.same_order_at_all_sizes, "not decided")),
        ]
        return Summary(
            self.key,
            verdict=CHANGES.get(self.verdict, UNKNOWN),
            facts=[(name, text) for name, text in facts if text],
            tables={"Names": self.names},
        )


@dataclass(frozen=True, repr=False)
class Finding:
    """What a name means; a terminal and a notebook show it."""

    name: str
    """The name that was looked for."""
    meanings: list[Meaning]
    """Measures of two classes that have it, in the order of the catalog."""
    measures: list[Measure]
    """Measures of any number of classes that have it."""

    @cached_property
    def _summaries(self) -> list[Summary]:
        several = len(self.meanings) > 1
        first = [Summary(f"{self.name} has {len(self.meanings)} meanings")] if several else []
        return [
            *first,
            *(meaning.summary() for meaning in self.meanings),
            *map(_of_measure, self.measures),
        ]

    def to_dict(self) -> dict[str, Any]:
        """All of it as JSON has it, where infinities are text."""
        found = [
            {name: _for_json(value) for name, value in asdict(meaning).items()}
            for meaning in self.meanings
        ]
        measures = [
            {"key": one.key, "name": one.name, "source": one.source, "aliases": list(one.aliases)}
            for one in self.measures
        ]
        return {"name": self.name, "meanings": found, "measures_of_many_classes": measures}

    def to_text(self, *, color: bool = False) -> str:
        """The finding in lines of at most 80 signs, titles in color or not."""
        return "\n".join(summary.to_text(color=color) for summary in self._summaries)

    def __repr__(self) -> str:
        return self.to_text().rstrip()

    def _repr_html_(self) -> str:
        return "<div>" + "\n".join(summary.to_html() for summary in self._summaries) + "</div>"


def find(name: str) -> Finding:
    """Find what a name means.

    Parameters
    ----------
    name
        A key, a name that a field or a package has for a measure, or a usual abbreviation; case,
        punctuation and accents do not count.

    Returns
    -------
    Each measure of the atlas that has the name: its formula, range, names and sources; what a good
    value is; which measures have the same values, are linear functions of it, or order classifiers
    alike at 1:1 and 1:100; and whether prevalence changes its value. Measures of any number of
    classes with this name follow. What is the same comes from a stored run of the atlas's study,
    which proves it; a measure that it has in no class is said to be undecided.

    Raises
    ------
    KeyError
        If nothing has this name; the message offers the nearest spelling.

    Examples
    --------
    >>> from skewproof import find
    >>> (tss,) = find("TSS").meanings
    >>> tss.key, tss.formula, tss.verdict
    ('youden_j', 'tp/P + tn/N - 1', 'same')
    >>> [meaning.key for meaning in find("Dice").meanings]
    ['f1', 'twice_jaccard']
    """
    if not isinstance(name, str):
        raise ValueError(f"name = {shown(name)}: expected text")
    word = name.strip()
    found = [
        _meaning(ATLAS[key], CATALOG[key], matched.name, matched.community)
        for key, matched in meanings(word).items()
    ]
    measures = [MEASURES[word]] if word in MEASURES else measures_named(word)
    if not found and not measures:
        raise KeyError(f"no metric {shown(name)}{nearest_name(word)}")
    return Finding(shortened(word), found, measures)


def _meaning(metric: Metric, entry: Entry, matched: str, community: str) -> Meaning:
    key = metric.key
    low, high = _ends(metric.bounds)
    low_of_counts, high_of_counts = _ends(entry.bounds_of_counts)
    stored = stored_classes().get(key, {})
    equal, affine = same(key, "equal"), same(key, "affine")
    return Meaning(
        key=key,
        matched=matched,
        community=community,
        formula=typed(metric(typed_matrix())),
        low=-math.inf if low is None else low,
        high=math.inf if high is None else high,
        low_of_counts=low_of_counts,
        high_of_counts=high_of_counts,
        direction=direction_in_words(metric),
        remark=entry.remark,
        verdict=stored.get("verdict", "not stored"),
        same_order_at_all_sizes=stored.get("order_invariant", "not stored"),
        equal=equal,
        linear=affine and [one for one in affine if one not in (equal or ())],
        same_order_1_1=same(key, "ordering_1_1"),
        same_order_1_100=same(key, "ordering_1_100"),
        names=[
            {"name": one.name, "community": one.community, "source": one.source}
            for one in entry.names
        ],
    )


def _ends(bounds: Bounds | None) -> tuple[float | None, float | None]:
    return (None, None) if bounds is None else bounds


def _range(low: float | None, high: float | None) -> str:
    return "" if low is None or high is None else f"{low:.6g} to {high:.6g}"


def _listed(keys: Sequence[str] | None) -> str:
    """Measures, as many as one reads."""
    if keys is None:
        return "undecided"
    more = f" and {len(keys) - MOST_LISTED} more" if len(keys) > MOST_LISTED else ""
    return (", ".join(keys[:MOST_LISTED]) or "no other") + more


def _of_measure(measure: Measure) -> Summary:
    facts = [("Name", measure.name), ("Source", measure.source)]
    if measure.aliases:
        facts.append(("Also called", "; ".join(measure.aliases)))
    return Summary(
        f"{measure.key}, of any number of classes",
        paragraphs=[f'get_measure("{measure.key}") has it.'],
        facts=facts,
    )


def _for_json(value: Any) -> Any:
    return str(value) if isinstance(value, float) and math.isinf(value) else value
