"""Counts of slices as arrays, and the choice of the reference of each slice."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property
from typing import Any, Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from skewproof.core.algebra import Array
from skewproof.core.arguments import expect
from skewproof.core.confusion import CELLS
from skewproof.core.data.arrays import checked_numbers
from skewproof.core.data.groups import ONE_GROUP
from skewproof.core.data.labels import check_many_classes
from skewproof.core.data.weights import sampled_sizes
from skewproof.core.messages import shortened, shown
from skewproof.core.metric import Metric
from skewproof.intervals.class_rows import ClassRows, ConditionalBinomials, hits_first
from skewproof.metrics.lookup import EXPECTED, each_once
from skewproof.multiclass.against_rest import TWO_CLASSES
from skewproof.multiclass.declaration import Measure, of_two_classes
from skewproof.multiclass.lookup import as_measures, as_metric_or_measure
from skewproof.multiclass.matrix import MulticlassConfusionMatrix
from skewproof.prevalence.prevalence import Prevalence
from skewproof.slices.group_counts import GroupCounts, summed

ClassSizes = Literal["sampled", "fixed"]
"""Sampling of slices: at random from a population, or with class sizes fixed by design."""

POSITIVES = (1, "1", TWO_CLASSES[0])
"""The labels of the positive class of two, unless another one is stated."""

EFFECTIVE = {"positives_effective": ("tp", "fn"), "negatives_effective": ("fp", "tn")}
"""Columns of Kish's sizes of weighted classes, (sum of weights)²/(sum of their squares), with the
cells of each class."""

COUNTED = (*CELLS, "missing", *EFFECTIVE)
"""Columns of counts where a row has the cells of a slice."""

MOST_INSTANCES = 1e12
"""Largest count of a cell: beyond, quantiles of the posterior lose digits."""

UNOBSERVED = "unobserved"
"""Name of the column in which a matrix describes counts that are not of observed instances."""

WEIGHTED = "effective"
"""Name of the column in which a matrix of sums of weights has its effective sizes."""

BY_GROUP = "by_group"
"""Name of the column in which a matrix has its counts by group."""

CELL_COLUMNS = (*COUNTED, UNOBSERVED, WEIGHTED, BY_GROUP)
"""Columns that are no keys where a row has the cells of a slice."""

PAIR = ("true", "predicted")
"""Columns of a pair of labels."""

PAIR_COLUMNS = (*PAIR, "count", "effective")
"""Columns that are no keys where a row has the count of a pair of labels."""


@dataclass(frozen=True)
class Slices:
    """Counts of slices, which are identified by their keys.

    Attributes
    ----------
    keys
        A row per slice.
    labels
        The K classes in their order. Of two classes the positive one, if it is known, is the first.
    counts
        Counts by true and predicted class, or sums of weights, shape (slices, K, K).
    squares
        Sums of squared weights of the true classes, shape (slices, K).
    missing
        Instances, or their weights, that were left out because a label is missing, (slices,).
    groups
        Counts by group if instances belong together; None if they are independent.
    """

    keys: pd.DataFrame
    labels: tuple[Any, ...]
    counts: Array
    squares: Array
    missing: Array
    groups: GroupCounts | None = None

    @property
    def has_positive_class(self) -> bool:
        """True if there are two classes, and the first one is known to be the positive one."""
        return len(self.labels) == 2 and self.labels[0] in POSITIVES

    def measures(self, metrics: Any) -> list[Measure]:
        """Convert one or several metrics or measures, keys or names to measures of these classes.

        Raises
        ------
        KeyError
            If there is no such metric; the message suggests the nearest spelling.
        ValueError
            If an entry is neither a metric nor text, or if the list is empty.
        """
        if not self.has_positive_class:
            return as_measures(metrics)
        return [
            of_two_classes(each) if isinstance(each, Metric) else each
            for each in each_once(metrics, as_metric_or_measure, EXPECTED)
        ]

    @property
    def matrix(self) -> MulticlassConfusionMatrix:
        """The counts as matrices."""
        return MulticlassConfusionMatrix(self.counts, self.labels)

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
        sizes = self.class_sizes if self.groups is None else self.groups.effective_sizes()
        share = np.divide(
            sizes, self.squares, out=np.zeros_like(self.squares), where=self.squares > 0
        )
        return self.counts * share[..., np.newaxis]

    def at(self, rows: Any) -> Slices:
        """Return some of the slices."""
        counts, squares, missing = (
            array[rows] for array in (self.counts, self.squares, self.missing)
        )
        keys = self.keys.loc[rows].reset_index(drop=True)
        groups = None if self.groups is None else self.groups.at(rows)
        return Slices(keys, self.labels, counts, squares, missing, groups)

    def others(self) -> Slices:
        """Return all other slices together, for each slice."""
        arrays = (self.counts, self.squares, self.missing)
        groups = None if self.groups is None else replace(self.groups, others=True)
        counts, squares, missing = (array.sum(axis=0) - array for array in arrays)
        return Slices(self.keys, self.labels, counts, squares, missing, groups)

    def of_classes(self, which: NDArray[np.intp]) -> Slices:
        """Return the slices with some of the classes, which are all that occur in them."""
        labels = tuple(self.labels[position] for position in which)
        counts = self.counts[:, which[:, np.newaxis], which]
        groups = None if self.groups is None else self.groups.of_classes(which)
        return Slices(self.keys, labels, counts, self.squares[:, which], self.missing, groups)

    def observed(self, class_sizes: ClassSizes) -> ClassRows:
        """Return rates and class sizes, as observed in samples of the effective sizes."""
        if self.groups is not None:
            return self._grouped(class_sizes, self.groups)
        rows = ConditionalBinomials(self.worth, hits_first(self.counts))
        shares = self.class_sizes / self.total[:, np.newaxis]
        if class_sizes == "fixed":
            return ClassRows(rows, shares, None, self.total)
        sampled = sampled_sizes(self.class_sizes, self.worth.sum(axis=-1))[:, np.newaxis]
        order = np.argsort(-sampled, axis=-1, kind="stable")
        return ClassRows(rows, shares, ConditionalBinomials(sampled, order), self.total)

    def _grouped(self, class_sizes: ClassSizes, groups: GroupCounts) -> ClassRows:
        """Return rates and class sizes, as observed in groups; a slice may stand here twice."""
        _, firsts, places = np.unique(groups.slices, return_index=True, return_inverse=True)
        if len(firsts) < len(places):
            return self.at(firsts).observed(class_sizes).of_slices(places)
        unweighted = replace(self, groups=None, squares=self.class_sizes).observed(class_sizes)
        built = unweighted.grouped(groups.of_each, groups.confidence, own_sizes=True)
        if built.rows.effective is None:  # every group has one row
            return replace(self, groups=None).observed(class_sizes)
        sizes = self.class_sizes
        factors = np.divide(self.squares, sizes, out=np.ones_like(sizes), where=sizes > 0)
        return built.widened(factors)

    def elsewhere(self, at: Prevalence, classes: Sequence[Any]) -> ClassRows:
        """Return the observed rates at prevalences of these classes, with the names there."""
        if self.groups is None:
            return ClassRows.at(self.worth, at, classes, self.total)
        by_group, confidence = self.groups.of_each, self.groups.confidence
        return ClassRows.at(self.counts, at, classes, self.total, None, by_group, confidence)

    def beside(self, reference: Mapping[str, Any] | None) -> tuple[Slices, Slices]:
        """Return the slices to explain, and each one's reference.

        Raises
        ------
        ValueError
            If the reference names no slice, or a slice to explain has none.
        """
        if reference is None:
            if len(self.keys) < 2:
                raise ValueError("counts have one slice: expected at least two to compare")
            return self, self.others()
        is_reference = self._are(reference)
        if is_reference.all():
            raise ValueError(f"reference = {shown(dict(reference))}: expected other slices as well")
        rest = [key for key in self.keys if key not in reference]
        rows = np.arange(len(self.keys))
        groups = group_numbers(self.keys[rest])
        reference_of = dict(zip(groups[is_reference], rows[is_reference], strict=True))
        explained = rows[~is_reference]
        for row in explained:
            if groups[row] not in reference_of:
                lost = self.keys.loc[row, rest].to_dict()
                raise ValueError(
                    f"reference = {shown(dict(reference))}: expected such a slice with"
                    f" {shown(lost)}"
                )
        return self.at(explained), self.at([reference_of[group] for group in groups[explained]])

    def _are(self, reference: Mapping[str, Any]) -> NDArray[np.bool_]:
        """Return which slices have the given values of keys."""
        if not isinstance(reference, Mapping) or not reference:
            raise ValueError(
                f"reference = {shown(reference)}: expected values of keys, such as {{'month': 5}}"
            )
        matching = np.ones(len(self.keys), dtype=bool)
        for key, value in reference.items():
            if key not in self.keys:
                known = shortened(", ".join(map(str, self.keys)), 200) or "none"
                raise ValueError(f"reference has the key {shown(key)}: expected one of {known}")
            matching &= self.rows_with(key, value)
        if not matching.any():
            raise ValueError(f"reference = {shown(dict(reference))}: expected values of one slice")
        return matching

    def rows_with(self, key: Any, value: Any) -> NDArray[np.bool_]:
        """Return which slices have a value of a key.

        Raises
        ------
        ValueError
            If none has it.
        """
        if not pd.api.types.is_scalar(value):
            raise ValueError(f"reference[{shown(key)}] = {shown(value)}: expected one value")
        known_values = self.keys[key]
        if isinstance(value, date) and known_values.dtype.kind == "M":
            value = pd.Timestamp(value)
        same = known_values.isna() if pd.isna(value) else known_values == value
        if not same.any():
            known = shortened(", ".join(map(str, known_values.unique()[:20])), 200)
            raise ValueError(f"reference[{shown(key)}] = {shown(value)}: expected one of {known}")
        return same.to_numpy(dtype=bool)


def are_pairs(counts: Any) -> bool:
    """Return whether a frame has a row per slice and pair of labels, rather than cells.

    :func:`skewproof.count_slices` returns such a frame for more than two classes.
    """
    return isinstance(counts, pd.DataFrame) and {*PAIR, "count"} <= set(counts.columns)


def read_slices(
    counts: pd.DataFrame,
    *,
    reserved: Collection[str] = (),
    labels: Sequence[Any] | None = None,
    groups: str | None = None,
    confidence: float = 0.95,
) -> Slices:
    """Check a frame of counts.

    Parameters
    ----------
    counts
        A row per slice with tp, fp, fn and tn, or a row per slice and pair of labels.
    reserved
        Names of columns of the result, which no key may have.
    labels
        All classes of pairs in their order; by default those of the frame, sorted, but the positive
        one, which is 1, "1" or "positive", first if there are two.
    groups
        Column of the group of instances that belong together. There is then a row per slice and
        group, or per slice, group and pair of labels.
    confidence
        Level of the intervals in which groups have their worth.

    Raises
    ------
    ValueError
        If `counts` is not a frame of counts, has two columns of one name or no rows, or has the
        row of a projected matrix or of one of weights; if a count is missing, negative or not a
        number; if two rows have the same keys and labels; if labels are of different kinds, fewer
        than two, or not among `labels`; if a key has a reserved name; or if there is no such column
        of groups, it lacks a label or has a single one, or grouped counts are not whole numbers.
    """
    if not isinstance(counts, pd.DataFrame):
        kind = f"{type(counts).__module__}.{type(counts).__name__}"
        raise ValueError(f"counts is a {kind}: expected a pandas.DataFrame")
    names = counts.columns
    if names.has_duplicates:
        raise ValueError(f"counts have the column {shown(names[names.duplicated()][0])} twice")
    slices = (
        _from_pairs(counts, reserved, labels)
        if are_pairs(counts)
        else _from_cells(counts, reserved)
    )
    return slices if groups is None else _summed(slices, groups, confidence)


def _summed(slices: Slices, name: str, confidence: float) -> Slices:
    """Sum up slices of single groups, whose key has a name, over groups."""
    if not isinstance(name, Hashable) or name not in slices.keys:
        known = shortened(", ".join(map(str, slices.keys)), 200) or "none"
        raise ValueError(f"groups = {shown(name)}: expected one of the keys of counts, {known}")
    codes = codes_of_groups(slices.keys[name], name)
    if (slices.counts % 1).any() or (slices.squares != slices.class_sizes).any():
        raise ValueError("counts have sums of weights beside groups: expected whole numbers")
    rest = [key for key in slices.keys if key != name]
    places = group_numbers(slices.keys[rest])
    order = np.argsort(places, kind="stable")
    ends = np.searchsorted(places[order], np.arange(places.max() + 2))
    number = np.arange(len(ends) - 1)
    groups = GroupCounts(slices.counts[order], ends, codes[order], number, confidence=confidence)
    counts, missing = (summed(array, places) for array in (slices.counts, slices.missing))
    keys = slices.keys[rest].iloc[order[ends[:-1]]].reset_index(drop=True)
    return Slices(keys, slices.labels, counts, counts.sum(axis=-1), missing, groups)


def codes_of_groups(labels: pd.Series, name: str) -> NDArray[np.intp]:
    """Number the groups of rows by their labels, of which none is missing and two differ."""
    codes, distinct = pd.factorize(labels)
    if codes.min() < 0:
        raise ValueError(f"groups = {shown(name)} has rows without a label: expected one in each")
    if len(distinct) < 2:
        raise ValueError(f"groups = {shown(name)} {ONE_GROUP.format(shortened(str(distinct[0])))}")
    return codes


def _from_cells(counts: pd.DataFrame, reserved: Collection[str]) -> Slices:
    """Read a row per slice."""
    lost = [name for name in CELLS if name not in counts]
    if lost:
        raise ValueError(
            f"counts have no column {lost[0]}: expected tp, fp, fn and tn, or true, predicted and"
            " count"
        )
    if counts.empty:
        raise ValueError("counts have no rows: expected a slice in each")
    if UNOBSERVED in counts and (counts[UNOBSERVED] != "").any():
        what = counts.loc[counts[UNOBSERVED] != "", UNOBSERVED].iloc[0]
        raise ValueError(
            f"counts have a slice that is {shortened(str(what))}: expected counts of instances that"
            " were observed"
        )
    if WEIGHTED in counts and counts[WEIGHTED].notna().any():
        raise ValueError(
            "counts have the sums of weights of a matrix: expected counts, such as those of its"
            f" effective_counts, or columns {' and '.join(EFFECTIVE)}"
        )
    if BY_GROUP in counts and counts[BY_GROUP].notna().any():
        raise ValueError(
            "counts have the counts by group of a matrix: expected a row for each slice and group,"
            " as count_slices returns with groups, and the name of their column"
        )
    cells = {cell: _numbers(counts, cell, what="count") for cell in CELLS}
    missing = _numbers(counts, "missing") if "missing" in counts else np.zeros(len(counts))
    rows = [[cells[cell] for cell in of_class] for of_class in EFFECTIVE.values()]
    squares = [
        _squares(counts, name, row[0] + row[1], " or ".join(of_class))
        for (name, of_class), row in zip(EFFECTIVE.items(), rows, strict=True)
    ]
    keys = _keys_of(counts, CELL_COLUMNS, reserved)
    twice = keys.duplicated() if len(keys.columns) else pd.Series(keys.index > 0)
    if twice.any():
        raise ValueError(f"two slices have the keys {shown(keys[twice].iloc[0].to_dict())}")
    matrices = np.moveaxis(np.array(rows), -1, 0)
    return Slices(keys, TWO_CLASSES, matrices, np.column_stack(squares), missing)


def _from_pairs(
    counts: pd.DataFrame, reserved: Collection[str], labels: Sequence[Any] | None
) -> Slices:
    """Read a row per slice and pair of labels."""
    if counts.empty:
        raise ValueError("counts have no rows: expected a pair of labels in each")
    number = _numbers(counts, "count", what="count")
    squared = _squares(counts, "effective", number, "count")
    keys = _keys_of(counts, PAIR_COLUMNS, reserved)
    pairs = [counts[name].to_numpy(dtype=object) for name in PAIR]
    known = ~(pd.isna(pairs[0]) | pd.isna(pairs[1]))
    true, predicted = (column[known] for column in pairs)
    check_many_classes(true, predicted)
    occurring = tuple(sorted({*true, *predicted}))
    if len(occurring) == 2 and occurring[1] in POSITIVES:
        occurring = occurring[::-1]
    if len(occurring) < 2:
        raise ValueError(f"counts have {len(occurring)} labels: expected at least two classes")
    classes = occurring if labels is None else tuple(labels)
    for label in occurring:
        listed = shortened(", ".join(map(str, classes)), 200)
        expect(label in classes, "a label", label, f"one of the reference's classes {listed}")
    slices = group_numbers(keys)
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
    squares[index] = squared[known]
    missing = np.zeros(len(firsts))
    np.add.at(missing, slices[~known], number[~known])
    keys = keys.loc[firsts].reset_index(drop=True)
    return Slices(keys, classes, filled, squares.sum(axis=-1), missing)


def _numbers(counts: pd.DataFrame, name: str, what: str = "number") -> Array:
    """Read a column without negative numbers of instances, or numbers whose products overflow."""
    numbers = np.asarray(checked_numbers(counts[name], name, what=what), dtype=float)
    if (numbers < 0).any():
        raise ValueError(f"{name} = {numbers.min():g}: expected a number of at least 0")
    if numbers.max() > MOST_INSTANCES:
        raise ValueError(f"{name} = {numbers.max():g}: expected at most {MOST_INSTANCES:g}")
    return numbers


def _squares(counts: pd.DataFrame, name: str, sizes: Array, sized: str) -> Array:
    """Compute sums of squared weights from effective sizes; without them, every weight is 1."""
    effective = _numbers(counts, name) if name in counts else sizes
    if ((effective == 0) & (sizes > 0)).any():
        raise ValueError(f"{name} = 0 where {sized} is above 0: expected a number above 0")
    return np.divide(sizes**2, effective, out=np.zeros_like(sizes), where=effective > 0)


def _keys_of(
    counts: pd.DataFrame, not_keys: Collection[str], reserved: Collection[str]
) -> pd.DataFrame:
    """Return the columns with keys; none may have the name of a column of the result."""
    keys = counts[[name for name in counts if name not in not_keys]].reset_index(drop=True)
    taken = [name for name in keys if name in reserved]
    if taken:
        raise ValueError(
            f"counts have the key {shown(taken[0])}, which is a column of the result: expected"
            " another name"
        )
    return keys


def group_numbers(keys: pd.DataFrame) -> NDArray[np.intp]:
    """Number the groups of rows with the same keys, in the order of their first rows."""
    if not len(keys.columns):
        return np.zeros(len(keys), dtype=np.intp)
    return keys.groupby(list(keys), dropna=False, sort=False).ngroup().to_numpy()


def without_groups(counts: pd.DataFrame, groups: str | None) -> pd.DataFrame:
    """Sum up a frame of counts over groups, if there are some and slices have keys."""
    if groups is None:
        return counts
    numbers = PAIR_COLUMNS[len(PAIR) :] if are_pairs(counts) else COUNTED
    keys = [name for name in counts if name not in (*numbers, groups)]
    by_slice = counts.drop(columns=groups).groupby(keys, dropna=False, sort=False, observed=True)
    return by_slice.sum().reset_index()


def rows_of_slice(frame: pd.DataFrame, keys: Mapping[str, Any]) -> pd.DataFrame:
    """Return the rows of a slice, in a frame with the columns of its keys."""
    rows = np.ones(len(frame), dtype=bool)
    for key, value in keys.items():
        rows &= (frame[key].isna() if pd.isna(value) else frame[key] == value).to_numpy(dtype=bool)
    return frame[rows]
