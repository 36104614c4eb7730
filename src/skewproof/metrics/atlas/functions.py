"""Functions that the formulas of the atlas call, and measures whose formula loses digits.

All functions take arrays or SymPy expressions. Those of one value have no equivalent in arithmetic.
"""

from __future__ import annotations

import operator
from collections.abc import Callable

import numpy as np

from skewproof.core.algebra import (
    Array,
    Value,
    exp,
    is_symbolic,
    log,
    ratio,
    special,
    sqrt,
    unless_zero,
)
from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.extras import sympy
from skewproof.core.metric import Formula

NEAR_CHANCE = 0.01
"""Largest relative difference of a cell from chance for which a few terms of a series suffice."""

SERIES_NEAR_CHANCE = [1 / (power * (power - 1)) for power in range(8, 1, -1)]
"""Coefficients of ((1 + x)·ln(1 + x) - x)/x² in powers of -x, the highest first."""

LARGE_FACTORIAL = 200.0
"""Smallest number for whose factorial two terms of Stirling's series have full precision."""


def either(
    of_arrays: Callable[[Value], Value], of_symbols: Callable[[Value], Value]
) -> Callable[[Value], Value]:
    """Make a function of a number, an array or an expression of SymPy."""

    def apply(value: Value) -> Value:
        return of_symbols(value) if is_symbolic(value) else of_arrays(value)

    return apply


log_two = either(lambda like: np.log(2), lambda like: sympy.log(2))
"""The natural logarithm of 2: SymPy's if the argument is symbolic, else a float."""

cos = either(np.cos, lambda angle: sympy.cos(angle))
"""The cosine of an angle in radians."""

asin = either(np.arcsin, lambda sine: sympy.asin(sine))
"""The angle in radians with a given sine."""

tanh = either(np.tanh, lambda value: sympy.tanh(value))
"""The hyperbolic tangent."""

log_factorial = either(lambda x: special().gammaln(x + 1), lambda x: sympy.loggamma(x + 1))
"""The natural logarithm of the factorial, for real numbers by the gamma function."""

probit = either(
    lambda share: special().ndtri(share), lambda share: sympy.sqrt(2) * sympy.erfinv(2 * share - 1)
)
"""The quantile of the standard normal distribution."""

error_function = either(lambda x: special().erf(x), lambda x: sympy.erf(x))
"""The share of a normal variable within x·√2 deviations of its mean, erf(x)."""


def log2(value: Value) -> Value:
    """Compute the logarithm to the base 2."""
    return log(value) / log_two(value)


def if_positive(condition: Value, value: Value, otherwise: Value) -> Value:
    """Select one value where a condition is above 0, and another where it is 0 or below."""
    if is_symbolic(condition):
        return sympy.Piecewise((value, condition > 0), (otherwise, True))
    return np.where(np.isnan(condition), np.nan, np.where(condition > 0, value, otherwise))


def nonnegative(value: Value) -> Value:
    """Replace numbers that are negative only due to rounding with 0; keep expressions."""
    return value if is_symbolic(value) else np.maximum(value, 0.0)


def by_chance(row: Value, column: Value, total: Value) -> Value:
    """Compute the count in a cell that is expected by chance: row · column / total.

    If one of the two is the total, the result is exactly the other. With rounding, measures would
    have a value, or infinity, if truth or calls are constant.
    """
    product = ratio(row * column, total)
    if is_symbolic(product):
        return product
    return np.where(row == total, column, np.where(column == total, row, product))


def surprise(cell: Value, of: Value) -> Value:
    """Compute cell · log2(cell/of), a signed part of an entropy in bits; it is 0 if the cell is."""
    if is_symbolic(cell):
        return cell if cell.is_zero else cell * log2(cell / of)
    with np.errstate(invalid="ignore"):
        return np.where(cell == 0, 0.0, cell * log2(ratio(cell, of)))


CALLED: dict[str, Callable[..., Value]] = {
    "sqrt": sqrt,
    "log": log,
    "exp": exp,
    "power": operator.pow,
    "log2": log2,
    "cos": cos,
    "asin": asin,
    "tanh": tanh,
    "erf": error_function,
    "probit": probit,
    "log_factorial": log_factorial,
    "if_positive": if_positive,
    "unless_zero": unless_zero,
    "nonnegative": nonnegative,
    "by_chance": by_chance,
    "surprise": surprise,
}
"""The functions by their names in the column ``formula`` of measures.csv and terms.csv."""


