"""Tables of what metrics choose on a curve: as data, as text and for LaTeX."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd

from skewproof.core.metric import Metric
from skewproof_studies.reporting.table import Table, metric_label, plain

DIGITS = 4
"""Number of significant digits in the displayed tables."""

SUPPORT = {"proved": "", "computed": " (computed)"}

LONGEST_CUTOFF = 40
"""Largest number of characters of a displayed cut-off; the data have longer ones."""


def curve_table(
    points: pd.DataFrame,
    limits: pd.DataFrame,
    rates: pd.DataFrame,
    *,
    label: str,
    registry: Mapping[str, Metric],
) -> Table:
    """Return each metric's best TPR on a curve by level, its limit, its jumps and its cut-off.

    Parameters
    ----------
    points, limits, rates
        Rows of :class:`~skewproof_studies.choices.points.Chosen` for one curve.
    label
        The curve's parameters.
    registry
        The metrics by key, for their symbols.
    """
    levels = list(points["level"].unique())
    keys = list(points["metric"].unique())
    tpr = points.pivot(index="metric", columns="level", values="tpr").loc[keys, levels]
    at_limit = limits.set_index("metric").reindex(keys)
    data = tpr.assign(
        limit=at_limit["tpr"],
        support=at_limit["support"],
        jumps_at=[_jumps(points[points["metric"] == key]) for key in keys],
        cutoff=rates.set_index("metric")["cutoff_in_words"].reindex(keys),
    )
    display = pd.DataFrame({"metric": [metric_label(registry[key]) for key in keys]})
    for level in levels:
        display[level] = [shown(value) for value in data[level]]
    display["limit"] = [
        shown(limit) + SUPPORT.get(support, "")
        for limit, support in zip(data["limit"], data["support"], strict=True)
    ]
    display["jumps at"] = list(data["jumps_at"])
    display["cut-off"] = [
        plain(text) if isinstance(text, str) and len(text) <= LONGEST_CUTOFF else ""
        for text in data["cutoff"]
    ]
    return Table(
        f"Best TPR on the binormal curve {label} by level, its limit as positives become rare, and "
        "the cut-off that the metric implies for calibrated scores",
        data.reset_index(),
        display,
        notes=(
            f"Cut-offs of more than {LONGEST_CUTOFF} characters are left out; rates.csv has them.",
        ),
    )


def _jumps(points: pd.DataFrame) -> str:
    """Return the levels at which a metric's best point jumps."""
    return ", ".join(f"1:{ratio:.4g}" for ratio in points["jumps_at"].dropna())


def level_table(
    points: pd.DataFrame, *, level: str, label: str, registry: Mapping[str, Metric]
) -> Table:
    """Return the best points of all metrics on a curve at a level.

    Parameters
    ----------
    points
        Rows of :class:`~skewproof_studies.choices.points.Chosen` for one curve and level.
    level
        The level.
    label, registry
        As for :func:`curve_table`.
    """
    display = pd.DataFrame({"metric": [metric_label(registry[key]) for key in points["metric"]]})
    names = {"tpr": "TPR", "fpr": "FPR", "value": "value", "threshold": "threshold"}
    for column, name in names.items():
        display[name] = [shown(value) for value in points[column]]
    display["kind"] = points["kind"].to_list()
    display["share called"] = [shown(value) for value in points["share_called"]]
    display["alarms per hit"] = [shown(value) for value in points["alarms_per_hit"]]
    display["TPR within 1 %"] = [
        "" if pd.isna(low) else f"{shown(low)} to {shown(high)}"
        for low, high in zip(points["tpr_low"], points["tpr_high"], strict=True)
    ]
    return Table(
        f"Best points on the binormal curve {label} at {level}",
        points.drop(columns=["curve", "level"]),
        display,
    )


def shown(value: float) -> str:
    """Format a number for display; an undefined one is empty.

    Examples
    --------
    >>> shown(0.84134), shown(1.2e-7), shown(float("nan")), shown(-float("inf")), shown(0.0)
    ('0.8413', '1.2e-07', '', '-inf', '0')
    """
    if np.isnan(value):
        return ""
    return f"{value:.{DIGITS}g}"
