"""The command ``skewproof decide``."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pandas as pd

from skewproof.cli.shared import options as common
from skewproof.cli.shared.command import command, option
from skewproof.cli.shared.output import Result
from skewproof.cli.shared.reading import titled
from skewproof.cli.shared.scores import read_scores
from skewproof.core.arguments import expect_share
from skewproof.core.messages import printable
from skewproof.decisions.implied import implied_thresholds
from skewproof.decisions.net_benefit import TREAT_ALL, decision_curve, useful_thresholds
from skewproof.intervals.estimates import in_digits_of_width, percent
from skewproof.metrics.lookup import as_metrics
from skewproof.plot.decision_curves import DecisionCurveDisplay, curve_title
from skewproof.prevalence.prevalence import Prevalence
from skewproof.reporting.result_table import rows_for_machines
from skewproof.reporting.summary import Summary

DEFAULT_METRICS = ("f1", "mcc", "balanced_accuracy", "accuracy")

SHOWN = ("1e", "2e", "5e")
"""Beginnings, in scientific notation, of the thresholds printed by default: .01, .02, .05 and so
on."""


@command(
    "decide",
    common.files("true labels and probabilities"),
    common.TRUE,
    option(
        "--score COLUMN...", "Columns of probabilities, one for each model.", default=["y_score"]
    ),
    common.POS_LABEL,
    common.AT,
    option(
        "--threshold T...",
        "Threshold probabilities; acting at T accepts (1 - T)/T false alarms for a hit.",
        type=float,
    ),
    option(
        "--trained PREVALENCE",
        "Prevalence for which the probabilities are calibrated, such as 1:1, if they are to be"
        " adjusted.",
    ),
    common.metrics(
        f"Metrics whose implied thresholds are shown.  [default: {' '.join(DEFAULT_METRICS)}]"
    ),
    option(
        "--cutoff P",
        "Cut-off of the first model for the thresholds that metrics imply.",
        type=float,
        default=0.5,
    ),
    common.CONFIDENCE,
    option("--simultaneous", "Widen the intervals to hold at all thresholds of a model at once."),
    common.GROUPS,
    common.FIGURE,
    option("--csv", "Print the curves as CSV."),
    example="skewproof decide scores.csv --at 1:1000 --threshold 0.01 0.05",
    exclusive=[("csv", "json")],
)
def run(options: SimpleNamespace) -> Result:
    """Compare the net benefit of acting on predicted probabilities with that of acting on all
    instances and on none, with intervals.
    """
    at = Prevalence.given(options.at, "--at")
    trained = options.trained
    if trained is not None:
        trained = Prevalence.given(trained, "--trained")
    metrics = as_metrics(options.metrics or DEFAULT_METRICS)
    expect_share("cutoff", options.cutoff)
    columns = {"true": options.true, "scores": options.score, "pos_label": options.pos_label}
    with read_scores(options.predictions, **columns, groups=options.groups) as scored:
        curve = decision_curve(
            scored.rows,
            y_true=options.true,
            y_prob=options.score,
            at=at,
            thresholds=options.threshold or None,
            trained=trained,
            confidence=options.confidence,
            simultaneous=options.simultaneous,
            groups=options.groups,
            pos_label=scored.pos_label,
        )
        matrix = scored.matrix(options.score[0], options.cutoff)
    implied = implied_thresholds(matrix, metrics=metrics, at=at)
    title = curve_title(at, options.confidence, simultaneous=options.simultaneous)
    display = DecisionCurveDisplay(curve=curve, implied=implied, title=title)
    tables = {"curve": curve, "useful": useful_thresholds(curve), "implied": implied}
    rows = {name: rows_for_machines(table) for name, table in tables.items()}
    data = {"at": str(at), "confidence": options.confidence, **rows}
    text = curve.to_csv(index=False) if options.csv else _summary(**tables, at=at, options=options)
    return Result(text, data, curve, figure=lambda: display.plot().figure_)


def _summary(
    curve: pd.DataFrame,
    useful: pd.DataFrame,
    implied: pd.DataFrame,
    at: Prevalence,
    options: SimpleNamespace,
) -> Summary:
    """Summarize the curves in sentences and in tables."""
    rows = curve
    if not options.threshold:
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
        f", {at.assumption('groups' if options.groups else 'instances')}."
    )
    return Summary(
        f"Decisions by {titled(options.predictions)}",
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
    )


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


def _adjustment(options: SimpleNamespace) -> str:
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
