"""A figure that says why there is nothing to draw."""

from __future__ import annotations

import matplotlib
from matplotlib.figure import Figure

from skewproof.reporting.style import STYLE


def note_figure(text: str) -> Figure:
    """A figure of one sentence in place of one without data."""
    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(6, 1))
        figure.text(0.5, 0.5, text, ha="center", va="center")
    return figure
