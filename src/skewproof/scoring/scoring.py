"""Scores of labels: several metrics at once, and metrics as scorers of scikit-learn.

A metric's own score is a method: ``f1_i.score(y_true, y_pred)``.
"""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from skewproof.core.arguments import expect, expect_confidence
from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.data.labels import check_pos_label, has_more_than_two
from skewproof.core.extras import extra
from skewproof.core.metric import (
    Metric,
    ScorePolicy,
    UndefinedMetricWarning,
    refuse_wrong_policy,
    settled,
)
from skewproof.curves.areas.area import AREAS, area, function_of, prevalence_of
from skewproof.intervals.class_rows import check_total, measure_at, unobserved_classes
from skewproof.intervals.estimates import Interval
from skewproof.intervals.metric_interval import intervals_of
from skewproof.metrics import METRICS, get_metric
from skewproof.metrics.atlas import ATLAS
from skewproof.metrics.lookup import as_metric, each_once
from skewproof.multiclass.against_rest import matrix_of_two, of_class
from skewproof.multiclass.conditions import SizesMatter, class_sizes_matter
from skewproof.multiclass.declaration import Measure, of_two_classes, total_matters
from skewproof.multiclass.lookup import MEASURES, as_metric_or_measure, measures_named
from skewproof.multiclass.matrix import MulticlassConfusionMatrix
from skewproof.prevalence.prevalence import At, Prevalence
from skewproof.probabilities.scores import SCORES, one_score
from skewproof.reporting.result_table import ResultTable
from skewproof.sensitivity.proofs.invariance import prevalence_matters

PER_CLASS = ("precision", "true_positive_rate", "f1")
"""Metrics of two classes that score each of several classes against the rest by default."""


EXPECTED = "a metric or measure, its key or name"


def _score_of_two(
    given: str | Metric,
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    pos_label: Any = 1,
    sample_weight: ArrayLike | None = None,
    undefined: ScorePolicy = "warn",
    at: At = "test set",
    total: float | None = None,
) -> float:
    """Score labels by a metric of two classes."""
    metric = get_metric(given) if isinstance(given, str) else given
    matrix = ConfusionMatrix.from_labels(
        y_true, y_pred, pos_label=pos_label, sample_weight=sample_weight
    )
    where = Prevalence.given(at).for_two_classes()
    value = measure_at(of_two_classes(metric), matrix_of_two(matrix), where, total)
    return settled({metric.key: value}, undefined)[metric.key]


def _score_of_all(
    given: str | Measure,
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: Sequence[Any] | None = None,
    sample_weight: ArrayLike | None = None,
    undefined: ScorePolicy = "warn",
    at: At = "test set",
    total: float | None = None,
) -> float:
    """Score labels by a measure of any number of classes."""
    measure = MEASURES[given] if isinstance(given, str) else given
    where = Prevalence.given(at)
    if labels is None and where.classes:  # a part of the data may lack a class
        labels = where.classes
    matrix = MulticlassConfusionMatrix.from_labels(
        y_true, y_pred, labels=labels, sample_weight=sample_weight
    )
    check_total(measure, where, total, matrix.classes)
    value = measure_at(measure, matrix, where, total)
    return settled({measure.key: value}, undefined)[measure.key]


@dataclass(frozen=True)
class _Score:
    """A function that scores by what is given, which is a key if it is declared.

    Keys can be pickled for parallel searches.
    """

    function: Callable[..., float]
    given: Any

    @property
    def __name__(self) -> str:
        return self.given if isinstance(self.given, str) else self.given.key

    @property
    def __signature__(self) -> inspect.Signature:
        return inspect.signature(partial(self.function, self.given))

    def __call__(self, *labels: Any, **options: Any) -> float:
        return self.function(self.given, *labels, **options)


