"""Variance of a statistic of two classes from its values without each row, or without each group.

The prevalence stays as it is when a row is left out, so that each class has a variance of its own,
and the degrees of freedom of both together are those of Satterthwaite (1946). A prevalence that was
estimated adds the square of the statistic's derivative times the prevalence's own variance.

docs/evidence/difference_coverage.md measures the coverage of the intervals.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, logit, stdtr, stdtrit

from skewproof.core.algebra import Array
from skewproof.intervals.grouped.effective_numbers import degrees_of_freedom, intraclass


class Variance(NamedTuple):
    """A variance and its degrees of freedom."""

    value: float
    freedom: float

    @classmethod
    def total(cls, parts: Iterable[Variance], known: float = 0.0) -> Variance:
        """Add independent parts, and one that is known without error.

        Examples
        --------
        >>> Variance.total([Variance(1.0, 4), Variance(1.0, 4)])
        Variance(value=2.0, freedom=8.0)
        """
        parts = list(parts)
        whole = sum(part.value for part in parts) + known
        unsure = sum(part.value**2 / part.freedom for part in parts)
        return cls(whole, whole**2 / unsure if unsure > 0 else np.inf)

    @classmethod
    def of_rows(cls, changes: Array) -> Variance:
        """Compute the part of a class from its rows.

        Parameters
        ----------
        changes
            The pseudo-values of the class less their mean, (rows,): (n - 1) times the mean of the
            statistic without each row less the statistic without this row.
        """
        rows = changes.size
        return cls(float(np.sum(changes**2)) / (rows * (rows - 1)), rows - 1)

    @classmethod
    def of_groups(cls, values: Array, sizes: Array, of_rows: float) -> Variance:
        """Compute the variance from the statistic without each group, at least that of the rows.

        The degrees of freedom are those of the class with the least (Bell and McCaffrey 2002).

        Parameters
        ----------
        values
            The statistic without each group less the statistic, (groups,).
        sizes
            Numbers of positives and of negatives in each group, (groups, 2).
        of_rows
            The variance if all rows were independent.
        """
        groups, totals = len(values), sizes.sum(axis=0)
        value = (groups - 1) / groups * float(np.sum(np.sort(values**2)))
        value = max(value, of_rows)
        alike = totals**2 / np.sum(sizes**2, axis=0)
        effect = np.array(value / of_rows if of_rows > 0 else 1.0)
        freedom = degrees_of_freedom(sizes, intraclass(effect, totals, alike))
        return cls(value, float(freedom.min()))

    def half_width(self, confidence: float) -> float:
        """Return half the width of the interval."""
        return float(stdtrit(self.freedom, (1 + confidence) / 2) * np.sqrt(self.value))

    def probability_below(self, value: float) -> float:
        """Return the probability that an error is below `value`."""
        return float(stdtr(self.freedom, value / np.sqrt(self.value)))


@dataclass(frozen=True)
class Changes:
    """A statistic at a prevalence, and its changes without rows."""

    value: float

    slope: float
    """Derivative by the prevalence."""

    rows: Array
    """The row's pseudo-value less the mean of its class, (rows,)."""


class Statistic(ABC):
    """A statistic of the scores or losses of two classes, as a function of the prevalence."""

    @abstractmethod
    def at(self, share: float) -> Changes:
        """Compute the statistic at a prevalence, and its changes without rows."""

    @abstractmethod
    def without_groups(self, codes: NDArray[np.intp], share: float | None) -> Array:
        """Compute the statistic without each group, less the statistic, (groups,).

        Parameters
        ----------
        codes
            Number of each row's group.
        share
            The prevalence; None for that of the remaining rows.
        """


