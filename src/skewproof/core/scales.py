"""Scales of metrics from 0 to 1, which depend on a metric's bounds alone.

Indices, contour deviations and contours are computed from values in [0, 1]. A metric with other
bounds is mapped to [0, 1] by an increasing function, which changes neither its order of classifiers
nor whether class sizes enter it. Unknown bounds have to be found first, by
:func:`skewproof.sensitivity.ranges.ranges.with_bounds`. Scores are a metric's own values.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from skewproof.core.algebra import Value, exp, ratio
from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.metric import Metric, expect_metric


class Scale(NamedTuple):
    """An increasing map of a metric's values x to [0, 1]."""

    name: str
    """The map in words, with its formula."""

    latex: str
    """The formula, with {x} for the metric's symbol."""

    apply: Callable[[Value], Value]
    """The map, which takes infinities to 0 and 1, and NaN to NaN."""


ODDS = Scale(
    "odds as a probability, x/(1 + x)",
    "{x}/(1 + {x})",
    lambda x: 1 - ratio(1, 1 + x),
)

LOGISTIC = Scale(
    "logistic function, 1/(1 + exp(-x))",
    "1/(1 + e^{{-{x}}})",
    lambda x: ratio(1, 1 + exp(-x)),
)


def scale(metric: Metric) -> Scale | None:
    """Choose the map of a metric's bounds to [0, 1], or None if they are [0, 1] already.

    Raises
    ------
    ValueError
        If the bounds are not known, or the first is not below the second.
    """
    if metric.bounds is None:
        raise ValueError(
            f"the bounds of {metric.key} are not known: find"
            " them first, with skewproof.sensitivity.ranges.ranges.with_bounds"
        )
    low, high = metric.bounds
    if (low, high) == (0, 1):
        return None
    if not low < high:
        raise ValueError(
            f"{metric.key} has the bounds {low:g} and {high:g}: expected the first below the second"
        )
    if np.isfinite([low, high]).all():
        above = f"{{x}}{_added(-low)}"
        text = f"linear, ({above.format(x='x')})/{high - low:g}"
        return Scale(text, f"({above})/{high - low:g}", lambda x: (x - low) / (high - low))
    if (low, high) == (0, np.inf):
        return ODDS
    if (low, high) == (-np.inf, np.inf):
        return LOGISTIC
    if np.isfinite(low):
        return Scale(
            f"distance d from {low:g} as a probability, d/(1 + d)",
            f"1 - 1/({{x}}{_added(1 - low)})",
            lambda x: ODDS.apply(x - low),
        )
    return Scale(
        f"distance d below {high:g} as a probability, 1/(1 + d)",
        f"1/({1 + high:g} - {{x}})",
        lambda x: 1 - ODDS.apply(high - x),
    )


def _added(number: float) -> str:
    """Write a number as the last summand of a formula."""
    return f" {'+' if number > 0 else '-'} {abs(number):g}" if number else ""


@dataclass(frozen=True)
class _Scaled:
    """The formula of a metric scaled to [0, 1]."""

    metric: Metric

    def __call__(self, matrix: ConfusionMatrix) -> Value:
        scaling, value = scale(self.metric), self.metric(matrix)
        return value if scaling is None else scaling.apply(value)


def bounded(metric: Metric) -> Metric:
    """Scale a metric to [0, 1]; a metric with these bounds is returned as it is.

    Examples
    --------
    >>> from skewproof import ConfusionMatrix
    >>> from skewproof.metrics import bounded, youden_j
    >>> perfect_half = ConfusionMatrix.from_rates(0.5, 0, positives=10, negatives=10)
    >>> float(youden_j(perfect_half)), float(bounded(youden_j)(perfect_half))
    (0.5, 0.75)
    """
    expect_metric(metric)
    scaling = scale(metric)
    if scaling is None:
        return metric
    return dataclasses.replace(
        metric,
        symbol=scaling.latex.format(x=metric.symbol),
        name=f"{metric.name} scaled to [0, 1]",
        formula=_Scaled(metric),
        bounds=(0.0, 1.0),
    )


def shown_range(metric: Metric) -> str:
    """Write a metric's range, an arrow if lower is better, and its map to [0, 1] if it has one.

    Infinities are values, too, so an unbounded range is closed like the others.
    """
    if metric.bounds is None:
        return "not known"
    low, high = (f"{end:g}".replace("inf", "∞") for end in metric.bounds)
    arrow = " ↓" if metric.lower_is_better else ""
    map_to_unit = scale(metric)
    return f"[{low}, {high}]{arrow}" + (f"; {map_to_unit.name}" if map_to_unit else "")
