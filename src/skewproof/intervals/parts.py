"""Parts of a difference of a measure: Shapley values over its causes."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skewproof.core.algebra import Array
from skewproof.intervals.class_rows import STEP, ClassRows, with_derivatives
from skewproof.intervals.extremes import Function, Gradient, Proportions, Rows
from skewproof.multiclass.declaration import Formula, total_matters
from skewproof.multiclass.matrix import MulticlassConfusionMatrix

Causes = tuple[str, ...]

ROUNDING = 64 * np.finfo(float).eps
"""Largest distance from 0 of a weighted sum of values that cancel, relative to the largest of them:
each results from a few operations, and there are at most 16."""


NOISE = 10 * STEP
"""Derivative by a share of a class, relative to the largest value, that may be an error."""


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
        {"classifier": range(5)}, or {"tpr": [0], "fpr": [1]} for two. Each class has one cause.
    together
        Causes of which none other is exchanged in between. Their parts sum to the part that they
        have as a single cause (Owen 1977).

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
    ...     ClassRows.at(side, Prevalence.given("population"), TWO_CLASSES) for side in counts
    ... )
    >>> change = Change(of_two_classes(precision), here, there, {"tpr": [0], "fpr": [1]})
    >>> observed = change.proportions.observed, change.proportions.slices
    >>> {cause: change.part(cause)(*observed).round(3).tolist() for cause in change.causes}
    {'prevalence': [-0.167], 'tpr': [0.0], 'fpr': [0.0]}
    """

    measure: Formula
    here: ClassRows
    there: ClassRows
    rates: Mapping[str, Sequence[int]]
    together: Causes = ()

    @cached_property
    def causes(self) -> Causes:
        """Causes of the value."""
        size = ("size",) if total_matters(self.measure, self._classes) else ()
        return ("prevalence", *self.rates, *size)

    @cached_property
    def proportions(self) -> Proportions:
        """Proportions of the slices, with those of their references below."""
        return self.here.proportions.beside(self.there.proportions)

    def value(self, *coalition: str) -> Function:
        """Return the measure with some causes from the slice and the others from its reference."""
        return self._combination({coalition: 1.0})

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
        of_coalition = np.array(list(weights.values()))
        rates_of_slice = np.array([self._ours(coalition) for coalition in weights])
        sizes_of_slice = np.array([["prevalence" in coalition] for coalition in weights])

        def of_proportions(proportions: Array, rows: Rows) -> tuple[Array, Array]:
            sides = self._sides(proportions, rows)
            rates, sizes = self._parts(weights, sides, rows)
            result = with_derivatives(self.measure, rates, sizes)
            values, by_rate, by_size = (
                _leading(of_coalition, array) * array
                for array in (result.values, result.by_rate, result.by_size * sizes)
            )
            lost_here, lost_there = (lost[rows] for lost in self._lost)
            ours, shares = _leading(rates_of_slice, by_rate), _leading(sizes_of_slice, by_size)
            noise = NOISE * abs(result.values).max(axis=0)[..., np.newaxis]
            by_here, by_there = (
                _unless_noise(np.where(side, by_rate, 0).sum(axis=0), noise[..., np.newaxis])
                for side in (ours, ~ours)
            )
            to_here = np.where(lost_here, 0, by_here) + np.where(lost_there, by_there, 0)
            to_there = np.where(lost_there, 0, by_there) + np.where(lost_here, by_here, 0)
            sizes_here, sizes_there = (
                _unless_noise(np.where(side, by_size, 0).sum(axis=0), noise) / sides[whose][1]
                for side, whose in ((shares, True), (~shares, False))
            )
            of_here, of_there = np.split(proportions, [len(self.here.proportions.hits)])
            slopes = [
                self.here.slopes(of_here, rows, to_here, sizes_here),
                self.there.slopes(of_there, rows, to_there, sizes_there),
            ]
            return values.sum(axis=0), np.concatenate(slopes)

        return of_proportions

    def weights(self, *causes: str) -> dict[Causes, float]:
        """Return the nonzero weights of the values of coalitions in the part of some causes."""
        weights: dict[Causes, Fraction] = {}
        for cause in causes:
            for coalition, weight in shapley_weights(self.causes, cause, self.together).items():
                weights[coalition] = weights.get(coalition, Fraction(0)) + weight
        return {coalition: float(weight) for coalition, weight in weights.items() if weight}

    def orders(self, cause: str, proportions: Array) -> tuple[Array, Array]:
        """Compute the smallest and largest change by a cause's exchange, over all orders."""
        rows = np.arange(proportions.shape[-1])
        changes = [
            self._combination({after: 1.0, before: -1.0})(proportions, rows)
            for before, after in set(_exchanges(self.causes, cause, self.together))
        ]
        return np.min(changes, axis=0), np.max(changes, axis=0)

    def _combination(self, weights: dict[Causes, float]) -> Function:
        """Return a weighted sum of the values of coalitions, 0 if it is 0 up to rounding."""

        of_coalition = np.array(list(weights.values()))

        def combined(proportions: Array, rows: Rows) -> Array:
            parts = self._parts(weights, self._sides(proportions, rows), rows)
            values = self.measure(MulticlassConfusionMatrix.from_rates(*parts))
            with np.errstate(invalid="ignore"):  # inf less inf is NaN
                total = (_leading(of_coalition, values) * values).sum(axis=0)
            largest = abs(values).max(axis=0)
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
        self, coalitions: Iterable[Causes], sides: dict[bool, tuple[Array, Array]], rows: Rows
    ) -> tuple[Array, Array]:
        """Return the rates and class sizes of coalitions, which stand along the first axis."""
        rates, sizes = [], []
        for coalition in coalitions:
            rates.append(np.where(self._ours(coalition), sides[True][0], sides[False][0]))
            sizes.append(sides["prevalence" in coalition][1] * self._growth(coalition, rows))
        return np.array(rates), np.array(sizes)

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


