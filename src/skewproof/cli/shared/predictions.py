"""Counts of predictions, and texts of the commands that read them."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from types import SimpleNamespace
from typing import Any

import pandas as pd

from skewproof.cli.shared.options import columns
from skewproof.cli.shared.reading import opened
from skewproof.core.data.label_texts import label_like, typed_label
from skewproof.core.messages import shown
from skewproof.metrics.lookup import as_metric
from skewproof.multiclass.lookup import as_measure
from skewproof.slices.counting import count_slices
from skewproof.slices.over_time.periods import time_order
from skewproof.slices.slice_table import are_pairs

CLASSES = {"positives": ("tp", "fn"), "negatives": ("fp", "tn")}
"""Cells of the confusion matrix that make up each class."""

NO_PREDICTION = "their label or prediction is missing"
NO_SCORE = "their label or score is missing or nan"
"""Reasons for which rows are left out."""


def counted(paths: Sequence[str], options: SimpleNamespace, by: Sequence[str] = ()) -> pd.DataFrame:
    """Count the slices of some files, as :func:`skewproof.count_slices` does.

    Raises
    ------
    ValueError, KeyError, OSError, MissingExtraError
        If the files can't be read or counted.
    """
    predicted, labels, numbers = columns(options)
    given = options.pos_label
    with opened(
        paths, labels=[options.true, *labels], numbers=numbers, doing="counting predictions"
    ) as rows:
        counts = count_slices(
            rows,
            y_true=options.true,
            y_pred=predicted,
            y_score=options.score,
            threshold=options.threshold,
            by=by,
            pos_label=None if given is None else typed_label(given, rows, options.true),
            sample_weight=options.weight,
            groups=options.groups,
        )
    if are_pairs(counts):
        without = counts[["true", "predicted"]].isna().any(axis=1)
        say_left_out(int(counts.loc[without, "count"].sum()))
    else:
        say_left_out(int(counts["missing"].sum()), NO_SCORE if options.score else NO_PREDICTION)
    return counts


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


def in_given_order(counts: pd.DataFrame, by: Sequence[str], order: Sequence[str]) -> pd.DataFrame:
    """Sort slices by --order, those without a value last.

    Raises
    ------
    ValueError
        If there are several keys, or if the order lacks a value or has a value twice.
    """
    if not order:
        return counts
    if len(by) > 1:
        raise ValueError(f"--order with {len(by)} columns --by: expected one column")
    known = counts[by[0]].notna()
    rows = counts[known].iloc[time_order(counts.loc[known, by[0]], by[0], order)]
    return pd.concat([rows, counts[~known]], ignore_index=True)


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


def size(number: float) -> str:
    """Write a number of instances or a sum of weights, without decimals if it is whole."""
    return f"{number:.0f}" if number.is_integer() or number >= 1e5 else f"{number:.6g}"


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
