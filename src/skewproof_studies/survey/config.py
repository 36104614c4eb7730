"""Checks of the part of a configuration for the survey."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from skewproof_studies.settings.faults import fault, value_at


def faults(config: Mapping[str, Any]) -> Iterator[str]:
    """Return the faults of this study's part of a configuration that involve several keys."""
    k, items = (value_at(config, f"survey.{key}") for key in ("k", "items"))
    if isinstance(k, int) and isinstance(items, int) and k > items:
        yield fault("survey.k", k, f"at most survey.items = {items}")
