"""Files of predictions as a relation of DuckDB, in bounded memory.

CSV, Parquet and JSON files on this machine are read. No type is guessed: fields of CSV and JSON
files stay text, so that the versions 1.1 and 1.10, or two ids of twenty digits, stay apart.
"""

from __future__ import annotations

import contextlib
import csv
import glob
import gzip
import os
import re
import tempfile
import zlib
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING

from skewproof.core.extras import extra
from skewproof.core.messages import shortened, shown
from skewproof.practice.slices.label_texts import MISSING

if TYPE_CHECKING:
    import duckdb

MEMORY_LIMIT = "512MiB"
"""Memory that DuckDB may use before it writes to temporary files."""

KINDS = {
    ".csv": "csv",
    ".tsv": "csv",
    ".parquet": "parquet",
    ".json": "json",
    ".jsonl": "json",
    ".ndjson": "json",
}
"""Kinds of files by their suffix; text files may be compressed, with .gz after the suffix."""

SUFFIXES = "CSV (.csv, .tsv), Parquet (.parquet) or JSON (.json, .jsonl, .ndjson)"

DELIMITERS = ",;\t|"

QUOTE = "'\"'"
"""Quotation mark of CSV fields, as text in a query."""

ADVICE = ("*", "Possible", "Potential", "Candidate", "If you", "Original Line")
"""Starts of lines in DuckDB's messages that do not help here, or may be long."""

LONGEST_PATH = 250
"""Most characters of a path in a message; its end, the name of the file, is kept."""

SUGGESTIONS = re.compile(r"\n+(?:Possible|LINE )")
"""Start of the part of a message that concerns DuckDB's options, or its query."""

LONGEST_HEADER = 1_000_000
"""Most characters of a header that are read."""

SAMPLED = 1_000_000
"""Number of objects of a JSON file that determine its columns."""

AMOUNT = re.compile(r"[0-9]+(\.[0-9]+)? ?[KMGT]i?B")

NO_NUMBER = re.compile(
    r"Could not convert string '(?P<text>.*)' to DOUBLE"
    r" when casting from source column (?P<column>.*)",
    re.DOTALL,
)

REMOTE = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]+://")


@contextlib.contextmanager
def read_predictions(
    paths: str | PathLike[str] | Iterable[str | PathLike[str]],
    *,
    labels: Collection[str] = (),
    numbers: Collection[str] = (),
    memory_limit: str = MEMORY_LIMIT,
) -> Iterator[duckdb.DuckDBPyRelation]:
    """Open files of predictions as one relation, which reads them when it is evaluated.

    Parameters
    ----------
    paths
        Files, or globs such as ``"predictions/*.parquet"``; all of one kind, by their suffix: CSV
        with a header, Parquet, or JSON, an array of objects or one object a line. Every file has
        the columns of the first; CSV files also have them in its order.
    labels, numbers
        Columns of CSV and JSON files in which NA, N/A, NaN, nan, null, NULL, None and <NA> are
        missing values; those of `numbers` are read as floats. In other columns these words are
        text, such as the country code NA.
    memory_limit
        Memory that DuckDB may use, such as "512MiB"; the rest is written to temporary files, which
        are removed.

    Yields
    ------
    Relation of DuckDB, whose connection is closed at the end. Columns of Parquet files have the
    types of the file. Those of CSV and JSON files are text: the fields as they are written, and
    JSON's numbers and truth values as JSON writes them. An empty field of a CSV file is missing, as
    is null.

    Raises
    ------
    FileNotFoundError
        If there is no such file, or a glob matches none.
    ValueError
        If a path is remote, if files are of different or unknown kinds, without rows, or broken, or
        if a field of `numbers` is not a number; the last two also in the block, when the relation
        is evaluated.
    MissingExtraError
        If DuckDB is not installed.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from skewproof import count_slices
    >>> from skewproof.practice.slices.files import read_predictions
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "predictions.csv")
    ...     _ = path.write_text("y,p\\n1,1\\n0,1\\n0,\\n")
    ...     with read_predictions(path, labels=["y", "p"]) as rows:
    ...         counts = count_slices(rows, y_true="y", y_pred="p", pos_label="1")
    >>> print(counts)
       tp  fp  fn  tn  missing
    0   1   1   0   0        1
    """
    with extra("read_predictions"):
        import duckdb

    files = _found(paths)
    source = _source(files)
    name = _named(files)
    with tempfile.TemporaryDirectory() as spilled, _connection(memory_limit, spilled) as connection:
        try:
            relation = _read(connection.sql(source), _kind(files[0]), labels, numbers)
            if not relation.select("1").limit(1).fetchall():
                raise ValueError(f"{name} has no rows: expected predictions")
            yield relation
        except duckdb.Error as error:
            reason = _reason(error)
            no_number = NO_NUMBER.fullmatch(reason)
            if no_number:
                column, text = (shown(no_number[part]) for part in ("column", "text"))
                wanted = "a number, with a decimal point" if "," in text else "a number"
                raise ValueError(f"{name}, column {column} has {text}: expected {wanted}") from None
            raise ValueError(f"{name} can't be read: {reason}") from None


