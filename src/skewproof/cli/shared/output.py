"""Results of commands, printed or written to files."""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import click

from skewproof.core.extras import extra, matplotlib
from skewproof.core.messages import shown
from skewproof.reporting.style import STYLE

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FORMATS = (".csv", ".parquet", ".json")
"""Suffixes of the files that --output writes."""


class Readable(Protocol):
    """A result that can be written as text."""

    def to_text(self, *, color: bool, width: int) -> str: ...  # noqa: D102


class Result(NamedTuple):
    """The result of a command, in the forms in which it is printed and written."""

    text: Readable | str
    data: Any
    """Value that --json prints."""
    table: Any
    """Rows that --output writes as CSV or Parquet, as a data frame or dictionaries; None if the
    command writes its file itself."""
    exit_code: int = 0
    figure: Callable[[], Figure] | None = None
    """Function that draws what --figure saves."""


def check_figure(path: Path | None) -> None:
    """Refuse a figure that can't be saved, before files are read.

    Raises
    ------
    ValueError
        If Matplotlib writes no format with its suffix, or its folder does not exist.
    MissingExtraError
        If a figure is requested and Matplotlib is not installed.
    """
    if path is None:
        return
    with extra("a figure"):
        from matplotlib.backend_bases import FigureCanvasBase

    formats = sorted(FigureCanvasBase.get_supported_filetypes())
    if path.suffix.lower().removeprefix(".") not in formats:
        raise ValueError(f"--figure {shown(str(path))}: expected a suffix of {', '.join(formats)}")
    if not path.parent.is_dir():
        raise ValueError(f"--figure {shown(str(path))}: expected a folder that exists")


def print_result(result: Result, options: Mapping[str, Any]) -> None:
    """Write the files of --figure and --output, and print a result as the options ask.

    Raises
    ------
    ValueError
        If the encoding of standard output lacks a character; the message says what to do.
    OSError
        If something can't be written, for example to a full disk.
    """
    if result.figure is not None and options.get("figure"):
        with matplotlib.rc_context(STYLE), written_whole(options["figure"]) as partial:
            result.figure().savefig(partial)
    if options["output"] is not None and result.table is not None:
        write_result(result, options["output"])
    if options["json"]:
        text = as_json(result.data)
    elif isinstance(result.text, str):
        text = result.text
    else:
        text = result.text.to_text(color=colored(), width=width())
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


def width() -> int:
    """Return the columns of the terminal, which COLUMNS overrides; 80 without a terminal."""
    if sys.stdout.isatty() or os.environ.get("COLUMNS"):
        return shutil.get_terminal_size().columns
    return 80


class TableFile(click.ParamType[Path]):
    """A file that --output can write."""

    name = "file"
    formats: tuple[str, ...] = FORMATS

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        """Return the path, and refuse it before work if it cannot be written."""
        path = Path(value)
        if path.suffix.lower() not in self.formats:
            expected = f"expected a suffix of {', '.join(self.formats)}"
            self.fail(f"{shown(value)}: {expected}", param, ctx)
        if not path.parent.is_dir():
            self.fail(f"{shown(value)}: expected a folder that exists", param, ctx)
        if path.suffix.lower() == ".parquet":
            with extra("--output of Parquet"):
                importlib.import_module("pyarrow")
        return path


@contextlib.contextmanager
def written_whole(path: Path) -> Iterator[Path]:
    """Yield a path beside a file, which replaces the file unless the block fails."""
    partial = path.with_name(f".{os.getpid()}.{path.name}")
    try:
        yield partial
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)


def write_result(result: Result, path: Path) -> None:
    """Write the table of a result, or all of it as JSON, to a file."""
    with written_whole(path) as partial:
        if path.suffix.lower() == ".json":
            partial.write_text(as_json(result.data), encoding="utf-8")
            return
        import pandas as pd  # takes longer than many commands

        table = pd.DataFrame(result.table)
        for name in filter(lambda name: pd.api.types.is_object_dtype(table[name]), table):
            table[name] = table[name].map(_single, na_action="ignore")
        if path.suffix.lower() == ".csv":
            table.to_csv(partial, index=False)
        else:
            table.to_parquet(partial, index=False)


def _single(value: Any) -> Any:
    """Return a value that fits in a cell: a list or dictionary becomes JSON."""
    return json.dumps(value) if isinstance(value, list | dict) else value


def as_json(value: Any) -> str:
    """Write a value as JSON."""
    return json.dumps(value, indent=2) + "\n"
