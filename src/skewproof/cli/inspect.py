"""The command ``skewproof inspect``, which is also ``skewproof`` with a file."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import click

from skewproof.cli.shared.command import command, option
from skewproof.cli.shared.messages import by_option
from skewproof.cli.shared.options import GROUPS, WEIGHT, files
from skewproof.cli.shared.output import Result
from skewproof.cli.shared.reading import named, opened
from skewproof.inspection.columns import cleaned
from skewproof.inspection.inspection import ARGUMENTS, inspected
from skewproof.inspection.roles import UncertainRoleError


@command(
    "inspect",
    files("predictions"),
    option("--true COLUMN", "Column of true labels."),
    option("--predicted COLUMN", "Column of predicted labels."),
    option("--score COLUMN", "Column of scores or probabilities of the class of interest."),
    option("--models COLUMN...", "Columns of several models: scores, or predicted labels."),
    WEIGHT,
    GROUPS,
    option("--time COLUMN", "Column with the period."),
    option("--by COLUMN...", "Columns that define slices."),
    option(
        "--pos-label LABEL",
        "The positive label.  [default: 1, yes, true, positive or the like, else the rarer of two]",
    ),
    option("--at PREVALENCE", "Prevalence for which the commands ask: 0.001, 1:1000."),
    example="skewproof inspect predictions.csv",
)
def run(options: SimpleNamespace) -> Result:
    """Say what the predictions in files can answer, with the complete command for each answer.

    Columns are recognized by their names and contents; options overrule. The exit status is 2 if
    two columns can have a role.
    """
    given = {argument: getattr(options, name) for name, argument in ARGUMENTS.items()}
    paths = options.predictions
    with opened(paths, doing="reading predictions") as relation:
        rows = cleaned(relation)
        rows.create("predictions")  # text is read once
        stored: Any = rows.query("cleaned", "SELECT * FROM predictions")
        try:
            inspection = inspected(stored, paths, given, options.at, named(paths))
        except UncertainRoleError as error:
            flags = [f"--{name.replace('_', '-')}" for name in ARGUMENTS]
            raise click.UsageError(by_option(str(error), flags)) from None
    return Result(inspection, inspection.to_dict(), inspection.to_frame())
