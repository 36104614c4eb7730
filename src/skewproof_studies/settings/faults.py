"""Faults of a configuration, each with the key, the value and what is expected."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from skewproof.core.messages import shortened


def fault(key: str, value: object, expected: str) -> str:
    """Describe a fault: the key, the value as JSON, and what is expected.

    Examples
    --------
    >>> fault("seed", None, "a whole number")
    'seed = null: expected a whole number'
    """
    text = json.dumps(value, ensure_ascii=False, skipkeys=True, default=repr)
    return f"{shortened(key)} = {shortened(text)}: expected {expected}"


def value_at(config: Mapping[str, Any], key: str) -> Any:
    """Return the value at a dotted key, or None."""
    value: Any = config
    for part in key.split("."):
        value = value.get(part) if isinstance(value, Mapping) else None
    return value
