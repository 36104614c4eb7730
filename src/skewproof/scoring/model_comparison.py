"""Difference between two models on the same instances, with an interval.

docs/evidence/coverage.md measures the errors of the comparison.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any, TypedDict, Unpack, overload

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy.special import ndtr

from skewproof.core.arguments import expect, expect_confidence, expect_flag
from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.data.labels import CountedPairs, counted_triples, counts_of_groups
from skewproof.core.messages import printable
from skewproof.core.metric import Metric
from skewproof.intervals.class_rows import PairedRows, check_observed, check_total, measure_at
from skewproof.intervals.estimates import frame_of
from skewproof.intervals.extremes import distance_to_zero, radius_of
from skewproof.intervals.grouped.effective_numbers import remark_on_groups
from skewproof.intervals.metric_interval import metrics_of_labels
from skewproof.intervals.other_rates import for_other_rates
from skewproof.intervals.without_labels import PREVALENCE
from skewproof.metrics.lookup import as_metrics
from skewproof.multiclass.against_rest import TWO_CLASSES
from skewproof.multiclass.declaration import Measure, of_two_classes
from skewproof.multiclass.matrix import MulticlassConfusionMatrix
from skewproof.prevalence.prevalence import At, Prevalence
from skewproof.reporting.result_table import ResultTable
from skewproof.scoring.difference import Difference
from skewproof.scoring.score_comparison import KINDS, NOT_MEASURED, score_difference
from skewproof.sensitivity.sampling.adjustment import holm
from skewproof.unlabeled.labeled_estimates import (
    count_cells,
    key_of,
    remark_on_cells,
    share_at,
    with_missing,
)
from skewproof.unlabeled.labeled_strata import labeled_function, stratified_estimates


class _Options(TypedDict, total=False):
    """Options of :func:`compare`."""

    pos_label: Any
    groups: Any
    at: At
    total: float | None
    threshold: At | None
    paired: bool
    strata: Any
    confidence: float


@overload
def compare(
    metric: str | Metric | Measure,
    y_true: Any,
    first: ArrayLike,
    second: ArrayLike,
    **options: Unpack[_Options],
) -> Difference: ...


@overload
def compare(
    metric: list[Any] | tuple[Any, ...],
    y_true: Any,
    first: ArrayLike,
    second: ArrayLike,
    **options: Unpack[_Options],
) -> pd.DataFrame: ...


@overload
def compare(
    metric: str | Metric | Measure | list[Any] | tuple[Any, ...],
    y_true: Any,
    first: Mapping[Any, ArrayLike] | pd.DataFrame,
    second: None = ...,
    **options: Unpack[_Options],
) -> pd.DataFrame: ...


def compare(
    metric: str | Metric | Measure | list[Any] | tuple[Any, ...],
    y_true: Any,
    first: Any,
    second: Any = None,
    *,
    pos_label: Any = 1,
    groups: Any = None,
    at: At = "population",
    total: float | None = None,
    threshold: At | None = None,
    paired: bool = True,
    strata: Any = None,
    confidence: float = 0.95,
) -> Difference | pd.DataFrame:
    """Compare two models on the same instances, by their labels, scores or probabilities.

    For metrics of labels the interval is that of :func:`skewproof.interval`, over other rates:
    those of the pairs of answers in each row of the matrix, such as the four pairs of two classes.
    Both hits come first, then a single one, then none. Each end is the mean for both orders of the
    models. For two classes the pairs of a row have as their posterior the Dirichlet distribution
    with 1/2 added to each count.

    For "auc", "average_precision", "balanced_average_precision", "brier", "log_loss",
    "net_benefit" and "expected_cost" the interval is that of the jackknife: the variance comes from
    the differences without each instance, or without each group, and the ends are quantiles of
    Student's distribution with the degrees of freedom of both classes together (Satterthwaite
    1946). For the AUC this is the variance of DeLong, DeLong and Clarke-Pearson (1988). The
    uncertainty of a prevalence counts to first order, and a range of prevalences has the envelope
    of its intervals.

    With `strata` some of the labels may be missing, and the interval is that of
    :func:`skewproof.estimate_from_labels` for a difference in the population: the cells are those
    of the pairs of predictions in each stratum. Two judged systems have a truth each, whose four
    pairs have the Dirichlet distribution with 1/4 added to each count; a judge is not assumed to
    err alike for both.

    Exchanged models have the mirrored interval. If 0 is outside the interval, the models differ,
    and this conclusion errs about as often as the confidence allows. If 0 is inside, these
    instances cannot tell the models apart; it does not mean that the models are equal, and `low`
    and `high` are the differences that remain possible. No interval covers a gain in a few of the
    positives, since most test sets have none of these: docs/evidence/difference_coverage.md
    measures it. There the intervals of an average precision cover less, too, where positives are
    far rarer than in the test set; those get a remark. docs/evidence/coverage.md reports how often
    metrics of labels are told apart, and how wide the intervals are.

    Parameters
    ----------
    metric
        The metric, or a list of several: metrics as for :func:`skewproof.interval` of labels, or
        kinds of scores, as above.
    y_true
        True labels; they and `pos_label` as for :meth:`skewproof.ConfusionMatrix.from_labels`,
        with the same errors. Without pairing, a pair of the labels of both test sets. With
        `strata`, labels of some rows, where missing ones are NaN, None, pandas.NA or masked; for
        two judged systems a pair of such labels of the same rows.
    first, second
        What each model says of the instances: predicted labels for metrics of labels and
        "expected_cost"; scores, of which higher ones are more positive, for areas; and
        probabilities of the positive class for "brier", "log_loss" and "net_benefit". Three or more
        models are a mapping from their names, or a frame with a column for each, in place of
        `first`, without `second`.
    groups
        Label of each row's group if rows belong together, such as the patient, as for
        :func:`skewproof.interval`. Without pairing, a pair of such labels, at a stated prevalence.
    at, total
        Prevalence of the difference, as for :func:`skewproof.interval`. A prevalence of two classes
        that is estimated without labels counts as the range of its interval, around the estimate;
        those of named classes are refused, since they belong to the rates of one reference.
        "balanced_average_precision" is always at 1:1. Without pairing, "population" is a
        population from which both test sets were drawn at random.
    threshold
        Threshold probability of "net_benefit" and "expected_cost", as for
        :func:`skewproof.decision_curve` and :func:`skewproof.expected_cost`.
    paired
        Whether both models were tested on the same instances. If not, `y_true` and `groups` are
        pairs. Metrics of labels then need `strata`: :func:`skewproof.explain_change` compares them
        in two test sets.
    strata
        What labels of some rows were drawn by: "predictions", or a value for each row, as for
        :func:`skewproof.estimate_from_labels`; without pairing, a pair of these. None if all rows
        are labeled. Metrics of two classes only, at the population's or a stated prevalence.
    confidence
        Level of the interval, in (0, 1). For several models all intervals of a metric hold at once
        with this confidence, by Bonferroni's method over the pairs.

    Returns
    -------
    The difference with its interval. For several models, a frame with a row for each metric and
    pair: the names in the columns first and second, and p_adjusted by Holm's method over the pairs
    of a metric. For a list, a frame with a row for each metric, its key in the
    column metric. The difference is infinite if one value is, and NaN if both are equally infinite
    or one is undefined.

    Raises
    ------
    KeyError
        If there is no such metric, or several have the name.
    ValueError
        If `metric` is not a metric, labels are refused, a class is empty, or an option is out of
        its range. Other areas and scores of probabilities are refused, since no interval of their
        differences was measured. So are scores that rank all rows alike, losses that differ by the
        same amount in all rows of a class, and a probability of 0 or 1 that was wrong, with
        "log_loss".

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

    Scores:

    >>> random = np.random.default_rng(0)
    >>> first = random.normal(true)
    >>> second = first + random.normal(true)
    >>> print(compare("auc", true, first, second))
    difference in auc = 0.081 (0.014 to 0.147) in the population, 95 %, if instances were drawn at \
