"""The command ``skewproof score --reference``: predictions without labels."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import pandas as pd

from skewproof.cli.shared.output import Output, as_json, colored
from skewproof.cli.shared.predictions import check, progress, rows_for_machines, save
from skewproof.cli.shared.scores import named
from skewproof.core.arguments import expect, expect_confidence
from skewproof.core.label_texts import slice_name, typed_label
from skewproof.intervals.estimates import percent
from skewproof.intervals.without_labels import CAUTION, PREVALENCE
from skewproof.multiclass.lookup import as_metric_or_measure
from skewproof.prevalence.prevalence import INDEPENDENT
from skewproof.reporting.summary import Summary, wrapped
from skewproof.slices.files import read_predictions
from skewproof.unlabeled.unlabeled_figure import plot_estimates
from skewproof.unlabeled.unlabeled_slices import score_unlabeled

ONLY_WITH_REFERENCE = ("score", "threshold", "by", "figure", "these_instances")
"""Options that have no meaning if the predictions have labels."""


def add_unlabeled(parser: argparse.ArgumentParser) -> None:
    """Add the arguments for predictions without labels."""
    group = parser.add_argument_group(
        "predictions without labels",
        "Estimate prevalence and metrics from a labeled reference of the same classifier, if"
        " instances of each class look the same in both files.",
    )
    group.add_argument("--reference", metavar="FILE", help="labeled CSV, Parquet or JSON file")
    group.add_argument(
        "--score", metavar="COLUMN", help="column of scores in both files; needs --threshold"
    )
    group.add_argument(
        "--threshold", type=float, metavar="T", help="scores of at least T are predicted positive"
    )
    group.add_argument("--by", nargs="+", metavar="COLUMN", help="columns that define the slices")
    group.add_argument(
        "--these-instances",
        action="store_true",
        help="estimate metrics of exactly these instances; default: metrics of the population from"
        " which they come",
    )
    group.add_argument("--figure", type=Path, metavar="FILE", help="save a figure to this file")


def refuse_without_reference(options: argparse.Namespace) -> None:
    """Refuse options that need --reference.

    Raises
    ------
    ValueError
        If there is such an option; the message names it.
    """
    for name in ONLY_WITH_REFERENCE:
        value = getattr(options, name)
        given = value is not None and value is not False
        expect(not given, f"--{name.replace('_', '-')}", value, "it only with --reference")


def score_without_labels(options: argparse.Namespace) -> Output:
    """Estimate prevalence and metrics; the exit code is 1 if all slices are refused.

    Raises
    ------
    ValueError, KeyError, OSError, MissingExtraError
        If files can't be read or counted, or the reference is invalid.
    """
    for name, given in (("--at", options.at != "population"), ("--total", options.total)):
        value = getattr(options, name.removeprefix("--"))
        expect(not given, name, value, "no value with --reference, which determines it")
    check(options)
    expect_confidence("confidence", options.confidence)
    for metric in options.metrics or ():
        as_metric_or_measure(metric)
    predicted = options.predicted or (None if options.score else "y_pred")
    columns = [column for column in (predicted,) if column is not None]
    numbers = [column for column in (options.score,) if column is not None]
    with (
        read_predictions(options.predictions, labels=columns, numbers=numbers) as production,
        read_predictions(
            options.reference, labels=[options.true, *columns], numbers=numbers
        ) as reference,
        progress("counting predictions"),
    ):
        estimates = score_unlabeled(
            production,
            reference,
            y_true=options.true,
            y_pred=predicted,
            y_score=options.score,
            threshold=options.threshold,
            by=options.by or (),
            metrics=options.metrics,
            pos_label=options.pos_label and typed_label(options.pos_label, reference, options.true),
            of_instances=options.these_instances,
            confidence=options.confidence,
        )
    if options.figure:
        save(plot_estimates(estimates), options.figure)
    exit_code = 1 if _refused(estimates) else 0
    if options.json:
        return Output(as_json(rows_for_machines(estimates)), exit_code)
    return Output(_for_readers(estimates, options), exit_code)


def _refused(estimates: pd.DataFrame) -> bool:
    """Return whether all slices are refused."""
    return bool(estimates["sentence"].str.startswith("Refused").all())


def _for_readers(estimates: pd.DataFrame, options: argparse.Namespace) -> str:
    """Write tables of at most 80 columns, and sentences that summarize them."""
    keys = list(options.by or ())
    name = named([Path(path).name for path in options.predictions])
    tables: dict[str, list[dict[str, Any]]] = {}
    sentences: dict[str, str] = {}
    last = estimates["metric"].iloc[-1]
    speaking = PREVALENCE if estimates["metric"].iloc[0] == PREVALENCE else last
    for row in estimates.to_dict("records"):
        label = slice_name(row[key] for key in keys) if keys else name
        numbers = {column: row[column] for column in ("value", "low", "high")}
        sizes = {"instances": str(row["instances"])}
        if pd.notna(row["called"]):  # missing for metrics
            sizes["called"] = str(row["called"])
        tables.setdefault(row["metric"], []).append({"slice": label} | numbers | sizes)
        if row["metric"] == speaking:
            sentences[label] = row["sentence"].split(CAUTION)[0]
    terms = (
        f"Each value has its {percent(options.confidence)} interval from low to high,"
        f" {INDEPENDENT} and those of each class look as they do in the reference. Called is the"
        " number of instances predicted as the class."
    )
    paragraphs = [terms] if _refused(estimates) else [terms, CAUTION]
    summary = Summary(f"Without labels: {name}", paragraphs=paragraphs, tables=tables)
    lines = "\n".join(wrapped(f"{label}: {text}") for label, text in sentences.items())
    return f"{summary.to_text(color=colored())}\n{lines}\n"
