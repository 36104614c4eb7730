"""Contours of a metric at several imbalance levels, as van Zyl and Engelbrecht draw them."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from skewproof.core.extras import extra
from skewproof.core.messages import shortened
from skewproof.core.metric import Metric
from skewproof.reporting.style import COLORS, literal, new_figure
from skewproof.sensitivity.surfaces.grid import Surface

with extra("a figure"):
    import matplotlib
    from matplotlib.axes import Axes
    from matplotlib.contour import QuadContourSet
    from matplotlib.figure import Figure

BANDS = np.linspace(0, 1, 11)
LINES = np.linspace(0.1, 0.9, 9)
LINE_COLORS = ["white" if value < 0.5 else "black" for value in LINES]

IN_A_ROW = 5
"""Number of panels in a row, as in the paper; rows are longer if there would be more rows than
columns."""

PANEL_INCHES = (1.3, 1.6)
"""Width and height of a panel with its title and tick labels."""

MARGIN_INCHES = (0.9, 0.6)
"""Width of the color scale and an axis label, and height of the figure's title and an axis
label."""


def contour_figure(metric: Metric, surfaces: Mapping[str, Surface]) -> Figure:
    """Draw a metric's contours at every level on one color scale.

    The layout is that of Figs. B.3 to B.26 of van Zyl and Engelbrecht.

    Parameters
    ----------
    metric
        The metric, scaled to [0, 1], of which the name and symbol are used.
    surfaces
        The metric's surface at each level, by the level's name.

    Returns
    -------
    A figure with a panel per level, at most five in a row for up to 25 panels. Axes are in counts,
    contour lines are drawn every 0.1, and each grid point where the metric is undefined has a
    cross.
    """
    rows, columns = rows_and_columns(len(surfaces))
    name = literal(shortened(f"{metric.name[:1].upper()}{metric.name[1:]}"))
    title = f"{name} at imbalance levels $P{{:}}N$"
    if not all(np.isfinite(surface.values).all() for surface in surfaces.values()):
        title += "   (× undefined)"
    with new_figure(*figure_size(rows, columns), layout="compressed") as figure:
        figure.suptitle(title, fontsize=10, wrap=True)
        grid = figure.subplots(rows, columns, squeeze=False)
        for axes, (level, surface) in zip(grid.flat, surfaces.items(), strict=False):
            filled = _draw_surface(axes, surface)
            axes.set_title(level, fontsize=9)
        for axes in grid.flat[len(surfaces) :]:
            axes.remove()
        for axes in grid[:, 0]:
            axes.set_ylabel("$t_p$ (count)")
        for axes in grid[:, 1:].flat:
            axes.tick_params(labelleft=False)
        figure.supxlabel("$f_p$ (count)", fontsize=8)
        scale = figure.colorbar(filled, ax=figure.axes, aspect=15 * rows, pad=0.01)
        scale.set_label(f"${metric.symbol}$")
        scale.set_ticks(list(BANDS[::2]))
    return figure


def rows_and_columns(panels: int) -> tuple[int, int]:
    """Arrange panels in rows of the same length, except the last one."""
    columns = max(IN_A_ROW, math.ceil(math.sqrt(panels)))
    rows = math.ceil(panels / columns)
    return rows, math.ceil(panels / rows)


def figure_size(rows: int, columns: int) -> tuple[float, float]:
    """Compute width and height of a figure in inches."""
    width, height = PANEL_INCHES
    return columns * width + MARGIN_INCHES[0], rows * height + MARGIN_INCHES[1]


def _draw_surface(axes: Axes, surface: Surface) -> QuadContourSet:
    fp, tp = surface.fp, surface.tp
    values = np.ma.masked_invalid(surface.values)
    filled = axes.contourf(fp, tp, values, levels=BANDS, cmap=COLORS, vmin=0, vmax=1)
    filled.set_edgecolor("face")  # closes hairlines that PDF viewers show between bands
    lines = axes.contour(fp, tp, values, levels=LINES, colors=LINE_COLORS, linewidths=0.6)
    rows, columns = np.nonzero(~np.isfinite(surface.values))
    if rows.size:  # even a line without points takes part in the layout
        axes.plot(fp[columns], tp[rows], "kx", markersize=5.3, mew=1.4, clip_on=False, zorder=5)
    parts = np.array([0, 0.5, 1])
    texts = [f"{round(part * fp[-1], 1):g}" for part in parts]
    if len(texts[1] + texts[2]) > 9:  # the last one, which ends at its tick, would meet the middle
        texts[1] = ""
    axes.set_xticks(parts * fp[-1], texts)
    axes.set_yticks(parts * tp[-1], [f"{part * tp[-1]:g}" for part in parts])
    first, _, last = axes.get_xticklabels()
    first.set_horizontalalignment("left")
    last.set_horizontalalignment("right")
    axes.set(xlim=(0, fp[-1]), ylim=(0, tp[-1]), box_aspect=1)
    _label_lines(axes, lines, np.array([fp[-1], tp[-1]]))
    return filled


def _label_lines(axes: Axes, lines: QuadContourSet, sides: NDArray[np.float64]) -> None:
    """Label contour lines in free places, off the frame and apart from each other."""
    positions: list[NDArray[np.float64]] = []
    for label in axes.clabel(lines, LINES[::2], fontsize=6, fmt="%.1f", inline=False):
        position = np.array(label.get_position()) / sides
        on_frame = np.any((position < 0.06) | (position > 0.94))
        crowded = any(np.hypot(*(position - other)) < 0.12 for other in positions)
        if on_frame or crowded:
            label.remove()
            continue
        positions.append(position)
        band = matplotlib.colormaps[COLORS](float(label.get_text()))
        label.set_bbox({"facecolor": band, "edgecolor": "none", "pad": 0.3})  # hides the line
