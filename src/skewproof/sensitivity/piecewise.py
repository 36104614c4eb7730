"""Indices of a metric with kinks: quadrature by pieces on which it is smooth.

Each line through the square is split where it crosses a kink (:mod:`skewproof.sensitivity.lines`),
and the outer integral where these crossings change their number or order. This is done along both
rates, so that mean and variance come out twice, by nodes that meet the kinks in different ways.
"""

from __future__ import annotations

import itertools
from typing import NamedTuple

import numpy as np

from skewproof.core.algebra import Array
from skewproof.core.tanh_sinh import tanh_sinh
from skewproof.sensitivity.kinks import NotResolvedError
from skewproof.sensitivity.lines import REACH, Lines, rates

HALF_NODES = (64, 128, 192)
"""Nodes on either side of the middle of a piece, from the fewest to the most that are tried."""

CLOSE = 1e-9
"""Distance of the rule from that of every second node at which no more nodes are tried."""

EVENT_WIDTH = 1e-8
"""Logits between which a change of the crossings is located: what this misplaces is of second
order."""

SECTIONS = 160
"""Parts into which all intervals with a change are cut at a time; each into 4 to 40."""

MOST_EVENTS = 40
"""Changes of the crossings along one rate."""

REACHES = (REACH, 13.0, 9.0, 6.0)
"""Outer logits within which changes are looked for: where there are too many in a wider range,
which rounding near the edges makes, a narrower one is tried, and the error estimate judges."""

LEAST_ERROR = 1e-12
"""The least error that is claimed."""

ROUNDING = 1e-15
"""Rounding of values, relative to the largest."""


class Resolved(NamedTuple):
    """Indices of one metric, with the error that is claimed."""

    s1: Array
    """Shape (2,)."""

    mean: float
    variance: float

    error: float
    """At least the error of the indices, of the mean in standard deviations, and of the variance as
    a share of it."""


class _Moments(NamedTuple):
    """Of a metric less its center."""

    mean: float
    variance: float
    of_outer: float
    """Variance of the mean along lines."""


def piecewise_indices(lines: list[Lines], center: float) -> Resolved:
    """Integrate a metric over the square by pieces.

    Parameters
    ----------
    lines
        Lines along the true and along the false positive rate.
    center
        A value near the mean, from which values are counted.

    Raises
    ------
    NotResolvedError
        If the pieces are too many; the message says so.
    """
    edges = [np.array([-np.inf, *events(one), np.inf]) for one in lines]
    found = None
    for half_nodes in HALF_NODES:
        try:
            sums = [
                _integrate(one, ends, center, half_nodes)
                for one, ends in zip(lines, edges, strict=True)
            ]
        except NotResolvedError:
            if found is None:
                raise
            break
        found = _resolve(sums, center)
        if not found.error > CLOSE:
            break
    assert found is not None
    return found


def _resolve(sums: list[tuple[_Moments, _Moments, float]], center: float) -> Resolved:
    """Indices from fine and coarse moments and largest values along both rates."""
    (fine, coarse), sizes = zip(*(one[:2] for one in sums), strict=True), [one[2] for one in sums]
    variance = fine[0].variance
    deviation = np.sqrt(max(variance, 0.0))
    with np.errstate(all="ignore"):
        s1 = np.array([one.of_outer / one.variance for one in fine])
        s1_coarse = np.array([one.of_outer / one.variance for one in coarse])
        parts = [
            *np.abs(s1 - s1_coarse),
            max(abs(np.subtract([x.mean for x in fine], [x.mean for x in coarse]))) / deviation,
            max(abs(np.subtract([x.variance for x in fine], [x.variance for x in coarse])))
            / variance,
            abs(fine[0].mean - fine[1].mean) / deviation,
            abs(fine[0].variance - fine[1].variance) / variance,
        ]
        error = 2 * sum(parts) + ROUNDING * (abs(center) + max(sizes)) / deviation
    mean = center + fine[0].mean
    return Resolved(s1, float(mean), float(variance), float(np.maximum(error, LEAST_ERROR)))


def events(lines: Lines) -> Array:
    """Outer logits at which the crossings along lines change their number, kind or order.

    Raises
    ------
    NotResolvedError
        If there are too many.
    """
    places, crossings = lines.searched
    signatures = crossings.signatures()
    for reach in REACHES:
        within = np.flatnonzero(np.abs(places) <= reach)
        found = _located(lines, _changes(places[within], [signatures[step] for step in within]))
        if found is not None:
            return found
    raise NotResolvedError(f"its kinks meet in more than {MOST_EVENTS} places")