def get_scorer(metric: str | Metric | Measure | list[Any] | tuple[Any, ...], **options: Any) -> Any:
    """Make a scorer of scikit-learn from a metric, or from a measure of any number of classes.

    Pass it, or a dictionary of several, to any ``scoring=``. A name alone does not work there:
    scikit-learn has no public way to add names to its own.

    Parameters
    ----------
    metric
        A metric or measure, the key or a name of either, or a formula as for
        :func:`skewproof.metrics.parse_metric`; or a list of several. A key takes precedence over a
        name. A key that METRICS and MEASURES share, such as "mcc", is the metric of two classes;
        ``skewproof.multiclass.MEASURES["mcc"]`` is the other one. The keys of
        :func:`skewproof.probability_scores`, such as "brier", are scores of probabilities, of two
        classes or of more. The kinds of :func:`skewproof.curves.area`, such as "auc", are areas
        under curves of the classifier's ``decision_function``, or else of its probabilities. An
        undeclared metric can be pickled if its formula can, as one from
        :func:`skewproof.metrics.parse_metric`.
    options
        Options of the score. All take `at`, as for :func:`skewproof.interval`: the score is then
        that of the same rates at another prevalence, so that a search selects for deployment. A
        metric also takes `undefined`, `total` and `pos_label`. A measure takes `undefined`, `total`
        and `labels`, the classes in their order: by default those that `at` names, or all that are
        true or predicted, sorted. Only measures of ordered classes, such as
        "quadratic_weighted_kappa", depend on the order. A score of probabilities takes only `at`,
        `trained` and `pos_label`, as :func:`skewproof.probability_scores` does. An area takes
        `at`, `pos_label` and its own options, as :func:`skewproof.curves.area` does.

    Returns
    -------
    A scorer whose larger values are better: metrics of errors and losses have their sign changed.
    For a list, a dictionary of scorers by key, which scikit-learn takes for several. If good values
    are neither the highest nor the lowest, as for the frequency bias or a calibration slope, the
    scorer returns the value as it is.

    Raises
    ------
    KeyError
        If there is no such metric (the message suggests the nearest spelling), or several metrics
        have the name (the message lists them).
    TypeError
        If an option is unknown.
    ValueError
        If `metric` is not a metric, or `undefined` is not a policy for undefined scores.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer, load_iris
    >>> from sklearn.model_selection import cross_val_score
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from skewproof import get_scorer
    >>> data = load_breast_cancer()
    >>> scores = cross_val_score(GaussianNB(), data.data, data.target, scoring=get_scorer("f1_i"))
    >>> scores.round(2).tolist()
    [0.92, 0.91, 0.94, 0.94, 0.95]
    >>> flowers = load_iris(return_X_y=True)
    >>> cross_val_score(GaussianNB(), *flowers, scoring=get_scorer("macro_f1")).round(2).tolist()
    [0.93, 0.97, 0.93, 0.93, 1.0]

    The average precision where one in a thousand is positive:

    >>> precise = get_scorer("average_precision", at="1:1000")
    >>> cross_val_score(GaussianNB(), data.data, data.target, scoring=precise).round(2).tolist()
    [0.79, 0.7, 0.95, 0.81, 0.94]

    The Brier score of probabilities that are adjusted to a prevalence of one in a thousand:

    >>> brier = get_scorer("brier", at="1:1000", trained="1:1")
    >>> balanced = GaussianNB(priors=[0.5, 0.5]).fit(data.data, data.target)
    >>> round(-brier(balanced, data.data, data.target), 3)
    0.035

    Select for a deployment in which one in a thousand is positive:

    >>> rare = get_scorer("f1", at="1:1000")
    >>> cross_val_score(GaussianNB(), data.data, data.target, scoring=rare).round(2).tolist()
    [0.02, 0.01, 0.02, 0.02, 0.03]

    Name the shares of more than two classes:

    >>> mostly_second = get_scorer("macro_f1", at={0: 0.1, 1: 0.8, 2: 0.1})
    >>> cross_val_score(GaussianNB(), *flowers, scoring=mostly_second).round(2).tolist()
    [0.87, 0.98, 0.81, 0.96, 1.0]
    """
    with extra("get_scorer"):
        from sklearn.metrics import make_scorer

    if isinstance(metric, list | tuple):
        several = dict.fromkeys(
            scored if _of_scores(scored) else as_metric_or_measure(scored) for scored in metric
        )
        expect(bool(several), "metric", metric, "at least one")
        return {
            scored if isinstance(scored, str) else scored.key: get_scorer(scored, **options)
            for scored in several
        }
    if isinstance(metric, str) and metric in AREAS:
        area_options = {
            name: value for name, value in options.items() if name not in ("at", "pos_label")
        }
        function_of(metric, AREAS, area_options)
        prevalence_of(metric, options.get("at")).for_any_rates()
        return make_scorer(
            _Score(area, metric),
            response_method=("decision_function", "predict_proba"),
            **options,
        )
    if isinstance(metric, str) and metric in SCORES:
        by_default = partial(one_score, at="test set", trained=None, pos_label=1)
        of_probabilities = _Score(by_default, metric)
        inspect.signature(of_probabilities).bind([], [], **options)
        Prevalence.given(options.get("at", "test set")).for_any_rates()
        return make_scorer(
            of_probabilities,
            response_method="predict_proba",
            greater_is_better=SCORES[metric].greater_is_better is not False,
            **options,
        )
    chosen = as_metric_or_measure(metric)
    refuse_wrong_policy(options.get("undefined", "warn"))
    declared = any(known.get(chosen.key) is chosen for known in (MEASURES, METRICS, ATLAS))
    given = chosen.key if declared else chosen
    of_labels = _Score(_score_of_all if isinstance(chosen, Measure) else _score_of_two, given)
    inspect.signature(of_labels).bind([], [], **options)
    where = Prevalence.given(options.get("at", "test set"))
    if isinstance(chosen, Measure):
        where.for_any_rates()
        return make_scorer(of_labels, **options)
    check_total(chosen, where.for_two_classes().for_any_rates(), options.get("total"))
    return make_scorer(of_labels, greater_is_better=not chosen.lower_is_better, **options)


