"""Statements on the guarantees of a metric's value, and on the effect of imbalance on it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from matplotlib.figure import Figure

from skewproof import ConfusionMatrix
from skewproof.core.algebra import Array, Value
from skewproof.metrics import accuracy, mcc
from skewproof.operating_points import best_point
from skewproof.operating_points.curves import BinormalCurve
from skewproof_studies.reporting.figures import styled_figure
from skewproof_studies.statements.drawing import LINES, show_levels
from skewproof_studies.statements.statement import Computation, read_statements

RATIOS = tuple(10**power for power in range(0, 7))
"""Negatives per positive."""


def least_rates(square: Value, ratio: Value) -> dict[str, Value]:
    """Return the smallest TPR, TNR, PPV and NPV at the square of an MCC above 0 and a number of
    negatives per positive.

    Examples
    --------
    >>> {name: round(rate, 3) for name, rate in least_rates(0.81, 1).items()}
    {'TPR': 0.895, 'TNR': 0.895, 'PPV': 0.905, 'NPV': 0.905}
    """
    return {
        "TPR": square * (1 + ratio) / (ratio + square),
        "TNR": square * (1 + ratio) / (1 + ratio * square),
        "PPV": (1 + ratio * square) / (1 + ratio),
        "NPV": (ratio + square) / (1 + ratio),
    }


def high_mcc() -> Computation:
    """Compute whether a high MCC bounds the four rates; they are at least MCC², with bounds by
    level."""
    rows = [
        (value, ratio, *least_rates(value**2, ratio).values())
        for value in (0.5, 0.7, 0.9)
        for ratio in (1, 10, 1000)
    ]
    return Computation(rows, {"least": least_rates(0.5**2, 1000)}, _high_mcc_figure())


def _high_mcc_figure() -> Figure:
    ratios = np.geomspace(1, 1e4, 100)
    with styled_figure((6.5, 3), 1, 2) as (figure, grid):
        for axes, name in zip(grid, ("TPR", "PPV"), strict=True):
            for line, value in zip(LINES, (0.9, 0.7, 0.5), strict=False):
                axes.plot(ratios, least_rates(value**2, ratios)[name], line, label=f"MCC {value:g}")
            show_levels(axes, RATIOS[:5])
            axes.set(ylim=(0, 1), ylabel=f"lowest {name}")
        figure.legend(*grid[0].get_legend_handles_labels(), loc="outside right upper")
    return figure


def best_ratio(tpr: float, fpr: float) -> float:
    """Return the negatives per positive at which MCC is highest, for given rates 0 < FPR < TPR < 1.

    Examples
    --------
    >>> round(best_ratio(0.9, 0.1), 9)
    1.0
    """
    return float(np.sqrt(tpr * (1 - tpr) / (fpr * (1 - fpr))))


def _at_rates(
    metric: Callable[[ConfusionMatrix], Array], tpr: float, fpr: float, ratio: Value
) -> Array:
    return metric(ConfusionMatrix.from_rates(tpr, fpr, positives=1.0, negatives=ratio))


CLASSIFIERS = ((0.9, 0.1), (0.6, 0.01), (0.99, 0.3))
"""TPR and FPR of the classifiers whose MCC is shown."""


def mcc_falls() -> Computation:
    """Compute whether MCC falls under imbalance; at fixed rates it has one maximum over the
    levels."""
    rows = []
    for tpr, fpr in CLASSIFIERS:
        peak = best_ratio(tpr, fpr)
        values = (_at_rates(mcc, tpr, fpr, ratio) for ratio in (1, 5, 10, 100, 1000, peak))
        rows.append((tpr, fpr, *values, peak))
    return Computation(rows, figure=_mcc_falls_figure())


def _mcc_falls_figure() -> Figure:
    ratios = np.geomspace(1e-2, 1e4, 200)
    with styled_figure((4.5, 3)) as (figure, axes):
        for line, (tpr, fpr) in zip(LINES, CLASSIFIERS, strict=False):
            (drawn,) = axes.plot(
                ratios, _at_rates(mcc, tpr, fpr, ratios), line, label=f"({tpr:g}, {fpr:g})"
            )
            peak = best_ratio(tpr, fpr)
            axes.plot(peak, _at_rates(mcc, tpr, fpr, peak), "o", color=drawn.get_color())
        axes.set_xscale("log")
        axes.set_xticks([0.01, 1, 100, 10000], ["100:1", "1:1", "1:100", "1:10,000"])
        axes.minorticks_off()
        axes.set(xlabel="level P:N", ylabel="MCC", ylim=(0, 1))
        axes.legend(title="(TPR, FPR)")
    return figure


def accuracy_of_nothing() -> Computation:
    """Compute when a constant answer is more accurate; accuracy exceeds it iff both predictive
    values exceed 1/2."""
    curve = BinormalCurve(mean=2)
    rows = []
    for ratio in (1, 10, 100, 1000):
        rows.append(
            (
                ratio,
                ratio / (1 + ratio),
                _at_rates(accuracy, 0.9, 0.1, ratio),
                0.9 / (0.9 + 0.1 * ratio),
                100 - 50 / ratio,
                best_point("accuracy", curve, at=f"1:{ratio}").tpr,
            )
        )
    return Computation(rows)


STATEMENTS = read_statements("bounds", high_mcc, mcc_falls, accuracy_of_nothing)
