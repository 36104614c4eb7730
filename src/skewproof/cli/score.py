"""The command ``skewproof score``."""

from __future__ import annotations

import argparse
import csv
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from skewproof.cli.shared.completion import offer_keys
from skewproof.cli.shared.output import Commands, Output, as_json, colored, json_number
from skewproof.cli.shared.predictions import add_at, say_left_out
from skewproof.cli.without_labels.score_reference import (
    add_unlabeled,
    refuse_without_reference,
    score_without_labels,
)
from skewproof.core.messages import printable, shortened, shown

LONGEST_FIELD = 10**9
"""Largest number of characters in a field of a CSV file; Python's default is 131,072."""

SHOWN = {
    "metric": "metric",
    "class": "class",
    "value": "value",
    "low": "low",
    "high": "high",
    "value_in_test_set": "in test set",
}
"""Printed columns and their headings."""


def add_to(commands: Commands) -> argparse.ArgumentParser:
    """Add the command's parser."""
    parser = commands.add_parser("score", help="score the predictions in a CSV file")
    parser.add_argument("predictions", type=Path, help="CSV file with true and predicted labels")
    offer_keys(
        parser.add_argument(
            "--metrics",
            nargs="+",
            metavar="METRIC",
            help="keys, names, or formulas in tp, fp, fn, tn, P, N; default: all registered",
        )
    )
    parser.add_argument(
        "--true", default="y_true", metavar="COLUMN", help="column of true labels; default: y_true"
    )
    parser.add_argument(
        "--predicted", metavar="COLUMN", help="column of predicted labels; default: y_pred"
    )
    parser.add_argument(
        "--pos-label",
        metavar="LABEL",
        help="the positive label; default: 1 if there are two labels; otherwise all classes are"
        " scored together, and each against the rest",
    )
    add_at(parser)
    parser.add_argument(
        "--confidence", type=float, default=0.95, help="confidence of the intervals; default: 0.95"
    )
    parser.add_argument(
        "--total",
        type=float,
        metavar="INSTANCES",
        help="number of instances in deployment, for metrics that depend on it",
    )
    add_unlabeled(parser)
    parser.set_defaults(run=run)
    return parser


def run(options: argparse.Namespace) -> Output:
    """Score the predictions."""
    if options.reference is not None:
        return score_without_labels(options)
    refuse_without_reference(options)
    from skewproof.core.labels import has_more_than_two
    from skewproof.core.prevalence import Prevalence
    from skewproof.practice.intervals.metric_interval import percent
    from skewproof.practice.scoring import score_all
    from skewproof.practice.slices.label_texts import positive_among
    from skewproof.reporting.summary import Summary

    at = Prevalence.given(options.at, "--at")
    columns = (options.true, options.predicted or "y_pred")
    true, predicted, left_out = read_labels(options.predictions, columns)
    say_left_out(left_out)
    many = options.pos_label is None and has_more_than_two(true=true, predicted=predicted)
    scores = score_all(
        true,
        predicted,
        metrics=options.metrics,
        pos_label=1 if many else positive_among(options.pos_label or "1", true + predicted),
        at=at,
        total=options.total,
        confidence=options.confidence,
    )
    if not {*true} & {*predicted} and len({*true, *predicted}) > 2:
        named = " and ".join(
            f"{column} has {shortened(', '.join(map(shown, sorted({*labels}))))}"
            for column, labels in zip(columns, (true, predicted), strict=True)
        )
        raise ValueError(f"{named}: expected labels that both have")
    rows = scores.to_dict("records")
    if options.json:
        values = [{name: json_number(value) for name, value in row.items()} for row in rows]
        return Output(as_json(values))
    titles = {True: "Change with prevalence", False: "Do not change with prevalence"}
    tables: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        cells = {head: row[name] for name, head in SHOWN.items() if name in row}
        if "class" in row:
            cells["class"] = "all" if row["class"] is None else row["class"]
        title = titles[row["changes_with_prevalence"]]
        if row.get("prevalence_known_by") == "search":
            title += ", as far as a search tells"
        tables.setdefault(title, []).append(cells)
    legend = (
        f"Values {at.where}, each with its {percent(options.confidence)} interval from low to high"
        f"{f', {at.assumption}' if at.assumption else ''}."
    )
    if left_out:
        legend += f" Rows without a label or prediction, which are left out: {left_out}."
    title = f"Scores of {printable(options.predictions.name)}"
    summary = Summary(title, paragraphs=[legend], tables=tables)
    return Output(summary.to_text(color=colored()))


def read_labels(path: Path, columns: tuple[str, str]) -> tuple[list[str], list[str], int]:
    """Read true and predicted labels from a CSV file, and count the rows that lack one of them.

    The errors are those of :func:`read_columns`.
    """
    (true, predicted), left_out = read_columns(path, columns)
    return true, predicted, left_out


def read_columns(path: Path, columns: Sequence[str]) -> tuple[list[list[str]], int]:
    """Read columns of a CSV file, and count the rows that are left out because an entry is missing.

    The separator of fields is the most frequent one in the header: comma, semicolon, tab or bar.

    Raises
    ------
    ValueError
        If the file is not a CSV file with these columns and at least one row that has all of them.
    OSError
        If it can't be read.
    """
    from skewproof.practice.slices.files import most_frequent_delimiter
    from skewproof.practice.slices.label_texts import MISSING, whole_numbers

    csv.field_size_limit(LONGEST_FIELD)
    name = shortened(str(path), 200)
    expected = "expected a CSV file in UTF-8 with a header"
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            delimiter = most_frequent_delimiter(file.readline())
            file.seek(0)
            reader = csv.reader(file, delimiter=delimiter)
            header = next(reader, [])
            if not header:
                raise ValueError(f"{name} has nothing in its first line: {expected}")
            if "\0" in "".join(header):
                raise csv.Error
            places = [_place(column, header, name) for column in columns]
            labels = [
                _labels_of(row, header, places, f"{name}, line {reader.line_num}")
                for row in reader
                if row
            ]
    except (UnicodeDecodeError, csv.Error):
        raise ValueError(f"{name} is another kind of file, or broken: {expected}") from None
    except OSError as error:
        raise OSError(f"{name} can't be read ({error.strerror}): {expected}") from None
    known = [row for row in labels if not any(label in MISSING for label in row)]
    if not known:
        raise ValueError(f"{name} has no row with a true and a predicted label: expected some")
    found = [whole_numbers(column) for column in zip(*known, strict=True)]
    return found, len(labels) - len(known)


def _place(column: str, header: Sequence[str], name: str) -> int:
    count = header.count(column)
    if count != 1:
        known = shortened(", ".join(header[:50]), 200)
        found = f"has {count} columns" if count else "has no column"
        raise ValueError(f"{name} {found} {shown(column)}: expected it once, and it has {known}")
    return header.index(column)


def _labels_of(row: list[str], header: list[str], places: list[int], line: str) -> list[str]:
    if len(row) != len(header):
        raise ValueError(f"{line} has {len(row)} fields: expected {len(header)}, as in the header")
    return [row[place] for place in places]
