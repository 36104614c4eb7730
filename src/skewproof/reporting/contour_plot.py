"""Contours of a metric at several imbalance levels, as van Zyl and Engelbrecht draw them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skewproof.core.extras import extra
from skewproof.core.metric import Metric
from skewproof.reporting.style import COLORS, STYLE
from skewproof.sensitivity.surfaces.grid import Surface

with extra("a figure"):
    import matplotlib
    from matplotlib.axes import Axes
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.contour import QuadContourSet
    from matplotlib.figure import Figure
    from matplotlib.patches import Rectangle

BANDS = np.linspace(0, 1, 11)
LINES = np.linspace(0.1, 0.9, 9)
LINE_COLORS = ["white" if value < 0.5 else "black" for value in LINES]

IN_A_ROW = 5
"""Panels side by side, as in the paper; more where there would be more rows than columns."""

POINT = 1 / 72
SIDE, GAP, LEFT, RIGHT, BOTTOM, TOP = 1.75, 0.14, 0.55, 0.8, 0.45, 0.5
BETWEEN_ROWS = 0.48
ABOVE_ALL = 0.054
SCALE_WIDTH = 0.12
TICK_LABEL, TITLE = 7 * POINT, 6 * POINT
"""How far a panel's tick labels and its title are from it, and so on: all lengths are in inches."""

DIGIT, LINE, LABEL = 0.636 * 8 * POINT, 8 * POINT, 4 * POINT
"""Width of a digit and height of a line of text, and how far an axis' label is from the ticks'."""


class _Panel(NamedTuple):
    """A square on the sheet: its lower left corner in inches, its row and column."""

    x: float
    y: float
    row: int
    column: int


def contour_figure(metric: Metric, surfaces: Mapping[str, Surface]) -> Figure:
    """A metric's contours at every level, side by side on one color scale (Figs. B.3 to B.26).

    Parameters
    ----------
    metric
        The metric, scaled to [0, 1], for its name and symbol.
    surfaces
        Its surface at each level, by the level's name.

    Returns
    -------
    Figure with a panel per level, at most five in a row where there are at most 25; axes in counts,
    contour lines every 0.1, a cross at each grid point where the metric is undefined.
    """
    panels, width, height = _layout(len(surfaces))
    title = f"{metric.name[0].upper()}{metric.name[1:]} at imbalance levels $P{{:}}N$"
    if not all(np.isfinite(surface.values).all() for surface in surfaces.values()):
        title += "   (× undefined)"
    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(width, height))
        FigureCanvasAgg(figure)  # measures text at once; a canvas of no kind asks for one each time
        # One axes for all, in inches: an axes a panel takes as long to draw as the contours do.
        axes = figure.add_axes((0, 0, 1, 1), xlim=(0, width), ylim=(0, height), autoscale_on=False)
        axes.set_axis_off()
        for panel, (level, surface) in zip(panels, surfaces.items(), strict=True):
            _draw_surface(axes, surface, panel)
            axes.text(panel.x + SIDE / 2, panel.y + SIDE + TITLE, level, ha="center", size=9)
        figure.suptitle(title, y=1 - ABOVE_ALL / height, fontsize=10)
        _draw_ticks(axes, list(surfaces.values()), panels)
        _draw_scale(axes, f"${metric.symbol}$", width - RIGHT, height)
    return figure


def _layout(count: int) -> tuple[list[_Panel], float, float]:
    """Panels in rows of the same length, but for the last one, and the sheet's width and height."""
    columns = max(IN_A_ROW, math.ceil(math.sqrt(count)))
    rows = math.ceil(count / columns)
    columns = math.ceil(count / rows)
    width = LEFT + columns * (SIDE + GAP) + RIGHT
    height = BOTTOM + rows * SIDE + (rows - 1) * BETWEEN_ROWS + TOP
    panels = []
    for number in range(count):
        row, column = divmod(number, columns)
        x, y = LEFT + column * (SIDE + GAP), height - TOP - SIDE - row * (SIDE + BETWEEN_ROWS)
        panels.append(_Panel(x, y, row, column))
    return panels, width, height


