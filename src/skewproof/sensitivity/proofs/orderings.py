"""Proofs that two formulas order classifiers alike, as monotone functions of each other.

The rates are written with their odds, u = a/(1 + a) and v = b/(1 + b), so that the inside of the
square is where a and b are positive.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from skewproof.core.algebra import Array, Value
from skewproof.core.extras import sympy
from skewproof.core.metric import Metric
from skewproof.sensitivity.classifiers import UNIFORM
from skewproof.sensitivity.proofs.certified import certified_sign, is_certified_real
from skewproof.sensitivity.proofs.identities import (
    Algebra,
    NotShownError,
    Quotient,
    definite_sign,
    is_regular,
    shown,
    vanishes,
)

LARGEST_DENOMINATOR = 10**6
"""Largest denominator of the ratios of coefficients that are tried."""

POINTS = ((2, 3), (5, 3), (2, 7))
"""Pairs of odds at which two formulas are compared to find a linear function."""

CROSSINGS = 6
"""Number of classifiers whose neighborhood is searched, by slopes, for opposite orders."""

STEP_SHARES = (0.3, 0.03, 0.003)
"""Distances in logits of the other classifier, as shares of the angle between the slopes."""

SMALLEST_ANGLE = 1e-7
"""Angle below which slopes computed with floats are taken as parallel."""

SMALLEST_RESIDUAL = 1e-9
"""Relative residual up to which four columns of numbers are taken as dependent."""


RISING = ("exp", "log", "asin", "erf", "erfinv")
"""Functions of SymPy that increase strictly wherever they are real."""


class Relation(NamedTuple):
    """The way in which one formula is a function of another."""

    sign: int
    """1 if the function is increasing, -1 if it is decreasing."""

    proof: str
    """The proof in words."""


def odds_of_rates() -> tuple[sympy.Symbol, sympy.Symbol]:
    """Return the positive symbols a and b of the odds u/(1 - u) and v/(1 - v)."""
    return tuple(sympy.symbols("a b", positive=True))


def formula_of_odds(metric: Metric, *, positives: Value, negatives: Value) -> sympy.Expr:
    """Write a metric on classes of given sizes as a formula of the odds of both rates.

    Parameters
    ----------
    metric
        The metric.
    positives, negatives
        The class sizes: exact numbers or positive symbols of SymPy.

    Examples
    --------
    >>> import sympy
    >>> from skewproof.metrics import accuracy
    >>> sizes = {"positives": sympy.Integer(1), "negatives": sympy.Integer(1)}
    >>> sympy.factor(formula_of_odds(accuracy, **sizes))
    (a*b + 2*a + 1)/(2*(a + 1)*(b + 1))
    """
    a, b = odds_of_rates()
    square = a / (1 + a), 1 / (1 + a), b / (1 + b), 1 / (1 + b)
    return sympy.sympify(metric(UNIFORM.matrices(square, positives, negatives)))


def without_outer_functions(formula: sympy.Expr) -> tuple[sympy.Expr, int]:
    """Strip a formula of its outermost strictly monotone functions.

    Returns
    -------
    The formula inside, and 1 if it orders classifiers as the formula does wherever that is real, or
    -1 if it reverses the order.

    Examples
    --------
    >>> import sympy
    >>> a, b = odds_of_rates()
    >>> without_outer_functions(1 - 2 * sympy.sqrt(1 + sympy.log(a / b)))
    (a/b, -1)
    """
    sign = 1
    while True:
        stripped = _inside(formula)
        if stripped is None:
            return formula, sign
        formula, sign = stripped[0], sign * stripped[1]


def _inside(formula: sympy.Expr) -> tuple[sympy.Expr, int] | None:
    """Return the argument of a strictly monotone outermost function, and 1 or -1 if it increases or
    decreases; None if there is no such function."""
    if formula.is_Add or formula.is_Mul:
        number, rest = formula.as_independent(*odds_of_rates(), as_Add=formula.is_Add)
        neutral = 0 if formula.is_Add else 1
        if number == neutral or not rest.free_symbols:
            return None
        if formula.is_Add:
            return (rest, 1) if is_certified_real(number) else None
        sign = certified_sign(number)
        return (rest, sign) if sign else None
    if isinstance(formula, sympy.Function) and formula.func.__name__ in RISING:
        return formula.args[0], 1
    if isinstance(formula, sympy.cos):
        angle = formula.args[0]
        ends = [definite_sign(part) for part in (angle, sympy.pi - angle)]
        return (angle, -1) if all(end and end[0] >= 0 for end in ends) else None
    return _inside_power(formula) if formula.is_Pow else None


def _inside_power(formula: sympy.Expr) -> tuple[sympy.Expr, int] | None:
    base, exponent = formula.args
    direction = certified_sign(exponent) if exponent.is_number else None
    if not direction or not base.free_symbols:
        return None
    if not exponent.is_Integer or (exponent.is_odd and direction > 0):
        return base, direction
    sign = (1, True) if base.is_positive else definite_sign(base)
    if sign is None or not sign[0] or (direction < 0 and not sign[1]):
        return None
    return base, direction * sign[0] if exponent.is_even else direction


def branches(formula: sympy.Expr) -> list[sympy.Expr] | None:
    """Split a formula of two cases into formulas that order classifiers as it does, if they agree.

    The formula is A where c > 0 and B elsewhere. If A/c and B/c are both positive everywhere, or
    both negative, a classifier of the first case and one of the second are in the same order by A,
    by B and by the formula. If A and B both order classifiers as a measure does, so does the
    formula.

    Returns
    -------
    The formulas A and B, or the signed squares of both; the formula itself if it has no cases or
    both are the same; None if the condition on A/c and B/c is not shown.
    """
    if not formula.has(sympy.Piecewise):
        return [formula]
    folded = sympy.piecewise_fold(formula)
    if not (isinstance(folded, sympy.Piecewise) and len(folded.args) == 2):
        return None
    (first, condition), (last, otherwise) = folded.args
    if otherwise is not sympy.true or not isinstance(
        condition, sympy.StrictLessThan | sympy.StrictGreaterThan
    ):
        return None
    switch = condition.gts - condition.lts
    cases = [_on_side(first, switch, 1), _on_side(last, switch, -1)]
    if vanishes(cases[0] - cases[1]):
        return cases[:1]
    squares = [
        side * _on_side(case**2, switch, side) for side, case in zip((1, -1), cases, strict=True)
    ]
    is_signed = [definite_sign(case) or (0, False) for case in (first, last)]
    candidates = [cases, squares] if [sign for sign, _ in is_signed] == [1, -1] else [cases]
    for candidate in candidates:
        signs = [definite_sign(case / switch) for case in candidate]
        if signs[0] == signs[1] and signs[0] is not None and signs[0][0] and signs[0][1]:
            return candidate
    return None


def _on_side(formula: sympy.Expr, switch: sympy.Expr, side: int) -> sympy.Expr:
    """Replace absolute values that have the same zero as a switch, on one side of the switch."""
    known = {}
    for absolute in formula.atoms(sympy.Abs):
        sign = definite_sign(absolute.args[0] / switch)
        if sign is not None and sign[0]:
            known[absolute] = side * sign[0] * absolute.args[0]
    return formula.xreplace(known)


def slope_signs(formula: sympy.Expr) -> tuple[int, int] | None:
    """Find the signs of a formula's slopes by the odds a and b, if every level line is connected.

    Level lines are connected if the formula is finite for all odds, one slope is never 0 and the
    other never changes its sign.

    Returns
    -------
    1 or -1 for a slope that is never 0, and 0 for one that may be; None if this is not shown.
    """

    def signs(algebra: Algebra, quotient: Quotient) -> tuple[int, int] | None:
        first, second = (algebra.sign(algebra.derivative(quotient, by)) for by in odds_of_rates())
        if first is None or second is None or not (first[1] or second[1]):
            return None
        return first[0] * first[1], second[0] * second[1]

    known = shown(signs, formula)
    return known if known is not None and is_regular(formula) else None


def have_parallel_slopes(first: sympy.Expr, second: sympy.Expr) -> bool:
    """Return whether the Jacobian of two formulas is shown to be 0: their level lines agree."""
    try:
        algebra = Algebra(split_logarithms=True)
        (a, b), (c, d) = (
            [algebra.derivative(quotient, by) for by in odds_of_rates()]
            for quotient in algebra.quotients([first, second])
        )
        return algebra.same_products((a, d), (b, c))
    except NotShownError:
        return False


def ignored_odds(formula: sympy.Expr) -> tuple[bool, bool]:
    """Return whether a formula is shown to be constant in a, and whether in b."""
    try:
        algebra = Algebra(split_logarithms=True)
        (quotient,) = algebra.quotients([formula])
        first, second = (
            algebra.is_zero(algebra.derivative(quotient, by)) for by in odds_of_rates()
        )
    except NotShownError:
        return False, False
    return first, second


def monotone_by_slopes(
    target: sympy.Expr,
    other: sympy.Expr,
    signs: tuple[int, int] | None,
    others: tuple[int, int] | None,
) -> int | None:
    """Find by slopes whether a formula is an increasing (1) or decreasing (-1) function of another.

    If the Jacobian is 0, each formula is constant along the level lines of the other. These are
    connected if a formula is finite, strictly monotone in one of the odds and monotone in the
    other. Then one is a function of the other, and the slopes in one direction tell whether it
    increases.

    Parameters
    ----------
    target, other
        Formulas of the odds.
    signs, others
        The result of :func:`slope_signs` of both.

    Returns
    -------
    1 or -1; None if neither is shown.
    """
    if signs is None or others is None:
        return None
    both = [sign * second for sign, second in zip(signs, others, strict=True) if sign * second]
    return both[0] if both and have_parallel_slopes(target, other) else None


def clearest_opposite(
    differences: Array, others: Array, *, smallest: float
) -> tuple[int, int] | None:
    """Find the two classifiers that two metrics most clearly order in opposite ways, by floats.

    Parameters
    ----------
    differences, others
        Shape (classifiers, classifiers), by how much the first classifier is better than the second
        by either metric, on comparable scales; NaN where it is undefined.
    smallest
        The smaller of the two differences has to be larger than this.

    Returns
    -------
    The numbers of the first and the second classifier; None if no pair is clear.

    Examples
    --------
    >>> one, other = np.array([0.1, 0.5, 0.6]), np.array([0.3, 0.2, 0.0])
    >>> differences = (np.subtract.outer(values, values) for values in (one, other))
    >>> clearest_opposite(*differences, smallest=1e-9)
    (0, 2)
    """
    clear = np.where(differences * others < 0, np.minimum(np.abs(differences), np.abs(others)), 0)
    first, second = np.unravel_index(np.argmax(clear), clear.shape)
    return (int(first), int(second)) if clear[first, second] > smallest else None


def slope_by_half_of_calls(formula: sympy.Expr, calls: sympy.Expr) -> int | None:
    """Find the sign of a formula's slope up to half of the calls, if it depends on them alone.

    Parameters
    ----------
    formula
        A formula of the odds.
    calls
        The number of positive calls, as a formula of the odds, in classes of equal size.

    Returns
    -------
    1 or -1 if the formula is shown to increase or decrease strictly up to half of the instances,
    and to be symmetric in the numbers of positive and negative calls; None if not. Two formulas
    with the same sign order classifiers alike, and with different signs in opposite ways.
    """
    a, b = odds_of_rates()
    if not (is_regular(formula) and have_parallel_slopes(formula, calls)):
        return None
    at_equal_odds = formula.subs({b: a}, simultaneous=True)
    if not vanishes(at_equal_odds - at_equal_odds.subs(a, 1 / a)):
        return None
    below = at_equal_odds.subs(a, a / (1 + a))

    def strict_sign(algebra: Algebra, quotient: Quotient) -> int | None:
        sign = algebra.sign(algebra.derivative(quotient, a))
        return sign[0] if sign is not None and sign[0] and sign[1] else None

    return shown(strict_sign, below)


def crossing_pairs(
    logits: Array, slopes: Array, others: Array
) -> Iterator[tuple[tuple[Fraction, Fraction], tuple[Fraction, Fraction]]]:
    """Generate pairs of near classifiers whose orders by two metrics should differ, by slopes.

    Parameters
    ----------
    logits
        Shape (classifiers, 2), logits of both rates.
    slopes, others
        Shape (classifiers, 2), slopes of either metric by the logits, oriented so that higher is
        better; NaN where they are unknown.

    Yields
    ------
    Two pairs of rates, first those at classifiers whose slopes differ most in direction, and none
    where slopes are parallel up to rounding.
    """
    with np.errstate(all="ignore"):
        first, second = (
            part / np.linalg.norm(part, axis=1)[:, np.newaxis] for part in (slopes, others)
        )
        between = first - second
        angles = np.nan_to_num(np.abs(first[:, 0] * second[:, 1] - first[:, 1] * second[:, 0]))
    for index in np.argsort(-angles, kind="stable")[:CROSSINGS]:
        if angles[index] < SMALLEST_ANGLE:
            return
        direction = between[index] / np.linalg.norm(between[index])
        for share in STEP_SHARES:
            step = share * angles[index] * direction
            digits = 3 - math.floor(math.log10(np.abs(step).max() * angles[index]))
            better, worse = (
                [
                    Fraction(round(Fraction(rate) * 10**digits), 10**digits)
                    for rate in 1 / (1 + np.exp(-at))
                ]
                for at in (logits[index] + step, logits[index])
            )
            yield (better[0], better[1]), (worse[0], worse[1])


def linear_function(target: sympy.Expr, other: sympy.Expr) -> Relation | None:
    """Write a formula as a linear function of another, with any two coefficients.

    They are computed from the values at the first two pairs of odds at which the other differs.

    Parameters
    ----------
    target, other
        Formulas of the odds.

    Returns
    -------
    The relation; None if it is not shown.
    """
    a, b = odds_of_rates()
    points = [{a: sympy.Rational(first), b: sympy.Rational(last)} for first, last in POINTS]
    values = [[formula.subs(point) for point in points] for formula in (target, other)]
    if not all(value.is_number for row in values for value in row):
        return None
    for last in range(1, len(points)):
        differences = [row[0] - row[last] for row in values]
        signs = [certified_sign(difference) for difference in differences]
        if signs[0] and signs[1]:
            slope = differences[0] / differences[1]
            if vanishes(target - values[0][0] - slope * (other - values[1][0])):
                return Relation(signs[0] * signs[1], "it is a linear function")
            return None
    return None


def quotient_of_linear(
    target: sympy.Expr, other: sympy.Expr, values: Array, others: Array
) -> Relation | None:
    """Write a formula as a quotient of linear functions of another, after squaring one or neither.

    Squares keep the sign of their base.

    Parameters
    ----------
    target, other
        Formulas of positive symbols.
    values, others
        Their values at the same points.

    Returns
    -------
    The relation; None if there is no such quotient or it is not proved. Such a quotient is monotone
    if both formulas are finite on a connected set where the other is continuous.
    """
    regular = None
    for power, others_power in ((1, 1), (2, 1), (1, 2), (2, 2)):
        coefficients = _linear_dependence(
            values * np.abs(values) ** (power - 1), others * np.abs(others) ** (others_power - 1)
        )
        if coefficients is None:
            continue
        a, b, c, d = coefficients
        linear = c == 0
        if not linear and regular is None:
            regular = is_regular(target) and is_regular(other)
        left, right = (
            formula if exponent == 1 else formula * sympy.Abs(formula)
            for formula, exponent in ((target, power), (other, others_power))
        )
        sign = int(sympy.sign(a * d - b * c))
        if sign and (linear or regular) and vanishes(left * (c * right + d) - a * right - b):
            names = ["f", "f|f|"][power - 1], ["g", "g|g|"][others_power - 1]
            return Relation(sign, f"{names[0]} = ({a} {names[1]} + {b})/({c} {names[1]} + {d})")
    return None


def _linear_dependence(values: Array, others: Array) -> list[sympy.Rational] | None:
    """Find rational a, b, c, d with values·(c·others + d) = a·others + b, or return None."""
    scales = np.abs(values).max(), np.abs(others).max()
    if not (np.isfinite(scales).all() and min(scales) > 0):
        return None
    x, y = values / scales[0], others / scales[1]
    columns = np.column_stack([y, np.ones_like(y), -x * y, -x])
    *_, singular, directions = np.linalg.svd(columns, full_matrices=False)
    if singular[-1] > SMALLEST_RESIDUAL * singular[0] or singular[-2] < 1e-6 * singular[0]:
        return None
    coefficients = directions[-1] * [scales[0], scales[0] * scales[1], 1, scales[1]]
    largest = coefficients[np.abs(coefficients).argmax()]
    return [
        sympy.Rational(float(part / largest)).limit_denominator(LARGEST_DENOMINATOR)
        for part in coefficients
    ]
