"""The command ``skewproof find``."""

from __future__ import annotations

from types import SimpleNamespace

import click

from skewproof.audits.finding import Finding, find
from skewproof.cli.shared.command import command, complete_keys
from skewproof.cli.shared.output import Result
from skewproof.metrics.lookup import simplified
from skewproof.probabilities.score_card import ScoreCard, card_of_score, score_key
from skewproof.reporting.summary import Summary

WORDS = ("judge", "rogangladen", "partialverification", "begggreenes", "predictionpowered")
"""Names, in any spelling, of methods for labels of some rows."""

SENTENCE = (
    "With labels of some of the rows and predictions or verdicts of all: estimate_from_labels,"
    " compare with strata=, and the command score-labels. With labels of other rows, at another"
    " prevalence: Prevalence.from_predictions, and the command score with --reference."
)


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
    """Explain the name of a metric, of a score of probabilities, or of a method for few labels."""
    explanation: Finding | ScoreCard
    if any(word in simplified(options.name) for word in WORDS):
        data = {"name": options.name, "sentence": SENTENCE}
        return Result(Summary(options.name, paragraphs=[SENTENCE]), data, None)
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
