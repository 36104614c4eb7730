"""Figure of the weight of the rarest class in every measure, at every imbalance."""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from skewproof.multiclass.crossings import FORGOTTEN_WEIGHT
from skewproof.multiclass.lookup import MEASURES
from skewproof.reporting.style import COLORS, VERMILION
from skewproof_studies.mullick.forgetting.class_weights import EQUAL
from skewproof_studies.mullick.forgetting.crossings import FALLS, RISES, place_on_axis
from skewproof_studies.reporting.figures import styled_figure
from skewproof_studies.reporting.order import rounded

CROSSING_MARKERS = {FALLS: "v", RISES: "^"}
"""Markers of a crossing, by its direction."""


def forgetting_figure(weights: pd.DataFrame, forgetting: pd.DataFrame) -> Figure:
    """Draw the rarest class's weight as a map, with one panel for each number of classes and shape.

    Parameters
    ----------
    weights
        Result of :func:`skewproof_studies.mullick.forgetting.class_weights.weights_of_the_rarest`.
    forgetting
        Results of :func:`skewproof_studies.mullick.forgetting.crossings.crossing_table` for the
        same numbers of classes.

    Returns
    -------
    Figure whose rows are measures and whose columns are ratios of the largest class to the
    smallest. Measures that keep the rarest class are at the top. A weight of 1 is a fair share, 1/C
    of the sum. Triangles show where the weight falls below one half, or rises above it, between the
    levels.
    """
    unequal = weights[weights["shape"] != EQUAL]
    means = unequal.groupby("index")["weight"].mean()
    order = means.sort_values(ascending=False, key=rounded, kind="stable").index
    classes, shapes = unequal["classes"].unique(), unequal["shape"].unique()
    size = (2.9 + 1.75 * len(shapes), 0.9 + len(classes) * (0.45 + 0.17 * len(order)))
    shared = {"sharex": True, "sharey": True, "squeeze": False}
    with styled_figure(size, len(classes), len(shapes), **shared) as (figure, grid):
        for row, number in zip(grid, classes, strict=True):
            for axes, shape in zip(row, shapes, strict=True):
                chosen = unequal[(unequal["classes"] == number) & (unequal["shape"] == shape)]
                wide = chosen.pivot(index="index", columns="ratio", values="weight").loc[order]
                image = axes.imshow(wide, cmap=COLORS, vmin=0, vmax=1, aspect="auto")
                _write_weights(axes, wide)
                paths = (forgetting["classes"] == number) & (forgetting["shape"] == shape)
                _mark_crossings(axes, forgetting[paths], wide)
                axes.set_title(f"{number} classes, {shape}")
                axes.set_xticks(range(len(wide.columns)), [f"1:{r:g}" for r in wide.columns])
                axes.set_yticks(range(len(order)), [MEASURES[key].name for key in order])
                axes.tick_params(length=0)
        label = "weight of the rarest class (1: a fair share)"
        figure.colorbar(image, ax=grid, label=label, aspect=60, fraction=0.04)
        figure.supxlabel("triangles: the weight falls below one half (down) or rises above it (up)")
    return figure


def _write_weights(axes: Axes, wide: pd.DataFrame) -> None:
    for cell, weight in np.ndenumerate(wide.to_numpy()):
        axes.annotate(
            f"{weight:.2f}",
            cell[::-1],
            ha="center",
            va="center",
            fontsize=5.5,
            color="white" if weight < FORGOTTEN_WEIGHT else "black",
        )


def _mark_crossings(axes: Axes, crossings: pd.DataFrame, wide: pd.DataFrame) -> None:
    """Draw a triangle for each crossing, in its measure's row; one before the first level is at the
    edge."""
    for row in crossings.itertuples():
        axes.plot(
            max(place_on_axis(row.ratio, list(wide.columns)), -0.45),
            wide.index.get_loc(row.index) + 0.3,
            marker=CROSSING_MARKERS[row.direction],
            ms=3,
            color=VERMILION,
            mec="white",
            mew=0.3,
        )
