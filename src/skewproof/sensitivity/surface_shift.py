"""Contour deviation without a grid: the mean distance of two surfaces, as an exact integral.

The paper's Sigma is a sum over a grid and grows with it. Its mean, Sigma over the number of
points, tends to the integral of |f_level - f_baseline| over the rates, which is computed here by
tanh-sinh quadrature with every line split where the difference changes sign.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from skewproof.core.algebra import Array
from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.levels import Level
from skewproof.core.metric import Metric
from skewproof.core.tanh_sinh import sigmoid_nodes, tanh_sinh

UNSIGNED = 1e-13
"""Differences up to this have no sign."""

BISECTIONS = 50
"""Halvings of the step between two nodes: to rounding."""


class Shift(NamedTuple):
    """Distance of two surfaces over the unit square of the rates."""

    mean: float
    """Mean absolute difference, at least 0."""

    error_estimate: float
    """How far the mean is from that of every second node."""


def mean_shift(metric: Metric, level: Level, baseline: Level, positives: float) -> Shift:
    """Mean absolute difference of a metric at two levels, over all pairs of rates.

    Parameters
    ----------
    metric
        The metric, defined everywhere inside the square.
    level, baseline
        The two imbalance levels.
    positives
        Size of the positive class at both.

    Examples
    --------
    >>> from skewproof import Level, f1, f1_i, mean_shift
    >>> [round(mean_shift(metric, Level(1, 2), Level(1, 1), 100).mean, 3) for metric in (f1, f1_i)]
    [0.078, 0.0]
    """

    def difference(u: Array, u_complement: Array, v: Array, v_complement: Array) -> Array:
        at_level, at_baseline = (
            metric(
                ConfusionMatrix.from_rates(
                    u,
                    v,
                    positives=positives,
                    negatives=place.negatives(positives),
                    fnr=u_complement,
                    tnr=v_complement,
                )
            )
            for place in (level, baseline)
        )
        return np.asarray(at_level - at_baseline)

    nodes, complements, weights = tanh_sinh()
    u, u_complement = nodes[:, np.newaxis], complements[:, np.newaxis]
    breaks = _sign_changes(difference)
    if metric.kink_at_equal_rates:
        breaks = [np.column_stack(pair) for pair in zip(breaks, (complements, nodes), strict=True)]
    order = np.argsort(breaks[0], axis=1)
    ends, end_complements = (np.take_along_axis(part, order, axis=1) for part in breaks)
    zero, one = np.zeros_like(u), np.ones_like(u)
    starts = np.hstack([zero, ends])[..., np.newaxis]
    past = np.hstack([end_complements, zero])[..., np.newaxis]
    lengths = np.hstack([ends, one]) - starts[..., 0]
    values = np.abs(
        difference(
            u[..., np.newaxis],
            u_complement[..., np.newaxis],
            starts + lengths[..., np.newaxis] * nodes,
            past + lengths[..., np.newaxis] * complements,
        )
    )
    fine = weights @ (lengths * (values @ weights)).sum(axis=1)
    half = 2 * weights[::2]
    coarse = half @ (lengths[::2] * (values[::2, :, ::2] @ half)).sum(axis=1)
    return Shift(float(fine), float(abs(fine - coarse)))


def _sign_changes(difference: Callable[..., Array]) -> list[Array]:
    """Where the difference changes sign along v on the line of each u, and 1 less that.

    Shape (lines, most changes of a line); lines with fewer have the end of the line, 1, instead.
    """
    nodes, complements, _ = tanh_sinh()
    u, u_complement = nodes[:, np.newaxis], complements[:, np.newaxis]
    values = np.broadcast_to(difference(u, u_complement, nodes, complements), (nodes.size,) * 2)
    signed = np.abs(values) > UNSIGNED
    # A node on the very root takes the sign of the node before it.
    last = np.maximum.accumulate(np.where(signed, np.arange(nodes.size), 0), axis=1)
    signs = np.take_along_axis(np.sign(values) * signed, last, axis=1)
    line, step = np.nonzero(signs[:, :-1] * signs[:, 1:] < 0)
    low, high = step.astype(float), step + 1.0
    for _ in range(BISECTIONS):
        middle = (low + high) / 2
        v, v_complement = sigmoid_nodes(middle)
        same = np.sign(difference(nodes[line], complements[line], v, v_complement))
        same = same == signs[line, step]
        low, high = np.where(same, middle, low), np.where(same, high, middle)
    rank = np.arange(line.size) - np.searchsorted(line, line)
    most = 1 + rank.max(initial=-1)
    place = np.ones((nodes.size, most))
    place_complement = np.zeros_like(place)
    place[line, rank], place_complement[line, rank] = sigmoid_nodes((low + high) / 2)
    return [place, place_complement]
