"""The command ``skewproof find``."""

from __future__ import annotations

from types import SimpleNamespace

import click

from skewproof.audits.finding import Finding, find
from skewproof.cli.shared.command import command, complete_keys
from skewproof.cli.shared.output import Result
from skewproof.probabilities.score_card import ScoreCard, card_of_score, score_key


@command(
    "find",
    click.Argument(
        ["name"],
        shell_complete=complete_keys,
        help="A key, a name from any field, or a common abbreviation.",
    ),
    example='skewproof find "Youden\'s J"',
)
def run(options: SimpleNamespace) -> Result:
    """Explain the name of a metric or of a score of probabilities."""
    explanation: Finding | ScoreCard
    try:
        explanation = find(options.name)
    except KeyError:
        key = score_key(options.name)
        if not key:
            raise
        explanation = card_of_score(key)
    data = explanation.to_dict()
    tables = (data.get(name) for name in ("levels", "meanings", "measures_of_many_classes"))
    return Result(explanation, data, next(filter(None, tables)))
