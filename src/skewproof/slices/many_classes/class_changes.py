"""Parts of a change between slices of many classes: prevalence and the classifier."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from skewproof.core.algebra import Array
from skewproof.core.arguments import expect
from skewproof.core.label_texts import as_text
from skewproof.core.messages import shortened
from skewproof.intervals.class_rows import ClassRows
from skewproof.intervals.extremes import Proportions, Rows
from skewproof.intervals.parts import Change
from skewproof.multiclass.declaration import Measure
from skewproof.multiclass.matrix import MulticlassConfusionMatrix
from skewproof.prevalence.prevalence import Prevalence
from skewproof.slices.many_classes.class_table import ClassSlices
from skewproof.slices.questions import Question, in_chunks
from skewproof.slices.sentences import WHERE, said_of_change

PARTS = ("difference", "classifier_part", "prevalence_part")

NUMBERS = (
    *("low", "high"),
    *(f"{part}{end}" for part in PARTS for end in ("", "_low", "_high")),
    *("prevalence_order_min", "prevalence_order_max", "value_at_reference_prevalence"),
    *("p", "classifier_p"),
)
"""Columns that have values if a measure is defined on a slice and on its reference."""

CLASS_COLUMNS = (
    *("metric", "value", "low", "high", "reference_value"),
    *(f"{part}{end}" for part in PARTS for end in ("", "_low", "_high")),
    *("prevalence_order_min", "prevalence_order_max"),
    "value_at_reference_prevalence",
    *(f"value_at_common_prevalence{end}" for end in ("", "_low", "_high")),
    *("p", "p_adjusted", "classifier_p", "classifier_p_adjusted"),
    *("moved_class", "moved_recall", "moved_reference_recall", "moved_p_adjusted"),
    *("instances", "missing", "sentence"),
)
"""Columns of the result beside the keys."""

MOST_CELLS = 2**20
"""Limit of the number of slices that are processed together, times the fourth power of the number
of classes, which is that of the derivatives of cells by proportions."""

LONGEST_LIST = 100
"""Most characters of the classes that a sentence lists."""


def common_prevalences(at: Any, slices: ClassSlices) -> Prevalence:
    """Return the prevalences at which all slices are also shown.

    Raises
    ------
    ValueError
        If they are not one number for each class by name.
    """
    if isinstance(at, str) and at == "whole":
        sizes = slices.class_sizes.sum(axis=0)
        expect(bool((sizes > 0).all()), "at", at, "slices with instances of every class")
        return Prevalence.given(dict(zip(slices.labels, sizes / sizes.sum(), strict=True)))
    common = Prevalence.given(at)
    expect(common.elsewhere, "at", at, 'one prevalence per class for all slices, or "whole"')
    common.for_classes(slices.labels)
    return common


def explained_classes(
    measures: Iterable[Measure],
    slices: ClassSlices,
    reference: Mapping[str, Any] | None,
    question: Question,
) -> pd.DataFrame:
    """Build the frame of :func:`skewproof.explain_change` for more than two classes."""
    here, there = slices.beside(reference)
    recalls = _moved_recalls(here, there, question)
    remarks = _remarks(slices, here, there, recalls, one_reference=reference is not None)
    tables = [_explained(measure, here, there, question) for measure in measures]
    for table in tables:
        for name, column in recalls.items():
            table[name] = column
        table["sentence"] = [
            "; ".join([said, *more]) for said, more in zip(table["sentence"], remarks, strict=True)
        ]
    table = pd.concat(tables, ignore_index=True)
    return table[[*here.keys, *(name for name in CLASS_COLUMNS if name in table)]]


def _explained(
    measure: Measure, here: ClassSlices, there: ClassSlices, question: Question
) -> pd.DataFrame:
    """Build the table of one measure; each pair of slices has the classes that occur in it."""
    sides = (here, there)
    table = here.keys.assign(metric=measure.key)
    numbers = []
    values = np.full((2, len(table)), np.nan)
    occurring = _at_least_two(here.occurring | there.occurring)
    patterns, group = np.unique(occurring, axis=0, return_inverse=True)
    for number, pattern in enumerate(patterns):
        which = np.flatnonzero(pattern)
        rows = np.flatnonzero(group.ravel() == number)
        pairs = [side.at(rows).of_classes(which) for side in sides]
        for value, side in zip(values, pairs, strict=True):
            value[rows] = measure(MulticlassConfusionMatrix(side.counts))
        known = np.flatnonzero(~np.isnan(values[:, rows]).any(axis=0))
        if known.size:
            find = partial(_numbers, measure, pairs[0], pairs[1], question)
            of_known = in_chunks(find, known, max(1, MOST_CELLS // len(which) ** 4))
            numbers.append(of_known.set_axis(rows[known]))
    none = pd.DataFrame(columns=NUMBERS, index=table.index, dtype=float)
    table = table.join(pd.concat(numbers).reindex(table.index) if numbers else none)
    table["value"], table["reference_value"] = values
    if question.at is not None:
        table = table.assign(**_at_common_prevalence(measure, here, question))
    table = table.assign(instances=here.total, missing=here.missing)
    for name in ("p", "classifier_p"):
        table[f"{name}_adjusted"] = question.adjusted(table[name].to_numpy())
    table["sentence"] = [
        said_of_change(
            row,
            (_why(here, number), _why(there, number)),
            [],
            alpha=question.alpha,
            negligible=question.negligible,
        )
        for number, row in enumerate(table.to_dict("records"))
    ]
    return table


def _at_least_two(occurring: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return the classes that occur, with others if there are fewer than two."""
    missing = 2 - occurring.sum(axis=1, keepdims=True)
    return occurring | (~occurring & (np.cumsum(~occurring, axis=1) <= missing))


