"""The command ``skewproof list``."""

from __future__ import annotations

import argparse

from skewproof import metrics
from skewproof.cli.shared.output import Output, as_json
from skewproof.metrics.lookup import names_with
from skewproof.reporting.summary import text_table


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command and add its arguments."""
    parser.description = (
        "List the registered metrics, all measures of the atlas, or those whose names"
        " contain a word."
    )
    parser.add_argument("word", nargs="?", help="list only metrics whose names contain it")
    parser.add_argument("--atlas", action="store_true", help="list all published measures")


def run(options: argparse.Namespace) -> Output:
    """List the metrics."""
    whole_atlas = options.atlas or options.word is not None
    listed = metrics.atlas.ATLAS if whole_atlas else metrics.METRICS
    if options.word is not None:
        names = names_with(options.word)
    else:
        names = {key: [metric.name] for key, metric in listed.items()}
    rows = [{"metric": key, "name": "; ".join(spellings)} for key, spellings in names.items()]
    if options.json:
        return Output(as_json([row | {"source": listed[row["metric"]].source} for row in rows]))
    return Output(text_table(rows) + "\n")
