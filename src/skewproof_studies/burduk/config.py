"""Checks of the part of a configuration for Burduk's article."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from skewproof_studies.settings.faults import fault


def faults(config: Mapping[str, Any]) -> Iterator[str]:
    """Yield the faults that involve several keys of a configuration that fits its schema."""
    majority = config["burduk"]["positives"]
    for index, size in enumerate(config["burduk"]["negatives"]):
        if size > majority:
            expected = f"at most burduk.positives = {majority}, the size of the majority class"
            yield fault(f"burduk.negatives[{index}]", size, expected)
