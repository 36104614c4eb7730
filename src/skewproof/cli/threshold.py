"""The command ``skewproof threshold``."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from skewproof.cli.score import read_labels
from skewproof.cli.shared.completion import offer_keys
from skewproof.cli.shared.output import Commands, Output, as_json, colored, json_number
from skewproof.cli.shared.predictions import add_at, numbers, say_left_out
from skewproof.core.messages import shown


def add_to(commands: Commands) -> argparse.ArgumentParser:
    """Add the command's parser."""
    parser = commands.add_parser(
        "threshold",
        help="choose a cut-off that meets requirements where the classifier will run",
        description="Choose a cut-off of scores that meets requirements at a prevalence, with a"
        " stated confidence. The exit code is 1 if no cut-off can be promised.",
    )
    parser.add_argument("predictions", type=Path, help="CSV file with true labels and scores")
    parser.add_argument(
        "--require",
        nargs="+",
        required=True,
        metavar="REQUIREMENT",
        help="requirements such as 'precision >= 0.5' or, with --per, 'alarms <= 10'; all of them"
        " hold together",
    )
    offer_keys(
        parser.add_argument(
            "--maximize",
            default="recall",
            metavar="METRIC",
            help="metric to maximize among the cut-offs that can be promised; default: recall",
        )
    )
    parser.add_argument("--true", default="y_true", metavar="COLUMN", help="default: y_true")
    parser.add_argument("--score", default="y_score", metavar="COLUMN", help="default: y_score")
    parser.add_argument("--pos-label", default="1", metavar="LABEL", help="default: 1")
    add_at(parser)
    parser.add_argument(
        "--per",
        type=float,
        metavar="INSTANCES",
        help="number of instances to which requirements on counts, such as alarms, refer",
    )
    parser.add_argument(
        "--start",
        metavar="CUT-OFF",
        help="first cut-off that is tested, chosen without these labels; or 'everywhere'",
    )
    parser.add_argument(
        "--confidence", type=float, default=0.95, help="confidence of the promise; default: 0.95"
    )
    parser.set_defaults(run=run)
    return parser


def run(options: argparse.Namespace) -> Output:
    """Choose a cut-off; the exit code is 1 where none can be promised."""
    from skewproof.core.prevalence import Prevalence
    from skewproof.practice.decisions.promised_threshold import choose_threshold
    from skewproof.practice.slices.label_texts import positive_among

    at = Prevalence.given(options.at, "--at")
    start = options.start
    if start not in (None, "everywhere"):
        start = numbers([start], "--start")[0]
    true, texts, left_out = read_labels(options.predictions, (options.true, options.score))
    say_left_out(left_out)
    found = choose_threshold(
        true,
        numbers(texts, f"column {shown(options.score)}"),
        at=at,
        require=options.require,
        maximize=options.maximize,
        confidence=options.confidence,
        per=options.per,
        start=start,
        pos_label=positive_among(options.pos_label, true),
    )
    exit_code = 0 if found.promised else 1
    if options.json:
        return Output(as_json(_for_machines(found.to_dict())), exit_code)
    return Output(found.summary().to_text(color=colored()), exit_code)


def _for_machines(value: Any) -> Any:
    """A result as JSON has it, with null for NaN."""
    if isinstance(value, dict):
        return {name: _for_machines(one) for name, one in value.items()}
    if isinstance(value, list):
        return list(map(_for_machines, value))
    return json_number(value)
