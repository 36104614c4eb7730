"""The command ``python -m skewproof_studies.regression``."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

from skewproof.cli import run_command
from skewproof.cli.shared.output import Output, as_json, json_number
from skewproof.core.messages import printable, shortened

if TYPE_CHECKING:
    from skewproof_studies.regression.comparison import Moved

MOST_SHOWN = 100
"""Largest number of differences in the printed tables; --json has all."""

WIDTHS = [20, 14, 14, None, None]
"""Characters of a row's keys and of both values before they wrap, so that 80 columns suffice."""

DIGITS = 8
"""Number of digits of a printed number; --json has all."""

LONGEST = 60
"""Largest number of characters of a value that is not a number."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Compare two folders of tables; return 0 if they agree, 1 if they differ, 2 for wrong
    input."""
    parser = argparse.ArgumentParser(
        prog="python -m skewproof_studies.regression",
        description="Compare every CSV file in a folder of stored results with that of a run. Exit"
        " code 0: all are the same within their tolerances; 1: some differ; 2: wrong input.",
    )
    parser.add_argument("results", type=Path, metavar="RESULTS", help="folder of a run's results")
    parser.add_argument("stored", type=Path, metavar="STORED", help="folder of stored results")
    parser.add_argument(
        "--tolerances",
        type=Path,
        metavar="FILE",
        help="YAML or JSON file of tolerances by table; default: tolerances.yaml in STORED, or"
        " else this project's own",
    )
    parser.add_argument(
        "--store",
        action="store_true",
        help="copy tables of RESULTS to STORED instead of comparing: those that STORED has, or"
        " all if it has none",
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=run)
    return run_command(parser.parse_args(arguments))


def run(options: argparse.Namespace) -> Output:
    """Compare the results with the stored ones."""
    from skewproof_studies.regression.comparison import compare_results, store, table_names

    if options.store:
        written = store(options.results, options.stored)
        if options.json:
            return Output(as_json({"stored": written}))
        return Output(f"Stored tables that changed or are new: {', '.join(written) or 'none'}\n")
    moved = compare_results(options.results, options.stored, options.tolerances)
    stored = table_names(options.stored)
    not_stored = sorted({*table_names(options.results)} - {*stored})
    if options.json:
        summary = {
            "same": not moved,
            "tables": len(stored),
            "tables_that_differ": len({each.table for each in moved}),
            "differences": len(moved),
            "not_stored": not_stored,
        }
        return Output(as_json({"summary": summary, "differences": _records(moved)}), bool(moved))
    return Output(_to_read(moved, len(stored), len(not_stored)), bool(moved))


def _records(moved: Sequence[Moved]) -> list[dict[str, object]]:
    return [
        each._asdict()
        | {
            key: None if (number := getattr(each, key)) is None else json_number(number)
            for key in ("difference", "tolerance")
        }
        for each in moved
    ]


def _to_read(moved: Sequence[Moved], stored: int, not_stored: int) -> str:
    """Format the differences as a table for each column of a file, with their number."""
    groups = groupby(moved[:MOST_SHOWN], lambda each: (each.table, each.column))
    parts = [_group(*place, list(members)) for place, members in groups]
    if len(moved) > MOST_SHOWN:
        parts.append(f"and {len(moved) - MOST_SHOWN} more: --json has all\n")
    tables = len({each.table for each in moved})
    parts.append(
        f"Stored tables: {stored}; tables that differ: {tables}; differences: {len(moved)};"
        f" tables not stored: {not_stored}\n"
    )
    return "\n".join(parts)


def _group(table: str, column: str, moved: Sequence[Moved]) -> str:
    from tabulate import tabulate

    place = f"{table}.csv, {shortened(column)}" if column else f"{table}.csv"
    rows = [
        (
            printable(each.row),
            _value(each.stored, each),
            _value(each.now, each),
            "" if each.difference is None else f"{each.difference:.2g}",
            "" if each.tolerance is None else f"{each.tolerance:.2g}",
        )
        for each in moved
    ]
    heads = ["row", "stored", "now", "difference", "tolerance"]
    # Wrapped values keep their digits; tabulate would drop digits of text that it parses as a
    # number.
    text = tabulate(rows, heads, maxcolwidths=WIDTHS, disable_numparse=True)
    return f"{place}\n{text}\n"


def _value(text: str | None, moved: Moved) -> str:
    if text is None:
        return "none"
    if moved.difference is None:
        return shortened(text, LONGEST)
    return f"{float(text or 'nan'):.{DIGITS}g}"
