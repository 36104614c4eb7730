"""The range of a metric's values, and bounds for metrics without known ones.

Tolerances and the criterion for unbounded values are relative to the size of the metric's values.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from skewproof.core.algebra import Array
from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.formulas.metrics import ROUNDING, FormulaError
from skewproof.core.levels import DEFAULT_LEVELS, DEFAULT_POSITIVES, Level
from skewproof.core.messages import shortened
from skewproof.core.metric import Bounds, Metric
from skewproof.sensitivity.quadrature.computational_graph import (
    ComputationalGraph,
    NotTracedError,
    traced_at_all_sizes,
)
from skewproof.sensitivity.quadrature.tanh_sinh import HALF_NODES, sigmoid_nodes
from skewproof.sensitivity.ranges.branch_and_bound import (
    Extremes,
    Proof,
    is_bounded,
    prove,
    rates_at,
)
from skewproof.sensitivity.ranges.grid_search import (
    Evaluation,
    Start,
    along_ridges,
    best_lines,
    grid_nodes,
    near_best,
    zoomed,
)

ROUNDED = 10
"""Digits after the point to which the ends of a range with a width from 1 to 10 are rounded."""

TOLERANCE = 5e-10
"""Relative width by which the true range may exceed a proved one, before the ends are rounded."""

MOST_OPERATIONS = 1e7
"""Budget of operations on numbers at a level; more costly formulas are evaluated on fewer nodes."""

SPACING = 2
"""Smallest distance, in nodes, of the first nodes that are evaluated."""

POLE = 1e6
"""Multiple of the metric's range on the nodes which it exceeds between them only at a pole."""

SHALLOW = 1e-11
"""Distance of a rate from the edge above which a bounded metric is near its limit."""

BEYOND = 1e-3
"""Largest share of the range by which values at the edges may exceed the others, unless the metric
is proved to be bounded."""


DEFAULT_SIZES = f"{DEFAULT_POSITIVES} positives at {DEFAULT_LEVELS[0]} to {DEFAULT_LEVELS[-1]}"
"""Class sizes at which the bounds of a metric are searched."""


class ValueRange(NamedTuple):
    """Smallest and largest value of a metric."""

    low: float
    high: float
    proved: bool
    """True if interval arithmetic shows that no value is beyond them by more than 1e-9 of their
    distance; False if they were found by a search."""

    @property
    def bounds(self) -> Bounds:
        """The smallest and the largest value."""
        return self.low, self.high


def with_bounds(metric: Metric, known_range: ValueRange | None = None) -> Metric:
    """Find the bounds of a metric at the default levels, if they are not known.

    Parameters
    ----------
    metric
        The metric.
    known_range
        The range at the default levels, if it is known already.

    Raises
    ------
    FormulaError
        As :func:`value_range`, and if all values are the same.
    """
    if metric.bounds is not None:
        return metric
    known_range = known_range or value_range(metric, DEFAULT_LEVELS)
    return dataclasses.replace(metric, bounds=_wide(known_range, metric, DEFAULT_SIZES))


def normalized_range(metric: Metric) -> Bounds:
    """Find the range of a metric of the rates, by which its normalized variant is rescaled.

    Raises
    ------
    FormulaError
        As :func:`value_range`, and if all values are the same.
    """
    of_rates = dataclasses.replace(
        metric,
        key=f"{metric.key}_i",
        formula=lambda c: metric(_Rates(tp=c.tpr, fp=c.fpr, fn=c.fnr, tn=c.tnr)),
    )
    range_of_rates = _range(of_rates, _traced(metric), {"1:1": (1.0, 1.0)}, _spacing(metric))
    return _wide(range_of_rates, of_rates, "classes of size 1")


class _Rates(ConfusionMatrix):
    """Rates as counts of classes whose sizes are exactly 1, without rounding."""

    positives = negatives = property(lambda self: np.float64(1))


def _wide(known_range: ValueRange, metric: Metric, sizes: str) -> Bounds:
    low, high = known_range.bounds
    if not math.isfinite(high - low):
        raise FormulaError(
            f"{shortened(metric.key)} has values from {low:g} to {high:g}: expected a range whose"
            " width is a finite float"
        )
    if high - low <= ROUNDING * max(abs(low), abs(high)):
        where = f"{'of' if known_range.proved else 'that were tried of'} {sizes}"
        raise FormulaError(
            f"{shortened(metric.key)} is {low:g} for all classifiers {where}: expected a metric"
            " with different values"
        )
    return known_range.bounds


