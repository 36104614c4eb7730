"""Uncertainty of a metric's value: its interval, from one confusion matrix.

docs/evidence/coverage.md measures its coverage.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, NamedTuple, overload

import numpy as np
from numpy.typing import NDArray
from scipy.special import betaincinv, expit, logit, ndtri

from skewproof.core.algebra import Array, ratio
from skewproof.core.arguments import expect, expect_confidence, expect_number
from skewproof.core.confusion import CELLS, ConfusionMatrix, Origin
from skewproof.core.metric import Metric
from skewproof.core.weights import sampled_sizes
from skewproof.intervals.class_rows import (
    WORTH,
    ClassRows,
    check_measure_total,
    check_observed_classes,
    measure_at,
    observed_rows,
    unobserved_classes,
)
from skewproof.intervals.deviations import MOST_INSTANCES, PRIOR
from skewproof.intervals.extremes import (
    Extremes,
    Function,
    Proportions,
    Rows,
    extremes,
)
from skewproof.metrics.lookup import as_metric, as_metrics
from skewproof.multiclass import as_measure, as_measures
from skewproof.multiclass.declaration import Measure
from skewproof.multiclass.matrix import MulticlassConfusionMatrix
from skewproof.prevalence.prevalence import RAREST, At, Prevalence
from skewproof.prevalence.projection import project
from skewproof.reporting.summary import Summary
from skewproof.sensitivity.proofs.invariance import size_matters

if TYPE_CHECKING:
    import pandas as pd


RANGE_POINTS = 33
"""Number of prevalences within a range at which extremes are found, and again between the neighbors
of the best."""


class Estimate:
    """Common base of an interval and a difference, with their text."""

    metric: str
    value: float
    low: float
    high: float
    confidence: float
    at: Prevalence

    @property
    def _with_ends(self) -> str:
        value, low, high = in_digits_of_width(self.value, self.low, self.high)
        return f"{self.metric} {self.at.where}: {value} ({low} to {high})"

    @property
    def _terms(self) -> str:
        return f"{percent(self.confidence)}, {self.at.assumption}"

    def __str__(self) -> str:
        return f"{self._with_ends}, {self._terms}"

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self})"


@dataclass(frozen=True, repr=False)
class Interval(Estimate):
    """Value of a metric with its interval.

    Examples
    --------
    >>> from skewproof import ConfusionMatrix, f1, interval
    >>> found = interval(f1, ConfusionMatrix(tp=40, fp=30, fn=10, tn=170), at="1:1000")
    >>> found.low < found.value < found.high
    True
    >>> found.metric, found.confidence, str(found.at)
    ('f1', 0.95, '1:1000')
    """

    metric: str
    """The metric's key."""

    value: float
    """The metric at the observed rates and the prevalence that `at` stands for; NaN if it is
    undefined there."""

    low: float
    high: float

    undefined: bool
    """True if the metric is undefined at some of the examined rates, which are left out."""

    confidence: float
    """Level of the interval."""

    at: Prevalence
    """Prevalence of the interval."""

    remark: str = ""
    """Further remark on the interval, in a sentence."""

    def __str__(self) -> str:
        return f"{super().__str__()}. {self.remark}" if self.remark else super().__str__()

    def _repr_html_(self) -> str:
        left_out = "Rates at which the metric is undefined are left out." if self.undefined else ""
        paragraphs = [f"{self._terms}.", left_out, self.remark]
        return Summary(self._with_ends, paragraphs=list(filter(None, paragraphs))).to_html()


def percent(confidence: float) -> str:
    """Write a level of confidence.

    Examples
    --------
    >>> percent(0.95), percent(0.999)
    ('95 %', '99.9 %')
    """
    return f"{100 * confidence:.6g} %"


