"""Meanings of a name: the measures that have it, their properties, and equivalent measures."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from skewproof.core.messages import shortened, shown
from skewproof.core.metric import Metric
from skewproof.metrics.atlas import ATLAS, CATALOG
from skewproof.metrics.atlas.classes import same, stored_classes
from skewproof.metrics.atlas.entry import Entry, direction_in_words
from skewproof.metrics.lookup import meanings, nearest_name
from skewproof.multiclass.declaration import Measure
from skewproof.multiclass.lookup import MEASURES, measures_named
from skewproof.reporting.shown_formula import typed, typed_matrix
from skewproof.reporting.summary import WIDTH, Summarized, Summary, json_number
from skewproof.sensitivity.behavior_types import DIFFERS, SAME

if TYPE_CHECKING:
    import pandas as pd

MOST_LISTED = 15
"""Most equivalent measures in a summary; the dictionary has all."""

CHANGES = {
    DIFFERS: "Prevalence changes its value even if the rates stay the same.",
    SAME: "Prevalence does not change its value if the rates stay the same.",
}
"""Sentence for each stored verdict."""

UNKNOWN = "It is not known whether prevalence changes its value if the rates stay the same."

ORDERS = {
    "yes": "the same at all class sizes",
    "no": "not the same at all class sizes",
}
"""Phrase on the order of classifiers, for each stored word."""


@dataclass(frozen=True, repr=False)
class Meaning(Summarized):
    """A measure of two classes, with its properties and the measures of the atlas like it."""

    key: str
    matched: str
    """The name or key that was found."""
    community: str
    """Field that uses this name for it."""
    formula: str
    low: float
    high: float
    low_of_counts: float | None
    """Smallest value over whole counts if it is above the smallest over real cells, else None."""
    high_of_counts: float | None
    direction: str
    """Direction of good values, in words."""
    remark: str
    """Disagreement of the sources on the formula; empty if they agree."""
    verdict: str
    """Effect of prevalence on the value while the rates stay the same: "differs", "same",
    "undecided" or "not stored"."""
    same_order_at_all_sizes: str
    """Stability of the order of classifiers over all class sizes: "yes", "no", "undecided" or "not
    stored"."""
    equal: list[str] | None
    """Other measures with the same values; None if unknown."""
    linear: list[str] | None
    """Other measures, not equal to it, of which it is a linear function; None if unknown."""
    same_order_1_1: list[str] | None
    """Other measures that rank classifiers alike, better first, where classes have equal size."""
    same_order_1_100: list[str] | None
    """Other measures that do so with 100 negatives to a positive."""
    names: list[dict[str, str]]
    """A dictionary for each name: name, community, source."""

    def summary(self) -> Summary:
        """Return the summary of the measure."""
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
class Finding(Summarized):
    """Meanings of a name, shown on a terminal and in a notebook.

    Examples
    --------
    >>> from skewproof import find
    >>> [meaning.key for meaning in find("TSS").meanings]
    ['youden_j']
    """

    name: str
    """The name that was looked up."""
    meanings: list[Meaning]
    """Measures of two classes that have the name, in the order of the catalog."""
    measures: list[Measure]
    """Measures of any number of classes that have the name."""

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
        """Return the finding as a dictionary for JSON, with infinities as text."""
        meanings = [
            {name: json_number(value) for name, value in asdict(meaning).items()}
            for meaning in self.meanings
        ]
        measures = [
            {name: getattr(measure, name) for name in ("key", "name", "source")}
            | {"aliases": list(measure.aliases)}
            for measure in self.measures
        ]
        return {"name": self.name, "meanings": meanings, "measures_of_many_classes": measures}

    def to_frame(self) -> pd.DataFrame:
        """Return a row for each meaning."""
        import pandas as pd  # the command does without it

        return pd.DataFrame(map(asdict, self.meanings))

    def to_text(self, *, color: bool = False, width: int = WIDTH) -> str:
        """Return the finding in lines of at most `width` characters, optionally in color."""
        return "\n".join(part.to_text(color=color, width=width) for part in self._summaries)

    def _repr_html_(self) -> str:
        return "<div>" + "\n".join(summary.to_html() for summary in self._summaries) + "</div>"


def find(name: str) -> Finding:
    """Find the measures that a name stands for.

    Parameters
    ----------
    name
        A key, a name that a field or a package uses for a measure, or a usual abbreviation. Case,
        punctuation and accents are ignored.

    Returns
    -------
    Each measure of the atlas that has the name: its formula, range, names and sources; the
    direction of good values; which measures have the same values, are linear functions of it, or
    order classifiers alike at 1:1 and 1:100; and whether prevalence changes its value. Measures of
    any number of classes with this name follow. Equivalences come from a stored run of the atlas's
    study, which proves them. They are "undecided" for a measure that the study has in no class.

    Raises
    ------
    KeyError
        If nothing has this name; the message suggests the nearest spelling.

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
    known = [
        _meaning(ATLAS[key], CATALOG[key], matched.name, matched.community)
        for key, matched in meanings(word).items()
    ]
    measures = [MEASURES[word]] if word in MEASURES else measures_named(word)
    if not known and not measures:
        raise KeyError(f"no metric {shown(name)}{nearest_name(word)}")
    return Finding(shortened(word), known, measures)


def _meaning(metric: Metric, entry: Entry, matched: str, community: str) -> Meaning:
    key = metric.key
    low, high = metric.bounds or (-math.inf, math.inf)
    low_of_counts, high_of_counts = entry.bounds_of_counts or (None, None)
    stored = stored_classes().get(key, {})
    equal, affine = same(key, "equal"), same(key, "affine")
    return Meaning(
        key=key,
        matched=matched,
        community=community,
        formula=typed(metric(typed_matrix())),
        low=low,
        high=high,
        low_of_counts=low_of_counts,
        high_of_counts=high_of_counts,
        direction=direction_in_words(metric),
        remark=entry.remark,
        verdict=stored.get("verdict", "not stored"),
        same_order_at_all_sizes=stored.get("order_invariant", "not stored"),
        equal=equal,
        linear=affine and [other for other in affine if other not in (equal or ())],
        same_order_1_1=same(key, "ordering_1_1"),
        same_order_1_100=same(key, "ordering_1_100"),
        names=[
            {"name": name.name, "community": name.community, "source": name.source}
            for name in entry.names
        ],
    )


def _range(low: float | None, high: float | None) -> str:
    return "" if low is None or high is None else f"{low:.6g} to {high:.6g}"


def _listed(keys: Sequence[str] | None) -> str:
    """List measures in words, at most `MOST_LISTED` of them."""
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
        paragraphs=[f'MEASURES["{measure.key}"] returns it.'],
        facts=facts,
    )
