"""The command ``skewproof list``."""

from __future__ import annotations

import argparse

from skewproof.cli.shared.output import Commands, Output, as_json


def add_to(commands: Commands) -> argparse.ArgumentParser:
    """Add the command's parser."""
    parser = commands.add_parser(
        "list",
        help="list the known metrics",
        description="List the registered metrics, all measures of the atlas, or those whose names"
        " contain a word.",
    )
    parser.add_argument("word", nargs="?", help="list only metrics whose names contain it")
    parser.add_argument("--atlas", action="store_true", help="list all published measures")
    parser.set_defaults(run=run)
    return parser


def run(options: argparse.Namespace) -> Output:
    """List the metrics."""
    from skewproof.metrics import METRICS
    from skewproof.reporting.summary import text_table

    metrics, names = METRICS, {key: [metric.name] for key, metric in METRICS.items()}
    if options.atlas or options.word is not None:
        from skewproof.metrics.atlas import ATLAS
        from skewproof.metrics.lookup import names_with

        metrics, names = ATLAS, {key: [metric.name] for key, metric in ATLAS.items()}
        if options.word is not None:
            names = names_with(options.word)
    rows = [{"metric": key, "name": "; ".join(spellings)} for key, spellings in names.items()]
    if options.json:
        return Output(as_json([row | {"source": metrics[row["metric"]].source} for row in rows]))
    return Output(text_table(rows) + "\n")