def _draw_surface(axes: Axes, surface: Surface, panel: _Panel) -> None:
    x = panel.x + surface.fp / surface.fp[-1] * SIDE
    y = panel.y + surface.tp / surface.tp[-1] * SIDE
    values = np.ma.masked_invalid(surface.values)
    square = Rectangle((panel.x, panel.y), SIDE, SIDE, fill=False, linewidth=0.8, zorder=2.5)
    axes.add_artist(square)
    filled = axes.contourf(x, y, values, levels=BANDS, cmap=COLORS, vmin=0, vmax=1)
    filled.set_edgecolor("face")  # closes the hairlines that PDF viewers show between bands
    lines = axes.contour(x, y, values, levels=LINES, colors=LINE_COLORS, linewidths=0.6)
    for drawn in (filled, lines):
        drawn.set_clip_path(square)
    rows, columns = np.nonzero(~np.isfinite(surface.values))
    if rows.size:
        axes.scatter(
            x[columns],
            y[rows],
            marker="x",
            s=28,
            linewidths=1.4,
            color="black",
            clip_on=False,
            zorder=5,
        )
    _label_lines(axes, lines, panel)


def _label_lines(axes: Axes, lines: QuadContourSet, panel: _Panel) -> None:
    """Label contour lines where there is room: off the frame and apart from each other."""
    placed: list[NDArray[np.float64]] = []
    for label in axes.clabel(lines, LINES[::2], fontsize=6, fmt="%.1f", inline=False):
        place = (np.array(label.get_position()) - panel[:2]) / SIDE
        on_frame = np.any((place < 0.06) | (place > 0.94))
        crowded = any(np.hypot(*(place - other)) < 0.12 for other in placed)
        if on_frame or crowded:
            label.remove()
            continue
        placed.append(place)
        band = matplotlib.colormaps[COLORS](float(label.get_text()))
        label.set_bbox({"facecolor": band, "edgecolor": "none", "pad": 0.3})  # hides the line


def _draw_ticks(axes: Axes, surfaces: list[Surface], panels: list[_Panel]) -> None:
    """Ticks at 0, the middle and the end of each axis, with counts; tp at the left panels alone."""
    parts = np.array([0, 0.5, 1])
    style: dict[str, Any] = {
        "color": "black",
        "linestyle": "none",
        "markeredgewidth": 0.8,
        "markersize": 3.5,
    }
    below = [(panel.x + part * SIDE, panel.y) for panel in panels for part in parts]
    beside = [(panel.x, panel.y + part * SIDE) for panel in panels for part in parts]
    axes.plot(*zip(*below, strict=True), marker=3, **style)
    axes.plot(*zip(*beside, strict=True), marker=0, **style)
    for panel, surface in zip(panels, surfaces, strict=True):
        for part, side in zip(parts, ("left", "center", "right"), strict=True):
            place = panel.x + part * SIDE, panel.y - TICK_LABEL
            axes.text(*place, f"{round(part * surface.fp[-1], 1):g}", ha=side, va="top")
        if panel.column == 0:
            labels = [f"{part * surface.tp[-1]:g}" for part in parts]
            for part, label in zip(parts, labels, strict=True):
                place = panel.x - TICK_LABEL, panel.y + part * SIDE
                axes.text(*place, label, ha="right", va="center_baseline")
            x = panel.x - TICK_LABEL - max(map(len, labels)) * DIGIT - LABEL
            _upright(axes, x, panel.y + SIDE / 2, "$t_p$ (count)", va="bottom")
    last = [panel for panel in panels if panel.row == panels[-1].row]
    middle = last[len(last) // 2]
    below_labels = middle.y - TICK_LABEL - LINE - LABEL
    axes.text(middle.x + SIDE / 2, below_labels, "$f_p$ (count)", ha="center", va="top")


def _draw_scale(axes: Axes, label: str, x: float, height: float) -> None:
    """The color scale, as high as all panels."""
    span = height - TOP - BOTTOM
    centers = (BANDS[:-1] + BANDS[1:]) / 2
    axes.pcolormesh(
        [x, x + SCALE_WIDTH],
        BOTTOM + BANDS * span,
        centers[:, np.newaxis],
        cmap=COLORS,
        vmin=0,
        vmax=1,
    )
    axes.add_artist(Rectangle((x, BOTTOM), SCALE_WIDTH, span, fill=False, linewidth=0.8))
    ticks, right = np.linspace(0, 1, 6), x + SCALE_WIDTH
    axes.plot(np.full(6, right), BOTTOM + ticks * span, "k", marker=1, ls="none", ms=3.5, mew=0.8)
    for tick in ticks:
        axes.text(right + TICK_LABEL, BOTTOM + tick * span, f"{tick:.1f}", va="center_baseline")
    _upright(axes, right + TICK_LABEL + 2.5 * DIGIT + LABEL, BOTTOM + span / 2, label, va="top")


def _upright(axes: Axes, x: float, y: float, text: str, *, va: str) -> None:
    axes.text(x, y, text, rotation="vertical", rotation_mode="anchor", ha="center", va=va)