def in_digits_of_width(value: float, low: float, high: float) -> tuple[str, str, str]:
    """Write three numbers with so many decimals that the last is at most a twentieth of the width.

    Examples
    --------
    >>> in_digits_of_width(0.0314159, 0.0091, 0.0953), in_digits_of_width(1.0, 0.99986, 1.0)
    (('0.031', '0.009', '0.095'), ('1.000000', '0.999860', '1.000000'))
    """
    width = high - low
    if not math.isfinite(width) or width <= 0:
        return f"{value:.4g}", f"{low:.4g}", f"{high:.4g}"
    decimals = max(0, math.ceil(math.log10(20 / width)))
    return f"{value:.{decimals}f}", f"{low:.{decimals}f}", f"{high:.{decimals}f}"


@overload
def interval(
    metric: str | Metric | Measure,
    matrix: ConfusionMatrix | MulticlassConfusionMatrix,
    *,
    at: At = ...,
    total: float | None = ...,
    confidence: float = ...,
) -> Interval: ...


@overload
def interval(
    metric: list[Any] | tuple[Any, ...],
    matrix: ConfusionMatrix | MulticlassConfusionMatrix,
    *,
    at: At = ...,
    total: float | None = ...,
    confidence: float = ...,
) -> pd.DataFrame: ...


