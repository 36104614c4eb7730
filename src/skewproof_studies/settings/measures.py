"""Measures of the atlas that a configuration names: all, or a list of keys."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Literal

from skewproof.core.metric import Metric
from skewproof.core.registry import Registry, nearest
from skewproof_studies.settings.faults import fault, repetitions


def measure_faults(key: str, measures: Any) -> Iterator[str]:
    """Yield the faults of a list of measures: entries that the atlas lacks, and repeated ones."""
    if not isinstance(measures, list):
        return
    # Imported here, since no other study needs these hundreds of declarations.
    from skewproof.metrics.atlas import ATLAS

    for index, measure in enumerate(measures):
        if not isinstance(measure, str) or measure not in ATLAS:
            expected = f"the key of a measure of the atlas{nearest(measure, ATLAS)}"
            yield fault(f"{key}[{index}]", measure, expected)
    yield from repetitions(key, measures)


def chosen_measures(measures: Literal["all"] | Sequence[str]) -> Registry[Metric]:
    """Return all measures, or those of a list of keys, in the order of the atlas."""
    from skewproof.metrics.atlas import ATLAS

    if measures == "all":
        return ATLAS
    return Registry("measure", (ATLAS[key] for key in ATLAS if key in measures))
