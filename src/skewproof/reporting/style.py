"""The style of all figures."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Literal

from skewproof.core.extras import extra, matplotlib

if TYPE_CHECKING:
    from matplotlib.figure import Figure

STYLE: dict[Any, Any] = {
    "font.size": 8,
    "axes.titlesize": 9,
    "axes.titley": 1.0,  # else each title's place is computed anew from all tick labels
    "savefig.dpi": 150,
    "svg.hashsalt": "skewproof",  # identifiers in SVG files are random otherwise
}
"""Settings with which every figure is drawn and saved."""


COLORS = "cividis"
"""Colormap of evenly increasing lightness, which works in gray print and for any color vision."""


MARKERS = "osD^vPX*<>"
"""Markers, in this order, that are distinguishable without colors."""


BLUE, VERMILION, GREEN = "#0072B2", "#D55E00", "#009E73"
"""Colors that are distinguishable with any color vision (Okabe and Ito 2008); line styles differ
for gray print."""


FRAME = "#D55E00"


@contextmanager
def new_figure(
    width: float, height: float, *, layout: Literal["constrained", "compressed"] = "constrained"
) -> Iterator[Figure]:
    """Make an empty figure, to be drawn in the common style in the block.

    Parameters
    ----------
    width, height
        Size in inches.
    layout
        Matplotlib's engine of the layout.

    Raises
    ------
    MissingExtraError
        If Matplotlib is not installed.
    """
    with extra("a figure"):
        from matplotlib.figure import Figure

    with matplotlib.rc_context(STYLE):
        yield Figure(figsize=(width, height), layout=layout)


def literal(text: str) -> str:
    """Escape text so that Matplotlib draws its dollar signs instead of reading formulas.

    Examples
    --------
    >>> literal("$0-$50")
    '\\\\$0-\\\\$50'
    """
    return text.replace("$", r"\$")
