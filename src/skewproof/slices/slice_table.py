"""Counts of slices as arrays, and the choice of the reference of each slice."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping
from dataclasses import dataclass, fields, replace
from datetime import date
from functools import cached_property
from typing import Any, Self

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from skewproof.core.algebra import Array
from skewproof.core.arrays import checked_numbers
from skewproof.core.confusion import CELLS, ConfusionMatrix
from skewproof.core.messages import shortened, shown
from skewproof.core.metric import Metric
from skewproof.core.weights import sampled_sizes
from skewproof.intervals.extremes import Proportions

EFFECTIVE = ("positives_effective", "negatives_effective")
"""Kish's sizes of weighted classes: (sum of weights)²/(sum of their squares)."""

MOST_INSTANCES = 1e12
"""Largest count of a cell: beyond, quantiles of the posterior lose digits."""

NEXT_TO_NONE = 1e-9
"""Number of instances for a class that has none and that a metric ignores."""

UNOBSERVED = "unobserved"
"""Name of the column in which a matrix describes counts that are not of observed instances."""

WEIGHTED = "effective"
"""Name of the column in which a matrix of sums of weights has its effective sizes."""

NOT_KEYS = (*CELLS, *EFFECTIVE, "missing", UNOBSERVED, WEIGHTED)


@dataclass(frozen=True)
class KeyedSlices(ABC):
    """Slices in rows, identified by their keys."""

    keys: pd.DataFrame

    @abstractmethod
    def at(self, rows: Any) -> Self:
        """Return some of the slices."""

    @abstractmethod
    def others(self) -> Self:
        """Return all other slices together, for each slice."""

    def beside(self, reference: Mapping[str, Any] | None) -> tuple[Self, Self]:
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
        if not rest:
            repeated = np.full(len(rows) - 1, rows[is_reference][0])
            return self.at(rows[~is_reference]), self.at(repeated)
        groups = self.keys.groupby(rest, dropna=False, sort=False).ngroup().to_numpy()
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
            if not pd.api.types.is_scalar(value):
                raise ValueError(f"reference[{shown(key)}] = {shown(value)}: expected one value")
            known_values = self.keys[key]
            if isinstance(value, date) and known_values.dtype.kind == "M":
                value = pd.Timestamp(value)
            same = known_values.isna() if pd.isna(value) else known_values == value
            if not same.any():
                known = shortened(", ".join(map(str, known_values.unique()[:20])), 200)
                raise ValueError(
                    f"reference[{shown(key)}] = {shown(value)}: expected one of {known}"
                )
            matching &= same.to_numpy(dtype=bool)
        if not matching.any():
            raise ValueError(f"reference = {shown(dict(reference))}: expected values of one slice")
        return matching


@dataclass(frozen=True)
class Slices(KeyedSlices):
    """Slices of two classes."""

    tp: Array
    fp: Array
    fn: Array
    tn: Array
    positives_effective: Array
    negatives_effective: Array
    missing: Array
    """Instances that were left out because a label is missing."""

    @cached_property
    def positives(self) -> Array:
        """Sizes of the positive class."""
        return self.tp + self.fn

    @cached_property
    def negatives(self) -> Array:
        """Sizes of the negative class."""
        return self.fp + self.tn

    @cached_property
    def total(self) -> Array:
        """Numbers of instances."""
        return self.positives + self.negatives

    @cached_property
    def assessable(self) -> NDArray[np.bool_]:
        """True if both classes have instances, for each slice."""
        return (self.positives > 0) & (self.negatives > 0)

    @property
    def matrix(self) -> ConfusionMatrix:
        """The counts."""
        return ConfusionMatrix(tp=self.tp, fp=self.fp, fn=self.fn, tn=self.tn)

    @property
    def known(self) -> ConfusionMatrix:
        """The counts, with NaN in a class without instances.

        The rate of such a class is unknown, and with it every metric that depends on it.
        """
        return ConfusionMatrix(
            tp=np.where(self.positives > 0, self.tp, np.nan),
            fp=np.where(self.negatives > 0, self.fp, np.nan),
            fn=np.where(self.positives > 0, self.fn, np.nan),
            tn=np.where(self.negatives > 0, self.tn, np.nan),
        )

    def assessable_by(self, metric: Metric) -> NDArray[np.bool_]:
        """Return whether each class has instances, or the metric ignores the empty one."""
        return self.assessable | ~np.isnan(metric(self.known))

    def with_rates(self) -> Slices:
        """Return slices that have a rate, of negligible weight, for a class without instances.

        The rate does not matter to a metric that ignores the class.
        """
        empty = {"positives": self.positives == 0, "negatives": self.negatives == 0}
        cells = {"tp": "positives", "fn": "positives", "fp": "negatives", "tn": "negatives"}
        filled = {
            cell: np.where(empty[name], NEXT_TO_NONE / 2, getattr(self, cell))
            for cell, name in cells.items()
        } | {
            f"{name}_effective": np.where(where, NEXT_TO_NONE, getattr(self, f"{name}_effective"))
            for name, where in empty.items()
        }
        return replace(self, **filled)

    @cached_property
    def proportions(self) -> Proportions:
        """Prevalence, tpr and fpr, as observed in samples of the effective sizes."""
        sizes = np.array([self.positives, self.negatives])
        effective = np.array([self.positives_effective, self.negatives_effective])
        positives, negatives = sampled_sizes(sizes.T, effective.T).T
        by_positive = self.positives_effective / self.positives
        by_negative = self.negatives_effective / self.negatives
        return Proportions(
            np.array([positives, self.tp * by_positive, self.fp * by_negative]),
            np.array([negatives, self.fn * by_positive, self.tn * by_negative]),
        )

    @cached_property
    def _squared_weights(self) -> Array:
        """Sums of squared weights of each class, 0 if it is empty."""
        sizes = np.array([self.positives, self.negatives])
        effective = np.array([self.positives_effective, self.negatives_effective])
        return np.divide(sizes**2, effective, out=np.zeros_like(sizes), where=sizes > 0)

    def at(self, rows: Any) -> Slices:
        """Return some of the slices."""
        arrays = {field.name: getattr(self, field.name)[rows] for field in fields(self)[1:]}
        return Slices(keys=self.keys.loc[rows].reset_index(drop=True), **arrays)

    def others(self) -> Slices:
        """Return all other slices together, for each slice."""
        counts = {name: getattr(self, name).sum() - getattr(self, name) for name in CELLS}
        squares = self._squared_weights.sum(axis=1, keepdims=True) - self._squared_weights
        sizes = (counts["tp"] + counts["fn"], counts["fp"] + counts["tn"])
        effective = [
            np.divide(size**2, square, out=np.zeros_like(size), where=size > 0)
            for size, square in zip(sizes, squares, strict=True)
        ]
        missing = self.missing.sum() - self.missing
        sizes_effective = dict(zip(EFFECTIVE, effective, strict=True))
        return Slices(self.keys, **counts, **sizes_effective, missing=missing)