def _connection(memory_limit: str, folder: str) -> duckdb.DuckDBPyConnection:
    """Open a connection that respects its memory limit and downloads nothing."""
    import duckdb

    if not AMOUNT.fullmatch(str(memory_limit)):
        raise ValueError(
            f"memory_limit = {shown(memory_limit)}: expected an amount such as '512MiB'"
        )
    return duckdb.connect(
        config={
            "memory_limit": memory_limit,
            "temp_directory": folder,
            "preserve_insertion_order": False,
            "autoinstall_known_extensions": False,
            "autoload_known_extensions": False,
        }
    )


def _found(paths: str | PathLike[str] | Iterable[str | PathLike[str]]) -> list[str]:
    """List the files that paths and globs name, each once."""
    given = [paths] if isinstance(paths, str | PathLike) else list(paths)
    if not given:
        raise ValueError("paths is empty: expected files of predictions")
    files: dict[str, str] = {}
    for path in [fspath(one) for one in given]:
        if REMOTE.match(path):
            raise ValueError(f"{shown(path)} is remote: expected a file on this machine")
        matches = [path] if os.path.isfile(path) else sorted(glob.glob(path, recursive=True))
        matches = [match for match in matches if os.path.isfile(match)]
        if not matches:
            raise FileNotFoundError(
                f"{shown(path)} is not a file: expected a file, or a glob that matches some"
            )
        files |= {os.path.abspath(match): match for match in matches}
    return list(files.values())


def _kind(file: str) -> str:
    name = file.lower()
    plain = name.removesuffix(".gz")
    kind = KINDS.get(Path(plain).suffix)
    if kind is None or (kind == "parquet" and name != plain):
        raise ValueError(f"{shown(file)} is of an unknown kind: expected {SUFFIXES}")
    return kind


def _source(files: Sequence[str]) -> str:
    """Write files as a query."""
    kinds = list(dict.fromkeys(map(_kind, files)))
    if len(kinds) > 1:
        raise ValueError(f"files are of the kinds {' and '.join(kinds)}: expected one kind")
    names = ", ".join(_quoted(glob.escape(file)) for file in files)
    options = {"csv": _csv_options, "json": _json_options, "parquet": _no_options}[kinds[0]](files)
    fields = "COLUMNS(*)->>'$'" if kinds == ["json"] else "*"
    return f"SELECT {fields} FROM read_{kinds[0]}([{names}]{options})"


