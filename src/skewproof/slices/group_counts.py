"""Counts of slices by group of rows that belong together, such as those of a patient."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skewproof.core.algebra import Array
from skewproof.core.data.groups import in_order
from skewproof.intervals.grouped.effective_numbers import grouped_shares


@dataclass(frozen=True)
class GroupCounts:
    """Counts of slices by group.

    Attributes
    ----------
    counts
        Counts of each group in each slice in which it occurs, shape (rows, K, K).
    ends
        Number of the first row of each slice, and of all rows, shape (all slices + 1,).
    groups
        Number of the group of each row, shape (rows,).
    slices
        Numbers of the slices that stand here, shape (slices,).
    others
        True if all other slices together stand for each slice.
    confidence
        Level of the intervals in which groups have their worth.
    """

    counts: Array
    ends: NDArray[np.intp]
    groups: NDArray[np.intp]
    slices: NDArray[np.intp]
    others: bool = False
    confidence: float = 0.95

    def at(self, rows: Any) -> GroupCounts:
        """Return the counts of some of the slices."""
        return replace(self, slices=self.slices[rows])

    def of_classes(self, which: NDArray[np.intp]) -> GroupCounts:
        """Return the counts of some of the classes."""
        return replace(self, counts=self.counts[:, which[:, np.newaxis], which])

    @property
    def of_each(self) -> list[Array]:
        """The counts of each slice by group."""
        return [self.of(position) for position in range(len(self.slices))]

    def of(self, position: int) -> Array:
        """Return the counts of a slice, (groups, K, K), in an order that no label changes."""
        number = self.slices[position]
        rows = slice(self.ends[number], self.ends[number + 1])
        counts = self.counts[rows]
        if self.others:
            counts = self._of_all.copy()
            counts[self.groups[rows]] -= self.counts[rows]
        table = in_order(counts.reshape(len(counts), -1))
        some = np.atleast_1d(table.any(axis=1))
        some[-1] = True
        return table[some].reshape(-1, *counts.shape[1:])

    def pooled(self, rows: slice) -> GroupCounts:
        """Return the counts of some slices together, in which each group stands once."""
        parts = [slice(self.ends[number], self.ends[number + 1]) for number in self.slices[rows]]
        groups, places = np.unique(
            np.concatenate([self.groups[part] for part in parts]), return_inverse=True
        )
        counts = summed(np.concatenate([self.counts[part] for part in parts]), places)
        ends = np.array([0, len(groups)])
        return replace(self, counts=counts, ends=ends, groups=groups, slices=np.zeros(1, dtype=int))

    def beside(self, other: GroupCounts) -> GroupCounts:
        """Return these slices, and after them others; groups of another frame are others."""
        if self.counts is other.counts:
            return replace(self, slices=np.concatenate([self.slices, other.slices]))
        return replace(
            self,
            counts=np.concatenate([self.counts, other.counts]),
            ends=np.concatenate([self.ends, self.ends[-1] + other.ends[1:]]),
            groups=np.concatenate([self.groups, self.groups.max() + 1 + other.groups]),
            slices=np.concatenate([self.slices, len(self.ends) - 1 + other.slices]),
        )

    @cached_property
    def _of_all(self) -> Array:
        """The counts of all slices together, by the number of the group."""
        return summed(self.counts, self.groups)

    def effective_sizes(self) -> Array:
        """Compute how many independent rows of each class tell as much about its recall.

        The shape is (slices, K).
        """
        return np.array(
            [
                grouped_shares(
                    np.diagonal(counts, axis1=1, axis2=2), counts.sum(axis=-1), self.confidence
                ).effective
                for counts in self.of_each
            ]
        )


def summed(counts: Array, places: NDArray[np.intp]) -> Array:
    """Sum up the rows of an array that have the same place, from 0 on."""
    order = np.argsort(places, kind="stable")
    starts = np.searchsorted(places[order], np.arange(places.max() + 1))
    return np.asarray(np.add.reduceat(counts[order], starts, axis=0))
