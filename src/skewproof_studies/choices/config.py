"""Values of this study's part of a configuration in the form that results need."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from skewproof.core.levels import Level


def curve_label(described: Mapping[str, float]) -> str:
    """Format a curve's parameters for readers.

    Examples
    --------
    >>> curve_label({"d": 2, "b": 0.7})
    'd = 2, b = 0.7'
    """
    return f"d = {described['d']:g}, b = {described['b']:g}"


def rarer_and_rarer(levels: Iterable[str]) -> list[Level]:
    """Sort levels from the least rare to the rarest positives."""
    return sorted(map(Level.parse, levels), key=lambda level: level.negatives(1.0))