def value_range(
    metric: Metric, levels: Sequence[Level], *, spacing: int | None = None
) -> ValueRange:
    """Find the smallest and the largest value of a metric over all (tp, fp) at several levels.

    A search finds both: on a grid, between its points, and along the metric's kinks. Interval
    arithmetic then searches for values beyond them and, if possible, proves that there are none.
    Values on the edges of the square count if the metric is defined there.

    Parameters
    ----------
    metric
        The metric, of any scale.
    levels
        The levels.
    spacing
        Distance of the nodes of the first search: 2 is every second node of the rule, and 4 every
        fourth. With None it depends on the cost of the metric's formula.

    Raises
    ------
    FormulaError
        If the values grow without bound, or are undefined inside the square.

    Examples
    --------
    >>> from skewproof import Level
    >>> from skewproof.metrics import parse_metric
    >>> value_range(parse_metric("min(tp/P, 1 - fp/P)"), [Level(1, 1), Level(1, 2)])
    ValueRange(low=-1.0, high=1.0, proved=True)
    """
    positives = float(DEFAULT_POSITIVES)
    sizes = {str(level): (positives, level.negatives(positives)) for level in levels}
    spacing = spacing or _spacing(metric)
    # A formula that is too long for a fine search is too long for a proof.
    return _range(metric, _traced(metric) if spacing == SPACING else None, sizes, spacing)


def _traced(metric: Metric) -> ComputationalGraph | None:
    try:
        return traced_at_all_sizes(metric)
    except NotTracedError:
        return None


def _range(
    metric: Metric,
    graph: ComputationalGraph | None,
    named_sizes: Mapping[str, Bounds],
    spacing: int,
) -> ValueRange:
    """Find the range over classes of several sizes, given by their names in messages."""
    sizes, names = np.array(list(named_sizes.values())).T, list(named_sizes)
    evaluation, numbers = Evaluation(metric, sizes, graph), _numbers(spacing)
    surfaces = _surfaces(evaluation, numbers, metric)
    starts = _starts(evaluation, surfaces, numbers, names)
    refined = zoomed(evaluation, starts, spacing)
    _refuse_poles(metric, names, refined, starts)
    extremes, proved = _proved(evaluation, _extremes(refined))
    if not proved and spacing == SPACING and (graph is None or graph.kinks):
        before = extremes
        extremes = _on_ridges(evaluation, numbers, surfaces, refined, extremes)
        if (extremes.values != before.values).any():
            extremes, proved = _proved(evaluation, extremes)
    low, high = extremes.values.tolist()
    return ValueRange(_rounded(low, high - low), _rounded(high, high - low), proved)


def _proved(evaluation: Evaluation, extremes: Extremes) -> Proof:
    """Run branch and bound, and refine the extremes that it finds."""
    low, high = extremes.values.tolist()
    if evaluation.graph is None or not math.isfinite(high - low):
        return Proof(extremes, proved=False)
    proof = prove(evaluation.graph, evaluation.sizes, extremes, TOLERANCE * (high - low))
    if (proof.extremes.values == extremes.values).all():
        return proof
    sign = np.array([1.0, -1.0])
    start = Start(sign * proof.extremes.values, proof.extremes.nodes.T, proof.extremes.sizes, sign)
    for axis in (0, 1):
        start = along_ridges(evaluation, start, axis, 1.0)
    return proof._replace(extremes=_extremes(start))


def _on_ridges(
    evaluation: Evaluation,
    numbers: NDArray[np.intp],
    surfaces: Array,
    refined: Start,
    extremes: Extremes,
) -> Extremes:
    """Find extremes on ridges; known ones that are more extreme are kept."""
    sign = np.array([1.0, -1.0])
    starts = [Start(sign * extremes.values, extremes.nodes.T, extremes.sizes, sign)]
    tasks, spacing = near_best(refined), float(np.diff(numbers).max())
    for axis in (0, 1):
        lines = best_lines(evaluation, grid_nodes(numbers), surfaces, tasks, axis, spacing)
        starts.append(along_ridges(evaluation, near_best(lines), axis, spacing))
    return _extremes(
        Start(*(np.concatenate(parts, axis=-1) for parts in zip(*starts, strict=True)))
    )


def _extremes(searched: Start) -> Extremes:
    """Select the best of the starts for each extreme."""
    best = [
        np.flatnonzero(searched.sign == sign)[searched.values[searched.sign == sign].argmin()]
        for sign in (1, -1)
    ]
    return Extremes(
        searched.sign[best] * searched.values[best], searched.nodes[:, best].T, searched.size[best]
    )


def _rounded(end: float, width: float) -> float:
    """Round an end of a range to ten digits of the width."""
    power = math.floor(math.log10(width)) if 0 < width < math.inf else 0
    return round(end, ROUNDED - power) + 0.0


