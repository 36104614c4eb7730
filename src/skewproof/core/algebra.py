"""The few operations that a metric is written in: arrays become arrays, symbols formulas."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
"""Numbers."""

Value = Any
"""A NumPy float64 array (or what becomes one), or a SymPy expression."""


def is_symbolic(value: Value) -> bool:
    """Whether a value is a SymPy expression or an array of expressions."""
    if isinstance(value, np.ndarray):  # what is asked most often
        return value.dtype.kind == "O"
    return hasattr(value, "free_symbols") or getattr(value, "dtype", "") == "O"


def ratio(numerator: Value, denominator: Value) -> Value:
    """Divide; 0/0 is NaN, and no warning is given for it.

    Every division of a metric goes through here, so that this is the only place that decides
    what an undefined value looks like. What to do with it is the caller's policy.
    """
    if is_symbolic(numerator) or is_symbolic(denominator):
        return numerator / denominator
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.true_divide(numerator, denominator)


def sqrt(value: Value) -> Value:
    """Square root of numbers or of a SymPy expression."""
    if is_symbolic(value):
        import sympy

        return sympy.sqrt(value)
    return np.sqrt(value)


def log(value: Value) -> Value:
    """Natural logarithm of numbers, -inf at 0 without a warning, or of a SymPy expression."""
    if is_symbolic(value):
        import sympy

        return sympy.log(value)
    with np.errstate(divide="ignore"):
        return np.log(value)


def exp(value: Value) -> Value:
    """Exponential of numbers, inf beyond all floats without a warning, or of an expression."""
    if is_symbolic(value):
        import sympy

        return sympy.exp(value)
    with np.errstate(over="ignore"):
        return np.exp(value)


def pi(like: Value) -> Value:
    """The number π: SymPy's beside an expression, else a float."""
    if is_symbolic(like):
        import sympy

        return sympy.pi
    return np.pi


def unless_zero(condition: Value, value: Value) -> Value:
    """0 where the condition is 0, else the value.

    Symbols are positive and so never 0, but for one that is declared nonnegative: with it both
    cases stand in the formula.
    """
    if not is_symbolic(condition):
        return np.where(condition == 0, 0.0, value)
    if not getattr(condition, "is_nonnegative", False) or condition.is_positive:
        return value
    import sympy

    return sympy.Piecewise((0, sympy.Eq(condition, 0)), (value, True))
