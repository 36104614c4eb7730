"""Comparison of a run's tables with stored ones: ``python -m skewproof_studies.regression``."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import click
import numpy as np
import pandas as pd
import yaml

from skewproof.cli.shared.command import command, run_command
from skewproof.cli.shared.output import Result
from skewproof.core.messages import shortened, shown
from skewproof.reporting.summary import json_number

PROGRAM = "python -m skewproof_studies.regression"

PROJECT_TOLERANCES = Path(__file__).with_name("regression_tolerances.yaml")


def compare_results(results: Path, stored: Path, tolerances: Path | None = None) -> pd.DataFrame:
    """Compare every stored table with that of a run.

    Rows are matched by their values in the first columns that identify them, without columns of
    numbers that are not needed for it, or by their number if none do. The last column is not used.
    Numbers that identify rows are compared to nine digits, since processors differ in the last
    ones.

    Parameters
    ----------
    results
        The folder of a run's results.
    stored
        A folder with some of these tables, as CSV files at the same paths.
    tolerances
        A YAML or JSON file such as ``{importance_scores: {relative: 1.0e-9, absolute: 1.0e-12}}``,
        with tolerances by the table's path without extension. Those under `default` apply to all
        other tables, and a tolerance that is not named is 0. If no file is given, the file
        tolerances.yaml in `stored` applies, or else this project's own.

    Returns
    -------
    Frame with a row for each number beyond its tolerance, each text that differs, and each table,
    column and row that only one side has. Columns table, row, column, stored, now, difference
    (computed minus stored number) and tolerance (absolute + relative·|stored|).

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
    ...     differences = compare_results(Path(folder, "results"), Path(folder, "stored"))
    >>> print(differences[["table", "row", "column", "stored", "now"]].to_string(index=False))
    table row column stored now
    shift  f1  sigma    2.0 2.5
    """
    computed, kept = _tables(results), _tables(stored)
    beside = stored / "tolerances.yaml"
    file = tolerances or (beside if beside.is_file() else PROJECT_TOLERANCES)
    limits = _read_tolerances(file, kept)
    entries: list[dict[str, Any]] = []
    for table, path in kept.items():
        if table not in computed:
            entries.append({"table": table, "stored": "a table"})
            continue
        frames = _with_row_names(_read_table(path), _read_table(computed[table]))
        differences = _differences(*frames, **limits.get(table, limits["default"]))
        entries += [{"table": table} | difference for difference in differences]
    columns = ["table", "row", "column", "stored", "now", "difference", "tolerance"]
    return pd.DataFrame(entries, columns=columns)


def store_tables(results: Path, stored: Path) -> list[str]:
    """Copy tables of a run to the stored ones.

    Parameters
    ----------
    results
        Folder of the run's results.
    stored
        Folder of the stored tables. If it has none, or does not exist, all tables are stored;
        otherwise those that it has.

    Returns
    -------
    The names of the copied tables.

    Raises
    ------
    ValueError
        If the results have no tables, or lack one that is stored.
    """
    computed = _tables(results)
    names = _tables(stored) if any(stored.rglob("*.csv")) else computed
    if lacking := ", ".join(name for name in names if name not in computed):
        raise ValueError(f"{results} lacks tables that are stored: {shortened(lacking, 500)}")
    for name in names:
        copy = stored / f"{name}.csv"
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(computed[name], copy)
    return list(names)


def _tables(folder: Path) -> dict[str, Path]:
    """Return a folder's CSV files by their sorted paths in it, without their extension."""
    paths = sorted(folder.rglob("*.csv"))
    if not paths:
        raise ValueError(f"{folder}: expected a folder with CSV files")
    return {path.relative_to(folder).with_suffix("").as_posix(): path for path in paths}


def _read_tolerances(path: Path, tables: Collection[str]) -> dict[str, dict[str, float]]:
    try:
        with path.open(encoding="utf-8") as file:
            tolerances = yaml.safe_load(file) or {}
    except (OSError, yaml.YAMLError, ValueError) as error:
        raise ValueError(f"{path}: {error}") from None
    if not isinstance(tolerances, dict):
        raise ValueError(f"{path} = {shown(tolerances)}: expected tolerances by table name")
    for table, limits in tolerances.items():
        if path != PROJECT_TOLERANCES and table not in (*tables, "default"):
            raise ValueError(f"{path}: {shown(table)} has tolerances: expected a stored table")
        valid = isinstance(limits, dict) and limits.keys() <= {"relative", "absolute"}
        for limit in limits.values() if valid else ():
            valid &= type(limit) in (int, float) and 0 <= limit <= sys.float_info.max
        if not valid:
            expected = "expected relative and absolute, numbers of at least 0 such as 1.0e-9"
            raise ValueError(f"{path}: {shown(table)} = {shown(limits)}: {expected}")
    return {"default": {}, **tolerances}


