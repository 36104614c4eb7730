"""The command ``skewproof threshold``."""

from __future__ import annotations

import math
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pandas as pd

from skewproof.cli.shared.command import FINDING, command, complete_keys, option
from skewproof.cli.shared.options import AT, GROUPS, POS_LABEL, TRUE, files
from skewproof.cli.shared.output import Result
from skewproof.cli.shared.predictions import numbers
from skewproof.cli.shared.scores import MOST_ROWS, Scored, read_scores
from skewproof.curves.bins import count_scores
from skewproof.curves.counts import score_counts
from skewproof.decisions.promised_threshold import (
    GroupedCalls,
    PromisedThreshold,
    Question,
    promised,
    promised_of_bins,
)
from skewproof.prevalence.prevalence import Prevalence
from skewproof.reporting.result_table import rows_for_machines
from skewproof.reporting.summary import json_number

BINS = 1_000_000
"""Number of bins of scores that are too many to be held in memory."""


@command(
    "threshold",
    files("true labels and scores"),
    option(
        "--require REQUIREMENT...",
        "Requirements such as 'precision >= 0.5' or, with --per, 'alarms <= 10', which all"
        " have to hold.",
        required=True,
    ),
    option(
        "--maximize METRIC",
        "Metric to maximize among the cut-offs that can be promised.  [default: recall; precision"
        " if only a least recall is required]",
        shell_complete=complete_keys,
    ),
    TRUE,
    option("--score COLUMN", "Column of scores.", default="y_score"),
    POS_LABEL,
    AT,
    option(
        "--per INSTANCES",
        "Number of instances to which requirements on counts, such as alarms, refer.",
        type=float,
    ),
    option(
        "--start CUT-OFF",
        "First cut-off that is tested, chosen without these labels; or 'everywhere'.",
    ),
    option("--confidence NUMBER", "Confidence of the promise.", type=float, default=0.95),
    GROUPS,
    example="skewproof threshold scores.csv --require 'precision >= 0.5' --at 1:1000",
)
def run(options: SimpleNamespace) -> Result:
    """Choose a cut-off of scores that meets requirements at a prevalence, with a stated confidence.

    The exit status is 3 if no cut-off can be promised. Up to 5,000,000 scores are exact; more are
    counted in bins, and the output has the largest error in the rates.
    """
    at = Prevalence.given(options.at, "--at")
    start = options.start
    if start not in (None, "everywhere"):
        start = numbers([start], "--start")[0]
    wanted = (options.require, options.maximize, options.confidence, options.per)
    question = Question.of(at, *wanted)
    columns = {"true": options.true, "scores": [options.score], "pos_label": options.pos_label}
    with read_scores(options.predictions, **columns, groups=options.groups) as scored:
        threshold, largest = _chosen(question, scored, options.score, start, options.groups)
    summary = threshold.summary()
    data = threshold.to_dict()
    if largest is not None:
        summary = replace(summary, paragraphs=[*summary.paragraphs, _bin_errors(scored, largest)])
        data["largest_bin"] = largest
    table = pd.json_normalize(data, sep="_")
    known = {name: json_number(value) for name, value in data.items()}
    known["rates"] = rows_for_machines(threshold.rates)
    return Result(summary, known, table, exit_code=0 if threshold.promised else FINDING)


def _chosen(
    question: Question, scored: Scored, score: str, start: Any, groups: str | None
) -> tuple[PromisedThreshold, dict[str, float] | None]:
    """Choose the cut-off, and find the largest share of a class in a bin if scores are binned.

    Scores of rows in groups are not binned.
    """
    if scored.number <= MOST_ROWS or groups is not None:
        positive, numbers = scored.arrays(score)
        counts, distinct = score_counts(positive, numbers, pos_label=True)
        grouped = None
        if groups is not None:
            grouped = GroupedCalls(positive, numbers, scored.column(groups))
        return promised(question, counts, distinct, distinct, start, grouped), None
    columns = {"y_true": scored.true, "y_score": score, "pos_label": scored.pos_label}
    bins = count_scores(scored.rows, **columns, bins=BINS)
    several = bins[bins["low"] < bins["high"]]
    classes = ("positives", "negatives")
    largest = {side: float(several[side].max() / bins[side].sum()) for side in classes}
    threshold = promised_of_bins(question, bins, start)
    return threshold, {side: 0.0 if math.isnan(share) else share for side, share in largest.items()}


def _bin_errors(scored: Scored, largest: dict[str, float]) -> str:
    """Describe the error in the rates that is due to bins."""
    shares = " and ".join(f"{100 * share:.2g} % of the {side}" for side, share in largest.items())
    return (
        f"The {scored.number:,} scores are counted in bins, and only the lowest score of a bin is a"
        " cut-off; the counts there are exact, and so is the promise. A bin of several scores has"
        f" at most {shares}: the rates at a cut-off within it differ by at most these shares from"
        " those at the next cut-off that is tested."
    )
