"""What the atlas takes from a configuration, and what it must satisfy."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

from skewproof.core.metric import Metric
from skewproof.core.registry import Registry, nearest
from skewproof_studies.settings.faults import fault, level_list_faults, repetitions, value_at


def faults(config: Mapping[str, Any]) -> Iterator[str]:
    """What is wrong with this study's part of a configuration beyond single keys."""
    for key in ("atlas.orderings", "atlas.map", "atlas.label_errors.levels"):
        yield from level_list_faults(key, value_at(config, key))
    measures = value_at(config, "atlas.measures")
    if isinstance(measures, list):
        yield from _measure_faults(measures)


def _measure_faults(measures: list[Any]) -> Iterator[str]:
    # Hundreds of declarations, which no other study needs.
    from skewproof.metrics.atlas import ATLAS

    for index, key in enumerate(measures):
        if not isinstance(key, str) or key not in ATLAS:
            expected = f"the key of a measure of the atlas{nearest(key, ATLAS)}"
            yield fault(f"atlas.measures[{index}]", key, expected)
    yield from repetitions("atlas.measures", measures)


def chosen_measures(measures: Literal["all"] | Sequence[str]) -> Registry[Metric]:
    """All measures, or those of a list of keys in the order of the atlas."""
    from skewproof.metrics.atlas import ATLAS

    if measures == "all":
        return ATLAS
    return Registry("measure", (ATLAS[key] for key in ATLAS if key in measures))
