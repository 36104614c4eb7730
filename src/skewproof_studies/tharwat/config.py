"""Checks of the part of a configuration for Tharwat's article."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from skewproof.core.arguments import is_whole
from skewproof.core.levels import Level
from skewproof_studies.settings.faults import fault, level_fault

MOST_NEGATIVES = 10**8
"""Largest number of negatives of a sample, which is held in memory."""


def faults(config: Mapping[str, Any]) -> Iterator[str]:
    """Return the faults of this study's part of a configuration that involve several keys."""
    positives, levels = config.get("positives"), config.get("levels")
    if not is_whole(positives, least=1) or not isinstance(levels, list):
        return  # reported by the schema
    sizes = f"negatives for positives = {positives}"
    for index, level in enumerate(levels):
        key = f"levels[{index}]"
        if level_fault(key, level) is None:
            negatives = round(Level.parse(level).negatives(positives))
            if not 1 <= negatives <= MOST_NEGATIVES:
                yield fault(key, level, f"1 to {MOST_NEGATIVES} {sizes}, here {negatives}")
