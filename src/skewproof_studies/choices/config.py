"""What this study takes from a configuration, and what it must satisfy."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from skewproof.core.levels import Level
from skewproof_studies.settings.faults import fault, value_at
from skewproof_studies.settings.measures import measure_faults


def faults(config: Mapping[str, Any]) -> Iterator[str]:
    """What is wrong with this study's part of a configuration beyond single keys."""
    yield from measure_faults("choices.measures", value_at(config, "choices.measures"))
    curves = value_at(config, "choices.curves")
    if isinstance(curves, Mapping) and not curves:
        yield fault("choices.curves", curves, "at least one curve")


def curve_label(described: Mapping[str, float]) -> str:
    """A curve's parameters for the eye.

    Examples
    --------
    >>> curve_label({"d": 2, "b": 0.7})
    'd = 2, b = 0.7'
    """
    return f"d = {described['d']:g}, b = {described['b']:g}"


def rarer_and_rarer(levels: Iterable[str]) -> list[Level]:
    """Levels in the order in which positives become rare."""
    return sorted(map(Level.parse, levels), key=lambda level: level.negatives(1.0))
