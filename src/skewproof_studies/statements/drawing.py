"""Axes for the figures of statements."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from skewproof.reporting.style import STYLE

LINES = ("-", "--", ":", "-.")
"""Line styles that can be told apart in gray print, in this order."""


@contextmanager
def panels(count: int = 1, *, width: float = 4.5) -> Iterator[tuple[Figure, list[Axes]]]:
    """Yield a figure with panels side by side, in the style of all figures.

    Parameters
    ----------
    count
        Number of panels.
    width
        Width of the whole figure in inches.
    """
    with rc_context(STYLE):
        figure = Figure(figsize=(width, 3), layout="constrained")
        grid = figure.subplots(1, count, squeeze=False)
        yield figure, list(grid[0])


def show_levels(axes: Axes, ratios: Sequence[float]) -> None:
    """Label a logarithmic x axis of negatives for each positive with levels."""
    axes.set_xscale("log")
    axes.set_xticks(ratios, [f"1:{ratio:,.0f}" for ratio in ratios], rotation=30)
    axes.minorticks_off()
    axes.set_xlabel("level P:N")