def read_slices(counts: pd.DataFrame, *, reserved: Collection[str] = ()) -> Slices:
    """Check a frame of counts.

    Parameters
    ----------
    counts
        A row per slice.
    reserved
        Names of columns of the result, which no key may have.

    Raises
    ------
    ValueError
        If `counts` is not a frame of counts, has no rows, or has the row of a projected matrix or
        of one of weights; if a count is missing, negative or not a number; if two rows have the
        same keys; or if a key has a reserved name.
    """
    check_frame(counts)
    lost = [name for name in CELLS if name not in counts]
    if lost:
        raise ValueError(f"counts have no column {lost[0]}: expected tp, fp, fn and tn")
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
            f" effective_counts, or columns {EFFECTIVE[0]} and {EFFECTIVE[1]}"
        )
    arrays = {
        name: checked_numbers(counts[name], name, what="count").astype(float) for name in CELLS
    }
    sizes = (arrays["tp"] + arrays["fn"], arrays["fp"] + arrays["tn"])
    for name, size in zip(EFFECTIVE, sizes, strict=True):
        given = checked_numbers(counts[name], name) if name in counts else size
        arrays[name] = np.asarray(given, dtype=float)
    arrays["missing"] = (
        checked_numbers(counts["missing"], "missing").astype(float)
        if "missing" in counts
        else np.zeros(len(counts))
    )
    check_numbers(arrays)
    for name, cells in zip(EFFECTIVE, (("tp", "fn"), ("fp", "tn")), strict=True):
        empty = (arrays[name] == 0) & (arrays[cells[0]] + arrays[cells[1]] > 0)
        if empty.any():
            raise ValueError(f"{name} = 0 where {cells[0]} or {cells[1]} is above 0")
    keys = keys_of(counts, NOT_KEYS, reserved)
    twice = keys.duplicated() if len(keys.columns) else pd.Series(keys.index > 0)
    if twice.any():
        raise ValueError(f"two slices have the keys {shown(keys[twice].iloc[0].to_dict())}")
    return Slices(keys, **arrays)


def check_frame(counts: Any) -> None:
    """Refuse anything but a data frame with different column names."""
    if not isinstance(counts, pd.DataFrame):
        kind = f"{type(counts).__module__}.{type(counts).__name__}"
        raise ValueError(f"counts is a {kind}: expected a pandas.DataFrame")
    names = counts.columns
    if names.has_duplicates:
        raise ValueError(f"counts have the column {shown(names[names.duplicated()][0])} twice")


def check_numbers(arrays: Mapping[str, Array]) -> None:
    """Refuse negative numbers of instances, and numbers whose products overflow."""
    for name, array in arrays.items():
        if (array < 0).any():
            raise ValueError(f"{name} = {array.min():g}: expected a number of at least 0")
        if array.max() > MOST_INSTANCES:
            raise ValueError(f"{name} = {array.max():g}: expected at most {MOST_INSTANCES:g}")


def keys_of(
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


def rows_of_slice(frame: pd.DataFrame, keys: Mapping[str, Any]) -> pd.DataFrame:
    """Return the rows of a slice, in a frame with the columns of its keys."""
    rows = np.ones(len(frame), dtype=bool)
    for key, value in keys.items():
        rows &= (frame[key].isna() if pd.isna(value) else frame[key] == value).to_numpy(dtype=bool)
    return frame[rows]
