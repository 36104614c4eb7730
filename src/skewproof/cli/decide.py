"""The command ``skewproof decide``."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import pandas as pd

from skewproof.cli.shared.completion import offer_keys
from skewproof.cli.shared.output import Output, as_json, colored
from skewproof.cli.shared.predictions import (
    add_at,
    add_files,
    check_figure,
    progress,
    rows_for_machines,
    save,
)
from skewproof.cli.shared.scores import named, read_scores
from skewproof.core.arguments import expect_share
from skewproof.core.messages import printable
from skewproof.decisions.implied import implied_thresholds
from skewproof.decisions.net_benefit import TREAT_ALL, decision_curve, useful_thresholds
from skewproof.intervals.estimates import in_digits_of_width, percent
from skewproof.metrics.lookup import as_metrics
from skewproof.plot.decision_curves import DecisionCurveDisplay, curve_title
from skewproof.prevalence.prevalence import Prevalence
from skewproof.reporting.summary import Summary

DEFAULT_METRICS = ("f1", "mcc", "balanced_accuracy", "accuracy")

SHOWN = ("1e", "2e", "5e")
"""Beginnings, in scientific notation, of the thresholds printed by default: .01, .02, .05 and so
on."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command and add its arguments."""
    parser.description = (
        "Compare the net benefit of acting on predicted probabilities with that of"
        " acting on all instances and on none, with intervals."
    )
    add_files(parser, "true labels and probabilities")
    parser.add_argument(
        "--true", default="y_true", metavar="COLUMN", help="column of true labels; default: y_true"
    )
    parser.add_argument(
        "--score",
        nargs="+",
        default=["y_score"],
        metavar="COLUMN",
        help="columns of probabilities, one for each model; default: y_score",
    )
    parser.add_argument(
        "--pos-label", default="1", metavar="LABEL", help="the positive label; default: 1"
    )
    add_at(parser)
    parser.add_argument(
        "--threshold",
        nargs="+",
        type=float,
        metavar="T",
        help="threshold probabilities; acting at T accepts (1 - T)/T false alarms for a hit",
    )
    parser.add_argument(
        "--trained",
        metavar="PREVALENCE",
        help="prevalence for which the probabilities are calibrated, such as 1:1, if they are to"
        " be adjusted",
    )
    offer_keys(
        parser.add_argument(
            "--metrics",
            nargs="+",
            default=list(DEFAULT_METRICS),
            metavar="METRIC",
            help="metrics whose implied thresholds are shown; default:"
            f" {' '.join(DEFAULT_METRICS)}",
        )
    )
    parser.add_argument(
        "--cutoff",
        type=float,
        default=0.5,
        metavar="P",
        help="cut-off of the first model for the thresholds that metrics imply; default: 0.5",
    )
    parser.add_argument(
        "--confidence", type=float, default=0.95, help="confidence of the intervals; default: 0.95"
    )
    parser.add_argument(
        "--simultaneous",
        action="store_true",
        help="widen the intervals to hold at all thresholds of a model at once",
    )
    parser.add_argument("--figure", type=Path, metavar="FILE", help="save a figure to this file")
    parser.add_argument("--csv", action="store_true", help="print the curves as CSV")


def run(options: argparse.Namespace) -> Output:
    """Compute decision curves."""
    if options.csv and options.json:
        raise ValueError("--csv and --json: expected only one of them")
    check_figure(options.figure)
    at = Prevalence.given(options.at, "--at")
    trained = options.trained
    if trained is not None:
        trained = Prevalence.given(trained, "--trained")
    metrics = as_metrics(options.metrics)
    expect_share("cutoff", options.cutoff)
    columns = {"true": options.true, "scores": options.score, "pos_label": options.pos_label}
    with read_scores(options.predictions, **columns) as scored, progress("reading scores"):
        curve = decision_curve(
            scored.rows,
            y_true=options.true,
            y_prob=options.score,
            at=at,
            thresholds=options.threshold,
            trained=trained,
            confidence=options.confidence,
            simultaneous=options.simultaneous,
            pos_label=scored.pos_label,
        )
        matrix = scored.matrix(options.score[0], options.cutoff)
    implied = implied_thresholds(matrix, metrics=metrics, at=at)
    if options.figure:
        title = curve_title(at, options.confidence, simultaneous=options.simultaneous)
        display = DecisionCurveDisplay(curve=curve, implied=implied, title=title).plot()
        save(display.figure_, options.figure)
    if options.csv:
        return Output(curve.to_csv(index=False))
    useful = useful_thresholds(curve)
    if options.json:
        tables = {"curve": curve, "useful": useful, "implied": implied}
        rows = {name: rows_for_machines(table) for name, table in tables.items()}
        return Output(as_json({"at": str(at), "confidence": options.confidence, **rows}))
    return Output(_for_readers(curve, useful, implied, at, options))


