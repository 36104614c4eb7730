"""Figures of best points as imbalance grows: their paths through ROC space, and the best TPR."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import matplotlib
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from skewproof.core.metric import Metric
from skewproof.operating_points.curves import BinormalCurve
from skewproof.reporting.style import COLORS, MARKERS
from skewproof_studies.choices.groups import choosing_alike
from skewproof_studies.choices.report import FATES
from skewproof_studies.reporting.figures import note_figure, styled_figure
from skewproof_studies.reporting.table import metric_label

PANELS = 6
"""Number of panels in a row."""

PANEL_INCHES = 1.5

NOTHING_TO_DRAW = "No metric has a best point on any of the curves."


def paths_figure(
    points: pd.DataFrame,
    limits: pd.DataFrame,
    curves: Mapping[str, BinormalCurve],
    *,
    registry: Mapping[str, Metric],
) -> Figure:
    """Draw the path of each metric's best point through ROC space, one panel per metric.

    Parameters
    ----------
    points, limits
        Tables of :class:`~skewproof_studies.choices.points.Chosen`.
    curves
        The curves by name.
    registry
        The metrics by key, for their symbols.
    """
    keys = list(points["metric"].unique())
    if not keys:
        return note_figure(NOTHING_TO_DRAW)
    levels = list(points["level"].unique())
    shades = matplotlib.colormaps[COLORS](np.linspace(0.05, 0.95, len(levels)))
    rows, columns = -(-len(keys) // PANELS), min(PANELS, len(keys))
    size = (1 + PANEL_INCHES * columns, 1 + PANEL_INCHES * rows)
    shared = {"sharex": True, "sharey": True, "squeeze": False}
    with styled_figure(size, rows, columns, **shared) as (figure, grid):
        for axes in grid.flat[len(keys) :]:
            axes.set_axis_off()
        for axes, key in zip(grid.flat, keys, strict=False):
            of_metric, ends = points[points["metric"] == key], limits[limits["metric"] == key]
            _draw_curves(axes, curves)
            for number, (level, shade) in enumerate(zip(levels, shades, strict=True)):
                marks = of_metric[of_metric["level"] == level]
                look = {"marker": MARKERS[number % len(MARKERS)], "color": shade, "label": level}
                axes.plot(marks["fpr"], marks["tpr"], ls="none", ms=4, mec="black", mew=0.4, **look)
            axes.plot(ends["fpr"], ends["tpr"], "rx", ms=5, label="limit")
            axes.set_title(metric_label(registry[key]))
            axes.set(xticks=[0, 0.5, 1], yticks=[0, 0.5, 1], aspect="equal")
        figure.supxlabel("FPR")
        figure.supylabel("TPR")
        handles, labels = grid.flat[0].get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside upper center", ncols=len(labels), frameon=False)
    return figure


def _draw_curves(axes: Axes, curves: Mapping[str, BinormalCurve]) -> None:
    for curve in curves.values():
        logs = curve.log_rates(np.linspace(-10.0, 10.0 + abs(curve.mean), 400))
        axes.plot(np.exp(logs.fpr), np.exp(logs.tpr), color="0.7", lw=0.6)


def tpr_figure(
    points: pd.DataFrame,
    limits: pd.DataFrame,
    fates: pd.DataFrame,
    labels: Mapping[str, str],
    *,
    registry: Mapping[str, Metric],
) -> Figure:
    """Draw the best TPR against imbalance and at the limit, with one row per curve and one panel
    per fate.

    Parameters
    ----------
    points, limits
        Tables of :class:`~skewproof_studies.choices.points.Chosen`.
    fates
        Result of :func:`skewproof_studies.choices.report.fates`.
    labels
        The curves' parameters by name.
    registry
        The metrics by key, for their symbols. Metrics with the same best points on a curve share a
        line.
    """
    drawn = [fate for fate in FATES if (fates["fate"] == fate).any()]
    if not drawn:
        return note_figure(NOTHING_TO_DRAW)
    levels = list(points["level"].unique())
    size = (1 + 2.4 * len(drawn), 0.6 + 2.6 * len(labels))
    panels = styled_figure(size, len(labels), len(drawn), sharey=True, squeeze=False)
    with panels as (figure, grid):
        for row, (name, label) in zip(grid, labels.items(), strict=True):
            chosen, ends, of_curve = (
                table[table["curve"] == name] for table in (points, limits, fates)
            )
            for axes, fate in zip(row, drawn, strict=True):
                keys = set(of_curve.loc[of_curve["fate"] == fate, "metric"])
                _draw_tpr(axes, chosen[chosen["metric"].isin(keys)], ends, levels, registry)
            row[0].set_ylabel(f"best TPR, {label}")
        for axes, fate in zip(grid[0], drawn, strict=True):
            axes.set_title(fate.replace(" called positive", ""), fontsize=7)
    return figure


def _draw_tpr(
    axes: Axes,
    points: pd.DataFrame,
    limits: pd.DataFrame,
    levels: Sequence[str],
    registry: Mapping[str, Metric],
) -> None:
    """Draw the lines of metrics; metrics with the same points share one."""
    firsts = choosing_alike(points) if len(points) else {}
    ends = limits.set_index("metric")["tpr"]
    shades = matplotlib.colormaps[COLORS](np.linspace(0, 0.95, len(set(firsts.values()))))
    for number, (first, shade) in enumerate(
        zip(dict.fromkeys(firsts.values()), shades, strict=True)
    ):
        group = [metric_label(registry[key]) for key, other in firsts.items() if other == first]
        tpr = points[points["metric"] == first].set_index("level")["tpr"].reindex(levels)
        axes.plot(
            range(len(levels) + 1),
            [*tpr, ends[first]],
            color=shade,
            lw=0.8,
            ms=3.5,
            marker=MARKERS[number % len(MARKERS)],
            label=", ".join(group),
        )
    axes.set_xticks(range(len(levels) + 1), [*levels, "limit"], rotation=60, fontsize=6)
    axes.set_ylim(-0.03, 1.03)
    if firsts:
        axes.legend(fontsize=5, loc="best", framealpha=0.6)