def entropy(*cells: Array) -> Array:
    """Compute the entropy in bits of cells as shares of their sum; undefined if all are 0.

    A share close to 1 is computed from the sum of the others, which keeps its digits.
    """
    total = sum(cells)
    parts = []
    for number, cell in enumerate(cells):
        others = sum(cells[:number] + cells[number + 1 :])
        with np.errstate(invalid="ignore"):
            parts.append(np.where(cell == 0, 0.0, cell * np.log1p(ratio(others, cell))))
    return ratio(sum(parts), total * np.log(2))


def excess(beyond: Array, chance: Array) -> Array:
    """Compute a cell's part of mutual information, cell · ln(cell/chance) - (cell - chance).

    The terms that are subtracted add up to 0 over the cells of a table. With them each part is 0 or
    more; without them the parts of nearly independent or very unequal cells would lose digits.

    Parameters
    ----------
    beyond
        Difference of the cell from chance.
    chance
        Count in the cell that is expected by chance.
    """
    share = np.maximum(np.where(chance > 0, ratio(beyond, chance), 0.0), -1.0)
    near = np.where(np.abs(share) < NEAR_CHANCE, share, 0.0)
    series = near**2 * np.polyval(SERIES_NEAR_CHANCE, -near)
    far = np.where(share > -1, share, 0.0)
    parts = np.where(share > -1, (1 + far) * np.log1p(far) - far, 1.0)
    return chance * np.where(near == share, series, parts)


def mutual_information(c: ConfusionMatrix) -> Array:
    """Compute the mutual information of calls and truth in bits."""
    beyond = ratio(c.tp * c.tn - c.fp * c.fn, c.total)
    parts = (
        excess(sign * beyond, by_chance(row, column, c.total))
        for sign, row, column in (
            (1, c.predicted_positives, c.positives),
            (-1, c.predicted_positives, c.negatives),
            (-1, c.predicted_negatives, c.positives),
            (1, c.predicted_negatives, c.negatives),
        )
    )
    return ratio(sum(parts), c.total * np.log(2))


def stirling_rest(value: Array) -> Array:
    """Compute log(x!) - x·log(x) + x, which is near half the logarithm of 2πx for large x.

    In ratios of factorials, terms of the size of x cancel. Leaving them out saves the digits.
    """
    large = np.maximum(value, LARGE_FACTORIAL)
    series = np.log(2 * np.pi * large) / 2 + 1 / (12 * large) - 1 / (360 * large**3)
    small = np.minimum(value, LARGE_FACTORIAL)
    some = np.where(small == 0, 1.0, small)
    direct = log_factorial(small) - small * np.log(some) + small
    return np.where(value > LARGE_FACTORIAL, series, direct)


def gilbert_wells(c: ConfusionMatrix) -> Array:
    """Compute Gilbert and Wells' measure from the parts of the factorials that do not cancel."""
    sums = c.predicted_positives, c.positives, c.negatives, c.predicted_negatives
    margins = c.positives * c.negatives * c.predicted_positives * c.predicted_negatives
    normal = log(ratio(c.total**3, 2 * np.pi * margins))
    of_cells = sum(map(stirling_rest, (c.total, c.tp, c.fp, c.fn, c.tn)))
    rest = of_cells - sum(map(stirling_rest, sums))
    return normal + 2 * (np.log(2) * c.total * mutual_information(c) + rest)


ACCURATE: dict[str, Formula] = {
    "entropy_of_truth": lambda c: entropy(c.positives, c.negatives),
    "entropy_of_calls": lambda c: entropy(c.predicted_positives, c.predicted_negatives),
    "joint_entropy": lambda c: entropy(c.tp, c.fp, c.fn, c.tn),
    "mutual_information": mutual_information,
    "gilbert_wells": gilbert_wells,
}
"""Functions of numbers in place of a measure's formula, by key. The formula would lose digits to
cancellation: of an entropy near 0, of the mutual information of nearly independent calls, and of a
quotient of large factorials."""
