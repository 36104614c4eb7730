"""The mean distance of two surfaces, which is the contour deviation without a grid.

Sigma of van Zyl and Engelbrecht is a sum over a grid and grows with it. Sigma divided by the number
of points approaches the integral of |f_level - f_baseline| over the rates. This integral is
computed by tanh-sinh quadrature, with every line split where the difference changes sign.
Distributions of classifiers other than the uniform one are maps of the square. For these the outer
integral is split as well, where the number of zeros on a line changes, while for the uniform one it
is a single piece, as in the stored shifts.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from skewproof.core.algebra import Array
from skewproof.core.arguments import expect_number
from skewproof.core.levels import Level
from skewproof.core.metric import Metric, expect_metric
from skewproof.sensitivity.classifiers import (
    UNIFORM,
    Classifiers,
    MeasuredClassifiers,
    refuse_no_classifiers,
)
from skewproof.sensitivity.quadrature.kinked_surface import Integers, has_kink_at_equal_rates
from skewproof.sensitivity.quadrature.tanh_sinh import HALF_NODES, sigmoid_nodes, tanh_sinh

RESOLVED = 1e-3
"""Largest error estimate of a mean shift in a table."""

UNSIGNED = 1e-13
"""Largest difference that has no sign."""

BISECTIONS = 50
"""Number of halvings of the step between two nodes, which reach the accuracy of rounding."""

MOST_PIECES = 12
"""Largest number of pieces of the outer integral; more are due to rounding, and it is not split."""

Square = Callable[..., Array]
"""A function of p, 1 - p, q, 1 - q, each with full precision."""

Roots = tuple[Array, Array]
"""Points of (0, 1) and their complements."""


class Shift(NamedTuple):
    """The mean distance of two surfaces over classifiers."""

    mean: float
    """Mean absolute difference, at least 0."""

    error_estimate: float
    """Distance of the mean from that of every second node, added up over the pieces of the outer
    integral if it is split; 0 for measured classifiers."""


def mean_shift(
    metric: Metric,
    level: Level,
    baseline: Level,
    positives: float,
    *,
    classifiers: Classifiers | MeasuredClassifiers = UNIFORM,
) -> Shift:
    """Compute the mean absolute difference of a metric at two levels, over all pairs of rates.

    Parameters
    ----------
    metric
        The metric, defined everywhere inside the square.
    level, baseline
        The two imbalance levels.
    positives
        Size of the positive class at both.
    classifiers
        The distribution of true and false positive rates. Measured classifiers at which the metric
        is undefined at either level are left out; a warning with their number is logged.

    Raises
    ------
    ValueError
        If the class size is not a finite number above 0, or `classifiers` is not a distribution of
        classifiers.

    Examples
    --------
    >>> from skewproof import Level
    >>> from skewproof.metrics import f1, f1_i
    >>> from skewproof.sensitivity import mean_shift
    >>> [round(mean_shift(metric, Level(1, 2), Level(1, 1), 100).mean, 3) for metric in (f1, f1_i)]
    [0.078, 0.0]
    """
    expect_number("positives", positives, above=0)
    expect_metric(metric)
    level, baseline = Level.given(level, "level"), Level.given(baseline, "baseline")
    refuse_no_classifiers(classifiers)
    if isinstance(classifiers, MeasuredClassifiers):
        at_level, at_baseline = (
            classifiers.values(metric, positives, compared.negatives(positives))
            for compared in (level, baseline)
        )
        return Shift(float(classifiers.mean(np.abs(at_level - at_baseline))), 0.0)

    def difference(*square: Any) -> Array:
        at_level, at_baseline = (
            metric(classifiers.matrices(square, positives, compared.negatives(positives)))
            for compared in (level, baseline)
        )
        return np.asarray(at_level - at_baseline)

    def unequal(*square: Any) -> Array:
        _, fnr, fpr, _ = classifiers.rates(*square)
        return np.asarray(fnr - fpr)

    functions = [difference, unequal] if has_kink_at_equal_rates(metric) else [difference]
    return _by_pieces(
        functions, np.empty(0) if classifiers is UNIFORM else _outer_breaks(functions)
    )


def _by_pieces(functions: Sequence[Square], outer: Array) -> Shift:
    """Integrate the first function by pieces, whose borders are the zeros of all functions; the
    outer integral is split at numbers of nodes."""
    nodes, complements, _ = tanh_sinh()
    ends, end_complements = sigmoid_nodes(outer)
    ends, end_complements = np.r_[0.0, ends, 1.0], np.r_[1.0, end_complements, 0.0]
    fine = error = 0.0
    for piece in range(ends.size - 1):
        start, end = ends[piece : piece + 2]
        past, left = end_complements[piece : piece + 2]
        length = end - start if start < 0.5 else past - left
        u = (start + length * nodes)[:, np.newaxis]
        u_complement = (left + length * complements)[:, np.newaxis]
        breaks = [_sign_changes(function, u, u_complement) for function in functions]
        sums = length * np.array(_integrals(functions[0], u, u_complement, breaks))
        fine, error = fine + sums[0], error + abs(sums[0] - sums[1])
    return Shift(float(fine), float(error))


def _integrals(
    difference: Square, u: Array, u_complement: Array, breaks: Sequence[Roots]
) -> tuple[float, float]:
    """Integrate the absolute difference over lines at u, (lines, 1), split at breaks, (lines,
    breaks), by all and by every second node."""
    nodes, complements, weights = tanh_sinh()
    joined = [np.column_stack(parts) for parts in zip(*breaks, strict=True)]
    order = np.argsort(joined[0], axis=1, kind="stable")
    ends, end_complements = (np.take_along_axis(part, order, axis=1) for part in joined)
    zeros, ones = np.zeros_like(u), np.ones_like(u)
    starts = np.hstack([zeros, ends])[..., np.newaxis]
    past = np.hstack([end_complements, zeros])[..., np.newaxis]
    lengths = np.hstack([ends, ones]) - starts[..., 0]
    values = np.abs(
        difference(
            u[..., np.newaxis],
            u_complement[..., np.newaxis],
            starts + lengths[..., np.newaxis] * nodes,
            past + lengths[..., np.newaxis] * complements,
        )
    )
    values[lengths == 0] = 0  # a metric may be undefined at the end of a line
    fine = weights @ (lengths * (values @ weights)).sum(axis=1)
    half = 2 * weights[::2]
    coarse = half @ (lengths[::2] * (values[::2, :, ::2] @ half)).sum(axis=1)
    return float(fine), float(coarse)


def _outer_breaks(functions: Sequence[Square]) -> Array:
    """Find numbers of nodes, also between them, where the number of sign changes along a line
    changes; if there are so many that they are due to rounding, the result is empty."""
    breaks = []
    for function in functions:
        counts = _counted(function, np.arange(2.0 * HALF_NODES + 1))
        low = np.flatnonzero(np.diff(counts)).astype(float)
        if low.size >= MOST_PIECES:
            return np.empty(0)
        before, high = counts[low.astype(int)], low + 1
        for _ in range(BISECTIONS if low.size else 0):
            middle = (low + high) / 2
            same = _counted(function, middle) == before
            low, high = np.where(same, middle, low), np.where(same, high, middle)
        breaks.append((low + high) / 2)
    return np.unique(np.concatenate(breaks))


def _counted(function: Square, numbers: Array) -> Integers:
    """Count the sign changes of a function along the lines at numbered nodes."""
    u, u_complement = sigmoid_nodes(numbers)
    line, _, _ = _signs(function, u[:, np.newaxis], u_complement[:, np.newaxis])
    return np.bincount(line, minlength=numbers.size)


def _signs(function: Square, u: Array, u_complement: Array) -> tuple[Integers, Integers, Array]:
    """Find the lines, and the nodes on them, after which a function changes sign; and its signs at
    every node."""
    nodes, complements, _ = tanh_sinh()
    values = np.broadcast_to(function(u, u_complement, nodes, complements), (u.size, nodes.size))
    signed = np.abs(values) > UNSIGNED
    # A node exactly on the root takes the sign of the node before it.
    last = np.maximum.accumulate(np.where(signed, np.arange(nodes.size), 0), axis=1)
    signs = np.take_along_axis(np.sign(values) * signed, last, axis=1)
    line, step = np.nonzero(signs[:, :-1] * signs[:, 1:] < 0)
    return line, step, signs


def _sign_changes(function: Square, u: Array, u_complement: Array) -> Roots:
    """Find points v, and their complements, at which a function changes sign on the line of each u,
    shape (lines, 1).

    The result has the shape (lines, most changes of a line); lines with fewer changes are padded
    with their end, 1.
    """
    line, step, signs = _signs(function, u, u_complement)
    low, high = step.astype(float), step + 1.0
    for _ in range(BISECTIONS):
        middle = (low + high) / 2
        v, v_complement = sigmoid_nodes(middle)
        same = np.sign(function(u[line, 0], u_complement[line, 0], v, v_complement))
        same = same == signs[line, step]
        low, high = np.where(same, middle, low), np.where(same, high, middle)
    rank = np.arange(line.size) - np.searchsorted(line, line)
    most = 1 + rank.max(initial=-1)
    rates = np.ones((u.size, most))
    complements = np.zeros_like(rates)
    rates[line, rank], complements[line, rank] = sigmoid_nodes((low + high) / 2)
    return rates, complements
