"""The command ``skewproof audit``."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from skewproof.audits.auditing import audit
from skewproof.audits.card import Card
from skewproof.cli.shared.command import command, option
from skewproof.cli.shared.options import FIGURE, MARKDOWN, metric
from skewproof.cli.shared.output import Result, written_whole


@command(
    "audit",
    metric(
        "A formula in tp, fp, fn, tn, P, N, a metric's key or name, or a score of probabilities"
        " such as log_loss."
    ),
    option(
        "--at PREVALENCE",
        "Prevalence of deployment, such as 0.003 or 1:5000, beside the usual levels.",
    ),
    FIGURE,
    MARKDOWN,
    example="skewproof audit f1 --at 1:5000",
)
def run(options: SimpleNamespace) -> Result:
    """Show what imbalance does to a metric, a formula, or a score of probabilities."""
    card = audit(options.metric, at=options.at)
    if options.figure:
        if not isinstance(card, Card):
            raise ValueError(
                f"--figure = {str(options.figure)!r}: expected no figure, since {card.key} is a"
                " score of probabilities and has no contours"
            )
        with written_whole(options.figure) as partial:
            card.plot().savefig(partial)
    table = _by_level(card) if isinstance(card, Card) else card.levels
    return Result(card.to_markdown() if options.markdown else card, card.to_dict(), table)


def _by_level(card: Card) -> list[dict[str, Any]]:
    """Join the tables of a card that have a row for each level."""
    rows: dict[str, dict[str, Any]] = {level: {"level": level} for level in card.levels}
    for table in (card.invariance, card.indices, card.sigma, card.demands):
        for row in table:
            rows.setdefault(row["level"], {}).update(row)
    return list(rows.values())
