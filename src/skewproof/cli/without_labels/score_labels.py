"""The command ``skewproof score-labels``."""

from __future__ import annotations

import argparse
from pathlib import Path

import pandas as pd

from skewproof.cli.shared.columns import read_columns
from skewproof.cli.shared.output import Output, as_json
from skewproof.cli.shared.predictions import numbers, rows_for_machines
from skewproof.core.label_texts import as_text, positive_among
from skewproof.core.messages import printable
from skewproof.intervals.estimates import percent
from skewproof.reporting.summary import Summary
from skewproof.unlabeled.labeling import estimate_from_labels

DEFAULT_METRICS = ("f1", "precision", "recall")

SHOWN = ("metric", "value", "low", "high")
"""Printed columns."""

NEEDED = ("stratum", "called", "stratum_size", "stratum_labels")
"""Columns that plan-labels writes."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command and add its arguments."""
    parser.description = (
        "Estimate metrics of all predictions, with intervals, from the labels of the"
        " rows that plan-labels chose."
    )
    parser.add_argument(
        "labeled",
        type=Path,
        help="file that plan-labels wrote, with a column of labels added; CSV, Parquet or JSON",
    )
    parser.add_argument(
        "--true", default="y_true", metavar="COLUMN", help="column of true labels; default: y_true"
    )
    parser.add_argument(
        "--pos-label", default="1", metavar="LABEL", help="the positive label; default: 1"
    )
    parser.add_argument(
        "--metrics",
        nargs="+",
        default=DEFAULT_METRICS,
        metavar="METRIC",
        help="keys, names, or formulas in tp, fp, fn, tn, P, N; default: f1, precision and recall",
    )
    parser.add_argument(
        "--confidence", type=float, default=0.95, help="confidence of the intervals; default: 0.95"
    )


def run(options: argparse.Namespace) -> Output:
    """Estimate the metrics.

    Raises
    ------
    ValueError, KeyError, OSError
        If the file can't be read, lacks a column or a label, or a metric is unknown.
    """
    needed = (options.true, *NEEDED)
    (labels, *columns), without, positive = read_columns(
        [str(options.labeled)], needed, options.pos_label
    )
    if without:
        raise ValueError(
            f"{options.labeled}: rows without a label, stratum or size: {without}; expected a label"
            " for every row that plan-labels chose"
        )
    plan = pd.DataFrame(dict(zip(NEEDED, columns, strict=True)))
    for name in NEEDED:
        if name != "called":
            plan[name] = numbers(plan[name], f"column {name}")
    plan["called"] = plan["called"].map(as_text).str.lower() == "true"
    estimates = estimate_from_labels(
        list(options.metrics),
        plan,
        labels,
        pos_label=positive_among(positive, labels),
        confidence=options.confidence,
    )
    if options.json:
        return Output(as_json(rows_for_machines(estimates)))
    first = estimates.iloc[0]
    terms = (
        f"Values hold for all {first['instances']:,} instances. Each has its"
        f" {percent(options.confidence)} interval from low to high. Of the labeled instances,"
        f" {first['positives_called']:,} of {first['labels_called']:,} called positive are"
        f" positive, and {first['positives_not_called']:,} of {first['labels_not_called']:,} called"
        " negative."
    )
    title = f"By the labels in {printable(options.labeled.name)}"
    tables = {"Metrics": estimates[list(SHOWN)].to_dict("records")}
    return Output(Summary(title, paragraphs=[terms], tables=tables).to_text(color=False))
