"""Counts of slices of more than two classes as arrays."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from skewproof.core.algebra import Array
from skewproof.core.arguments import expect
from skewproof.core.arrays import checked_numbers
from skewproof.core.labels import check_many_classes
from skewproof.core.messages import shortened, shown
from skewproof.core.weights import sampled_sizes
from skewproof.intervals.class_rows import (
    ClassRows,
    ConditionalBinomials,
    hits_first,
)
from skewproof.slices.questions import ClassSizes
from skewproof.slices.slice_table import (
    KeyedSlices,
    check_frame,
    check_numbers,
    keys_of,
)

PAIR = ("true", "predicted")
"""Columns of a pair of labels."""

NOT_KEYS = (*PAIR, "count", "effective")


@dataclass(frozen=True)
class ClassSlices(KeyedSlices):
    """Slices of any number of classes.

    Attributes
    ----------
    labels
        The classes in their order.
    counts
        Counts by true and predicted class, or sums of weights, shape (slices, K, K).
    squares
        Sums of squared weights of the true classes, shape (slices, K).
    missing
        Instances, or their weights, that were left out because a label is missing, (slices,).
    """

    labels: tuple[Any, ...]
    counts: Array
    squares: Array
    missing: Array

    @cached_property
    def class_sizes(self) -> Array:
        """Sizes of the true classes, shape (slices, K)."""
        return self.counts.sum(axis=-1)

    @cached_property
    def total(self) -> Array:
        """Numbers of instances, shape (slices,)."""
        return self.class_sizes.sum(axis=-1)

    @cached_property
    def occurring(self) -> NDArray[np.bool_]:
        """True if a class is true or predicted in a slice, shape (slices, K)."""
        return (self.class_sizes > 0) | (self.counts.sum(axis=-2) > 0)

    @cached_property
    def worth(self) -> Array:
        """Effective numbers of instances behind the rates, shape (slices, K, K)."""
        share = np.divide(
            self.class_sizes, self.squares, out=np.zeros_like(self.squares), where=self.squares > 0
        )
        return self.counts * share[..., np.newaxis]

    def at(self, rows: Any) -> ClassSlices:
        """Return some of the slices."""
        return ClassSlices(
            self.keys.loc[rows].reset_index(drop=True),
            self.labels,
            self.counts[rows],
            self.squares[rows],
            self.missing[rows],
        )

    def others(self) -> ClassSlices:
        """Return all other slices together, for each slice."""
        arrays = (self.counts, self.squares, self.missing)
        return ClassSlices(self.keys, self.labels, *(array.sum(axis=0) - array for array in arrays))

    def of_classes(self, which: NDArray[np.intp]) -> ClassSlices:
        """Return the slices with some of the classes, which are all that occur in them."""
        labels = tuple(self.labels[position] for position in which)
        counts = self.counts[:, which[:, np.newaxis], which]
        return ClassSlices(self.keys, labels, counts, self.squares[:, which], self.missing)

    def observed(self, class_sizes: ClassSizes) -> ClassRows:
        """Return rates and class sizes, as observed in samples of the effective sizes."""
        rows = ConditionalBinomials(self.worth, hits_first(self.counts))
        shares = self.class_sizes / self.total[:, np.newaxis]
        if class_sizes == "fixed":
            return ClassRows(rows, shares, None, self.total)
        sampled = sampled_sizes(self.class_sizes, self.worth.sum(axis=-1))[:, np.newaxis]
        order = np.argsort(-sampled, axis=-1, kind="stable")
        return ClassRows(rows, shares, ConditionalBinomials(sampled, order), self.total)


def are_pairs(counts: Any) -> bool:
    """Return whether a frame counts pairs of labels.

    :func:`skewproof.count_slices` returns such a frame for more than two classes.
    """
    return isinstance(counts, pd.DataFrame) and {*PAIR, "count"} <= set(counts.columns)


def read_class_slices(
    counts: pd.DataFrame, *, reserved: Collection[str] = (), labels: Sequence[Any] | None = None
) -> ClassSlices:
    """Check a frame of counts.

    Parameters
    ----------
    counts
        A row per slice and pair of labels.
    reserved
        Names of columns of the result, which no key may have.
    labels
        All classes in their order; by default those of the frame, sorted.

    Raises
    ------
    ValueError
        If a label is not among `labels`; if the frame has two columns of one name or no rows; if a
        count is missing, negative or not a number; if labels are of different kinds, or fewer than
        two; if two rows have the same keys and labels; or if a key has a reserved name.
    """
    check_frame(counts)
    if counts.empty:
        raise ValueError("counts have no rows: expected a pair of labels in each")
    arrays = {"count": checked_numbers(counts["count"], "count", what="count").astype(float)}
    effective = counts["effective"] if "effective" in counts else counts["count"]
    arrays["effective"] = checked_numbers(effective, "effective").astype(float)
    check_numbers(arrays)
    number, effective = arrays.values()
    if ((effective == 0) & (number > 0)).any():
        raise ValueError("effective = 0 where count is above 0: expected a number above 0")
    keys = keys_of(counts, NOT_KEYS, reserved)
    pairs = [counts[name].to_numpy(dtype=object) for name in PAIR]
    known = ~(pd.isna(pairs[0]) | pd.isna(pairs[1]))
    true, predicted = (column[known] for column in pairs)
    check_many_classes(true, predicted)
    occurring = tuple(sorted({*true, *predicted}))
    if len(occurring) < 2:
        raise ValueError(f"counts have {len(occurring)} labels: expected at least two classes")
    classes = occurring if labels is None else tuple(labels)
    for label in occurring:
        listed = shortened(", ".join(map(str, classes)), 200)
        expect(label in classes, "a label", label, f"one of the reference's classes {listed}")
    slices = np.zeros(len(counts), dtype=np.intp)
    if len(keys.columns):
        slices = keys.groupby(list(keys), dropna=False, sort=False).ngroup().to_numpy()
    firsts = np.unique(slices, return_index=True)[1]
    positions = {label: position for position, label in enumerate(classes)}
    rows, columns = ([positions[label] for label in side] for side in (true, predicted))
    index = (slices[known], rows, columns)
    twice = pd.DataFrame(dict(enumerate(index))).duplicated().to_numpy()
    if twice.any():
        row = counts[known][twice].iloc[0]
        given = row.drop(["count", "effective"], errors="ignore").to_dict()
        raise ValueError(f"two rows have the keys and labels {shown(given)}: expected one row")
    shape = (len(firsts), len(classes), len(classes))
    filled, squares = np.zeros(shape), np.zeros(shape)
    filled[index] = number[known]
    squares[index] = np.divide(
        number**2, effective, out=np.zeros_like(number), where=effective > 0
    )[known]
    missing = np.zeros(len(firsts))
    np.add.at(missing, slices[~known], number[~known])
    keys = keys.loc[firsts].reset_index(drop=True)
    return ClassSlices(keys, classes, filled, squares.sum(axis=-1), missing)
