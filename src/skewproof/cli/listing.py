"""The command ``skewproof list``."""

from __future__ import annotations

from types import SimpleNamespace

import click

from skewproof import metrics
from skewproof.cli.shared.command import command, option
from skewproof.cli.shared.output import Result
from skewproof.metrics.lookup import names_with
from skewproof.reporting.summary import Summary


@command(
    "list",
    click.Argument(["word"], required=False, help="List only metrics whose names contain it."),
    option("--atlas", "List all published measures."),
    example="skewproof list skill",
)
def run(options: SimpleNamespace) -> Result:
    """List the metrics, all measures of the atlas, or those whose names contain a word."""
    whole_atlas = options.atlas or options.word is not None
    listed = metrics.atlas.ATLAS if whole_atlas else metrics.METRICS
    if options.word is not None:
        names = names_with(options.word)
    else:
        names = {key: [metric.name] for key, metric in listed.items()}
    rows = [{"metric": key, "name": "; ".join(spellings)} for key, spellings in names.items()]
    data = [row | {"source": listed[row["metric"]].source} for row in rows]
    return Result(Summary("", tables={"": rows}), data, data)
