"""What commands give out, and how it is printed."""

from __future__ import annotations

import argparse
import json
import math
import os
import sys
from typing import Any, NamedTuple, Protocol, TypeAlias

Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"


class Output(NamedTuple):
    """What a command prints, and how it ends."""

    text: str
    exit_code: int = 0


def print_text(text: str) -> None:
    """Print to standard output.

    Raises
    ------
    ValueError
        If its encoding does not have a sign; the message says what to do.
    OSError
        If it can't be written, as to a full disk.
    """
    try:
        print(text, end="", flush=True)
    except UnicodeEncodeError as error:
        sign = text[error.start].encode("unicode_escape").decode()
        raise ValueError(
            f"standard output, in {error.encoding}, can't show {sign}:"
            " set PYTHONIOENCODING=utf-8, or take --json"
        ) from None


def colored() -> bool:
    """Whether titles are in bold: on a terminal, unless the variable NO_COLOR has a value."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR")


class Shown(Protocol):
    """What has a form for machines, for pages and for a terminal."""

    def to_dict(self) -> dict[str, Any]: ...  # noqa: D102

    def to_markdown(self) -> str: ...  # noqa: D102

    def to_text(self, *, color: bool) -> str: ...  # noqa: D102


def shown(result: Shown, options: argparse.Namespace) -> str:
    """A result in the form that the options ask for."""
    if options.json:
        return as_json(result.to_dict())
    return result.to_markdown() if options.markdown else result.to_text(color=colored())


def as_json(value: Any) -> str:
    """A value as JSON."""
    return json.dumps(value, indent=2) + "\n"


def json_number(value: Any) -> Any:
    """A value as JSON has it: with null for NaN, and infinities as text."""
    if not isinstance(value, float) or math.isfinite(value):
        return value
    return None if math.isnan(value) else str(value)
