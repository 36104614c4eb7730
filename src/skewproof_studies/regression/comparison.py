"""Comparison of a run's tables with stored ones, for the continuous integration of a project."""

from __future__ import annotations

import csv
import math
import sys
from collections.abc import Iterator, Mapping
from importlib import resources
from pathlib import Path
from typing import Any, NamedTuple

from skewproof.core.messages import printable, shortened, shown

KEY_DIGITS = 9
"""Number of digits of a number that identifies a row; other processors may compute different last
digits."""


class Tolerance(NamedTuple):
    """Tolerance of a number: absolute + relative·|stored|."""

    relative: float = 0.0
    absolute: float = 0.0

    def of(self, stored: float) -> float:
        """Return the largest tolerated distance from a stored number."""
        return self.absolute + self.relative * abs(stored)


class Moved(NamedTuple):
    """A value that differs from the stored one, or a table, column or row that only one side
    has."""

    table: str
    """Path of the file in both folders, without its extension."""

    row: str
    """Values that identify the row; empty if a whole table or column differs."""

    column: str
    """Name of the column; empty if a whole table or row differs."""

    stored: str | None
    """Text in the file; None if there is nothing."""

    now: str | None

    difference: float | None = None
    """Computed minus stored value; None if these are not numbers."""

    tolerance: float | None = None

    def __str__(self) -> str:
        place = " ".join(filter(None, [self.table, self.row, self.column]))
        by = "" if self.difference is None else f", by {self.difference:.3g}"
        return f"{place}: {self.now or 'none'}, stored {self.stored or 'none'}{by}"


def compare_results(results: Path, stored: Path, tolerances: Path | None = None) -> list[Moved]:
    """Compare every stored table with that of a run.

    Rows may be in any order. They are matched by their values in the first columns, as many as
    identify them, or by position if no columns do. Text cells are compared as text.

    Parameters
    ----------
    results
        The folder of a run's results.
    stored
        A folder with some of these tables, as CSV files at the same paths.
    tolerances
        A file such as ``{importance_scores: {relative: 1.0e-9, absolute: 1.0e-12}}``, YAML or JSON,
        with tolerances by the table's path without extension. Those under `default` apply to all
        other tables, and a tolerance that is not named is 0. If no file is given, the file
        tolerances.yaml in `stored` applies, or else this project's own.

    Returns
    -------
    Differences beyond their tolerances, in the order of tables, columns and rows.

    Raises
    ------
    ValueError
        If a folder has no tables, a file is not a table, or a tolerance is invalid or for a table
        that is not stored.
    OSError
        If a file can't be read.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     for name, sigma in (("results", 2.5), ("stored", 2.0)):
    ...         Path(folder, name).mkdir()
    ...         _ = Path(folder, name, "shift.csv").write_text(f"metric,sigma\\nf1,{sigma}\\n")
    ...     for moved in compare_results(Path(folder, "results"), Path(folder, "stored")):
    ...         print(moved)
    shift f1 sigma: 2.5, stored 2.0, by 0.5
    """
    names = table_names(stored)
    table_names(results)
    allowed = _tolerances(tolerances, stored, names)
    moved: list[Moved] = []
    for name in names:
        own, kept = results / f"{name}.csv", stored / f"{name}.csv"
        if own.is_file():
            tolerance = allowed.get(name, allowed["default"])
            moved += _moved(name, _read(own), _read(kept), tolerance)
        else:
            moved.append(Moved(name, "", "", "a table", None))
    return moved


def store(results: Path, stored: Path) -> list[str]:
    """Copy tables of a run to the stored ones, each completely or not at all.

    Parameters
    ----------
    results
        Folder of the run's results.
    stored
        Folder of the stored tables. If it has none, or does not exist, all tables are stored;
        otherwise those that it has.

    Returns
    -------
    The names of the tables that changed or are new.

    Raises
    ------
    ValueError
        If the results have no tables, or lack one that is stored.
    """
    there = table_names(results)
    names = table_names(stored) if any(stored.rglob("*.csv")) else there
    if lacking := sorted({*names} - {*there}):
        names_of = shortened(", ".join(lacking), 500)
        raise ValueError(f"{printable(str(results))} lacks tables that are stored: {names_of}")
    written = []
    for name in names:
        content, place = (results / f"{name}.csv").read_bytes(), stored / f"{name}.csv"
        if place.is_file() and place.read_bytes() == content:
            continue
        place.parent.mkdir(parents=True, exist_ok=True)
        part = place.with_suffix(".part")
        part.write_bytes(content)
        part.replace(place)
        written.append(name)
    return written


def table_names(folder: Path) -> list[str]:
    """Return the paths of a folder's CSV files, sorted and without their extension.

    Raises
    ------
    ValueError
        If the folder has no CSV files.
    """
    paths = sorted(path.relative_to(folder) for path in folder.rglob("*.csv"))
    if not paths:
        raise ValueError(f"{printable(str(folder))}: expected a folder with CSV files")
    return [path.with_suffix("").as_posix() for path in paths]


