"""Scores for more than two classes: every measure, and each class against the rest."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import pandas as pd

from skewproof.core.algebra import Value
from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.metric import Metric, ScorePolicy, settled
from skewproof.intervals.class_rows import check_measure_total, measure_at, unobserved_classes
from skewproof.intervals.metric_interval import measure_interval
from skewproof.intervals.unlabeled_rows import observed_rows
from skewproof.metrics.lookup import as_metric
from skewproof.multiclass.conditions import SizesMatter, class_sizes_matter
from skewproof.multiclass.declaration import Measure
from skewproof.multiclass.lookup import MEASURES, measures_named
from skewproof.multiclass.matrix import MulticlassConfusionMatrix
from skewproof.prevalence.prevalence import Prevalence

PER_CLASS = ("precision", "true_positive_rate", "f1")
"""Metrics of two classes that score each class against the rest by default."""


@dataclass(frozen=True)
class _Row:
    """A measure of all classes, or a metric of one of them."""

    measure: Measure
    given: Measure | Metric
    label: Any = None

    @property
    def metric(self) -> str:
        """Key of the measure or metric."""
        return self.given.key

    @property
    def named(self) -> str:
        """Name of the row in a warning."""
        return self.metric if self.label is None else f"{self.metric} of {self.label}"


def class_scores(
    matrix: MulticlassConfusionMatrix,
    *,
    metrics: Any,
    at: Prevalence,
    total: float | None,
    confidence: float | None,
    undefined: ScorePolicy,
) -> pd.DataFrame:
    """Build the frame of :func:`skewproof.score` for more than two classes.

    Parameters
    ----------
    matrix
        A single matrix.
    metrics
        One or several: measures, which score all classes together, and metrics of two classes,
        which score each class against the rest. By default every measure and `PER_CLASS`.
    at, total
        Prevalence and number of instances for which values and intervals hold.
    confidence
        Level of the intervals; None for no intervals.
    undefined
        Policy for undefined values.

    Raises
    ------
    KeyError, ValueError
        As :func:`skewproof.score`.
    """
    chosen = (*MEASURES, *PER_CLASS) if metrics is None else metrics
    several = [chosen] if isinstance(chosen, str | Metric | Measure) else chosen
    rows = list(_rows(several, matrix.labels))
    for row in rows:
        check_measure_total(row.measure, matrix, at, total)
    values = [measure_at(row.measure, matrix, at, total) for row in rows]
    settled_values = settled(
        {row.named: value for row, value in zip(rows, values, strict=True)}, undefined
    )
    ends, unobserved = [(np.nan, np.nan)] * len(rows), unobserved_classes(matrix)
    if confidence is not None:
        observed = observed_rows(matrix, at, total)
        intervals = [
            measure_interval(row.measure, value, observed, at, confidence, unobserved)
            for row, value in zip(rows, values, strict=True)
        ]
        ends = [(interval.low, interval.high) for interval in intervals]
    frame = pd.DataFrame(
        {
            "metric": [row.metric for row in rows],
            "name": [row.measure.name for row in rows],
            "class": pd.Series([row.label for row in rows], dtype=object),
            "value": list(settled_values.values()),
            "low": [low for low, _ in ends],
            "high": [high for _, high in ends],
            "value_in_test_set": [float(row.measure(matrix)) for row in rows],
        }
    )
    if confidence is not None:
        frame["confidence"] = confidence
    frame["at"] = str(at)
    known = [_sizes_matter(row.given, matrix.classes) for row in rows]
    frame["changes_with_prevalence"] = [condition.matter for condition in known]
    frame["prevalence_known_by"] = [condition.known_by for condition in known]
    frame["remark"] = [unobserved if np.isnan(value) else "" for value in values]
    return frame


@lru_cache(maxsize=256)
def _sizes_matter(given: Measure | Metric, classes: int) -> SizesMatter:
    """Return whether class sizes matter to a measure, or to a metric against the rest."""
    measure = given if isinstance(given, Measure) else _of_class(given, 0)
    return class_sizes_matter(measure, classes)


def _rows(metrics: Iterable[Any], labels: Iterable[Any]) -> Iterator[_Row]:
    """Yield each measure once, and each class once for each metric."""
    for given in dict.fromkeys(map(_measure_or_metric, metrics)):
        if isinstance(given, Measure):
            yield _Row(given, given)
        else:
            for index, label in enumerate(labels):
                yield _Row(_of_class(given, index), given, label)


def _measure_or_metric(metric: Any) -> Measure | Metric:
    """Look up what a user gives; it is the measure if both have the key or name."""
    if isinstance(metric, Measure):
        return metric
    named = measures_named(metric) if isinstance(metric, str) else []
    return named[0] if named else as_metric(metric)


def _of_class(metric: Metric, index: int) -> Measure:
    """Return a metric of one class against the rest as a measure."""

    def formula(matrix: MulticlassConfusionMatrix) -> Value:
        return metric(_against_rest(matrix, index))

    return Measure(metric.key, metric.symbol, metric.name, metric.source, formula)


def _against_rest(matrix: MulticlassConfusionMatrix, index: int) -> ConfusionMatrix:
    """Return the confusion matrix of one class, as the positive class, against the others."""
    instances, others = matrix.counts[..., index, :], np.delete(matrix.counts, index, axis=-2)
    return ConfusionMatrix(
        tp=instances[..., index],
        fn=np.delete(instances, index, axis=-1).sum(axis=-1),
        fp=others[..., index].sum(axis=-1),
        tn=np.delete(others, index, axis=-1).sum(axis=(-2, -1)),
    )
