"""Options and arguments that several commands share."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import click

from skewproof.cli.shared.command import complete_files, complete_keys, option

FORMULA = "A metric's key or name, or a formula in tp, fp, fn, tn, P, N."

NAMES = "Keys, names, or formulas in tp, fp, fn, tn, P, N"

TRUE = option("--true COLUMN", "Column of true labels.", default="y_true")

PREDICTED = option("--predicted COLUMN", "Column of predicted labels.  [default: y_pred]")

SCORE = option("--score COLUMN", "Column of scores instead of labels; needs --threshold.")

THRESHOLD = option("--threshold T", "Scores of at least T are predicted positive.", type=float)

WEIGHT = option(
    "--weight COLUMN",
    "Column of instance weights; if all are whole numbers, they are counts of instances.",
)

GROUPS = option(
    "--groups COLUMN",
    "Column of groups of rows that belong together, such as the patient, if there are any.",
)

POS_LABEL = option("--pos-label LABEL", "The positive label.", default="1")

POS_LABEL_OF_TWO = option(
    "--pos-label LABEL",
    "The positive label.  [default: 1 if there are two labels; otherwise each is a class]",
)

CONFIDENCE = option("--confidence NUMBER", "Confidence of the intervals.", type=float, default=0.95)

FIGURE = option("--figure FILE", "Save a figure to this file.", type=Path)

MARKDOWN = option("--markdown", "Print Markdown.")

AT = option(
    "--at PREVALENCE",
    "Prevalence for which the values hold: 0.001 or 1:1000 (stated), 12/4000 (counted in a"
    " sample), 0.001..0.01 (a range), 'beta(2, 500)' (a belief), population, or 'test set'.",
    default="population",
)

RECOGNIZED = (
    option("--true COLUMN", "Column of true labels."),
    option("--predicted COLUMN", "Column of predicted labels."),
    option("--score COLUMN", "Column of scores or probabilities of the class of interest."),
    option("--models COLUMN...", "Columns of several models: scores, or predicted labels."),
    GROUPS,
    option("--time COLUMN", "Column with the period."),
    option("--by COLUMN...", "Columns that define slices, each by itself."),
    option(
        "--pos-label LABEL",
        "The positive label.  [default: 1, yes, true, positive or the like, else the rarer of two]",
    ),
    option(
        "--at PREVALENCE",
        "Prevalence where the classifier will run, as for the command score.",
    ),
)
"""Columns that are recognized if no option names them, and what is asked about them."""


def files(content: str = "") -> click.Argument:
    """Make the argument that names files of predictions."""
    said = f" with {content}" if content else ""
    return click.Argument(
        ["predictions"],
        nargs=-1,
        required=True,
        metavar="FILE...",
        shell_complete=complete_files,
        help=f"CSV, TSV, JSON or Parquet files{said}, globs in quotation marks, or - for standard"
        " input.",
    )


COUNTED = (files(), TRUE, PREDICTED, SCORE, THRESHOLD, WEIGHT, GROUPS, POS_LABEL_OF_TWO)
"""Files of predictions, and the columns to count."""


def metric(help: str = FORMULA) -> click.Argument:
    """Make the argument that names a metric."""
    return click.Argument(["metric"], shell_complete=complete_keys, help=help)


def metrics(help: str) -> click.Option:
    """Make the option that names metrics."""
    return option("--metrics METRIC...", help, shell_complete=complete_keys)


def check_score(options: SimpleNamespace) -> None:
    """Refuse a score without a threshold, and a threshold without a score."""
    if (options.score is None) != (options.threshold is None):
        given = "--score" if options.threshold is None else "--threshold"
        raise ValueError(f"{given} is given alone: expected --score and --threshold together")


def columns(options: SimpleNamespace) -> tuple[str | None, list[str], list[str]]:
    """Return the column of predicted labels, if any, and those of predictions by their kind."""
    predicted: str | None = options.predicted or (None if options.score else "y_pred")
    numbers: list[Any] = [options.score, getattr(options, "weight", None)]
    return (
        predicted,
        [] if predicted is None else [predicted],
        [name for name in numbers if name is not None],
    )
