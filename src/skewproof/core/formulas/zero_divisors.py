"""Divisors that are 0 for every confusion matrix, found by interval arithmetic.

Floats don't tell such a divisor, (tp + fp)² - tp² - 2 tp fp - fp², from what rounding leaves of it,
and exact powers and exponentials take as long as they like. An interval is sure to hold the number,
and its digits are bounded: what has an interval without 0 at one matrix is not always 0.
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
"""Digits of the intervals: enough for nearly all formulas, and for the others."""

STEPS = 10_000
"""Steps over all matrices up to which all are looked at; a longer formula is tried at fewer, but at
least at 2."""

NARROW = 1e-9
"""Width up to which an interval around 0 is taken for 0, roots of a rounded 0 too."""

LARGEST_EXPONENT = 1e6
"""Exponentials of more have more digits before the point than are worth their time."""

PIECEWISE = {"min", "max", "abs"}

Interval = Any
"""An interval of mpmath, or None where a value is undefined or not enclosed."""


def first_zero(steps: Sequence[Step]) -> int | None:
    """Find what is 0 at every confusion matrix: a divisor, or the formula itself.

    Parameters
    ----------
    steps
        Those of a formula, as of :func:`skewproof.core.formulas.reader.read_steps`.

    Returns
    -------
    The number of the first step that divides by 0; how many steps there are where only the formula
    is 0, and has no minimum, maximum or absolute value, that might differ from 0 elsewhere; None
    where neither is.
    """
    suspects = {number for number, step in enumerate(steps) if step.divisor}
    if not any(step.operation in PIECEWISE for step in steps):
        suspects.add(len(steps))
    matrices = _matrices()
    for digits, at_most in ((FEW_DIGITS, STEPS // len(steps)), (MANY_DIGITS, 2)):
        for cells in matrices[: max(2, at_most)]:
            if not suspects:
                return None
            suspects &= _zeros(steps, cells, digits)
    return min(suspects, default=None)


def _matrices() -> list[list[float]]:
    """Random cells, each small or large in every combination, since a maximum has two sides."""
    random = np.random.default_rng(0)
    powers = np.array(list(itertools.product([-3, 3], repeat=4))) + random.uniform(-1, 1, (16, 4))
    return random.permutation(10**powers).tolist()


def _zeros(steps: Sequence[Step], cells: Sequence[float], digits: int) -> set[int]:
    """The numbers of the steps that divide by what may be 0 at one matrix, and of their end."""
    context = MPIntervalContext()
    context.dps = digits
    tp, fp, fn, tn = map(context.mpf, cells)
    symbols = dict(zip(SYMBOLS, (tp, fp, fn, tn, tp + fn, fp + tn), strict=True))
    stack: list[Interval] = []
    found = set()
    for number, step in enumerate(steps):
        if step.operation in symbols:
            stack.append(symbols[step.operation])
        elif step.operation == "number":
            stack.append(context.mpf(repr(step.number)))
        else:
            taken = stack[-step.takes :]
            del stack[-step.takes :]
            if step.divisor and _may_be_zero(taken[step.operation == "/"], digits):
                found.add(number)
            unknown = any(value is None for value in taken)
            stack.append(None if unknown else _apply(step, taken, context))
    if _may_be_zero(stack[0], digits):
        found.add(len(steps))
    return found


def _may_be_zero(value: Interval, digits: int) -> bool:
    if value is None or not _holds_zero(value):
        return False
    return digits == FEW_DIGITS or bool(value.delta <= NARROW)


def _holds_zero(value: Interval) -> bool:
    return bool(value.a <= 0 <= value.b)


def _apply(step: Step, taken: Sequence[Interval], context: Any) -> Interval:
    """The result of a step on intervals, or None if it is undefined or not enclosed."""
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
    # The least of the powers is that of 0, of what rounding leaves of it or of what is undefined.
    upper = (
        _exponential(context.log(context.mpf(base.b)) * exponent, context) if base.b > 0 else base
    )
    return None if upper is None else context.mpf([0, upper.b])
