"""Figures of all metrics: the verdicts, and how much imbalance changes each metric."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import matplotlib
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch, Rectangle

from skewproof.core.metric import Metric
from skewproof.reporting.style import COLORS, FRAME
from skewproof.sensitivity.behavior_types import DIFFERS, SAME, UNDECIDED
from skewproof_studies.reporting.figures import list_metrics, rows_figure, styled_figure
from skewproof_studies.van_zyl.verdicts.robustness import INTEGRAL
from skewproof_studies.van_zyl.verdicts.verdicts import JUDGES, largest_index_shifts

SHADES = {SAME: 0.9, UNDECIDED: 0.55, DIFFERS: 0.15}
"""Places on the color scale, from light to dark; marks distinguish the verdicts without color."""

MARKS = {DIFFERS: "x", UNDECIDED: "$?$"}


def verdict_figure(verdicts: pd.DataFrame, *, registry: Mapping[str, Metric]) -> Figure:
    """Draw every verdict on every metric at every level, with frames where verdicts disagree.

    Parameters
    ----------
    verdicts
        Result of :func:`skewproof_studies.van_zyl.verdicts.verdicts.verdicts`.
    registry
        The metrics by key, for their symbols.
    """
    metrics, levels = list(verdicts["metric"].unique()), list(verdicts["level"].unique())
    size = (2.8 + 1.45 * len(JUDGES), 1.6 + 0.2 * len(metrics))
    with styled_figure(size, 1, len(JUDGES), sharey=True) as (figure, panels):
        for axes, (column, name) in zip(panels, JUDGES.items(), strict=True):
            wide = verdicts.pivot(index="metric", columns="level", values=column)
            _draw_verdicts(axes, wide.loc[metrics, levels])
            axes.set_title(name.removeprefix("the ").replace(" ", "\n", 1))
            axes.set_xticks(range(len(levels)), levels, rotation=90)
        list_metrics(panels[0], metrics, registry)
        at_odds = verdicts[~verdicts["agree"]]
        for metric, level in zip(at_odds["metric"], at_odds["level"], strict=True):
            corner = (levels.index(level) - 0.5, metrics.index(metric) - 0.5)
            for axes in panels:
                frame = Rectangle(corner, 1, 1, fill=False, edgecolor=FRAME, lw=1.6, zorder=3)
                axes.add_patch(frame)
        keys: dict[str, Any] = {state: _key(state) for state in SHADES}
        keys["framed: the methods disagree"] = Patch(fill=False, edgecolor=FRAME, lw=1.6)
        figure.legend(
            keys.values(), keys, loc="outside lower center", ncols=len(keys), frameon=False
        )
    return figure


def _draw_verdicts(axes: Axes, verdicts: pd.DataFrame) -> None:
    shades = verdicts.replace(SHADES).to_numpy(dtype=float)
    rows, columns = (np.arange(size + 1) - 0.5 for size in shades.shape)
    axes.pcolormesh(
        columns, rows, shades, cmap=COLORS, vmin=0, vmax=1, edgecolors="white", linewidth=0.6
    )
    for state, mark in MARKS.items():
        row, column = np.nonzero((verdicts == state).to_numpy())
        axes.scatter(column, row, marker=mark, s=14, color="white", linewidths=0.9)
    axes.tick_params(length=0)


def _key(state: str) -> tuple[Line2D, ...]:
    """Return a square of the verdict's color with its mark."""
    color = matplotlib.colormaps[COLORS](SHADES[state])
    square = Line2D([], [], ls="none", marker="s", ms=10, color=color)
    if state not in MARKS:
        return (square,)
    return square, Line2D([], [], ls="none", marker=MARKS[state], ms=4, color="white", mew=0.9)


def ranking_figure(
    ranking: pd.DataFrame,
    choices: pd.DataFrame,
    exact: pd.DataFrame,
    *,
    baseline: str,
    registry: Mapping[str, Metric],
) -> Figure:
    """Draw how much each level changes every metric's surface and indices, with the most robust
    metric at the top.

    Parameters
    ----------
    ranking, choices
        Results of :func:`skewproof_studies.van_zyl.verdicts.robustness.ranking` and
        :func:`skewproof_studies.van_zyl.verdicts.robustness.choices`.
    exact
        Exact indices with the columns metric, level, input, s1.
    baseline, registry
        The level for comparison, and the metrics by key.
    """
    keys = list(ranking["metric"])
    integrals = choices[choices["choice"] == INTEGRAL]
    levels = list(integrals["level"].unique())
    surface_shifts = integrals.pivot(index="metric", columns="level", values="mean_deviation")
    index_shifts = largest_index_shifts(exact, baseline=baseline).unstack("level")
    panels = {
        "mean shift of the metric scaled to [0, 1]": surface_shifts.loc[keys, levels],
        "largest shift of a first-order index": index_shifts.loc[keys, levels],
    }
    return rows_figure(panels, colors=(0.85, 0.05), registry=registry)
