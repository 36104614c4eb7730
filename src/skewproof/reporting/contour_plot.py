"""Contours of a metric at several imbalance levels, as van Zyl and Engelbrecht draw them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from skewproof.core.extras import extra
from skewproof.core.metric import Metric
from skewproof.reporting.style import COLORS, STYLE
from skewproof.sensitivity.surfaces import Surface

with extra("a figure"):
    import matplotlib
    from matplotlib.axes import Axes
    from matplotlib.contour import QuadContourSet
    from matplotlib.figure import Figure

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
