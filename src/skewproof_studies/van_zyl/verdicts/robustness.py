"""Dependence of contour deviations and types on choices, and a ranking of metrics by robustness."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import pandas as pd

from skewproof.core.levels import Level
from skewproof.core.metric import Metric
from skewproof.sensitivity.behavior_types import ROUNDED_SHIFT, behavior_type, rejected_by_contours
from skewproof.sensitivity.surfaces.grid import PointPolicy, deviation, grid_matrix
from skewproof.sensitivity.surfaces.shift import mean_shift
from skewproof_studies.van_zyl.verdicts.verdicts import index_shifts

INTEGRAL = "integral"
"""Choice without a grid: the integral to which Sigma divided by the number of points converges."""

CHOICE_COLUMNS = [
    "choice",
    "value",
    "metric",
    "level",
    "sigma",
    "mean_deviation",
    "points",
    "undefined_points",
    "error_estimate",
    "type",
]

SHIFT_DECIMALS = 12
"""Number of decimals of a shift in the ranking; further decimals are rounding."""


def choices(
    metrics: Sequence[Metric],
    levels: Sequence[Level],
    baseline: Level,
    positives: float,
    *,
    grid: int,
    undefined: PointPolicy,
    grids: Sequence[int],
    policies: Sequence[PointPolicy],
    class_sizes: Sequence[float],
) -> pd.DataFrame:
    """Compute contour deviations under other choices than the study's, one changed at a time.

    Parameters
    ----------
    metrics, levels, baseline
        The metrics, and the levels compared with the baseline.
    positives, grid, undefined
        The choices of the study.
    grids, policies, class_sizes
        Other grids, policies for undefined values, and sizes of the positive class.

    Returns
    -------
    Frame with the columns choice ("grid", "undefined", "positives" or "integral"), value, metric,
    level, sigma (a sum over the grid; missing for the integral), mean_deviation (Sigma divided by
    the number of points; for the integral the mean shift, its limit), points, undefined_points,
    error_estimate (of the integral), type (by Table 4 of van Zyl and Engelbrecht).
    """
    study: dict[str, Any] = {"positives": positives, "grid": grid, "undefined": undefined}
    variants = [
        (choice, value, study | {choice: value})
        for choice, values in (("grid", grids), ("undefined", policies), ("positives", class_sizes))
        for value in values
    ]
    parts = [
        _on_grid(metrics, levels, baseline, **options).assign(choice=choice, value=str(value))
        for choice, value, options in variants
    ]
    parts.append(_integrals(metrics, levels, baseline, positives))
    return pd.concat(parts)[CHOICE_COLUMNS]


def _on_grid(
    metrics: Sequence[Metric],
    levels: Sequence[Level],
    baseline: Level,
    *,
    positives: float,
    grid: int,
    undefined: PointPolicy,
) -> pd.DataFrame:
    matrices = {
        level: grid_matrix(level, positives, grid=grid)
        for level in dict.fromkeys([baseline, *levels])
    }
    rows: list[dict[str, Any]] = []
    for metric in metrics:
        reference = metric(matrices[baseline])
        for level in levels:
            distance = deviation(metric(matrices[level]), reference, undefined=undefined)
            rows.append({"metric": metric.key, "level": str(level), **distance._asdict()})
    table = pd.DataFrame(rows)
    rejected = rejected_by_contours(table)
    types = {key: behavior_type(list(row)) for key, row in rejected.iterrows()}
    return table.assign(
        mean_deviation=table["sigma"] / table["points"],
        error_estimate=float("nan"),
        type=table["metric"].map(types),
    )


def _integrals(
    metrics: Sequence[Metric], levels: Sequence[Level], baseline: Level, positives: float
) -> pd.DataFrame:
    rows: list[dict[str, Any]] = []
    for metric in metrics:
        shifts = {str(level): mean_shift(metric, level, baseline, positives) for level in levels}
        kind = behavior_type([shift.mean > ROUNDED_SHIFT for shift in shifts.values()])
        rows += [
            {
                "metric": metric.key,
                "level": level,
                "mean_deviation": shift.mean,
                "error_estimate": shift.error_estimate,
                "type": kind,
            }
            for level, shift in shifts.items()
        ]
    table = pd.DataFrame(rows)
    return table.assign(
        choice=INTEGRAL,
        value="exact",
        sigma=float("nan"),
        points=pd.NA,
        undefined_points=pd.NA,
    )


def exchanges_by_choice(table: pd.DataFrame) -> pd.DataFrame:
    """Count the pairs of metrics that change places under each choice, by how much imbalance
    changes them.

    A type only says whether Sigma is above 0, and no choice makes it so for a metric that is proven
    to be the same. The order of the metrics that change could depend on a choice.

    Parameters
    ----------
    table
        Result of :func:`choices`.

    Returns
    -------
    Frame with one row per choice on a grid and the columns choice, value, pairs (of metrics that
    change at a level, all levels together), exchanged (pairs whose order by the mean deviation is
    not that by the mean shift), change (largest distance of a mean deviation from the mean shift),
    metric and level (of that distance).
    """
    integral = _shifts(table[table["choice"] == INTEGRAL])
    moving = integral > ROUNDED_SHIFT
    rows = []
    on_grid = table[table["choice"] != INTEGRAL]
    for (choice, value), part in on_grid.groupby(["choice", "value"], sort=False):
        shifts = _shifts(part).reindex_like(integral)
        pairs = exchanged = 0
        for level in integral:
            keys = list(integral.index[moving[level]])
            for first, second in itertools.combinations(keys, 2):
                pairs += 1
                apart = integral.loc[first, level] - integral.loc[second, level]
                exchanged += apart * (shifts.loc[first, level] - shifts.loc[second, level]) < 0
        change = (shifts - integral).abs().stack()
        metric, level = change.idxmax()
        rows.append((choice, value, pairs, int(exchanged), change.max(), metric, level))
    columns = ["choice", "value", "pairs", "exchanged", "change", "metric", "level"]
    return pd.DataFrame(rows, columns=columns)


def changed_types(table: pd.DataFrame) -> list[str]:
    """Return the metrics whose type is not the same under all choices.

    A grid may miss a metric that changes: min(fp, 1) is 0 at fp = 0 and 1 at all other points of a
    grid with steps of 1 or more, at every level.

    Parameters
    ----------
    table
        Result of :func:`choices`.
    """
    kinds = table.groupby("metric", sort=False)["type"].nunique()
    return list(kinds[kinds > 1].index)


def _shifts(part: pd.DataFrame) -> pd.DataFrame:
    """Return mean deviations of one choice: metrics by levels."""
    return part.pivot(index="metric", columns="level", values="mean_deviation")


def ranking(table: pd.DataFrame, exact: pd.DataFrame, *, baseline: str) -> pd.DataFrame:
    """Rank the metrics by how much imbalance changes them, the most robust first.

    Parameters
    ----------
    table
        Result of :func:`choices`, of which the integrals are used.
    exact
        Exact indices with the columns metric, level, input, s1.
    baseline
        The level for comparison.

    Returns
    -------
    Frame with the columns rank (metrics that are equal up to rounding share one), metric,
    mean_shift (largest of all levels), mean_shift_level, index_shift (largest change of a
    first-order index, over both inputs and all levels), index_shift_level, index_shift_input. A
    level is missing if nothing changes or no exact index is known.
    """
    surface = table[table["choice"] == INTEGRAL].set_index(["metric", "level"])["mean_deviation"]
    shifts = index_shifts(exact, baseline=baseline)
    rows = []
    for metric, deviations in surface.groupby("metric", sort=False):
        shift = shifts.xs(metric, level="metric").dropna()
        level, name = (None, None) if shift.empty else shift.round(SHIFT_DECIMALS).idxmax()
        rows.append(
            {
                "metric": metric,
                "mean_shift": deviations.max(),
                "mean_shift_level": deviations.round(SHIFT_DECIMALS).idxmax()[1],
                "index_shift": shift.max(),
                "index_shift_level": level,
                "index_shift_input": name,
            }
        )
    result = pd.DataFrame(rows)
    for shift in ("mean_shift", "index_shift"):
        result[shift] = result[shift].round(SHIFT_DECIMALS)
        columns = [column for column in result if column.startswith(f"{shift}_")]
        result.loc[result[shift] == 0, columns] = None
    result.insert(0, "rank", result["mean_shift"].rank(method="min").astype(int))
    return result.sort_values("rank", kind="stable")
