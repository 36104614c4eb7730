"""The command ``skewproof score-labels``."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pandas as pd

from skewproof.cli.shared.columns import read_columns
from skewproof.cli.shared.command import command, option
from skewproof.cli.shared.options import CONFIDENCE, NAMES, POS_LABEL, TRUE, files, metrics
from skewproof.cli.shared.output import Result
from skewproof.cli.shared.predictions import numbers, say_left_out
from skewproof.cli.shared.reading import titled
from skewproof.core.data.label_texts import as_text, positive_among
from skewproof.core.messages import shown
from skewproof.intervals.estimates import percent
from skewproof.reporting.result_table import rows_for_machines
from skewproof.reporting.summary import Summary
from skewproof.unlabeled.labeled_estimates import ROWS, estimate_from_labels

DEFAULT_METRICS = ("f1", "precision", "recall")

SHOWN = ("metric", "value", "low", "high")
"""Printed columns."""


@command(
    "score-labels",
    files("predictions and labels of some, or rows of plan-labels with a column of labels"),
    TRUE,
    option(
        "--predicted COLUMN",
        "Column of predicted labels, or verdicts, of all rows; leave it out for the rows that"
        " plan-labels wrote.",
    ),
    option("--strata COLUMN", "Column that labels were drawn by, beside the prediction."),
    option("--score COLUMN", "Column of scores, in which labeled rows must not differ."),
    option("--these-instances", "Estimate metrics of exactly these rows."),
    POS_LABEL,
    metrics(f"{NAMES}, or prevalence.  [default: {' '.join(DEFAULT_METRICS)}]"),
    option(
        "--at PREVALENCE",
        "Prevalence for which the values hold: 0.001 or 1:1000, or population.",
        default="population",
    ),
    CONFIDENCE,
    example="skewproof score-labels answers.csv --predicted passed --metrics prevalence",
)
def run(options: SimpleNamespace) -> Result:
    """Estimate metrics of all predictions, with intervals, from labels of some of the rows.

    Labels that are missing are empty. The others were drawn at random, from all rows or by
    prediction, or within the strata of a column.
    """
    known = {"y_pred": options.predicted, "strata": options.strata, "y_score": options.score}
    known = {name: column for name, column in known.items() if column is not None}
    if options.predicted is None:
        if known:
            raise ValueError(
                f"column {shown(min(known.values()))} without --predicted: expected it"
            )
        known = {name: name for name in ROWS if name != "y_true"}
    (labels, *columns), left_out, positive = read_columns(
        options.predictions,
        (options.true, *known.values()),
        options.pos_label,
        some_labels=True,
    )
    say_left_out(left_out, "their prediction or stratum is missing")
    data: dict[str, Any] = dict(zip(known, columns, strict=True))
    for name in {"size", "instances", "y_score"} & set(data):
        data[name] = numbers(data[name], f"column {known[name]}")
    data["y_true"] = labels
    if "called" in data:
        data["called"] = [as_text(called).lower() == "true" for called in data["called"]]
        data = {"y_true": pd.DataFrame(data)}
    estimates = estimate_from_labels(
        options.metrics or list(DEFAULT_METRICS),
        **data,
        of_instances=options.these_instances,
        at=options.at,
        pos_label=positive_among(positive, labels),
        confidence=options.confidence,
    )
    first = estimates.iloc[0]
    terms = (
        f"Values {first['where']}, each with its {percent(options.confidence)} interval from low"
        f" to high. Of the labeled instances, {first['positives_called']:,} of"
        f" {first['labels_called']:,} called positive are positive, and"
        f" {first['positives_not_called']:,} of {first['labels_not_called']:,} called negative."
    )
    remarks = [remark for remark in estimates["remark"].unique() if remark]
    name = titled(options.predictions)
    summary = Summary(
        f"By the labels in {name}",
        paragraphs=[terms, *remarks],
        tables={"Metrics": estimates[list(SHOWN)].to_dict("records")},
    )
    return Result(summary, rows_for_machines(estimates), estimates)
