"""Files of predictions as a relation of DuckDB, in bounded memory, and labels given as text.

What is read is CSV, Parquet and JSON, on this machine. Text is read as numbers or stays what it is:
a label that somebody writes on a command line is found among either, see :func:`label_like`.
"""

from __future__ import annotations

import contextlib
import csv
import datetime
import glob
import gzip
import os
import re
import tempfile
import zlib
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal, InvalidOperation
from itertools import takewhile
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from skewproof.core.extras import extra
from skewproof.core.messages import printable, shortened, shown

if TYPE_CHECKING:
    import duckdb

MEMORY_LIMIT = "512MiB"
"""What DuckDB may hold before it writes to temporary files."""

KINDS = {
    ".csv": "csv",
    ".tsv": "csv",
    ".parquet": "parquet",
    ".json": "json",
    ".jsonl": "json",
    ".ndjson": "json",
}
"""Kinds of files by their suffix; those of text may be compressed, with .gz behind it."""

SUFFIXES = "CSV (.csv, .tsv), Parquet (.parquet) or JSON (.json, .jsonl, .ndjson)"

MISSING = ("", "NA", "N/A", "NaN", "nan", "null", "NULL", "None", "<NA>")
"""Fields of a CSV file that are no value."""

DELIMITERS = ",;\t|"

QUOTE = "'\"'"
"""Of a field of CSV, as text in a query."""

ADVICE = ("*", "Possible", "Potential", "Candidate", "If you", "Original Line")
"""Starts of lines in what DuckDB says that do not help here, or may be long."""

LONGEST_HEADER = 1_000_000
"""Characters of a header that are looked at."""

SAMPLED = 1_000_000
"""Rows of a file of text that tell which of its columns are numbers."""

AMOUNT = re.compile(r"[0-9]+(\.[0-9]+)? ?[KMGT]i?B")

REMOTE = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]+://")


@contextlib.contextmanager
def read_predictions(
    paths: str | PathLike[str] | Iterable[str | PathLike[str]],
    *,
    memory_limit: str = MEMORY_LIMIT,
) -> Iterator[duckdb.DuckDBPyRelation]:
    """Open files of predictions as one relation, which reads them when it is computed.

    Parameters
    ----------
    paths
        Files, or globs such as ``"predictions/*.parquet"``; all of one kind, by their suffix: CSV
        with a header, Parquet, or JSON, an array of objects or one object a line. Every file has
        the columns of the first; CSV files have them in its order, too.
    memory_limit
        What DuckDB may hold in memory, such as "512MiB"; the rest is written to temporary files,
        which are removed.

    Yields
    ------
    Relation of DuckDB, whose connection is closed at the end. Columns of CSV files are whole
    numbers, numbers or text, by the first million rows; dates stay the text that they are.

    Raises
    ------
    FileNotFoundError
        If there is no such file, or none that a glob matches.
    ValueError
        If a path is remote, or files are of different kinds, of none, without rows, or broken; the
        last of these also in the block, when the relation is computed.
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
    ...     with read_predictions(path) as rows:
    ...         counts = count_slices(rows, y_true="y", y_pred="p")
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
            relation = connection.sql(source)
            if not relation.limit(1).fetchall():
                raise ValueError(f"{name} has no rows: expected predictions")
            yield relation
        except duckdb.Error as error:
            raise ValueError(f"{name} can't be read: {_reason(error)}") from None


def _connection(memory_limit: str, folder: str) -> duckdb.DuckDBPyConnection:
    """One that keeps to its memory and fetches nothing."""
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
    """The files that paths and globs name, each once."""
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
                f"{shown(path)} is no file: expected one, or a glob that matches some"
            )
        files |= {os.path.abspath(match): match for match in matches}
    return list(files.values())


def _kind(file: str) -> str:
    name = file.lower()
    plain = name.removesuffix(".gz")
    kind = KINDS.get(Path(plain).suffix)
    if kind is None or (kind == "parquet" and name != plain):
        raise ValueError(f"{shown(file)} is of no known kind: expected {SUFFIXES}")
    return kind


def _source(files: Sequence[str]) -> str:
    """Files as a query."""
    kinds = list(dict.fromkeys(map(_kind, files)))
    if len(kinds) > 1:
        raise ValueError(f"files are of the kinds {' and '.join(kinds)}: expected one kind")
    names = ", ".join(_quoted(glob.escape(file)) for file in files)
    options = "" if kinds == ["parquet"] else f", sample_size={SAMPLED}"
    if kinds == ["csv"]:
        options += _csv_options(files)
    return f"FROM read_{kinds[0]}([{names}]{options})"


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _csv_options(files: Sequence[str]) -> str:
    """The delimiter that the first header has most of, and nothing else to be guessed but types."""
    header = _first_line(files[0])
    delimiter = max(DELIMITERS, key=header.count)
    columns = _columns(header, delimiter)
    lower = [column.casefold() for column in columns]
    twice = [column for column, name in zip(columns, lower, strict=True) if lower.count(name) > 1]
    if twice:
        raise ValueError(f"{_named(files[:1])} has two columns {shown(twice[0])}: expected one")
    for file in files[1:]:
        if _columns(_first_line(file), delimiter) != columns:
            raise ValueError(
                f"{_named([file])} has other columns than {_named(files[:1])}: expected the same,"
                " in the same order"
            )
    missing = ", ".join(map(_quoted, MISSING))
    return (
        f", header=true, delim={_quoted(delimiter)}, quote={QUOTE}, escape={QUOTE}"
        f", comment='', skip=0, nullstr=[{missing}]"
        ", auto_type_candidates=['BIGINT', 'DOUBLE', 'VARCHAR']"
    )


def _columns(header: str, delimiter: str) -> list[str]:
    return next(csv.reader([header], delimiter=delimiter), [])


def _first_line(file: str) -> str:
    opened = gzip.open if file.lower().endswith(".gz") else open
    try:
        with opened(file, "rt", encoding="utf-8-sig", errors="replace") as lines:
            return str(lines.readline(LONGEST_HEADER))
    except (EOFError, zlib.error, gzip.BadGzipFile):
        raise ValueError(f"{_named([file])} can't be read: expected what gzip wrote") from None


def _named(files: Sequence[str]) -> str:
    """Files in a message."""
    name = shortened(printable(files[0]))
    return name if len(files) == 1 else f"{name} (or another of {len(files)} files)"


def _reason(error: Exception) -> str:
    """What DuckDB says, without its kind of error and its advice, which is on DuckDB's options."""
    if "Error when sniffing file" in str(error):
        return "expected text in UTF-8, with as many fields in every line as in the header"
    said = str(error).partition("Error: ")[2] or str(error)
    lines = takewhile(bool, said.splitlines())
    reason = ", ".join(line.strip(" .") for line in lines if not line.startswith(ADVICE))
    return shortened(reason, 400)