def _numbers(
    measure: Measure, here: ClassSlices, there: ClassSlices, question: Question, rows: Rows
) -> dict[str, Array]:
    """Compute the columns of numbers for pairs of slices on which the measure is defined."""
    side, other = (some.at(rows).observed(question.class_sizes) for some in (here, there))
    change = Change(measure, side, other, {"classifier": range(len(here.labels))})
    both = change.proportions
    interval = side.estimates(measure, question.radius)
    columns = {"low": interval.low, "high": interval.high}
    parts = {
        "difference": change.causes,
        "prevalence_part": tuple(cause for cause in change.causes if cause != "classifier"),
        "classifier_part": ("classifier",),
    }
    for name, causes in parts.items():
        estimates = question.estimate(change.part(*causes), both, change.gradient(*causes))
        columns |= {f"{name}{end}": values for end, values in estimates.items()}
    smallest, largest = change.orders("prevalence", both.observed)
    columns |= {"prevalence_order_min": smallest, "prevalence_order_max": largest}
    of_coalition = change.values(both.observed, both.slices)
    columns["value_at_reference_prevalence"] = of_coalition(("classifier",))
    for name, part in {"p": "difference", "classifier_p": "classifier_part"}.items():
        causes = parts[part]
        columns[name] = question.p(change.part(*causes), both, change.gradient(*causes))
    return columns


def _at_common_prevalence(
    measure: Measure, here: ClassSlices, question: Question
) -> dict[str, Array]:
    """Compute values of the slices that have instances of every class, NaN for the others."""
    name = "value_at_common_prevalence"
    rows = np.flatnonzero((here.class_sizes > 0).all(axis=1))
    columns = {f"{name}{end}": np.full(len(here.total), np.nan) for end in ("", "_low", "_high")}
    if rows.size and question.at is not None:
        some = here.at(rows)
        estimates = ClassRows.at(some.worth, question.at, here.labels, some.total).estimates(
            measure, question.radius
        )
        columns[name][rows] = estimates.values
        columns[f"{name}_low"][rows] = estimates.low
        columns[f"{name}_high"][rows] = estimates.high
    return columns


