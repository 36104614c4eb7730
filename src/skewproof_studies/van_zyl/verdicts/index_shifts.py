"""Shifts of the exact first-order indices from those at the baseline level."""

from __future__ import annotations

import pandas as pd

EXACT_ERROR = 1e-12
"""Largest error of an exact index beyond its error estimate."""


def index_shifts(exact: pd.DataFrame, *, baseline: str) -> pd.Series:
    """Return the distance of each exact first-order index from that at the baseline level.

    Parameters
    ----------
    exact
        Exact indices with the columns metric, level, input, s1.
    baseline
        The level for comparison; it must be one of the levels of `exact`.

    Returns
    -------
    Distances in [0, 1] by level, metric and input, without the baseline level; NaN if an index is
    not resolved.
    """
    indices = exact.set_index(["level", "metric", "input"])["s1"]
    shifts = (indices - indices.loc[baseline]).abs()
    return shifts.drop(index=baseline, level="level")


def largest_index_shifts(exact: pd.DataFrame, *, baseline: str) -> pd.Series:
    """Return the larger of both inputs' distances of :func:`index_shifts`, by metric and level."""
    shifts = index_shifts(exact, baseline=baseline).unstack("input")
    return shifts.max(axis=1, skipna=False).swaplevel()


def index_shift_errors(exact: pd.DataFrame, *, baseline: str) -> pd.Series:
    """Return the errors of the distances of :func:`index_shifts`, by metric and level.

    Parameters
    ----------
    exact
        Exact indices with the columns metric, level, error_estimate.
    baseline
        The level for comparison.
    """
    errors = exact.groupby(["metric", "level"])["error_estimate"].max()
    at_baseline = errors.xs(baseline, level="level").reindex(errors.index, level="metric")
    return errors + at_baseline + 2 * EXACT_ERROR
