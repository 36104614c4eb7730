"""Sobol' indices by deterministic quadrature: exact to rounding, in place of sampling.

With tp = P u and fp = N v a metric is a function on the unit square, and its indices are
integrals over it. Tanh-sinh quadrature (Takahasi and Mori 1974) has nodes double exponentially
close to the edges, where the metrics vary fastest under imbalance and where many have singular
corners. Where a metric has kinks inside the square, they are found from its evaluation, and it is
integrated by the pieces between them (:mod:`skewproof.sensitivity.quadrature.piecewise`).
"""

from __future__ import annotations

import dataclasses
import logging
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from skewproof.core.algebra import Array
from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.metric import Metric
from skewproof.sensitivity.classifiers import (
    UNIFORM,
    Classifiers,
    MeasuredClassifiers,
    refuse_no_classifiers,
)
from skewproof.sensitivity.options import refuse_wrong_sizes
from skewproof.sensitivity.quadrature.kinks import (
    NotResolvedError,
    Surface,
    has_kink_at_equal_rates,
)
from skewproof.sensitivity.quadrature.piecewise import piecewise_indices
from skewproof.sensitivity.quadrature.tanh_sinh import HALF_NODES, tanh_sinh

RESOLVED = 1e-8
"""Largest error estimate with which numbers are given."""

CONSTANT = 1e-22
"""Variance, relative to the square of the mean, that rounding leaves to a constant."""

LOG = logging.getLogger(__name__)


class ExactIndices(NamedTuple):
    """Indices and moments of several metrics; NaN where the quadrature does not resolve them.

    The second axis of the indices is that of the classifiers' inputs, which are those of
    :data:`skewproof.core.confusion.INPUTS` but for a binormal family.
    """

    s1: Array
    """Shape (metrics, 2), the share of the variance that each input alone explains."""

    st: Array
    """Shape (metrics, 2), the share of the variance that each input has a part in."""

    s12: Array
    """Shape (metrics,), the share of the variance that is due to the inputs' interaction."""

    mean: Array
    """Shape (metrics,), of the metric over the classifiers."""

    variance: Array
    """Shape (metrics,), of the metric over the classifiers."""

    index_error: Array
    """Shape (metrics,). Of a smooth metric how far the two S1 are in all from those of every second
    node: more than the error of any index, since the rule converges fast. Of one with kinks twice
    what mean, variance and S1 differ from those of every second node, and mean and variance by
    lines along one input from those along the other, relative to the standard deviation and the
    variance, and at least 1e-12."""

    moment_error: Array
    """Shape (metrics,). Of a smooth metric how far mean and variance are at most from those of
    every second node; of one with kinks the index error times the standard deviation, or times the
    variance if that is larger."""

    reason: NDArray[np.str_]
    """Shape (metrics,): why numbers are NaN; empty where they are not."""


def exact_indices(
    metrics: Sequence[Metric],
    *,
    positives: float,
    negatives: float,
    classifiers: Classifiers | MeasuredClassifiers = UNIFORM,
) -> ExactIndices:
    """Compute the Sobol' indices of metrics with respect to tp and fp for classes of given sizes.

    The absolute error of an index of a registered metric is below 1e-12 from 1000:1 to 1:1000 and
    below 1e-9 from 10^6:1 to 1:10^6, over all classifiers uniformly.

    Parameters
    ----------
    metrics
        The metrics. Kinks and jumps are found where a formula calls min, max, abs or a comparison,
        or a function their likes of NumPy, and thin steps where an exponent is 0. One that is
        constant, that is undefined on a part of the square, or whose error estimate is above 1e-8
        is not resolved: its numbers are NaN, and a warning with the reason is logged.
    positives, negatives
        Sizes of the two classes, P and N.
    classifiers
        The distribution of true and false positive rates. Of measured classifiers the mean and the
        variance are known, over those at which the metric is defined, and NaN stands for the
        indices; a warning with the number of the others is logged.

    Raises
    ------
    ValueError
        If a class size is no finite number above 0, or `classifiers` is no distribution of them.

    Examples
    --------
    >>> from skewproof import accuracy, exact_indices
    >>> exact_indices([accuracy], positives=1, negatives=2).s1.round(6).tolist()
    [[0.2, 0.8]]
    """
    refuse_wrong_sizes(positives=positives, negatives=negatives)
    refuse_no_classifiers(classifiers)
    if isinstance(classifiers, MeasuredClassifiers):
        return _of_measured(metrics, classifiers, positives, negatives)
    nodes, complements, _ = tanh_sinh()
    u, fnr, v, tnr = classifiers.rates(
        nodes[:, np.newaxis], complements[:, np.newaxis], nodes, complements
    )
    square = ConfusionMatrix.from_rates(
        u, v, positives=positives, negatives=negatives, fnr=fnr, tnr=tnr
    )
    rows = []
    for metric in metrics:
        values = np.broadcast_to(metric(square), (2 * HALF_NODES + 1,) * 2)
        numbers = _of_smooth(values)
        reason = ""
        if np.isfinite(numbers.mean):
            try:
                numbers = _of_pieces(Surface(metric, positives, negatives, classifiers), numbers)
            except NotResolvedError as error:
                numbers, reason = _UNKNOWN, str(error)
        rows.append(_settled(metric, numbers, reason))
    return ExactIndices(*map(np.array, zip(*rows, strict=True)))


