"""The command ``skewproof list``."""

from __future__ import annotations

import argparse

from skewproof.cli.output import Commands, Output, as_json


def add_to(commands: Commands) -> argparse.ArgumentParser:
    """Add the command's parser."""
    parser = commands.add_parser("list", help="the known metrics")
    parser.set_defaults(run=run)
    return parser


def run(options: argparse.Namespace) -> Output:
    """List the metrics."""
    from skewproof.metrics import METRICS
    from skewproof.reporting.summary import text_table

    if options.json:
        rows = [
            {"metric": metric.key, "name": metric.name, "source": metric.source}
            for metric in METRICS.values()
        ]
        return Output(as_json(rows))
    names = [{"metric": metric.key, "name": metric.name} for metric in METRICS.values()]
    return Output(text_table(names) + "\n")
