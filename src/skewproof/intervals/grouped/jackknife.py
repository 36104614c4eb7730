"""Worth of grouped rows for any statistic: the delete-group jackknife beside that of single rows.

Their ratio is the design effect. Independent rows, fewer by the design effect and by the squared
ratio of two quantiles of Student's distribution, tell as much about the statistic (Kish 1965; Bell
and McCaffrey 2002). An interval for independent rows then counts these. For the area under the ROC
curve the jackknife of groups is nearly the variance of Obuchowski (1997).

docs/evidence/group_scores.md measures the coverage of the intervals.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import stdtrit

from skewproof.core.algebra import Array
from skewproof.core.data.groups import group_codes, in_order
from skewproof.intervals.estimates import Grouping
from skewproof.intervals.grouped.effective_numbers import (
    degrees_of_freedom,
    effective_groups,
    intraclass,
    remark_on_groups,
)

BLOCK = 2**21
"""Most counts of samples that a statistic gets at a time."""

Statistic = Callable[[Array], Array]
"""Function of numbers of rows by cell, shape (samples, cells), with a value for each sample."""


@dataclass(frozen=True, eq=False)
class GroupedCells:
    """Rows in groups; a statistic depends on the numbers of rows by cell."""

    codes: NDArray[np.intp]
    """Number of each row's group, rising, shape (rows,)."""

    cells: NDArray[np.intp]
    """Number of each row's cell."""

    weights: Array | None
    """Number of instances for which each row stands; None for one."""

    classes: NDArray[np.intp]
    """Number of the class to which each cell belongs, shape (cells,)."""

    sizes: Array
    """Number of instances of each class in each group, shape (groups, classes)."""

    remark: str
    """Remark on classes of few groups; empty if there are none."""

    @classmethod
    def of(
        cls,
        groups: ArrayLike,
        cells: NDArray[np.intp],
        classes: NDArray[np.intp],
        names: Sequence[Any],
        weights: Array | None = None,
    ) -> Self:
        """Sort rows by group, in an order that depends neither on labels nor on that of the rows.

        Parameters
        ----------
        groups
            Label of each row's group.
        cells, classes, weights
            As the attributes, in the order of the labels.
        names
            The names of the classes.

        Raises
        ------
        ValueError
            If groups are refused, or several rows of a class are all of one group.
        """
        codes, number = group_codes(groups, len(cells))
        keys = np.random.default_rng(0).integers(2**20, size=(classes.size, 2)).astype(float)
        marks = [np.bincount(codes, key[cells]) for key in keys.T]
        codes = np.argsort(np.lexsort(marks))[codes]
        order = np.argsort(codes, kind="stable")
        codes, cells = codes[order], cells[order]
        weights = None if weights is None else weights[order]
        several = len(names)
        table = np.bincount(codes * several + classes[cells], weights, minlength=number * several)
        sizes = table.reshape(number, several).astype(np.float64)
        remark = remark_on_groups(sizes[..., np.newaxis], names)
        return cls(codes, cells, weights, classes, sizes, remark)

    def worth(self, statistic: Statistic, confidence: float) -> float:
        """Return how many independent rows tell as much about a statistic, as a share of the rows.

        It is 1 for groups of one row. If the statistic does not vary, each group counts as one row
        of a class.

        Parameters
        ----------
        statistic
            The statistic.
        confidence
            Level of the interval in which independent rows stand for these.
        """
        if self.sizes.sum(axis=1).max() <= 1:
            return 1.0
        totals, alike = self.sizes.sum(axis=0), effective_groups(in_order(self.sizes))
        groups, rows = len(self.sizes), totals.sum()
        by_group, by_row = (
            (number - 1) / number * np.nansum(squares)
            for number, squares in zip((groups, rows), self._squares(statistic), strict=True)
        )
        if not (np.isfinite(by_group) and by_group > 0 and by_row > 0):
            return float((alike / totals).min())
        effect = max(1.0, by_group / by_row)
        several = self.sizes.max(axis=0) > 1
        with np.errstate(divide="ignore", invalid="ignore"):  # classes with one row
            freedom = degrees_of_freedom(in_order(self.sizes), intraclass(effect, totals, alike))
            level = (1 + confidence) / 2
            ratios = stdtrit(totals - 1, level) / stdtrit(freedom, level)
        return float(ratios[several].min(initial=1.0) ** 2 / effect)

    def grouping(self, worth: float) -> Grouping:
        """Describe the groups, and what their rows are worth."""
        return Grouping(len(self.sizes), float(self.sizes.sum()), 1 / worth)

    def _squares(self, statistic: Statistic) -> tuple[Array, Array]:
        """Return squared changes of a statistic without each group, and without each row."""
        cells = self.classes.size
        counts = np.bincount(self.cells, self.weights, minlength=cells).astype(np.float64)
        known = np.flatnonzero(counts)
        with np.errstate(divide="ignore", invalid="ignore"):
            value = statistic(counts[np.newaxis])[0]
            of_groups = without_each(statistic, counts, self.codes, self.cells, self.weights)
            of_rows = without_each(statistic, counts, np.arange(known.size), known)
        return (of_groups - value) ** 2, counts[known] * (of_rows - value) ** 2


def without_each(
    statistic: Statistic,
    counts: Array,
    codes: NDArray[np.intp],
    cells: NDArray[np.intp],
    weights: Array | None = None,
) -> Array:
    """Compute a statistic without the rows of each group, shape (groups,).

    Parameters
    ----------
    statistic
        The statistic.
    counts
        Number of all rows by cell.
    codes, cells, weights
        As for :class:`GroupedCells`; codes rise.
    """
    size, groups = counts.size, int(codes[-1]) + 1
    at_once, values = max(1, BLOCK // size), []
    for start in range(0, groups, at_once):
        end = min(start + at_once, groups)
        some = slice(*np.searchsorted(codes, [start, end]))
        removed = np.bincount(
            (codes[some] - start) * size + cells[some],
            None if weights is None else weights[some],
            minlength=(end - start) * size,
        )
        values.append(statistic(counts - removed.reshape(-1, size)))
    return np.concatenate(values)


def neighbors(counts: Array, most: int) -> NDArray[np.intp]:
    """Number classes of neighboring values, each with about the same share of both classes.

    The first and the last value stay alone.

    Parameters
    ----------
    counts
        Number of instances of each class with each value, (classes, values), more than `most`.
    most
        Largest number of such neighborhoods.
    """
    weights = np.sum(counts / counts.sum(axis=1, keepdims=True), axis=0)
    sums = np.cumsum(weights)
    numbers = np.floor((sums - weights / 2) / sums[-1] * (most - 2)).astype(np.intp) + 1
    numbers[0], numbers[-1] = 0, most - 1
    return np.cumsum(np.diff(numbers, prepend=0) > 0)
