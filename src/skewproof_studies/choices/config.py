"""This study's part of a configuration and its checks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from skewproof.core.levels import Level
from skewproof_studies.settings.faults import fault, value_at
from skewproof_studies.settings.measures import measure_faults


def faults(config: Mapping[str, Any]) -> Iterator[str]:
    """Return the faults of this study's part of a configuration that involve several keys."""
    yield from measure_faults("choices.measures", value_at(config, "choices.measures"))
    curves = value_at(config, "choices.curves")
    if isinstance(curves, Mapping) and not curves:
        yield fault("choices.curves", curves, "at least one curve")


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
