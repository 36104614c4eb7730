"""What Tharwat's part of a configuration must satisfy beyond single keys: nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any


def faults(config: Mapping[str, Any]) -> Iterator[str]:
    """What is wrong with this study's part of a configuration beyond single keys."""
    yield from ()