def _located(lines: Lines, intervals: Array) -> Array | None:
    """The changes in some intervals, or None where there are too many."""
    while len(intervals) and np.diff(intervals).max() > EVENT_WIDTH:
        if len(intervals) > MOST_EVENTS:
            return None
        count = 1 + min(max(SECTIONS // len(intervals), 4), 40)
        inner = np.linspace(intervals[:, 0], intervals[:, 1], count, axis=1)
        found = lines.crossings(inner.ravel()).signatures()
        intervals = np.concatenate(
            [
                _changes(inner[number], found[number * count : (number + 1) * count])
                for number in range(len(inner))
            ]
        )
    return np.unique(intervals.mean(axis=1))


def _changes(places: Array, signatures: list[tuple[object, ...]]) -> Array:
    """The steps between places whose signatures differ, shape (changes, 2)."""
    pairs = itertools.pairwise(signatures)
    steps = [step for step, (one, other) in enumerate(pairs) if one != other]
    return np.column_stack([places[steps], places[np.array(steps, dtype=int) + 1]])


def _integrate(
    lines: Lines, edges: Array, center: float, half_nodes: int
) -> tuple[_Moments, _Moments, float]:
    """Moments by all nodes and by every second one, and the largest distance from the center."""
    nodes, complements, weights = tanh_sinh(half_nodes)
    ends, end_complements = rates(edges)
    lengths = _lengths(ends, end_complements)
    fixed = ends[:-1, np.newaxis] + lengths[:, np.newaxis] * nodes
    fixed_complement = end_complements[1:, np.newaxis] + lengths[:, np.newaxis] * complements
    logits = np.log(fixed) - np.log(fixed_complement)
    crossings = lines.crossings(logits.ravel()).places.reshape(*logits.shape, -1)
    half = 2 * weights[::2]
    fine, coarse, largest = [], [], 0.0
    for number, length in enumerate(lengths):
        values, parts = _along(
            lines, fixed[number], fixed_complement[number], crossings[number], half_nodes
        )
        values = values - center
        largest = max(largest, np.abs(values).max())
        fine.append([*_conditional(values, parts, weights), length * weights])
        coarse.append([*_conditional(values[::2, :, ::2], parts[::2], half), length * half])
    return _moments(fine), _moments(coarse), float(largest)


def _along(
    lines: Lines, fixed: Array, fixed_complement: Array, crossings: Array, half_nodes: int
) -> tuple[Array, Array]:
    """Values on each piece of lines, (lines, pieces, nodes), and lengths of the pieces."""
    nodes, complements, _ = tanh_sinh(half_nodes)
    crossings = crossings[:, ~np.isinf(crossings).all(axis=0)]
    infinite = np.full((len(crossings), 1), np.inf)
    ends, end_complements = rates(np.hstack([-infinite, crossings, infinite]))
    parts = _lengths(ends, end_complements)
    stretch = parts[..., np.newaxis]
    along = ends[:, :-1, np.newaxis] + stretch * nodes
    along_complement = end_complements[:, 1:, np.newaxis] + stretch * complements
    outer = fixed[:, np.newaxis, np.newaxis], fixed_complement[:, np.newaxis, np.newaxis]
    values = np.broadcast_to(lines.values(outer, (along, along_complement)), along.shape)
    return np.where(stretch > 0, values, 0.0), parts


def _lengths(ends: Array, complements: Array) -> Array:
    """Lengths between ends, by the rates or their complements, whichever have the digits."""
    return np.where(
        ends[..., :-1] < 0.5, np.diff(ends), complements[..., :-1] - complements[..., 1:]
    )


def _conditional(values: Array, parts: Array, weights: Array) -> list[Array]:
    """Mean and mean square along lines."""
    return [(parts * (power @ weights)).sum(axis=1) for power in (values, values**2)]


def _moments(panels: list[list[Array]]) -> _Moments:
    means, squares, weights = (np.concatenate(part) for part in zip(*panels, strict=True))
    mean = weights @ means
    return _Moments(mean, weights @ squares - mean**2, weights @ (means - mean) ** 2)
