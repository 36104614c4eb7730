"""The command ``skewproof plan-labels``."""

from __future__ import annotations

import argparse
import contextlib
from pathlib import Path
from typing import Any

from skewproof.cli.shared.output import Output, as_json
from skewproof.cli.shared.predictions import progress, rows_for_machines
from skewproof.core.arguments import expect_whole
from skewproof.core.label_texts import typed_label
from skewproof.core.messages import shown
from skewproof.metrics.lookup import as_metric
from skewproof.reporting.summary import text_table, wrapped
from skewproof.slices.files import read_predictions
from skewproof.unlabeled.label_plans import LabelPlan
from skewproof.unlabeled.labeling import plan_labels

AS_THEY_ARE = ("labels", "threshold", "strata", "least", "confidence")
"""Options that are passed to the plan unchanged."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command and add its arguments."""
    parser.description = (
        "Choose the rows of files whose labels are most informative about a metric, and"
        " print the width of the interval to expect from them."
    )
    parser.add_argument(
        "metric", help="a metric's key or name, or a formula in tp, fp, fn, tn, P, N"
    )
    parser.add_argument(
        "predictions",
        nargs="+",
        metavar="FILE",
        help="CSV, Parquet or JSON files without labels, or globs in quotation marks",
    )
    parser.add_argument(
        "--row-id", required=True, metavar="COLUMN", help="column with a different id for each row"
    )
    parser.add_argument("--labels", type=int, required=True, help="number of rows to label")
    predicted = parser.add_mutually_exclusive_group()
    predicted.add_argument(
        "--predicted", metavar="COLUMN", help="column of predicted labels; default: y_pred"
    )
    predicted.add_argument(
        "--score", metavar="COLUMN", help="column of scores instead of labels; needs --threshold"
    )
    parser.add_argument(
        "--threshold", type=float, metavar="T", help="scores of at least T are predicted positive"
    )
    parser.add_argument(
        "--pos-label", default="1", metavar="LABEL", help="the positive label; default: 1"
    )
    parser.add_argument(
        "--reference",
        metavar="FILE",
        help="labeled file from which the probability that a score belongs to a positive is"
        " estimated; default: scores are probabilities",
    )
    parser.add_argument(
        "--true",
        default="y_true",
        metavar="COLUMN",
        help="column of true labels of the reference; default: y_true",
    )
    parser.add_argument(
        "--strata", type=int, help="number of strata on each side of the cut-off; default: 3"
    )
    parser.add_argument("--least", type=int, help="fewest labels in each stratum; default: 5")
    parser.add_argument(
        "--confidence", type=float, help="confidence of the interval; default: 0.95"
    )
    parser.add_argument("--seed", type=int, default=0, help="seed of the draw; default: 0")
    parser.add_argument(
        "--output",
        type=Path,
        metavar="FILE",
        help="CSV file to which the rows to label are written",
    )


def run(options: argparse.Namespace) -> Output:
    """Choose the rows.

    Raises
    ------
    ValueError, KeyError, OSError, MissingExtraError
        If the files can't be read, the output can't be written, or the plan is invalid.
    """
    path: Path | None = options.output
    if path is not None and not path.parent.is_dir():
        raise ValueError(f"--output {shown(str(path))}: expected a folder that exists")
    plan = _planned(options)
    rows = plan.to_frame(options.row_id)
    if path is not None:
        rows.to_csv(path, index=False)
    if options.json:
        numbers = {
            "value": plan.value,
            "width": plan.width,
            "random_width": plan.random_width,
            "confidence": plan.confidence,
        }
        tables = {
            "strata": rows_for_machines(plan.strata),
            "rows": rows_for_machines(rows),
        }
        return Output(
            as_json([{"metric": plan.metric, "sentence": plan.sentence, **numbers, **tables}])
        )
    strata = plan.strata.assign(called=plan.strata["called"].map({True: "yes", False: "no"}))
    return Output(f"{wrapped(plan.sentence)}\n\n{text_table(strata.to_dict('records'))}\n")


def _planned(options: argparse.Namespace) -> LabelPlan:
    """Plan labels for the predictions in files."""
    metric = as_metric(options.metric, key="metric")
    if (options.score is None) != (options.threshold is None):
        given = "--score" if options.threshold is None else "--threshold"
        raise ValueError(f"{given} is given alone: expected --score and --threshold together")
    predicted = options.predicted or (None if options.score else "y_pred")
    columns = [column for column in (predicted,) if column is not None]
    numbers = [column for column in (options.score,) if column is not None]
    chosen = {name: getattr(options, name) for name in AS_THEY_ARE}
    arguments: dict[str, Any] = {
        "row_id": options.row_id,
        "y_pred": predicted,
        "y_score": options.score,
        "rng": expect_whole("--seed", options.seed),
        **{name: value for name, value in chosen.items() if value is not None},
    }
    with contextlib.ExitStack() as files:
        rows = files.enter_context(
            read_predictions(options.predictions, labels=columns, numbers=numbers)
        )
        files.enter_context(progress("counting predictions"))
        pos_label_in = rows, predicted or ""
        if options.reference is not None:
            reference = files.enter_context(
                read_predictions(
                    options.reference, labels=[options.true, *columns], numbers=numbers
                )
            )
            pos_label_in = reference, options.true
            arguments |= {"reference": reference, "y_true": options.true}
        pos_label = typed_label(options.pos_label, *pos_label_in)
        return plan_labels(metric, rows, pos_label=pos_label, **arguments)
