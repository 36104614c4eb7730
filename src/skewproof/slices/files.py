"""Files of predictions as a relation of DuckDB, in bounded memory.

CSV, Parquet and JSON files on this machine are read. No type is guessed: fields of CSV and JSON
files stay text, so that the versions 1.1 and 1.10, or two ids of twenty digits, stay apart. Files
may have their columns in different places; nothing depends on the order of the files.
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
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from os import PathLike, fspath
from pathlib import Path
from typing import Any, NamedTuple

from skewproof.core.data.frames import REFUSED
from skewproof.core.data.label_texts import MISSING
from skewproof.core.extras import duckdb, extra
from skewproof.core.messages import shortened, shown

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

LONGEST_PATH, SHORT = 250, 100
"""Most characters of a path in a message, and of one of two; the end, the file's name, is kept."""

SUGGESTIONS = re.compile(r"\n+(?:Possible|LINE )")
"""Start of the part of a message that concerns DuckDB's options, or its query."""

LONGEST_HEADER = 1_000_000
"""Most characters of a header that are read."""

SAMPLED = 1_000_000
"""Number of objects of a JSON file that determine its columns."""

WHOLE = ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT")

MOMENTS = ("DATE", "TIMESTAMP", "TIMESTAMP_S", "TIMESTAMP_MS", "TIMESTAMP_NS")
"""Types of dates and times, of which DuckDB chooses one that holds all."""

TEXT = "VARCHAR"

NUMBERS = "numbers"

NOTHING = '"NULL"'
"""Type of a Parquet column without any value."""

EXPECTED = {
    "state machine": "expected lines that all end alike, and quotation marks in pairs",
    "Invalid unicode": "expected text in UTF-8",
    "invalid UTF-8": "expected text in UTF-8",
}
"""Expectations by a part of DuckDB's message that names none."""

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
    opened: Callable[[duckdb.DuckDBPyConnection], object] | None = None,
) -> Iterator[duckdb.DuckDBPyRelation]:
    """Open files of predictions as one relation, which reads them when it is evaluated.

    Parameters
    ----------
    paths
        Files, or globs such as ``"predictions/*.parquet"``; all of one kind, by their suffix: CSV
        with a header, Parquet, or JSON, an array of objects or one object a line. A file with
        several names is read once. Folders named ``key=value`` add no columns.
    labels, numbers
        Columns in which the texts NA, N/A, NaN, nan, null, NULL, None and <NA> are missing values;
        those of `numbers` are read as floats. In other columns these words are text, such as the
        country code NA.
    memory_limit
        Memory that DuckDB may use, such as "512MiB"; the rest is written to temporary files, which
        are removed.
    opened
        Function that is called with the connection, for example to ask it for the progress of a
        query from another thread.

    Yields
    ------
    Relation of DuckDB, whose connection is closed at the end. Columns of Parquet files have the
    types of the files. If these differ, numbers become floats unless all are whole, and dates and
    times get a type that holds all. Columns of CSV and JSON files are text: the fields as they are
    written, and JSON's numbers and truth values as JSON writes them. An empty field of a CSV file
    is missing, as is null.

    Raises
    ------
    FileNotFoundError
        If there is no such file, or a glob matches none.
    ValueError
        If a path is remote, or if files are of different or unknown kinds, without rows, or broken.
        In the block, when the relation is evaluated, also if a field of `numbers` is not a number,
        or if a column that is used is missing in a file, has types that no common one holds, or has
        lists or objects in a JSON file.
    MissingExtraError
        If DuckDB is not installed.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from skewproof import count_slices
    >>> from skewproof.slices.files import read_predictions
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "predictions.csv")
    ...     _ = path.write_text("y,p\\n1,1\\n0,1\\n0,\\n")
    ...     with read_predictions(path, labels=["y", "p"]) as rows:
    ...         counts = count_slices(rows, y_true="y", y_pred="p", pos_label="1")
    >>> print(counts)
       tp  fp  fn  tn  missing
    0   1   1   0   0        1
    """
    with tempfile.TemporaryDirectory() as spilled, _connection(memory_limit, spilled) as connection:
        files, kind = files_of(paths)
        name = _named(files)
        if opened is not None:
            opened(connection)
        try:
            parts = _parts(connection, kind, files)
            rows = (f"SELECT 1 FROM {part.source} LIMIT 1" for part in parts)
            if not any(connection.sql(query).fetchall() for query in rows):
                raise ValueError(f"{name} has no rows: expected predictions")
            yield _read(connection.sql(_together(parts)), labels, numbers)
        except duckdb.Error as error:
            reason = _reason(error)
            if reason.startswith(REFUSED):
                raise ValueError(reason.removeprefix(REFUSED)) from None
            reason = next((said for part, said in EXPECTED.items() if part in reason), reason)
            no_number = NO_NUMBER.fullmatch(reason)
            if no_number:
                column, text = (shown(no_number[part]) for part in ("column", "text"))
                wanted = "a number, with a decimal point" if "," in text else "a number"
                raise ValueError(f"{name}, column {column} has {text}: expected {wanted}") from None
            raise ValueError(f"{name} can't be read: {reason}") from None


