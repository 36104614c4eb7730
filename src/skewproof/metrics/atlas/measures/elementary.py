"""Elementary functions of the atlas's formulas, for arrays and for symbols."""

from __future__ import annotations

import math
from functools import reduce

import numpy as np

from skewproof.core.algebra import Array, Value, is_symbolic, log, ratio
from skewproof.core.confusion import ConfusionMatrix

LARGEST_SURPRISE = 1 / (math.e * math.log(2))
"""The largest value of -x·log2(x), at x = 1/e."""


NEAR_CHANCE = 0.01
"""Largest relative difference of a cell from chance for which a few terms of a series suffice."""

SERIES_NEAR_CHANCE = [1 / (power * (power - 1)) for power in range(8, 1, -1)]
"""Coefficients of ((1 + x)·ln(1 + x) - x)/x² in powers of -x, the highest first."""

LARGE_FACTORIAL = 200.0
"""Smallest number for whose factorial two terms of Stirling's series have full precision."""


def smaller(*values: Value) -> Value:
    """Return the smallest of some values."""
    if any(map(is_symbolic, values)):
        import sympy

        return sympy.Min(*values)
    return reduce(np.minimum, values)


def larger(*values: Value) -> Value:
    """Return the largest of some values."""
    if any(map(is_symbolic, values)):
        import sympy

        return sympy.Max(*values)
    return reduce(np.maximum, values)


def added(*values: Value) -> Value:
    """Sum values without warnings; infinities of both signs add up to NaN."""
    with np.errstate(invalid="ignore"):
        return sum(values)


def log_two(like: Value) -> Value:
    """Return the natural logarithm of 2: SymPy's if `like` is symbolic, else a float."""
    if is_symbolic(like):
        import sympy

        return sympy.log(2)
    return np.log(2)


def log2(value: Value) -> Value:
    """Compute the logarithm to the base 2."""
    return log(value) / log_two(value)


def cosine(value: Value) -> Value:
    """Compute the cosine of an angle in radians."""
    if is_symbolic(value):
        import sympy

        return sympy.cos(value)
    return np.cos(value)


def asin(value: Value) -> Value:
    """Compute the angle in radians with a given sine."""
    if is_symbolic(value):
        import sympy

        return sympy.asin(value)
    return np.arcsin(value)


def tanh(value: Value) -> Value:
    """Compute the hyperbolic tangent."""
    if is_symbolic(value):
        import sympy

        return sympy.tanh(value)
    return np.tanh(value)


def log_ten(like: Value) -> Value:
    """Return the natural logarithm of 10: SymPy's if `like` is symbolic, else a float."""
    if is_symbolic(like):
        import sympy

        return sympy.log(10)
    return np.log(10)


def log_factorial(value: Value) -> Value:
    """Compute the natural logarithm of the factorial, for real numbers by the gamma function."""
    if is_symbolic(value):
        import sympy

        return sympy.loggamma(value + 1)
    from scipy.special import gammaln

    return gammaln(value + 1)


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


def probit(share: Value) -> Value:
    """Compute the quantile of the standard normal distribution."""
    if is_symbolic(share):
        import sympy

        return sympy.sqrt(2) * sympy.erfinv(2 * share - 1)
    from scipy.special import ndtri

    return ndtri(share)


def error_function(value: Value) -> Value:
    """Compute erf(x), the share of a normal variable within x·√2 deviations of its mean."""
    if is_symbolic(value):
        import sympy

        return sympy.erf(value)
    from scipy.special import erf

    return erf(value)


def where_positive(condition: Value, value: Value, otherwise: Value) -> Value:
    """Select one value where a condition is above 0, and another where it is 0 or below."""
    if is_symbolic(condition):
        import sympy

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
        return cell * log2(cell / of)
    with np.errstate(invalid="ignore"):
        return np.where(cell == 0, 0.0, cell * log2(ratio(cell, of)))


def entropy(*cells: Value) -> Value:
    """Compute the entropy in bits of cells as shares of their sum; undefined if all are 0.

    A share close to 1 is computed from the sum of the others, which keeps its digits.
    """
    total = sum(cells)
    if any(map(is_symbolic, cells)):
        return -ratio(sum(surprise(cell, total) for cell in cells), total)
    parts = []
    for number, cell in enumerate(cells):
        others = sum(cells[:number] + cells[number + 1 :])
        with np.errstate(invalid="ignore"):
            parts.append(np.where(cell == 0, 0.0, cell * np.log1p(ratio(others, cell))))
    return ratio(sum(parts), total * log_two(total))


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


def determinant(c: ConfusionMatrix) -> Value:
    """Compute tp·tn - fp·fn, which is 0 if calls and truth are independent."""
    return c.tp * c.tn - c.fp * c.fn


def errors(c: ConfusionMatrix) -> Value:
    """Count the wrong calls."""
    return c.fp + c.fn


def margins(c: ConfusionMatrix) -> Value:
    """Multiply the sizes of the four true and called classes."""
    return c.positives * c.negatives * c.predicted_positives * c.predicted_negatives


def prevalence(c: ConfusionMatrix) -> Value:
    """Compute the share of positives."""
    return ratio(c.positives, c.total)


def called(c: ConfusionMatrix) -> Value:
    """Compute the share of instances called positive."""
    return ratio(c.predicted_positives, c.total)
