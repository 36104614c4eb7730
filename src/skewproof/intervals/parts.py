"""Parts of a difference of a measure: Shapley values over its causes."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import factorial

import numpy as np
from numpy.typing import NDArray

from skewproof.core.algebra import Array
from skewproof.intervals.class_rows import ClassRows, total_matters, with_derivatives
from skewproof.intervals.extremes import Function, Gradient, Proportions, Rows
from skewproof.multiclass.declaration import Formula
from skewproof.multiclass.matrix import MulticlassConfusionMatrix

Causes = tuple[str, ...]

OfCoalition = Callable[[Causes], Array]
"""Function that returns the values of a coalition."""

ROUNDING = 64 * np.finfo(float).eps
"""Largest distance from 0 of a weighted sum of values that cancel, relative to the largest of them:
each results from a few operations, and there are at most 16."""

RATES_OF_TWO = {"tpr": (0,), "fpr": (1,)}
"""The rates of two classes as causes: the true positive rate, and the false positive rate."""


@dataclass(frozen=True)
class Change:
    """A measure on slices compared with the measure on their references, for any number of classes.

    The causes of a value are "prevalence", the shares of the classes; the causes in `rates`, each
    the rates of some classes; and "size", the number of instances, if the measure depends on it.
    A coalition of causes takes these from the slice and the others from the reference, and has a
    value. A cause's part of the difference is the mean change by its own exchange, over all orders
    in which the causes can be exchanged (Shapley 1953): the parts sum to the difference.

    `part` and `gradient` take `proportions`, the binomials of the slices above those of their
    references, and the numbers of slices. If class sizes are fixed by design, both rows are built
    for the test set, and only the rates vary. A class that has no instances on one side has the
    rates of the other side there.

    Attributes
    ----------
    measure
        The measure.
    here, there
        Rows of the slices, and of their references.
    rates
        Positions of the classes whose rates are a cause, by the name of the cause, such as
        `RATES_OF_TWO` or {"classifier": range(5)}. Each class has one cause.

    Examples
    --------
    The slice has half as many positives, at the same rates: all of the change of precision is due
    to prevalence.

    >>> import numpy as np
    >>> from skewproof.intervals.class_rows import ClassRows
    >>> from skewproof.metrics import precision
    >>> from skewproof.multiclass.against_rest import TWO_CLASSES
    >>> from skewproof.multiclass.declaration import of_two_classes
    >>> from skewproof.prevalence import Prevalence
    >>> counts = np.array([[[[8.0, 2], [8, 72]]], [[[16, 4], [8, 72]]]])
    >>> here, there = (
    ...     ClassRows.at(side, Prevalence("population"), TWO_CLASSES) for side in counts
    ... )
    >>> change = Change(of_two_classes(precision), here, there, RATES_OF_TWO)
    >>> observed = change.proportions.observed, change.proportions.slices
    >>> {cause: change.part(cause)(*observed).round(3).tolist() for cause in change.causes}
    {'prevalence': [-0.167], 'tpr': [0.0], 'fpr': [0.0]}
    """

    measure: Formula
    here: ClassRows
    there: ClassRows
    rates: Mapping[str, Sequence[int]]

    @cached_property
    def causes(self) -> Causes:
        """Causes of the value."""
        size = ("size",) if total_matters(self.measure, self._classes) else ()
        return ("prevalence", *self.rates, *size)

    @cached_property
    def proportions(self) -> Proportions:
        """Proportions of the slices, with those of their references below."""
        return self.here.proportions.beside(self.there.proportions)

    def values(self, proportions: Array, rows: Rows) -> OfCoalition:
        """Return the measure at given proportions as a function of a coalition.

        The coalition's causes are the slice's, and the others the reference's.
        """
        sides = self._sides(proportions, rows)

        def of_coalition(coalition: Causes) -> Array:
            rates, sizes = self._parts(coalition, sides, rows)
            return self.measure(MulticlassConfusionMatrix.from_rates(rates, sizes))

        return of_coalition

    @property
    def difference(self) -> Function:
        """The measure on the slice less that on its reference."""
        return self.part(*self.causes)

    def part(self, *causes: str) -> Function:
        """Return the part of some causes, the sum of their parts."""
        return self._combination(self.weights(*causes))

    def gradient(self, *causes: str) -> Gradient:
        """Return the part of some causes with its derivatives by the proportions."""
        weights = self.weights(*causes)

        def of_proportions(proportions: Array, rows: Rows) -> tuple[Array, Array]:
            sides = self._sides(proportions, rows)
            values = np.zeros(proportions.shape[1:])
            by_rate, by_size = (
                {side: np.zeros_like(sides[side][part]) for side in sides} for part in (0, 1)
            )
            for coalition, weight in weights.items():
                result = with_derivatives(self.measure, *self._parts(coalition, sides, rows))
                values += weight * result.values
                ours = self._ours(coalition)
                by_rate[True] += weight * np.where(ours, result.by_rate, 0)
                by_rate[False] += weight * np.where(ours, 0, result.by_rate)
                whose = "prevalence" in coalition
                by_size[whose] += weight * result.by_size * self._growth(coalition, rows)
            lost_here, lost_there = (lost[rows] for lost in self._lost)
            to_here = np.where(lost_here, 0, by_rate[True]) + np.where(
                lost_there, by_rate[False], 0
            )
            to_there = np.where(lost_there, 0, by_rate[False]) + np.where(
                lost_here, by_rate[True], 0
            )
            of_here, of_there = np.split(proportions, [len(self.here.proportions.hits)])
            slopes = [
                self.here.slopes(of_here, rows, to_here, by_size[True]),
                self.there.slopes(of_there, rows, to_there, by_size[False]),
            ]
            return values, np.concatenate(slopes)

        return of_proportions

    def weights(self, *causes: str) -> dict[Causes, float]:
        """Return the nonzero weights of the values of coalitions in the part of some causes."""
        weights: dict[Causes, Fraction] = {}
        for cause in causes:
            for coalition, weight in shapley_weights(self.causes, cause).items():
                weights[coalition] = weights.get(coalition, Fraction(0)) + weight
        return {coalition: float(weight) for coalition, weight in weights.items() if weight}

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

    @property
    def _classes(self) -> int:
        return self.here.shares.shape[-1]

    @cached_property
    def _lost(self) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Classes without instances on each side, shape (slices, classes, 1)."""
        here, there = (side.rows.counts.sum(axis=-1) == 0 for side in (self.here, self.there))
        return here[..., np.newaxis], there[..., np.newaxis]

    def _sides(self, proportions: Array, rows: Rows) -> dict[bool, tuple[Array, Array]]:
        """Return rates and class sizes: of the slices at True, of the references at False."""
        of_here, of_there = np.split(proportions, [len(self.here.proportions.hits)])
        rates_here, sizes_here = self.here.parts(of_here, rows)
        rates_there, sizes_there = self.there.parts(of_there, rows)
        lost_here, lost_there = (lost[rows] for lost in self._lost)
        return {
            True: (np.where(lost_here, rates_there, rates_here), sizes_here),
            False: (np.where(lost_there, rates_here, rates_there), sizes_there),
        }

    def _parts(
        self, coalition: Causes, sides: dict[bool, tuple[Array, Array]], rows: Rows
    ) -> tuple[Array, Array]:
        """Return the rates and class sizes of a coalition."""
        rates = np.where(self._ours(coalition), sides[True][0], sides[False][0])
        sizes = sides["prevalence" in coalition][1]
        return rates, sizes * self._growth(coalition, rows)

    def _ours(self, coalition: Causes) -> NDArray[np.bool_]:
        """Mark the classes whose rates are the slice's, shape (classes, 1)."""
        ours = np.zeros((self._classes, 1), dtype=bool)
        for cause in coalition:
            ours[list(self.rates.get(cause, ()))] = True
        return ours

    def _growth(self, coalition: Causes, rows: Rows) -> Array:
        """Return the factor of class sizes that gives the slices the coalition's number of
        instances, shape (slices, 1)."""
        if "size" not in self.causes:
            return np.ones((1, 1))
        totals = {True: self.here.totals, False: self.there.totals}
        growth = totals["size" in coalition] / totals["prevalence" in coalition]
        return growth[rows, np.newaxis]


def shapley_weights(causes: Causes, cause: str) -> dict[Causes, Fraction]:
    """Return the weight of each coalition's value in a cause's part.

    Examples
    --------
    >>> weights = shapley_weights(("prevalence", "tpr"), "tpr")
    >>> {coalition: str(weight) for coalition, weight in weights.items()}
    {('tpr',): '1/2', (): '-1/2', ('prevalence', 'tpr'): '1/2', ('prevalence',): '-1/2'}
    """
    weights = {}
    for before, after in _exchanges(causes, cause):
        orders = factorial(len(before)) * factorial(len(causes) - len(after))
        weights[after] = Fraction(orders, factorial(len(causes)))
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
