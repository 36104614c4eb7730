"""What the shell offers when one presses the tab key; argcomplete asks for it."""

from __future__ import annotations

import argparse
import contextlib
import importlib
import os
from typing import Any


def complete(parser: argparse.ArgumentParser) -> None:
    """Answer the shell and end, if it is the shell that runs the command.

    Without argcomplete, which registers the command with the shell, it never is.
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
