"""The command ``skewproof inspect``, which is also ``skewproof`` with a file."""

from __future__ import annotations

from types import SimpleNamespace

from skewproof.cli.shared.columns import read_rows
from skewproof.cli.shared.command import command, option
from skewproof.cli.shared.options import GROUPS, WEIGHT, files
from skewproof.cli.shared.output import Result
from skewproof.cli.shared.reading import named
from skewproof.inspection.columns import cleaned
from skewproof.inspection.inspection import ARGUMENTS, inspected


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
    files = options.predictions
    inspection = inspected(cleaned(read_rows(files)), files, given, options.at, named(files))
    return Result(inspection, inspection.to_dict(), inspection.to_frame())