def _read_table(path: Path) -> pd.DataFrame:
    """Read all cells as text, with "nan" for those that are empty."""
    try:  # only the engine in Python tells a missing field from an empty one
        cells = pd.read_csv(
            path,
            header=None,
            dtype=str,
            keep_default_na=False,
            skip_blank_lines=False,
            engine="python",
        )
        header = cells.iloc[0]
    except (ValueError, IndexError) as error:
        raise ValueError(f"{path}: {shortened(str(error), 200)}: expected a CSV file") from None
    if (ragged := cells.isna().any(axis="columns")).any():
        expected = f"expected {len(header)} fields as in the header"
        raise ValueError(f"{path}: row {ragged.idxmax() + 1}: {expected}")
    if not header.is_unique:
        raise ValueError(f"{path}: {shown(list(header))}: expected each column once")
    return cells[1:].set_axis(header, axis="columns").replace(["", "NaN"], "nan")


def _with_row_names(*frames: pd.DataFrame) -> list[pd.DataFrame]:
    """Index tables by their first columns that identify the rows of all, without numbers that are
    not needed for it, or else by number."""
    shared = [name for name in frames[0] if all(name in frame for frame in frames)]
    texts = [_rounded(frame[shared]) for frame in frames]

    def names(keys: list[str]) -> list[pd.Index]:
        return [pd.Index(map(" ".join, cells[keys].to_numpy()), dtype=str) for cells in texts]

    def identify(keys: list[str]) -> bool:
        return all(index.is_unique for index in names(keys))

    counts = range(1, len(shared))
    keys = next((shared[:count] for count in counts if identify(shared[:count])), [])
    for column in keys[-2::-1]:
        numbers = pd.to_numeric(frames[0][column].replace("nan", "0"), errors="coerce")
        fewer = [key for key in keys if key != column]
        if numbers.notna().all() and identify(fewer):
            keys = fewer
    numbered = [pd.RangeIndex(1, len(frame) + 1).astype(str) for frame in frames]
    indexes = names(keys) if keys else numbered
    return [frame.set_axis(index) for frame, index in zip(frames, indexes, strict=True)]


def _rounded(cells: pd.DataFrame) -> pd.DataFrame:
    numbers = cells.apply(pd.to_numeric, errors="coerce")
    return cells.mask(numbers.notna(), numbers.map("{:.9g}".format))


def _differences(
    stored: pd.DataFrame, now: pd.DataFrame, relative: float = 0.0, absolute: float = 0.0
) -> Iterator[dict[str, Any]]:
    sides = [("column", now.columns, stored.columns), ("row", now.index, stored.index)]
    for kind, computed, kept in sides:
        for name in kept.difference(computed, sort=False):
            yield {kind: name, "stored": f"a {kind}"}
        for name in computed.difference(kept, sort=False):
            yield {kind: name, "now": f"a {kind}"}
    columns, rows = (kept.intersection(computed, sort=False) for _, computed, kept in sides)
    cells = pd.DataFrame(
        {"stored": stored.loc[rows, columns].unstack(), "now": now.loc[rows, columns].unstack()}
    ).rename_axis(["column", "row"])
    numbers = cells.apply(pd.to_numeric, errors="coerce")
    close = np.isclose(numbers["now"], numbers["stored"], rtol=relative, atol=absolute)
    cells["difference"] = numbers["now"] - numbers["stored"]
    cells["tolerance"] = absolute + relative * numbers["stored"].abs()
    beyond = cells[~close & (cells["now"] != cells["stored"])]
    yield from beyond.reset_index().to_dict("records")


@command(
    "regression",
    click.Argument(["results"], type=Path, help="Folder of a run's results."),
    click.Argument(["stored"], type=Path, help="Folder of stored results."),
    click.Option(
        ["--tolerances"],
        type=Path,
        metavar="FILE",
        help="YAML or JSON file.  [default: tolerances.yaml in STORED, or else the project's own]",
    ),
    click.Option(
        ["--store"],
        is_flag=True,
        help="Copy tables of RESULTS to STORED instead: those that STORED has, or all if it has"
        " none.",
    ),
    example=f"{PROGRAM} results stored",
)
def run(options: SimpleNamespace) -> Result:
    """Compare every CSV file in a folder of stored results with that of a run.

    Exit code 0: all are the same within their tolerances; 1: some differ; 2: wrong input.
    """
    if options.store:
        names = store_tables(options.results, options.stored)
        text = f"Stored tables: {', '.join(names)}\n"
        return Result(text, {"stored": names}, [{"table": name} for name in names])
    differences = compare_results(options.results, options.stored, options.tolerances)
    kept, computed = _tables(options.stored), _tables(options.results)
    summary = {
        "stored_tables": len(kept),
        "tables_that_differ": differences["table"].nunique(),
        "differences": len(differences),
        "tables_not_stored": len(computed.keys() - kept.keys()),
    }
    records = [
        {key: json_number(value) for key, value in record.items()}
        for record in differences.to_dict("records")
    ]
    table = differences.to_string(
        index=False, na_rep="-", float_format="{:.2g}".format, max_rows=100, max_colwidth=60
    )
    counts = "; ".join(f"{name.replace('_', ' ')}: {n}" for name, n in summary.items())
    text = f"{table}\n\n" * (not differences.empty) + f"{counts}\n"
    data = {"summary": summary, "differences": records}
    return Result(text, data, differences, int(not differences.empty))


def main(arguments: Sequence[str] | None = None) -> int:
    """Compare two folders of tables; return 0 if they agree, 1 if they differ, 2 for wrong
    input."""
    return run_command(run, arguments, PROGRAM)


if __name__ == "__main__":
    sys.exit(main())
