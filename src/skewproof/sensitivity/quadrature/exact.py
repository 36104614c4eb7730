"""Sobol' indices by deterministic quadrature, which are exact up to rounding and not sampled.

With tp = P u and fp = N v a metric is a function on the unit square, and its indices are
integrals over it. Tanh-sinh quadrature (Takahasi and Mori 1974) has nodes double exponentially
close to the edges, where the metrics vary fastest under imbalance and where many have singular
corners. Kinks inside the square are found from the metric's evaluation, and the pieces between them
are integrated separately (:mod:`skewproof.sensitivity.quadrature.piecewise`).
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from skewproof.core.algebra import Array
from skewproof.core.arguments import expect_number
from skewproof.core.messages import fields_shown
from skewproof.core.metric import Metric, expect_metrics
from skewproof.sensitivity.classifiers import (
    UNIFORM,
    Classifiers,
    MeasuredClassifiers,
    refuse_no_classifiers,
)
from skewproof.sensitivity.quadrature.kinked_surface import KinkedSurface, NotResolvedError
from skewproof.sensitivity.quadrature.piecewise import Resolved, piecewise_indices
from skewproof.sensitivity.quadrature.tanh_sinh import HALF_NODES, matrices_at_nodes, tanh_sinh

RESOLVED = 1e-8
"""Largest error estimate of numbers that are returned."""

CONSTANT = 1e-22
"""Variance of a constant that is due to rounding, relative to the square of the mean."""

UNKNOWN = Resolved(np.full(2, np.nan), *[np.nan] * 4)
"""Numbers of a metric that is not resolved."""

LOG = logging.getLogger(__name__)


class ExactIndices(NamedTuple):
    """Indices and moments of several metrics; NaN where the quadrature does not resolve them.

    The second axis of the indices is that of the classifiers' inputs: those of
    :data:`skewproof.core.confusion.INPUTS`, except for a binormal family.
    """

    s1: Array
    """Shape (metrics, 2), the share of the variance that each input explains alone."""

    st: Array
    """Shape (metrics, 2), the share of the variance that each input has a part in."""

    s12: Array
    """Shape (metrics,), the share of the variance that is due to the inputs' interaction."""

    mean: Array
    """Shape (metrics,), the mean of the metric over the classifiers."""

    variance: Array
    """Shape (metrics,), the variance of the metric over the classifiers."""

    index_error: Array
    """Shape (metrics,), an upper estimate of the error of any index.

    For a smooth metric it is the distance of both S1 together from those of every second node,
    which exceeds the error because the rule converges fast. For a metric with kinks it is at least
    1e-12, and twice the sum of these distances, relative to the standard deviation or the variance:
    of mean, variance and S1 from those of every second node, and of mean and variance by lines
    along one input from those along the other."""

    moment_error: Array
    """Shape (metrics,), an upper estimate of the error of mean and variance.

    For a smooth metric it is the larger distance of the two from those of every second node. For a
    metric with kinks it is the index error times the standard deviation, or times the variance if
    that is larger."""

    reason: NDArray[np.str_]
    """Shape (metrics,), the reason for numbers that are NaN; empty for others."""

    def __repr__(self) -> str:
        return fields_shown(self)


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
        The metrics. Kinks and jumps are found if a formula calls min, max, abs or a comparison, or
        a function calls NumPy's counterparts, and thin steps where an exponent is 0. A metric is
        not resolved if it is constant, if it is undefined on a part of the square, or if its error
        estimate is above 1e-8. Its numbers are then NaN, and a warning with the reason is logged.
    positives, negatives
        Sizes of the two classes, P and N.
    classifiers
        The distribution of true and false positive rates. For measured classifiers, mean and
        variance are over those at which the metric is defined, and indices are NaN; a warning with
        the number of the others is logged.

    Raises
    ------
    ValueError
        If a class size is not a finite number above 0, or `classifiers` is not a distribution of
        classifiers.

    Examples
    --------
    >>> from skewproof.metrics import accuracy
    >>> from skewproof.sensitivity import exact_indices
    >>> exact_indices([accuracy], positives=1, negatives=2).s1.round(6).tolist()
    [[0.2, 0.8]]
    """
    metrics = expect_metrics(metrics)
    expect_number("positives", positives, above=0)
    expect_number("negatives", negatives, above=0)
    refuse_no_classifiers(classifiers)
    if isinstance(classifiers, MeasuredClassifiers):
        return _measured(metrics, classifiers, positives, negatives)
    square = matrices_at_nodes(positives, negatives, classifiers)
    rows = []
    for metric in metrics:
        resolved, reason = _smooth(np.broadcast_to(metric(square), (2 * HALF_NODES + 1,) * 2)), ""
        if np.isfinite(resolved.mean):
            try:
                surface = KinkedSurface(metric, positives, negatives, classifiers)
                resolved = piecewise_indices(surface, resolved.mean) or resolved
            except NotResolvedError as error:
                resolved, reason = UNKNOWN, str(error)
        rows.append(_checked(metric, resolved, reason))
    return ExactIndices(*map(np.array, zip(*rows, strict=True)))


def _measured(
    metrics: Sequence[Metric],
    classifiers: MeasuredClassifiers,
    positives: float,
    negatives: float,
) -> ExactIndices:
    """Compute moments over the measured classifiers at which each metric is defined, without
    indices."""
    values = np.array([classifiers.values(metric, positives, negatives) for metric in metrics])
    mean = classifiers.mean(values)
    variance = classifiers.mean((values - mean[:, np.newaxis]) ** 2)
    LOG.warning("measured classifiers have no indices")
    reasons = np.full(len(metrics), "measured classifiers have no indices")
    unknown, no_error = np.full((len(metrics), 2), np.nan), np.where(np.isnan(mean), np.nan, 0.0)
    return ExactIndices(
        unknown, unknown.copy(), unknown[:, 0], mean, variance, unknown[:, 1], no_error, reasons
    )


def _smooth(values: Array) -> Resolved:
    """Compute indices and moments from values on the nodes, (tp, fp), as if there were no kinks."""
    weights = tanh_sinh().weights
    fine = _integrate(values, weights)
    coarse = _integrate(values[::2, ::2], 2 * weights[::2])
    with np.errstate(invalid="ignore"):
        distances = np.abs(fine - coarse)
    return Resolved(fine[:2], fine[2], fine[3], distances[:2].sum(), distances[2:].max())


def _integrate(values: Array, weights: Array) -> Array:
    """Compute S1 of both inputs, mean and variance from values on the nodes, (tp, fp)."""
    first_order = []
    for lines in (values[:, np.newaxis, :], values.T[:, np.newaxis, :]):
        conditional = (lines @ weights).sum(axis=1)
        mean = weights @ conditional
        first_order.append(weights @ (conditional - mean) ** 2)
    variance = weights @ ((lines - mean) ** 2 @ weights).sum(axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.array([*(np.array(first_order) / variance), mean, variance])


def _checked(metric: Metric, resolved: Resolved, reason: str) -> tuple[Array | float | str, ...]:
    """Collect a metric's part of :class:`ExactIndices`, with NaN if it is not resolved."""
    s1, mean, variance, index_error, moment_error = resolved
    if not reason and not np.isfinite(mean):
        reason = "it is undefined or unbounded inside the square"
    elif not reason and variance <= CONSTANT * mean**2:
        reason = f"it is {mean:.6g} everywhere, up to rounding"
        index_error = moment_error = np.nan
    elif not reason and not max(index_error, moment_error) <= RESOLVED:
        reason = f"error estimate {max(index_error, moment_error):.1e}"
    if reason:
        LOG.warning("%s is not resolved: %s", metric.key, reason)
        s1, mean, variance = UNKNOWN[:3]
    return s1, 1 - s1[::-1], 1 - s1.sum(), mean, variance, index_error, moment_error, reason
