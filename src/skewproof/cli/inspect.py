"""The command ``skewproof inspect``, which is also ``skewproof`` with a file."""

from __future__ import annotations

from types import SimpleNamespace

from skewproof.cli.shared.columns import read_rows
from skewproof.cli.shared.command import command
from skewproof.cli.shared.options import RECOGNIZED, WEIGHT, files
from skewproof.cli.shared.output import Result
from skewproof.cli.shared.reading import named
from skewproof.inspection.columns import cleaned
from skewproof.inspection.inspection import ARGUMENTS, inspected


@command(
    "inspect",
    files("predictions"),
    *RECOGNIZED,
    WEIGHT,
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