def _moved_recalls(
    here: ClassSlices, there: ClassSlices, question: Question
) -> dict[str, list[Any]]:
    """Find the class of each slice whose recall changed most, among significant changes.

    p-values are adjusted for all slices and classes.
    """
    shape = here.class_sizes.shape
    hits, misses = [], []
    for side in (here, there):
        of_hits = np.diagonal(side.worth, axis1=1, axis2=2)
        hits.append(of_hits.ravel())
        misses.append((side.worth.sum(axis=-1) - of_hits).ravel())
    proportions = Proportions(np.array(hits), np.array(misses))
    known = np.flatnonzero(((proportions.hits + proportions.misses) > 0).all(axis=0))
    p, recalls = np.full(shape[0] * shape[1], np.nan), np.full((2, shape[0] * shape[1]), np.nan)
    if known.size:
        some = proportions.at(known)
        recalls[:, known] = some.observed
        p[known] = question.p(lambda shares, _: shares[0] - shares[1], some)
    adjusted = question.adjusted(p).reshape(shape)
    ours, theirs = recalls.reshape(2, *shape)
    significant: NDArray[np.bool_] = np.less(adjusted, question.alpha)
    size = np.where(significant, abs(ours - theirs), -1)
    rows, most = np.arange(shape[0]), size.argmax(axis=1)
    moved = np.any(significant, axis=1)
    numbers = {
        "moved_recall": ours[rows, most],
        "moved_reference_recall": theirs[rows, most],
        "moved_p_adjusted": adjusted[rows, most],
    }
    classes = [
        here.labels[position] if has_moved else None
        for position, has_moved in zip(most, moved, strict=True)
    ]
    columns: dict[str, Any] = {
        name: np.where(moved, values, np.nan) for name, values in numbers.items()
    }
    return {"moved_class": classes, **columns}


def _remarks(
    slices: ClassSlices,
    here: ClassSlices,
    there: ClassSlices,
    recalls: dict[str, list[Any]],
    *,
    one_reference: bool,
) -> list[list[str]]:
    """Return the remarks on each slice that do not depend on the measure."""
    alone = slices.occurring.sum(axis=0) == 1
    remarks: list[list[str]] = []
    rows = zip(*recalls.values(), strict=True)
    for row, (moved, recall, reference_recall, _) in enumerate(rows):
        said = []
        if moved is not None:
            way = "fell" if recall < reference_recall else "rose"
            said.append(
                f"the recall of {_named([moved])} {way} most, from {reference_recall:.2f} to"
                f" {recall:.2f}"
            )
        sides = (here, there) if one_reference else (here,)
        for side, whose in zip(sides, ("this slice", "its reference"), strict=False):
            only = _labels_where(here, alone & side.occurring[row])
            if only:
                said.append(f"only {whose} has {_named(only)}")
        sizes = here.class_sizes[row] > 0, there.class_sizes[row] > 0
        for has, other, where in zip(sizes, sizes[::-1], WHERE, strict=True):
            lost = _labels_where(here, ~has & other)
            if lost:
                said.append(
                    f"no instances of {_named(lost)} {where}, so that recall there counts as"
                    " unchanged"
                )
        remarks.append(said)
    return remarks


def _labels_where(slices: ClassSlices, which: NDArray[np.bool_]) -> list[Any]:
    return [slices.labels[position] for position in np.flatnonzero(which)]


def _named(labels: list[Any]) -> str:
    return shortened(", ".join(map(as_text, labels)), LONGEST_LIST)


def _why(side: ClassSlices, row: int) -> str:
    """Name the classes that are empty in a slice on which a measure is undefined."""
    if not side.total[row]:
        return "no instances"
    lost = _labels_where(side, side.class_sizes[row] == 0)
    return f"no instances of {_named(lost)}" if lost else "by its formula"