def interval(
    metric: str | Metric | Measure | list[Any] | tuple[Any, ...],
    matrix: ConfusionMatrix | MulticlassConfusionMatrix,
    *,
    at: At = "population",
    total: float | None = None,
    confidence: float = 0.95,
) -> Interval | pd.DataFrame:
    """Compute an interval for a metric where the classifier will run, from one confusion matrix.

    The instances are assumed to be independent. The ends are the metric's extremes over a
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

    In a matrix of any number of classes the rates are those of each row: the share of hits, then
    the share of the commonest other class among the misses, and so on. Uncertain class sizes are a
    sequence of the same form. If a class was not observed, a measure that depends on its rates is
    NaN with a remark, and the interval of any other measure allows for any such rates.

    docs/evidence/coverage.md and docs/evidence/multiclass_coverage.md measure the coverage of the
    intervals.

    Parameters
    ----------
    metric
        The metric, its key or name as for :func:`skewproof.get_metric`, or a formula as for
        :func:`skewproof.parse_metric`; for a matrix of any number of classes a measure, declared or
        made by :func:`skewproof.measure`, or its key or name; or a list of several.
    matrix
        One matrix of observed instances, with 1e-12 to 1e12 of each class: beyond, quantiles lose
        digits. Measures of any number of classes need a
        :class:`skewproof.MulticlassConfusionMatrix`. A projected matrix stands for its origin, at
        the prevalence to which it is projected. Counts may be fractions, such as effective numbers
        of independent instances, and count as numbers of instances. Sums of weights, which
        :meth:`skewproof.ConfusionMatrix.from_labels` computes, know the classes' effective sizes.
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
          .from_scores: the prevalence of unlabeled instances, estimated with the rates of `matrix`,
          which is their reference.

        For a matrix of any number of classes these are mappings from each class to its number, or
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
        If `metric` is not a metric, or `matrix` is not a matrix or is one of rates; if one of two
        classes is empty, so that a rate is unknown, or a class has more or fewer instances than
        stated above; if `total` is missing; or if an option is out of its range.

    Examples
    --------
    >>> from skewproof import ConfusionMatrix, Prevalence, accuracy, f1, interval
    >>> matrix = ConfusionMatrix(tp=40, fp=30, fn=10, tn=170)
    >>> print(interval(f1, matrix, at="1:1000"))
    f1 at 1:1000: 0.0105 (0.0075 to 0.0152), 95 %, if instances are independent and the classifier \
keeps its rates
    >>> print(interval(f1, matrix, at=Prevalence.sampled(12, 4000)))
    f1 at the prevalence of which a sample showed 12/4000: 0.031 (0.016 to 0.057), 95 %, if \
instances are independent and the classifier keeps its rates
    >>> print(interval(f1, matrix, at="test set"))
    f1 for these class sizes: 0.667 (0.577 to 0.742), 95 %, if instances are independent

    With ten of ten answers correct, errors are still possible:

    >>> found = interval(accuracy, ConfusionMatrix(tp=5, fp=0, fn=0, tn=5))
    >>> round(found.low, 2), found.high
    (0.75, 1.0)

    Name the share of each of several classes:

    >>> from skewproof import MulticlassConfusionMatrix
    >>> counts = [[80, 15, 5], [3, 10, 2], [0, 10, 90]]
    >>> pets = MulticlassConfusionMatrix(counts, labels=["cat", "dog", "owl"])
    >>> print(interval("macro_f1", pets, at={"cat": 0.6, "dog": 0.3, "owl": 0.1}))
    macro_f1 at cat=0.6, dog=0.3, owl=0.1: 0.734 (0.623 to 0.820), 95 %, if instances are \
independent and the classifier keeps its rates
    """
    of_classes = isinstance(matrix, MulticlassConfusionMatrix)
    if isinstance(metric, list | tuple):
        options: dict[str, Any] = {"at": at, "total": total, "confidence": confidence}
        chosen = as_measures(metric) if of_classes else as_metrics(metric)
        return frame_of(lambda one: interval(one, matrix, **options), chosen)
    expect_confidence("confidence", confidence)
    if isinstance(matrix, MulticlassConfusionMatrix):
        return _interval_of_classes(
            as_measure(metric), matrix, Prevalence.given(at), total, float(confidence)
        )
    if isinstance(metric, Measure):
        raise ValueError(
            f"metric = {metric.key}, of any number of classes: expected a MulticlassConfusionMatrix"
        )
    metric = as_metric(metric)
    expected = "a ConfusionMatrix or a MulticlassConfusionMatrix"
    expect(isinstance(matrix, ConfusionMatrix), "matrix", matrix, expected)
    where = Prevalence.given(at).for_two_classes()
    if matrix.origin is not None and _is_projection(matrix, matrix.origin):
        total = float(matrix.total) if total is None else total
        where = where if where.elsewhere else matrix.origin.at
        matrix = matrix.origin.matrix
    if where.reference is not None:
        from skewproof.intervals.estimated_prevalence import interval_without_labels

        expect_reference(matrix, where)
        check_total(metric, where, total)
        return interval_without_labels(metric, where, confidence=confidence, total=total)
    worth = matrix.effective_counts
    check_observed(worth)
    check_total(metric, where, total)
    tp, fp, fn, tn = (np.array([float(getattr(worth, cell))]) for cell in CELLS)
    class_sizes = np.array([float(matrix.positives), float(matrix.negatives)])
    positives, negatives = sampled_sizes(class_sizes, np.append(tp + fn, fp + tn))[:, np.newaxis]
    of = Proportions(np.array([positives, tp, fp]), np.array([negatives, fn, tn]))
    sizes = np.array([float(matrix.total if total is None else total)])
    found = estimates_at(metric, of, where, radius_of(confidence), sizes=sizes)
    value = value_at(metric, matrix, where, total)
    return Interval(
        metric.key,
        value,
        float(np.fmin(found.low[0], value)),
        float(np.fmax(found.high[0], value)),
        bool(found.undefined[0]),
        float(confidence),
        where,
        _remark(worth, where, confidence),
    )


def _is_projection(matrix: ConfusionMatrix, origin: Origin) -> bool:
    """Return whether a matrix is the unchanged projection of one matrix."""
    if matrix.shape:
        return False
    again = project(origin.matrix, at=origin.at)
    found, expected = ([getattr(one, cell) for cell in CELLS] for one in (matrix, again))
    return np.allclose(found, expected, rtol=1e-9, atol=0)


