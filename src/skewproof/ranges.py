"""Range of a metric's values, and the same metric scaled to [0, 1]."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy import optimize

from skewproof.confusion import ConfusionMatrix
from skewproof.formulas import FormulaError
from skewproof.levels import Level
from skewproof.quadrature import tanh_sinh
from skewproof.registry import Metric

LEVELS = ("1:1", "1:2", "1:10", "1:100", "1:1000")
"""The paper's levels; the first is the baseline."""

POSITIVES = 100


def rescaled(metric: Metric, low: float, high: float) -> Metric:
    """A metric with its values scaled from [low, high] to [0, 1]; it is not registered."""
    return dataclasses.replace(
        metric, formula=lambda c: (metric(c) - low) / (high - low), bounds=(0.0, 1.0)
    )


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
        values = np.broadcast_to(metric(_inside(level)), (tanh_sinh().nodes.size,) * 2)
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


def _inside(level: Level) -> ConfusionMatrix:
    nodes, complements, _ = tanh_sinh()
    negatives = level.negatives(POSITIVES)
    return ConfusionMatrix(
        tp=POSITIVES * nodes[:, np.newaxis],
        fn=POSITIVES * complements[:, np.newaxis],
        fp=negatives * nodes,
        tn=negatives * complements,
    )


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
    negatives = level.negatives(POSITIVES)

    def value(rates: NDArray[np.float64]) -> float:
        u, v = rates
        matrix = ConfusionMatrix.from_tp_fp(
            POSITIVES * u, negatives * v, positives=POSITIVES, negatives=negatives
        )
        return sign * float(metric(matrix))

    start = np.clip([nodes[row], nodes[column]], 1e-9, 1 - 1e-9)
    found = optimize.minimize(value, start, bounds=[(1e-9, 1 - 1e-9)] * 2, method="Nelder-Mead")
    return float(min(deep, found.fun))


def _rounded(value: float) -> float:
    """What the refinement leaves beyond the ninth digit goes."""
    return round(value, 9) + 0.0
