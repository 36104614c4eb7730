"""How every figure looks."""

from __future__ import annotations

from typing import Any

STYLE: dict[Any, Any] = {
    "font.size": 8,
    "axes.titlesize": 9,
    "axes.titley": 1.0,  # else each title's place is computed anew from all tick labels
    "savefig.dpi": 150,
    "svg.hashsalt": "skewproof",  # identifiers in SVG files are random otherwise
}
"""What every figure is drawn and saved with."""


COLORS = "cividis"
"""Rises evenly in lightness, so it survives gray print and every kind of color vision."""


MARKERS = "osD^vPX*<>"
"""Told apart without colors, in this order."""


BLUE, VERMILION, GREEN = "#0072B2", "#D55E00", "#009E73"
"""Told apart with any color vision (Okabe and Ito 2008); styles differ for gray print."""


FRAME = "#D55E00"