def _connection(memory_limit: str, folder: str) -> duckdb.DuckDBPyConnection:
    """Open a connection that respects its memory limit and downloads nothing."""
    if not AMOUNT.fullmatch(str(memory_limit)):
        raise ValueError(
            f"memory_limit = {shown(memory_limit)}: expected an amount such as '512MiB'"
        )
    with extra("read_predictions"):
        return duckdb.connect(
            config={
                "memory_limit": memory_limit,
                "temp_directory": folder,
                "preserve_insertion_order": False,
                "autoinstall_known_extensions": False,
                "autoload_known_extensions": False,
                "disabled_optimizers": "statistics_propagation",  # Parquet's do not count NaN
            }
        )


def files_of(
    paths: str | PathLike[str] | Iterable[str | PathLike[str]],
) -> tuple[list[str], str]:
    """List the files that paths and globs name, each once even if it has two names, and their kind.

    Raises
    ------
    FileNotFoundError
        If there is no such file, or a glob matches none.
    ValueError
        If a path is remote, or files are of different or unknown kinds.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     for name in ("may.csv", "june.csv"):
    ...         _ = Path(folder, name).write_text("y,p\\n1,1\\n")
    ...     files, kind = files_of([f"{folder}/*.csv", f"{folder}/may.csv"])
    >>> [Path(file).name for file in files], kind
    (['june.csv', 'may.csv'], 'csv')
    """
    given = [paths] if isinstance(paths, str | PathLike) else list(paths)
    if not given:
        raise ValueError("paths is empty: expected files of predictions")
    files: dict[tuple[int, int], str] = {}
    for entry in given:
        path = fspath(entry)
        if REMOTE.match(path):
            raise ValueError(f"{shown(path)} is remote: expected a file on this machine")
        matches = [path] if os.path.isfile(path) else sorted(glob.glob(path, recursive=True))
        matches = [match for match in matches if os.path.isfile(match)]
        if not matches:
            raise FileNotFoundError(
                f"{shown(path)} is not a file: expected a file, or a glob that matches some"
            )
        for match in matches:
            status = os.stat(match)
            files.setdefault((status.st_dev, status.st_ino), match)
    kinds = list(dict.fromkeys(map(_kind, files.values())))
    if len(kinds) > 1:
        raise ValueError(f"files are of the kinds {' and '.join(kinds)}: expected one kind")
    return list(files.values()), kinds[0]


def _kind(file: str) -> str:
    name = file.lower()
    plain = name.removesuffix(".gz")
    kind = KINDS.get(Path(plain).suffix)
    if kind is None or (kind == "parquet" and name != plain):
        raise ValueError(f"{shown(file)} is of an unknown kind: expected {SUFFIXES}")
    return kind


class _Part(NamedTuple):
    """Files with the same columns, which are read together."""

    files: Sequence[str]
    source: str
    """Table of these files in a query."""
    kinds: dict[str, str]
    """Types of the columns by their names, whose case does not matter."""


