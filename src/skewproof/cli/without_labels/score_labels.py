"""The command ``skewproof score-labels``."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pandas as pd

from skewproof.cli.shared.columns import read_columns
from skewproof.cli.shared.command import command
from skewproof.cli.shared.options import CONFIDENCE, NAMES, POS_LABEL, TRUE, files, metrics
from skewproof.cli.shared.output import Result
from skewproof.cli.shared.predictions import numbers, rows_for_machines
from skewproof.cli.shared.reading import named
from skewproof.core.data.label_texts import as_text, positive_among
from skewproof.intervals.estimates import percent
from skewproof.reporting.summary import Summary
from skewproof.unlabeled.labeling import estimate_from_labels

DEFAULT_METRICS = ("f1", "precision", "recall")

SHOWN = ("metric", "value", "low", "high")
"""Printed columns."""

NEEDED = ("stratum", "called", "stratum_size", "stratum_labels")
"""Columns that plan-labels writes."""


@command(
    "score-labels",
    files("the rows that plan-labels wrote and a column of labels"),
    TRUE,
    POS_LABEL,
    metrics(f"{NAMES}.  [default: {' '.join(DEFAULT_METRICS)}]"),
    CONFIDENCE,
    example="skewproof score-labels labeled.csv --metrics f1 precision",
)
def run(options: SimpleNamespace) -> Result:
    """Estimate metrics of all predictions, with intervals, from the labels of the rows that
    plan-labels chose.
    """
    needed = (options.true, *NEEDED)
    (labels, *columns), without, positive = read_columns(
        options.predictions, needed, options.pos_label
    )
    if without:
        raise ValueError(
            f"{named(options.predictions)}: rows without a label, stratum or size: {without};"
            " expected a label for every row that plan-labels chose"
        )
    plan = pd.DataFrame(dict(zip(NEEDED, columns, strict=True)))
    for name in NEEDED:
        if name != "called":
            plan[name] = numbers(plan[name], f"column {name}")
    plan["called"] = plan["called"].map(as_text).str.lower() == "true"
    estimates = estimate_from_labels(
        options.metrics or list(DEFAULT_METRICS),
        plan,
        labels,
        pos_label=positive_among(positive, labels),
        confidence=options.confidence,
    )
    first = estimates.iloc[0]
    terms = (
        f"Values hold for all {first['instances']:,} instances. Each has its"
        f" {percent(options.confidence)} interval from low to high. Of the labeled instances,"
        f" {first['positives_called']:,} of {first['labels_called']:,} called positive are"
        f" positive, and {first['positives_not_called']:,} of {first['labels_not_called']:,} called"
        " negative."
    )
    name = named([Path(path).name for path in options.predictions])
    summary = Summary(
        f"By the labels in {name}",
        paragraphs=[terms],
        tables={"Metrics": estimates[list(SHOWN)].to_dict("records")},
    )
    return Result(summary, rows_for_machines(estimates), estimates)
