"""Numbers of each measure: at each level, at best points, and of calls that ignore instances."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
import pandas as pd

from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.levels import DEFAULT_POSITIVES
from skewproof.core.metric import Metric
from skewproof.core.scales import bounded
from skewproof.operating_points.exchange import exchange_rate
from skewproof.operating_points.rarity import LEVELS, RareLimit, followed_points
from skewproof.sensitivity.behavior_types import ROUNDED_SHIFT, behavior_type
from skewproof.sensitivity.quadrature.exact import exact_indices
from skewproof.sensitivity.surfaces.grid import deviation, surface
from skewproof_studies.made_for_imbalance.parameters import FPR, RARE, TPR
from skewproof_studies.made_for_imbalance.robustness import (
    CURVES,
    EXACTLY,
    best_limits,
    three_kinds,
)

GRID = 100
"""Points along each axis of the grid of contour deviations."""

CALLS = {"always negative": 0.0, "always positive": 1.0} | {
    f"random at {rate:g}": rate for rate in (0.001, 0.01, 0.1, 0.5)
}
"""Shares that are called positive whatever the instance."""


def kept_rows(metric: Metric) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Return rows of the three kinds of robustness, and of best points at each level and in the
    limit."""
    limits = best_limits(metric)
    kinds = three_kinds(metric, limits)
    rows = [{"measure": metric.key, "kind": kind, **kept._asdict()} for kind, kept in kinds.items()]
    exact = kinds["choice"].kept == EXACTLY
    points = [
        {"measure": metric.key, "curve": name, "level": at, "tpr": tpr, "fpr": fpr, "known": known}
        for name, limit in limits.items()
        for at, tpr, fpr, known in _points(metric, name, limit, exact=exact)
    ]
    return rows, points


def _points(
    metric: Metric, name: str, limit: RareLimit, *, exact: bool
) -> Iterator[tuple[str, float, float, str]]:
    """Yield the best point at each level and the limit; an exactly kept one is its own limit."""
    if exact:
        yield from ((str(level), limit.tpr, limit.fpr, "proved") for level in LEVELS)
    else:
        for point, _ in followed_points(metric, CURVES[name], LEVELS, lambda _: DEFAULT_POSITIVES):
            yield point.at, point.tpr, point.fpr, "computed"
    yield "limit", limit.tpr, limit.fpr, limit.support


def level_rows(metric: Metric) -> list[dict[str, Any]]:
    """Return the value, exchange rate over N/P, contour deviation and index of hits at each level.

    The first two are at :data:`TPR` and :data:`FPR`. The contour deviation and the type that it
    gives are those of the measure scaled to [0, 1]; an index is missing if it is not resolved.
    """
    scaled = bounded(metric)
    first = surface(scaled, LEVELS[0], DEFAULT_POSITIVES, grid=GRID).values
    rows, differ = [], []
    for level in LEVELS:
        ratio = level.negatives(1.0)
        sizes = {"positives": float(DEFAULT_POSITIVES), "negatives": ratio * DEFAULT_POSITIVES}
        matrix = ConfusionMatrix.from_rates(TPR, FPR, **sizes)
        here = surface(scaled, level, DEFAULT_POSITIVES, grid=GRID).values
        spread = deviation(here, first, undefined="omit")
        differ.append(bool(spread.sigma > ROUNDED_SHIFT * spread.points))
        row = {"measure": metric.key, "level": str(level), "value": float(metric(matrix))}
        row["exchange_over_ratio"] = float(exchange_rate(metric)(matrix)) / ratio
        s1 = exact_indices([metric], **sizes).s1[0, 0]
        rows.append(row | {"sigma": spread.sigma, "s1_tp": s1})
    kind = str(behavior_type(differ[1:]))
    return [row | {"type": kind} for row in rows]


def cost_table(
    metrics: Mapping[str, Metric], interval: Callable[..., pd.DataFrame]
) -> pd.DataFrame:
    """Return the widths of the intervals at :data:`TPR`, :data:`FPR` and :data:`RARE`: measures by
    numbers of positives. The intervals are those of a function such as `skewproof.interval`."""
    costs = pd.DataFrame({"measure": list(metrics)})
    for positives in (20, 100, 1000):
        sizes = {"positives": positives, "negatives": RARE.negatives(positives)}
        intervals = interval(list(metrics.values()), ConfusionMatrix.from_rates(TPR, FPR, **sizes))
        costs[f"width_{positives}"] = (intervals["high"] - intervals["low"]).to_numpy()
    return costs


def call_table(metrics: Mapping[str, Metric]) -> pd.DataFrame:
    """Return the values of calls that ignore the instances at :data:`RARE`: measures by calls."""
    rates = np.array(list(CALLS.values()))
    positives = float(DEFAULT_POSITIVES)
    sizes = {"positives": positives, "negatives": RARE.negatives(positives)}
    with np.errstate(all="ignore"):
        values = [
            metric(ConfusionMatrix.from_rates(rates, rates, **sizes)) for metric in metrics.values()
        ]
    return pd.DataFrame(values, list(metrics), list(CALLS)).rename_axis("measure").reset_index()
