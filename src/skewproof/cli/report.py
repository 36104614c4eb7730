"""The command ``skewproof report``."""

from __future__ import annotations

import hashlib
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import click
import pandas as pd

from skewproof.cli.shared.columns import read_rows
from skewproof.cli.shared.command import FINDING, command, option
from skewproof.cli.shared.options import NAMES, RECOGNIZED, files, metrics
from skewproof.cli.shared.output import Result, TableFile, written_whole
from skewproof.cli.shared.predictions import check_metrics
from skewproof.cli.shared.progress import progress
from skewproof.cli.shared.reading import local_files, titled
from skewproof.core.data.label_texts import whole_numbers
from skewproof.curves.areas.area import AREAS
from skewproof.decisions.requirements import parsed_requirements
from skewproof.evaluation.report_page import FORMATS, report
from skewproof.inspection.columns import cleaned, read_columns
from skewproof.inspection.inspection import ARGUMENTS
from skewproof.inspection.roles import Roles, recognize
from skewproof.prevalence.prevalence import Prevalence


class ReportFile(TableFile):
    """A file that a report is written to."""

    formats = FORMATS


@command(
    "report",
    files("true labels and predicted labels or scores"),
    click.Option(
        ["-o", "--output"],
        metavar="FILE",
        type=ReportFile(),
        help="Write the page to this file: .html, .md (without figures) or .json.",
    ),
    *RECOGNIZED,
    option("--threshold T", "Cut-off in use: scores of at least T are positive.", type=float),
    metrics(f"{NAMES}, or kinds of areas.  [default: eight scores]"),
    option(
        "--require REQUIREMENT...",
        "Requirements such as 'precision >= 0.5' on the cut-off in use, or, if none is in use, on"
        " a cut-off to promise.",
    ),
    example="skewproof report predictions.csv --at 1:1000 -o report.html",
)
def run(options: SimpleNamespace) -> Result:
    """Write a page about a classifier: its scores where it will run, curves, cut-off,
    probabilities, slices and months, models, and how to get each number.

    Columns that no option names are recognized as by the command inspect; periods and slices are
    used if asked for. The exit status is 3 unless all requirements are met or promised.
    """
    check_metrics(name for name in options.metrics if name not in AREAS)
    if options.at is not None:
        Prevalence.given(options.at, "--at")
    if options.require:
        parsed_requirements(options.require)
    frame, roles, given = _read(options)
    with progress("evaluating predictions"):
        page = report(
            frame[roles.true],
            frame.get(roles.predicted),
            at=options.at,
            groups=frame.get(roles.groups),
            time=frame.get(options.time),
            slices=frame[options.by],
            threshold=options.threshold,
            metrics=options.metrics or None,
            require=options.require or None,
            **given,
        )
    offered = [("--time", [roles.time] if roles.time else []), ("--by", roles.by)]
    offers = [f"{name} {' '.join(columns)}" for name, columns in offered if columns]
    if offers and not (options.time or options.by):
        note = f"For slices and months, the file has columns for {' and '.join(offers)}."
        page.chapters[-1].notes.append(note)
    if options.output is not None:
        with written_whole(options.output) as partial:
            page.save(partial)
    return Result(page, page.to_dict(), None, exit_code=0 if page.met else FINDING)


def _read(options: SimpleNamespace) -> tuple[pd.DataFrame, Roles, dict[str, Any]]:
    """Read the columns with a role from the rows that have all of them, and facts of the files."""
    asked = {argument: getattr(options, name, None) for name, argument in ARGUMENTS.items()}
    with local_files(options.predictions) as local:
        digests = [_digest(path) for path in local if Path(path).is_file()]
        rows = cleaned(read_rows(local))
    columns = read_columns(rows)
    roles = recognize(columns, asked)
    if roles.true is None:
        raise ValueError("--true is not given: expected a column of true labels")
    chosen = options.score or options.predicted
    if chosen is None and (options.models or options.threshold is not None):
        roles.predicted = None
    if chosen is None and options.models:
        first = columns[roles.models[0]]
        roles.score = first.name if first.numeric and not first.whole else None
        roles.predicted = None if roles.score else first.name
    needed = [*filter(None, (roles.true, roles.predicted, roles.score, roles.groups))]
    many = roles.pos_label is None
    needed += [*roles.models, *(roles.probabilities.values() if many else ())]
    further = [*filter(None, [options.time]), *options.by]
    every = rows[[*dict.fromkeys([*needed, *further])]]
    frame = every.dropna(subset=needed)
    facts = {"File": titled(options.predictions)}
    facts["SHA-256"] = ", ".join(digests)
    if roles.weight:
        facts["Weights"] = f"not used, although {roles.weight} looks like them"
    if len(frame) < len(every):
        facts["Rows left out, as an entry is missing"] = f"{len(every) - len(frame):,}"
    for name in dict.fromkeys(needed):
        is_score = name == roles.score or (columns[name].numeric and not columns[name].whole)
        values = pd.to_numeric(frame[name]) if is_score else whole_numbers(frame[name].tolist())
        frame = frame.assign(**{name: values})
    main = roles.score or roles.predicted
    others = [name for name in roles.models if name != main]
    given: dict[str, Any] = {"facts": facts, "models": frame[others]}
    if not many:
        given |= {"y_score": frame.get(roles.score)}
        same = columns[roles.true].has(str(roles.pos_label)) == 1
        given["pos_label"] = next(iter(frame[roles.true][same[frame.index]]), roles.pos_label)
    elif roles.probabilities:
        of_classes = frame[[*roles.probabilities.values()]]
        given["y_score"] = of_classes.set_axis([*roles.probabilities], axis="columns")
    return frame, roles, given


def _digest(path: str) -> str:
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
