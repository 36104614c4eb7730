"""The figure of measured rates: a mark for each, and the range in which a right one lies."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import matplotlib
import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from skewproof.reporting.style import BLUE, GREEN, STYLE, VERMILION


class Panel(NamedTuple):
    """A column of rates, the rate that is right, and the range of its measurements."""

    rates: pd.DataFrame
    column: str
    right: float
    span: tuple[float, float]
    label: str


def rates_figure(
    panels: Sequence[Panel],
    metrics: Mapping[str, str],
    by_color: tuple[str, Sequence[str]],
    by_fill: tuple[str, Mapping[str, str]],
    *,
    height: float,
    shared: bool,
) -> Figure:
    """Draw the rates of every metric, whose labels are given by their keys.

    Two columns decide on the color and the fill of a mark: their names and values, those of fills
    with their labels. Panels may share their axes; if not, colors have heights of their own.
    """
    (color_column, colors), (fill_column, fills) = by_color, by_fill
    apart = 0.0 if shared else 0.2
    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(7.2, height), layout="constrained")
        axes_of_panels = figure.subplots(1, len(panels), sharex=shared, sharey=shared)
        for axes, (rates, column, right, span, label) in zip(axes_of_panels, panels, strict=True):
            axes.axvspan(*span, color="0.88", zorder=0)
            axes.axvline(right, color="0.5", lw=0.8, zorder=0)
            for place, value in enumerate(colors):
                for (kind, named), fillstyle in zip(fills.items(), ("full", "none"), strict=True):
                    rows = rates[(rates[color_column] == value) & (rates[fill_column] == kind)]
                    axes.plot(
                        rows[column],
                        rows["metric"].map(list(metrics).index) + (place - 1) * apart,
                        ls="none",
                        marker="osD"[place],
                        ms=4,
                        color=(BLUE, VERMILION, GREEN)[place],
                        fillstyle=fillstyle,
                        label=f"{value}, {named}",
                    )
            axes.set_xlabel(label)
        for axes in axes_of_panels[: 1 if shared else None]:
            axes.set_yticks(np.arange(len(metrics)), list(metrics.values()))
            axes.invert_yaxis()
        handles, labels = axes_of_panels[0].get_legend_handles_labels()
        number = len(handles) if shared else len(colors)
        figure.legend(handles, labels, loc="outside upper center", ncols=number, frameon=False)
    return figure
