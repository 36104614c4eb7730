"""A metric of two classes at a prevalence: its values, and the ends of its intervals."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq
from scipy.special import betaincinv, expit, logit

from skewproof.core.algebra import Array, ratio
from skewproof.core.arguments import expect, expect_number
from skewproof.core.confusion import CELLS, ConfusionMatrix
from skewproof.core.metric import Metric
from skewproof.intervals.class_rows import WORTH
from skewproof.intervals.deviations import MOST_INSTANCES, PRIOR
from skewproof.intervals.extremes import Extremes, Function, Proportions, Rows, extremes
from skewproof.prevalence.prevalence import RANGE_POINTS, RAREST, Prevalence
from skewproof.sensitivity.proofs.invariance import size_matters

MOST_DRAWS = 10_000_000
"""Most draws, which fit into two gigabytes."""


class Estimates(NamedTuple):
    """A metric of many slices with the ends of its intervals, in arrays of the shape (slices,)."""

    values: Array
    low: Array
    high: Array

    undefined: NDArray[np.bool_]
    """True if the metric is undefined at some of the examined rates."""


def estimates_at(
    metric: Metric,
    proportions: Proportions,
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
    proportions
        Prevalence, true positive rate and false positive rate of each slice, in rows.
    at
        Prevalence of the intervals, for two classes.
    radius
        Radius of the ball of deviations.
    sizes
        Number of instances of each slice there, on which few metrics depend.
    """
    rates = proportions.some(slice(1, None))
    if at.ends:
        return _envelope(metric, rates, sizes, at, radius)
    varied, share = rates, None
    if at.is_exact:
        share = np.full(len(sizes), at.share) if at.elsewhere else proportions.observed[0]
    elif at.elsewhere:
        varied = row_of(at, len(sizes)).beside(rates)
    else:
        varied = proportions
    function = metric_of_proportions(metric, sizes, share)
    span = extremes(function, varied, radius)
    values = function(varied.observed, varied.slices)
    ends = np.fmin(span.low, values), np.fmax(span.high, values)
    return Estimates(values, *ends, span.undefined)


def row_of(
    at: Prevalence, slices: int, class_sizes: tuple[float, float] = (0.0, 0.0)
) -> Proportions:
    """Return an uncertain prevalence as a proportion, the same for all slices.

    The class sizes are those of the test set, for the prevalence of its population.
    """
    counts = at.counts_behind(*class_sizes)
    assert counts is not None
    share = at.share if at.elsewhere else counts[0] / sum(counts)
    hits, misses, stated = (np.full((1, slices), float(number)) for number in (*counts, share))
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
    points = logit(at.points(None))
    slices = rates.slices

    def extremes_at(log_odds: Array) -> Extremes:
        """Find extremes at log odds of the shape (slices, points)."""
        rows = np.repeat(slices, RANGE_POINTS)
        function = metric_of_proportions(metric, sizes[rows], expit(log_odds.ravel()))
        span = extremes(function, rates.at(rows), radius)
        low, high = span.low.reshape(log_odds.shape), span.high.reshape(log_odds.shape)
        return Extremes(low, high, span.undefined.reshape(log_odds.shape))

    def near(best: Array) -> Array:
        below, above = np.maximum(best - 1, 0), np.minimum(best + 1, len(points) - 1)
        return np.linspace(points[below], points[above], RANGE_POINTS, axis=1)

    coarse = extremes_at(np.tile(points, (len(slices), 1)))
    lows = np.where(np.isnan(coarse.low), np.inf, coarse.low)
    highs = np.where(np.isnan(coarse.high), -np.inf, coarse.high)
    low = np.fmin.reduce(extremes_at(near(lows.argmin(axis=1))).low, axis=1)
    high = np.fmax.reduce(extremes_at(near(highs.argmax(axis=1))).high, axis=1)
    middle = metric_of_proportions(metric, sizes, np.full(len(slices), at.share))
    values = middle(rates.observed, slices)
    ends = np.fmin(low, values), np.fmax(high, values)
    return Estimates(values, *ends, np.any(coarse.undefined, axis=1))


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
    there = float(matrix.total) if at.instances is None else at.instances
    instances = there if total is None else total
    share = at.share if at.elsewhere else float(ratio(matrix.positives, matrix.total))
    function = metric_of_proportions(metric, np.array([instances]), np.array([share]))
    rates = np.array([[float(matrix.tpr)], [float(matrix.fpr)]])
    return float(function(rates, np.array([0]))[0])


def negatives_needed(fpr: float, confidence: float) -> float:
    """Return how many negatives, none called positive, bound a false positive rate.

    The bound is the upper end of Jeffreys' interval.

    Examples
    --------
    >>> round(negatives_needed(0.001, 0.95))
    2510
    """
    tail = (1 + confidence) / 2

    def beyond(log_negatives: float) -> float:
        return float(betaincinv(PRIOR, math.exp(log_negatives) + PRIOR, tail)) - fpr

    return math.exp(brentq(beyond, -10, 60)) if 0 < fpr < 0.9 else 0.0


def check_total(metric: Metric, at: Prevalence, total: float | None) -> None:
    """Refuse an invalid number of instances, or a missing one for a metric that depends on it.

    Raises
    ------
    ValueError
        If so; the message names the metric.
    """
    if total is not None:
        expect_number("total", total, above=0)
    elif at.elsewhere and at.instances is None and size_matters(metric):
        raise ValueError(
            f"total = None: expected the number of instances {at.where}, on which {metric.key}"
            " depends"
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


def expect_reference(matrix: ConfusionMatrix, at: Prevalence) -> None:
    """Refuse any matrix other than the reference with which a prevalence was estimated.

    Raises
    ------
    ValueError
        If it is another one.
    """
    if at.estimate is None:
        return
    given, expected = (
        [getattr(compared, cell) for cell in CELLS] for compared in (matrix, at.estimate.reference)
    )
    same = np.array_equal(given, expected)
    message = "the prevalence's own reference, since both are estimated together"
    expect(same, "matrix", matrix, message)
