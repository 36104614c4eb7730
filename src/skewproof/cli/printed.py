"""The command ``skewproof printed``."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import click

from skewproof.audits.printed_scores import MOST_MATRICES, PrintedScores, printed, printed_means
from skewproof.cli.shared.command import FINDING, command, option
from skewproof.cli.shared.options import AT, CONFIDENCE, NAMES, metrics
from skewproof.cli.shared.output import Result
from skewproof.intervals.estimates import in_digits_of_width, percent
from skewproof.prevalence.prevalence import Prevalence
from skewproof.sensitivity.printed_scores.digits import ROUNDINGS

OF_ONE_MATRIX = ("prevalence", "total", "predicted_positives")
"""Options that means over folds do not have."""


@command(
    "printed",
    click.Argument(
        ["scores"],
        nargs=-1,
        required=True,
        metavar="METRIC=VALUE...",
        help=f"Printed scores with all their digits, such as accuracy=0.9033 or recall=85%."
        f" {NAMES}.",
    ),
    option("--positives NUMBER", "Number of positives, or a range such as 90..110."),
    option("--negatives NUMBER", "Number of negatives, or a range."),
    option("--prevalence SHARE", "Printed share of positives, instead of both numbers."),
    option("--total NUMBER", "With --prevalence: largest number of instances.", type=int),
    option(
        "--folds NUMBER",
        "The scores are means over so many stratified folds; a deviation and a range may follow, as"
        " 'f1=0.85 ± 0.03 (range 0.80-0.91)'.",
        type=int,
    ),
    option("--predicted-positives NUMBER", "Number of positive predictions, if known.", type=int),
    option(
        f"--rounding [{'|'.join(ROUNDINGS)}]",
        "How the scores were rounded.",
        type=click.Choice(ROUNDINGS),
        default="half up",
    ),
    metrics(f"Other scores to compute. {NAMES}."),
    AT,
    CONFIDENCE,
    example="skewproof printed accuracy=0.9033 recall=0.85 --positives 100 --negatives 200"
    " --metrics f1 --at 1:500",
    exclusive=[("folds", other) for other in (*OF_ONE_MATRIX, "metrics")],
)
def run(options: SimpleNamespace) -> Result:
    """Find all confusion matrices with printed scores, and what other scores they have.

    The exit status is 3 if no matrix has the scores.
    """
    scores: dict[Any, str] = {}
    for text in options.scores:
        name, sign, value = text.rpartition("=")  # a name may have one, as robust_mcc(d=0.05)
        if not sign or name in scores:
            raise ValueError(f"{text}: expected METRIC=VALUE, each metric once")
        scores[name] = value
    at = Prevalence.given(options.at, "--at")
    shared = {name: _size(getattr(options, name)) for name in ("positives", "negatives")}
    shared["rounding"] = options.rounding
    if options.folds is not None:
        means = printed_means(scores, folds=options.folds, **shared)
        table = means.to_frame().to_dict("records")
        data = {"possible": means.possible, "verdict": means.verdict, "folds": table}
        return Result(means, data, table, FINDING if means.possible is False else 0)
    shared |= {name: getattr(options, name) for name in OF_ONE_MATRIX}
    behind = printed(scores, **shared)
    rows = [_other_score(behind, metric, at, options.confidence) for metric in options.metrics]
    summary = behind.summary()
    if behind.possible and rows:
        title = f"Other scores; interval {at.where}, {percent(options.confidence)}"
        summary = replace(summary, tables={**summary.tables, title: rows})
    data = behind.to_dict() | {"other_scores": rows if behind.possible else []}
    return Result(summary, data, data["matrices"], 0 if behind.possible else FINDING)


def _size(text: str | None) -> Any:
    """Read a number or a range of numbers; anything else is refused later."""
    ends = [int(part) if part.isdecimal() else part for part in (text or "").split("..")]
    return None if text is None else ends[0] if len(ends) == 1 else tuple(ends)


def _other_score(
    behind: PrintedScores, metric: str, at: Prevalence, confidence: float
) -> dict[str, Any]:
    """Compute the range of a score over the matrices and, of few matrices, its interval."""
    smallest, largest = behind.range(metric)
    row: dict[str, Any] = {"metric": metric, "smallest": smallest, "largest": largest}
    if 0 < behind.number <= MOST_MATRICES:
        interval = behind.interval(metric, at=at, confidence=confidence)
        numbers = in_digits_of_width(interval.value, interval.low, interval.high)
        row |= dict(zip(("value", "low", "high"), numbers, strict=True))
    return row
