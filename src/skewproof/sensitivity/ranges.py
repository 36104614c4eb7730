"""Range of a metric's values, and the same metric scaled to [0, 1].

What is large, small or unbounded is relative to the metric's own values, of whatever size.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from skewproof.core.algebra import Array
from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.formulas import ROUNDING, FormulaError
from skewproof.core.levels import DEFAULT_LEVELS, DEFAULT_POSITIVES, Level
from skewproof.core.messages import shortened
from skewproof.core.metric import Metric
from skewproof.core.tanh_sinh import HALF_NODES, WIDTH, sigmoid_nodes

ROUNDED = 9
"""Digits after the point to which the ends of a range are rounded that is 0.1 to 10 wide."""

MOST_OPERATIONS = 1e7
"""Operations on numbers at a level; formulas that need more are looked at on fewer nodes."""

POLE = 1e6
"""As many times its width on the nodes is what only a metric with a pole has between them."""

SHALLOW = 1e-11
"""A rate, or 1 less one, next to the edge."""

BEYOND = 1e-3
"""Share of its width that a bounded metric has at most beyond the values off the edges."""

INSIDE = float(np.arcsinh(np.log(1e9) / np.pi) / WIDTH)
"""Nodes on either side of 1/2 up to the rates 1e-9 and 1 - 1e-9, between which extremes are looked
for between the nodes: nearer to the edges there are extremes that rounding makes."""

ZOOMS, NARROWING, STEPS = 20, 3, 13
"""How often the place of an extreme is looked at anew, how many times as near each time, and at how
many points along each rate."""


def with_bounds(metric: Metric) -> Metric:
    """A metric with its bounds found at the default levels, where they are not known.

    Raises
    ------
    FormulaError
        As :func:`value_range`, and if all values are the same.
    """
    if metric.bounds is not None:
        return metric
    return dataclasses.replace(metric, bounds=_wide(value_range(metric, DEFAULT_LEVELS), metric))


def normalized_range(metric: Metric) -> tuple[float, float]:
    """Range of a metric of the rates, by which its normalized variant is rescaled.

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
    found = value_range(of_rates, [Level(1, 1)], spacing=_spacing(metric))
    return _wide(found, of_rates)


class _Rates(ConfusionMatrix):
    """Rates as counts of classes whose sizes are 1, and not 1 but for rounding."""

    positives = negatives = property(lambda self: np.float64(1))


def _wide(found: tuple[float, float], metric: Metric) -> tuple[float, float]:
    low, high = found
    if not math.isfinite(high - low):
        raise FormulaError(
            f"{shortened(metric.key)} has values from {low:g} to {high:g}: expected a range that is"
            " a float"
        )
    if high - low <= ROUNDING * max(abs(low), abs(high)):
        raise FormulaError(
            f"{shortened(metric.key)} is {low:g} for all classifiers: expected a metric, which"
            " tells them apart"
        )
    return found


def value_range(
    metric: Metric, levels: Sequence[Level], *, spacing: int | None = None
) -> tuple[float, float]:
    """Smallest and largest value of a metric over all (tp, fp) at several levels.

    Parameters
    ----------
    metric
        The metric, of any scale.
    levels
        The levels.
    spacing
        The extremes are looked for first on every node of the rule where 1, on every second where
        2; on as many as the cost of the metric's formula allows where None.

    Raises
    ------
    FormulaError
        If the values grow without bound, or are undefined inside the square.
    """
    spacing = spacing or _spacing(metric)
    numbers = _numbers(spacing)
    surfaces = [_surface(metric, level, numbers) for level in levels]
    starts = [
        start
        for level, values in zip(levels, surfaces, strict=True)
        for start in _starts(metric, level, values, numbers)
    ]
    ends = _refined(metric, levels, starts, spacing)
    _refuse_poles(metric, levels, ends.reshape(-1, 2), starts)
    low, high = float(np.min(ends)), float(np.max(ends))
    return _rounded(low, high - low), _rounded(high, high - low)


def _rounded(end: float, width: float) -> float:
    """What the search leaves beyond the ninth digit goes."""
    power = math.floor(math.log10(width)) if 0 < width < math.inf else 0
    return round(end, ROUNDED - (power if power >= 0 else power + 1)) + 0.0


def _spacing(metric: Metric) -> int:
    """How many nodes apart the formula's cost leaves time for: 1, 2, 4 or 8."""
    spacing, cost = 1, getattr(metric.formula, "cost", 1)
    while cost * (2 * HALF_NODES / spacing) ** 2 > MOST_OPERATIONS and spacing < 8:
        spacing *= 2
    return spacing


def _numbers(spacing: int) -> NDArray[np.intp]:
    """The numbers of the nodes that are looked at, those that are next to the edges always."""
    every = np.arange(2 * HALF_NODES + 1)
    inner = every[_shallow(every)]
    return np.union1d(every[::spacing], inner[[0, -1]])


