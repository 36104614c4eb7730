"""Shares of a metric's variance due to the classifier and to wrong labels, by quadrature.

The four inputs are those of :mod:`skewproof.sensitivity.label_errors.model`. Tanh-sinh nodes in the
classifier's rates are dense at the edges, where metrics vary fastest under imbalance. The labels'
rates have Gauss-Legendre nodes in the logarithm of the apparent class sizes, since a few mislabeled
negatives outnumber rare positives.
"""

from __future__ import annotations

import functools
import logging
import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.polynomial.legendre import leggauss
from scipy import optimize

from skewproof.core.algebra import Array
from skewproof.core.arguments import expect_number
from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.levels import Level
from skewproof.core.messages import fields_shown
from skewproof.core.metric import Metric, expect_metrics
from skewproof.sensitivity.classifiers import UNIFORM
from skewproof.sensitivity.label_errors.model import (
    CONSTANT,
    GROUPS,
    LARGEST_RATE,
    checked_ranges,
    with_label_errors,
)
from skewproof.sensitivity.quadrature.tanh_sinh import tanh_sinh

RULES = ((24, 8), (40, 12), (64, 18), (96, 26))
"""Rules of quadrature: the number of tanh-sinh nodes on either side of 1/2 for each rate of the
classifier, and of Gauss-Legendre nodes for each rate of the labels. Each rule has at least 1.4
times as many on every axis as the one before, so that their difference is no smaller than the error
even if convergence is only of second order, as at kinks."""

SUFFICIENT = (0.0, 1e-6, 1e-4, 0.0)
"""Error estimate of each rule that makes a finer one unnecessary. The finest costs twenty times as
much as the second, and if the third leaves a larger error, there are kinks."""

RESOLVED = 1e-3
"""Largest error estimate of shares that are returned: half a percent is distinguishable from one
percent."""

STEPS_PER_DECADE = 2
"""Number of levels per decade between which crossings are searched."""

LOG = logging.getLogger(__name__)


class LabelErrorIndices(NamedTuple):
    """Shares of several metrics' variance; NaN where the quadrature does not resolve them.

    The second axis is that of :data:`GROUPS`. The share that the classifier's and the labels'
    errors explain only together is 1 minus the first-order shares of these two groups.
    """

    s1: Array
    """Shape (metrics, 6), the share that each input or group explains alone, in [0, 1]."""

    st: Array
    """Shape (metrics, 6), the share that each input or group has a part in, in [0, 1]."""

    error: Array
    """Shape (metrics,), the largest difference of a share from that of the next coarser rule. It
    estimates the error: it is far larger for smooth metrics, and close for metrics with kinks."""

    def __repr__(self) -> str:
        return fields_shown(self)


def label_error_indices(
    metrics: Sequence[Metric],
    *,
    positives: float,
    negatives: float,
    largest_false_positive_rate: float = LARGEST_RATE,
    largest_false_negative_rate: float = LARGEST_RATE,
) -> LabelErrorIndices:
    """Compute the shares of metrics' variance due to the classifier and to wrong labels.

    Parameters
    ----------
    metrics
        The metrics, preferably bounded: if the variance is infinite there are no shares. Shares are
        NaN, and a warning with the reason is logged, for a metric that is constant, that is
        undefined inside the square, or whose error estimate is above 1e-3.
    positives, negatives
        True sizes of the two classes, P and N.
    largest_false_positive_rate, largest_false_negative_rate
        Upper ends of the ranges of the labels' error rates, in [0, 1]. With 0 the labels have no
        errors of this kind.

    Raises
    ------
    ValueError
        If an end of a range is not a number from 0 to 1, or a class size not a finite number
        above 0.

    Examples
    --------
    >>> from skewproof.metrics import accuracy
    >>> from skewproof.sensitivity import label_error_indices
    >>> indices = label_error_indices([accuracy], positives=1, negatives=1000)
    >>> [round(float(share), 4) for share in indices.st[0, 4:]]
    [1.0, 0.0041]
    """
    metrics = expect_metrics(metrics, none=True)
    largest = checked_ranges(largest_false_positive_rate, largest_false_negative_rate)
    expect_number("positives", positives, above=0)
    expect_number("negatives", negatives, above=0)
    shares = np.full((len(metrics), 2, len(GROUPS)), np.nan)
    error = np.full(len(metrics), np.inf)
    coarse = list(range(len(metrics)))
    for rule, sufficient in zip(RULES, SUFFICIENT, strict=True):
        if not coarse:
            break
        grid = _Grid(positives, negatives, largest, rule)
        finer = _shares([metrics[index] for index in coarse], grid)
        distances = np.abs(finer - shares[coarse]).max(axis=(1, 2))
        error[coarse] = np.where(np.isfinite(distances), distances, np.inf)
        shares[coarse] = finer
        coarse = [
            index
            for index in coarse
            if error[index] > sufficient and np.isfinite(shares[index]).all()
        ]
    for metric, own_shares, distance in zip(metrics, shares, error, strict=True):
        if distance > RESOLVED:
            known = np.isfinite(own_shares).all()
            reason = f"error estimate {distance:.1e}" if known else "no finite variance above 0"
            LOG.warning("%s is not resolved under wrong labels: %s", metric.key, reason)
            own_shares[:] = np.nan
    return LabelErrorIndices(shares[:, 0], shares[:, 1], error)


