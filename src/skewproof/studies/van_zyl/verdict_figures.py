"""Figures of all metrics at a glance: the verdicts, and how far imbalance moves each metric."""

from __future__ import annotations

import matplotlib
import numpy as np
import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch, Rectangle

from skewproof.metrics import get_metric
from skewproof.reporting.style import COLORS, FRAME, MARKERS, STYLE
from skewproof.studies.van_zyl.robustness import INTEGRAL
from skewproof.studies.van_zyl.verdicts import DIFFERS, SAME, UNDECIDED, VERDICTS

SHADES = {SAME: 0.9, UNDECIDED: 0.55, DIFFERS: 0.15}
"""Places on the color scale, light to dark; the marks tell them apart without it."""

MARKS = {DIFFERS: "x", UNDECIDED: "$?$"}


def verdict_figure(verdicts: pd.DataFrame) -> Figure:
    """Every verdict on every metric at every level; those at odds with another are framed.

    Parameters
    ----------
    verdicts
        The result of :func:`skewproof.studies.van_zyl.verdicts.verdicts`.
    """
    metrics, levels = verdicts["metric"].unique(), verdicts["level"].unique()
    with matplotlib.rc_context(STYLE):
        figure = Figure(
            figsize=(1.2 + 1.45 * len(VERDICTS), 1.6 + 0.2 * len(metrics)), layout="constrained"
        )
        panels = figure.subplots(1, len(VERDICTS), sharey=True)
        for axes, (column, name) in zip(panels, VERDICTS.items(), strict=True):
            wide = verdicts.pivot(index="metric", columns="level", values=column)
            _draw_verdicts(axes, wide.loc[metrics, levels])
            axes.set_title(name.removeprefix("the ").replace(" ", "\n", 1))
            axes.set_xticks(range(len(levels)), levels, rotation=90)
        panels[0].set_yticks(
            range(len(metrics)), [f"${get_metric(key).symbol}$" for key in metrics]
        )
        panels[0].invert_yaxis()
        at_odds = verdicts.loc[~verdicts["agree"], ["metric", "level"]].itertuples(index=False)
        for metric, level in at_odds:
            place = list(levels).index(level), list(metrics).index(metric)
            for axes in panels:
                _frame(axes, *place)
        keys: dict[str, Artist] = {state: _key(state) for state in SHADES}
        keys["framed: not all agree"] = Patch(fill=False, edgecolor=FRAME, lw=1.6)
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


def _frame(axes: Axes, column: int, row: int) -> None:
    corner = (column - 0.5, row - 0.5)
    axes.add_patch(Rectangle(corner, 1, 1, fill=False, edgecolor=FRAME, lw=1.6, zorder=3))


def _key(state: str) -> Line2D:
    return Line2D(
        [], [], ls="none", marker="s", ms=8, color=matplotlib.colormaps[COLORS](SHADES[state])
    )


def ranking_figure(
    ranking: pd.DataFrame, choices: pd.DataFrame, exact: pd.DataFrame, *, baseline: str
) -> Figure:
    """How far each level moves every metric's surface and indices, the most robust metric on top.

    Parameters
    ----------
    ranking, choices
        The results of :func:`skewproof.studies.van_zyl.robustness.ranking` and
        :func:`skewproof.studies.van_zyl.robustness.choices`.
    exact
        Exact indices: columns metric, level, input, s1.
    baseline
        The level compared with.
    """
    keys = list(ranking["metric"])
    integrals = choices[choices["choice"] == INTEGRAL]
    surface = integrals.pivot(index="metric", columns="level", values="mean_shift")
    indices = exact.set_index(["level", "metric", "input"])["s1"]
    index_shift = (
        (indices - indices.loc[baseline]).abs().groupby(["metric", "level"]).max().unstack()
    )
    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(7.2, 1.2 + 0.2 * len(keys)), layout="constrained")
        panels = figure.subplots(1, 2, sharey=True)
        levels = integrals["level"].unique()
        colors = matplotlib.colormaps[COLORS](np.linspace(0.85, 0.05, len(levels)))
        for axes, shifts in zip(panels, (surface, index_shift), strict=True):
            for number, (level, color) in enumerate(zip(levels, colors, strict=True)):
                marker = MARKERS[number % len(MARKERS)]
                style = {"marker": marker, "color": color, "ms": 4.5, "mec": "black", "mew": 0.4}
                axes.plot(
                    shifts.loc[keys, level], range(len(keys)), ls="none", label=level, **style
                )
            axes.grid(axis="y", color="0.9", lw=0.6)
            axes.set_axisbelow(True)
            axes.set_xlim(left=-0.02)
        panels[0].set_yticks(range(len(keys)), [f"${get_metric(key).symbol}$" for key in keys])
        panels[0].invert_yaxis()
        panels[0].set_xlabel("mean shift of the surface")
        panels[1].set_xlabel("largest shift of a first-order index")
        handles, labels = panels[0].get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside upper center", ncols=len(labels), frameon=False)
    return figure
