"""Axes for the figures of statements."""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.axes import Axes

LINES = ("-", "--", ":", "-.")
"""Line styles that can be told apart in gray print, in this order."""


def show_levels(axes: Axes, ratios: Sequence[float]) -> None:
    """Label a logarithmic x axis of negatives for each positive with levels."""
    axes.set_xscale("log")
    axes.set_xticks(ratios, [f"1:{ratio:,.0f}" for ratio in ratios], rotation=30)
    axes.minorticks_off()
    axes.set_xlabel("level P:N")