@dataclass(frozen=True)
class MeanLoss(Statistic):
    """A weighted mean of the mean losses of both classes, k L1 + (1 - k) L0.

    k is the prevalence, or what it becomes if the log odds of a threshold are taken from its own.

    Examples
    --------
    >>> import numpy as np
    >>> positive = np.array([True, True, False, False])
    >>> changes = MeanLoss(positive, np.array([0.0, 1.0, 0.0, 0.5])).at(0.25)
    >>> changes.value, changes.slope, changes.rows.tolist()
    (0.3125, 0.25, [-0.125, 0.125, -0.1875, 0.1875])
    """

    positive: NDArray[np.bool_]

    losses: Array
    """Loss of each row, (rows,)."""

    log_odds: float = 0.0
    """Log odds of the threshold."""

    def at(self, share: float) -> Changes:
        """Compute the mean loss at a prevalence, and its changes without rows."""
        weight = float(self._weight(share))
        of_positives, of_negatives = (
            float(self.losses[of_class].mean()) for of_class in (self.positive, ~self.positive)
        )
        slope = weight * (1 - weight) / (share * (1 - share)) * (of_positives - of_negatives)
        rows = np.where(
            self.positive,
            weight * (self.losses - of_positives),
            (1 - weight) * (self.losses - of_negatives),
        )
        return Changes(weight * of_positives + (1 - weight) * of_negatives, slope, rows)

    def without_groups(self, codes: NDArray[np.intp], share: float | None) -> Array:
        """Compute the mean loss without each group, less the mean loss, (groups,)."""
        means, numbers = [], []
        for of_class in (self.positive, ~self.positive):
            sizes, sums = (
                np.bincount(codes[of_class], weights, minlength=codes.max() + 1)
                for weights in (None, self.losses[of_class])
            )
            numbers.append(np.append(sizes.sum() - sizes, sizes.sum()))
            means.append(np.append(sums.sum() - sums, sums.sum()) / numbers[-1])
        weight = self._weight(numbers[0] / sum(numbers) if share is None else share)
        values = weight * means[0] + (1 - weight) * means[1]
        return np.asarray(values[:-1] - values[-1])

    def _weight(self, share: Any) -> Any:
        return expit(logit(share) - self.log_odds)


class Contrast(NamedTuple):
    """Rows of a test set, and two statistics of them of which the difference is taken.

    A statistic that is None counts as 0, so that one test set may have the first and another one
    the second.
    """

    positive: NDArray[np.bool_]
    first: Statistic | None
    second: Statistic | None
    codes: NDArray[np.intp] | None
    """Number of each row's group; None if all rows are independent."""

    def at(self, share: float) -> Changes:
        """Compute the second statistic less the first at a prevalence."""
        nothing = Changes(0.0, 0.0, np.zeros(self.positive.size))
        first, second = (
            nothing if some is None else some.at(share) for some in (self.first, self.second)
        )
        return Changes(
            second.value - first.value, second.slope - first.slope, second.rows - first.rows
        )

    def of_rows(self, changes: Changes) -> list[Variance]:
        """Compute the variances of both classes if rows are independent."""
        return [
            Variance.of_rows(changes.rows[of_class]) for of_class in (self.positive, ~self.positive)
        ]

    def variances(self, changes: Changes, share: float | None) -> list[Variance]:
        """Compute the parts of the difference's variance.

        Parameters
        ----------
        changes
            The difference.
        share
            The prevalence; None if it is estimated again without each group.
        """
        parts = self.of_rows(changes)
        if self.codes is None or not self.has_groups:
            return parts
        first, second = (
            0.0 if some is None else some.without_groups(self.codes, share)
            for some in (self.first, self.second)
        )
        without = np.asarray(second - first)
        return [Variance.of_groups(without, self.sizes, Variance.total(parts).value)]

    @property
    def has_groups(self) -> bool:
        """True if some group has several rows."""
        return self.codes is not None and bool(self.sizes.sum(axis=1).max() > 1)

    @property
    def sizes(self) -> Array:
        """Numbers of positives and negatives in each group, (groups, 2)."""
        assert self.codes is not None
        table = [
            np.bincount(self.codes[of_class], minlength=self.codes.max() + 1)
            for of_class in (self.positive, ~self.positive)
        ]
        return np.column_stack(table).astype(np.float64)
