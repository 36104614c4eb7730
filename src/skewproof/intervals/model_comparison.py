"""Difference between two models on the same instances, with an interval.

docs/evidence/coverage.md measures the errors of the comparison.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, overload

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtr

from skewproof.core.algebra import Array
from skewproof.core.arguments import expect, expect_confidence, expect_seed, expect_whole
from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.labels import CountedPairs, check_pos_label, counted_triples, has_more_than_two
from skewproof.core.metric import Metric
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
from skewproof.intervals.two_classes import MOST_DRAWS, check_total, drawn_shares
from skewproof.multiclass.declaration import Measure
from skewproof.multiclass.lookup import as_measure, as_metric_or_measure
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
    >>> from skewproof import compare_models
    >>> from skewproof.metrics import accuracy
    >>> found = compare_models(accuracy, [1, 0, 1, 0], [1, 0, 0, 0], [1, 0, 1, 0])
    >>> found.metric, found.value
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
def compare_models(
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
    seed: int = ...,
) -> Difference: ...


@overload
def compare_models(
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
    seed: int = ...,
) -> pd.DataFrame: ...


def compare_models(
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
    seed: int = 0,
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
        As for :func:`skewproof.interval`.
    y_true, first, second
        True labels, and the labels that each model predicts; they and `pos_label` as for
        :meth:`skewproof.ConfusionMatrix.from_labels`, with the same errors.
    at, total
        Prevalence of the difference, as for :func:`skewproof.interval`. An uncertain prevalence is
        drawn too: from its posterior with 1/2 added to each class, or from the belief. For a range
        the interval is the envelope of those at several places of the range. A prevalence estimated
        without labels is refused, since it belongs to the rates of one reference.
    confidence
        Level of the interval, in (0, 1).
    draws, seed
        Number of draws, at most ten million, and their seed, a whole number of at least 0.

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
        its range.

    Examples
    --------
    The second model finds one more of the 50 positives, too little to tell the two apart:

    >>> import numpy as np
    >>> from skewproof import compare_models
    >>> from skewproof.metrics import true_positive_rate
    >>> true = np.repeat([1, 0], 50)
    >>> first, second = true * (np.arange(100) < 40), true * (np.arange(100) < 41)
    >>> found = compare_models(true_positive_rate, true, first, second)
    >>> round(found.value, 2), found.low < 0 < found.high
    (0.02, True)
    """
    for one in metric if isinstance(metric, list | tuple) else [metric]:
        known = isinstance(one, str | Metric | Measure)
        expect(known, "metric", one, "a metric, its key or name, or a formula")
    check_pos_label(pos_label)
    many = pos_label == 1 and has_more_than_two(y_true=y_true, first=first, second=second)
    if isinstance(metric, list | tuple):
        options: dict[str, Any] = {"pos_label": pos_label, "at": at, "total": total}
        options |= {"confidence": confidence, "draws": draws, "seed": seed}
        expect(bool(metric), "metric", metric, "at least one")
        chosen = dict.fromkeys(
            as_measure(one) if many else as_metric_or_measure(one) for one in metric
        )
        return frame_of(lambda one: compare_models(one, y_true, first, second, **options), chosen)
    metric = as_measure(metric) if many else as_metric_or_measure(metric)
    expect_confidence("confidence", confidence)
    if isinstance(metric, Measure):
        where = Prevalence.given(at)
        return _difference_of_classes(
            metric, counted_triples(y_true, first, second), where, total, float(confidence)
        )
    where = Prevalence.given(at).for_two_classes().for_any_rates()
    check_total(metric, where, total)
    draws, seed = expect_whole("draws", draws, 1, MOST_DRAWS), expect_seed(seed)
    matrices = [
        _matrix(name, y_true, labels, pos_label)
        for name, labels in (("first", first), ("second", second))
    ]
    positive, by_first, by_second = (
        np.asarray(labels) == pos_label for labels in (y_true, first, second)
    )
    # A row per class, a column per case: called positive by neither, the second, the first, both.
    ways = np.bincount(4 * positive + 2 * by_first + by_second, minlength=8).reshape(2, 4)
    if not ways.sum(axis=1).all():
        raise ValueError("y_true has an empty class: expected instances of both classes")
    random = np.random.default_rng(seed)
    rates = _drawn_rates(ways, draws, random)
    sizes = ways[1].sum(), ways[0].sum()
    if where.elsewhere:
        rest = float(sum(sizes)) if total is None else float(total)
        matrices = [
            ConfusionMatrix.from_rates(
                one.tpr, one.fpr, positives=rest * where.share, negatives=rest * (1 - where.share)
            )
            for one in matrices
        ]
    with np.errstate(invalid="ignore"):  # inf less inf is NaN
        value = float(metric(matrices[1]) - metric(matrices[0]))
        differences = [
            metric(ConfusionMatrix.from_rates(**rates[1], **classes))
            - metric(ConfusionMatrix.from_rates(**rates[0], **classes))
            for classes in _drawn_sizes(sizes, where, total, draws, random)
        ]
    low, high, undefined = np.transpose([_quantiles(some, confidence) for some in differences])
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
        float(confidence),
        where,
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
    of = PairedRows.at(rows, at, labels, totals)
    function, gradient = of.value(measure), of.gradient(measure)
    found = extremes(function, of.proportions, radius_of(confidence), gradient)
    with np.errstate(invalid="ignore"):  # inf less inf is NaN
        before, after = (np.float64(measure_at(measure, one, at, total)) for one in models)
        value = float(after - before)
    distance = distance_to_zero(function, of.proportions, gradient)[0]
    return Difference(
        measure.key,
        value,
        float(np.fmin(found.low[0], value)),
        float(np.fmax(found.high[0], value)),
        float(ndtr(np.sign(value) * distance)),
        bool(found.undefined[0]),
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
    """Return the class sizes at which rates are compared, one entry for each place of a range."""
    positives, negatives = map(float, sizes)
    if at.kind == "test set" and total is None:
        return [{"positives": positives, "negatives": negatives}]
    instances = positives + negatives if total is None else float(total)
    shares = drawn_shares(at, positives, negatives, draws, random)
    return [{"positives": instances * one, "negatives": instances * (1 - one)} for one in shares]


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
