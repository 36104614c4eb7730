"""Figures with one small panel per metric: indices by imbalance, errors by sample size."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import matplotlib
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.scale import LogScale

from skewproof.core.metric import Metric
from skewproof.reporting.style import BLUE, GREEN, STYLE, VERMILION
from skewproof_studies.reporting.order import rounded
from skewproof_studies.reporting.table import metric_label

PANELS_IN_A_ROW = 6
"""Number of panels in a row. It grows if there would be over four times as many rows, so that no
picture exceeds 2^16 pixels."""

INDEX_LINES = {
    "s1_tp": (BLUE, "-", "$S_1(t_p)$"),
    "s1_fp": (VERMILION, "--", "$S_1(f_p)$"),
    "s12": (GREEN, ":", "$S_{12}$"),
}


def sweep_figure(sweep: pd.DataFrame, *, registry: Mapping[str, Metric]) -> Figure:
    """Draw exact indices of every metric by imbalance, with the last values next to each panel.

    Parameters
    ----------
    sweep
        Columns metric, negatives_per_positive, s1_tp, s1_fp, s12.
    registry
        The metrics by key, for their symbols.
    """
    with matplotlib.rc_context(STYLE):
        ratios = sweep["negatives_per_positive"].unique()
        figure, panels = _panels(
            [registry[key] for key in sweep["metric"].unique()],
            xscale="log",
            xlim=(ratios[0], ratios[-1]),
            ylim=(-0.05, 1.2),
            yticks=np.linspace(0, 1, 6),
        )
        for key, axes in panels.items():
            rows = sweep[sweep["metric"] == key]
            axes.axvline(1, color="0.8", lw=0.8, zorder=0)
            for column, (color, style, label) in INDEX_LINES.items():
                axes.plot(ratios, rows[column], color=color, ls=style, label=label)
            _write_ends(axes, rows)
        figure.supxlabel("negatives for each positive")
        _label_y(figure, "share of the variance")
        _add_legend(figure, panels)
    return figure


def convergence_figure(convergence: pd.DataFrame, *, registry: Mapping[str, Metric]) -> Figure:
    """Draw error and claimed half-width of every metric's indices, the larger of both inputs.

    Parameters
    ----------
    convergence
        Columns metric, level, input, log2_samples, error, s1_conf.
    registry
        The metrics by key, for their symbols.
    """
    with matplotlib.rc_context(STYLE):
        smallest = np.finfo(float).eps  # since 0 has no logarithm
        figure, panels = _panels(
            [registry[key] for key in convergence["metric"].unique()],
            xscale=LogScale(None, base=2),
            yscale="log",
            ylim=(smallest / 2, 10),
        )
        larger = convergence.groupby(["metric", "level", "log2_samples"], sort=False)[
            ["error", "s1_conf"]
        ].max()
        for key, axes in panels.items():
            levels = larger.loc[key].index.unique("level")
            colors = matplotlib.colormaps["cividis"](np.linspace(0.1, 0.8, len(levels)))
            for level, color in zip(levels, colors, strict=True):
                rows = larger.loc[key].loc[level]
                samples = 2.0**rows.index
                error = rows["error"].clip(lower=smallest)
                axes.plot(samples, error, color=color, label=f"error at {level}")
                axes.plot(
                    samples, rows["s1_conf"], color=color, ls="--", label=f"half-width at {level}"
                )
        figure.supxlabel("base points $n$")
        _label_y(figure, "distance from the exact index")
        _add_legend(figure, panels)
    return figure


def _panels(metrics: Sequence[Metric], **shared: Any) -> tuple[Figure, Mapping[str, Axes]]:
    """Return a figure with one panel per metric, and the panels by the metrics' keys.

    Titles have the symbol and the key. All panels share the given axes.
    """
    rows, columns = _shape(len(metrics))
    left, right, bottom, top = 0.7, 0.3, 0.55, 0.8  # inches
    width, height = left + 1.75 * columns + right, bottom + 1.6 * rows + top
    figure = Figure(figsize=(width, height))
    grid = figure.subplots(rows, columns, sharex=True, sharey=True, squeeze=False).ravel()
    grid[0].set(**shared)
    grid[0].minorticks_off()
    figure.subplots_adjust(
        left=left / width,
        right=1 - right / width,
        bottom=bottom / height,
        top=1 - top / height,
        wspace=0.2,
        hspace=0.32,
    )
    for axes in grid[len(metrics) :]:
        axes.remove()
    for axes in grid[max(len(metrics) - columns, 0) : len(metrics)]:
        axes.tick_params(labelbottom=True)
    for metric, axes in zip(metrics, grid, strict=False):
        axes.set_title(metric_label(metric), pad=11)
        key = {"transform": axes.transAxes, "ha": "center", "va": "bottom", "fontsize": 5}
        axes.text(0.5, 1.02, metric.key, **key)
        axes.tick_params(labelsize=6)
    return figure, {metric.key: axes for metric, axes in zip(metrics, grid, strict=False)}


def _shape(panels: int) -> tuple[int, int]:
    """Return the numbers of rows and columns."""
    columns = min(max(PANELS_IN_A_ROW, math.ceil(math.sqrt(panels / 4))), panels)
    return math.ceil(panels / columns), columns


def _label_y(figure: Figure, text: str) -> None:
    """Write the label of all y axes at the same distance from the edge, whatever the figure's
    width."""
    figure.supylabel(text, x=0.08 / figure.get_figwidth(), ha="left")


def _add_legend(figure: Figure, panels: Mapping[str, Axes]) -> None:
    handles, labels = next(iter(panels.values())).get_legend_handles_labels()
    figure.legend(handles, labels, loc="upper center", ncols=len(labels), frameon=False)


def _write_ends(axes: Axes, rows: pd.DataFrame) -> None:
    """Write the last value of each curve next to the panel, one above the other, with a line from
    its end."""
    last = rows[list(INDEX_LINES)].iloc[-1].dropna().sort_values(key=rounded, kind="stable")
    height = -np.inf
    for column, value in last.items():
        height = max(abs(round(value, 2)) - 0.03, height + 0.12)
        color = INDEX_LINES[str(column)][0]
        axes.annotate(
            f"{abs(value):.2f}",
            (1, value),
            xycoords=("axes fraction", "data"),
            xytext=(1.05, height),
            textcoords=("axes fraction", "data"),
            fontsize=5.5,
            color=color,
            arrowprops={"arrowstyle": "-", "color": color, "lw": 0.4, "shrinkA": 0, "shrinkB": 0},
        )
