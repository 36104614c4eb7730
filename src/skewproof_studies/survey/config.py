"""Checks of the part of a configuration for the survey."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from skewproof_studies.settings.faults import fault


def faults(config: Mapping[str, Any]) -> Iterator[str]:
    """Yield the faults that involve several keys of a configuration that fits its schema."""
    k, items = config["survey"]["k"], config["survey"]["items"]
    if k > items:
        yield fault("survey.k", k, f"at most survey.items = {items}")
