"""Sobol' indices by deterministic quadrature: exact to rounding, in place of sampling.

With tp = P u and fp = N v a metric is a function on the unit square, and its indices are
integrals over it. Tanh-sinh quadrature (Takahasi and Mori 1974) has nodes double exponentially
close to the edges, where the metrics vary fastest under imbalance and where many have singular
corners. Where a metric has a kink inside the square, its declaration says so, and the inner
integral is split there.
"""

from __future__ import annotations

import dataclasses
import logging
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from skewproof.core.algebra import Array
from skewproof.core.confusion import INPUTS, ConfusionMatrix
from skewproof.core.metric import Metric
from skewproof.core.tanh_sinh import HALF_NODES, matrices_at_nodes, tanh_sinh

RESOLVED = 1e-8
"""Largest error estimate with which numbers are given."""

LOG = logging.getLogger(__name__)


class ExactIndices(NamedTuple):
    """Indices and moments of several metrics; NaN where the quadrature does not resolve them.

    The second axis of the indices is that of :data:`skewproof.core.confusion.INPUTS`.
    """

    s1: Array
    """Shape (metrics, 2), the share of the variance that each input alone explains."""

    st: Array
    """Shape (metrics, 2), the share of the variance that each input has a part in."""

    s12: Array
    """Shape (metrics,), the share of the variance that is due to the inputs' interaction."""

    mean: Array
    """Shape (metrics,), of the metric over all (tp, fp), uniformly."""

    variance: Array
    """Shape (metrics,), of the metric over all (tp, fp), uniformly."""

    index_error: Array
    """Shape (metrics,), how far the two S1 are in all from those of every second node: more than
    the error of any index, since the rule converges fast."""

    moment_error: Array
    """Shape (metrics,), how far mean and variance are at most from those of every second node."""


def exact_indices(metrics: Sequence[Metric], *, positives: float, negatives: float) -> ExactIndices:
    """Compute the Sobol' indices of metrics with respect to tp and fp for classes of given sizes.

    The absolute error of an index is below 1e-12 from 1000:1 to 1:1000 and below 1e-9 from 10^6:1
    to 1:10^6.

    Parameters
    ----------
    metrics
        The metrics. One that has a kink inside the square and does not declare it, or that is
        undefined on a part of the square or constant, is not resolved: its numbers are NaN, and a
        warning is logged.
    positives, negatives
        Sizes of the two classes, P and N.

    Examples
    --------
    >>> from skewproof import accuracy, exact_indices
    >>> exact_indices([accuracy], positives=1, negatives=2).s1.round(6).tolist()
    [[0.2, 0.8]]
    """
    square = matrices_at_nodes(positives, negatives)
    kinked = any(metric.kink_at_equal_rates for metric in metrics)
    split = [_split_square(positives, negatives, outer=name) for name in INPUTS if kinked]
    nodes, complements, _ = tanh_sinh()
    lengths = np.column_stack([complements, nodes])
    rows = []
    for metric in metrics:
        if metric.kink_at_equal_rates:
            slices = [_Slices(metric(matrix), lengths) for matrix in split]
        else:
            values = np.broadcast_to(metric(square), (2 * HALF_NODES + 1,) * 2)
            slices = [_Slices.whole(values), _Slices.whole(values.T)]
        rows.append(_resolve(metric, slices))
    return ExactIndices(*map(np.array, zip(*rows, strict=True)))


def with_resolving_kink(metric: Metric) -> Metric:
    """The metric with a kink at tpr = tnr declared, if that alone makes its indices resolved."""
    kinked = dataclasses.replace(metric, kink_at_equal_rates=True)
    alone, split = exact_indices([metric, kinked], positives=100, negatives=1000).s12
    return kinked if np.isnan(alone) and not np.isnan(split) else metric


class _Slices(NamedTuple):
    """A metric along lines through the square, one for each value of the outer input."""

    values: Array
    """Shape (outer nodes, parts, inner nodes)."""

    lengths: Array
    """Shape (outer nodes, parts), of the parts into which a kink splits a line; they add to 1."""

    @classmethod
    def whole(cls, values: Array) -> _Slices:
        return cls(values[:, np.newaxis, :], np.ones((len(values), 1)))

    def every_second_node(self) -> _Slices:
        return _Slices(self.values[::2, :, ::2], self.lengths[::2])


def _split_square(positives: float, negatives: float, *, outer: str) -> ConfusionMatrix:
    """Confusion matrices along lines, shape (outer nodes, 2, inner nodes): below and above
    tpr = tnr, that is where the inner input is less or more than 1 less the outer one."""
    nodes, complements, _ = tanh_sinh()
    out, out_complement = nodes[:, np.newaxis, np.newaxis], complements[:, np.newaxis, np.newaxis]
    below = out_complement * nodes, out + out_complement * complements
    above = out_complement + out * nodes, out * complements
    inner, inner_complement = (
        np.concatenate(parts, axis=1) for parts in zip(below, above, strict=True)
    )
    u, u_complement, v, v_complement = (
        (out, out_complement, inner, inner_complement)
        if outer == "tp"
        else (inner, inner_complement, out, out_complement)
    )
    return ConfusionMatrix.from_rates(
        u, v, positives=positives, negatives=negatives, fnr=u_complement, tnr=v_complement
    )


def _resolve(metric: Metric, slices: list[_Slices]) -> tuple[Array | float, ...]:
    """One metric's numbers in the order of :class:`ExactIndices`, or NaN in their places."""
    weights = tanh_sinh().weights
    fine = _integrate(slices, weights)
    coarse = _integrate([part.every_second_node() for part in slices], 2 * weights[::2])
    with np.errstate(invalid="ignore"):
        distances = np.abs(fine - coarse)
    index_error, moment_error = distances[:2].sum(), distances[2:].max()
    if not max(index_error, moment_error) <= RESOLVED:
        LOG.warning("%s is not resolved: error estimate %.1e", metric.key, index_error)
        fine[:] = np.nan
    s1, (mean, variance) = fine[:2], fine[2:]
    return s1, 1 - s1[::-1], 1 - s1.sum(), mean, variance, index_error, moment_error


def _integrate(slices: list[_Slices], weights: Array) -> Array:
    """S1 of both inputs, mean and variance, from lines along either input."""
    first_order = []
    for values, lengths in slices:
        conditional = (lengths * (values @ weights)).sum(axis=1)
        mean = weights @ conditional
        first_order.append(weights @ (conditional - mean) ** 2)
    variance = weights @ (lengths * ((values - mean) ** 2 @ weights)).sum(axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.array([*(np.array(first_order) / variance), mean, variance])
