"""The two panels of values in Figure 2 of Mullick et al."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import matplotlib
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from skewproof.core.algebra import Array
from skewproof.reporting.style import COLORS, MARKERS
from skewproof_studies.mullick.example_1 import auroc_ova_of_share, precision_of_border
from skewproof_studies.reporting.figures import styled_figure


class SimulatedCurve(NamedTuple):
    """Simulated values of one classifier or number of classes, and their closed form."""

    label: str

    x: pd.Series
    """Simulated positions on the x axis."""

    values: pd.Series

    exact_x: Array
    exact_values: Array


def distortion_figure(precisions: pd.DataFrame, areas: pd.DataFrame) -> Figure:
    """Draw simulated values as marks and closed forms as lines (Figure 2c and 2f).

    Parameters
    ----------
    precisions, areas
        Results of :func:`skewproof_studies.mullick.example_1.simulated_precision` and
        :func:`skewproof_studies.mullick.example_1.simulated_auroc_ova`.
    """
    with styled_figure((7.2, 3.3), 1, 2) as (figure, (left, right)):
        _draw(left, _precision_curves(precisions))
        left.set(
            xlabel="RRT", ylabel="Precision", title="One classifier, test sets with different RRT"
        )
        _draw(right, _area_curves(areas))
        right.set(
            xlabel="share of each class recognized",
            ylabel="AUROC-OVA",
            title="Equally good, more classes",
        )
    return figure


def _precision_curves(precisions: pd.DataFrame) -> list[SimulatedCurve]:
    ratios = np.linspace(1, precisions["ratio"].max(), 100)
    return [
        SimulatedCurve(
            f"x = {border:g}",
            x=rows["ratio"],
            values=rows["value"],
            exact_x=ratios,
            exact_values=precision_of_border(border, ratios),
        )
        for border, rows in precisions.groupby("border")
    ]


def _area_curves(areas: pd.DataFrame) -> list[SimulatedCurve]:
    curves = []
    for classes, rows in areas.groupby("classes"):
        shares = np.linspace(1 / classes, 1, 50)
        curves.append(
            SimulatedCurve(
                f"C = {classes}",
                x=rows["share"],
                values=rows["value"],
                exact_x=shares,
                exact_values=auroc_ova_of_share(shares, classes),
            )
        )
    return curves


def _draw(axes: Axes, curves: Sequence[SimulatedCurve]) -> None:
    colors = matplotlib.colormaps[COLORS](np.linspace(0.05, 0.85, len(curves)))
    for curve, color, marker in zip(curves, colors, MARKERS, strict=False):
        axes.plot(curve.exact_x, curve.exact_values, color=color, lw=1)
        axes.plot(
            curve.x,
            curve.values,
            ls="none",
            marker=marker,
            ms=4,
            color=color,
            label=curve.label,
        )
    axes.legend(frameon=False)
    axes.set_ylim(top=1.02)
