"""Whether the tables of a run are the stored ones: for a project's own continuous integration."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import yaml

from skewproof.core.algebra import Array

TOLERANCES = "tolerances.yaml"
"""A file beside the stored tables: relative and absolute tolerance by the table's path without its
ending, and under `default` those of all others."""


class Tolerance(NamedTuple):
    """A number may be off by absolute + relative·|stored|."""

    relative: float = 0.0
    absolute: float = 1e-15
    """By default what other processors make of the last bit of numbers around 1."""


class Moved(NamedTuple):
    """A value that is not the stored one."""

    table: str
    row: str
    """The row's texts, or its number, from 1; empty where a whole table differs."""

    column: str
    stored: Any
    computed: Any
    difference: float | None
    """Computed less stored; None of what are no numbers."""

    def __str__(self) -> str:
        by = "" if self.difference is None else f", by {self.difference:.3g}"
        place = " ".join(filter(None, [self.table, self.row, self.column]))
        return f"{place}: {self.computed}, stored {self.stored}{by}"


def compare_results(results: Path, stored: Path) -> list[Moved]:
    """Compare every stored table with that of a run.

    Parameters
    ----------
    results
        The folder of a run's results.
    stored
        A folder with some of these tables, CSV, in the same places, and possibly a file
        tolerances.yaml: ``importance_scores: {relative: 1.0e-9, absolute: 1.0e-12}``.

    Returns
    -------
    What is off by more than its tolerance, in the order of tables, columns and rows; a table that
    is missing, or has other columns or another number of rows, is one entry.

    Raises
    ------
    ValueError
        If a folder has no tables, or a tolerance is for no table.
    """
    paths = sorted(path.relative_to(stored) for path in stored.rglob("*.csv"))
    if not paths:
        raise ValueError(f"{stored} has no CSV files: expected stored tables")
    tolerances = _tolerances(stored, [path.with_suffix("").as_posix() for path in paths])
    moved: list[Moved] = []
    for path in paths:
        name = path.with_suffix("").as_posix()
        if not (results / path).is_file():
            moved.append(Moved(name, "", "", "a table", "none", None))
            continue
        computed, kept = (
            pd.read_csv(folder / path, keep_default_na=False, na_values=["nan", ""])
            for folder in (results, stored)
        )
        moved += _moved(name, computed, kept, tolerances.get(name, tolerances["default"]))
    return moved


def _tolerances(stored: Path, names: list[str]) -> dict[str, Tolerance]:
    path = stored / TOLERANCES
    given: Mapping[str, Any] = (
        yaml.safe_load(path.read_text(encoding="utf-8")) if path.is_file() else {}
    )
    for name, entry in given.items():
        if name not in (*names, "default"):
            raise ValueError(f"{path} has tolerances for {name}: expected a stored table")
        if not isinstance(entry, Mapping) or not set(entry) <= set(Tolerance._fields):
            raise ValueError(f"{path}, {name} = {entry}: expected relative and absolute")
    return {"default": Tolerance()} | {name: Tolerance(**entry) for name, entry in given.items()}


def _moved(
    name: str, computed: pd.DataFrame, stored: pd.DataFrame, tolerance: Tolerance
) -> list[Moved]:
    """What differs between two tables."""
    if list(computed) != list(stored):
        own, other = (", ".join(map(str, table.columns)) for table in (computed, stored))
        return [Moved(name, "", "columns", other, own, None)]
    if len(computed) != len(stored):
        return [Moved(name, "", "rows", len(stored), len(computed), None)]
    texts = [column for column in stored if not pd.api.types.is_numeric_dtype(stored[column])]
    moved = []
    for column in stored:
        for place in np.flatnonzero(_differ(computed[column], stored[column], tolerance)):
            row = " ".join(
                map(str, stored[texts].drop(columns=column, errors="ignore").iloc[place].dropna())
            )
            own, other = computed[column].iloc[place], stored[column].iloc[place]
            numbers = not any(isinstance(value, str) for value in (own, other))
            difference = float(own - other) if numbers else None
            moved.append(Moved(name, row or str(place + 1), str(column), other, own, difference))
    return moved


def _differ(computed: pd.Series, stored: pd.Series, tolerance: Tolerance) -> Array:
    """Where two columns differ, (rows,); NaN is NaN."""
    if not all(pd.api.types.is_numeric_dtype(column) for column in (computed, stored)):
        return computed.astype(str).to_numpy() != stored.astype(str).to_numpy()
    return ~np.isclose(
        computed.to_numpy(dtype=float),
        stored.to_numpy(dtype=float),
        rtol=tolerance.relative,
        atol=tolerance.absolute,
        equal_nan=True,
    )
