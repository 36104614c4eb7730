"""Uncertainty of a metric's value: its interval, from one confusion matrix.

docs/evidence/coverage.md measures its coverage.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, overload

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from skewproof.core.arguments import expect, expect_confidence
from skewproof.core.confusion import ConfusionMatrix, Origin
from skewproof.core.data.labels import check_pos_label, has_more_than_two
from skewproof.core.data.weights import sampled_sizes
from skewproof.core.metric import Metric
from skewproof.intervals.class_rows import (
    ClassRows,
    check_observed,
    check_total,
    expect_reference,
    measure_at,
    unobserved_classes,
)
from skewproof.intervals.estimates import Interval, frame_of, with_negatives_needed
from skewproof.intervals.extremes import radius_of
from skewproof.intervals.grouped.effective_numbers import remark_on_groups
from skewproof.intervals.without_labels import interval_without_labels
from skewproof.metrics.lookup import EXPECTED, as_metric
from skewproof.multiclass.against_rest import matrix_of_two
from skewproof.multiclass.declaration import Measure, of_two_classes
from skewproof.multiclass.lookup import as_measure, as_metric_or_measure
from skewproof.multiclass.matrix import MulticlassConfusionMatrix, MulticlassOrigin
from skewproof.prevalence.prevalence import At, Prevalence
from skewproof.prevalence.projection import project


@overload
def interval(
    metric: str | Metric | Measure,
    y_true: ConfusionMatrix | MulticlassConfusionMatrix | ArrayLike,
    y_pred: ArrayLike | None = ...,
    *,
    pos_label: Any = ...,
    sample_weight: ArrayLike | None = ...,
    groups: ArrayLike | None = ...,
    at: At = ...,
    total: float | None = ...,
    confidence: float = ...,
) -> Interval: ...


@overload
def interval(
    metric: list[Any] | tuple[Any, ...],
    y_true: ConfusionMatrix | MulticlassConfusionMatrix | ArrayLike,
    y_pred: ArrayLike | None = ...,
    *,
    pos_label: Any = ...,
    sample_weight: ArrayLike | None = ...,
    groups: ArrayLike | None = ...,
    at: At = ...,
    total: float | None = ...,
    confidence: float = ...,
) -> pd.DataFrame: ...


def interval(
    metric: str | Metric | Measure | list[Any] | tuple[Any, ...],
    y_true: Any,
    y_pred: ArrayLike | None = None,
    *,
    pos_label: Any = 1,
    sample_weight: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    at: At = "population",
    total: float | None = None,
    confidence: float = 0.95,
) -> Interval | pd.DataFrame:
    """Compute an interval for a metric where the classifier will run, from labels or their matrix.

    The instances are assumed to be independent, or, with `groups`, those of different groups. The
    ends are the metric's extremes over a
    confidence region of the rates, with the observed value included. The region is the ball of
    radius z, the normal quantile of the confidence, around the observed rates. Distances in it are
    measured in standard errors: a rate's deviation is the normal quantile of its probability under
    the posterior of Jeffreys' prior. For a single rate the interval is therefore that of Jeffreys,
    but starts at 0 if nothing was counted and ends at 1 if everything was.

    `at` states the prevalence of the interval. At a prevalence other than the test set's, the
    classifier is assumed to keep its true and false positive rate (label shift). An uncertain
    prevalence is a third dimension of the ball: its deviation is measured in the same way, in its
    own sample or in the belief. For a range of prevalences the interval is the envelope of the
    intervals at each of them.

    With more than two classes the rates are those of each row: the share of hits, then the share of
    the commonest other class among the misses, and so on. Uncertain class sizes are a sequence of
    the same form. If a class was not observed, a measure that depends on its rates is
    NaN with a remark, and the interval of any other measure allows for any such rates.

    docs/evidence/coverage.md and docs/evidence/multiclass_coverage.md measure the coverage of the
    intervals.

    Parameters
    ----------
    metric
        The metric, its key or name as for :func:`skewproof.get_metric`, or a formula as for
        :func:`skewproof.metrics.parse_metric`; for a matrix of any number of classes a measure,
        declared or made by :func:`skewproof.multiclass.measure`, or its key or name; or a list of
        several. A key or name that both have, such as "mcc", is the measure's if there are more
        than two classes.
    y_true, y_pred, pos_label, sample_weight
        Labels as for :meth:`skewproof.ConfusionMatrix.from_labels`, with the same errors. More than
        two classes, and measures, are counted as by
        :meth:`skewproof.MulticlassConfusionMatrix.from_labels`; leave `pos_label` out if there are
        more than two classes.

        Or, without `y_pred`, one matrix of observed instances, with 1e-12 to 1e12 of each class:
        beyond, quantiles lose digits. Measures of any number of classes need a
        :class:`skewproof.MulticlassConfusionMatrix`. A projected matrix stands for its origin, at
        the prevalence to which it is projected. Counts may be fractions, such as effective numbers
        of independent instances, and count as numbers of instances. Sums of weights, which
        :meth:`skewproof.ConfusionMatrix.from_labels` computes, know the classes' effective sizes,
        and counts of groups know what the rows are worth.
    groups
        Label of each row's group if rows belong together, such as the patient, as for
        :meth:`skewproof.ConfusionMatrix.from_labels`. Each rate then counts as many independent
        rows as tell as much about it: its variance is that of the delete-group jackknife, few
        groups count for less, and rates of the same groups vary together. The population is that of
        all rows, so that large groups weigh more. docs/evidence/group_coverage.md measures the
        coverage. A prevalence that is estimated without labels is refused.
    at
        Prevalence of the interval:

        - "population": that of the population from which the instances were drawn at random,
          estimated from them;
        - "test set": classes of exactly these sizes, as when 500 cases and 500 controls were
          chosen;
        - a stated prevalence, such as .001 or "1:1000";
        - :meth:`Prevalence.sampled <skewproof.Prevalence.sampled>`, .of, .between or .believed, or
          their texts "12/4000", "0.001..0.01", "beta(2, 500)";
        - :meth:`Prevalence.from_predictions <skewproof.Prevalence.from_predictions>` or
          .from_scores: the prevalence of unlabeled instances, estimated with the rates of the
          matrix, which is their reference.

        For more than two classes these are mappings from each class to its number, or
        prevalences without labels, and a range is refused.
    total
        Number of instances there, for the few metrics that depend on it, such as the Laplace
        estimate. By default it is that of the matrix if `at` is "population" or "test set", and
        that of the unlabeled instances if the prevalence is estimated from them.
    confidence
        Level of the interval, in (0, 1).

    Returns
    -------
    The value with its interval. For a list, a frame with a row for each metric, its key in the
    column metric, and the same numbers in the others. Ends are infinite if the metric is infinite
    within the region. Rates at which it is undefined are left out, and `undefined` is then True; if
    the observed rates are among them, the value is NaN and the interval is that of the others.

    Raises
    ------
    KeyError
        If there is no such metric, or several have the name.
    ValueError
        If `metric` is not a metric; if labels are refused, or a matrix is not a matrix or is one of
        rates; if it is empty, or a class has more or
        fewer instances than stated above; if `total` is missing; or if an option is out of its
        range.

    Examples
    --------
    >>> from skewproof import ConfusionMatrix, Prevalence, interval
    >>> from skewproof.metrics import accuracy, f1
    >>> matrix = ConfusionMatrix(tp=40, fp=30, fn=10, tn=170)
    >>> print(interval(f1, matrix, at="1:1000"))
    f1 = 0.0105 (0.0075 to 0.0152) at 1:1000, 95 %, if instances are independent and the \
