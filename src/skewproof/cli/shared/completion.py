"""Completion by the tab key in a shell, through argcomplete."""

from __future__ import annotations

import argparse
from typing import Any

from skewproof.metrics import METRICS


def offer_keys(argument: argparse.Action) -> None:
    """Offer the keys of metrics for an argument."""
    argument.completer = _keys  # type: ignore[attr-defined]


def _keys(**_: Any) -> list[str]:
    return list(METRICS)
