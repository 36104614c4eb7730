"""Periods of a slice in the order of time, whose rates are scanned for changes."""

from __future__ import annotations

import itertools
import os
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.special import ndtri

from skewproof.core.algebra import Array
from skewproof.core.confusion import CELLS
from skewproof.core.label_texts import as_text
from skewproof.metrics import METRICS
from skewproof.multiclass.matrix import MulticlassConfusionMatrix
from skewproof.slices.changes import explain_change
from skewproof.slices.many_classes.class_predictive import ClassPeriods, ClassReference
from skewproof.slices.many_classes.class_table import ClassSlices
from skewproof.slices.over_time.change_points import (
    ChangePoint,
    Course,
    Scan,
    alarmed,
    scan,
)
from skewproof.slices.predictive import (
    Distribution,
    Drawn,
    Period,
    Predictive,
    PredictiveRate,
    Rate,
)
from skewproof.slices.slice_table import Slices

RATES = {
    "true_positive_rate": ("tpr", "positives", "tp"),
    "false_positive_rate": ("fpr", "negatives", "fp"),
}
"""Rates of two classes: the short name, the name of the class, and the cell of the hits."""

PATHS = 1000
"""Number of courses from which power is computed."""

PREDICTIVE_DRAWS = 20_000
"""Number of draws of a measure of many classes in a period."""

SEED = 1
"""Seed of the draws."""


@dataclass(frozen=True)
class Watched(ABC):
    """Periods of a slice in the order of time, and those of its reference before them.

    Attributes
    ----------
    keys
        The keys of the slice beside the time; empty if there is only one slice.
    time
        The column with the period.
    reference, periods
        Counts of slices of the same classes; the reference may be None.
    planned
        Number of periods up to which there are further looks, or None.
    level
        Probability of an alarm of one rate by chance alone.
    """

    keys: dict[str, Any]
    time: str
    reference: Any
    periods: Any
    planned: int | None = None
    level: float = 1.0

    together: str = ""
    """All rates together, as a sentence names them."""

    @property
    @abstractmethod
    def rates(self) -> list[str]:
        """Rates that are scanned."""

    @abstractmethod
    def counts(self, rate: str) -> tuple[Array, Array, Array]:
        """Return hits, sizes and effective sizes, of the reference and the periods."""

    @abstractmethod
    def short(self, rate: str) -> str:
        """Name a rate in a table."""

    def said(self, rate: str) -> str:
        """Name a rate in a sentence."""
        return self.short(rate)

    @abstractmethod
    def lacking(self, rate: str) -> str:
        """Name the instances that a period lacks if a rate is unknown in it."""

    @abstractmethod
    def part(self, rate: str) -> str:
        """Name the column of explain_change with the part that is due to a rate."""

    @abstractmethod
    def added(self, rate: str, tpr: float, fpr: float) -> float:
        """Return the one of the two changes that applies to a rate."""

    @abstractmethod
    def table(self, metrics: Sequence[Any], alpha: float) -> pd.DataFrame:
        """Build the table of all periods and all series."""

    @abstractmethod
    def pooled(self, rows: slice) -> pd.DataFrame:
        """Return the counts of some periods together, as of one slice."""

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

    def before(self, rate: str) -> slice:
        """Return the part of the course of a rate before any change."""
        changes = self.scans[rate].changes if rate in self.scans else ()
        return slice(changes[0].since if changes else None)

    def baseline(self, rate: str) -> Rate:
        """Return a rate before any change."""
        course, before = self.course(rate).widened(self.dispersion(rate)), self.before(rate)
        hits = float(course.hits[before].sum())
        return Rate(hits, float(course.sizes[before].sum()) - hits)

    def alarmed(self, rate: str, change: Array, random: np.random.Generator) -> NDArray[np.bool_]:
        """Return which of many courses give an alarm if a rate changes in each period."""
        if rate not in self.scans:
            return np.zeros(PATHS, dtype=bool)
        course = self.course(rate).widened(self.dispersion(rate))
        sizes = np.maximum(course.sizes.round(), 1)
        added = np.concatenate([np.zeros(self.references), change])[self.kept(rate)]
        rates = np.clip(self.baseline(rate).draw(PATHS, random)[:, None] + added, 0, 1)
        hits = random.binomial(sizes.astype(int), rates).astype(float)
        return alarmed(hits, sizes, course.reference, self.level, self.planned)

    def when(self, rate: str, number: int) -> Any:
        """Return the time of a period, given its number in the course of a rate."""
        return self.periods.keys[self.time].iloc[self.kept(rate)[number] - self.references]

    def effects(self, rate: str, change: ChangePoint, metrics: Sequence[Any]) -> pd.DataFrame:
        """Compute the effects of a change on metrics, between the changes before and after it."""
        kept = self.kept(rate)
        ends = [
            0 if change.start == 0 else int(kept[change.start]),
            int(kept[change.since]),
            int(kept[change.stop]) if change.stop < len(kept) else len(self.counts(rate)[0]),
        ]
        sides = [self.pooled(slice(*span)) for span in itertools.pairwise(ends)]
        counts = pd.concat(
            [side.assign(when=when) for side, when in zip(sides, ("before", "after"), strict=True)],
            ignore_index=True,
        )
        explained = explain_change(
            counts, metrics=metrics, reference={"when": "before"}, class_sizes="fixed"
        )
        parts = {
            "difference": "difference",
            "part": self.part(rate),
            "prevalence_part": "prevalence_part",
        }
        return pd.DataFrame(
            {
                "metric": explained["metric"],
                "before": explained["reference_value"],
                "after": explained["value"],
            }
            | {
                f"{name}{end}": explained[f"{column}{end}"]
                for name, column in parts.items()
                for end in ("", "_low", "_high")
            }
        )

    def limit(self, alpha: float) -> float:
        """Return the score that all periods of a series stay below with probability 1 - alpha."""
        return float(-ndtri(level_of_each(alpha, len(self.periods.keys)) / 2))

    def series(
        self,
        name: str,
        values: Mapping[str, Array],
        predictives: Sequence[Distribution],
        limit: float,
    ) -> pd.DataFrame:
        """Build the table of one series, from its values and those that are scored."""
        scored = zip(predictives, values["scored"], strict=True)
        scores = np.array([predictive.scores(value) for predictive, value in scored])
        ends = np.array(
            [
                [predictive.value_at(score) for score in (0.0, -limit, limit)]
                for predictive in predictives
            ]
        )
        return self.periods.keys.assign(
            series=name,
            value=values["value"],
            expected=ends[:, 0],
            low=ends[:, 1],
            high=ends[:, 2],
            outside=abs(scores) > limit,
        )


