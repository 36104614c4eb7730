"""Indices of a metric with kinks, by quadrature on pieces where it is smooth.

Each line through the square is split where it crosses a kink, and the outer integral where these
crossings change their number or order (:mod:`skewproof.sensitivity.quadrature.crossings`). This is
done along both rates, so that mean and variance are computed twice, with different nodes around the
kinks.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from skewproof.core.algebra import Array
from skewproof.sensitivity.quadrature.crossings import (
    Lines,
    crossing_changes,
    crossings,
    grid_beside,
    on_lines,
    rates_at,
)
from skewproof.sensitivity.quadrature.kinked_surface import (
    BLOCK,
    Integers,
    KinkedSurface,
    NotResolvedError,
)
from skewproof.sensitivity.quadrature.tanh_sinh import tanh_sinh

HALF_NODES = (16, 32, 64, 128, 256)
"""Numbers of nodes on either side of the middle of a piece that are tried, one after the other."""

CLOSE = 1e-9
"""Total distance of a rule from that of every second node at which no more nodes are tried."""

LEAST_ERROR = 1e-12
"""Smallest error estimate."""

ROUNDING = 1e-15
"""Rounding error of values, relative to the largest value."""


class Resolved(NamedTuple):
    """Indices and moments of one metric, with their error estimates."""

    s1: Array
    """First-order indices, shape (2,)."""

    mean: float
    variance: float

    index_error: float
    """Error of the indices; for a metric with kinks also that of the mean in standard deviations,
    and the relative error of the variance."""

    moment_error: float
    """Error of the mean and of the variance."""


@dataclass
class _Panels:
    """Parts of the outer integrals, with the sums of three quantities: the mean along lines, the
    mean square, and the square of the mean."""

    outer: Integers
    """Shape (panels,), the rate that is fixed on the lines."""

    edges: Array
    """Shape (panels, 2), outer logits."""

    sums: Array
    """Shape (panels, 3)."""

    distances: Array
    """Shape (panels, 3), the largest distances of the sums from those of every second node."""

    logits: list[Array]
    """The crossings of each panel's lines, shape (lines, crossings)."""

    largest: float = 0.0
    """Largest distance of a value from the center."""

    def total(self, values: Array) -> Array:
        """Add up values along each rate, shape (2, 3)."""
        return np.array([values[self.outer == rate].sum(axis=0) for rate in (0, 1)])


def piecewise_indices(surface: KinkedSurface, center: float) -> Resolved | None:
    """Integrate a metric over the square by pieces, or return None if no kink crosses it.

    Parameters
    ----------
    surface
        The metric.
    center
        A value near the mean, which is subtracted from the values.

    Raises
    ------
    NotResolvedError
        If there are too many pieces.
    """
    changes = crossing_changes(surface) if surface.number_of_kinks else None
    if changes is None:
        return None
    ends = [np.array([-np.inf, *logits, np.inf]) for logits in changes]
    edges = np.concatenate([np.column_stack([part[:-1], part[1:]]) for part in ends])
    outer = np.repeat([0, 1], [len(part) - 1 for part in ends])
    unknown, none = np.full((len(edges), 3), np.nan), [np.empty((0, 0))] * len(edges)
    panels = _Panels(outer, edges, unknown, unknown.copy(), none)
    waiting: Integers = np.arange(len(edges))
    for half_nodes in HALF_NODES:
        try:
            _integrate(surface, panels, waiting, center, half_nodes)
        except NotResolvedError:
            if half_nodes == HALF_NODES[0]:
                raise
            break
        waiting = _far_apart(panels)
        if not waiting.size:
            break
    return _resolve(panels, center)


def _far_apart(panels: _Panels) -> Integers:
    """List the panels whose distances are not yet small."""
    mean, square, _ = panels.total(panels.sums)[0]
    variance = square - mean**2
    scales = np.array([np.sqrt(max(variance, 0.0)), variance, variance])
    with np.errstate(all="ignore"):
        apart = (panels.distances / scales).sum(axis=1)
    if apart.sum() <= CLOSE:
        return np.empty(0, dtype=int)
    return np.flatnonzero(~(apart <= CLOSE / apart.size))


def _resolve(panels: _Panels, center: float) -> Resolved:
    """Compute indices from the sums along both rates."""
    (mean, square, of_mean), apart = panels.total(panels.sums).T, panels.total(panels.distances).T
    variances = square - mean**2
    variance = variances[0]
    deviation = np.sqrt(max(variance, 0.0))
    with np.errstate(all="ignore"):
        s1 = (of_mean - mean**2) / variances
        of_variance = (apart[1] + 2 * np.abs(mean) * apart[0]) / variance
        of_s1 = (apart[2] + 2 * np.abs(mean) * apart[0]) / variance + s1 * of_variance
        parts = [
            *of_s1,
            *(apart[0].max() / deviation, of_variance.max()),
            *(abs(mean[0] - mean[1]) / deviation, abs(variances[0] - variances[1]) / variance),
        ]
        error = 2 * sum(parts) + ROUNDING * (abs(center) + panels.largest) / deviation
        error = float(np.maximum(error, LEAST_ERROR))
        moment_error = error * max(np.sqrt(variance), variance)
    return Resolved(s1, float(center + mean[0]), float(variance), error, float(moment_error))


