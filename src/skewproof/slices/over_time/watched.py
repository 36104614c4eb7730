"""Periods of a slice in the order of time, whose rates are scanned for changes."""

from __future__ import annotations

import itertools
import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.special import ndtri

from skewproof.core.algebra import Array
from skewproof.core.data.label_texts import as_text
from skewproof.intervals.deviations import PRIOR
from skewproof.intervals.estimates import Grouping
from skewproof.multiclass.declaration import Formula, Measure
from skewproof.multiclass.matrix import MulticlassConfusionMatrix
from skewproof.slices.changes import ENDS, Question, explain_slices
from skewproof.slices.group_counts import GroupCounts
from skewproof.slices.over_time.change_points import ChangePoint, Course, Scan, alarmed, scan
from skewproof.slices.predictive import DRAWS, Periods, limits
from skewproof.slices.slice_table import Slices

EFFECT_COLUMNS = (
    *("metric", "before", "after"),
    *(f"{part}{end}" for part in ("difference", "part", "prevalence_part") for end in ENDS),
)

PATHS = 1000
"""Number of courses from which power is computed."""

SEED = 1
"""Seed of the draws."""


@dataclass(frozen=True)
class Watched:
    """Periods of a slice in the order of time, and those of its reference before them.

    The rates that are scanned are the recalls of all classes.

    Attributes
    ----------
    keys
        The keys of the slice beside the time; empty if there is only one slice.
    time
        The column with the period.
    reference, periods
        Counts of the same classes; the reference may be None.
    planned
        Number of periods up to which there are further looks, or None.
    level
        Probability of an alarm of one rate by chance alone.
    """

    keys: dict[str, Any]
    time: str
    reference: Slices | None
    periods: Slices
    planned: int | None = None
    level: float = 1.0

    @property
    def rates(self) -> list[str]:
        """Names of the rates, in the order of the classes."""
        return [f"recall of {as_text(label)}" for label in self.periods.labels]

    def label(self, rate: str) -> Any:
        """Return the class whose recall a rate is."""
        return self.periods.labels[self.rates.index(rate)]

    def counts(self, rate: str) -> tuple[Array, Array, Array]:
        """Return hits, sizes and effective sizes, of the reference and the periods."""
        position = self.rates.index(rate)
        sizes = self.of_all("class_sizes")[:, position]
        worth = self.of_all("worth")[:, position].sum(axis=-1)
        return self.of_all("counts")[:, position, position], sizes, worth

    @cached_property
    def scans(self) -> dict[str, Scan]:
        """Scans of rates that have more periods than their reference."""
        rates = [rate for rate in self.rates if self.can_change(rate)]

        def found(rate: str) -> Scan:
            return scan(self.course(rate), self.level, self.planned)

        with ThreadPoolExecutor(os.cpu_count()) as threads:
            return dict(zip(rates, threads.map(found, rates), strict=True))

    @property
    def references(self) -> int:
        """Number of periods before the first watched one."""
        return 0 if self.reference is None else len(self.reference.keys)

    def of_all(self, name: str) -> Array:
        """Return a column of the reference and the periods."""
        periods = np.asarray(getattr(self.periods, name))
        if self.reference is None:
            return periods
        return np.concatenate([getattr(self.reference, name), periods])

    @property
    def groups(self) -> GroupCounts | None:
        """Counts by group of the reference and the periods; None if instances are independent."""
        if self.reference is None or self.reference.groups is None or self.periods.groups is None:
            return self.periods.groups
        return self.reference.groups.beside(self.periods.groups)

    def grouping(self, rate: str) -> Grouping | None:
        """Describe the groups of a rate's class, and what its instances are worth for the rate."""
        if self.groups is None:
            return None
        position, (_, sizes, worth) = self.rates.index(rate), self.counts(rate)
        of_class = self.groups.pooled(slice(None)).counts[:, position].sum(axis=-1)
        total = float(sizes.sum())
        return Grouping(int(np.count_nonzero(of_class)), total, total / float(worth.sum()))

    def kept(self, rate: str) -> NDArray[np.intp]:
        """Return the places of periods in which a rate is known; the reference's come first."""
        return np.flatnonzero(self.counts(rate)[1] > 0)

    def course(self, rate: str) -> Course:
        """Return the effective counts of a rate where it is known."""
        kept = self.kept(rate)
        hits, sizes, worth = (some[kept] for some in self.counts(rate))
        return Course(hits * worth / sizes, worth, max(int((kept < self.references).sum()), 1))

    def can_change(self, rate: str) -> bool:
        """Return whether a rate is known in more periods than its reference has."""
        course = self.course(rate)
        return len(course.sizes) > course.reference

    def dispersion(self, rate: str) -> float:
        """Return the variance of a rate between periods relative to that by chance alone."""
        return self.scans[rate].dispersion if rate in self.scans else 1.0

    @property
    def _dispersions(self) -> Array:
        return np.array([self.dispersion(rate) for rate in self.rates])

    def before(self, rate: str) -> slice:
        """Return the part of the course of a rate before any change."""
        changes = self.scans[rate].changes if rate in self.scans else ()
        return slice(changes[0].since if changes else None)

    def baseline(self, rate: str) -> tuple[float, float]:
        """Return effective numbers of hits and misses before any change of a rate."""
        course, before = self.course(rate).widened(self.dispersion(rate)), self.before(rate)
        hits = float(course.hits[before].sum())
        return hits, float(course.sizes[before].sum()) - hits

    def alarmed(self, rate: str, change: Array, random: np.random.Generator) -> NDArray[np.bool_]:
        """Return which of many courses give an alarm if a rate changes in each period."""
        if rate not in self.scans:
            return np.zeros(PATHS, dtype=bool)
        course = self.course(rate).widened(self.dispersion(rate))
        sizes = np.maximum(course.sizes.round(), 1)
        added = np.concatenate([np.zeros(self.references), change])[self.kept(rate)]
        hits, misses = self.baseline(rate)
        before = random.beta(hits + PRIOR, misses + PRIOR, (PATHS, 1))
        rates = np.clip(before + added, 0, 1)
        drawn = random.binomial(sizes.astype(int), rates).astype(float)
        return alarmed(drawn, sizes, course.reference, self.level, self.planned)

    def when(self, rate: str, number: int) -> Any:
        """Return the time of a period, given its number in the course of a rate."""
        return self.periods.keys[self.time].iloc[self.kept(rate)[number] - self.references]

    def effects(self, rate: str, change: ChangePoint, metrics: Sequence[Measure]) -> pd.DataFrame:
        """Compute the effects of a change on metrics, between the changes before and after it."""
        kept = self.kept(rate)
        ends = [
            0 if change.start == 0 else int(kept[change.start]),
            int(kept[change.since]),
            int(kept[change.stop]) if change.stop < len(kept) else len(self.counts(rate)[0]),
        ]
        spans = [slice(*span) for span in itertools.pairwise(ends)]
        counts, squares = zip(*map(self.pooled, spans), strict=True)
        groups = self.groups
        sides = Slices(
            pd.DataFrame({"when": ["before", "after"]}),
            self.periods.labels,
            np.array(counts),
            np.array(squares),
            np.zeros(2),
            None if groups is None else groups.pooled(spans[0]).beside(groups.pooled(spans[1])),
        )
        label = self.label(rate)
        explained = explain_slices(
            sides, metrics, {"when": "before"}, Question(class_sizes="fixed"), classes=[label]
        )
        names = {"reference_value": "before", "value": "after"}
        names |= {f"part_of_{as_text(label)}{end}": f"part{end}" for end in ENDS}
        return explained.rename(columns=names)[list(EFFECT_COLUMNS)]

    def table(self, metrics: Sequence[Measure], alpha: float) -> pd.DataFrame:
        """Build the table of all periods and all series, which are the rates and the metrics."""
        slices = self.periods
        # All periods of a series stay below this score with probability 1 - alpha.
        limit = -ndtri(level_of_each(alpha, len(slices.keys)) / 2)
        sizes = (slices.worth.sum(axis=-1) / self._dispersions).round().astype(np.int64)
        series: dict[str, Formula] = {
            rate: partial(_recall, position) for position, rate in enumerate(self.rates)
        }
        series |= {metric.key: metric for metric in metrics}
        drawn = Periods(slices.class_sizes, sizes).values(
            list(series.values()), self._base(), DRAWS, SEED
        )
        tables = []
        for (name, formula), of_series in zip(series.items(), drawn, strict=True):
            values = formula(slices.matrix)
            columns = {"series": name, "value": values} | limits(of_series, values, limit)
            tables.append(slices.keys.assign(**columns, instances=slices.total))
        return pd.concat(tables)

    def _base(self) -> Array:
        """Return the counts of each class before any change of its recall."""
        counts = np.zeros(self.periods.counts.shape[1:])
        for position, rate in enumerate(self.rates):
            rows = self.kept(rate)[self.before(rate)]
            of_class = self.of_all("worth")[rows, position].sum(axis=0)
            counts[position] = of_class / self.dispersion(rate)
        return counts

    def pooled(self, rows: slice) -> tuple[Array, Array]:
        """Return the counts of some periods together, and sums of squared weights by class.

        The squares are larger if rates vary between periods by more than chance alone.
        """
        counts, squares = (self.of_all(name)[rows].sum(axis=0) for name in ("counts", "squares"))
        return counts, squares * self._dispersions


def _recall(position: int, matrix: MulticlassConfusionMatrix) -> Any:
    return matrix.recalls[..., position]


def level_of_each(alpha: float, number: int) -> float:
    """Return the level of each of several independent tests that have the level alpha together.

    Examples
    --------
    >>> round(level_of_each(0.05, 2), 4)
    0.0253
    """
    return float(-np.expm1(np.log1p(-alpha) / number))