@dataclass(frozen=True)
class WatchedRates(Watched):
    """Periods of two classes, whose true and false positive rates are scanned."""

    reference: Slices | None
    periods: Slices
    together: str = "TPR or FPR"

    @property
    def rates(self) -> list[str]:  # noqa: D102
        return list(RATES)

    def counts(self, rate: str) -> tuple[Array, Array, Array]:  # noqa: D102
        _, name, cell = RATES[rate]
        return self.of_all(cell), self.of_all(name), self.of_all(f"{name}_effective")

    def short(self, rate: str) -> str:  # noqa: D102
        return RATES[rate][0].upper()

    def lacking(self, rate: str) -> str:  # noqa: D102
        return RATES[rate][1]

    def part(self, rate: str) -> str:  # noqa: D102
        return f"{RATES[rate][0]}_part"

    def added(self, rate: str, tpr: float, fpr: float) -> float:  # noqa: D102
        return {"tpr": tpr, "fpr": fpr}[RATES[rate][0]]

    def table(self, metrics: Sequence[Any], alpha: float) -> pd.DataFrame:  # noqa: D102
        slices = self.periods
        rates = [self.baseline(rate) for rate in RATES]
        sizes = (
            (getattr(slices, f"{name}_effective") / self.dispersion(rate)).round().astype(int)
            for rate, (_, name, _) in RATES.items()
        )
        periods = [
            Period(*of_period)
            for of_period in zip(
                slices.positives.tolist(), slices.negatives.tolist(), *sizes, strict=True
            )
        ]
        matrix = slices.known
        observed = list(zip(matrix.tpr, matrix.fpr, strict=True))
        tables = []
        for metric in dict.fromkeys([*(METRICS[key] for key in RATES), *metrics]):
            # Computed from rates, like predictive values, so that rounding does not break ties.
            scored = [
                metric(period.matrix(*both)) for period, both in zip(periods, observed, strict=True)
            ]
            values = {"value": metric(matrix), "scored": np.array(scored)}
            predictives = [Predictive(metric, period, *rates) for period in periods]
            tables.append(self.series(metric.key, values, predictives, self.limit(alpha)))
        table = pd.concat(tables)
        repeated = {
            name: np.tile(getattr(slices, name), len(tables)) for _, name, _ in RATES.values()
        }
        return table.assign(**repeated)

    def pooled(self, rows: slice) -> pd.DataFrame:  # noqa: D102
        counts = {cell: float(self.of_all(cell)[rows].sum()) for cell in CELLS}
        for rate, (_, name, _) in RATES.items():
            _, sizes, worth = (some[rows] for some in self.counts(rate))
            squares = float((sizes[sizes > 0] ** 2 / worth[sizes > 0]).sum())
            kish = float(sizes.sum()) ** 2 / squares if squares > 0 else 0.0
            counts[f"{name}_effective"] = kish / self.dispersion(rate)
        return pd.DataFrame([counts])


