"""Measures of the atlas that a configuration names: all, or a list of keys."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from skewproof.core.metric import Metric
from skewproof.core.registry import Registry
from skewproof.metrics.atlas import ATLAS


def chosen_measures(measures: Literal["all"] | Sequence[str]) -> Registry[Metric]:
    """Return all measures, or those of a list of keys, in the order of the atlas."""
    if measures == "all":
        return ATLAS
    return Registry("measure", (ATLAS[key] for key in ATLAS if key in measures))
