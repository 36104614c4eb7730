"""Choices of metrics: best points on curves, their limits, and cut-offs of scores."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import astuple
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from skewproof.core.levels import Level
from skewproof.core.metric import Metric
from skewproof.operating_points.curves import BinormalCurve
from skewproof.operating_points.exchange import exchange_rate
from skewproof.operating_points.optimum import BestPoint
from skewproof.operating_points.rarity import followed_points, rare_limit

LOG = logging.getLogger(__name__)

EVERY_CURVE = "all"
"""Entry in place of curves if a metric fails on all of them for the same reason."""

POINT_COLUMNS = [
    *("metric", "curve", "level", "tpr", "fpr", "value", "threshold", "kind"),
    *("share_called", "alarms_per_hit"),
    *("tpr_low", "tpr_high", "fpr_low", "fpr_high", "threshold_low", "threshold_high"),
    *("other_maxima", "jumps_at"),
]

LIMIT_COLUMNS = ["metric", "curve", "tpr", "fpr", "support", "reason"]

RATE_COLUMNS = ["metric", "formula", "cutoff", "cutoff_in_words", "negative"]

MISSING_COLUMNS = ["metric", "what", "curves", "reason"]

Reasons = dict[tuple[str, str], list[str]]
"""Names of curves by what a metric lacks on them and the reason."""


class Chosen(NamedTuple):
    """Tables of what metrics choose."""

    points: pd.DataFrame
    """Columns metric, curve, level; tpr to alarms_per_hit as in
    :class:`skewproof.operating_points.BestPoint`; the least and largest tpr, fpr and threshold of
    its plateau; other_maxima, their number; jumps_at, the negatives per positive at which the point
    last jumped since the level before."""

    limits: pd.DataFrame
    """Columns metric, curve, tpr, fpr, support, reason, as in :class:`skewproof.RareLimit`."""

    rates: pd.DataFrame
    """Columns metric, formula, cutoff, cutoff_in_words, negative, as in
    :class:`skewproof.operating_points.ExchangeRate`."""

    missing: pd.DataFrame
    """Missing results of metrics: columns metric, what (best points, limit, exchange rate), curves
    and reason."""


def binormal_curves(described: Mapping[str, Mapping[str, float]]) -> dict[str, BinormalCurve]:
    """Return the curves that a configuration describes, by name."""
    return {name: BinormalCurve(curve["d"], 1 / curve["b"]) for name, curve in described.items()}


def chosen(
    metrics: Iterable[Metric],
    curves: Mapping[str, BinormalCurve],
    levels: Sequence[Level],
    positives: float,
) -> Chosen:
    """Compute what each metric chooses on each curve.

    Parameters
    ----------
    metrics, curves
        The metrics, and the curves by name.
    levels
        The levels, from balanced classes to rare positives.
    positives
        The size of the positive class, the same at all levels.
    """
    points: list[list[Any]] = []
    limits: list[list[Any]] = []
    rates: list[list[Any]] = []
    missing: list[list[Any]] = []
    for metric in metrics:
        reasons: Reasons = {}
        with _noted(reasons, "exchange rate", EVERY_CURVE):
            rate = exchange_rate(metric)
            cells = str(rate.formula), str(rate.cutoff), rate.cutoff_in_words, rate.negative
            rates.append([metric.key, *cells])
        for name, curve in curves.items():
            with _noted(reasons, "best points", name):
                for point, jump in followed_points(metric, curve, levels, lambda _: positives):
                    points.append([metric.key, name, *_cells(point), jump])
            with _noted(reasons, "limit", name):
                limit = rare_limit(metric, curve, positives=positives)
                limits.append([metric.key, name, *astuple(limit)])
        for (what, reason), names in reasons.items():
            which = EVERY_CURVE if names == list(curves) else ", ".join(names)
            missing.append([metric.key, what, which, reason])
            LOG.info("%s: no %s on %s: %s", metric.key, what, which, reason)
    return Chosen(
        pd.DataFrame(points, columns=POINT_COLUMNS),
        pd.DataFrame(limits, columns=LIMIT_COLUMNS),
        pd.DataFrame(rates, columns=RATE_COLUMNS),
        pd.DataFrame(missing, columns=MISSING_COLUMNS),
    )


@contextmanager
def _noted(reasons: Reasons, what: str, curve: str) -> Iterator[None]:
    """Note the reason if a metric lacks what is computed."""
    try:
        yield
    except ValueError as error:
        reasons.setdefault((what, str(error)), []).append(curve)


def _cells(point: BestPoint) -> list[Any]:
    plateau = point.plateau or ((np.nan, np.nan),) * 3
    return [
        *(point.at, point.tpr, point.fpr, point.value, point.threshold, point.kind),
        *(point.share_called, point.alarms_per_hit),
        *(end for ends in plateau for end in ends),
        len(point.others),
    ]


def together(parts: Mapping[str, Sequence[pd.DataFrame]], keys: Sequence[str]) -> Chosen:
    """Combine tables of several jobs, in the order of the metrics.

    Parameters
    ----------
    parts
        The tables of each kind.
    keys
        Keys of all metrics.
    """
    return Chosen(**{name: in_order(tables, keys) for name, tables in parts.items()})


def in_order(tables: Iterable[pd.DataFrame], keys: Sequence[str]) -> pd.DataFrame:
    """Combine tables of one kind, in the order of the metrics."""
    ranks = {key: rank for rank, key in enumerate(keys)}
    return pd.concat(tables, ignore_index=True).sort_values(
        "metric", key=lambda column: column.map(ranks), kind="stable", ignore_index=True
    )


def curve_label(described: Mapping[str, float]) -> str:
    """Format a curve's parameters for readers.

    Examples
    --------
    >>> curve_label({"d": 2, "b": 0.7})
    'd = 2, b = 0.7'
    """
    return f"d = {described['d']:g}, b = {described['b']:g}"


def rarer_and_rarer(levels: Iterable[str]) -> list[Level]:
    """Sort levels from the least rare to the rarest positives."""
    return sorted(map(Level.parse, levels), key=lambda level: level.negatives(1.0))
