"""Completion by the tab key in a shell, through argcomplete."""

from __future__ import annotations

import argparse
import contextlib
import importlib
import os
from typing import Any


def complete(parser: argparse.ArgumentParser) -> None:
    """Complete the line and exit if the shell runs the command for a completion.

    Nothing happens without argcomplete, which has to be installed and registered with the shell.
    """
    if "_ARGCOMPLETE" in os.environ:
        with contextlib.suppress(ModuleNotFoundError):
            importlib.import_module("argcomplete").autocomplete(parser)


def offer_keys(argument: argparse.Action) -> None:
    """Offer the keys of metrics for an argument."""
    argument.completer = _keys  # type: ignore[attr-defined]


def _keys(**_: Any) -> list[str]:
    from skewproof.metrics import METRICS

    return list(METRICS)
