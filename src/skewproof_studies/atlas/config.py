"""The atlas's part of a configuration and its checks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from skewproof_studies.settings.faults import level_list_faults, value_at
from skewproof_studies.settings.measures import measure_faults


def faults(config: Mapping[str, Any]) -> Iterator[str]:
    """Return the faults of this study's part of a configuration that involve several keys."""
    for key in ("atlas.orderings", "atlas.map", "atlas.label_errors.levels"):
        yield from level_list_faults(key, value_at(config, key))
    yield from measure_faults("atlas.measures", value_at(config, "atlas.measures"))
