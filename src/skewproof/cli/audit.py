"""The command ``skewproof audit``."""

from __future__ import annotations

import argparse
from pathlib import Path

from skewproof.audits.auditing import audit
from skewproof.audits.card import Card
from skewproof.cli.shared.completion import offer_keys
from skewproof.cli.shared.output import Output, shown


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    offer_keys(
        parser.add_argument(
            "metric",
            help="a formula in tp, fp, fn, tn, P, N, a metric's key or name, or a score of"
            " probabilities such as log_loss",
        )
    )
    parser.add_argument(
        "--at",
        metavar="PREVALENCE",
        help="prevalence of deployment, such as 0.003 or 1:5000, in addition to the usual levels",
    )
    parser.add_argument(
        "--figure", type=Path, metavar="FILE", help="save a figure of the contours to this file"
    )
    parser.add_argument(
        "--markdown", action="store_true", help="print Markdown, with formulas in LaTeX"
    )


def run(options: argparse.Namespace) -> Output:
    """Examine a metric or a score of probabilities."""
    card = audit(options.metric, at=options.at)
    if options.figure:
        if not isinstance(card, Card):
            raise ValueError(
                f"--figure = {str(options.figure)!r}: expected no figure, since {card.key} is a"
                " score of probabilities and has no contours"
            )
        card.plot().savefig(options.figure)
    return Output(shown(card, options))
