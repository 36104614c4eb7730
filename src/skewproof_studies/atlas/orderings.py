"""Measures that order classifiers alike at given class sizes, and those that do so at any sizes.

The classifiers have rates strictly between 0 and 1. A measure with a special case at a cell of 0,
such as Naish's O at no misses, may order other classifiers differently.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

import numpy as np
import sympy
from numpy.typing import NDArray

from skewproof.core.algebra import Array
from skewproof.core.formulas.symbolic import rate_formula
from skewproof.core.levels import Level
from skewproof.core.metric import Metric
from skewproof.sensitivity.proofs.certified import certified_sign
from skewproof.sensitivity.proofs.identities import vanishes
from skewproof.sensitivity.proofs.orderings import (
    branches,
    clearest_opposite,
    crossing_pairs,
    formula_of_odds,
    ignored_odds,
    linear_function,
    monotone_by_slopes,
    odds_of_rates,
    quotient_of_linear,
    slope_by_half_of_calls,
    slope_signs,
    without_outer_functions,
)
from skewproof_studies.atlas.classes import DIFFERENT, SAME, UNDECIDED
from skewproof_studies.atlas.values import CERTIFIED, ROUNDED, SampledRates

CONSTANT = "both are constant at rates strictly between 0 and 1"

NOT_SHOWN = "neither shown"

TIED = 1e-13
"""Relative difference of two values up to which floats count as equal."""

INVARIANCE_RATES = 64
"""Number of classifiers whose order is compared at two class sizes."""

Rates = tuple[sympy.Rational, sympy.Rational]
"""Rates u and v of a classifier."""


class Form:
    """A formula in the odds that orders classifiers as a measure does, or in reverse."""

    def __init__(self, formula: sympy.Expr, sign: int, odds: tuple[Array, Array]) -> None:
        self.formula = formula
        self.sign = sign
        self._odds = odds

    @cached_property
    def values(self) -> Array:
        """Floats at the classifiers with these odds; NaN where the formula is not finite."""
        compiled = sympy.lambdify(odds_of_rates(), self.formula, "scipy")
        with np.errstate(all="ignore"):
            values = np.broadcast_to(np.asarray(compiled(*self._odds)), self._odds[0].shape)
        real = np.where(np.isreal(values), np.real(values), np.nan)
        return np.where(np.isfinite(real), real, np.nan)

    @cached_property
    def slope_signs(self) -> tuple[int, int] | None:
        """Signs of the slopes, if both are constant."""
        return slope_signs(self.formula)

    @cached_property
    def slope_by_half_of_calls(self) -> int | None:
        """Sign of the slope up to half of the calls, in classes of equal size."""
        calls = sum(odds / (1 + odds) for odds in odds_of_rates())
        return slope_by_half_of_calls(self.formula, calls)


class MeasureAtLevel:
    """A measure at given class sizes: its values, and its formula in the odds of the rates."""

    def __init__(self, metric: Metric, classifiers: SampledRates, label: str | None = None) -> None:
        self.metric = metric
        self.classifiers = classifiers
        self.label = label or metric.key
        self.sign = -1 if metric.lower_is_better else 1

    @cached_property
    def at_edges(self) -> list[MeasureAtLevel]:
        """The measure at the same classifiers, and at those with few and with many positive
        calls."""
        others = self.classifiers.at_edges()[1:]
        return [self, *(MeasureAtLevel(self.metric, classifiers) for classifiers in others)]

    @cached_property
    def values(self) -> Array:
        """Floats, one per classifier."""
        return self.classifiers.values(self.metric)

    @property
    def differences(self) -> Array:
        """Amount by which the first of each pair of classifiers is better, relative to the largest
        value."""
        largest = max(np.nanmax(np.abs(self.values)), np.finfo(float).tiny)
        return np.subtract.outer(self.sign * self.values, self.sign * self.values) / largest

    @cached_property
    def signs(self) -> NDArray[np.int8]:
        """Sign that says which of each pair of the first classifiers is certainly better (1 or -1),
        or 0."""
        at = self.classifiers.intervals(self.metric)
        better, worse = _pairs(len(at.low))
        return (self.sign * (at[better] - at[worse]).signs()).astype(np.int8)

    @cached_property
    def slopes(self) -> Array:
        """Slopes by the logits of the rates, as floats of shape (classifiers, 2); positive is
        better."""
        return self.sign * self.classifiers.slopes(self.metric)

    @cached_property
    def formula(self) -> sympy.Expr:
        """The measure as a formula in the odds of the rates."""
        negatives = self.classifiers.negatives
        return formula_of_odds(
            self.metric,
            positives=sympy.Integer(self.classifiers.positives),
            negatives=sympy.Rational(negatives.numerator, negatives.denominator),
        )

    @cached_property
    def forms(self) -> list[Form]:
        """Formulas of which the measure is a monotone function, one for each of its cases."""
        return forms(self.formula, self.sign, self.classifiers.odds)

    @cached_property
    def ignored(self) -> tuple[bool, bool]:
        """Pair of truth values: the measure is proved to ignore the true, and the false, positive
        rate."""
        return ignored_odds(self.formula)

    def surely(self, better: Rates, worse: Rates) -> int:
        """Return which of two classifiers is certainly better (1 or -1), or 0 if neither is."""
        return self.sign * (certified_sign(self._difference(better, worse)) or 0)

    def ties(self, first: Rates, second: Rates) -> bool:
        """Return whether the measure is proved to have the same value for two classifiers."""
        return vanishes(self._difference(first, second))

    def _difference(self, left: Rates, right: Rates) -> sympy.Expr:
        first, last = self.classifiers.exact_values(self.metric, [left, right])
        return first - last


def forms(formula: sympy.Expr, sign: int, odds: tuple[Array, Array]) -> list[Form]:
    """Return formulas of which a formula in the odds is a monotone function, one for each case."""
    inside, direction = without_outer_functions(formula)
    cases = []
    for branch in branches(inside) or []:
        further, turned = without_outer_functions(branch)
        cases.append(Form(further, sign * direction * turned, odds))
    return cases


def different_orders(measure: MeasureAtLevel, other: MeasureAtLevel) -> str | None:
    """Return two classifiers that two measures certainly order differently, or None if none are
    found."""
    opposite = np.flatnonzero(measure.signs * other.signs < 0)
    if opposite.size:
        first, last = _pairs(CERTIFIED)
        return _pair(*(measure.classifiers.rates(int(side[opposite[0]])) for side in (first, last)))
    tied = _tied_by_one(measure, other)
    if tied is not None:
        return tied
    for pair in _opposite_by_floats(measure, other):
        if measure.surely(*pair) * other.surely(*pair) < 0:
            return _pair(*pair)
    return None


def _opposite_by_floats(
    measure: MeasureAtLevel, other: MeasureAtLevel
) -> Iterator[Sequence[Rates]]:
    """Yield pairs of classifiers that two measures order in opposite ways according to floats."""
    edges = [(measure, other)]
    if measure.classifiers.level == other.classifiers.level:
        edges = list(zip(measure.at_edges, other.at_edges, strict=True))
    for first, last in edges:
        pair = clearest_opposite(first.differences, last.differences, smallest=ROUNDED)
        if pair is not None:
            yield [first.classifiers.rates(index) for index in pair]
    for first, last in edges:
        yield from crossing_pairs(first.classifiers.logits, first.slopes, last.slopes)


def _tied_by_one(measure: MeasureAtLevel, other: MeasureAtLevel) -> str | None:
    """Return two classifiers that exactly one of two measures certainly ties, or None."""
    for first, last in ((measure, other), (other, measure)):
        apart = np.where(np.abs(first.differences) < TIED, np.abs(last.differences), 0)
        apart = np.nan_to_num(apart)
        indices = np.unravel_index(np.argmax(apart), apart.shape)
        if not apart[indices] > TIED:
            continue
        pair = [measure.classifiers.rates(int(index)) for index in indices]
        if first.ties(*pair) and last.surely(*pair):
            return f"{_pair(*pair)}, which {first.label} ties"
    return None


def _pair(better: Rates, worse: Rates) -> str:
    return " and ".join(f"({u}, {v})" for u, v in (better, worse))


class Orderings:
    """Orderings of classifiers with rates strictly between 0 and 1, by measures at given class
    sizes."""

    def __init__(self, registry: Mapping[str, Metric], classifiers: SampledRates) -> None:
        self.measures = {
            key: MeasureAtLevel(metric, classifiers) for key, metric in registry.items()
        }

    def judge(self, key: str, other: str) -> tuple[str, str]:
        """Return whether two measures order classifiers alike, better first, and the evidence."""
        first, second = self.measures[key], self.measures[other]
        shown = different_orders(first, second)
        if shown is not None:
            return DIFFERENT, shown
        if all(first.ignored) and all(second.ignored):
            return SAME, CONSTANT
        shown = alike(first.forms, second.forms)
        return (SAME, shown) if shown is not None else (UNDECIDED, NOT_SHOWN)


def alike(forms: Sequence[Form], others: Sequence[Form]) -> str | None:
    """Return a proof by their forms that two measures order classifiers alike, or None."""
    if not forms or not others:
        return None
    pairs = [(form, others[0]) for form in forms] + [(forms[0], other) for other in others[1:]]
    proofs = [proof for pair in pairs if (proof := _rises_with(*pair)) is not None]
    return "; ".join(dict.fromkeys(proofs)) if len(proofs) == len(pairs) else None


def _rises_with(form: Form, other: Form) -> str | None:
    """Return a proof that one form orders classifiers as another does, or None."""
    wanted = form.sign * other.sign
    sign = monotone_by_slopes(form.formula, other.formula, form.slope_signs, other.slope_signs)
    if sign == wanted:
        return "their Jacobian is 0, and their slopes have one sign each"
    defined = np.isfinite(form.values) & np.isfinite(other.values)
    relation = quotient_of_linear(
        form.formula, other.formula, form.values[defined], other.values[defined]
    )
    relation = relation or linear_function(form.formula, other.formula)
    if relation is not None and relation.sign == wanted:
        return relation.proof
    slopes = form.slope_by_half_of_calls, other.slope_by_half_of_calls
    if wanted == (slopes[0] or 0) * (slopes[1] or 0):
        return "both are monotone in the distance of the positive calls from half of all"
    return None


def _pairs(number: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    first, second = np.triu_indices(number, k=1)
    return first, second


def order_invariance(
    metric: Metric, level: Level, baseline: Level, positives: int, seed: int
) -> tuple[str, str]:
    """Return whether a measure orders classifiers with rates strictly between 0 and 1 alike at all
    class sizes.

    Parameters
    ----------
    metric
        The measure.
    level, baseline
        Levels at which two classifiers in opposite orders are searched for.
    positives
        Size of the positive class at both.
    seed
        Seed of the random classifiers.

    Returns
    -------
    "yes" and a proof, "no" and two classifiers in opposite orders at the two levels, or
    "undecided".
    """
    both = [
        MeasureAtLevel(
            metric,
            SampledRates.drawn(INVARIANCE_RATES, compared, positives, seed),
            f"{metric.key} at {compared}",
        )
        for compared in (baseline, level)
    ]
    apart = different_orders(*both)
    if apart is not None:
        return "no", apart
    shown = _invariant_slopes(metric)
    return ("yes", shown) if shown else ("undecided", "")


def _invariant_slopes(metric: Metric) -> str | None:
    """Return a proof that a measure's ordering is the same at all class sizes, or None."""
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
    here, there = (forms(formula, 1, (np.empty(0), np.empty(0))) for formula in formulas)
    if not here or not there:
        return None
    for form in (*here, *there):
        sign = monotone_by_slopes(
            here[0].formula, form.formula, here[0].slope_signs, form.slope_signs
        )
        if sign != here[0].sign * form.sign:
            return None
    return "the Jacobian of its values at any two class sizes is 0, and its slopes have one sign"