def _of_scores(metric: Any) -> bool:
    """Return whether a text is the key of an area or of a score of probabilities."""
    return isinstance(metric, str) and (metric in AREAS or metric in SCORES)


def score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    metrics: str | Metric | Measure | Iterable[str | Metric | Measure] | None = None,
    pos_label: Any = 1,
    sample_weight: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    undefined: ScorePolicy = "warn",
    at: At = "population",
    total: float | None = None,
    confidence: float | None = 0.95,
) -> pd.DataFrame:
    """Score predicted labels by several metrics, counting them once.

    A metric of two classes scores the positive class or, if there are more than two, each class
    against the rest. A measure of any number of classes scores all classes together.

    Parameters
    ----------
    y_true, y_pred, pos_label, sample_weight, undefined
        As for :meth:`skewproof.Metric.score`; one warning names all undefined metrics. Leave
        `pos_label` out if there are more than two classes.
    groups
        Label of each row's group if rows belong together, such as the patient, as for
        :func:`skewproof.interval`.
    metrics
        One or several: metrics, keys or names as for :func:`skewproof.get_metric`, formulas as for
        :func:`skewproof.metrics.parse_metric`, or measures. A key that a metric and a measure have,
        such as "mcc", is the measure's if there are more than two classes. By default all
        registered metrics or, for more than two classes, every measure, and precision, recall and
        F1 of each class.
    at, total, confidence
        Prevalence, number of instances and confidence, as for :func:`skewproof.interval`. With
        `confidence` None there are no intervals, which take most of the time. A prevalence
        estimated without labels needs the labels of its reference; others are refused. Among all
        registered metrics, the few that depend on the number of instances are NaN at another
        prevalence without `total`, and a warning names them.

    Returns
    -------
    Frame with the columns metric (its key), name, class (the one that is scored, None for all
    together), value; low and high, the ends of its interval; value_in_test_set; if there are
    intervals, their confidence; at, the prevalence of value and interval; changes_with_prevalence,
    False if the metric is a function of the rates alone, so that imbalance does not change it;
    prevalence_known_by, the evidence for it; and remark, which names the classes without instances
    on which an undefined value depends, and says what groups of rows are worth. The evidence is a
    "proof" or a "counterexample", both exact and for this number of classes, or a "search" among
    random rates and class sizes: for metrics of two classes, if a function takes floats only, if
    there are more than ten classes and no counterexample, or if SymPy is not installed.

    Weights count in intervals as stated at :meth:`skewproof.ConfusionMatrix.from_labels`.

    Raises
    ------
    KeyError
        If there is no such metric (the message suggests the nearest spelling), or several metrics
        have the name (the message lists them).
    ValueError
        If labels or weights are refused, one of `metrics` is not a metric or needs `total`, or
        another option is out of its range. Areas under curves are refused, too: they need scores,
        and :func:`skewproof.area_interval` takes them.

    Examples
    --------
    >>> from skewproof import score
    >>> scores = score([1, 1, 0, 0], [1, 1, 1, 0], metrics=["f1", "f1_i"], at="1:1000")
    >>> scores[["metric", "value", "value_in_test_set"]].round(3).values.tolist()
    [['f1', 0.004, 0.8], ['f1_i', 0.8, 0.8]]
    >>> scores["changes_with_prevalence"].tolist()
    [True, False]

    The two kinds of macro F1 of three classes, which differ, and the precision of each class:

    >>> true, predicted = list("aaaaaabbbc"), list("aaaaabbbcc")
    >>> names = ["macro_f1", "f1_of_macro_averages", "precision"]
    >>> scores = score(true, predicted, metrics=names)
    >>> print(scores[["metric", "class", "value"]].round(3).to_string(index=False))
                  metric class  value
                macro_f1  None  0.747
    f1_of_macro_averages  None  0.774
               precision     a  1.000
               precision     b  0.667
               precision     c  0.500
    """
    refuse_wrong_policy(undefined)
    _refuse_areas(metrics if isinstance(metrics, list | tuple) else [metrics])
    if confidence is not None:
        expect_confidence("confidence", confidence)
    check_pos_label(pos_label)
    matrix: ConfusionMatrix | MulticlassConfusionMatrix
    if pos_label == 1 and has_more_than_two(y_true=y_true, y_pred=y_pred):
        matrix = MulticlassConfusionMatrix.from_labels(
            y_true, y_pred, sample_weight=sample_weight, groups=groups
        )
        where, rows = Prevalence.given(at), _rows(metrics, pos_label, matrix.labels)
    else:
        matrix = ConfusionMatrix.from_labels(
            y_true, y_pred, pos_label=pos_label, sample_weight=sample_weight, groups=groups
        )
        where, rows = Prevalence.given(at).for_two_classes(), _rows(metrics, pos_label, None)
    return _frame(rows, matrix, where, total, confidence, undefined, default=metrics is None)


