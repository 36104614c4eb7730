"""Parts of figures that several studies draw: rows of metrics, and a sentence in place of data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import matplotlib
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from skewproof.core.metric import Metric
from skewproof.reporting.style import COLORS, MARKERS, STYLE
from skewproof_studies.reporting.table import metric_label


@contextmanager
def styled_figure(
    size: tuple[float, float], *grid: int, **options: Any
) -> Iterator[tuple[Figure, Any]]:
    """Yield a figure and its axes, which are drawn in the style of all figures.

    Parameters
    ----------
    size
        Width and height in inches.
    grid
        Numbers of rows and columns of axes, one axes by default.
    options
        Options of :meth:`matplotlib.figure.Figure.subplots`.
    """
    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=size, layout="constrained")
        yield figure, figure.subplots(*grid, **options)


def rows_figure(
    panels: Mapping[str, pd.DataFrame],
    *,
    colors: tuple[float, float],
    registry: Mapping[str, Metric],
) -> Figure:
    """Draw panels side by side with one row per metric and one mark per series.

    Parameters
    ----------
    panels
        Values of each panel by the label of its x axis. Values are at least 0: metrics by series,
        the same in all panels. NaN has no mark.
    colors
        Places of the first and the last series on the color scale, in [0, 1].
    registry
        The metrics by key, for their symbols.
    """
    keys = list(next(iter(panels.values())).index)
    with styled_figure((9, 1.2 + 0.2 * len(keys)), 1, len(panels), sharey=True) as (figure, grid):
        for axes, (label, values) in zip(grid, panels.items(), strict=True):
            _draw_rows(axes, values, colors)
            axes.set_xlabel(label)
        list_metrics(grid[0], keys, registry)
        handles, labels = grid[0].get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside upper center", ncols=len(labels), frameon=False)
    return figure


def _draw_rows(axes: Axes, values: pd.DataFrame, colors: tuple[float, float]) -> None:
    shades = matplotlib.colormaps[COLORS](np.linspace(*colors, values.shape[1]))
    for number, (name, color) in enumerate(zip(values, shades, strict=True)):
        axes.plot(
            values[name],
            range(len(values)),
            ls="none",
            label=name,
            marker=MARKERS[number % len(MARKERS)],
            color=color,
            ms=4.5,
            mec="black",
            mew=0.4,
        )
    axes.grid(axis="y", color="0.9", lw=0.6)
    axes.set_axisbelow(True)
    axes.set_xlim(left=-0.02)


def list_metrics(axes: Axes, keys: Sequence[str], registry: Mapping[str, Metric]) -> None:
    """Write the metrics' keys and symbols at the left, one per row, from top to bottom."""
    labels = [f"{key}  {metric_label(registry[key])}" for key in keys]
    axes.set_yticks(range(len(keys)), labels)
    axes.set_ylim(len(keys) - 0.5, -0.5)


def note_figure(text: str) -> Figure:
    """Draw a figure with only a sentence, which says why there is nothing to draw."""
    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(6, 1))
        figure.text(0.5, 0.5, text, ha="center", va="center")
    return figure