def _read(
    relation: duckdb.DuckDBPyRelation, kind: str, labels: Collection[str], numbers: Collection[str]
) -> duckdb.DuckDBPyRelation:
    """Return the relation with missing labels as null, and with numbers, if its fields are text."""
    there = set(relation.columns) if kind != "parquet" else set()
    read = {column: _unless_missing(column, "VARCHAR") for column in labels if column in there}
    read |= {column: _unless_missing(column, "DOUBLE") for column in numbers if column in there}
    if not read:
        return relation
    return relation.select(f"* REPLACE ({', '.join(read.values())})")


def _unless_missing(column: str, kind: str) -> str:
    name = '"' + column.replace('"', '""') + '"'
    missing = ", ".join(map(_quoted, MISSING))
    return f"CASE WHEN {name} NOT IN ({missing}) THEN CAST({name} AS {kind}) END AS {name}"


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _no_options(_files: Sequence[str]) -> str:
    return ""


def _json_options(_files: Sequence[str]) -> str:
    """Return options by which fields stay JSON, without guessed types."""
    return f", maximum_depth=1, sample_size={SAMPLED}"


def _csv_options(files: Sequence[str]) -> str:
    """Return options with the delimiter guessed from the first header, and nothing else guessed."""
    header = _first_line(files[0])
    delimiter = most_frequent_delimiter(header)
    columns = _columns(header, delimiter)
    if not columns:
        raise ValueError(f"{_named(files[:1])} has nothing in its first line: expected a header")
    twice = first_of_two(columns)
    if twice is not None:
        raise ValueError(f"{_named(files[:1])} has two columns {shown(twice)}: expected one")
    for file in files[1:]:
        if _columns(_first_line(file), delimiter) != columns:
            raise ValueError(
                f"{_named([file])} has other columns than {_named(files[:1])}: expected the same,"
                " in the same order"
            )
    return (
        f", header=true, delim={_quoted(delimiter)}, quote={QUOTE}, escape={QUOTE}"
        f", comment='', skip=0, auto_detect=false, columns={{{_text_columns(columns)}}}"
    )


def most_frequent_delimiter(header: str) -> str:
    """Return the character that most likely separates the columns of a header.

    Examples
    --------
    >>> most_frequent_delimiter("y_true;score, raw;p")
    ';'
    """
    return max(DELIMITERS, key=header.count)


def _text_columns(columns: Sequence[str]) -> str:
    """Name the columns, which DuckDB would guess with too much memory if there are thousands."""
    names = (column or f"column{place}" for place, column in enumerate(columns))
    return ", ".join(f"{_quoted(name)}: 'VARCHAR'" for name in names)


def first_of_two(columns: Sequence[str]) -> str | None:
    """Return the first column name that occurs twice, ignoring case; None if all differ.

    Examples
    --------
    >>> first_of_two(["y", "p", "Y"])
    'y'
    """
    numbers = Counter(column.casefold() for column in columns)
    return next((column for column in columns if numbers[column.casefold()] > 1), None)


def _columns(header: str, delimiter: str) -> list[str]:
    return next(csv.reader([header], delimiter=delimiter), [])


def _first_line(file: str) -> str:
    opened = gzip.open if file.lower().endswith(".gz") else open
    try:
        with opened(file, "rt", encoding="utf-8-sig", errors="replace") as lines:
            return str(lines.readline(LONGEST_HEADER))
    except (EOFError, zlib.error, gzip.BadGzipFile):
        raise ValueError(f"{_named([file])} can't be read: expected a gzip file") from None


def _named(files: Sequence[str]) -> str:
    """Name files in a message."""
    name = shortened(files[0], LONGEST_PATH)
    return name if len(files) == 1 else f"{name} (or another of {len(files)} files)"


def _reason(error: Exception) -> str:
    """Return DuckDB's message without the kind of error and without advice on DuckDB's options."""
    said = str(error).partition("Error: ")[2] or str(error)
    lines = SUGGESTIONS.split(said)[0].splitlines()
    reason = ", ".join(line.strip(" .") for line in lines if line and not line.startswith(ADVICE))
    return shortened(reason, 400)
