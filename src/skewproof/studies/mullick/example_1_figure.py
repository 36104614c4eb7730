"""Figure 2 of Mullick et al., its two panels of values."""

from __future__ import annotations

from typing import Any

import matplotlib
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from skewproof.reporting.style import COLORS, MARKERS, STYLE
from skewproof.studies.mullick.example_1 import auroc_ova_of_share, precision_of_border


def distortion_figure(precisions: pd.DataFrame, areas: pd.DataFrame) -> Figure:
    """Simulated values as marks and closed forms as lines (Figure 2c and 2f).

    Parameters
    ----------
    precisions, areas
        The results of :func:`skewproof.studies.mullick.example_1.simulated_precision` and
        :func:`skewproof.studies.mullick.example_1.simulated_auroc_ova`.
    """
    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(7.2, 3.3), layout="constrained")
        left, right = figure.subplots(1, 2)
        ratios = np.linspace(1, precisions["ratio"].max(), 100)
        _draw(
            left,
            [
                (f"x = {border:g}", rows["ratio"], rows["value"], ratios,
                 precision_of_border(border, ratios))
                for border, rows in precisions.groupby("border")
            ],
        )  # fmt: skip
        left.set(xlabel="RRT", ylabel="Precision", title="One classifier, test sets of other RRT")
        lines = []
        for number, rows in areas.groupby("classes"):
            shares = np.linspace(1 / number, 1, 50)
            exact = auroc_ova_of_share(shares, number)
            lines.append((f"C = {number}", rows["share"], rows["value"], shares, exact))
        _draw(right, lines)
        right.set(
            xlabel="share of each class recognized",
            ylabel="AUROC-OVA",
            title="Equally good, more classes",
        )
    return figure


def _draw(axes: Axes, lines: list[tuple[Any, ...]]) -> None:
    colors = matplotlib.colormaps[COLORS](np.linspace(0.05, 0.85, len(lines)))
    for (label, x, value, fine, exact), color, marker in zip(lines, colors, MARKERS, strict=False):
        axes.plot(fine, exact, color=color, lw=1)
        axes.plot(x, value, ls="none", marker=marker, ms=4, color=color, label=label)
    axes.legend(frameon=False)
    axes.set_ylim(top=1.02)
