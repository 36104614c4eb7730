"""The operations that metrics are written in, for arrays and for SymPy expressions."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from skewproof.core.extras import sympy

Array = NDArray[np.float64]
"""An array of float64 numbers."""

Value = Any
"""A NumPy float64 array, a value that NumPy converts to one, or a SymPy expression."""


def is_symbolic(value: Value) -> bool:
    """Return whether a value is a SymPy expression or an array of expressions."""
    if isinstance(value, np.ndarray):  # the most frequent case
        return value.dtype.kind == "O"
    return hasattr(value, "free_symbols") or getattr(value, "dtype", "") == "O"


def ratio(numerator: Value, denominator: Value) -> Value:
    """Divide without warnings; 0/0 is NaN.

    Metrics divide only with this function, so that undefined values look the same everywhere. The
    caller decides what to do with them.
    """
    if is_symbolic(numerator) or is_symbolic(denominator):
        return numerator / denominator
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.true_divide(numerator, denominator)


def special() -> Any:
    """Return SciPy's module of special functions, whose import takes longer than NumPy's."""
    from scipy import special

    return special


def sqrt(value: Value) -> Value:
    """Take the square root of numbers or of a SymPy expression."""
    if is_symbolic(value):
        return sympy.sqrt(value)
    return np.sqrt(value)


def log(value: Value) -> Value:
    """Take the natural logarithm of numbers or of an expression; that of 0 is -inf, unwarned."""
    if is_symbolic(value):
        return sympy.log(value)
    with np.errstate(divide="ignore"):
        return np.log(value)


def exp(value: Value) -> Value:
    """Take the exponential of numbers or of an expression; an overflow is inf, unwarned."""
    if is_symbolic(value):
        return sympy.exp(value)
    with np.errstate(over="ignore"):
        return np.exp(value)


def pi(like: Value) -> Value:
    """Return π: SymPy's if `like` is symbolic, else a float."""
    if is_symbolic(like):
        return sympy.pi
    return np.pi


def unless_zero(condition: Value, value: Value) -> Value:
    """Return 0 where the condition is 0, and the value elsewhere.

    A symbolic condition is positive and so never 0, unless its symbol is declared nonnegative: then
    the formula has both cases.
    """
    if not is_symbolic(condition):
        return np.where(condition == 0, 0.0, value)
    if not getattr(condition, "is_nonnegative", False) or condition.is_positive:
        return value
    return sympy.Piecewise((0, sympy.Eq(condition, 0)), (value, True))
