"""Which measures order classifiers alike on classes of given sizes, and which do so on classes of
any sizes.

Classifiers are compared whose rates are strictly between 0 and 1. A measure that is something else
where a cell is 0, as Naish's O where nothing is missed, may order others in another way.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

import numpy as np
import sympy
from numpy.typing import NDArray

from skewproof.core.algebra import Array
from skewproof.core.levels import Level
from skewproof.core.metric import Metric
from skewproof.core.symbolic import rate_formula
from skewproof.sensitivity.orderings import (
    clearest_opposite,
    formula_of_odds,
    ignored_odds,
    linear_function,
    monotone_by_slopes,
    quotient_of_linear,
    slope_signs,
)
from skewproof.studies.atlas.classes import DIFFERENT, SAME, UNDECIDED
from skewproof.studies.atlas.values import CERTIFIED, ROUNDED, SampledRates

CONSTANT = "both are constant at rates strictly between 0 and 1"

NOT_SHOWN = "neither shown"


class MeasureAtLevel:
    """A measure on classes of given sizes: its values, and its formula in the odds of the rates."""

    def __init__(self, metric: Metric, classifiers: SampledRates) -> None:
        self.metric = metric
        self.classifiers = classifiers
        self.sign = -1 if metric.lower_is_better else 1
        self.values = classifiers.values(metric)

    @property
    def differences(self) -> Array:
        """Of all pairs of classifiers: how much better the first is, as a share of the largest
        value."""
        largest = max(np.nanmax(np.abs(self.values)), np.finfo(float).tiny)
        return np.subtract.outer(self.sign * self.values, self.sign * self.values) / largest

    @cached_property
    def signs(self) -> NDArray[np.int8]:
        """Of the pairs of the first classifiers: which of them is surely better, 1 or -1, or 0."""
        at = self.classifiers.intervals(self.metric)
        better, worse = _pairs(len(at.low))
        return (self.sign * (at[better] - at[worse]).signs()).astype(np.int8)

    @cached_property
    def formula(self) -> sympy.Expr:
        """The measure in the odds of the rates."""
        negatives = self.classifiers.negatives
        return formula_of_odds(
            self.metric,
            positives=sympy.Integer(self.classifiers.positives),
            negatives=sympy.Rational(negatives.numerator, negatives.denominator),
        )

    @cached_property
    def slope_signs(self) -> tuple[int, int] | None:
        """The signs of the slopes, where they have one."""
        return slope_signs(self.formula)

    @cached_property
    def ignored(self) -> tuple[bool, bool]:
        """Whether the measure is shown to ignore the true, and the false positive rate."""
        return ignored_odds(self.formula)

    def surely(self, better: int, worse: int) -> int:
        """Which of two classifiers is surely better, 1 or -1, or 0."""
        at = self.classifiers.intervals(self.metric, [better, worse])
        return self.sign * int((at[0] - at[1]).signs())


class Orderings:
    """The orderings of classifiers, of rates strictly between 0 and 1, by measures on classes of
    given sizes."""

    def __init__(self, registry: Mapping[str, Metric], classifiers: SampledRates) -> None:
        self.classifiers = classifiers
        self.of = {key: MeasureAtLevel(metric, classifiers) for key, metric in registry.items()}

    def judge(self, key: str, other: str) -> tuple[str, str]:
        """Whether two measures order classifiers alike, better first, by their directions."""
        one, second = self.of[key], self.of[other]
        opposite = np.flatnonzero(one.signs * second.signs < 0)
        if opposite.size:
            better, worse = (int(side[opposite[0]]) for side in _pairs(CERTIFIED))
            return DIFFERENT, self._pair(better, worse)
        if all(one.ignored) and all(second.ignored):
            return SAME, CONSTANT
        for rate, place in ((0, 1), (1, 2)):
            for first, last in ((one, second), (second, one)):
                if first.ignored[rate] and last.surely(0, place):
                    return DIFFERENT, f"{self._pair(0, place)}, which {first.metric.key} ties"
        places = clearest_opposite(one.differences, second.differences, smallest=ROUNDED)
        if places is not None:
            if one.surely(*places) * second.surely(*places) < 0:
                return DIFFERENT, self._pair(*places)
            return UNDECIDED, NOT_SHOWN
        return self._alike(one, second)

    def _alike(self, one: MeasureAtLevel, other: MeasureAtLevel) -> tuple[str, str]:
        wanted = one.sign * other.sign
        found = monotone_by_slopes(one.formula, other.formula, one.slope_signs, other.slope_signs)
        if found == wanted:
            return SAME, "their Jacobian is 0, and their slopes have one sign each"
        defined = np.isfinite(one.values) & np.isfinite(other.values)
        relation = quotient_of_linear(
            one.formula, other.formula, one.values[defined], other.values[defined]
        )
        relation = relation or linear_function(one.formula, other.formula)
        if relation is not None and relation.sign == wanted:
            return SAME, relation.proof
        return UNDECIDED, NOT_SHOWN

    def _pair(self, better: int, worse: int) -> str:
        return f"{self.classifiers.shown(better)} and {self.classifiers.shown(worse)}"


def _pairs(number: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    first, second = np.triu_indices(number, k=1)
    return first, second


def order_invariance(
    metric: Metric, level: Level, baseline: Level, positives: int, seed: int
) -> tuple[str, str]:
    """Whether a measure orders classifiers of rates strictly between 0 and 1 alike at all class
    sizes.

    Parameters
    ----------
    metric
        The measure.
    level, baseline
        Levels at which two classifiers in opposite orders are looked for.
    positives
        Size of the positive class at both.
    seed
        Seed of the random classifiers.

    Returns
    -------
    "yes" and what shows it, "no" and two classifiers in opposite orders at the two levels, or
    "undecided".
    """
    both = [
        MeasureAtLevel(metric, SampledRates.drawn(CERTIFIED, place, positives, seed))
        for place in (baseline, level)
    ]
    opposite = np.flatnonzero(both[0].signs * both[1].signs < 0)
    if opposite.size:
        pair = " and ".join(
            both[0].classifiers.shown(int(side[opposite[0]])) for side in _pairs(CERTIFIED)
        )
        return "no", pair
    shown = _invariant_slopes(metric)
    return ("yes", shown) if shown else ("undecided", "")


def _invariant_slopes(metric: Metric) -> str | None:
    """What shows that a measure's ordering is the same at all class sizes, or None."""
    sizes = sympy.symbols("P N", positive=True), sympy.symbols("Q M", positive=True)
    of_rates = rate_formula(metric)
    if of_rates is not None:
        return f"it is {of_rates}, with u = tp/P and v = fp/N"
    formulas = [
        formula_of_odds(metric, positives=positives, negatives=negatives)
        for positives, negatives in sizes
    ]
    if all(ignored_odds(formulas[0])):
        return "it is constant on classes of given sizes, at rates strictly between 0 and 1"
    signs = slope_signs(formulas[0])
    if monotone_by_slopes(formulas[0], formulas[1], signs, signs) == 1:
        return (
            "the Jacobian of its values at any two class sizes is 0, and its slopes have one sign"
        )
    return None
