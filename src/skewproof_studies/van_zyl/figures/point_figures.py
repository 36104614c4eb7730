"""Figures 1 and 2 of van Zyl and Engelbrecht: areas under curves of one point."""

from __future__ import annotations

from typing import Literal

import matplotlib
import numpy as np
from matplotlib.figure import Figure

from skewproof.reporting.style import COLORS
from skewproof_studies.reporting.figures import styled_figure


def roc_point_figure() -> Figure:
    """Draw the area under a ROC curve of one point as a rectangle and two triangles (Fig. 1, Eq.
    14).

    The paper does not name the point that it draws.
    """
    fpr, tpr = 0.25, 0.7
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


def pr_point_figure() -> Figure:
    """Draw the area under a precision-recall curve of the paper's point, in three parts (Fig. 2,
    Eq. 50)."""
    precision, recall = 0.75, 0.7
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
    with styled_figure((3.6, 3.6)) as (figure, axes):
        parts = [(rectangle, light, r"$\hat{A}_{\mathrm{R}}$")] + [
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
