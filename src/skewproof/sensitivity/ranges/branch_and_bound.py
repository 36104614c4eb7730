"""Proofs that a metric has no value beyond a range, by interval branch and bound.

The square of all classifiers, including its edges, is cut into boxes. A box is discarded if its
enclosure is in the range. It is also discarded if the metric is strictly monotone along a rate, as
extremes are then elsewhere; a box at the edge is reduced to this edge. All other boxes are cut in
two (Hansen and Walster 2004). The range is proved when no box is left.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from skewproof.core.algebra import Array
from skewproof.sensitivity.quadrature.computational_graph import ComputationalGraph
from skewproof.sensitivity.quadrature.tanh_sinh import HALF_NODES, sigmoid_nodes
from skewproof.sensitivity.ranges.enclosures import (
    ONE,
    Boxes,
    Interval,
    NotEnclosedError,
    enclosed,
)

MOST_OPERATIONS = 6e5
"""Budget of operations on boxes for a proof: about half a second."""

OPERATIONS_OF_A_CALL = 250
"""Cost of a call, in addition to that of its boxes."""

SMALL = 6.0
"""Length of a box, in nodes, below which a box that is not enclosed is given up, as its parts would
not be enclosed either."""

LARGEST_NODE = 2 * HALF_NODES

EDGES = (-1.0, LARGEST_NODE + 1.0)
"""Places of the two edges along a rate. Places are numbers of nodes, counted from 0; the edges are
beyond the outermost nodes."""

FIRST_CUTS = np.array([EDGES[0], 24, 64, 96, 128, 160, 192, 232, EDGES[1]])
"""Nodes of the first cuts along both rates."""


Numbers = NDArray[np.intp]


class Extremes(NamedTuple):
    """The smallest and the largest known value, and their nodes."""

    values: Array
    """Smallest and largest value, shape (2,)."""

    nodes: Array
    """Shape (2, 2): for each extreme the nodes along both rates."""

    sizes: Numbers
    """Shape (2,): for each extreme the number of the class sizes."""


class Proof(NamedTuple):
    """The result of branch and bound."""

    extremes: Extremes
    proved: bool
    """True if no value is beyond the extremes by more than the tolerance."""


def rates_at(nodes: Array) -> tuple[Array, Array]:
    """Compute rates and their complements at nodes; numbers beyond all nodes are on the edges."""
    rates, complements = sigmoid_nodes(np.clip(nodes, 0, LARGEST_NODE))
    low, high = nodes < 0, nodes > LARGEST_NODE
    return (
        np.where(low, 0.0, np.where(high, 1.0, rates)),
        np.where(low, 1.0, np.where(high, 0.0, complements)),
    )


def is_bounded(graph: ComputationalGraph, sizes: Array) -> bool:
    """Return whether a metric is proved to be bounded for classes of given sizes, (2, sizes)."""
    low, high, size = _first_boxes(sizes.shape[1])
    try:
        values = enclosed(graph, _boxes(low, high, sizes[:, size])).values
    except NotEnclosedError:
        return False
    return bool(_is_finite(values).all())


def _is_finite(values: Interval) -> NDArray[np.bool_]:
    finite: NDArray[np.bool_] = np.isfinite(values.low) & np.isfinite(values.high)
    return finite


def prove(graph: ComputationalGraph, sizes: Array, extremes: Extremes, tolerance: float) -> Proof:
    """Search for values beyond extremes until none is left or the budget is spent.

    Parameters
    ----------
    graph
        The metric's operations, from
        :func:`skewproof.sensitivity.quadrature.computational_graph.traced_at_all_sizes`.
    sizes
        Shape (2, sizes): P and N to which the extremes refer.
    extremes
        The known extremes.
    tolerance
        Largest distance of values beyond the extremes that is ignored.
    """
    best = Extremes(extremes.values.copy(), extremes.nodes.copy(), extremes.sizes.copy())
    low, high, size = _first_boxes(sizes.shape[1])
    # Boxes are kept twice: for smaller values and for larger ones.
    low, high = (np.concatenate([ends, ends], axis=1) for ends in (low, high))
    size, side = np.tile(size, 2), np.repeat([0, 1], size.size)
    spent, unresolved = 0.0, False
    while size.size:
        spent += len(graph.steps) * (size.size + OPERATIONS_OF_A_CALL)
        if spent > MOST_OPERATIONS:
            return Proof(best, proved=False)
        try:
            enclosure = enclosed(graph, _boxes(low, high, sizes[:, size]))
        except NotEnclosedError:
            return Proof(best, proved=False)
        _improve(best, enclosure.center, (low + high) / 2, size, side)
        values, slopes = enclosure.values, enclosure.slopes
        above, below = values.high - best.values[1], best.values[0] - values.low
        kept = ~(np.where(side, above, below) <= tolerance)
        hopeless = kept & (high - low < SMALL).all(axis=0) & ~_is_finite(values)
        if hopeless.any():
            unresolved = True
            if not graph.kinks:
                break
            kept &= ~hopeless
        low, high, size, side = low[:, kept], high[:, kept], size[kept], side[kept]
        slopes = Interval(slopes.low[:, kept], slopes.high[:, kept])
        low, high, inside = _moved(low, high, slopes, side)
        low, high, size, side = low[:, inside], high[:, inside], size[inside], side[inside]
        slopes = Interval(slopes.low[:, inside], slopes.high[:, inside])
        number, first, second = _halves(low, high, slopes)
        unresolved |= number.size < size.size
        low, high = np.concatenate([first, second], axis=-1)
        size, side = np.tile(size[number], 2), np.tile(side[number], 2)
    return Proof(best, proved=not unresolved)


def _first_boxes(sizes: int) -> tuple[Array, Array, Numbers]:
    """Make lower and upper ends, (2, boxes), of boxes that cover the square for all sizes."""
    cells = FIRST_CUTS.size - 1
    size, row, column = (part.ravel() for part in np.indices((sizes, cells, cells)))
    cell = np.array([row, column])
    return FIRST_CUTS[cell], FIRST_CUTS[cell + 1], size


def _boxes(low: Array, high: Array, sizes: Array) -> Boxes:
    """Make boxes between nodes; if rates are above 1/2, their complements are exact."""
    (from_rate, from_complement), (to_rate, to_complement) = rates_at(low), rates_at(high)
    ends = []
    for rate, complement in ((from_rate, from_complement), (to_rate, to_complement)):
        rates, complements = Interval(rate, rate), Interval(complement, complement)
        small = rate < 0.5
        ends.append(
            (rates.where(small, ONE - complements), (ONE - rates).where(small, complements))
        )
    (first, other_first), (last, other_last) = ends
    return Boxes(Interval(first.low, last.high), Interval(other_last.low, other_first.high), sizes)


def _improve(best: Extremes, center: Interval, middle: Array, size: Numbers, side: Numbers) -> None:
    """Update the extremes with values in the middles of boxes."""
    certain = np.where(side, center.low, -center.high)
    for number, sign in enumerate((-1, 1)):
        values = np.where((side == number) & np.isfinite(certain), certain, -np.inf)
        box = int(values.argmax())
        if values[box] > sign * best.values[number]:
            best.values[number] = sign * values[box]
            best.nodes[number] = middle[:, box]
            best.sizes[number] = size[box]


def _moved(
    low: Array, high: Array, slopes: Interval, side: Numbers
) -> tuple[Array, Array, NDArray[np.bool_]]:
    """Reduce boxes to the edges if only these can have their extremes, and return which remain."""
    sign = np.where(side, 1.0, -1.0)
    rises, falls = (slopes.low > 0, slopes.high < 0)
    upward = np.where(sign > 0, rises, falls)
    downward = np.where(sign > 0, falls, rises)
    wide = low < high
    flat = wide & (slopes.low == 0) & (slopes.high == 0)
    to_high, to_low = upward & (high == EDGES[1]), downward & (low == EDGES[0])
    gone = wide & ((upward & ~to_high) | (downward & ~to_low))
    new_low = np.where(wide & to_high, high, low)
    new_high = np.where((wide & to_low) | flat, low, high)
    return new_low, new_high, ~gone.any(axis=0)


def _halves(low: Array, high: Array, slopes: Interval) -> tuple[Numbers, Array, Array]:
    """Cut boxes in two along the rate along which the metric changes most.

    Returns
    -------
    The numbers of the boxes that can be cut, and lower and upper ends of both halves, each of the
    shape (2, 2, boxes).
    """
    (rate_low, _), (rate_high, _) = rates_at(low), rates_at(high)
    with np.errstate(invalid="ignore"):
        change = np.maximum(np.abs(slopes.low), np.abs(slopes.high)) * (rate_high - rate_low)
    change = np.where(np.isfinite(change), change, np.inf)
    middle = (low + high) / 2
    next_to_edge = (high <= 0) | (low >= LARGEST_NODE)
    fits = ~next_to_edge & (middle > low) & (middle < high)
    # If a change is not known, the longer side is cut.
    longer = np.where(np.isinf(change).any(axis=0), high - low, change)
    longer = np.where(fits, longer, -1.0)
    along = longer.argmax(axis=0)
    number = np.flatnonzero(fits.any(axis=0))
    along = along[number]
    columns = np.arange(number.size)
    first, second = (np.array([low[:, number], high[:, number]]) for _ in range(2))
    cut = middle[along, number]
    # A box next to an edge has the outermost node as its other end.
    first[1, along, columns] = second[0, along, columns] = cut
    return number, first, second
