"""Checks of the part of a configuration for Tharwat's article."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from skewproof.core.levels import Level
from skewproof_studies.settings.faults import fault

MOST_NEGATIVES = 10**8
"""Largest number of negatives of a sample, which is held in memory."""


def faults(config: Mapping[str, Any]) -> Iterator[str]:
    """Yield the faults that involve several keys of a configuration that fits its schema."""
    positives = config["positives"]
    for index, level in enumerate(config["levels"]):
        negatives = round(Level.parse(level).negatives(positives))
        if not 1 <= negatives <= MOST_NEGATIVES:
            sizes = f"negatives for positives = {positives}, here {negatives}"
            yield fault(f"levels[{index}]", level, f"1 to {MOST_NEGATIVES} {sizes}")
