"""The command ``skewproof score``."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from skewproof.cli.shared.columns import read_columns
from skewproof.cli.shared.completion import offer_keys
from skewproof.cli.shared.output import Output, as_json, colored, json_number
from skewproof.cli.shared.predictions import add_at, add_files, say_left_out
from skewproof.cli.shared.scores import named
from skewproof.cli.without_labels.score_reference import (
    add_unlabeled,
    refuse_without_reference,
    score_without_labels,
)
from skewproof.core.label_texts import positive_among
from skewproof.core.labels import has_more_than_two
from skewproof.core.messages import shortened, shown
from skewproof.intervals.estimates import percent
from skewproof.prevalence.prevalence import Prevalence
from skewproof.reporting.summary import Summary
from skewproof.scoring.scoring import score

SHOWN = {
    "metric": "metric",
    "class": "class",
    "value": "value",
    "low": "low",
    "high": "high",
    "value_in_test_set": "in test set",
}
"""Printed columns and their headings."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    add_files(parser, "true and predicted labels")
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


def run(options: argparse.Namespace) -> Output:
    """Score the predictions."""
    if options.reference is not None:
        return score_without_labels(options)
    refuse_without_reference(options)
    at = Prevalence.given(options.at, "--at")
    columns = (options.true, options.predicted or "y_pred")
    read = read_columns(options.predictions, columns, options.pos_label or "1")
    (true, predicted), left_out, positive = read
    say_left_out(left_out)
    many = options.pos_label is None and has_more_than_two(true=true, predicted=predicted)
    scores = score(
        true,
        predicted,
        metrics=options.metrics,
        pos_label=1 if many else positive_among(positive, true + predicted),
        at=at,
        total=options.total,
        confidence=options.confidence,
    )
    if not {*true} & {*predicted} and len({*true, *predicted}) > 2:
        columns_have = " and ".join(
            f"{column} has {shortened(', '.join(map(shown, sorted({*labels}))))}"
            for column, labels in zip(columns, (true, predicted), strict=True)
        )
        raise ValueError(f"{columns_have}: expected labels that both have")
    rows = scores.to_dict("records")
    if options.json:
        values = [{name: json_number(value) for name, value in row.items()} for row in rows]
        return Output(as_json(values))
    titles = {True: "Change with prevalence", False: "Do not change with prevalence"}
    tables: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        cells = {head: row[name] for name, head in SHOWN.items() if many or name != "class"}
        if many and row["class"] is None:
            cells["class"] = "all"
        title = titles[row["changes_with_prevalence"]]
        if many and row["prevalence_known_by"] == "search":
            title += ", as far as a search tells"
        tables.setdefault(title, []).append(cells)
    legend = (
        f"Values {at.where}, each with its {percent(options.confidence)} interval from low to high"
        f", {at.assumption}."
    )
    if left_out:
        legend += f" Rows without a label or prediction, which are left out: {left_out}."
    title = f"Scores of {named([Path(path).name for path in options.predictions])}"
    summary = Summary(title, paragraphs=[legend], tables=tables)
    return Output(summary.to_text(color=colored()))