def _unless_noise(derivatives: Array, noise: Array) -> Array:
    """Replace derivatives that are 0 up to errors, on which a search would waste steps."""
    return np.where(abs(derivatives) <= noise, 0.0, derivatives)


def _leading(of_coalition: NDArray[Any], array: Array) -> NDArray[Any]:
    """Add axes to numbers of coalitions, for products with an array that has these first."""
    first, *inner = of_coalition.shape
    return of_coalition.reshape(first, *[1] * (array.ndim - of_coalition.ndim), *inner)


def shapley_weights(causes: Causes, cause: str, together: Causes = ()) -> dict[Causes, Fraction]:
    """Return the weight of each coalition's value in a cause's part.

    The part is the mean over the orders of exchange in which the causes in `together` follow each
    other.

    Examples
    --------
    >>> weights = shapley_weights(("prevalence", "tpr"), "tpr")
    >>> {coalition: str(weight) for coalition, weight in weights.items()}
    {('prevalence', 'tpr'): '1/2', ('prevalence',): '-1/2', ('tpr',): '1/2', (): '-1/2'}
    """
    exchanges = _exchanges(causes, cause, together)
    weights: dict[Causes, Fraction] = {}
    for before, after in exchanges:
        for coalition, sign in ((after, 1), (before, -1)):
            weights[coalition] = weights.get(coalition, 0) + Fraction(sign, len(exchanges))
    return weights


def _exchanges(causes: Causes, cause: str, together: Causes) -> list[tuple[Causes, Causes]]:
    """List the coalitions before and after a cause is exchanged, for each order of exchange."""
    exchanges = []
    for order in itertools.permutations(causes):
        places = [order.index(member) for member in together]
        if places and max(places) - min(places) >= len(places):
            continue
        earlier = order[: order.index(cause)]
        before = tuple(member for member in causes if member in earlier)
        after = tuple(member for member in causes if member in {*earlier, cause})
        exchanges.append((before, after))
    return exchanges
