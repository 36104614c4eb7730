"""Checks of the part of a configuration for Burduk's article."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from skewproof_studies.settings.faults import fault, value_at


def faults(config: Mapping[str, Any]) -> Iterator[str]:
    """Return the faults of this study's part of a configuration that involve several keys."""
    majority, sizes = (value_at(config, f"burduk.{key}") for key in ("positives", "negatives"))
    for index, size in enumerate(sizes if isinstance(sizes, list) else []):
        if isinstance(size, int) and isinstance(majority, int) and size > majority:
            expected = f"at most burduk.positives = {majority}, the size of the majority class"
            yield fault(f"burduk.negatives[{index}]", size, expected)
