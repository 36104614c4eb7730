"""The contour figures of Appendix B, and Figures 1 and 2."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.contour import QuadContourSet
from matplotlib.figure import Figure
from numpy.typing import NDArray

from skewproof.contours import Surface
from skewproof.registry import Metric

STYLE: dict[Any, Any] = {
    "font.size": 8,
    "axes.titlesize": 9,
    "axes.titley": 1.0,  # else each title's place is computed anew from all tick labels
    "savefig.dpi": 150,
    "svg.hashsalt": "skewproof",  # identifiers in SVG files are random otherwise
}
"""What every figure is drawn and saved with."""

COLORS = "cividis"
"""Rises evenly in lightness, so it survives gray print and every kind of color vision."""

MARKERS = "osD^vPX*<>"
"""Told apart without colors, in this order."""

BANDS = np.linspace(0, 1, 11)
LINES = np.linspace(0.1, 0.9, 9)
LINE_COLORS = ["white" if value < 0.5 else "black" for value in LINES]


def contour_figure(metric: Metric, surfaces: Mapping[str, Surface]) -> Figure:
    """A metric's contours at every level, side by side on one color scale (Figs. B.3 to B.26).

    Parameters
    ----------
    metric
        The metric, for its name.
    surfaces
        Its surface at each level, by the level's name.

    Returns
    -------
    Figure with a panel a level; axes in counts, contour lines every 0.1, a cross at each grid
    point where the metric is undefined.
    """
    with matplotlib.rc_context(STYLE):
        figure, panels, scale = _panels_in_a_row(len(surfaces))
        undefined = False
        for axes, (level, surface) in zip(panels, surfaces.items(), strict=True):
            filled = _draw_surface(axes, surface)
            axes.set_title(level)
            undefined |= not np.isfinite(surface.values).all()
        panels[0].set_ylabel("$t_p$ (count)")
        panels[len(panels) // 2].set_xlabel("$f_p$ (count)")
        figure.colorbar(filled, cax=scale, label=f"${metric.symbol}$", ticks=np.linspace(0, 1, 6))
        title = f"{metric.name[0].upper()}{metric.name[1:]} at imbalance levels $P{{:}}N$"
        if undefined:
            title += "   (× undefined)"
        figure.suptitle(title, fontsize=10)
    return figure


def _panels_in_a_row(count: int) -> tuple[Figure, Sequence[Axes], Axes]:
    """A figure with square panels and the axes of a color scale at their right.

    Sizes are in inches: laying out a figure automatically takes as long as drawing it.
    """
    side, gap, left, right, bottom, top = 1.75, 0.14, 0.55, 0.8, 0.45, 0.5
    width = left + count * (side + gap) + right
    height = bottom + side + top
    figure = Figure(figsize=(width, height))
    panels = figure.subplots(1, count, sharey=True, squeeze=False)[0]
    figure.subplots_adjust(
        left=left / width,
        right=1 - (right + gap) / width,
        bottom=bottom / height,
        top=1 - top / height,
        wspace=gap / side,
    )
    scale = figure.add_axes((1 - right / width, bottom / height, 0.12 / width, side / height))
    return figure, panels, scale


def _draw_surface(axes: Axes, surface: Surface) -> QuadContourSet:
    fp, tp, values = surface.fp, surface.tp, np.ma.masked_invalid(surface.values)
    filled = axes.contourf(fp, tp, values, levels=BANDS, cmap=COLORS, vmin=0, vmax=1)
    filled.set_edgecolor("face")  # closes the hairlines that PDF viewers show between bands
    lines = axes.contour(fp, tp, values, levels=LINES, colors=LINE_COLORS, linewidths=0.6)
    _mark_undefined(axes, surface)
    axes.set(xlim=(0, fp[-1]), ylim=(0, tp[-1]), yticks=[0, tp[-1] / 2, tp[-1]])
    axes.set_box_aspect(1)
    ticks = [0, fp[-1] / 2, fp[-1]]
    labels = axes.set_xticks(ticks, [f"{round(tick, 1):g}" for tick in ticks])
    labels[0].label1.set_horizontalalignment("left")  # keeps clear of the next panel's
    labels[-1].label1.set_horizontalalignment("right")
    _label_lines(axes, lines)
    return filled


def _mark_undefined(axes: Axes, surface: Surface) -> None:
    rows, columns = np.nonzero(~np.isfinite(surface.values))
    if rows.size:
        axes.scatter(
            surface.fp[columns],
            surface.tp[rows],
            marker="x",
            s=28,
            linewidths=1.4,
            color="black",
            clip_on=False,
            zorder=5,
        )


def _label_lines(axes: Axes, lines: QuadContourSet) -> None:
    """Label contour lines where there is room: off the frame and apart from each other."""
    corner = np.array([axes.get_xlim()[1], axes.get_ylim()[1]])
    placed: list[NDArray[np.float64]] = []
    for label in axes.clabel(lines, LINES[::2], fontsize=6, fmt="%.1f", inline=False):
        place = np.divide(label.get_position(), corner)
        on_frame = np.any((place < 0.06) | (place > 0.94))
        crowded = any(np.hypot(*(place - other)) < 0.12 for other in placed)
        if on_frame or crowded:
            label.remove()
            continue
        placed.append(place)
        band = matplotlib.colormaps[COLORS](float(label.get_text()))
        label.set_bbox({"facecolor": band, "edgecolor": "none", "pad": 0.3})  # hides the line


def roc_point_figure(fpr: float = 0.25, tpr: float = 0.7) -> Figure:
    """The area under a ROC curve of one point as a rectangle and two triangles (Fig. 1, Eq. 14).

    Parameters
    ----------
    fpr, tpr
        The point, in [0, 1]. The paper does not say which one it draws.
    """
    figure = _point_figure(
        point=(fpr, tpr),
        rectangle=[(fpr, 0), (1, 0), (1, tpr), (fpr, tpr)],
        triangles=[[(0, 0), (fpr, 0), (fpr, tpr)], [(fpr, tpr), (1, tpr), (1, 1)]],
        curve=[(0, 0), (fpr, tpr), (1, 1)],
        label_side="left",
    )
    figure.axes[0].set(
        xlabel=r"false positive rate $\Phi_{f_p}$",
        ylabel=r"true positive rate $\Phi_{t_p}$",
        title=f"ROC curve of one point: area {(tpr + 1 - fpr) / 2:.3f}",
    )
    return figure


def pr_point_figure(precision: float = 0.75, recall: float = 0.7) -> Figure:
    """The area under a precision-recall curve of one point, in three parts (Fig. 2, Eq. 50).

    Parameters
    ----------
    precision, recall
        The point, in [0, 1]; the defaults are the paper's.
    """
    figure = _point_figure(
        point=(recall, precision),
        rectangle=[(0, 0), (recall, 0), (recall, precision), (0, precision)],
        triangles=[
            [(0, precision), (recall, precision), (0, 1)],
            [(recall, 0), (1, 0), (recall, precision)],
        ],
        curve=[(0, 1), (recall, precision), (1, 0)],
        label_side="right",
    )
    figure.axes[0].set(
        xlabel=r"recall $\Phi_{t_p}$",
        ylabel=r"precision $\rho_{t_p}$",
        title=f"PR curve of one point: area {(precision + recall) / 2:.3f}",
    )
    return figure


Point = tuple[float, float]


def _point_figure(
    *,
    point: Point,
    rectangle: list[Point],
    triangles: list[list[Point]],
    curve: list[Point],
    label_side: Literal["left", "right"],
) -> Figure:
    light, middle, dark = matplotlib.colormaps[COLORS]([0.85, 0.6, 0.15])
    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(3.6, 3.6), layout="constrained")
        axes = figure.subplots()
        parts = [(rectangle, light, r"$\hat{A}_{□}$")] + [
            (triangle, middle, rf"$\hat{{A}}_{{\Delta_{number}}}$")
            for number, triangle in enumerate(triangles, start=1)
        ]
        for corners, color, name in parts:
            axes.fill(*zip(*corners, strict=True), facecolor=color, edgecolor="black", lw=0.6)
            axes.annotate(name, np.mean(corners, axis=0), ha="center", va="center", fontsize=10)
        axes.plot(*zip(*curve, strict=True), color=dark, lw=2, marker="o", markevery=[1])
        axes.annotate(
            f"({point[0]:g}, {point[1]:g})",
            point,
            xytext=(6 if label_side == "right" else -6, 6),
            textcoords="offset points",
            horizontalalignment="left" if label_side == "right" else "right",
        )
        axes.set(xlim=(0, 1), ylim=(0, 1.02), aspect="equal")
    return figure