classifier keeps its rates
    >>> print(interval(f1, matrix, at=Prevalence.sampled(12, 4000)))
    f1 = 0.031 (0.016 to 0.057) at a prevalence estimated from 12 in 4000, 95 %, if \
instances are independent and the classifier keeps its rates
    >>> print(interval(f1, matrix, at="test set"))
    f1 = 0.667 (0.577 to 0.742) for these class sizes, 95 %, if instances are independent

    Labels are counted:

    >>> print(interval("f1", [1, 1, 1, 0, 0, 0], [1, 1, 0, 0, 0, 0], at="test set"))
    f1 = 0.80 (0.28 to 0.98) for these class sizes, 95 %, if instances are independent

    With ten of ten answers correct, errors are still possible:

    >>> perfect = interval(accuracy, ConfusionMatrix(tp=5, fp=0, fn=0, tn=5))
    >>> round(perfect.low, 2), perfect.high
    (0.75, 1.0)

    Name the share of each of several classes:

    >>> from skewproof import MulticlassConfusionMatrix
    >>> counts = [[80, 15, 5], [3, 10, 2], [0, 10, 90]]
    >>> pets = MulticlassConfusionMatrix(counts, labels=["cat", "dog", "owl"])
    >>> print(interval("macro_f1", pets, at={"cat": 0.6, "dog": 0.3, "owl": 0.1}))
    macro_f1 = 0.734 (0.623 to 0.820) at cat=0.6, dog=0.3, owl=0.1, 95 %, if instances are \
