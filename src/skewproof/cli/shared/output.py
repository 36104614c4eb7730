"""Output of commands."""

from __future__ import annotations

import argparse
import json
import math
import os
import sys
from typing import Any, NamedTuple, Protocol


class Output(NamedTuple):
    """The printed text and the exit code of a command."""

    text: str
    exit_code: int = 0


def print_text(text: str) -> None:
    """Print to standard output.

    Raises
    ------
    ValueError
        If its encoding lacks a character; the message says what to do.
    OSError
        If it can't be written, for example to a full disk.
    """
    try:
        print(text, end="", flush=True)
    except UnicodeEncodeError as error:
        sign = text[error.start].encode("unicode_escape").decode()
        raise ValueError(
            f"standard output ({error.encoding}) can't show {sign}:"
            " set PYTHONIOENCODING=utf-8 or use --json"
        ) from None


def colored() -> bool:
    """Return whether titles are bold: on a terminal, unless the variable NO_COLOR has a value."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR")


class Shown(Protocol):
    """A result that can be written as JSON, as Markdown and as text."""

    def to_dict(self) -> dict[str, Any]: ...  # noqa: D102

    def to_markdown(self) -> str: ...  # noqa: D102

    def to_text(self, *, color: bool) -> str: ...  # noqa: D102


def shown(result: Shown, options: argparse.Namespace) -> str:
    """Write a result in the format that the options name."""
    if options.json:
        return as_json(result.to_dict())
    return result.to_markdown() if options.markdown else result.to_text(color=colored())


def as_json(value: Any) -> str:
    """Write a value as JSON."""
    return json.dumps(value, indent=2) + "\n"


def json_number(value: Any) -> Any:
    """Convert a value for JSON: NaN becomes null, and an infinity becomes text."""
    if not isinstance(value, float) or math.isfinite(value):
        return value
    return None if math.isnan(value) else str(value)