class Crossing(NamedTuple):
    """A level at which the labels' total share passes one half."""

    negatives_per_positive: float

    error: float
    """Difference of the share, by the next finer rule, from one half; the level is resolved if the
    difference is at most :data:`RESOLVED`."""


class _Grid:
    """Nodes of all four inputs, and the matrices at them for one true positive rate at a time."""

    def __init__(
        self,
        positives: float,
        negatives: float,
        largest: tuple[float, float],
        rule: tuple[int, int],
    ) -> None:
        half_nodes, number = rule
        self.positives, self.negatives, self.rates = positives, negatives, tanh_sinh(half_nodes)
        self.wrong_positive, of_positive = _reference_nodes(
            largest[0], positives / negatives, number
        )
        self.wrong_negative, of_negative = _reference_nodes(
            largest[1], negatives / positives, number
        )
        self.weights = self.rates.weights, of_positive, of_negative
        """Weights along the axes of a matrix: false positive rate and the labels' two rates."""

    def matrix(self, number: int) -> ConfusionMatrix:
        """Build the apparent matrices at one true positive rate, in the shape of
        :attr:`weights`."""
        nodes, complements, _ = self.rates
        square = (
            nodes[number],
            complements[number],
            nodes[:, None, None],
            complements[:, None, None],
        )
        return with_label_errors(
            UNIFORM.matrices(square, self.positives, self.negatives),
            false_positive_rate=self.wrong_positive[:, np.newaxis],
            false_negative_rate=self.wrong_negative,
        )


def _reference_nodes(largest: float, size_ratio: float, number: int) -> tuple[Array, Array]:
    """Compute nodes and weights for rates that are uniform from 0 to the largest.

    The apparent size of a class of relative size c is nearly c + rate; the Gauss-Legendre nodes are
    in its logarithm.
    """
    if largest == 0:
        return np.zeros(1), np.ones(1)
    points, weights = leggauss(number)
    reach = np.log1p(largest / size_ratio)
    grown = np.expm1(reach * (points + 1) / 2)
    weights = weights * (1 + grown)
    return size_ratio * grown, weights / weights.sum()