def _spacing(metric: Metric) -> int:
    """Choose the distance in nodes, 2, 4 or 8, by the cost of the formula."""
    spacing, cost = SPACING, getattr(metric.formula, "cost", 1)
    while cost * (2 * HALF_NODES / spacing) ** 2 > MOST_OPERATIONS and spacing < 8:
        spacing *= 2
    return spacing


def _numbers(spacing: int) -> NDArray[np.intp]:
    """List the numbers of the nodes to evaluate, which include those next to the edges."""
    every = np.arange(2 * HALF_NODES + 1)
    inner = every[_shallow(every)]
    return np.union1d(every[::spacing], inner[[0, -1]])


def _shallow(numbers: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Return which nodes are so far from the edges that a bounded metric is near its limit."""
    nodes, _ = sigmoid_nodes(numbers)
    return (nodes > SHALLOW) & (nodes < 1 - SHALLOW)


def _surfaces(evaluation: Evaluation, numbers: NDArray[np.intp], metric: Metric) -> Array:
    """Evaluate a metric at all pairs of nodes, where it must be finite, and on the edges, (sizes,
    u, v)."""
    nodes = grid_nodes(numbers)
    size = np.arange(evaluation.sizes.shape[1])[:, np.newaxis, np.newaxis]
    values = evaluation((nodes[:, np.newaxis], nodes), size)
    values = np.array(np.broadcast_to(values, (size.size, nodes.size, nodes.size)))
    inside = values[:, 1:-1, 1:-1]
    if not np.isfinite(inside).all():
        _, row, column = np.argwhere(~np.isfinite(inside))[0]
        u, v = sigmoid_nodes(numbers[[row, column]])[0]
        raise FormulaError(
            f"{shortened(metric.key)} is undefined inside the square, at tp/P = {u:.3g}"
            f" and fp/N = {v:.3g}: expected a metric that is undefined at most on edges"
        )
    return values


def _refuse_poles(metric: Metric, names: Sequence[str], refined: Start, starts: Start) -> None:
    """Refuse a metric that grows between the nodes far beyond its values on them."""
    low, high = (starts.sign * starts.values).reshape(-1, 2).T
    with np.errstate(over="ignore", invalid="ignore"):
        width = POLE * np.abs(high - low)
        beyond = np.abs(refined.values - starts.values).reshape(-1, 2) > width[:, np.newaxis]
    if beyond.any():
        number, side = np.argwhere(beyond)[0]
        raise FormulaError(
            f"{shortened(metric.key)} is unbounded {'above' if side else 'below'} at"
            f" {names[number]}, inside the square: expected a bounded metric"
        )


def _starts(
    evaluation: Evaluation,
    surfaces: Array,
    numbers: NDArray[np.intp],
    names: Sequence[str],
) -> Start:
    """Find the nodes of the smallest and the largest value on the grid, for each size.

    Raises
    ------
    FormulaError
        If the metric is infinite at an edge, or grows toward it and is not proved to be bounded.
    """
    nodes, bounded = grid_nodes(numbers), None
    first, *_, last = np.flatnonzero(_shallow(numbers)) + 1
    starts = []
    for number, name in enumerate(names):
        values = surfaces[number]
        inner = values[first : last + 1, first : last + 1]
        for sign, kind in ((1.0, "below"), (-1.0, "above")):
            signed = np.where(np.isnan(values), np.inf, sign * values)
            infinite = np.isneginf(signed)
            signed[infinite] = np.inf
            cell = np.unravel_index(signed.argmin(), signed.shape)
            with np.errstate(over="ignore"):
                distance = (sign * inner).min() - signed[cell]
                largest = max(np.abs(signed[cell]), np.abs(inner).max())
                least = max(BEYOND * np.ptp(inner), ROUNDING * largest)
            if distance > least or infinite.any():
                if bounded is None:
                    graph = evaluation.graph
                    bounded = graph is not None and is_bounded(graph, evaluation.sizes)
                if infinite.any() or not bounded:
                    u, v = rates_at(nodes[[*cell]])[0]
                    raise FormulaError(
                        f"{shortened(evaluation.metric.key)} is unbounded {kind} at {name}, near"
                        f" tp/P = {u:.3g} and fp/N = {v:.3g}: expected a bounded metric, such as"
                        " x/(1 + x) of this one"
                    )
            starts.append((signed[cell], nodes[[*cell]], number, sign))
    lowest, positions, size, signs = map(np.array, zip(*starts, strict=True))
    return Start(lowest, positions.T, size, signs)