def _parts(connection: duckdb.DuckDBPyConnection, kind: str, files: Sequence[str]) -> list[_Part]:
    """Put files with the same columns together; no type is guessed."""
    if kind == "json":
        for file in files:
            _first_line(file)
        table = _table(kind, files, f"maximum_depth=1, sample_size={SAMPLED}")
        kinds = _kinds(connection, table)
        if [*kinds] == ["json"]:  # DuckDB's name for values that are no objects
            raise ValueError(f"{_named(files)} has no objects: expected an object for each row")
        return [_Part(files, table, kinds)]
    alike: dict[tuple[Any, ...], list[str]] = {}
    for file in files:
        if kind == "csv":
            options, kinds = _csv_columns(file)
        else:
            options, kinds = (), _kinds(connection, _table(kind, [file]))
        alike.setdefault((options, *kinds.items()), []).append(file)
    return [
        _Part(of_them, _table(kind, of_them, *options), dict(kinds_of_them))
        for (options, *kinds_of_them), of_them in alike.items()
    ]


def _csv_columns(file: str) -> tuple[tuple[str, ...], dict[str, str]]:
    """Return the options to read a CSV file as text, and its columns; nothing else is guessed."""
    delimiter, header = csv_header(file)
    columns = dict.fromkeys(header, TEXT)
    names = ", ".join(f"{_quoted(name)}: '{TEXT}'" for name in columns)
    options = (
        f"header=true, delim={_quoted(delimiter)}, quote={QUOTE}, escape={QUOTE}, comment='',"
        f" skip=0, auto_detect=false, columns={{{names}}}"
    )
    return (options,), columns


def csv_header(file: str) -> tuple[str, list[str]]:
    """Return the delimiter of a CSV file, guessed from its header, and the names of its columns.

    Columns without a name are named by their position, and case does not tell names apart.

    Raises
    ------
    ValueError
        If there is no header, it is broken or not in UTF-8, or a name occurs twice.
    """
    header, name = _first_line(file), _named([file])
    delimiter = most_frequent_delimiter(header)
    try:
        names = next(csv.reader([header], delimiter=delimiter), [])
    except csv.Error as error:
        raise ValueError(f"{name} has a broken header ({error}): expected names") from None
    if not names:
        raise ValueError(f"{name} has nothing in its first line: expected a header")
    columns = [column or f"column{position}" for position, column in enumerate(names)]
    numbers = Counter(map(str.casefold, columns))
    for column in columns:
        if numbers[column.casefold()] > 1:
            raise ValueError(f"{name} has two columns {shown(column)}: expected one")
    return delimiter, columns


def _table(kind: str, files: Sequence[str], *options: str) -> str:
    # A name that begins with ~ would be one in the home folder.
    names = ", ".join(_quoted(glob.escape(os.path.join(os.curdir, file))) for file in files)
    return f"read_{kind}({', '.join([f'[{names}]', 'hive_partitioning=false', *options])})"


def _kinds(connection: duckdb.DuckDBPyConnection, table: str) -> dict[str, str]:
    relation = connection.sql(f"SELECT * FROM {table}")
    return dict(zip(relation.columns, map(str, relation.types), strict=True))


def _together(parts: Sequence[_Part]) -> str:
    """Write a query for the rows of all parts, in types that lose nothing.

    A value that has no such type is refused where it is used, as is one that is missing because its
    file lacks the column.
    """
    columns: dict[str, tuple[str, list[str | None]]] = {}
    for number, part in enumerate(parts):
        for name, kind in part.kinds.items():
            _, kinds = columns.setdefault(name.casefold(), (name, [None] * len(parts)))
            kinds[number] = kind
    fields = [
        [f"{field} AS {_name(name)}" for field in _fields(name, kinds, parts)]
        for name, kinds in columns.values()
    ]
    return " UNION ALL ".join(
        f"SELECT {', '.join(of_part)} FROM {part.source}"
        for of_part, part in zip(zip(*fields, strict=True), parts, strict=True)
    )


