"""Files of predictions and standard input, for all commands that read predictions."""

from __future__ import annotations

import bz2
import glob
import gzip
import lzma
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from skewproof.cli.shared.command import mark_reading
from skewproof.cli.shared.progress import Read, progress
from skewproof.core.messages import printable, shortened
from skewproof.slices.files import files_of, read_predictions

if TYPE_CHECKING:
    import duckdb

INPUT = "standard input"

UNPACKED: dict[str, Callable[..., IO[bytes]]] = {".bz2": bz2.open, ".xz": lzma.open}
"""Openers of compressed files that the reader does not unpack, by suffix."""

MAGIC: dict[bytes, Callable[..., Any]] = {
    b"\x1f\x8b": gzip.GzipFile,
    b"BZh": bz2.open,
    b"\xfd7zXZ": lzma.open,
}
"""Openers of compressed data by its first bytes."""

SAMPLE = 100_000
"""Number of bytes of a text file from which the number of its rows is estimated."""


@contextmanager
def local_files(paths: Sequence[str]) -> Iterator[list[str]]:
    """Yield paths in which files stand for standard input and for files to unpack.

    Raises
    ------
    ValueError
        If standard input is named twice, or compressed data is broken.
    """
    if list(paths).count("-") > 1:
        raise ValueError("FILE = '-': expected standard input once")
    mark_reading()
    with tempfile.TemporaryDirectory(prefix="skewproof") as folder:
        try:
            yield [
                file
                for number, path in enumerate(paths)
                for file in _local(path, Path(folder, str(number)))
            ]
        except (ValueError, OSError) as error:
            if folder not in str(error):
                raise
            said = re.sub(rf"{re.escape(folder)}/([0-9]+/)*", "", str(error))
            raise type(error)(said) from None


def _local(path: str, folder: Path) -> list[str]:
    """List the files that a path names, unpacked in the folder where that is needed."""
    if path == "-":
        folder.mkdir()
        return [_from_standard_input(folder)]
    opener = UNPACKED.get(Path(path.lower()).suffix)
    matches = [path] if os.path.isfile(path) else sorted(glob.glob(path, recursive=True))
    if opener is None or not matches:
        return [path]
    files = []
    for number, match in enumerate(matches):
        target = folder / str(number) / Path(match).stem
        target.parent.mkdir(parents=True)
        with opener(match, "rb") as content:
            _copy(content, target, match)
        files.append(str(target))
    return files


def _from_standard_input(folder: Path) -> str:
    """Copy standard input to a file with the suffix of its kind."""
    raw = folder / INPUT
    with raw.open("wb") as file:
        shutil.copyfileobj(sys.stdin.buffer, file)
    with raw.open("rb") as file:
        first = file.read(8)
    opener = next((opener for sign, opener in MAGIC.items() if first.startswith(sign)), None)
    if opener is not None:
        with opener(raw, "rb") as content:
            _copy(content, folder / f"{INPUT} unpacked", INPUT)
        raw = folder / f"{INPUT} unpacked"
    with raw.open("rb") as file:
        first = file.read(1000).lstrip()
    suffix = ".json" if first[:1] in (b"[", b"{") else ".csv"
    target = folder / f"{INPUT}{'.parquet' if first.startswith(b'PAR1') else suffix}"
    return str(raw.rename(target))


def _copy(content: IO[bytes], target: Path, name: str) -> None:
    try:
        with target.open("wb") as file:
            shutil.copyfileobj(content, file)
    except (EOFError, lzma.LZMAError, OSError) as error:
        if isinstance(error, OSError) and error.errno is not None:
            raise
        raise ValueError(f"{shortened(name)} can't be unpacked: expected a whole file") from None


@contextmanager
def opened(
    paths: Sequence[str],
    *,
    labels: Collection[str] = (),
    numbers: Collection[str] = (),
    doing: str = "",
) -> Iterator[duckdb.DuckDBPyRelation]:
    """Open files as :func:`skewproof.slices.files.read_predictions` does, and standard input.

    Parameters
    ----------
    paths, labels, numbers
        Files, and columns of labels and of numbers.
    doing
        The text of a progress bar. Without it, no bar is shown.
    """
    connections: list[duckdb.DuckDBPyConnection] = []
    with ExitStack() as stack:
        files = stack.enter_context(local_files(paths))
        rows = read_predictions(files, labels=labels, numbers=numbers, opened=connections.append)
        relation = stack.enter_context(rows)
        if doing and sys.stderr.isatty():  # in a notebook DuckDB's own progress needs ipywidgets
            stack.enter_context(progress(doing, _progress_of(connections[0], files)))
        yield relation


def _progress_of(connection: duckdb.DuckDBPyConnection, files: Sequence[str]) -> Callable[[], Read]:
    """Return a function that asks for the progress of a query, and estimates the rows read."""
    connection.execute("SET enable_progress_bar = true; SET enable_progress_bar_print = false")
    number = _number_of_rows(connection, *files_of(files))

    def read() -> Read:
        percent = connection.query_progress()
        if percent < 0:
            return Read(None, None)
        return Read(percent, None if number is None else round(number * percent / 100))

    return read


def _number_of_rows(
    connection: duckdb.DuckDBPyConnection, files: Sequence[str], kind: str
) -> int | None:
    """Estimate the number of rows of files; None for compressed ones and for one long line."""
    if kind == "parquet":
        query = "SELECT sum(num_rows) FROM parquet_file_metadata(?)"
        (row,) = connection.execute(query, [list(map(glob.escape, files))]).fetchall()
        return int(row[0])
    number = 0.0
    for file in files:
        with open(file, "rb") as lines:
            first = lines.read(SAMPLE)
        if first.startswith(b"\x1f\x8b") or b"\n" not in first:
            return None
        number += os.path.getsize(file) * first.count(b"\n") / max(len(first), 1)
    return round(number)


def named(paths: Sequence[str]) -> str:
    """Name the files in a message or a title."""
    name = INPUT if paths[0] == "-" else shortened(printable(paths[0]), 200)
    return name if len(paths) == 1 else f"{name} and others"


def titled(paths: Sequence[str]) -> str:
    """Name the files without their folders, in a title."""
    return named([Path(path).name for path in paths])