@dataclass(frozen=True)
class _Row:
    """A measure of all classes, or a metric of one of them."""

    given: Metric | Measure
    measure: Measure
    label: Any = None
    name: str = ""
    """Name of the row in a warning."""


def _rows(metrics: Any, pos_label: Any, labels: Iterable[Any] | None) -> list[_Row]:
    """List measures, and metrics of the positive class, or of each of several against the rest."""
    look_up = as_metric_or_measure if labels is None else _as_measure_or_metric
    if metrics is None:
        metrics = METRICS if labels is None else (*MEASURES, *PER_CLASS)
    rows = []
    for given in each_once(metrics, look_up, EXPECTED):
        if isinstance(given, Measure):
            rows.append(_Row(given, given, name=given.key))
        elif labels is None:
            rows.append(_Row(given, of_two_classes(given), pos_label, given.key))
        else:
            rows += [
                _Row(given, of_class(given, position), label, f"{given.key} of {label}")
                for position, label in enumerate(labels)
            ]
    return rows


def _as_measure_or_metric(metric: Any) -> Measure | Metric:
    """Look up what a user gives; it is the measure if both have the key or name."""
    named = measures_named(metric) if isinstance(metric, str) else []
    if isinstance(metric, Measure):
        return metric
    return named[0] if named else as_metric(metric)


def _frame(
    rows: list[_Row],
    matrix: ConfusionMatrix | MulticlassConfusionMatrix,
    at: Prevalence,
    total: float | None,
    confidence: float | None,
    undefined: ScorePolicy,
    *,
    default: bool,
) -> pd.DataFrame:
    """Build the frame of :func:`score`, with NaN for default rows that need a total."""
    counts = matrix_of_two(matrix) if isinstance(matrix, ConfusionMatrix) else matrix
    needs_total = at.elsewhere and total is None and not at.without_labels
    scored = [
        row
        for row in rows
        if not (default and needs_total and total_matters(row.measure, counts.classes))
    ]
    for row in scored:
        check_total(row.measure, at, total, counts.classes)
    values = settled(
        {row.name: measure_at(row.measure, counts, at, total) for row in scored}, undefined
    )
    without_total = [row.name for row in rows if row.name not in values]
    if without_total:
        message = f"total = None: the value {at.where} is NaN for {', '.join(without_total)}"
        warnings.warn(message, UndefinedMetricWarning, stacklevel=3)
    intervals: dict[str, Interval] = {}
    if confidence is not None and counts.total > 0:
        two = isinstance(matrix, ConfusionMatrix)
        measures = [row.given if two else row.measure for row in scored]
        computed = intervals_of(measures, matrix, at, total, confidence)
        intervals = dict(zip([row.name for row in scored], computed, strict=True))
    unobserved = unobserved_classes(counts)
    table = []
    for row in rows:
        value, interval = values.get(row.name, np.nan), intervals.get(row.name)
        sizes_matter = _sizes_matter(row.given, counts.classes)
        table.append(
            {
                "metric": row.given.key,
                "class": row.label,
                "value": value,
                "low": interval.low if interval else np.nan,
                "high": interval.high if interval else np.nan,
                "remark": unobserved if np.isnan(value) else _remark_on_groups(interval),
                "value_in_test_set": float(row.measure(counts)),
                "name": row.given.name,
                "confidence": confidence,
                "at": str(at),
                "changes_with_prevalence": sizes_matter.matter,
                "prevalence_known_by": sizes_matter.known_by,
            }
        )
    frame = ResultTable(table)
    frame["class"] = pd.Series([row.label for row in rows], dtype=object)
    if confidence is None:
        del frame["confidence"]
    return frame


def _remark_on_groups(interval: Interval | None) -> str:
    """State what groups are worth for an interval, in sentences; empty without groups."""
    if interval is None or interval.grouping is None:
        return ""
    return " ".join(filter(None, [f"{interval.grouping}.", interval.remark]))


@lru_cache(maxsize=1024)
def _sizes_matter(given: Measure | Metric, classes: int) -> SizesMatter:
    """Return whether class sizes matter to a measure, or to a metric against the rest."""
    if isinstance(given, Measure):
        return class_sizes_matter(given, classes)
    if classes == 2:  # proofs for all registered metrics take 5 s
        return SizesMatter(prevalence_matters(given), "search")
    return class_sizes_matter(of_class(given, 0), classes)


def _refuse_areas(metrics: Iterable[Any]) -> None:
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