def _for_readers(
    curve: pd.DataFrame,
    useful: pd.DataFrame,
    implied: pd.DataFrame,
    at: Prevalence,
    options: argparse.Namespace,
) -> str:
    """Summarize the curves in sentences and in tables of at most 80 columns."""
    rows = curve
    if options.threshold is None:
        rows = curve[curve["threshold"].map(_is_shown)]
    rows = rows.sort_values("threshold", kind="stable")
    models = rows["model"].isin(useful["model"])
    net_benefit = _table(rows[models | (rows["model"] == TREAT_ALL)], "net_benefit")
    avoided = _table(rows[models], "interventions_avoided")
    together = ", at all thresholds of a model at once" if options.simultaneous else ""
    legend = (
        f"Net benefit {at.where}: hits minus false alarms, per instance, where a false alarm counts"
        " t/(1 - t) at the threshold probability t. Treating none has a net benefit of 0. Each"
        f" value has its {percent(options.confidence)} interval from low to high{together}"
        f", {at.assumption}."
    )
    return Summary(
        f"Decisions by {named([Path(path).name for path in options.predictions])}",
        paragraphs=[legend, _adjustment(options), *map(_said, useful.to_dict("records"))],
        tables={
            "Net benefit": net_benefit,
            "Interventions avoided per 100 instances, compared with treating all": avoided,
            f"Thresholds that metrics imply, where {options.score[0]} is cut at"
            f" {options.cutoff:g}": [
                {
                    "metric": row["metric"],
                    "threshold": row["threshold"],
                    "false alarms for a hit": row["hit_is_worth"],
                    "remark": row["remark"],
                }
                for row in implied.to_dict("records")
            ],
        },
    ).to_text(color=colored())


def _is_shown(threshold: float) -> bool:
    text = f"{threshold:.2e}"
    return text.replace(".00", "").startswith(SHOWN)


def _table(rows: pd.DataFrame, quantity: str) -> list[dict[str, Any]]:
    """Write a quantity with its interval, in as many decimals as its width needs."""
    table = []
    for row in rows.to_dict("records"):
        numbers = in_digits_of_width(*(row[f"{quantity}{end}"] for end in ("", "_low", "_high")))
        ends = dict(zip(("value", "low", "high"), numbers, strict=True))
        table.append({"threshold": f"{row['threshold']:g}", "model": row["model"], **ends})
    return table


def _adjustment(options: argparse.Namespace) -> str:
    if options.trained is None:
        return (
            "Probabilities are not adjusted; --trained adjusts probabilities that are calibrated"
            " for another prevalence."
        )
    return f"Probabilities are adjusted from the prevalence {options.trained}."


def _said(useful: dict[str, Any]) -> str:
    """Name the range of thresholds at which a model is useful."""
    name = printable(str(useful["model"]))
    if not useful["first"] <= useful["last"]:
        return f"{name} is not worth more than treating all and treating none at any threshold."
    worth = f"{name} is worth more than treating all and treating none"
    if useful["first_sure"] <= useful["last_sure"]:
        run = f"{useful['first_sure']:g} to {useful['last_sure']:g}"
        return f"{worth} at thresholds from {run}, as the intervals show."
    run = f"{useful['first']:g} to {useful['last']:g}"
    return f"{worth} at thresholds from {run} by its values, but the intervals do not show it."
