"""The command ``skewproof find``."""

from __future__ import annotations

import argparse

from skewproof.audits.finding import Finding, find
from skewproof.cli.shared.completion import offer_keys
from skewproof.cli.shared.output import Output, as_json, colored
from skewproof.probabilities.score_card import ScoreCard, card_of_score, score_key


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    offer_keys(
        parser.add_argument("name", help="a key, a name from any field, or a common abbreviation")
    )


def run(options: argparse.Namespace) -> Output:
    """Explain the name of a metric or of a score of probabilities."""
    explanation: Finding | ScoreCard
    try:
        explanation = find(options.name)
    except KeyError:
        key = score_key(options.name)
        if not key:
            raise
        explanation = card_of_score(key)
    if options.json:
        return Output(as_json(explanation.to_dict()))
    return Output(explanation.to_text(color=colored()))