def _interval_of_classes(
    measure: Measure,
    matrix: MulticlassConfusionMatrix,
    at: Prevalence,
    total: float | None,
    confidence: float,
) -> Interval:
    """Compute the interval of a measure of any number of classes."""
    if matrix.origin is not None and matrix.counts.ndim == 2:
        total = float(matrix.total) if total is None else total
        at = at if at.elsewhere else matrix.origin.at
        matrix = matrix.origin.matrix
    check_observed_classes(matrix.effective_counts, every=False)
    check_measure_total(measure, matrix, at, total)
    value, of = measure_at(measure, matrix, at, total), observed_rows(matrix, at, total)
    return measure_interval(measure, value, of, at, confidence, unobserved_classes(matrix))


def measure_interval(
    measure: Measure,
    value: float,
    of: ClassRows,
    at: Prevalence,
    confidence: float,
    unobserved: str = "",
) -> Interval:
    """Compute the interval of a measure of any number of classes from the rows of one matrix.

    The interval includes the observed value. If this is undefined and classes are `unobserved`, the
    ends are NaN, and the remark is that sentence.

    Raises
    ------
    ValueError
        If prevalences are estimated without labels, and the predictions do not determine them.
    """
    if at.without_labels:
        from skewproof.intervals.estimated_classes import check_classes

        check_classes(at, confidence)
    if unobserved and math.isnan(value):
        ends = math.nan, math.nan
        return Interval(measure.key, value, *ends, True, confidence, at, unobserved)
    function, radius = of.value(measure), radius_of(confidence)
    found = extremes(function, of.proportions, radius, of.gradient(measure))
    low, high = float(np.fmin(found.low[0], value)), float(np.fmax(found.high[0], value))
    undefined, remark = bool(found.undefined[0]), ""
    if at.without_labels:
        from skewproof.intervals.estimated_classes import remark_on

        remark = remark_on(at, confidence, measure)
    return Interval(measure.key, value, low, high, undefined, confidence, at, remark)


def expect_reference(matrix: ConfusionMatrix, at: Prevalence) -> None:
    """Refuse any matrix other than the reference with which a prevalence was estimated.

    Raises
    ------
    ValueError
        If it is another one.
    """
    if at.reference is None:
        return
    found, expected = ([getattr(one, cell) for cell in CELLS] for one in (matrix, at.reference))
    same = np.array_equal(found, expected)
    message = "the prevalence's own reference, since both are estimated together"
    expect(same, "matrix", matrix, message)


def value_at(
    metric: Metric, matrix: ConfusionMatrix, at: Prevalence, total: float | None = None
) -> float:
    """Compute a metric of one matrix at the prevalence that `at` stands for.

    Raises
    ------
    ValueError
        If that is not the matrix's own prevalence, and a class is empty, so that a rate is unknown;
        or if the prevalence was estimated with another reference than the matrix.
    """
    expect_reference(matrix, at)
    if not at.elsewhere and total is None:
        return float(metric(matrix))
    for name, size in (("positives", matrix.positives), ("negatives", matrix.negatives)):
        if not size > 0:
            raise ValueError(f"the matrix has no {name}: expected instances of both classes")
    there = float(matrix.total) if at.reference is None else at.numbers[1]
    instances = there if total is None else total
    share = at.share if at.elsewhere else float(ratio(matrix.positives, matrix.total))
    function = metric_of_proportions(metric, np.array([instances]), np.array([share]))
    rates = np.array([[float(matrix.tpr)], [float(matrix.fpr)]])
    return float(function(rates, np.array([0]))[0])


def radius_of(confidence: float) -> float:
    """Return the radius of the ball of deviations at a level of confidence."""
    return float(ndtri((1 + confidence) / 2))


def check_total(metric: Metric, at: Prevalence, total: float | None) -> None:
    """Refuse an invalid number of instances, or a missing one for a metric that depends on it.

    Raises
    ------
    ValueError
        If so; the message names the metric.
    """
    if total is not None:
        expect_number("total", total, above=0)
    elif at.elsewhere and at.reference is None and size_matters(metric):
        raise ValueError(
            f"total = None: expected the number of instances {at.where}, on which {metric.key}"
            " depends"
        )