def _shallow(numbers: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Which nodes stop short of the edges so far that a bounded metric is at its limit nearly."""
    nodes, _ = sigmoid_nodes(numbers)
    return (nodes > SHALLOW) & (nodes < 1 - SHALLOW)


def _surface(metric: Metric, level: Level, numbers: NDArray[np.intp]) -> Array:
    """A metric at all pairs of nodes, all of it finite."""
    nodes, complements = sigmoid_nodes(numbers)
    matrices = ConfusionMatrix.from_rates(
        nodes[:, np.newaxis],
        nodes,
        positives=DEFAULT_POSITIVES,
        negatives=level.negatives(DEFAULT_POSITIVES),
        fnr=complements[:, np.newaxis],
        tnr=complements,
    )
    with np.errstate(all="ignore"):
        values = np.asarray(metric(matrices), dtype=np.float64)
    if not np.isfinite(values).all():
        row, column = np.argwhere(~np.isfinite(values))[0]
        raise FormulaError(
            f"{shortened(metric.key)} is undefined inside the square, at tp/P = {nodes[row]:.3g}"
            f" and fp/N = {nodes[column]:.3g}: expected a metric that is undefined on edges at most"
        )
    return values


def _refuse_poles(
    metric: Metric, levels: Sequence[Level], ends: Array, starts: Sequence[_Start]
) -> None:
    """Refuse a metric that grows between the nodes far beyond its values on them."""
    on_nodes = np.array([start.value for start in starts]).reshape(-1, 2)
    with np.errstate(over="ignore", invalid="ignore"):
        beyond = np.abs(ends - on_nodes) > POLE * np.abs(on_nodes[:, 1:] - on_nodes[:, :1])
    if beyond.any():
        number, side = np.argwhere(beyond)[0]
        raise FormulaError(
            f"{shortened(metric.key)} is unbounded {'above' if side else 'below'} at"
            f" {levels[number]}, inside the square: expected a bounded metric"
        )


class _Start(NamedTuple):
    """A node's numbers along both rates, and the value there."""

    place: NDArray[np.intp]
    value: float


def _starts(
    metric: Metric, level: Level, values: Array, numbers: NDArray[np.intp]
) -> tuple[_Start, _Start]:
    """The smallest and the largest value, which are not far beyond those that are off the edges."""
    first, *_, last = np.flatnonzero(_shallow(numbers))
    inner = values[first : last + 1, first : last + 1]
    places = [np.unravel_index(flat, values.shape) for flat in (values.argmin(), values.argmax())]
    low, high = (float(values[place]) for place in places)
    with np.errstate(over="ignore"):
        lowest, highest = inner.min(), inner.max()
        least = max(BEYOND * (highest - lowest), ROUNDING * max(abs(low), abs(high)))
        beyond = {"below": lowest - low, "above": high - highest}
    for place, (kind, distance) in zip(places, beyond.items(), strict=True):
        if distance > least:
            u, v = sigmoid_nodes(numbers[[*place]])[0]
            raise FormulaError(
                f"{shortened(metric.key)} is unbounded {kind} at {level}, near tp/P = {u:.3g} and"
                f" fp/N = {v:.3g}: expected a bounded metric, such as x/(1 + x) of this one"
            )
    return _Start(numbers[[*places[0]]], low), _Start(numbers[[*places[1]]], high)


def _refined(
    metric: Metric, levels: Sequence[Level], starts: Sequence[_Start], spacing: int
) -> Array:
    """The values at the smallest and largest place of each level, looked for between the nodes.

    Parameters
    ----------
    metric, levels
        As for :func:`value_range`.
    starts
        Where to begin, the smallest value of each level before its largest.
    spacing
        How many nodes the first ones are apart.
    """
    moving = np.arange(len(starts))
    sign = np.where(moving % 2, -1.0, 1.0)
    negatives = np.repeat([level.negatives(DEFAULT_POSITIVES) for level in levels], 2)
    centers = np.array([start.place for start in starts], dtype=np.float64)
    found, width = sign * [start.value for start in starts], float(spacing)
    for _ in range(ZOOMS):
        near = centers[moving, :, np.newaxis] + width * np.linspace(-1, 1, STEPS)
        near = np.clip(near, HALF_NODES - INSIDE, HALF_NODES + INSIDE)
        rates, complements = sigmoid_nodes(near)
        matrices = ConfusionMatrix.from_rates(
            rates[:, 0, :, np.newaxis],
            rates[:, 1, np.newaxis],
            positives=DEFAULT_POSITIVES,
            negatives=negatives[moving, np.newaxis, np.newaxis],
            fnr=complements[:, 0, :, np.newaxis],
            tnr=complements[:, 1, np.newaxis],
        )
        with np.errstate(all="ignore"):
            values = np.asarray(metric(matrices), dtype=np.float64)
        values = sign[moving, np.newaxis, np.newaxis] * values
        flat = np.where(np.isfinite(values), values, np.inf).reshape(len(moving), -1)
        ends, best = np.arange(len(moving)), flat.argmin(axis=1)
        better = flat[ends, best] <= found[moving]
        found[moving] = np.where(better, flat[ends, best], found[moving])
        places = np.stack([near[ends, 0, best // STEPS], near[ends, 1, best % STEPS]], axis=1)
        centers[moving] = np.where(better[:, np.newaxis], places, centers[moving])
        width /= NARROWING
        # Where all points are one and no better, those of a narrower look are the same one.
        moving = moving[better | (near != near[..., :1]).any(axis=(1, 2))]
        if not moving.size:
            break
    return found * sign
