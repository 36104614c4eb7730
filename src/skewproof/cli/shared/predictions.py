"""Arguments, counts and texts of the commands that read files of predictions."""

from __future__ import annotations

import argparse
import sys
import warnings
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd

from skewproof.cli.shared.output import json_number
from skewproof.core.extras import extra
from skewproof.core.label_texts import as_text, label_like, typed_label
from skewproof.core.messages import shown
from skewproof.metrics.lookup import as_metric
from skewproof.multiclass.lookup import as_measure
from skewproof.reporting.style import STYLE
from skewproof.slices.counting import count_slices
from skewproof.slices.files import read_predictions
from skewproof.slices.over_time.periods import time_order
from skewproof.slices.slice_table import are_pairs

if TYPE_CHECKING:
    from matplotlib.figure import Figure


CLASSES = {"positives": ("tp", "fn"), "negatives": ("fp", "tn")}
"""Cells of the confusion matrix that make up each class."""

NO_PREDICTION = "their label or prediction is missing"
NO_SCORE = "their label or score is missing or nan"
"""Reasons for which rows are left out."""


def add_predictions(parser: argparse.ArgumentParser) -> None:
    """Add the arguments about the predictions to count."""
    add_files(parser)
    parser.add_argument(
        "--true", default="y_true", metavar="COLUMN", help="column of true labels; default: y_true"
    )
    predicted = parser.add_mutually_exclusive_group()
    predicted.add_argument(
        "--predicted", metavar="COLUMN", help="column of predicted labels; default: y_pred"
    )
    predicted.add_argument(
        "--score", metavar="COLUMN", help="column of scores instead of labels; needs --threshold"
    )
    parser.add_argument(
        "--threshold", type=float, metavar="T", help="scores of at least T are predicted positive"
    )
    parser.add_argument(
        "--weight",
        metavar="COLUMN",
        help="column of instance weights; if all are whole numbers, they are counts of instances",
    )
    parser.add_argument(
        "--pos-label",
        metavar="LABEL",
        help="the positive label; default: 1 if there are two labels; otherwise each is a class",
    )


def add_files(parser: argparse.ArgumentParser, content: str = "") -> None:
    """Add the argument that names files."""
    files = "CSV, Parquet or JSON files, or globs in quotation marks"
    if content:
        files += f", with {content}"
    parser.add_argument("predictions", nargs="+", metavar="FILE", help=files)


def counted(
    paths: Sequence[str], options: argparse.Namespace, by: Sequence[str] = ()
) -> pd.DataFrame:
    """Count the slices of some files, as :func:`skewproof.count_slices` does.

    Raises
    ------
    ValueError, KeyError, OSError, MissingExtraError
        If the files can't be read or counted.
    """
    predicted = options.predicted or (None if options.score else "y_pred")
    given = options.pos_label
    labels = [column for column in (options.true, predicted) if column is not None]
    numbers = [column for column in (options.score, options.weight) if column is not None]
    with (
        read_predictions(paths, labels=labels, numbers=numbers) as rows,
        progress("counting predictions"),
    ):
        counts = count_slices(
            rows,
            y_true=options.true,
            y_pred=predicted,
            y_score=options.score,
            threshold=options.threshold,
            by=by,
            pos_label=None if given is None else typed_label(given, rows, options.true),
            sample_weight=options.weight,
        )
    if are_pairs(counts):
        without = counts[["true", "predicted"]].isna().any(axis=1)
        say_left_out(int(counts.loc[without, "count"].sum()))
    else:
        say_left_out(int(counts["missing"].sum()), NO_SCORE if options.score else NO_PREDICTION)
    return counts


def add_at(parser: argparse.ArgumentParser, default: str = "population") -> None:
    """Add the argument for the prevalence where a classifier will run."""
    parser.add_argument(
        "--at",
        default=default,
        metavar="PREVALENCE",
        help="prevalence for which the values hold: 0.001 or 1:1000 (stated), 12/4000 (counted in a"
        " sample), 0.001..0.01 (a range), 'beta(2, 500)' (a belief), population, or 'test set';"
        f" default: {default}",
    )


def check_metrics(names: Iterable[str]) -> None:
    """Refuse names that are not metrics, of two classes or of more, before files are read."""
    for name in names:
        try:
            as_metric(name)
        except KeyError as error:
            try:
                as_measure(name)
            except KeyError:
                raise error from None


def say_left_out(rows: int, reason: str = NO_PREDICTION) -> None:
    """Warn of rows without a label or prediction, if there are any."""
    if rows:
        warnings.warn(f"rows that are left out because {reason}: {rows}", stacklevel=3)


