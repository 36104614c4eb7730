"""Columns of files, for the commands that hold labels in memory."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd

from skewproof.cli.shared.progress import Read, progress
from skewproof.cli.shared.reading import local_files, named, opened
from skewproof.core.data.frames import check_column, fetched, lazy_frame
from skewproof.core.data.label_texts import MISSING, typed_label, whole_numbers
from skewproof.core.messages import shortened, shown
from skewproof.slices.files import csv_header, files_of, most_frequent_delimiter

if TYPE_CHECKING:
    import duckdb

EXPECTED = "expected a CSV file in UTF-8 with a header"

LONGEST_FIELD = 10**9
"""Largest number of characters in a field of a CSV file; Python's default is 131,072."""


def read_columns(
    paths: Sequence[str],
    columns: Sequence[str],
    pos_label: str,
    groups: str | None = None,
    *,
    some_labels: bool = False,
) -> tuple[list[list[Any]], int, Any]:
    """Read columns of files, the first of them labels, from the rows that have all of them.

    With `some_labels`, labels that are missing are None.

    Returns
    -------
    The columns, and that of groups if there are some; the number of rows that lack an entry and are
    left out; and the positive label in the type of the first column.

    Raises
    ------
    ValueError
        If the files are refused, lack a column, or have no row that has all columns, or if one of
        these rows has no group.
    OSError, MissingExtraError
        If they can't be read. A single CSV file that is not compressed needs no extra.
    """
    with local_files(paths) as local:
        files, kind = files_of(local)
        rows: Any
        known: Any
        positive: Any = pos_label
        every = [*columns, *([] if groups is None else [groups])]
        if kind == "csv" and len(files) == 1 and not files[0].lower().endswith(".gz"):
            rows = _rows_of_csv(Path(files[0]), every)
            number, needed = len(columns), int(some_labels)
            known = [
                row for row in rows if not any(field in MISSING for field in row[needed:number])
            ]
            if some_labels:
                known = [[None if row[0] in MISSING else row[0], *row[1:]] for row in known]
            entries = [list(column) for column in zip(*known, strict=True)]
        else:
            with opened(files, labels=columns, doing="reading predictions") as relation:
                rows = _table_of(relation, every, named(paths))
                positive = typed_label(pos_label, relation, columns[0])
            known = rows.dropna(subset=[*columns[int(some_labels) :]])
            entries = [known[column].tolist() for column in every]
    if not len(known):
        wanted = " and ".join(map(shown, columns[:2]))
        raise ValueError(f"{named(paths)} has no row with {wanted}: expected some")
    if groups is not None and any(pd.isna(label) or label == "" for label in entries[-1]):
        raise ValueError(f"groups = {shown(groups)} has rows without a label: expected one in each")
    return [whole_numbers(column) for column in entries], len(rows) - len(known), positive


def read_rows(paths: Sequence[str]) -> pd.DataFrame:
    """Read all columns of files; those of text files are text.

    Raises
    ------
    ValueError
        If the files are refused.
    OSError, MissingExtraError
        If they can't be read. A single CSV file needs no extra.
    """
    with local_files(paths) as local:
        files, kind = files_of(local)
        if kind == "csv" and len(files) == 1:
            with progress("reading predictions"):
                return _table_of_csv(files[0])
        with opened(files, doing="reading predictions") as relation:
            return fetched(lazy_frame(relation))


def _table_of_csv(file: str) -> pd.DataFrame:
    delimiter, names = csv_header(file)
    as_text: dict[str, Any] = {"dtype": object, "na_values": MISSING, "keep_default_na": False}
    try:
        rows = pd.read_csv(
            file, sep=delimiter, header=0, names=names, encoding="utf-8-sig", **as_text
        )
    except (UnicodeDecodeError, pd.errors.ParserError):
        rows = None
    name = shortened(file, 200)
    if rows is None or not isinstance(rows.index, pd.RangeIndex):  # rows longer than the header
        raise ValueError(f"{name} is another kind of file, or broken: {EXPECTED}")
    if rows.empty:
        raise ValueError(f"{name} has no rows: expected predictions")
    return rows


def _table_of(relation: duckdb.DuckDBPyRelation, columns: Sequence[str], name: str) -> pd.DataFrame:
    """Fetch columns of a relation."""
    frame = lazy_frame(relation)
    for column in columns:
        _position(column, relation.columns, name)
        check_column(frame.collect_schema(), "column", column)
    return fetched(frame.select(*dict.fromkeys(columns)))


def _rows_of_csv(path: Path, columns: Sequence[str]) -> list[list[str]]:
    """Read columns of a CSV file, whose separator is the most frequent one in the header.

    Raises
    ------
    ValueError
        If the file is not a CSV file with these columns.
    OSError
        If it can't be read.
    """
    csv.field_size_limit(LONGEST_FIELD)
    name = shortened(str(path), 200)
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            delimiter = most_frequent_delimiter(file.readline())
            file.seek(0)
            reader = csv.reader(file, delimiter=delimiter, strict=True)
            header = next(reader, [])
            if not header:
                raise ValueError(f"{name} has nothing in its first line: {EXPECTED}")
            if "\0" in "".join(header):
                raise csv.Error
            positions = [_position(column, header, name) for column in columns]
            rows: list[list[str]] = []
            with progress("reading predictions", lambda: Read(None, len(rows))):
                for row in filter(None, reader):
                    if len(row) != len(header):
                        raise ValueError(
                            f"{name}, line {reader.line_num} has {len(row)} fields: expected"
                            f" {len(header)}, as in the header"
                        )
                    rows.append([row[position] for position in positions])
            return rows
    except (UnicodeDecodeError, csv.Error):
        raise ValueError(f"{name} is another kind of file, or broken: {EXPECTED}") from None
    except OSError as error:
        raise OSError(f"{name} can't be read ({error.strerror}): {EXPECTED}") from None


def _position(column: str, header: Sequence[str], name: str) -> int:
    count = header.count(column)
    if count != 1:
        known = shortened(", ".join(header[:50]), 200)
        fault = f"has {count} columns" if count else "has no column"
        raise ValueError(f"{name} {fault} {shown(column)}: expected it once, and it has {known}")
    return header.index(column)