def _fields(column: str, kinds: Sequence[str | None], parts: Sequence[_Part]) -> Iterator[str]:
    """Yield the expression of a column in each part."""
    files = {kind: part.files for kind, part in zip(kinds, parts, strict=True) if kind}
    known = [kind for kind in files if kind != NOTHING] or [NOTHING]
    common = known[0]
    if _family(common) == NUMBERS and len(known) > 1 and not {*known} <= {*WHOLE}:
        common = "DOUBLE"
    field, name, first = _name(column), shown(column), _named(files[known[0]], SHORT)
    for kind, part in zip(kinds, parts, strict=True):
        file = _named(part.files, SHORT)
        if kind is None:
            said = f"{file} has no column {name}, which {first} has: expected it in every file"
            yield _refusal(said, common)
        elif kind == NOTHING:
            yield f"CAST(NULL AS {common})"
        elif kind == "JSON":
            said = f"{file}, column {name} has a list or an object: expected an object for each row"
            nested = f"json_type({field}) IN ('ARRAY', 'OBJECT')"
            yield f"CASE WHEN {nested} THEN {_refusal(said, TEXT)} ELSE {field}->>'$' END"
        elif _family(kind) != _family(common):
            said = f"column {name} is {known[0]} in {first}, but {kind} in {file}"
            yield _refusal(f"{said}: expected one type", common)
        elif kind != common == "DOUBLE":
            other = _named(
                next(files[known_kind] for known_kind in known if known_kind != kind), SHORT
            )
            said = f"column {name} has {kind} in {file} that a float as in {other} rounds"
            number = f"CAST({field} AS DOUBLE)"
            same = f"TRY_CAST({number} AS {kind}) IS NOT DISTINCT FROM {field}"
            refusal = _refusal(f"{said}: expected one type", common)
            yield f"CASE WHEN {same} THEN {number} ELSE {refusal} END"
        else:
            yield field


def _family(kind: str) -> str:
    """Return the kind of values of a type; those of the same kind have a common type."""
    if kind in (*WHOLE, "FLOAT", "DOUBLE") or kind.startswith("DECIMAL"):
        return NUMBERS
    return MOMENTS[0] if kind in MOMENTS else kind


def _refusal(message: str, kind: str) -> str:
    """Write an expression that ends the query with a message where it is evaluated."""
    return f"CAST(error({_quoted(REFUSED + message)}) AS {kind})"


def _read(
    relation: duckdb.DuckDBPyRelation, labels: Collection[str], numbers: Collection[str]
) -> duckdb.DuckDBPyRelation:
    """Return the relation with missing labels as null, and with numbers, where it has text."""
    kinds = dict(zip(relation.columns, map(str, relation.types), strict=True))
    texts = {column for column, kind in kinds.items() if kind == TEXT}
    read = {column: _unless_missing(column, TEXT) for column in labels if column in texts}
    read |= {column: _unless_missing(column, "DOUBLE") for column in numbers if column in texts}
    if not read:
        return relation
    return relation.select(f"* REPLACE ({', '.join(read.values())})")


def _unless_missing(column: str, kind: str) -> str:
    name, missing = _name(column), ", ".join(map(_quoted, MISSING))
    return f"CASE WHEN {name} NOT IN ({missing}) THEN CAST({name} AS {kind}) END AS {name}"


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _name(column: str) -> str:
    return '"' + column.replace('"', '""') + '"'


def most_frequent_delimiter(header: str) -> str:
    """Return the character that most likely separates the columns of a header.

    Examples
    --------
    >>> most_frequent_delimiter("y_true;score, raw;p")
    ';'
    """
    return max(DELIMITERS, key=header.count)


def _first_line(file: str) -> str:
    """Read the first line of a text file, and refuse a file that is not in UTF-8 by it."""
    opened = gzip.open if file.lower().endswith(".gz") else open
    try:
        with opened(file, "rb") as lines:
            line = lines.readline(LONGEST_HEADER)
    except (EOFError, zlib.error, gzip.BadGzipFile):
        raise ValueError(f"{_named([file])} can't be read: expected a gzip file") from None
    try:
        if b"\0" in line:  # as in UTF-16
            raise UnicodeError
        return line.decode("utf-8-sig").partition("\r")[0]
    except UnicodeError:
        raise ValueError(f"{_named([file])} is not in UTF-8: expected text in UTF-8") from None


def _named(files: Sequence[str], longest: int = LONGEST_PATH) -> str:
    """Name files in a message."""
    name = shortened(files[0], longest)
    return name if len(files) == 1 else f"{name} (or another of {len(files)} files)"


def _reason(error: Exception) -> str:
    """Return DuckDB's message without the kind of error and without advice on DuckDB's options."""
    said = str(error).partition("Error: ")[2] or str(error)
    lines = SUGGESTIONS.split(said)[0].splitlines()
    reason = ", ".join(line.strip(" .") for line in lines if line and not line.startswith(ADVICE))
    return shortened(reason, 400)
