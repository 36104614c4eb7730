"""A search for the extremes of a metric over all classifiers, on a grid and between its points.

Along a kink a metric often has a ridge whose highest place is between grid points. On the grid it
seems to be wherever a point happens to be near the ridge. Therefore the extremes along each line of
the grid are searched first, also between its points, and then those of lines between the lines.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from skewproof.core.algebra import Array
from skewproof.core.confusion import matrix_of
from skewproof.core.metric import Metric
from skewproof.sensitivity.quadrature.computational_graph import ComputationalGraph
from skewproof.sensitivity.quadrature.tanh_sinh import HALF_NODES, WIDTH
from skewproof.sensitivity.ranges.branch_and_bound import EDGES, Numbers, rates_at

# Settings of the search between the points of a grid.

INSIDE = float(np.arcsinh(np.log(1e12) / np.pi) / WIDTH)
"""Number of nodes on either side of 1/2 up to the rates 1e-12 and 1 - 1e-12. Beyond these rates
extremes are not searched between nodes, where rounding causes spurious ones."""

STEPS = 13
"""Number of points along a rate at which the neighborhood of an extreme is evaluated."""

ZOOMS = 20
"""Number of zooms into the neighborhood of an extreme along both rates."""

NARROWING = 3.0
"""The factor by which this neighborhood is narrowed each time."""

LINE_NARROWING = 6.0
"""The factor along one rate, where a single extreme is between the neighbors of the best
point."""

LINE_ZOOMS = 12
"""Number of zooms along each line of the grid, before the best lines are chosen."""

FINEST = 1e-11
"""Width of a neighborhood, in nodes, at which an extreme along a line is found."""

CANDIDATES = 3
"""Number of lines along each rate on which the search for extremes continues."""

NEAR_BEST = 0.05
"""Largest distance of a level's best value from the best of all levels, as a share of the
range, with which the search continues."""


class Evaluation:
    """A metric at nodes along both rates, for several class sizes.

    Attributes
    ----------
    sizes
        Shape (2, sizes): P and N.
    graph
        The metric's operations, or None if some are not recorded.
    """

    def __init__(self, metric: Metric, sizes: Array, graph: ComputationalGraph | None) -> None:
        self.metric, self.sizes, self.graph = metric, sizes, graph

    def __call__(self, nodes: tuple[Array, Array], size: Numbers) -> Array:
        """Evaluate the metric at nodes along both rates, for numbers of class sizes; all
        broadcast."""
        (u, u_complement), (v, v_complement) = map(rates_at, nodes)
        positives, negatives = self.sizes[:, size]
        counts = (positives * u, negatives * v, positives * u_complement, negatives * v_complement)
        with np.errstate(all="ignore"):
            return np.asarray(self.metric(matrix_of(counts)), dtype=np.float64)


class Start(NamedTuple):
    """Nodes from which extremes are searched, one per element."""

    values: Array
    """Values with the sign that makes the extreme a minimum."""

    nodes: Array
    """Nodes along both rates, also between whole numbers, shape (2, starts)."""

    size: Numbers
    sign: Array

    def some(self, number: Numbers | NDArray[np.bool_]) -> Start:
        """Select starts."""
        return Start(
            self.values[number], self.nodes[:, number], self.size[number], self.sign[number]
        )

    def moved(self, values: Array, nodes: Array) -> Start:
        """Move each start to the best of several nodes unless all are worse.

        Parameters
        ----------
        values
            Values there with the sign that makes the extreme a minimum, shape (starts, several).
        nodes
            Nodes along both rates, shape (2, starts, several).
        """
        finite = np.where(np.isfinite(values), values, np.inf)
        starts, best = np.arange(self.size.size), finite.argmin(axis=1)
        better = finite[starts, best] <= self.values
        return self._replace(
            values=np.where(better, finite[starts, best], self.values),
            nodes=np.where(better, nodes[:, starts, best], self.nodes),
        )

    def moved_among(self, evaluation: Evaluation, first: Array, second: Array) -> Start:
        """Move each start to the best pair of nodes along both rates.

        The nodes have the shapes (starts, several, 1) and (starts, 1, several) for all pairs, or
        one shape, such as (starts, several).
        """
        extra = (np.newaxis,) * (first.ndim - 1)
        values = self.sign[:, *extra] * evaluation((first, second), self.size[:, *extra])
        several = np.broadcast_arrays(values, first, second)
        values, first, second = (part.reshape(self.size.size, -1) for part in several)
        return self.moved(values, np.array([first, second]))


def zoomed(evaluation: Evaluation, start: Start, width: float) -> Start:
    """Search for extremes in ever smaller squares.

    Parameters
    ----------
    evaluation
        The metric.
    start
        The centers of the first squares.
    width
        Half of the width of the first squares, in nodes.
    """
    start = start._replace(values=start.values.copy(), nodes=start.nodes.copy())
    moving = np.arange(start.size.size)
    for _ in range(ZOOMS):
        near = _near(start.nodes[:, moving], np.full(moving.size, width))
        squares = near[0, :, :, np.newaxis], near[1, :, np.newaxis, :]
        moved = start.some(moving).moved_among(evaluation, *squares)
        start.values[moving], start.nodes[:, moving] = moved.values, moved.nodes
        width /= NARROWING
        # On the edges all points may be one, and so are those of narrower squares.
        moving = moving[(near != near[..., :1]).any(axis=(0, 2))]
        if not moving.size:
            break
    return start


def _near(centers: Array, width: Array) -> Array:
    """List nodes around centers, shape (*centers.shape, steps); nodes near the edges, where
    rounding causes extremes, are used only if they are centers."""
    near = centers[..., np.newaxis] + width[..., np.newaxis] * np.linspace(-1, 1, STEPS)
    near = np.clip(near, HALF_NODES - INSIDE, HALF_NODES + INSIDE)
    outside = np.abs(centers - HALF_NODES) > INSIDE
    return np.where(outside[..., np.newaxis], centers[..., np.newaxis], near)


def along_lines(evaluation: Evaluation, start: Start, axis: int, width: float, zooms: int) -> Start:
    """Search for extremes along lines on which one rate is fixed.

    Parameters
    ----------
    evaluation
        The metric.
    start
        A node on each line.
    axis
        The rate that is fixed.
    width
        Half of the width of the first neighborhood, in nodes.
    zooms
        Number of zooms into a neighborhood.
    """
    fixed = start.nodes[axis, :, np.newaxis]
    for _ in range(zooms):
        near = _near(start.nodes[1 - axis], np.full(start.size.size, width))
        pair = (fixed, near) if axis == 0 else (near, fixed)
        start = start.moved_among(evaluation, *pair)
        width /= LINE_NARROWING
    return start


def along_ridges(evaluation: Evaluation, start: Start, axis: int, width: float) -> Start:
    """Search along one rate for the best of the extremes along the other, also between grid lines.

    Parameters
    ----------
    evaluation, start
        As for :func:`along_lines`.
    axis
        The rate along which lines are chosen.
    width
        Half of the width of the first neighborhood, in nodes.
    """
    count = start.size.size
    number = np.repeat(np.arange(count), STEPS)
    while width > FINEST:
        lines = start.some(number)
        lines.nodes[axis] = _near(start.nodes[axis], np.full(count, width)).ravel()
        unknown = lines._replace(values=np.full(number.size, np.inf))
        zooms = int(np.ceil(np.log(2 * width / FINEST) / np.log(LINE_NARROWING))) + 1
        on_lines = along_lines(evaluation, unknown, axis, 2 * width, zooms)
        start = start.moved(
            on_lines.values.reshape(count, STEPS),
            on_lines.nodes.reshape(2, count, STEPS),
        )
        width /= LINE_NARROWING
    return start


def best_lines(
    evaluation: Evaluation, numbers: Array, surfaces: Array, tasks: Start, axis: int, width: float
) -> Start:
    """Find the extremes on the best lines of a grid.

    Parameters
    ----------
    evaluation
        The metric.
    numbers
        The grid's nodes along either rate.
    surfaces
        Shape (sizes, numbers, numbers): the metric there, NaN where it is not finite.
    tasks
        The best points of the grid, one for each extreme that is searched.
    axis
        The rate that is fixed on a line.
    width
        Distance of the grid's points, in nodes.
    """
    values = tasks.sign[:, np.newaxis, np.newaxis] * surfaces[tasks.size]
    values = np.where(np.isfinite(values), values, np.inf)
    values = values if axis == 0 else values.transpose(0, 2, 1)
    best = values.argmin(axis=2)
    count, lines = best.shape
    nodes = np.empty((2, count * lines))
    nodes[axis], nodes[1 - axis] = np.tile(numbers, count), numbers[best].ravel()
    start = Start(
        np.take_along_axis(values, best[..., np.newaxis], axis=2).ravel(),
        nodes,
        np.repeat(tasks.size, lines),
        np.repeat(tasks.sign, lines),
    )
    along = along_lines(evaluation, start, axis, width, LINE_ZOOMS)
    profiles = np.pad(along.values.reshape(count, lines), ((0, 0), (1, 1)), constant_values=np.inf)
    here, before, after = profiles[:, 1:-1], profiles[:, :-2], profiles[:, 2:]
    # One of several equal neighbors is enough.
    lowest = np.where((here < before) & (here <= after), here, np.inf)
    order = lowest.argsort(axis=1, kind="stable")[:, :CANDIDATES]
    chosen = (np.arange(count)[:, np.newaxis] * lines + order)[
        np.isfinite(np.take_along_axis(lowest, order, axis=1))
    ]
    return along.some(chosen)


def near_best(tasks: Start) -> Start:
    """Select the starts whose values are near the best of all sizes."""
    signed = tasks.sign * tasks.values
    largest = NEAR_BEST * (signed.max() - signed.min())
    best = {sign: tasks.values[tasks.sign == sign].min() for sign in set(tasks.sign.tolist())}
    limit = np.array([best[sign] for sign in tasks.sign.tolist()]) + largest
    kept = tasks.values <= limit
    return tasks.some(kept)


def grid_nodes(numbers: NDArray[np.integer]) -> Array:
    """Add the edges to the numbers of nodes."""
    return np.concatenate([[EDGES[0]], numbers, [EDGES[1]]]).astype(np.float64)
