"""A row a metric, a mark a series: many metrics at a glance, beside each other."""

from __future__ import annotations

import matplotlib
import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from skewproof.reporting.style import COLORS, MARKERS


def draw_rows(axes: Axes, values: pd.DataFrame, *, colors: tuple[float, float]) -> None:
    """Mark the values of every metric, at least 0, in a row of its own, from 0 on.

    Parameters
    ----------
    axes
        Where to draw.
    values
        Metrics by series; NaN has no mark. The columns' names are the labels of the series.
    colors
        Places of the first and the last series on the color scale, in [0, 1].
    """
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