class Estimates(NamedTuple):
    """A metric of many slices with the ends of its intervals, in arrays of the shape (slices,)."""

    values: Array
    low: Array
    high: Array

    undefined: NDArray[np.bool_]
    """True if the metric is undefined at some of the examined rates."""


def estimates_at(
    metric: Metric,
    of: Proportions,
    at: Prevalence,
    radius: float,
    *,
    sizes: Array,
) -> Estimates:
    """Compute a metric of many slices at one prevalence, with the ends of its intervals.

    Parameters
    ----------
    metric
        The metric.
    of
        Prevalence, true positive rate and false positive rate of each slice, in rows.
    at
        Prevalence of the intervals, for two classes.
    radius
        Radius of the ball of deviations.
    sizes
        Number of instances of each slice there, on which few metrics depend.
    """
    rates = of.some(slice(1, None))
    if at.kind == "between":
        return _envelope(metric, rates, sizes, at, radius)
    varied = rates
    if at.kind == "population":
        varied = of
    elif at.kind in ("sampled", "believed"):
        varied = row_of(at, len(sizes)).beside(rates)
    share = of.observed[0] if at.kind == "test set" else None
    if at.kind == "stated":
        share = np.full(len(sizes), at.share)
    function = metric_of_proportions(metric, sizes, share)
    found = extremes(function, varied, radius)
    values = function(varied.observed, varied.slices)
    ends = np.fmin(found.low, values), np.fmax(found.high, values)
    return Estimates(values, *ends, found.undefined)


def row_of(at: Prevalence, slices: int) -> Proportions:
    """Return the prevalence of a sample or of a belief as a proportion, the same for all slices."""
    first, second = at.numbers
    counts = first, second - first
    if at.kind == "believed":
        # A count of 0 would count as observed, and would have no deviations outside.
        counts = first - PRIOR or RAREST, second - PRIOR or RAREST
    hits, misses, stated = (np.full((1, slices), number) for number in (*counts, at.share))
    return Proportions(hits, misses, stated)


def metric_of_proportions(metric: Metric, sizes: Array, share: Array | None) -> Function:
    """Return a metric of slices as a function of both rates and, unless given, the prevalence."""

    def of_proportions(proportions: Array, rows: Rows) -> Array:
        *varied, tpr, fpr = proportions
        fixed = share[rows] if share is not None else varied[0]
        prevalence = np.clip(fixed, RAREST, 1 - RAREST)
        positives, negatives = sizes[rows] * prevalence, sizes[rows] * (1 - prevalence)
        return metric(
            ConfusionMatrix.from_rates(tpr, fpr, positives=positives, negatives=negatives)
        )

    return of_proportions


def _envelope(
    metric: Metric, rates: Proportions, sizes: Array, at: Prevalence, radius: float
) -> Estimates:
    """Find extremes over a range of prevalences: among points of it, and again near the best."""
    points = logit(places_in(at))
    slices = rates.slices

    def extremes_at(places: Array) -> Extremes:
        """Find extremes at log odds of the shape (slices, points)."""
        rows = np.repeat(slices, RANGE_POINTS)
        function = metric_of_proportions(metric, sizes[rows], expit(places.ravel()))
        found = extremes(function, rates.at(rows), radius)
        low, high = found.low.reshape(places.shape), found.high.reshape(places.shape)
        return Extremes(low, high, found.undefined.reshape(places.shape))

    def near(best: Array) -> Array:
        step = points[1] - points[0]
        around = points[best][:, np.newaxis] + np.linspace(-step, step, RANGE_POINTS)
        return np.clip(around, points[0], points[-1])

    coarse = extremes_at(np.tile(points, (len(slices), 1)))
    lows = np.where(np.isnan(coarse.low), np.inf, coarse.low)
    highs = np.where(np.isnan(coarse.high), -np.inf, coarse.high)
    low = np.fmin.reduce(extremes_at(near(lows.argmin(axis=1))).low, axis=1)
    high = np.fmax.reduce(extremes_at(near(highs.argmax(axis=1))).high, axis=1)
    middle = metric_of_proportions(metric, sizes, np.full(len(slices), at.share))
    values = middle(rates.observed, slices)
    ends = np.fmin(low, values), np.fmax(high, values)
    return Estimates(values, *ends, np.any(coarse.undefined, axis=1))