@dataclass(frozen=True)
class WatchedRecalls(Watched):
    """Periods of more than two classes, whose recalls are scanned."""

    reference: ClassSlices | None
    periods: ClassSlices
    together: str = "any recall"

    @property
    def rates(self) -> list[str]:  # noqa: D102
        return [f"recall of {as_text(label)}" for label in self.periods.labels]

    def counts(self, rate: str) -> tuple[Array, Array, Array]:  # noqa: D102
        label = self.rates.index(rate)
        sizes = self.of_all("class_sizes")[:, label]
        worth = self.of_all("worth")[:, label].sum(axis=-1)
        return self.of_all("counts")[:, label, label], sizes, worth

    def short(self, rate: str) -> str:  # noqa: D102
        return rate

    def said(self, rate: str) -> str:  # noqa: D102
        return f"the {rate}"

    def lacking(self, rate: str) -> str:  # noqa: D102
        return f"instances of {rate.removeprefix('recall of ')}"

    def part(self, rate: str) -> str:  # noqa: D102
        return "classifier_part"

    def added(self, rate: str, tpr: float, fpr: float) -> float:  # noqa: D102
        return tpr

    def table(self, metrics: Sequence[Any], alpha: float) -> pd.DataFrame:  # noqa: D102
        slices = self.periods
        widths = np.array([self.dispersion(rate) for rate in self.rates])
        sizes = (slices.worth.sum(axis=-1) / widths).round().astype(np.int64)
        periods = ClassPeriods(slices.class_sizes, sizes)
        observed = MulticlassConfusionMatrix(slices.counts)
        drawn = periods.values(metrics, self._base(), PREDICTIVE_DRAWS, SEED)
        tables = []
        for rate, recalls, of_rate in zip(self.rates, observed.recalls.T, sizes.T, strict=True):
            baseline = self.baseline(rate)
            predicted = [PredictiveRate(baseline, int(size)) for size in of_rate]
            values = {"value": recalls, "scored": recalls}
            tables.append(self.series(rate, values, predicted, self.limit(alpha)))
        for metric, of_periods in zip(metrics, drawn, strict=True):
            of_observed = metric(observed)
            values = {"value": of_observed, "scored": of_observed}
            predictives = [Drawn(of_period) for of_period in of_periods]
            tables.append(self.series(metric.key, values, predictives, self.limit(alpha)))
        return pd.concat([table.assign(instances=slices.total) for table in tables])

    def _base(self) -> ClassReference:
        """Return the counts of each class before any change of its recall."""
        counts = np.zeros(self.periods.counts.shape[1:])
        for label, rate in enumerate(self.rates):
            rows = self.kept(rate)[self.before(rate)]
            counts[label] = self.of_all("worth")[rows, label].sum(axis=0) / self.dispersion(rate)
        return ClassReference(counts)

    def pooled(self, rows: slice) -> pd.DataFrame:  # noqa: D102
        counts = self.of_all("counts")[rows].sum(axis=0)
        squares = self.of_all("squares")[rows].sum(axis=0)
        widths = np.array([self.dispersion(rate) for rate in self.rates])
        sizes = counts.sum(axis=-1)
        worth = np.divide(sizes, squares, out=np.zeros_like(squares), where=squares > 0) / widths
        labels = self.periods.labels
        return pd.DataFrame(
            {
                "true": [label for label in labels for _ in labels],
                "predicted": [label for _ in labels for label in labels],
                "count": counts.ravel(),
                "effective": (counts * worth[:, np.newaxis]).ravel(),
            }
        ).query("count > 0")


def level_of_each(alpha: float, number: int) -> float:
    """Return the level of each of several independent tests that have the level alpha together.

    Examples
    --------
    >>> round(level_of_each(0.05, 2), 4)
    0.0253
    """
    return float(-np.expm1(np.log1p(-alpha) / number))
