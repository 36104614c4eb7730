"""Figure of curves and areas under imbalance, with normal scores in both classes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import matplotlib
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from scipy.special import ndtri

from skewproof.core.levels import Level
from skewproof.reporting.style import COLORS, MARKERS, STYLE
from skewproof_studies.tharwat.areas import AREA_KINDS
from skewproof_studies.tharwat.binormal import population_curves


class CurvePanel(NamedTuple):
    """Curve of a panel."""

    x: str
    """Column of :func:`skewproof_studies.tharwat.binormal.population_curves`."""
    y: str
    x_label: str
    y_label: str
    deviates: bool = False
    """True if both axes have standard normal quantiles, labeled with the rates."""


CURVE_PANELS = {
    "ROC": CurvePanel("fpr", "tpr", "FPR", "TPR"),
    "Precision-recall": CurvePanel("tpr", "precision", "recall", "precision"),
    "DET": CurvePanel("far_deviate", "frr_deviate", "FAR", "FRR", deviates=True),
    "MCC-F1": CurvePanel("unit_mcc", "f1", "MCC, scaled to [0, 1]", "$F_1$"),
}
"""Panels of the curves, by title."""


def areas_figure(areas: pd.DataFrame, separation: float) -> Figure:
    """Draw curves of one classifier at every level, and the areas under them.

    Parameters
    ----------
    areas
        Result of :func:`skewproof_studies.tharwat.areas.area_study`.
    separation
        Separation of the classifier.
    """
    levels = list(dict.fromkeys(areas["level"]))
    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(10.5, 5), layout="constrained")
        grid = figure.add_gridspec(2, len(CURVE_PANELS), height_ratios=[1, 1.1])
        for column, (title, panel) in enumerate(CURVE_PANELS.items()):
            axes = figure.add_subplot(grid[0, column])
            _draw_curves(axes, panel, levels, separation)
            axes.set_title(title)
        axes.legend(title="level P:N", loc="center left", bbox_to_anchor=(1.02, 0.5))
        _draw_areas(figure.add_subplot(grid[1, :]), areas, levels)
    return figure


def _draw_areas(axes: Axes, areas: pd.DataFrame, levels: Sequence[str]) -> None:
    colors = matplotlib.colormaps[COLORS](np.linspace(0, 0.9, len(AREA_KINDS)))
    for number, (name, kind) in enumerate(AREA_KINDS.items()):
        of_kind = areas[areas["area"] == name]
        x = np.arange(len(levels)) + 0.05 * (number - 2.5)
        style = {"color": colors[number], "marker": MARKERS[number]}
        axes.plot(x, of_kind["exact"], label=kind.label, ms=4, **style)
        bars = 2 * of_kind["standard_error"]
        axes.errorbar(x, of_kind["sampled"], bars, fmt="none", ecolor=colors[number], capsize=3)
    axes.set_xticks(range(len(levels)), levels)
    axes.set(xlabel="level P:N", ylabel="value", ylim=(0, 1))
    axes.set_title("Areas: exact (lines), and in samples (bars of two standard errors)")
    axes.legend(loc="center left", bbox_to_anchor=(1.02, 0.5))


def _draw_curves(axes: Axes, panel: CurvePanel, levels: Sequence[str], separation: float) -> None:
    colors = matplotlib.colormaps[COLORS](np.linspace(0, 0.9, len(levels)))
    for number, level in enumerate(levels):
        curves = population_curves(separation, Level.parse(level))
        axes.plot(
            curves[panel.x],
            curves[panel.y],
            color=colors[number],
            marker=MARKERS[number % len(MARKERS)],
            markevery=(5 * number, 60),
            ms=3,
            lw=1,
            label=level,
        )
    axes.set(xlabel=panel.x_label, ylabel=panel.y_label)
    if panel.deviates:
        ticks = np.array([0.01, 0.2, 0.5, 0.8, 0.99])
        axes.set_xticks(ndtri(ticks), [f"{tick:g}" for tick in ticks])
        axes.set_yticks(ndtri(ticks), [f"{tick:g}" for tick in ticks])
        axes.set(xlim=ndtri([0.002, 0.998]), ylim=ndtri([0.002, 0.998]))
    axes.set_box_aspect(1)