def places_in(at: Prevalence) -> Array:
    """Return prevalences of a range including both ends, evenly spaced in log odds."""
    first, last = logit(np.array(at.numbers))
    return expit(np.linspace(first, last, RANGE_POINTS))


def _remark(matrix: ConfusionMatrix, at: Prevalence, confidence: float) -> str:
    """State what a matrix without false positives cannot show about another prevalence."""
    if not at.elsewhere or float(matrix.fp) > 0 or float(matrix.tp) == 0:
        return ""
    seen = (
        f"No false positive among {float(matrix.negatives):g} negatives: precision is 1 at any"
        " prevalence."
    )
    if not at.share > 0:
        return seen
    needed = negatives_needed(float(matrix.tpr) * at.rarest / (1 - at.rarest), confidence)
    if needed <= matrix.negatives:
        return seen
    return (
        f"{seen} Showing that it is at least 1/2 {at.where} takes about {needed:,.0f} negatives"
        " without a false positive."
    )


def negatives_needed(fpr: float, confidence: float) -> float:
    """Return how many negatives, none called positive, bound a false positive rate.

    The bound is the upper end of Jeffreys' interval.

    Examples
    --------
    >>> round(negatives_needed(0.001, 0.95))
    2510
    """
    tail = (1 + confidence) / 2

    from scipy.optimize import brentq  # slow to import, and seldom needed

    def beyond(log_negatives: float) -> float:
        return float(betaincinv(PRIOR, math.exp(log_negatives) + PRIOR, tail)) - fpr

    return math.exp(brentq(beyond, -10, 60)) if 0 < fpr < 0.9 else 0.0


def frame_of(find: Callable[[Any], Any], metrics: Iterable[Metric | Measure]) -> pd.DataFrame:
    """Collect the results for several metrics or measures in a frame, a row each."""
    import pandas as pd

    return pd.DataFrame(
        {field.name: getattr(found, field.name) for field in fields(found)} | {"at": str(found.at)}
        for found in map(find, metrics)
    )


def check_observed(matrix: ConfusionMatrix, name: str = "the matrix") -> None:
    """Refuse anything but one matrix of observed instances of both classes.

    Raises
    ------
    ValueError
        If the matrix is projected, one of rates or of sums of weights, or has a shape; if a class
        is empty, or has so few or so many instances that quantiles lose digits.
    """
    expect(isinstance(matrix, ConfusionMatrix), "matrix", matrix, "a ConfusionMatrix")
    if matrix.unobserved:
        raise ValueError(
            f"{name} is {matrix.unobserved}: expected counts of instances that were observed"
        )
    if matrix.effective is not None:
        raise ValueError(f"{name} has sums of weights: expected counts, such as {WORTH}")
    if matrix.shape:
        raise ValueError(f"{name} has the shape {matrix.shape}: expected one matrix")
    with np.errstate(over="ignore"):
        sizes = {"positives": float(matrix.positives), "negatives": float(matrix.negatives)}
    for of_class, size in sizes.items():
        if np.isnan(size):
            raise ValueError(f"{name} has an undefined number of {of_class}: expected a number")
        if size == 0:
            raise ValueError(f"{name} has an empty class: expected instances of both classes")
        if not 1 / MOST_INSTANCES <= size <= MOST_INSTANCES:
            raise ValueError(
                f"{name} has {size:g} {of_class}: expected {1 / MOST_INSTANCES:g} to"
                f" {MOST_INSTANCES:g}"
            )