def _shares(metrics: Sequence[Metric], grid: _Grid) -> Array:
    """Compute first-order and total shares by one rule, shape (metrics, 2, 6)."""
    middle = grid.matrix(len(grid.rates.nodes) // 2)
    moments = [_Moments(grid.weights, metric(middle)) for metric in metrics]
    with np.errstate(all="ignore"):
        for number, weight in enumerate(grid.rates.weights):
            matrix = grid.matrix(number)
            for metric, moment in zip(metrics, moments, strict=True):
                moment.add(metric(matrix), weight)
        shares = [moment.shares(grid.rates.weights) for moment in moments]
    return np.array(shares).reshape(len(metrics), 2, len(GROUPS))


class _Moments:
    """Mean squares of a metric and of its means over one or more of its inputs.

    Values come for one true positive rate at a time, shape (fpr, label_fpr, label_fnr).
    A value in their middle is subtracted, so that rounding of the squares does not hide the
    variance.
    """

    def __init__(self, weights: tuple[Array, Array, Array], values: Array) -> None:
        self.weights = weights
        self.center = float(np.mean(values))
        self.square = 0.0
        self.of_classifier = 0.0
        self.without = np.zeros(3)
        """Mean squares of the means over each of the last three inputs."""
        self.of_tpr: list[float] = []
        """Means over all three of these inputs."""
        self.over_tpr = np.zeros(values.shape)
        """Means over the first input."""

    def add(self, values: Array, weight: float) -> None:
        """Add the values at one true positive rate with its weight."""
        of_v, of_a, of_b = self.weights
        values = values - self.center
        over_v = np.tensordot(of_v, values, 1)
        over_a = of_a @ values
        over_b = values @ of_b
        over_both = over_b @ of_a
        self.square += weight * _mean(values**2, of_v, of_a, of_b)
        self.of_classifier += weight * _mean(over_both**2, of_v)
        self.without += [
            weight * _mean(over_v**2, of_a, of_b),
            weight * _mean(over_a**2, of_v, of_b),
            weight * _mean(over_b**2, of_v, of_a),
        ]
        self.of_tpr.append(_mean(over_both, of_v))
        self.over_tpr += weight * values

    def shares(self, of_u: Array) -> tuple[Array, Array]:
        """Compute first-order and total shares, or NaN if there is no variance."""
        of_v, of_a, of_b = self.weights
        means = self.over_tpr
        of_labels = np.tensordot(of_v, means, 1)
        explained = [
            _mean(np.square(self.of_tpr), of_u),
            _mean((means @ of_b @ of_a) ** 2, of_v),
            _mean((of_labels @ of_b) ** 2, of_a),
            _mean((of_a @ of_labels) ** 2, of_b),
            self.of_classifier,
            _mean(of_labels**2, of_a, of_b),
        ]
        without = [_mean(means**2, of_v, of_a, of_b), *self.without]
        squared_mean = _mean(of_labels, of_a, of_b) ** 2
        variance = self.square - squared_mean
        if not variance > CONSTANT * self.center**2:
            variance = np.nan
        s1 = (np.array(explained) - squared_mean) / variance
        st = (self.square - np.array(without)) / variance
        return s1, np.array([*st, 1 - s1[5], 1 - s1[4]])


def _mean(values: Array, *weights: Array) -> float:
    """Compute the weighted mean over all axes."""
    return float(functools.reduce(np.matmul, reversed(weights), values))


def half_share_ratios(
    metrics: Sequence[Metric],
    *,
    positives: float,
    first: Level,
    last: Level,
    largest_false_positive_rate: float = LARGEST_RATE,
    largest_false_negative_rate: float = LARGEST_RATE,
) -> list[list[Crossing]]:
    """Find the levels at which the labels' share of a metric's variance passes one half.

    Parameters
    ----------
    metrics, positives, largest_false_positive_rate, largest_false_negative_rate
        As for :func:`label_error_indices`.
    first, last
        The ends of the range of levels; `last` has more negatives per positive.

    Returns
    -------
    For each metric the levels, in increasing order, at which the total share of the labels passes
    one half; empty if it stays on one side or has no value. The scan has two levels per decade; two
    crossings between its neighbors are missed.

    Raises
    ------
    ValueError
        If an end of a range is not a number from 0 to 1, the size of the positive class is not a
        finite number above 0, or `last` does not have more negatives per positive than `first`.
    """
    largest = checked_ranges(largest_false_positive_rate, largest_false_negative_rate)
    expect_number("positives", positives, above=0)
    if not first.negatives(1) < last.negatives(1):
        raise ValueError(
            f"last = {last}: expected a level with more negatives per positive than first = {first}"
        )
    start, stop = (np.log10(level.negatives(1)) for level in (first, last))
    logarithms = np.linspace(start, stop, 1 + math.ceil(STEPS_PER_DECADE * (stop - start)))

    def excess(logarithm: float, examined: Sequence[Metric], rule: tuple[int, int]) -> Array:
        """Subtract one half from the labels' total share."""
        grid = _Grid(positives, positives * 10**logarithm, largest, rule)
        return _shares(examined, grid)[:, 1, -1] - 1 / 2

    def excess_of_one(logarithm: float, metric: Metric, rule: tuple[int, int]) -> float:
        return float(excess(logarithm, [metric], rule)[0])

    rule, finer = RULES[1:3]
    scanned = np.array([excess(logarithm, metrics, rule) for logarithm in logarithms]).T
    crossings: list[list[Crossing]] = []
    for metric, values in zip(metrics, scanned, strict=True):
        steps = np.flatnonzero(values[:-1] * values[1:] < 0)
        roots = [
            optimize.brentq(excess_of_one, *logarithms[step : step + 2], args=(metric, rule))
            for step in steps
        ]
        crossings.append(
            [Crossing(float(10**root), abs(excess_of_one(root, metric, finer))) for root in roots]
        )
    return crossings
