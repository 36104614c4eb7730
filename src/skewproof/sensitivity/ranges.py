"""Range of a metric's values, and the same metric scaled to [0, 1]."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy import optimize

from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.formulas import FormulaError
from skewproof.core.levels import DEFAULT_LEVELS, DEFAULT_POSITIVES, Level
from skewproof.core.metric import Metric
from skewproof.core.tanh_sinh import matrices_at_nodes, tanh_sinh


def with_bounds(metric: Metric) -> Metric:
    """A metric with its bounds found at the default levels, where they are not known.

    Raises
    ------
    FormulaError
        As :func:`value_range`.
    """
    if metric.bounds is not None:
        return metric
    return dataclasses.replace(metric, bounds=value_range(metric, DEFAULT_LEVELS))


def normalized_range(metric: Metric) -> tuple[float, float]:
    """Range of a metric of the rates, by which its normalized variant is rescaled."""
    return value_range(
        dataclasses.replace(metric, formula=lambda c: metric(c.rates)), [Level(1, 1)]
    )


def value_range(metric: Metric, levels: Sequence[Level]) -> tuple[float, float]:
    """Smallest and largest value of a metric over all (tp, fp) at several levels.

    Raises
    ------
    FormulaError
        If the values grow without bound, or are undefined inside the square.
    """
    extremes = []
    for level in levels:
        values = np.broadcast_to(
            metric(matrices_at_nodes(DEFAULT_POSITIVES, level.negatives(DEFAULT_POSITIVES))),
            (tanh_sinh().nodes.size,) * 2,
        )
        if not np.isfinite(values).all():
            row, column = np.argwhere(~np.isfinite(values))[0]
            nodes = tanh_sinh().nodes
            raise FormulaError(
                f"{metric.key} is undefined inside the square, at tp/P = {nodes[row]:.3g} and"
                f" fp/N = {nodes[column]:.3g}: expected a metric that is undefined on edges at most"
            )
        for sign in (1, -1):
            extremes.append(sign * _least(metric, level, sign, sign * values))
    return _rounded(min(extremes)), _rounded(max(extremes))


def _least(metric: Metric, level: Level, sign: int, values: NDArray[np.float64]) -> float:
    """The smallest of the values on the nodes, refined between them."""
    nodes = tanh_sinh().nodes
    row, column = np.unravel_index(values.argmin(), values.shape)
    deep = values[row, column]
    # Where the nodes stop short of the edges by 1e-11 a bounded metric is at its limit nearly.
    shallow = (nodes > 1e-11) & (nodes < 1 - 1e-11)
    if abs(values[np.ix_(shallow, shallow)].min() - deep) > 1e-3 * (1 + abs(deep)):
        kind = "below" if sign > 0 else "above"
        raise FormulaError(
            f"{metric.key} is unbounded {kind} at {level}, near tp/P = {nodes[row]:.3g} and fp/N ="
            f" {nodes[column]:.3g}: expected a bounded metric, such as x/(1 + x) of this one"
        )
    negatives = level.negatives(DEFAULT_POSITIVES)

    def value(rates: NDArray[np.float64]) -> float:
        u, v = rates
        matrix = ConfusionMatrix.from_rates(u, v, positives=DEFAULT_POSITIVES, negatives=negatives)
        return sign * float(metric(matrix))

    start = np.clip([nodes[row], nodes[column]], 1e-9, 1 - 1e-9)
    found = optimize.minimize(value, start, bounds=[(1e-9, 1 - 1e-9)] * 2, method="Nelder-Mead")
    return float(min(deep, found.fun))


def _rounded(value: float) -> float:
    """What the refinement leaves beyond the ninth digit goes."""
    return round(value, 9) + 0.0