def in_given_order(
    counts: pd.DataFrame, by: Sequence[str], order: Sequence[str] | None
) -> pd.DataFrame:
    """Sort slices by --order, those without a value last.

    Raises
    ------
    ValueError
        If there are several keys, or if the order lacks a value or has a value twice.
    """
    if order is None:
        return counts
    if len(by) > 1:
        raise ValueError(f"--order with {len(by)} columns --by: expected one column")
    known = counts[by[0]].notna()
    rows = counts[known].iloc[time_order(counts.loc[known, by[0]], by[0], order)]
    return pd.concat([rows, counts[~known]], ignore_index=True)


@contextmanager
def progress(doing: str) -> Iterator[None]:
    """Name a slow step on a terminal until it is done."""
    if not sys.stderr.isatty():
        yield
        return
    print(f"{doing} ...", end="", file=sys.stderr, flush=True)
    try:
        yield
    finally:
        print("\r\x1b[K", end="", file=sys.stderr, flush=True)


def reference_slice(
    texts: Sequence[str], counts: pd.DataFrame, by: Sequence[str]
) -> dict[str, Any] | None:
    """Read --reference in the types of the keys, or return None if it is not given.

    The text "missing" and an empty text mean a key without a value.

    Raises
    ------
    ValueError
        If a text is not KEY=VALUE, or is a bare value with several keys, or the key does not have
        this value.
    """
    reference: dict[str, Any] = {}
    for text in texts:
        key, sign, value = text.partition("=")
        if not sign or key not in by:
            if len(by) > 1:
                expected = f"expected KEY=VALUE with a key of {', '.join(map(shown, by))}"
                raise ValueError(f"--reference {shown(text)}: {expected}")
            key, value = by[0], text
        if key in reference:
            raise ValueError(f"--reference {shown(text)}: {shown(key)} has a value already")
        keys = counts[key].tolist()
        try:
            reference[key] = label_like(value, keys)
        except ValueError as error:
            missing = [entry for entry in keys if pd.isna(entry)]
            if not missing or value not in ("", "missing"):
                raise ValueError(f"--reference, in column {shown(key)}: {error}") from None
            reference[key] = missing[0]
    return reference or None


def check(options: argparse.Namespace) -> None:
    """Refuse a score without a threshold and a figure that can't be saved, before files are read.

    Raises
    ------
    ValueError
        If only one of --score and --threshold is given, Matplotlib does not write the format of the
        figure's suffix, or its folder does not exist.
    MissingExtraError
        If a figure is requested and Matplotlib is not installed.
    """
    if (options.score is None) != (options.threshold is None):
        given = "--score" if options.threshold is None else "--threshold"
        raise ValueError(f"{given} is given alone: expected --score and --threshold together")
    check_figure(options.figure)


def check_figure(path: Path | None) -> None:
    """Refuse a figure that can't be saved, before files are read.

    Raises
    ------
    ValueError
        If Matplotlib writes no format with its suffix, or its folder does not exist.
    MissingExtraError
        If a figure is requested and Matplotlib is not installed.
    """
    if path is None:
        return
    with extra("a figure"):
        from matplotlib.backend_bases import FigureCanvasBase

    formats = sorted(FigureCanvasBase.get_supported_filetypes())
    if path.suffix.lower().removeprefix(".") not in formats:
        raise ValueError(f"--figure {shown(str(path))}: expected a suffix of {', '.join(formats)}")
    if not path.parent.is_dir():
        raise ValueError(f"--figure {shown(str(path))}: expected a folder that exists")


def save(figure: Figure, path: Path) -> None:
    """Save a figure in the common style."""
    import matplotlib

    with matplotlib.rc_context(STYLE):
        figure.savefig(path)


def size(number: float) -> str:
    """Write a number of instances or a sum of weights, without decimals if it is whole."""
    return f"{number:.0f}" if number.is_integer() or number >= 1e5 else f"{number:.6g}"


def rows_for_machines(table: pd.DataFrame) -> list[dict[str, Any]]:
    """Convert rows of a table for JSON: missing values become null, and dates text."""
    return [
        {str(name): _for_machines(value) for name, value in row.items()}
        for row in table.to_dict("records")
    ]


def _for_machines(value: Any) -> Any:
    if value is None or value is pd.NaT or value is pd.NA:
        return None
    if isinstance(value, bool | int | float | str):
        return json_number(value)
    return as_text(value)


def numbers(texts: Sequence[str], where: str) -> list[float]:
    """Convert texts to numbers.

    Raises
    ------
    ValueError
        If a text is not a number; the message names `where`.
    """
    values = []
    for text in texts:
        try:
            values.append(float(text))
        except ValueError:
            raise ValueError(f"{where} has {shown(text)}: expected a number") from None
    return values
