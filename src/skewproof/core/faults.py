"""Faults of a configuration, each with the key, the value and what is expected."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from skewproof.core.levels import Level


def fault(key: str, value: object, expected: str) -> str:
    """One fault in words."""
    return f"{key} = {json.dumps(value, ensure_ascii=False, default=str)}: expected {expected}"


def value_at(config: Mapping[str, Any], key: str) -> Any:
    """The value at a dotted key, or None."""
    value: Any = config
    for part in key.split("."):
        value = value.get(part) if isinstance(value, Mapping) else None
    return value


def repetitions(key: str, values: object) -> Iterator[str]:
    """Faults of a list's entries that stand in it before."""
    if not isinstance(values, list):
        return
    for index, value in enumerate(values):
        if value in values[:index]:
            first = values.index(value)
            yield fault(f"{key}[{index}]", value, f"an entry only once; {key}[{first}] has it")


def level_list_faults(key: str, levels: object) -> Iterator[str]:
    """Faults of a list of levels: entries that are none, and those that stand in it before."""
    for index, level in enumerate(levels if isinstance(levels, list) else []):
        try:
            Level.parse(level)
        except ValueError as error:
            yield f"{key}[{index}] = {error}"
    yield from repetitions(key, levels)
