"""Difference between two models on the same instances, with an interval.

docs/evidence/coverage.md measures the errors of the comparison.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, overload

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy.special import ndtr

from skewproof.core.arguments import expect, expect_confidence
from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.data.labels import CountedPairs, counted_triples, counts_of_groups
from skewproof.core.metric import Metric
from skewproof.curves.areas.area import AREAS
from skewproof.intervals.class_rows import PairedRows, check_observed, check_total, measure_at
from skewproof.intervals.estimates import Estimate, Grouping, frame_of
from skewproof.intervals.extremes import distance_to_zero, radius_of
from skewproof.intervals.grouped.effective_numbers import remark_on_groups
from skewproof.intervals.metric_interval import metrics_of_labels
from skewproof.intervals.other_rates import for_other_rates
from skewproof.multiclass.against_rest import TWO_CLASSES
from skewproof.multiclass.declaration import Measure, of_two_classes
from skewproof.multiclass.matrix import MulticlassConfusionMatrix
from skewproof.prevalence.prevalence import At, Prevalence
from skewproof.reporting.summary import Summary


@dataclass(frozen=True, repr=False)
class Difference(Estimate):
    """Difference of two models on the same instances: the second less the first.

    Examples
    --------
    >>> from skewproof import compare
    >>> from skewproof.metrics import accuracy
    >>> difference = compare(accuracy, [1, 0, 1, 0], [1, 0, 0, 0], [1, 0, 1, 0])
    >>> difference.metric, difference.value
    ('accuracy', 0.25)
    """

    metric: str
    """The metric's key."""

    value: float
    """The difference; NaN if the metric is undefined for a model, or equally infinite for both."""

    low: float
    high: float

    probability: float
    """Probability that the second model is better: the normal probability of the radius at which
    the ball of deviations reaches a difference of 0, at least 1/2 if the second model is observed
    to be better. If the prevalence is a range, it is that at the middle. It is NaN if the observed
    difference is."""

    undefined: bool
    """True if the difference is undefined at some of the examined rates, which are left out."""

    confidence: float
    """Level of the interval."""

    at: Prevalence
    """Prevalence of the interval."""

    remark: str = ""
    """Further remark on the difference, in a sentence."""

    grouping: Grouping | None = None
    """The groups of rows that belong together; None if all rows are independent."""

    @property
    def verdict(self) -> str:
        """Sentence that says if the interval distinguishes the models."""
        if np.isnan([self.value, self.low, self.high]).any():
            return "The difference is undefined."
        if self.low <= 0 <= self.high:
            return (
                "These instances do not distinguish the models: a difference of"
                f" {self.low:.2g} to {self.high:.2g} is possible."
            )
        return "The models differ: 0 is outside the interval."

    def __str__(self) -> str:
        return f"difference in {super().__str__()}"

    def _repr_html_(self) -> str:
        facts = []
        if not np.isnan(self.probability):
            facts.append(("Second model better", f"with probability {self.probability:.1%}"))
        if self.undefined:
            facts.append(("Undefined", "at some rates, left out"))
        title = f"Difference in {self._with_ends}"
        return Summary(
            title,
            verdict=self.verdict,
            paragraphs=list(filter(None, [f"{self._terms}.", self.remark])),
            facts=facts,
        ).to_html()


@overload
def compare(
    metric: str | Metric | Measure,
    y_true: ArrayLike,
    first: ArrayLike,
    second: ArrayLike,
    *,
    pos_label: Any = ...,
    groups: ArrayLike | None = ...,
    at: At = ...,
    total: float | None = ...,
    confidence: float = ...,
) -> Difference: ...


@overload
def compare(
    metric: list[Any] | tuple[Any, ...],
    y_true: ArrayLike,
    first: ArrayLike,
    second: ArrayLike,
    *,
    pos_label: Any = ...,
    groups: ArrayLike | None = ...,
    at: At = ...,
    total: float | None = ...,
    confidence: float = ...,
) -> pd.DataFrame: ...


