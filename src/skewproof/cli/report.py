"""The command ``skewproof report``."""

from __future__ import annotations

import contextlib
import hashlib
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import click
import pandas as pd

from skewproof.cli.shared.command import FINDING, command, option
from skewproof.cli.shared.options import (
    NAMES,
    POS_LABEL_OF_TWO,
    PREDICTED,
    TRUE,
    files,
    metrics,
)
from skewproof.cli.shared.output import Result, TableFile, written_whole
from skewproof.cli.shared.predictions import check_metrics
from skewproof.cli.shared.progress import progress
from skewproof.cli.shared.reading import local_files, named, opened
from skewproof.core.data.frames import check_column, fetched, lazy_frame
from skewproof.core.data.label_texts import positive_among, typed_label, whole_numbers
from skewproof.core.data.labels import has_more_than_two
from skewproof.curves.areas.area import AREAS
from skewproof.decisions.requirements import parsed_requirements
from skewproof.evaluation.report_page import FORMATS, report
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
    TRUE,
    PREDICTED,
    option("--score COLUMN", "Column of scores or probabilities of the positive class."),
    option("--threshold T", "Cut-off in use: scores of at least T are positive.", type=float),
    POS_LABEL_OF_TWO,
    option(
        "--at PREVALENCE",
        "Prevalence where the classifier will run, as for the command score."
        "  [default: population]",
    ),
    option("--groups COLUMN", "Column of groups of rows that belong together."),
    option("--time COLUMN", "Column with the period, to detect changes."),
    option("--by COLUMN...", "Columns that define slices, each by itself."),
    option("--models COLUMN...", "Columns of further models, labels or scores."),
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

    The exit status is 3 unless all requirements are met or promised.
    """
    check_metrics(name for name in options.metrics if name not in AREAS)
    if options.at is not None:
        Prevalence.given(options.at, "--at")
    if options.require:
        parsed_requirements(options.require)
    frame, columns, pos_label, facts = _read(options)
    with progress("evaluating predictions"):
        page = report(
            frame[columns["true"]],
            frame.get(columns["predicted"]),
            frame.get(columns["score"]),
            at=options.at,
            groups=frame.get(options.groups),
            time=frame.get(options.time),
            slices=frame[options.by],
            threshold=options.threshold,
            models=frame[options.models],
            metrics=options.metrics or None,
            require=options.require,
            pos_label=pos_label,
            facts=facts,
        )
    if options.output is not None:
        with written_whole(options.output) as partial:
            page.save(partial)
    return Result(page, page.to_dict(), None, exit_code=0 if page.met else FINDING)


def _read(options: SimpleNamespace) -> tuple[pd.DataFrame, dict[str, Any], Any, dict[str, str]]:
    """Read the columns, and return them, their roles, the positive label, and facts of the files.

    Rows that lack a label, a prediction or a score are left out.
    """
    columns = {"true": options.true, "predicted": options.predicted, "score": options.score}
    if not (options.predicted or options.score or options.models):
        columns["predicted"] = "y_pred"
    needed = [*filter(None, columns.values()), *options.models]
    further = [*filter(None, (options.groups, options.time)), *options.by]
    numbers = [options.score] if options.score else []
    with (
        local_files(options.predictions) as local,
        opened(local, labels=[options.true], numbers=numbers, doing="reading") as relation,
    ):
        facts = {"File": named([Path(path).name for path in options.predictions])}
        facts["SHA-256"] = ", ".join(map(_digest, filter(lambda p: Path(p).is_file(), local)))
        lazy = lazy_frame(relation)
        for column in (*needed, *further):
            check_column(lazy.collect_schema(), "column", column)
        rows = fetched(lazy.select(*dict.fromkeys([*needed, *further])))
        positive = typed_label(options.pos_label or "1", relation, options.true)
    frame = rows.dropna(subset=needed)
    if not len(frame):
        raise ValueError(
            f"{facts['File']} has no row with all of {', '.join(needed)}: expected some"
        )
    if len(frame) < len(rows):
        facts["Rows left out, as an entry is missing"] = f"{len(rows) - len(frame):,}"
    known = set(frame[options.true])
    labels = {}
    for name in filter(
        None, dict.fromkeys([columns["true"], columns["predicted"], *options.models])
    ):
        if name in options.models and not known.issuperset(frame[name]):
            with contextlib.suppress(ValueError):
                frame = frame.assign(**{name: pd.to_numeric(frame[name])})
                continue
        labels[name] = whole_numbers(frame[name].tolist())
    frame = frame.assign(**labels)
    if options.pos_label is None and has_more_than_two(**labels):
        return frame, columns, 1, facts
    return frame, columns, positive_among(positive, frame[options.true].unique()), facts


def _digest(path: str) -> str:
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
