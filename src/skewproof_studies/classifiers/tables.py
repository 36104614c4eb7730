"""Indices and shifts of metrics under a distribution of classifiers, and the rankings of
metrics."""

from __future__ import annotations

import itertools
import logging
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from skewproof.core.levels import Level
from skewproof.core.metric import Metric
from skewproof.sensitivity.classifiers import Classifiers, MeasuredClassifiers
from skewproof.sensitivity.quadrature.exact import exact_indices
from skewproof.sensitivity.sampling.sampled import NoIndicesError, SampledIndices, sobol_indices
from skewproof.sensitivity.surfaces.shift import mean_shift
from skewproof_studies.classifiers.config import UNIFORM

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

SHIFT_COLUMNS = ["metric", "level", "mean", "mean_shift", "error_estimate", "left_out"]

SHIFT_DECIMALS = 9
"""Number of decimals of a shift in a ranking; further decimals are rounding."""

LOG = logging.getLogger(__name__)


def index_table(
    metrics: Sequence[Metric],
    levels: Sequence[Level],
    positives: float,
    classifiers: Classifiers,
    *,
    sampling: Mapping[str, Any],
) -> pd.DataFrame:
    """Return exact and sampled indices of metrics at some levels.

    Parameters
    ----------
    metrics, levels, positives, classifiers
        The metrics, the levels, the size of the positive class, and the distribution.
    sampling
        Options of :func:`skewproof.sensitivity.sampling.sampled.sobol_indices`.

    Returns
    -------
    Frame with the columns metric, level, input, s1, st, error_estimate, sampled_s1, s1_conf.
    Sampled indices are NaN for a metric that is constant on the sample or undefined at all of it; a
    warning with the reason is logged.
    """
    rows: list[tuple[object, ...]] = []
    for level in levels:
        negatives = level.negatives(positives)
        exact = exact_indices(
            metrics, positives=positives, negatives=negatives, classifiers=classifiers
        )
        options = {"classifiers": classifiers, "total": False, **sampling}
        sampled = _sampled(metrics, level, positives, options)
        columns = (exact.s1, exact.st, sampled.s1, sampled.s1_conf)
        for index, metric in enumerate(metrics):
            for number, name in enumerate(classifiers.inputs):
                s1, st, sampled_s1, s1_conf = (part[index, number] for part in columns)
                error = exact.index_error[index]
                rows.append((metric.key, str(level), name, s1, st, error, sampled_s1, s1_conf))
    return pd.DataFrame(rows, columns=INDEX_COLUMNS)


def _sampled(
    metrics: Sequence[Metric], level: Level, positives: float, options: Mapping[str, Any]
) -> SampledIndices:
    """Return sampled indices; NaN for a metric that has none."""
    try:
        return sobol_indices(metrics, level, positives, **options)
    except NoIndicesError as error:
        if len(metrics) == 1:
            LOG.warning("no sampled indices at %s: %s", level, error)
            unknown = np.full((1, 2), np.nan)
            return SampledIndices(unknown, unknown, unknown, unknown, np.zeros(1, dtype=np.int64))
    alone = [_sampled([metric], level, positives, options) for metric in metrics]
    return SampledIndices(*map(np.concatenate, zip(*alone, strict=True)))


def shift_table(
    metrics: Sequence[Metric],
    levels: Sequence[Level],
    baseline: Level,
    positives: float,
    classifiers: Classifiers | MeasuredClassifiers,
) -> pd.DataFrame:
    """Return means of metrics, and their mean shifts from the baseline at each level.

    Parameters
    ----------
    metrics, levels, baseline, positives, classifiers
        The metrics, the levels compared with the baseline, the size of the positive class, and the
        distribution.

    Returns
    -------
    Frame with the columns metric, level, mean, mean_shift, error_estimate (of the shift), left_out
    (the number of measured classifiers with a weight that the shift leaves out, because the metric
    is undefined there at the level or at the baseline), rank (1 for the metric that changes least
    at the level, among metrics with a shift that leave out no classifier; shifts that are equal up
    to rounding share a rank).
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
            left_out = _left_out(metric, (level, baseline), positives, classifiers)
            rows.append((metric.key, str(level), mean, *shift, left_out))
    table = pd.DataFrame(rows, columns=SHIFT_COLUMNS)
    # A shift over some of the classifiers is not comparable with one over all.
    rounded = table["mean_shift"].round(SHIFT_DECIMALS).where(table["left_out"] == 0)
    table["rank"] = rounded.groupby(table["level"]).rank(method="min").astype("Int64")
    return table


def _left_out(
    metric: Metric,
    levels: Sequence[Level],
    positives: float,
    classifiers: Classifiers | MeasuredClassifiers,
) -> int:
    """Count the measured classifiers with a weight at which a metric is undefined at a level."""
    if isinstance(classifiers, Classifiers):
        return 0
    values = [classifiers.values(metric, positives, level.negatives(positives)) for level in levels]
    return int(np.count_nonzero(np.isnan(values).any(axis=0) & (classifiers.weights > 0)))


def exchanges_by_distribution(shifts: pd.DataFrame) -> pd.DataFrame:
    """Count the pairs of metrics that each distribution ranks in the opposite order to the uniform
    one.

    Parameters
    ----------
    shifts
        Results of :func:`shift_table` with a column distribution, one below the other.

    Returns
    -------
    Frame with the columns distribution (any except the uniform one), level, pairs (of metrics that
    have a rank, and whose shifts differ by more than their error estimates, under both
    distributions), exchanged (the pairs among them that change places), metric, uniform_rank and
    rank (of the metric whose rank changes most among those with a rank under both; missing if no
    rank changes). If several ranks change equally, each metric has a row, with the same pairs.
    """
    rows = []
    uniform = shifts[shifts["distribution"] == UNIFORM].set_index(["level", "metric"])
    others = shifts[shifts["distribution"] != UNIFORM].dropna(subset="rank")
    for (name, level), part in others.groupby(["distribution", "level"], sort=False):
        compared = part.set_index("metric")
        base = uniform.loc[level].dropna(subset="rank")
        keys = [key for key in compared.index if key in base.index]
        if not keys:
            continue
        base_orders, compared_orders = (_orders(table.loc[keys]) for table in (base, compared))
        both = base_orders * compared_orders
        pairs, exchanged = np.count_nonzero(both), np.count_nonzero(both < 0)
        base_rank, compared_rank = (
            table.loc[keys, "rank"].rank(method="min").astype("Int64") for table in (base, compared)
        )
        change = (compared_rank - base_rank).abs()
        moved = list(change.index[change == change.max()]) if change.max() > 0 else []
        farthest = [(key, base_rank[key], compared_rank[key]) for key in moved]
        for metric_and_ranks in farthest or [(None, pd.NA, pd.NA)]:
            rows.append((name, level, pairs, exchanged, *metric_and_ranks))
    columns = ["distribution", "level", "pairs", "exchanged", "metric", "uniform_rank", "rank"]
    return pd.DataFrame(rows, columns=columns)


def _orders(table: pd.DataFrame) -> np.ndarray[Any, Any]:
    """Return which of each pair of metrics changes more (-1 or 1), or 0 if the errors do not decide
    it."""
    shift, error = table["mean_shift"].to_numpy(), table["error_estimate"].to_numpy()
    pairs = list(itertools.combinations(range(len(table)), 2))
    first, second = np.array(pairs, dtype=int).reshape(-1, 2).T
    apart = shift[first] - shift[second]
    doubt = error[first] + error[second] + 10.0**-SHIFT_DECIMALS
    return np.where(np.abs(apart) > doubt, np.sign(apart), 0)