def as_text(value: Any) -> str:
    """A label or key as one would write it: dates in ISO 8601, whole numbers as such.

    Examples
    --------
    >>> import pandas as pd
    >>> as_text(3.0), as_text(pd.Timestamp("2026-05-01")), as_text("2026-05")
    ('3', '2026-05-01', '2026-05')
    """
    if isinstance(value, np.datetime64):
        value = pd.Timestamp(value)
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, datetime.datetime):
        midnight = value.time() == datetime.time() and value.tzinfo is None
        return value.date().isoformat() if midnight else value.isoformat(sep=" ")
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)


def label_like(text: str, labels: Iterable[Any]) -> Any:
    """The label, or key, that a text means: the one that is written so, or the equal number.

    Parameters
    ----------
    text
        As somebody writes it on a command line; true and false are truth values, too.
    labels
        Labels that there are, of any types; missing ones are left out.

    Raises
    ------
    ValueError
        If the text means none of the labels, or several.

    Examples
    --------
    >>> label_like("1", [0.0, 1.0]), label_like("1.0", ["0", "1"]), label_like("true", [True])
    (1.0, '1', True)
    """
    known = list(dict.fromkeys(label for label in labels if not pd.isna(label)))
    found = [label for label in known if text in _spellings(label)]
    number = _number(text)
    if not found and number is not None:
        found = [label for label in known if _number(label) == number]
    if len(found) == 1:
        return found[0]
    listed = shortened(", ".join(map(as_text, known[:20])), 200)
    if found:
        kinds = " and ".join(type(label).__name__ for label in found)
        raise ValueError(f"label {shown(text)} is there as {kinds}: expected labels of one type")
    raise ValueError(f"label {shown(text)}: expected one of {listed}")


def _spellings(label: Any) -> tuple[str, ...]:
    text = as_text(label)
    return (text, text.lower()) if isinstance(label, bool | np.bool_) else (text,)


def _number(value: Any) -> Decimal | None:
    """A number, or what a text says, exactly."""
    try:
        return Decimal(int(value) if isinstance(value, bool | np.bool_) else as_text(value))
    except InvalidOperation:
        return None


def typed_label(text: str, relation: duckdb.DuckDBPyRelation, column: str) -> Any:
    """A label that is given as text, in the type of a relation's column; no row is read.

    Parameters
    ----------
    text
        As somebody writes it on a command line.
    relation, column
        Where the label is looked for. A text that can't be of the column's type stays a text, as it
        does where there is no such column.

    Examples
    --------
    >>> import duckdb
    >>> typed_label("1", duckdb.sql("SELECT 0 AS y"), "y")
    1
    """
    types = dict(zip(relation.columns, map(str, relation.types), strict=True))
    kind = types.get(column, "VARCHAR")
    if kind == "VARCHAR":
        return text
    if kind == "BOOLEAN":
        with contextlib.suppress(ValueError):
            return label_like(text, [False, True])
    for number in (int, float):
        with contextlib.suppress(ValueError):
            return number(text)
    return text
