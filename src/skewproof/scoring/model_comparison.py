"""Difference between two models on the same instances, with an interval.

docs/evidence/coverage.md measures the errors of the comparison.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, overload

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtr

from skewproof.core.algebra import Array
from skewproof.core.arguments import expect, expect_confidence, expect_whole, seed_of
from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.labels import CountedPairs, counted_triples
from skewproof.core.metric import Metric
from skewproof.curves.areas.area import AREAS
from skewproof.intervals.class_rows import (
    ConditionalBinomials,
    PairedRows,
    check_measure_total,
    check_observed_classes,
    measure_at,
    pairs_of_hits_first,
)
from skewproof.intervals.deviations import PRIOR
from skewproof.intervals.estimates import Estimate, frame_of
from skewproof.intervals.extremes import distance_to_zero, extremes, radius_of
from skewproof.intervals.metric_interval import metrics_of_labels
from skewproof.intervals.other_rates import for_other_rates
from skewproof.intervals.two_classes import MOST_DRAWS, check_total
from skewproof.multiclass.declaration import Measure
from skewproof.multiclass.matrix import MulticlassConfusionMatrix
from skewproof.prevalence.prevalence import At, Prevalence
from skewproof.reporting.summary import Summary

DEFAULT_DRAWS = 10_000
"""Number of draws by default: a 2.5 % quantile is accurate to about a tenth of the width."""


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
    """Share of the draws in which the second model is better, with ties counted half; for a measure
    of any number of classes, the normal probability of the radius at which the ball reaches 0."""

    undefined: float | bool
    """Share of the draws in which the difference is undefined; for a measure of any number of
    classes, whether it is undefined at some of the examined rates. These are left out."""

    confidence: float
    """Level of the interval."""

    at: Prevalence
    """Prevalence of the interval."""

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
        if isinstance(self.undefined, bool):
            facts = [("Second model better", f"with probability {self.probability:.1%}")]
            if self.undefined:
                facts.append(("Undefined", "at some rates, left out"))
        else:
            facts = [("Second model better", f"in {self.probability:.1%} of the draws")]
            if self.undefined:
                facts.append(("Undefined", f"in {self.undefined:.1%} of the draws, left out"))
        title = f"Difference in {self._with_ends}"
        return Summary(
            title, verdict=self.verdict, paragraphs=[f"{self._terms}."], facts=facts
        ).to_html()


@overload
def compare(
    metric: str | Metric | Measure,
    y_true: ArrayLike,
    first: ArrayLike,
    second: ArrayLike,
    *,
    pos_label: Any = ...,
    at: At = ...,
    total: float | None = ...,
    confidence: float = ...,
    draws: int = ...,
    rng: int | np.random.Generator = ...,
) -> Difference: ...


@overload
def compare(
    metric: list[Any] | tuple[Any, ...],
    y_true: ArrayLike,
    first: ArrayLike,
    second: ArrayLike,
    *,
    pos_label: Any = ...,
    at: At = ...,
    total: float | None = ...,
    confidence: float = ...,
    draws: int = ...,
    rng: int | np.random.Generator = ...,
) -> pd.DataFrame: ...


def compare(
    metric: str | Metric | Measure | list[Any] | tuple[Any, ...],
    y_true: ArrayLike,
    first: ArrayLike,
    second: ArrayLike,
    *,
    pos_label: Any = 1,
    at: At = "population",
    total: float | None = None,
    confidence: float = 0.95,
    draws: int = DEFAULT_DRAWS,
    rng: int | np.random.Generator = 0,
) -> Difference | pd.DataFrame:
    """Compare two models on the same instances.

    Each class has four shares: of the instances that both models call positive, only the first,
    only the second, or neither. They are drawn from their posterior under Jeffreys' prior, the
    Dirichlet distribution with 1/2 added to each of the four counts. The interval is the
    equal-tailed one of the differences, widened to include the observed difference if needed.

    With more than two classes, and for every measure of any number of classes, the interval is that
    of :func:`skewproof.interval`, and nothing is drawn: the rates of each row are those of the
    pairs of answers, both hits first, then a single one, then none.

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
    at, total
        Prevalence of the difference, as for :func:`skewproof.interval`. An uncertain prevalence is
        drawn too: from its posterior with 1/2 added to each class, or from the belief. For a range
        the interval is the envelope of those at several prevalences of it. A prevalence of two
        classes that is estimated without labels counts as the range of its interval, around the
        estimate; those of named classes are refused, since they belong to the rates of one
        reference.
    confidence
        Level of the interval, in (0, 1).
    draws, rng
        Number of draws, at most ten million, and a generator of NumPy or a seed, a whole number of
        at least 0.

    Returns
    -------
    The difference with its interval. For a list, a frame with a row for each metric, its key in the
    column metric, all from the same draws. The difference is infinite if one value is, and NaN if
    both are equally infinite or one is undefined. Drawn rates are never 0 or 1, so that the
    interval of a declared metric is then that of finite values, extended to the observed difference
    if there is one.

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
    draws, seed = expect_whole("draws", draws, 1, MOST_DRAWS), seed_of(rng)
    where = Prevalence.given(at)
    differences = [
        _difference_of_classes(
            known, counted_triples(y_true, first, second), where, total, confidence
        )
        if isinstance(known, Measure)
        else _difference_of_two(
            known, (y_true, first, second), pos_label, where, total, confidence, draws, seed
        )
        for known in metrics
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


def _difference_of_two(
    metric: Metric,
    labels: tuple[ArrayLike, ArrayLike, ArrayLike],
    pos_label: Any,
    at: Prevalence,
    total: float | None,
    confidence: float,
    draws: int,
    seed: int,
) -> Difference:
    """Draw the difference in a metric of two classes, from true labels and those of two models."""
    at = for_other_rates(at, confidence)
    check_total(metric, at, total)
    matrices = [
        _matrix(name, labels[0], predicted, pos_label)
        for name, predicted in zip(("first", "second"), labels[1:], strict=True)
    ]
    positive, by_first, by_second = (np.asarray(column) == pos_label for column in labels)
    # A row per class, a column per case: called positive by neither, the second, the first, both.
    ways = np.bincount(4 * positive + 2 * by_first + by_second, minlength=8).reshape(2, 4)
    if not ways.sum(axis=1).all():
        raise ValueError("y_true has an empty class: expected instances of both classes")
    random = np.random.default_rng(seed)
    rates = _drawn_rates(ways, draws, random)
    sizes = ways[1].sum(), ways[0].sum()
    if at.elsewhere:
        instances = float(sum(sizes)) if total is None else float(total)
        positives, negatives = instances * at.share, instances * (1 - at.share)
        matrices = [
            ConfusionMatrix.from_rates(
                matrix.tpr, matrix.fpr, positives=positives, negatives=negatives
            )
            for matrix in matrices
        ]
    with np.errstate(invalid="ignore"):  # inf less inf is NaN
        value = float(metric(matrices[1]) - metric(matrices[0]))
        differences = [
            metric(ConfusionMatrix.from_rates(**rates[1], **classes))
            - metric(ConfusionMatrix.from_rates(**rates[0], **classes))
            for classes in _drawn_sizes(sizes, at, total, draws, random)
        ]
    low, high, undefined = np.transpose([_quantiles(drawn, confidence) for drawn in differences])
    middle = differences[len(differences) // 2]
    known = middle[~np.isnan(middle)]
    signs = np.sign(-known if metric.lower_is_better else known)
    better = float(np.mean((signs + 1) / 2)) if known.size else float("nan")
    return Difference(
        metric.key,
        value,
        float(np.fmin(np.fmin.reduce(low), value)),
        float(np.fmax(np.fmax.reduce(high), value)),
        better,
        float(undefined.max()),
        confidence,
        at,
    )


def _difference_of_classes(
    measure: Measure, counted: CountedPairs, at: Prevalence, total: float | None, confidence: float
) -> Difference:
    """Compute the difference in a measure of any number of classes, from triples of answers."""
    counts, labels = counted.counts, counted.classes
    models = [MulticlassConfusionMatrix(counts.sum(axis=axis), labels) for axis in (2, 1)]
    check_observed_classes(models[0], "y_true")
    check_measure_total(measure, models[0], at, total)
    pairs = counts.reshape(1, len(labels), -1)
    rows = ConditionalBinomials(pairs, pairs_of_hits_first(pairs))
    totals = None if total is None else np.array([float(total)])
    paired = PairedRows.at(rows, at, labels, totals)
    function, gradient = paired.value(measure), paired.gradient(measure)
    ends = extremes(function, paired.proportions, radius_of(confidence), gradient)
    with np.errstate(invalid="ignore"):  # inf less inf is NaN
        before, after = (np.float64(measure_at(measure, model, at, total)) for model in models)
        value = float(after - before)
    distance = distance_to_zero(function, paired.proportions, gradient)[0]
    return Difference(
        measure.key,
        value,
        float(np.fmin(ends.low[0], value)),
        float(np.fmax(ends.high[0], value)),
        float(ndtr(np.sign(value) * distance)),
        bool(ends.undefined[0]),
        confidence,
        at,
    )


def _matrix(name: str, y_true: ArrayLike, labels: ArrayLike, pos_label: Any) -> ConfusionMatrix:
    """Count a model's predictions, whose argument an error names."""
    try:
        return ConfusionMatrix.from_labels(y_true, labels, pos_label=pos_label)
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from None


def _drawn_rates(
    ways: NDArray[np.intp], draws: int, random: np.random.Generator
) -> list[dict[str, Array]]:
    """Draw rates of both models from the posterior, given the counts."""
    negatives, positives = (random.dirichlet(row + PRIOR, draws).T for row in ways)
    return [
        {
            "tpr": positives[called].sum(axis=0),
            "fpr": negatives[called].sum(axis=0),
            "fnr": positives[not_called].sum(axis=0),
            "tnr": negatives[not_called].sum(axis=0),
        }
        for called, not_called in (([2, 3], [0, 1]), ([1, 3], [0, 2]))
    ]


def _drawn_sizes(
    sizes: tuple[int, int],
    at: Prevalence,
    total: float | None,
    draws: int,
    random: np.random.Generator,
) -> list[dict[str, Any]]:
    """Return the class sizes at which rates are compared, an entry for each prevalence."""
    positives, negatives = map(float, sizes)
    if at.is_exact and not at.elsewhere and total is None:
        return [{"positives": positives, "negatives": negatives}]
    instances = positives + negatives if total is None else float(total)
    shares = at.drawn_shares(positives, negatives, draws, random)
    return [
        {"positives": instances * share, "negatives": instances * (1 - share)} for share in shares
    ]


def _quantiles(drawn: Array, confidence: float) -> tuple[float, float, float]:
    """Return the ends of the equal-tailed interval of defined values, and the undefined share.

    If values are infinite, an end is one of the values, since none lies between.
    """
    known = drawn[~np.isnan(drawn)]
    undefined = 1 - known.size / drawn.size
    if not known.size:
        return float("nan"), float("nan"), undefined
    ends = [(1 - confidence) / 2, (1 + confidence) / 2]
    if np.isfinite(known).all():
        low, high = np.quantile(known, ends)
    else:
        low, high = np.quantile(known, ends, method="inverted_cdf")
    return float(low), float(high), undefined
