"""What the study analyzes: every metric on a scale from 0 to 1.

Indices, contour deviations and contours are of bounded values. A metric with other bounds is mapped
to [0, 1] by a rising function, so that its order of classifiers, and whether class sizes enter it,
stay as they are. Scores and audits give its own values.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from skewproof.confusion import Value, exp, ratio
from skewproof.registry import Metric, get_metric


class Scale(NamedTuple):
    """A rising map of a metric's values x to [0, 1]."""

    name: str
    """The map in words, with its formula."""

    latex: str
    """The formula, with {x} for the metric's symbol."""

    apply: Callable[[Value], Value]
    """The map; it takes infinities to 0 and 1, and NaN to NaN."""


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
    """The map of a metric's bounds to [0, 1], or None where they are [0, 1] already.

    Raises
    ------
    ValueError
        If there is no map for these bounds.
    """
    low, high = metric.bounds
    if (low, high) == (0, 1):
        return None
    if np.isfinite([low, high]).all():
        above = f"{{x}} {-low:+g}".replace("+", "+ ").replace("-", "- ")
        text = f"linear, ({above.format(x='x')})/{high - low:g}"
        return Scale(text, f"({above})/{high - low:g}", lambda x: (x - low) / (high - low))
    if (low, high) == (0, np.inf):
        return ODDS
    if (low, high) == (-np.inf, np.inf):
        return LOGISTIC
    raise ValueError(
        f"{metric.key} has the bounds {low:g} and {high:g}: expected two finite ones, 0 and inf, or"
        " -inf and inf"
    )


def bounded(metric: Metric) -> Metric:
    """A metric on the scale from 0 to 1; itself where it is there already. Not registered."""
    found = scale(metric)
    if found is None:
        return metric
    return dataclasses.replace(
        metric,
        symbol=found.latex.format(x=metric.symbol),
        name=f"{metric.name} ({found.name})",
        formula=lambda matrix: found.apply(metric(matrix)),
        bounds=(0.0, 1.0),
    )


def analyzed(key: str) -> Metric:
    """A registered metric as every script of the study analyzes it: with values in [0, 1].

    Raises
    ------
    KeyError
        If there is no such metric; the message offers the nearest spelling.
    """
    return bounded(get_metric(key))