random

    Three models, whose intervals hold at once:

    >>> models = {"noise": random.normal(size=100), "first": first, "second": second}
    >>> pairs = compare("auc", true, models)
    >>> pairs[["first", "second"]].agg(" ".join, axis=1).tolist()
    ['noise first', 'noise second', 'first second']
    >>> pairs["p_adjusted"].ge(pairs["p_value"]).all()
    np.True_
    """
    several = metric if isinstance(metric, list | tuple) else [metric]
    expect(bool(several), "metric", metric, "at least one metric")
    expect_flag("paired", paired)
    if isinstance(first, Mapping | pd.DataFrame):
        expect(second is None, "second", second, "None with several models in first")
        expect(paired, "paired", paired, "True with several models in first")
        options = {"pos_label": pos_label, "groups": groups, "at": at, "total": total}
        options |= {"threshold": threshold, "strata": strata}
        compared = partial(compare, [*several], y_true, **options)
        return _all_pairs(first, compared, confidence)
    expect(second is not None, "second", second, "a second model, or several in first")
    confidence = expect_confidence("confidence", confidence)
    of_scores = _are_of_scores(several)
    if strata is not None:
        expect(not of_scores, "strata", strata, "None with scores, which need labels of all rows")
        refused = {"groups": groups, "total": total, "threshold": threshold}
        for name, value in refused.items():
            expect(value is None, name, value, "None with labels of some rows")
        differences = _labeled_differences(
            several, y_true, first, second, strata, at, pos_label, paired, confidence
        )
        return frame_of(differences) if isinstance(metric, list | tuple) else differences[0]
    for labels in y_true if isinstance(y_true, tuple) and not paired else [y_true]:
        missing = np.count_nonzero(~with_missing(labels)[1])
        some = "" if of_scores else ', or strata="predictions" if labels were drawn at random'
        if missing:
            raise ValueError(f"y_true lacks {missing:,} labels: expected those of all rows{some}")
    if of_scores:
        expect(total is None, "total", total, "None with scores")
        differences = [
            score_difference(
                key,
                y_true,
                first,
                second,
                at=for_other_rates(at, confidence),
                pos_label=pos_label,
                groups=groups,
                threshold=threshold,
                paired=paired,
                confidence=confidence,
            )
            for key in dict.fromkeys(several)
        ]
        return frame_of(differences) if isinstance(metric, list | tuple) else differences[0]
    of_two_sets = "True for metrics of labels; explain_change compares them in two test sets"
    expect(paired, "paired", paired, of_two_sets)
    expect(threshold is None, "threshold", threshold, "None for metrics of labels")
    metrics = metrics_of_labels(several, pos_label, y_true=y_true, first=first, second=second)
    where = Prevalence.given(at)
    pairs = {
        kind: _pairs(kind, y_true, first, second, pos_label, groups)
        for kind in set(map(type, metrics))
    }
    differences = [
        _difference(known, pairs[type(known)], where, total, confidence) for known in metrics
    ]
    return frame_of(differences) if isinstance(metric, list | tuple) else differences[0]


def _all_pairs(
    models: Mapping[Any, Any] | pd.DataFrame,
    compared: Callable[..., pd.DataFrame],
    confidence: float,
) -> pd.DataFrame:
    """Compare every two models by a function of what both say, and of the confidence.

    Intervals are those of Bonferroni over the pairs: all of them hold at once with at least the
    confidence if each holds with its own. P-values are adjusted by Holm's method over the pairs.
    """
    names = list(models)
    expect(
        len(set(names)) == len(names) > 1, "first", names, "at least two models, each named once"
    )
    confidence = expect_confidence("confidence", confidence)
    pairs = list(itertools.combinations(names, 2))
    tables = []
    for pair in pairs:
        try:
            table = compared(
                *(models[name] for name in pair), confidence=1 - (1 - confidence) / len(pairs)
            )
        except ValueError as error:
            first, second = (printable(str(name)) for name in pair)
            raise ValueError(f"first = {first}, second = {second}: {error}") from None
        tables.append(table.assign(first=pair[0], second=pair[1], confidence=confidence))
    rows = pd.concat(tables).sort_index(kind="stable").reset_index(drop=True)
    rows["p_adjusted"] = rows.groupby("metric")["p_value"].transform(holm)
    leading = ["metric", "first", "second", "value", "low", "high"]
    leading += ["p_value", "p_adjusted", "remark"]
    return ResultTable(rows[[*leading, *rows.columns.difference(leading, sort=False)]])


def _labeled_differences(
    metrics: Iterable[Any],
    y_true: Any,
    first: Any,
    second: Any,
    strata: Any,
    at: At,
    pos_label: Any,
    paired: bool,
    confidence: float,
) -> list[Difference]:
    """Compute differences from labels of some rows."""
    known = as_metrics(metrics)
    share = share_at(at, known)
    two_truths = isinstance(y_true, tuple) and len(y_true) == 2 and np.ndim(y_true[0]) > 0
    if paired:
        truths = y_true if two_truths else [y_true]
        cells = [count_cells(truths, [first, second], strata, pos_label)]
    else:
        both = two_truths and (isinstance(strata, str) or len(strata) == 2)
        expect(both, "y_true", "not paired", "a pair of labels, and a pair of strata if not a text")
        drawn = [strata] * 2 if isinstance(strata, str) else strata
        cells = [
            count_cells([labels], [predicted], by, pos_label)
            for labels, predicted, by in zip(y_true, (first, second), drawn, strict=True)
        ]
    blocks = [some.block(False) for some in cells]
    shared = len(cells) == 1 and cells[0].labels.shape[1] == 2
    differences = []
    for metric in known:
        expected = "another metric: both systems share the truth"
        expect(not (shared and metric.key == "base_rate"), "metric", PREVALENCE, expected)
        remark = remark_on_cells(metric, cells, blocks, share)
        ends = stratified_estimates(metric, blocks, confidence, share)
        function, proportions = labeled_function(metric, blocks, radius_of(confidence), share)
        distance = np.sign(ends.values[0]) * distance_to_zero(function, proportions)[0]
        sign = -1 if metric.lower_is_better else 1
        differences.append(
            Difference(
                key_of(metric),
                float(ends.values[0]),
                float(ends.low[0]),
                float(ends.high[0]),
                float(ndtr(sign * distance)),
                float(2 * ndtr(-abs(distance))),
                bool(ends.undefined[0]),
                confidence,
                Prevalence.given(at),
                remark,
            )
        )
    return differences


def _are_of_scores(metrics: Iterable[Any]) -> bool:
    """Return whether metrics are those of scores or probabilities.

    Raises
    ------
    ValueError
        If some are and others are not, or if no interval of a difference was measured.
    """
    keys = [metric for metric in metrics if isinstance(metric, str) and metric in KINDS]
    for metric in metrics:
        if isinstance(metric, str) and metric in NOT_MEASURED:
            raise ValueError(
                f"metric = {metric!r}: expected a metric of labels or one of {', '.join(KINDS)},"
                " since no interval of its difference was measured"
            )
        expect(
            not keys or metric in keys,
            "metric",
            metric,
            f"a kind of scores, as {keys[0]}" if keys else "",
        )
    return bool(keys)


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
    distance = np.sign(value) * distances.mean()
    return Difference(
        metric.key,
        value,
        float(np.fmin(ends.low[0], value)),
        float(np.fmax(ends.high[0], value)),
        float(ndtr(sign * distance)),
        float(2 * ndtr(-abs(distance))),
        bool(ends.undefined[0]),
        confidence,
        at,
        remark,
        rows.grouping(measure, by_group),
    )
