"""Faults of a configuration, each with the key, the value and what is expected."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

import yaml

from skewproof.core.levels import Level
from skewproof.core.messages import shortened, shown

MOST_VALUES = 10_000
"""Largest number of values in a configuration, lists and mappings included."""

DEEPEST = 10
"""Largest number of nested lists and mappings."""

LONGEST_KEY = 100
"""Largest number of characters of a key."""

LONGEST_TEXT = 10_000
"""Largest number of characters of a text value."""

MOST_TEXT = 200_000
"""Largest number of characters of all text values."""

UNPRINTABLE = yaml.reader.Reader.NON_PRINTABLE
"""Characters that YAML allows only as an escape in quotes: control characters but tabs and line
breaks, and halves of surrogate pairs. No file in UTF-8 has the latter."""

UNPRINTABLE_EXPECTED = "text without control characters and lone surrogates"

LARGEST_BITS = 1000
"""Largest number of bits of an integer; Python does not even print more than 4300 digits."""


def fault(key: str, value: object, expected: str) -> str:
    """Describe a fault."""
    try:
        text = shortened(json.dumps(value, ensure_ascii=False, default=str))
    except (TypeError, ValueError):
        text = shown(value)
    return f"{shortened(key)} = {text}: expected {expected}"


def value_at(config: Mapping[str, Any], key: str) -> Any:
    """Return the value at a dotted key, or None."""
    value: Any = config
    for part in key.split("."):
        value = value.get(part) if isinstance(value, Mapping) else None
    return value


def shape_faults(config: object) -> Iterator[str]:
    """Yield the faults of a configuration's shape: its size and depth, keys that are not text, huge
    numbers.

    A value that several places share counts at each of them, and one that contains itself is too
    deep.
    """
    if not isinstance(config, Mapping):
        yield fault("configuration", config, "a mapping of keys to values")
        return
    left, text_left = MOST_VALUES, MOST_TEXT
    places: list[tuple[str, Any, int]] = [("", config, 0)]
    while places:
        name, value, depth = places.pop()
        if isinstance(value, int) and value.bit_length() > LARGEST_BITS:
            yield f"{shortened(name)}: a number with hundreds of digits; expected fewer"
        children = _children(name, value)
        left -= 1 + len(children)
        text_left -= len(value) if isinstance(value, str) else 0
        if left < 0 or text_left < 0:
            yield f"configuration: more than {MOST_VALUES} values or {MOST_TEXT} characters in them"
            return
        if isinstance(value, str) and len(value) > LONGEST_TEXT:
            yield fault(name, value, f"text of at most {LONGEST_TEXT} characters")
        elif isinstance(value, str) and UNPRINTABLE.search(value):
            yield fault(name, value, UNPRINTABLE_EXPECTED)
        if children and depth == DEEPEST:
            yield f"{shortened(name)}: expected at most {DEEPEST} nested lists or mappings"
            return
        if isinstance(value, Mapping):
            prefix = f"{shortened(name)}: " if name else ""
            for key in value:
                if not isinstance(key, str) or len(key) > LONGEST_KEY:
                    expected = f"text of at most {LONGEST_KEY} characters, quoted if needed"
                    yield f"{prefix}key {shown(key)}: expected {expected}"
                elif UNPRINTABLE.search(key):
                    yield f"{prefix}key {shown(key)}: expected {UNPRINTABLE_EXPECTED}"
        places += [(key, child, depth + 1) for key, child in reversed(children)]


def _children(name: str, value: object) -> list[tuple[str, Any]]:
    if isinstance(value, Mapping):
        prefix = f"{name}." if name else ""
        return [(f"{prefix}{key}", child) for key, child in value.items() if isinstance(key, str)]
    if isinstance(value, list):
        return [(f"{name}[{index}]", child) for index, child in enumerate(value[: MOST_VALUES + 1])]
    return []


def repetitions(key: str, values: object) -> Iterator[str]:
    """Yield the faults of a list's texts and numbers that occur before in the list."""
    if not isinstance(values, list):
        return
    first: dict[object, int] = {}
    for index, value in enumerate(values):
        if isinstance(value, str | int | float) and first.setdefault(value, index) < index:
            expected = f"each entry only once; {key}[{first[value]}] is the same"
            yield fault(f"{key}[{index}]", value, expected)


def level_fault(key: str, level: object) -> str | None:
    """Return the fault of a value that should be a level, if any."""
    try:
        Level.parse(level)
    except ValueError as error:
        return f"{key} = {error}"
    return None


def level_list_faults(key: str, levels: object) -> Iterator[str]:
    """Yield the faults of a list of levels: entries that are not levels, and repeated ones."""
    for index, level in enumerate(levels if isinstance(levels, list) else []):
        found = level_fault(f"{key}[{index}]", level)
        if found:
            yield found
    yield from repetitions(key, levels)