def compare(
    metric: str | Metric | Measure | list[Any] | tuple[Any, ...],
    y_true: ArrayLike,
    first: ArrayLike,
    second: ArrayLike,
    *,
    pos_label: Any = 1,
    groups: ArrayLike | None = None,
    at: At = "population",
    total: float | None = None,
    confidence: float = 0.95,
) -> Difference | pd.DataFrame:
    """Compare two models on the same instances.

    The interval is that of :func:`skewproof.interval`, over other rates: those of the pairs of
    answers in each row of the matrix, such as the four pairs of two classes. Both hits come first,
    then a single one, then none. Each end is the mean for both orders of the models, so that
    exchanged models have the mirrored interval. For two classes the pairs of a row have as their
    posterior the Dirichlet distribution with 1/2 added to each count.

    If 0 is outside the interval, the models differ, and this conclusion errs about as often as the
    confidence allows. If 0 is inside, these instances cannot tell the models apart; it does not
    mean that the models are equal, and `low` and `high` are the differences that remain possible.
    With 5 positives and 50 negatives, true positive rates of 0.7 and 0.85 are hardly ever told
    apart; docs/evidence/coverage.md reports how often, for several sizes, and how wide the
    intervals are.

    Parameters
    ----------
    metric
        The metric, or a list of several, as for :func:`skewproof.interval` of labels.
    y_true, first, second
        True labels, and the labels that each model predicts; they and `pos_label` as for
        :meth:`skewproof.ConfusionMatrix.from_labels`, with the same errors.
    groups
        Label of each row's group if rows belong together, such as the patient, as for
        :func:`skewproof.interval`.
    at, total
        Prevalence of the difference, as for :func:`skewproof.interval`. A prevalence of two classes
        that is estimated without labels counts as the range of its interval, around the estimate;
        those of named classes are refused, since they belong to the rates of one reference.
    confidence
        Level of the interval, in (0, 1).

    Returns
    -------
    The difference with its interval. For a list, a frame with a row for each metric, its key in the
    column metric. The difference is infinite if one value is, and NaN if both are equally infinite
    or one is undefined.

    Raises
    ------
    KeyError
        If there is no such metric, or several have the name.
    ValueError
        If `metric` is not a metric, labels are refused, a class is empty, or an option is out of
        its range. Areas under curves of scores are refused, too: :func:`skewproof.area_interval`
        has the interval of one model's area, and none is known here for a difference.

    Examples
    --------
    The second model finds one more of the 50 positives, too little to tell the two apart:

    >>> import numpy as np
    >>> from skewproof import compare
    >>> from skewproof.metrics import true_positive_rate
    >>> true = np.repeat([1, 0], 50)
    >>> first, second = true * (np.arange(100) < 40), true * (np.arange(100) < 41)
    >>> difference = compare(true_positive_rate, true, first, second)
    >>> round(difference.value, 2), difference.low < 0 < difference.high
    (0.02, True)
    """
    several = metric if isinstance(metric, list | tuple) else [metric]
    expect(bool(several), "metric", metric, "at least one metric")
    refuse_areas(several)
    metrics = metrics_of_labels(several, pos_label, y_true=y_true, first=first, second=second)
    confidence = expect_confidence("confidence", confidence)
    where = Prevalence.given(at)
    pairs = {
        kind: _pairs(kind, y_true, first, second, pos_label, groups)
        for kind in set(map(type, metrics))
    }
    differences = [
        _difference(known, pairs[type(known)], where, total, confidence) for known in metrics
    ]
    return frame_of(differences) if isinstance(metric, list | tuple) else differences[0]


def refuse_areas(metrics: Iterable[Any]) -> None:
    """Refuse kinds of areas, which need scores, among metrics of labels.

    Raises
    ------
    ValueError
        If there is one; the message names the function for it.
    """
    for kind in metrics:
        if isinstance(kind, str) and kind in AREAS:
            raise ValueError(
                f"metric = {kind!r}, an area under a curve of scores: expected a metric of labels;"
                f" area_interval({kind!r}, y_true, y_score) has the interval of one model's area"
            )


def _pairs(
    kind: type[Metric] | type[Measure],
    y_true: ArrayLike,
    first: ArrayLike,
    second: ArrayLike,
    pos_label: Any,
    groups: ArrayLike | None,
) -> CountedPairs:
    """Count the instances of each class by the answers of both models, (K, K, K)."""
    if kind is Measure:
        return counted_triples(y_true, first, second, groups)
    for name, predicted in (("first", first), ("second", second)):
        try:
            ConfusionMatrix.from_labels(y_true, predicted, pos_label=pos_label)
        except ValueError as error:
            raise ValueError(f"{name}: {error}") from None
    classes, by_first, by_second = (
        (np.asarray(labels) != pos_label).astype(int) for labels in (y_true, first, second)
    )
    cells, shape = 4 * classes + 2 * by_first + by_second, (2, 2, 2)
    counts = np.bincount(cells, minlength=8).reshape(shape).astype(np.float64)
    by_group = None if groups is None else counts_of_groups(groups, cells, shape, None)
    return CountedPairs(counts, list(TWO_CLASSES), by_group=by_group)


def _difference(
    metric: Metric | Measure,
    counted: CountedPairs,
    at: Prevalence,
    total: float | None,
    confidence: float,
) -> Difference:
    """Compute the difference from the numbers of instances of each class and pair of answers."""
    measure, sign = metric, 1
    if isinstance(metric, Metric):
        measure, at = of_two_classes(metric), for_other_rates(at, confidence)
        sign = -1 if metric.lower_is_better else 1
    counts, classes = counted.counts, counted.classes
    models = [MulticlassConfusionMatrix(counts.sum(axis=axis), classes) for axis in (2, 1)]
    check_observed(models[0], "y_true")
    check_total(measure, at, total, len(classes))
    totals = None if total is None else np.array([float(total)])
    by_group, remark = counted.by_group, ""
    if by_group is not None:
        by_group = by_group.reshape(len(by_group), len(classes), -1)
        remark = remark_on_groups(by_group, classes)
    rows = PairedRows.at(
        counts.reshape(1, len(classes), -1),
        at,
        classes,
        totals,
        by_group=None if by_group is None else [by_group],
        confidence=confidence,
    )
    ends = rows.estimates(measure, radius_of(confidence))
    with np.errstate(invalid="ignore"):  # inf less inf is NaN
        before, after = (np.float64(measure_at(measure, model, at, total)) for model in models)
        value = float(after - before)
    distances = distance_to_zero(rows.value(measure), rows.proportions, rows.gradient(measure))
    return Difference(
        metric.key,
        value,
        float(np.fmin(ends.low[0], value)),
        float(np.fmax(ends.high[0], value)),
        float(ndtr(sign * np.sign(value) * distances.mean())),
        bool(ends.undefined[0]),
        confidence,
        at,
        remark,
        rows.grouping(measure, by_group),
    )