independent and the classifier keeps its rates
    """
    several = metric if isinstance(metric, list | tuple) else [metric]
    expect(bool(several), "metric", metric, "at least one metric")
    if y_pred is None:
        expect(sample_weight is None, "sample_weight", sample_weight, "None without y_pred")
        expect(groups is None, "groups", groups, "None without y_pred; a matrix has its own")
        matrices = [(known, y_true) for known in _metrics_of_matrix(several, y_true)]
    else:
        metrics = metrics_of_labels(several, pos_label, y_true=y_true, y_pred=y_pred)
        options: Any = {"sample_weight": sample_weight, "groups": groups}
        two = many = None
        if any(isinstance(known, Metric) for known in metrics):
            two = ConfusionMatrix.from_labels(y_true, y_pred, pos_label=pos_label, **options)
        if any(isinstance(known, Measure) for known in metrics):
            many = MulticlassConfusionMatrix.from_labels(y_true, y_pred, **options)
        matrices = [(known, many if isinstance(known, Measure) else two) for known in metrics]
    expect_confidence("confidence", confidence)
    where = Prevalence.given(at)
    intervals = [
        intervals_of([known], matrix, where, total, float(confidence))[0]
        for known, matrix in matrices
    ]
    return frame_of(intervals) if isinstance(metric, list | tuple) else intervals[0]


def _metrics_of_matrix(metrics: Sequence[Any], matrix: Any) -> list[Any]:
    """Look up metrics for a matrix of two classes, or measures for one of any number."""
    if isinstance(matrix, MulticlassConfusionMatrix):
        return list(dict.fromkeys(map(as_measure, metrics)))
    for measure in metrics:
        if isinstance(measure, Measure):
            raise ValueError(
                f"metric = {measure.key}, of any number of classes: expected a"
                " MulticlassConfusionMatrix"
            )
    known = list(dict.fromkeys(map(as_metric, metrics)))
    expected = "a ConfusionMatrix or a MulticlassConfusionMatrix, or labels and y_pred"
    expect(isinstance(matrix, ConfusionMatrix), "y_true", matrix, expected)
    return known


def metrics_of_labels(
    metrics: Sequence[Any], pos_label: Any, **labels: ArrayLike
) -> list[Metric | Measure]:
    """Look up metrics of two classes or measures; only measures for labels of more classes.

    Raises
    ------
    KeyError
        If there is no such metric.
    ValueError
        If one is not a metric, or labels are refused.
    """
    for metric in metrics:
        fits = isinstance(metric, str | Metric | Measure)
        expect(fits, "metric", metric, EXPECTED)
    check_pos_label(pos_label)
    many = pos_label == 1 and has_more_than_two(**labels)
    return list(dict.fromkeys(map(as_measure if many else as_metric_or_measure, metrics)))


def intervals_of(
    metrics: Sequence[Metric | Measure],
    matrix: ConfusionMatrix | MulticlassConfusionMatrix,
    at: Prevalence,
    total: float | None,
    confidence: float,
) -> list[Interval]:
    """Compute the intervals of metrics of a matrix of two classes, or of measures of any matrix.

    An interval includes the observed value. If this is undefined and a class has no instances, the
    ends are NaN, and the remark names the class.

    Raises
    ------
    ValueError
        As :func:`skewproof.interval`, or if the predictions do not determine the prevalences that
        are estimated from them.
    """
    if isinstance(matrix, ConfusionMatrix):
        at = at.for_two_classes()
    counts = _as_multiclass(matrix)
    if matrix.origin is not None and _is_projection(matrix, matrix.origin):
        total = float(counts.total) if total is None else total
        at = at if at.elsewhere else matrix.origin.at
        matrix = matrix.origin.matrix
        counts = _as_multiclass(matrix)
    check_observed(matrix.effective_counts, every=False)
    for metric in metrics:
        check_total(metric, at, total, counts.classes)
    measures = [
        of_two_classes(metric) if isinstance(metric, Metric) else metric for metric in metrics
    ]
    if at.estimate is not None:
        expect_reference(counts, at.estimate)
        if counts.by_group is not None:
            raise ValueError(
                "groups: expected none where the prevalence is estimated without labels"
            )
        return [
            interval_without_labels(measure, at.estimate, confidence=confidence, total=total)
            for measure in measures
        ]
    few = "" if counts.by_group is None else remark_on_groups(counts.by_group, counts.labels)
    rows = _observed_rows(counts, at, total, confidence)
    unobserved = unobserved_classes(counts)
    intervals = []
    for measure in measures:
        value = measure_at(measure, counts, at, total)
        low, high, undefined, remark, grouping = math.nan, math.nan, True, unobserved, None
        if not (unobserved and math.isnan(value)):
            ends = rows.estimates(measure, radius_of(confidence))
            low, high = float(np.fmin(ends.low[0], value)), float(np.fmax(ends.high[0], value))
            undefined, remark = bool(ends.undefined[0]), ""
            if isinstance(matrix, ConfusionMatrix):
                remark = _remark(matrix.effective_counts, at, confidence)
            remark = " ".join(filter(None, [remark, few]))
            grouping = rows.grouping(measure, counts.by_group)
        intervals.append(
            Interval(measure.key, value, low, high, undefined, confidence, at, remark, grouping)
        )
    return intervals


def _observed_rows(
    matrix: MulticlassConfusionMatrix, at: Prevalence, total: float | None, confidence: float
) -> ClassRows:
    """Return the rows of one observed matrix at the prevalence `at`, for `total` instances."""
    counts, sizes = matrix.effective_counts.counts[np.newaxis], matrix.class_sizes[np.newaxis]
    totals = np.array([float(matrix.total if total is None else total)])
    sampled = sampled_sizes(sizes, counts.sum(axis=-1))
    by_group = None if matrix.by_group is None else [matrix.by_group]
    return ClassRows.at(counts, at, matrix.labels, totals, sampled, by_group, confidence)


def _as_multiclass(
    matrix: ConfusionMatrix | MulticlassConfusionMatrix,
) -> MulticlassConfusionMatrix:
    return matrix_of_two(matrix) if isinstance(matrix, ConfusionMatrix) else matrix


def _is_projection(
    matrix: ConfusionMatrix | MulticlassConfusionMatrix, origin: Origin | MulticlassOrigin
) -> bool:
    """Return whether a matrix is the unchanged projection of one matrix."""
    again = project(origin.matrix, at=origin.at)
    given, expected = (_as_multiclass(compared).counts for compared in (matrix, again))
    return given.ndim == 2 and np.allclose(given, expected, rtol=1e-9, atol=0)


def _remark(matrix: ConfusionMatrix, at: Prevalence, confidence: float) -> str:
    """State what a matrix without false positives cannot show about another prevalence."""
    if not at.elsewhere or float(matrix.fp) > 0 or float(matrix.tp) == 0:
        return ""
    seen = (
        f"No false positive among {float(matrix.negatives):g} negatives: precision is 1 at any"
        " prevalence."
    )
    return with_negatives_needed(
        seen,
        at,
        float(matrix.negatives),
        confidence,
        tpr=float(matrix.tpr),
        how="without a false positive",
    )