def _integrate(
    surface: KinkedSurface, panels: _Panels, waiting: Integers, center: float, half_nodes: int
) -> None:
    """Compute the sums of panels with a number of nodes."""
    nodes, complements, weights = tanh_sinh(half_nodes)
    ends, end_complements = rates_at(panels.edges[waiting])
    lengths = _lengths(ends, end_complements)
    fixed = (ends[:, :1] + lengths * nodes).ravel()
    fixed_complement = (end_complements[:, 1:] + lengths * complements).ravel()
    outer = np.repeat(panels.outer[waiting], nodes.size)
    logits = np.log(fixed) - np.log(fixed_complement)
    crossed = _crossed(surface, panels, waiting, Lines(outer, logits))
    fine, coarse, largest = _along(
        surface, (outer, fixed, fixed_complement), crossed, center, half_nodes
    )
    panels.largest = max(panels.largest, largest)
    fine = fine.reshape(-1, nodes.size, 2)
    coarse = coarse.reshape(-1, nodes.size, 2)[:, ::2]
    panels.sums[waiting] = lengths * _sums(fine, weights)
    other = lengths * _sums(coarse, 2 * weights[::2])
    panels.distances[waiting] = np.abs(panels.sums[waiting] - other)


def _crossed(surface: KinkedSurface, panels: _Panels, waiting: Integers, lines: Lines) -> Array:
    """Find the crossings of the panels' lines, of which every second one may be known already."""
    count = lines.fixed.size // waiting.size
    number = np.arange(lines.fixed.size).reshape(-1, count)
    known = [panels.logits[panel] for panel in waiting.tolist()]
    if known[0].size == 0:
        logits = crossings(surface, lines).logits
    else:
        most = max(part.shape[1] for part in known)
        old = np.full((waiting.size, known[0].shape[0], most), np.inf)
        for row, part in zip(old, known, strict=True):
            row[:, : part.shape[1]] = part
        first = number[:, : count // 2] - np.arange(waiting.size)[:, np.newaxis] * (count // 2)
        grid = grid_beside(old.reshape(-1, most), first.ravel())
        new = crossings(surface, lines[number[:, 1::2].ravel()], grid).logits
        logits = np.full((lines.fixed.size, max(most, new.shape[1])), np.inf)
        logits[number[:, ::2].ravel(), :most] = old.reshape(-1, most)
        logits[number[:, 1::2].ravel(), : new.shape[1]] = new
    for panel, rows in zip(waiting.tolist(), number, strict=True):
        panels.logits[panel] = logits[rows]
    return logits


def _sums(moments: Array, weights: Array) -> Array:
    """Sum over lines, shape (panels, 3), from means and mean squares, (panels, lines, 2)."""
    three = np.concatenate([moments, moments[..., :1] ** 2], axis=-1)
    return np.einsum("plk,l->pk", three, weights)


def _along(
    surface: KinkedSurface,
    lines: tuple[Integers, Array, Array],
    crossed: Array,
    center: float,
    half_nodes: int,
) -> tuple[Array, Array, float]:
    """Compute means and mean squares along lines, shape (lines, 2), by all and by every second
    node, and the largest distance from the center."""
    outer, fixed, fixed_complement = lines
    nodes, complements, weights = tanh_sinh(half_nodes)
    infinite = np.full((len(crossed), 1), np.inf)
    ends, end_complements = rates_at(np.hstack([-infinite, crossed, infinite]))
    lengths = _lengths(ends, end_complements)
    line, piece = np.nonzero(lengths > 0)
    sums = np.empty((2, 2, line.size))
    largest, step = 0.0, max(BLOCK // nodes.size, 1)
    for start in range(0, line.size, step):
        block = slice(start, start + step)
        row, column = line[block], piece[block]
        length = lengths[row, column, np.newaxis]
        along = ends[row, column, np.newaxis] + length * nodes
        along_complement = end_complements[row, column + 1, np.newaxis] + length * complements
        held = (fixed[row, np.newaxis], fixed_complement[row, np.newaxis])
        points = on_lines(outer[row, np.newaxis], held, (along, along_complement))
        values = surface.values(points) - center
        largest = max(largest, np.abs(values).max())
        for power in (0, 1):
            sums[0, power, block] = length[:, 0] * (values @ weights)
            sums[1, power, block] = length[:, 0] * (values[:, ::2] @ (2 * weights[::2]))
            values = values**2
    totals = [[np.bincount(line, part, outer.size) for part in rule] for rule in sums]
    fine, coarse = np.moveaxis(np.array(totals), 1, 2)
    return fine, coarse, float(largest)


def _lengths(ends: Array, complements: Array) -> Array:
    """Compute lengths between ends from the rates or their complements, whichever is more
    precise."""
    return np.where(
        ends[..., :-1] < 0.5, np.diff(ends), complements[..., :-1] - complements[..., 1:]
    )
