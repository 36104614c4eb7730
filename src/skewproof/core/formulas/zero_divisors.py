"""Interval arithmetic that finds divisors which are 0 for every confusion matrix.

Floats cannot tell such a divisor, as (tp + fp)² - tp² - 2 tp fp - fp², from its rounding error, and
the time for exact powers and exponentials has no limit. An interval is sure to contain the number,
and its digits are bounded: if the interval at one matrix excludes 0, the divisor is not always 0.
"""

from __future__ import annotations

import itertools
import operator
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from mpmath.ctx_iv import MPIntervalContext  # type: ignore[import-untyped]

from skewproof.core.formulas.reader import SYMBOLS, Step

FEW_DIGITS, MANY_DIGITS = 30, 300
"""Digits of the intervals: the first suffice for nearly all formulas, the second for the rest."""

STEPS = 10_000
"""Largest number of steps over all matrices; a longer formula is tried at fewer matrices, but at
least at 2."""

NARROW = 1e-9
"""Largest width of an interval around 0 that is taken for 0, such as the root of a rounded 0."""

LARGEST_EXPONENT = 1e6
"""Largest exponent; larger ones have too many digits before the point to compute."""

PIECEWISE = {"min", "max", "abs"}

Interval = Any
"""An interval of mpmath, or None if a value is undefined or not enclosed."""


def first_zero(steps: Sequence[Step]) -> int | None:
    """Find a divisor that is 0 at every confusion matrix, or tell that the formula itself is.

    Parameters
    ----------
    steps
        The steps of a formula, which :func:`skewproof.core.formulas.reader.read_steps` returns.

    Returns
    -------
    The number of the first step that divides by 0; the number of all steps if only the formula is
    0; None if neither is. A formula with a minimum, a maximum or an absolute value is never said to
    be 0, as it might differ from 0 elsewhere.
    """
    suspects = {number for number, step in enumerate(steps) if step.divisor}
    if not has_branches(steps):
        suspects.add(len(steps))
    matrices = _matrices()
    for digits, at_most in ((FEW_DIGITS, STEPS // len(steps)), (MANY_DIGITS, 2)):
        for cells in matrices[: max(2, at_most)]:
            if not suspects:
                return None
            suspects &= _zeros(steps, cells, digits)
    return min(suspects, default=None)


def has_branches(steps: Sequence[Step]) -> bool:
    """Return whether steps include a minimum, a maximum or an absolute value.

    Other formulas are analytic: one that is 0 at random matrices is 0 wherever it is defined.
    """
    return any(step.operation in PIECEWISE for step in steps)


def _matrices() -> list[list[float]]:
    """Draw random cells, small and large in every combination, since a maximum has two sides."""
    random = np.random.default_rng(0)
    powers = np.array(list(itertools.product([-12, -3, 3, 12], repeat=4)), dtype=np.float64)
    powers += random.uniform(-1, 1, powers.shape)
    return random.permutation(10**powers).tolist()


def _zeros(steps: Sequence[Step], cells: Sequence[float], digits: int) -> set[int]:
    """Find the steps that may divide by 0 at one matrix; the number of all steps stands for the
    formula itself."""
    context = MPIntervalContext()
    context.dps = digits
    tp, fp, fn, tn = map(context.mpf, cells)
    symbols = dict(zip(SYMBOLS, (tp, fp, fn, tn, tp + fn, fp + tn), strict=True))
    stack: list[Interval] = []
    zeros = set()
    for number, step in enumerate(steps):
        if step.operation in symbols:
            stack.append(symbols[step.operation])
        elif step.operation == "number":
            stack.append(context.mpf(repr(step.number)))
        else:
            taken = stack[-step.takes :]
            del stack[-step.takes :]
            if step.divisor and _may_be_zero(taken[step.operation == "/"], digits):
                zeros.add(number)
            unknown = any(value is None for value in taken)
            stack.append(None if unknown else _apply(step, taken, context))
    if _may_be_zero(stack[0], digits):
        zeros.add(len(steps))
    return zeros


def _may_be_zero(value: Interval, digits: int) -> bool:
    if value is None or not _holds_zero(value):
        return False
    return digits == FEW_DIGITS or bool(value.delta <= NARROW)


def _holds_zero(value: Interval) -> bool:
    return bool(value.a <= 0 <= value.b)


def _apply(step: Step, taken: Sequence[Interval], context: Any) -> Interval:
    """Apply a step to intervals; the result is None if it is undefined or not enclosed."""
    match step.operation, taken:
        case "/", [upper, lower]:
            return None if _holds_zero(lower) else upper / lower
        case "**", [base, exponent]:
            return _power(base, exponent, step.number or 0.0, context)
        case "exp", [value]:
            return _exponential(value, context)
        case "log", [value]:
            return context.log(value) if value.a > 0 else None
        case "sqrt", [value]:
            return context.sqrt(context.mpf([max(value.a, 0), value.b])) if value.b >= 0 else None
        case ("min" | "max") as name, _:
            which = min if name == "min" else max
            return context.mpf([which(value.a for value in taken), which(v.b for v in taken)])
        case name, _:
            return _ARITHMETIC[name](*taken)


_ARITHMETIC: dict[str, Callable[..., Interval]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "negative": operator.neg,
    "positive": operator.pos,
    "abs": abs,
}


def _exponential(value: Interval, context: Any) -> Interval:
    return context.exp(value) if abs(value).b <= LARGEST_EXPONENT else None


def _power(base: Interval, exponent: Interval, number: float, context: Any) -> Interval:
    if number.is_integer():
        if number < 0 and _holds_zero(base):
            return None
        return base ** int(number)
    if base.b < 0 or (base.a <= 0 and number < 0):
        return None
    if base.a > 0:
        return _exponential(context.log(base) * exponent, context)
    # The lower end is 0: the base is 0, its rounding error, or partly undefined.
    upper = (
        _exponential(context.log(context.mpf(base.b)) * exponent, context) if base.b > 0 else base
    )
    return None if upper is None else context.mpf([0, upper.b])
