"""Parts of a difference of a metric: Shapley values over its causes."""

from __future__ import annotations

import itertools
import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from skewproof.core.algebra import Array
from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.metric import Metric
from skewproof.intervals.extremes import Function, Rows
from skewproof.sensitivity.proofs.invariance import size_matters

Causes = tuple[str, ...]

OfCoalition = Callable[[Causes], Array]
"""Function that returns the values of a coalition."""

CAUSES: Causes = ("prevalence", "tpr", "fpr", "size")
"""Causes of the value of a metric; the size only for metrics that do not depend on shares alone."""

ROUNDING = 64 * np.finfo(float).eps
"""Largest distance from 0 of a weighted sum of values that cancel, relative to the largest of them:
each results from a few operations, and there are at most 16."""


class SharedChange(ABC):
    """A metric on slices compared with the metric on their references.

    A coalition of causes takes these from the slice and the others from the reference, and has a
    value. A cause's part of the difference is the mean change by its own exchange, over all orders
    in which the causes can be exchanged (Shapley 1953): the parts sum to the difference.

    The functions made here take proportions in rows, those of the slice and then those of its
    reference, with a column per slice. They also take the numbers of these slices.
    """

    @property
    @abstractmethod
    def causes(self) -> Causes:
        """Causes of the value."""

    @abstractmethod
    def values(self, proportions: Array, rows: Rows) -> OfCoalition:
        """Return the metric at given proportions as a function of a coalition.

        The coalition's causes are the slice's, and the others the reference's.
        """

    @property
    def difference(self) -> Function:
        """The metric on the slice less that on its reference."""
        return self._combination({self.causes: 1.0, (): -1.0})

    def part(self, *causes: str) -> Function:
        """Return the part of some causes, the sum of their parts."""
        return self._combination(self.weights(*causes))

    def weights(self, *causes: str) -> dict[Causes, float]:
        """Return the nonzero weights of the values of coalitions in the part of some causes."""
        weights: dict[Causes, float] = {}
        for cause in causes:
            for coalition, weight in shapley_weights(self.causes, cause).items():
                weights[coalition] = weights.get(coalition, 0.0) + weight
        return {coalition: weight for coalition, weight in weights.items() if weight}

    def orders(self, cause: str, proportions: Array) -> tuple[Array, Array]:
        """Compute the smallest and largest change by a cause's exchange, over all orders."""
        rows = np.arange(proportions.shape[-1])
        changes = [
            self._combination({after: 1.0, before: -1.0})(proportions, rows)
            for before, after in _exchanges(self.causes, cause)
        ]
        return np.min(changes, axis=0), np.max(changes, axis=0)

    def _combination(self, weights: dict[Causes, float]) -> Function:
        """Return a weighted sum of the values of coalitions, 0 if it is 0 up to rounding."""

        def combined(proportions: Array, rows: Rows) -> Array:
            total = largest = np.zeros(proportions.shape[1:])
            of_coalition = self.values(proportions, rows)
            for coalition, weight in weights.items():
                value = of_coalition(coalition)
                with np.errstate(invalid="ignore"):  # inf less inf is NaN
                    total = total + weight * value
                largest = np.maximum(largest, abs(value))
            rounded_away = (abs(total) <= ROUNDING * largest) & np.isfinite(largest)
            return np.where(rounded_away, 0.0, total)

        return combined


@dataclass(frozen=True)
class Change(SharedChange):
    """A metric of two classes on slices and on their references.

    Proportions are prevalence, tpr and fpr.

    Attributes
    ----------
    metric
        The metric.
    size, reference_size
        Numbers of instances, shape (slices,).
    """

    metric: Metric
    size: Array
    reference_size: Array

    @cached_property
    def causes(self) -> Causes:
        """Causes on which the metric depends."""
        return CAUSES if size_matters(self.metric) else CAUSES[:3]

    def values(self, proportions: Array, rows: Rows) -> OfCoalition:
        """Return the metric of each coalition at given proportions."""

        def of_coalition(coalition: Causes) -> Array:
            prevalence, tpr, fpr = (
                proportions[row if cause in coalition else row + 3]
                for row, cause in enumerate(CAUSES[:3])
            )
            size = (self.size if "size" in coalition else self.reference_size)[rows]
            return self.metric(
                ConfusionMatrix.from_rates(
                    tpr, fpr, positives=size * prevalence, negatives=size * (1 - prevalence)
                )
            )

        return of_coalition


def shapley_weights(causes: Causes, cause: str) -> dict[Causes, float]:
    """Return the weight of each coalition's value in a cause's part.

    Examples
    --------
    >>> shapley_weights(("prevalence", "tpr"), "tpr")
    {('tpr',): 0.5, (): -0.5, ('prevalence', 'tpr'): 0.5, ('prevalence',): -0.5}
    """
    weights = {}
    for before, after in _exchanges(causes, cause):
        orders = math.factorial(len(before)) * math.factorial(len(causes) - len(after))
        weights[after] = orders / math.factorial(len(causes))
        weights[before] = -weights[after]
    return weights


def _exchanges(causes: Causes, cause: str) -> list[tuple[Causes, Causes]]:
    """List the coalitions before and after a cause is exchanged, for each set of earlier causes."""
    others = [other for other in causes if other != cause]
    befores = [
        before
        for length in range(len(others) + 1)
        for before in itertools.combinations(others, length)
    ]
    return [
        (before, tuple(member for member in causes if member in {*before, cause}))
        for before in befores
    ]
