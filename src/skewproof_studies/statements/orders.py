"""Statements on which of two classifiers is better, and on the effect of imbalance on the order."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from matplotlib.figure import Figure
from scipy.optimize import brentq

from skewproof.curves import binormal_area
from skewproof_studies.reporting.figures import styled_figure
from skewproof_studies.statements.drawing import LINES, show_levels
from skewproof_studies.statements.statement import Computation, read_statements

Rates = tuple[float, float]


class Loss(NamedTuple):
    """Quantity by which a metric ranks classifiers: fixed + r·growing, where lower is better."""

    name: str
    formula: str
    parts: Callable[[float, float], tuple[float, float]]
    """Function that returns the two parts at TPR and FPR."""


LOSSES = (
    Loss("precision", "*v*/*u*", lambda u, v: (v / u, 0.0)),
    Loss("balanced accuracy", "*v* - *u*", lambda u, v: (v - u, 0.0)),
    Loss("accuracy", "1 - *u* + *rv*", lambda u, v: (1 - u, v)),
    Loss("F1", "(1 + *rv*)/*u*", lambda u, v: (1 / u, v / u)),
    Loss("F2", "(4 + *rv*)/*u*", lambda u, v: (4 / u, v / u)),
    Loss("kappa", "(1 - *u* + *rv*)/(*u* - *v*)", lambda u, v: ((1 - u) / (u - v), v / (u - v))),
    Loss(
        "MCC",
        "(*u*(1 - *u*) + *rv*(1 - *v*))/(*u* - *v*)²",
        lambda u, v: (u * (1 - u) / (u - v) ** 2, v * (1 - v) / (u - v) ** 2),
    ),
)
"""Metrics with the quantities by which they rank classifiers with TPR > FPR."""


def turning_ratio(loss: Loss, first: Rates, second: Rates) -> float:
    """Return the negatives per positive at which two classifiers change places; NaN if they never
    do.

    Examples
    --------
    >>> round(turning_ratio(LOSSES[3], (0.9, 0.1), (0.6, 0.01)), 3)
    5.882
    """
    (fixed, growing), (fixed_there, growing_there) = loss.parts(*first), loss.parts(*second)
    if growing == growing_there:
        return float("nan")
    ratio = (fixed - fixed_there) / (growing_there - growing)
    return ratio if ratio > 0 else float("nan")


ONE, OTHER = (0.9, 0.1), (0.6, 0.01)
"""TPR and FPR of two classifiers that change places."""

MEAN_ONE, MEAN_OTHER, DEVIATION_OTHER = 2.0, 2.6, 2.0
"""Parameters of two crossing curves of normal scores; the standard deviation of the first is 1."""


def average_precisions(ratio: float) -> tuple[float, float]:
    """Return the average precision of the two curves at a number of negatives per positive."""
    curves = {"mean": MEAN_ONE}, {"mean": MEAN_OTHER, "deviation": DEVIATION_OTHER}
    first, second = (
        binormal_area("average_precision", "1:1", at=1 / (1 + ratio), **curve) for curve in curves
    )
    return first, second


def turning_ratio_of_areas() -> float:
    """Return the negatives per positive at which the average precisions are equal."""

    def difference(logarithm: float) -> float:
        first, second = average_precisions(float(np.exp(logarithm)))
        return first - second

    return float(np.exp(brentq(difference, 0, np.log(1e4), xtol=1e-6)))


def order_reversed() -> Computation:
    """Compute how often imbalance reverses an order: each quantity is linear in r, so at most
    once."""
    rows = []
    for loss in LOSSES:
        ratio = turning_ratio(loss, ONE, OTHER)
        rows.append((loss.name, loss.formula, "never" if np.isnan(ratio) else ratio))
    turning = turning_ratio_of_areas()
    values = {
        "one": ONE,
        "other": OTHER,
        "f1_turns": turning_ratio(LOSSES[3], ONE, OTHER),
        "means": (MEAN_ONE, MEAN_OTHER),
        "deviation": DEVIATION_OTHER,
        "balanced": average_precisions(1.0),
        "rare": average_precisions(1000.0),
        "turning": turning,
    }
    return Computation(rows, values, _figure(turning))


def _figure(turning: float) -> Figure:
    ratios = np.geomspace(1, 1e4, 41)
    with styled_figure((6.5, 3), 1, 2) as (figure, (left, right)):
        for line, (tpr, fpr) in zip(LINES, (ONE, OTHER), strict=False):
            left.plot(ratios, 2 * tpr / (1 + tpr + ratios * fpr), line, label=f"({tpr}, {fpr})")
        areas = np.array([average_precisions(float(ratio)) for ratio in ratios])
        for line, values, label in zip(
            LINES, areas.T, ("deviation 1", "deviation 2"), strict=False
        ):
            right.plot(ratios, values, line, label=label)
        left.axvline(turning_ratio(LOSSES[3], ONE, OTHER), color="0.6", lw=0.8)
        right.axvline(turning, color="0.6", lw=0.8)
        for axes, name in ((left, "F1"), (right, "average precision")):
            show_levels(axes, [1, 10, 100, 1000, 10000])
            axes.set(ylim=(0, 1), ylabel=name)
            axes.legend()
    return figure


STATEMENTS = read_statements("orders", order_reversed)
