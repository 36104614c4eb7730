"""How far imbalance moves the exact first-order indices from those at the baseline level."""

from __future__ import annotations

import pandas as pd

EXACT_ERROR = 1e-12
"""What an exact index may be off beyond its error estimate."""


def index_shifts(exact: pd.DataFrame, *, baseline: str) -> pd.Series:
    """How far each exact first-order index is from that at the baseline level.

    Parameters
    ----------
    exact
        Exact indices: columns metric, level, input, s1.
    baseline
        The level compared with; it must be among them.

    Returns
    -------
    Distances in [0, 1] by level, metric and input, without the baseline level; NaN where an index
    is not resolved.
    """
    indices = exact.set_index(["level", "metric", "input"])["s1"]
    shifts = (indices - indices.loc[baseline]).abs()
    return shifts.drop(index=baseline, level="level")


def largest_index_shifts(exact: pd.DataFrame, *, baseline: str) -> pd.Series:
    """The larger of both inputs' distances of :func:`index_shifts`, by metric and level."""
    shifts = index_shifts(exact, baseline=baseline).unstack("input")
    return shifts.max(axis=1, skipna=False).swaplevel()


def index_shift_errors(exact: pd.DataFrame, *, baseline: str) -> pd.Series:
    """How far off the distances of :func:`index_shifts` may be, by metric and level.

    Parameters
    ----------
    exact
        Exact indices: columns metric, level, error_estimate.
    baseline
        The level compared with.
    """
    errors = exact.groupby(["metric", "level"])["error_estimate"].max()
    at_baseline = errors.xs(baseline, level="level").reindex(errors.index, level="metric")
    return errors + at_baseline + 2 * EXACT_ERROR