def _tolerances(given: Path | None, stored: Path, names: list[str]) -> dict[str, Tolerance]:
    from skewproof_studies.settings.yaml_text import read_yaml

    beside = stored / "tolerances.yaml"
    own = given or (beside if beside.is_file() else None)
    path: Any = own or resources.files("skewproof_studies.regression") / "tolerances.yaml"
    place = printable(str(path))
    try:
        found = read_yaml(path.read_text(encoding="utf-8")) or {}
    except ValueError as error:
        raise ValueError(f"{place}: {shortened(str(error), 200)}") from None
    if not isinstance(found, Mapping):
        raise ValueError(f"{place} = {shown(found)}: expected tolerances by table name")
    for name, entry in found.items():
        if own and name not in (*names, "default"):
            raise ValueError(f"{place}: {shown(name)} has tolerances: expected a stored table")
        if not isinstance(entry, Mapping) or not set(entry) <= set(Tolerance._fields):
            raise ValueError(f"{place}: {name} = {shown(entry)}: expected relative and absolute")
        for key, value in entry.items():
            number = isinstance(value, int | float) and not isinstance(value, bool)
            if not number or not 0 <= value <= sys.float_info.max:
                raise ValueError(
                    f"{place}: {name}.{key} = {shown(value)}: expected a number of at least 0,"
                    " such as 1.0e-9"
                )
    return {"default": Tolerance()} | {name: Tolerance(**entry) for name, entry in found.items()}


class _Table(NamedTuple):
    """A table as written, with every cell as text."""

    columns: dict[str, list[str]]
    length: int


def _read(path: Path) -> _Table:
    place = printable(str(path))
    try:
        with path.open(encoding="utf-8", newline="") as file:
            header, *rows = filter(None, csv.reader(file))
    except (csv.Error, ValueError) as error:
        raise ValueError(f"{place}: {shortened(str(error), 200)}: expected a CSV file") from None
    if len(set(header)) < len(header):
        raise ValueError(f"{place}: {shortened(', '.join(header), 200)}: expected each column once")
    for number, row in enumerate(rows, start=2):
        if len(row) != len(header):
            counts = f"{len(row)} fields, expected {len(header)} as in the header"
            raise ValueError(f"{place}: row {number} has {counts}")
    return _Table({name: [row[at] for row in rows] for at, name in enumerate(header)}, len(rows))


def _moved(name: str, now: _Table, stored: _Table, tolerance: Tolerance) -> Iterator[Moved]:
    """Yield the differences between two tables."""
    both = [column for column in stored.columns if column in now.columns]
    for column in stored.columns:
        if column not in now.columns:
            yield Moved(name, "", column, "a column", None)
    for column in now.columns:
        if column not in stored.columns:
            yield Moved(name, "", column, None, "a column")
    keys = _keys(now, stored, both)
    place_now, place = (
        {row: at for at, row in enumerate(_row_names(table, keys))} for table in (now, stored)
    )
    for row in place:
        if row not in place_now:
            yield Moved(name, row, "", "a row", None)
    for row in place_now:
        if row not in place:
            yield Moved(name, row, "", None, "a row")
    rows = [row for row in place if row in place_now]
    for column in both:
        ours, theirs = now.columns[column], stored.columns[column]
        for row in rows:
            one, other = ours[place_now[row]], theirs[place[row]]
            if one != other and column not in keys:
                yield from _compared(Moved(name, row, column, other, one), tolerance)


def _compared(moved: Moved, tolerance: Tolerance) -> Iterator[Moved]:
    """Yield a difference if the texts also differ as numbers beyond the tolerance."""
    now, stored = _number(moved.now or ""), _number(moved.stored or "")
    if now is None or stored is None:
        yield moved
    elif not _same(now, stored, tolerance.of(stored)):
        yield moved._replace(difference=now - stored, tolerance=tolerance.of(stored))


def _same(now: float, stored: float, tolerance: float) -> bool:
    if math.isfinite(now) and math.isfinite(stored):
        return abs(now - stored) <= tolerance
    return now == stored or (math.isnan(now) and math.isnan(stored))


def _keys(now: _Table, stored: _Table, columns: list[str]) -> list[str]:
    """Return the first columns that together identify the rows of both tables, without columns of
    numbers that are not needed for it; empty if there are none."""

    def tell(names: list[str]) -> bool:
        return all(len(set(_row_names(table, names))) == table.length for table in (now, stored))

    for count in range(1, len(columns)):
        keys = columns[:count]
        if tell(keys):
            for column in reversed(columns[: count - 1]):
                fewer = [key for key in keys if key != column]
                numbers = all(_number(text) is not None for text in stored.columns[column])
                keys = fewer if numbers and tell(fewer) else keys
            return keys
    return []


def _row_names(table: _Table, keys: list[str]) -> list[str]:
    """Return the name of each row by its key columns, or its number from 1 if there are none."""
    if not keys:
        return [f"row {number}" for number in range(1, table.length + 1)]
    return [
        " ".join(map(_key, row)) for row in zip(*(table.columns[key] for key in keys), strict=True)
    ]


def _key(text: str) -> str:
    number = _number(text) if "." in text else None
    return text if number is None else f"{number:.{KEY_DIGITS}g}"


def _number(text: str) -> float | None:
    """Return the number in a cell: NaN if the cell is empty, None if it is not a number."""
    try:
        return float(text or "nan")
    except ValueError:
        return None
