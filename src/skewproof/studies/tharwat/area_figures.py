"""Figures of Tharwat's Iris experiment (13 and 14), and of curves and areas under imbalance."""

from __future__ import annotations

from collections.abc import Sequence

import matplotlib
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from scipy.special import ndtri

from skewproof.core.levels import Level
from skewproof.practice.score_curves import precision_recall_curve, roc_curve
from skewproof.reporting.style import BLUE, COLORS, GREEN, MARKERS, STYLE, VERMILION
from skewproof.studies.tharwat.binormal import population_curves
from skewproof.studies.tharwat.iris import Experiment

CLASS_STYLES = ((BLUE, "-", "o"), (VERMILION, "--", "x"), (GREEN, ":", "s"))

CURVES = {
    "ROC": ("fpr", "tpr", "FPR", "TPR"),
    "Precision-recall": ("tpr", "precision", "recall", "precision"),
    "DET": ("far_deviate", "frr_deviate", "FAR", "FRR"),
    "MCC-F1": ("mcc", "f1", "MCC, scaled to [0, 1]", "$F_1$"),
}
"""Columns of the curves' frame and axis labels, by title."""

AREA_NAMES = {
    "roc": "ROC (AUC)",
    "precision_recall": "precision-recall, interpolated",
    "average_precision": "precision-recall, steps",
    "det": "DET, between rates",
    "equal_error_rate": "equal error rate",
    "mcc_f1": "MCC-F1 metric",
}


def iris_curves_figure(experiment: Experiment) -> Figure:
    """ROC and precision-recall curve of each class against the others (Fig. 13)."""
    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(7, 3.6), layout="constrained")
        left, right = figure.subplots(1, 2)
        for label, name in enumerate(experiment.classes):
            color, line, marker = CLASS_STYLES[label]
            style = {"color": color, "ls": line, "marker": marker, "ms": 3, "markevery": 10}
            own = (experiment.true == label, experiment.scores[:, label])
            fpr, tpr, _ = roc_curve(*own)
            recall, precision, _ = precision_recall_curve(*own)
            left.plot(fpr, tpr, label=name, **style)
            right.plot(recall, precision, label=name, **style)
        left.set(xlabel="FPR", ylabel="TPR", title="ROC curves", aspect="equal")
        right.set(xlabel="recall", ylabel="precision", title="Precision-recall curves")
        right.set(aspect="equal", ylim=(-0.05, 1.05))
        left.legend(loc="lower right")
        right.legend(loc="lower left")
    return figure


def iris_matrices_figure(results: pd.DataFrame) -> Figure:
    """Confusion matrix of each class against the others, true classes in columns (Fig. 14)."""
    rows = results.dropna(subset="tp")
    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(7, 2.6), layout="constrained")
        for axes, row in zip(figure.subplots(1, len(rows)), rows.itertuples(), strict=True):
            counts = np.array([[row.tp, row.fp], [row.fn, row.tn]], dtype=float)
            shown = axes.imshow(counts, cmap=COLORS, vmin=0, vmax=100)
            for (i, j), count in np.ndenumerate(counts):
                color = "black" if count > 50 else "white"
                axes.text(j, i, f"{count:g}", ha="center", va="center", color=color, fontsize=10)
            axes.set(xticks=[0, 1], yticks=[0, 1], title=row[1])
            axes.set_xticklabels(["positive", "negative"])
            axes.set_yticklabels(["positive", "negative"], rotation=90, va="center")
            axes.set_xlabel("true class")
        figure.axes[0].set_ylabel("called")
        figure.colorbar(shown, ax=figure.axes, label="samples")
    return figure


def areas_figure(areas: pd.DataFrame, separation: float) -> Figure:
    """Curves of one classifier at every level, and the areas under them.

    Parameters
    ----------
    areas
        The result of :func:`skewproof.studies.tharwat.binormal.area_study`.
    separation
        The classifier's.
    """
    levels = list(dict.fromkeys(areas["level"]))
    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(10.5, 5), layout="constrained")
        grid = figure.add_gridspec(2, len(CURVES), height_ratios=[1, 1.1])
        for place, (title, columns) in enumerate(CURVES.items()):
            panel = figure.add_subplot(grid[0, place])
            _draw_curves(panel, title, columns, levels, separation)
        panel.legend(title="level P:N", loc="center left", bbox_to_anchor=(1.02, 0.5))
        axes = figure.add_subplot(grid[1, :])
        colors = matplotlib.colormaps[COLORS](np.linspace(0, 0.9, len(AREA_NAMES)))
        for place, (name, label) in enumerate(AREA_NAMES.items()):
            own = areas[areas["area"] == name]
            x = np.arange(len(levels)) + 0.05 * (place - 2.5)
            style = {"color": colors[place], "marker": MARKERS[place]}
            axes.plot(x, own["exact"], label=label, ms=4, **style)
            axes.errorbar(
                x,
                own["sampled"],
                2 * own["standard_error"],
                fmt="none",
                ecolor=colors[place],
                capsize=3,
            )
        axes.set_xticks(range(len(levels)), levels)
        axes.set(xlabel="level P:N", ylabel="value", ylim=(0, 1))
        axes.set_title("Areas: exact (lines), and in samples (bars of two standard errors)")
        axes.legend(loc="center left", bbox_to_anchor=(1.02, 0.5))
    return figure


def _draw_curves(
    axes: Axes, title: str, columns: Sequence[str], levels: Sequence[str], separation: float
) -> None:
    x, y, x_label, y_label = columns
    colors = matplotlib.colormaps[COLORS](np.linspace(0, 0.9, len(levels)))
    for place, level in enumerate(levels):
        curves = population_curves(separation, Level.parse(level))
        axes.plot(
            curves[x],
            curves[y],
            color=colors[place],
            marker=MARKERS[place % len(MARKERS)],
            markevery=(5 * place, 60),
            ms=3,
            lw=1,
            label=level,
        )
    axes.set(title=title, xlabel=x_label, ylabel=y_label)
    if title == "DET":
        ticks = np.array([0.01, 0.2, 0.5, 0.8, 0.99])
        axes.set_xticks(ndtri(ticks), [f"{tick:g}" for tick in ticks])
        axes.set_yticks(ndtri(ticks), [f"{tick:g}" for tick in ticks])
        axes.set(xlim=ndtri([0.002, 0.998]), ylim=ndtri([0.002, 0.998]))
    axes.set_box_aspect(1)