def _of_measured(
    metrics: Sequence[Metric],
    classifiers: MeasuredClassifiers,
    positives: float,
    negatives: float,
) -> ExactIndices:
    """Moments over measured classifiers at which each metric is defined; NaN for what they do
    not have."""
    values = np.array([classifiers.values(one, positives, negatives) for one in metrics])
    mean = classifiers.mean(values)
    variance = classifiers.mean((values - mean[:, np.newaxis]) ** 2)
    LOG.warning("measured classifiers have no indices")
    nothing = np.full(len(metrics), "measured classifiers have no indices")
    unknown, no_error = np.full((len(metrics), 2), np.nan), np.where(np.isnan(mean), np.nan, 0.0)
    return ExactIndices(
        unknown, unknown.copy(), unknown[:, 0], mean, variance, unknown[:, 1], no_error, nothing
    )


def with_noted_kink(metric: Metric) -> Metric:
    """The metric with a kink at tpr = tnr declared, if it has one there."""
    found = metric.kink_at_equal_rates or has_kink_at_equal_rates(metric)
    return dataclasses.replace(metric, kink_at_equal_rates=found)


class _Numbers(NamedTuple):
    """Of one metric."""

    s1: Array
    mean: float
    variance: float
    index_error: float
    moment_error: float


_UNKNOWN = _Numbers(np.full(2, np.nan), *[np.nan] * 4)


def _of_pieces(surface: Surface, smooth: _Numbers) -> _Numbers:
    """The numbers by the pieces between kinks, or those of a smooth metric if there are none."""
    if not surface.number_of_kinks:
        return smooth
    found = piecewise_indices(surface, smooth.mean)
    if found is None:
        return smooth
    with np.errstate(invalid="ignore"):
        largest = max(np.sqrt(found.variance), found.variance)
    return _Numbers(found.s1, found.mean, found.variance, found.error, found.error * largest)


def _of_smooth(values: Array) -> _Numbers:
    weights = tanh_sinh().weights
    fine = _integrate(values, weights)
    coarse = _integrate(values[::2, ::2], 2 * weights[::2])
    with np.errstate(invalid="ignore"):
        distances = np.abs(fine - coarse)
    return _Numbers(fine[:2], fine[2], fine[3], distances[:2].sum(), distances[2:].max())


def _settled(metric: Metric, numbers: _Numbers, reason: str) -> tuple[Array | float | str, ...]:
    """One metric's numbers in the order of :class:`ExactIndices`, or NaN in their places."""
    s1, mean, variance, index_error, moment_error = numbers
    if not reason and not np.isfinite(mean):
        reason = "it is undefined or unbounded inside the square"
    elif not reason and variance <= CONSTANT * mean**2:
        reason = f"it is {mean:.6g} everywhere, but for rounding"
        index_error = moment_error = np.nan
    elif not reason and not max(index_error, moment_error) <= RESOLVED:
        reason = f"error estimate {max(index_error, moment_error):.1e}"
    if reason:
        LOG.warning("%s is not resolved: %s", metric.key, reason)
        s1, mean, variance = _UNKNOWN[:3]
    return s1, 1 - s1[::-1], 1 - s1.sum(), mean, variance, index_error, moment_error, reason


def _integrate(values: Array, weights: Array) -> Array:
    """S1 of both inputs, mean and variance, from values on the nodes, (tp, fp)."""
    first_order = []
    for lines in (values[:, np.newaxis, :], values.T[:, np.newaxis, :]):
        conditional = (lines @ weights).sum(axis=1)
        mean = weights @ conditional
        first_order.append(weights @ (conditional - mean) ** 2)
    variance = weights @ ((lines - mean) ** 2 @ weights).sum(axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.array([*(np.array(first_order) / variance), mean, variance])
