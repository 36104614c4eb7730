"""Numbers about the rows for remarks and questions, each computed when it is first asked for."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from skewproof.core.algebra import Array
from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.data.frames import count_copies, lazy_frame
from skewproof.core.extras import duckdb
from skewproof.curves.areas.area import area
from skewproof.curves.areas.area_interval import area_interval
from skewproof.curves.counts import score_counts
from skewproof.inspection.columns import Column, quoted
from skewproof.inspection.roles import Roles
from skewproof.intervals.estimates import Interval
from skewproof.intervals.grouped.correlations import design_effect
from skewproof.intervals.metric_interval import interval
from skewproof.prevalence.adjusting import adjust_probabilities

CUT_OFF = 0.5
"""Cut-off of probabilities if no column has predicted labels."""

WIDE = 0.15
"""Width of an interval that is worth a remark."""

LEAST_ROWS = 20
"""Fewest rows of which equal class sizes look chosen, and fewest scores that are not few."""

CELLS = {"tp": (True, True), "fn": (True, False), "fp": (False, True), "tn": (False, False)}
"""Truth and prediction of the rows of each cell."""


@dataclass
class Facts:
    """Rows with the roles of their columns; a property is None, False or 0 if it does not apply."""

    rows: duckdb.DuckDBPyRelation
    number: int
    columns: dict[str, Column]
    roles: Roles
    at: str | None

    def __post_init__(self) -> None:
        roles = self.roles
        self.true, self.predicted, self.score, self.groups, self.split, self.confidence = (
            self.columns.get(getattr(roles, role) or "")
            for role in ("true", "predicted", "score", "groups", "split", "confidence")
        )
        sizes: dict[str, int] = self.true.labels if self.true else {}
        self.labeled = sum(sizes.values())
        self.rarest = min(
            sizes, key=lambda label: (sizes[label], label != roles.pos_label), default=""
        )
        self.least = sizes.get(self.rarest, 0)
        self.label = roles.pos_label or self.rarest
        self.classes = len(sizes) > 1
        self.two_classes = self.classes and len(roles.classes) == 2
        self.one_class = len(sizes) == 1
        self.probabilities = self.score is not None and self.score.probabilities
        self.cut = self.two_classes and not self.predicted and self.probabilities
        self.counted = self.classes and bool(self.predicted or self.cut)
        self.said = self.predicted or self.score
        self.binary = len(roles.classes) <= 2
        self.unlabeled = (
            self.true is None and self.number >= 100 and bool(self.predicted or self.probabilities)
        )
        self.ranked = self.two_classes and self.score is not None and self.score.distinct > 1
        self.partly_labeled = 0 < self.labeled < self.number
        self.mostly_labeled = 2 * self.labeled > self.number
        chosen = self.two_classes and len({*sizes.values()}) == 1 and self.labeled >= LEAST_ROWS
        self.chosen = self.labeled // 2 if chosen else 0
        few = self.score is not None and self.score.distinct <= LEAST_ROWS
        self.few_scores = few and self.number > LEAST_ROWS
        self.one_prediction = self.predicted and len(self.predicted.labels) == 1

    def _is(self, column: Any) -> Any:
        values = map(duckdb.ConstantExpression, column.values.get(self.label, [None]))
        return duckdb.ColumnExpression(column.name).isin(*values)

    def _number(self) -> Any:
        return duckdb.ColumnExpression(str(self.roles.score)).cast("DOUBLE")

    def _called(self) -> Any:
        cut_off = duckdb.ConstantExpression(CUT_OFF)
        return self._is(self.predicted) if self.predicted else self._number() >= cut_off

    def _cells(self, key: Any) -> dict[str, Any]:
        cells = self.rows.select(
            duckdb.ColumnExpression(str(key)).alias("key"),
            self._is(self.true).alias("y"),
            self._called().alias("called"),
        ).filter("y IS NOT NULL AND called IS NOT NULL AND key IS NOT NULL")
        counts = (
            f"count(*) FILTER (y = {positive} AND called = {called}) AS {cell}"
            for cell, (positive, called) in CELLS.items()
        )
        return cells.aggregate(", ".join(counts), "key").fetchnumpy()

    def _scored(self, positive: Any) -> tuple[Array, Array]:
        """Return the rows that have both, with True for a positive, and their scores."""
        pairs = self.rows.select(positive.alias("positive"), self._number().alias("score"))
        known = pairs.filter("positive IS NOT NULL AND isfinite(score)").fetchnumpy()
        return np.asarray(known["positive"], bool), np.asarray(known["score"], float)

    @cached_property
    def scored(self) -> tuple[Array, Array]:
        """Positives and scores of the labeled rows."""
        return self._scored(self._is(self.true))

    @cached_property
    def matrix(self) -> ConfusionMatrix:
        """The matrix of the class of interest, or of the rarest class, against all others."""
        counts = self._cells(self.roles.true)
        tp, fn, fp, tn = (int(counts[cell].sum()) for cell in CELLS)
        return ConfusionMatrix(tp=tp, fn=fn, fp=fp, tn=tn)

    @cached_property
    def metric(self) -> str:
        """The metric whose interval is shown."""
        return "f1" if self.two_classes else f"recall of {self.label}"

    @cached_property
    def interval(self) -> Interval | None:
        """The interval of F1, or of the recall of the rarest of several classes."""
        if not self.counted or not (self.matrix.positives and self.matrix.negatives):
            return None
        return interval(self.metric.partition(" ")[0], self.matrix)

    @property
    def width(self) -> float:
        """Width of that interval, if it is wide."""
        width = self.interval.high - self.interval.low if self.interval else 0.0
        return width if width > WIDE else 0.0

    @cached_property
    def rates(self) -> tuple[float, float, float] | None:
        """True and false positive rate, and prevalence, if none is 0 and the interval is wide."""
        m = self.matrix if self.two_classes and self.width else None
        if m is None or not m.tp * m.fp:
            return None
        return m.tp / m.positives, m.fp / m.negatives, m.positives / (m.positives + m.negatives)

    @cached_property
    def effect(self) -> dict[str, Any] | None:
        """The larger design effect of the two rates, with its rows."""
        if not (self.groups and self.counted):
            return None
        matrix = ConfusionMatrix.from_groups(**self._cells(self.groups.name))
        effects = design_effect(matrix).iloc[:2].dropna(subset="value")
        row = effects.sort_values("value").tail(1).to_dict("records")
        return row[0] | {"worth": row[0]["rows"] / row[0]["value"]} if row else None

    @cached_property
    def copies(self) -> int:
        """Number of rows that are copies of others in all columns."""
        used = [name for name, (role, _) in self.roles.how.items() if role != "row id"]
        return count_copies(lazy_frame(self.rows), used)[0]

    @cached_property
    def labeled_shares(self) -> tuple[float, float] | None:
        """Shares that have a label of the rows called positive, and of the others."""
        called = self.predicted.labels.get(self.label, 0) if self.predicted else 0
        others = self.predicted.known - called if self.predicted else 0
        if not (self.counted and self.partly_labeled and called and others):
            return None
        matrix = self.matrix
        return (matrix.tp + matrix.fp) / called, (matrix.fn + matrix.tn) / others

    @property
    def flattered(self) -> bool:
        """True if rows called positive are labeled at least twice as often as others."""
        return self.labeled_shares is not None and (
            self.labeled_shares[0] > 2 * self.labeled_shares[1]
        )

    @cached_property
    def auc(self) -> float:
        """Area under the ROC curve, or 0 without."""
        return area("auc", *self.scored, pos_label=True) if self.ranked else 0.0

    @property
    def above_chance(self) -> bool:
        """True if scores rank better than chance."""
        return self.auc > 0.5

    @cached_property
    def backwards(self) -> bool:
        """True if all of the interval of the AUC is below a half."""
        low = self.ranked and self.auc < 0.5
        return low and area_interval("auc", *self.scored, pos_label=True).high < 0.5

    @property
    def perfect(self) -> bool:
        """True if the scores separate the classes."""
        return self.auc == 1

    @property
    def equal(self) -> bool:
        """True if all predictions are right."""
        right = self.predicted and self.two_classes and not (self.matrix.fp or self.matrix.fn)
        return bool(right) and self.matrix.positives > 0

    @cached_property
    def means(self) -> tuple[float, float, float] | None:
        """Share of positives, mean probability, and this mean adjusted from 1:1 to the share, if
        the mean is far from the share and beyond chance.
        """
        if not (self.ranked and self.probabilities):
            return None
        positive, score = self.scored
        share, mean = float(positive.mean()), float(score.mean())
        chance = 4 * float(np.sqrt((score * (1 - score)).mean() / score.size))
        if abs(mean - share) < max(chance, min(share, 1 - share) / 4):
            return None
        adjusted = adjust_probabilities(score, trained="1:1", at=share)
        return share, mean, float(adjusted.mean())

    @property
    def balanced(self) -> bool:
        """True if the adjusted mean is less than half as far from the share."""
        share, mean, adjusted = self.means or (0, 0, 0)
        return abs(adjusted - share) < abs(mean - share) / 2

    @cached_property
    def unexplained(self) -> int:
        """Fewest rows whose prediction differs from a cut-off of the score."""
        said = self.predicted is not None and len(self.predicted.labels) == 2
        if not (said and self.score and self.roles.pos_label):
            return 0
        called, scores = self._scored(self._called())
        if not 0 < called.sum() < called.size:
            return 0
        counts, _ = score_counts(called, scores, pos_label=True)
        return called.size - int(np.max(counts.tp + counts.negatives - counts.fp))

    @cached_property
    def equal_models(self) -> str:
        """Two neighboring models that say the same in all rows."""
        for first, second in itertools.pairwise(self.roles.models):
            differ = f"{quoted(first)} IS DISTINCT FROM {quoted(second)}"
            if not self.rows.filter(differ).limit(1).fetchall():
                return f"{first} and {second}"
        return ""

    @property
    def compared(self) -> bool:
        """True if models can be compared."""
        can = self.classes and len(self.roles.models) > 1 and (self.ranked or not self.score)
        return can and not self.equal_models
