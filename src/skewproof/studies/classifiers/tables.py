"""Indices and shifts of metrics over a distribution of classifiers, and how they rank metrics."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from skewproof.core.levels import Level
from skewproof.core.metric import Metric
from skewproof.sensitivity.classifiers import Classifiers, MeasuredClassifiers
from skewproof.sensitivity.exact import exact_indices
from skewproof.sensitivity.sampled import sobol_indices
from skewproof.sensitivity.surface_shift import mean_shift
from skewproof.studies.classifiers.config import UNIFORM

INDEX_COLUMNS = [
    "metric",
    "level",
    "input",
    "s1",
    "st",
    "error_estimate",
    "sampled_s1",
    "s1_conf",
]

SHIFT_DECIMALS = 9
"""Of a shift in a ranking; what lies beyond is rounding."""


def index_table(
    metrics: Sequence[Metric],
    levels: Sequence[Level],
    positives: float,
    classifiers: Classifiers,
    *,
    sampling: Mapping[str, Any],
) -> pd.DataFrame:
    """Exact and sampled indices of metrics at some levels.

    Parameters
    ----------
    metrics, levels, positives, classifiers
        The metrics, the levels, the size of the positive class, and the distribution.
    sampling
        Options of :func:`skewproof.sensitivity.sampled.sobol_indices`.

    Returns
    -------
    Frame with the columns metric, level, input, s1, st, error_estimate, sampled_s1, s1_conf.
    """
    rows: list[tuple[object, ...]] = []
    for level in levels:
        negatives = level.negatives(positives)
        exact = exact_indices(
            metrics, positives=positives, negatives=negatives, classifiers=classifiers
        )
        sampled = sobol_indices(
            metrics, level, positives, classifiers=classifiers, total=False, **sampling
        )
        columns = (exact.s1, exact.st, sampled.s1, sampled.s1_conf)
        for place, metric in enumerate(metrics):
            for number, name in enumerate(classifiers.inputs):
                s1, st, sampled_s1, s1_conf = (part[place, number] for part in columns)
                error = exact.index_error[place]
                rows.append((metric.key, str(level), name, s1, st, error, sampled_s1, s1_conf))
    return pd.DataFrame(rows, columns=INDEX_COLUMNS)


def shift_table(
    metrics: Sequence[Metric],
    levels: Sequence[Level],
    baseline: Level,
    positives: float,
    classifiers: Classifiers | MeasuredClassifiers,
) -> pd.DataFrame:
    """Means of metrics, and how far each level moves them from the baseline.

    Parameters
    ----------
    metrics, levels, baseline, positives, classifiers
        The metrics, the levels compared with the baseline, the size of the positive class, and the
        distribution.

    Returns
    -------
    Frame with the columns metric, level, mean, mean_shift, error_estimate (of the shift), rank (1
    for the metric that moves least at the level; those alike to rounding share one).
    """
    rows = []
    for level in levels:
        exact = exact_indices(
            metrics,
            positives=positives,
            negatives=level.negatives(positives),
            classifiers=classifiers,
        )
        for metric, mean in zip(metrics, exact.mean, strict=True):
            shift = mean_shift(metric, level, baseline, positives, classifiers=classifiers)
            rows.append((metric.key, str(level), mean, *shift))
    table = pd.DataFrame(rows, columns=["metric", "level", "mean", "mean_shift", "error_estimate"])
    rounded = table["mean_shift"].round(SHIFT_DECIMALS)
    table["rank"] = rounded.groupby(table["level"]).rank(method="min").astype("Int64")
    return table


def exchanged_pairs(shifts: pd.DataFrame) -> pd.DataFrame:
    """How many pairs of metrics each distribution ranks the other way round than the uniform one.

    Parameters
    ----------
    shifts
        Results of :func:`shift_table`, one below the other, with a column distribution.

    Returns
    -------
    Frame with a row a distribution and level, but for the uniform one, and the columns
    distribution, level, pairs (of metrics whose shifts are further apart than their error
    estimates under both distributions), exchanged (those of them that change places), metric,
    uniform_rank and rank (of the metric whose rank changes most; missing where none does).
    """
    rows = []
    uniform = shifts[shifts["distribution"] == UNIFORM].set_index(["level", "metric"])
    others = shifts[shifts["distribution"] != UNIFORM].dropna(subset="mean_shift")
    for (name, level), part in others.groupby(["distribution", "level"], sort=False):
        own = part.set_index("metric")
        base = uniform.loc[level].dropna(subset="mean_shift")
        keys = [key for key in own.index if key in base.index]
        if not keys:
            continue
        one, other = (_orders(table.loc[keys]) for table in (base, own))
        both = one * other
        pairs, exchanged = np.count_nonzero(both), np.count_nonzero(both < 0)
        change = (own.loc[keys, "rank"] - base.loc[keys, "rank"]).abs()
        far: tuple[object, ...] = (None, pd.NA, pd.NA)
        if change.max() > 0:
            moved = change.idxmax()
            far = moved, base.loc[moved, "rank"], own.loc[moved, "rank"]
        rows.append((name, level, pairs, exchanged, *far))
    columns = ["distribution", "level", "pairs", "exchanged", "metric", "uniform_rank", "rank"]
    return pd.DataFrame(rows, columns=columns)


def _orders(table: pd.DataFrame) -> np.ndarray[Any, Any]:
    """For each pair of metrics -1, 0 or 1: which moves more, 0 where the errors do not tell."""
    shift, error = table["mean_shift"].to_numpy(), table["error_estimate"].to_numpy()
    pairs = list(itertools.combinations(range(len(table)), 2))
    first, second = np.array(pairs, dtype=int).reshape(-1, 2).T
    apart = shift[first] - shift[second]
    doubt = error[first] + error[second] + 10.0**-SHIFT_DECIMALS
    return np.where(np.abs(apart) > doubt, np.sign(apart), 0)
