"""Functions that formulas of the atlas are made of, of arrays or of symbols."""

from __future__ import annotations

import math
from functools import reduce

import numpy as np

from skewproof.core.algebra import Array, Value, is_symbolic, log, ratio
from skewproof.core.confusion import ConfusionMatrix

LARGEST_SURPRISE = 1 / (math.e * math.log(2))
"""The largest value of -x·log2(x), at x = 1/e."""


NEAR_CHANCE = 0.01
"""Share of chance by which a cell is beyond it, up to which few terms of a series are enough."""


LARGE_FACTORIAL = 200.0
"""Number from which on two terms of Stirling's series have all digits of a factorial."""


def smaller(*values: Value) -> Value:
    """The smallest of some values."""
    if any(map(is_symbolic, values)):
        import sympy

        return sympy.Min(*values)
    return reduce(np.minimum, values)


def larger(*values: Value) -> Value:
    """The largest of some values."""
    if any(map(is_symbolic, values)):
        import sympy

        return sympy.Max(*values)
    return reduce(np.maximum, values)


def added(*values: Value) -> Value:
    """Sum of values; infinities of both signs give NaN, and no warning is given for it."""
    with np.errstate(invalid="ignore"):
        return sum(values)


def log_two(like: Value) -> Value:
    """The natural logarithm of 2: SymPy's beside an expression, else a float."""
    if is_symbolic(like):
        import sympy

        return sympy.log(2)
    return np.log(2)


def log2(value: Value) -> Value:
    """Logarithm to the base 2."""
    return log(value) / log_two(value)


def cosine(value: Value) -> Value:
    """Cosine of an angle in radians."""
    if is_symbolic(value):
        import sympy

        return sympy.cos(value)
    return np.cos(value)


def asin(value: Value) -> Value:
    """Angle in radians with a given sine."""
    if is_symbolic(value):
        import sympy

        return sympy.asin(value)
    return np.arcsin(value)


def tanh(value: Value) -> Value:
    """Hyperbolic tangent."""
    if is_symbolic(value):
        import sympy

        return sympy.tanh(value)
    return np.tanh(value)


def log_ten(like: Value) -> Value:
    """The natural logarithm of 10: SymPy's beside an expression, else a float."""
    if is_symbolic(like):
        import sympy

        return sympy.log(10)
    return np.log(10)


def log_factorial(value: Value) -> Value:
    """Natural logarithm of the factorial, of real numbers by the gamma function."""
    if is_symbolic(value):
        import sympy

        return sympy.loggamma(value + 1)
    from scipy.special import gammaln

    return gammaln(value + 1)


def stirling_rest(value: Array) -> Array:
    """log(x!) - x·log(x) + x of numbers, which is near half the logarithm of 2πx where x is large.

    In ratios of factorials terms of the size of x cancel; without them no digits are lost.
    """
    large = np.maximum(value, LARGE_FACTORIAL)
    series = np.log(2 * np.pi * large) / 2 + 1 / (12 * large) - 1 / (360 * large**3)
    small = np.minimum(value, LARGE_FACTORIAL)
    some = np.where(small == 0, 1.0, small)
    direct = log_factorial(small) - small * np.log(some) + small
    return np.where(value > LARGE_FACTORIAL, series, direct)


def probit(share: Value) -> Value:
    """The number of standard deviations below which a normal variable has a share."""
    if is_symbolic(share):
        import sympy

        return sympy.sqrt(2) * sympy.erfinv(2 * share - 1)
    from scipy.special import ndtri

    return ndtri(share)


def error_function(value: Value) -> Value:
    """The error function, twice the normal share within that many times √2 deviations of 0."""
    if is_symbolic(value):
        import sympy

        return sympy.erf(value)
    from scipy.special import erf

    return erf(value)


def where_positive(condition: Value, value: Value, otherwise: Value) -> Value:
    """One value where a condition is above 0, another where it is 0 or below."""
    if is_symbolic(condition):
        import sympy

        return sympy.Piecewise((value, condition > 0), (otherwise, True))
    return np.where(np.isnan(condition), np.nan, np.where(condition > 0, value, otherwise))


def nonnegative(value: Value) -> Value:
    """A value that is 0 or more but for rounding: of numbers what rounding leaves below is 0."""
    return value if is_symbolic(value) else np.maximum(value, 0.0)


def by_chance(row: Value, column: Value, total: Value) -> Value:
    """The count that chance puts in a cell: row · column / total.

    Where one of both is the total it is the other, without rounding, by which measures would have
    a value, or infinity, where truth or calls are constant.
    """
    product = ratio(row * column, total)
    if is_symbolic(product):
        return product
    return np.where(row == total, column, np.where(column == total, row, product))


def surprise(cell: Value, of: Value) -> Value:
    """cell · log2(cell/of), 0 where the cell is 0: a part of an entropy in bits, with sign."""
    if is_symbolic(cell):
        return cell * log2(cell / of)
    with np.errstate(invalid="ignore"):
        return np.where(cell == 0, 0.0, cell * log2(ratio(cell, of)))


def entropy(*cells: Value) -> Value:
    """Entropy of cells as shares of their sum, in bits; undefined where all are 0.

    The share of one that is nearly all has its digits in what the others add up to.
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
    """cell · ln(cell/chance) - (cell - chance) of numbers: what a cell adds to mutual information.

    What is taken off adds up to 0 over the cells of a table. Without it the parts of nearly
    independent or very unequal cells would lose their digits; so each is 0 or more.

    Parameters
    ----------
    beyond
        How far the cell is beyond chance.
    chance
        What chance puts in the cell.
    """
    share = np.maximum(np.where(chance > 0, ratio(beyond, chance), 0.0), -1.0)
    near = np.where(np.abs(share) < NEAR_CHANCE, share, 0.0)
    series = sum((-near) ** power / (power * (power - 1)) for power in range(2, 9))
    far = np.where(share > -1, share, 0.0)
    parts = np.where(share > -1, (1 + far) * np.log1p(far) - far, 1.0)
    return chance * np.where(near == share, series, parts)


def determinant(c: ConfusionMatrix) -> Value:
    """tp·tn - fp·fn, 0 where calls and truth are independent."""
    return c.tp * c.tn - c.fp * c.fn


def errors(c: ConfusionMatrix) -> Value:
    """Number of wrong calls."""
    return c.fp + c.fn


def margins(c: ConfusionMatrix) -> Value:
    """Product of the sizes of the four true and called classes."""
    return c.positives * c.negatives * c.predicted_positives * c.predicted_negatives


def prevalence(c: ConfusionMatrix) -> Value:
    """Share of the positives."""
    return ratio(c.positives, c.total)


def called(c: ConfusionMatrix) -> Value:
    """Share of what was called positive."""
    return ratio(c.predicted_positives, c.total)
