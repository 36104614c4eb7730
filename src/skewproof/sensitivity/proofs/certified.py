"""Signs of exact real numbers, certified by interval arithmetic.

SymPy's digits are not a proof: for an expression that is 0 without a visible cancellation,
``evalf`` returns the rounding error, which a large factor makes large. An interval is certain to
contain the number.
"""

from __future__ import annotations

import contextlib
import functools
import math
import operator
from collections.abc import Callable, Iterator
from typing import Any

import mpmath  # type: ignore[import-untyped]
from mpmath.ctx_iv import MPIntervalContext  # type: ignore[import-untyped]

from skewproof.core.extras import sympy

DIGITS = (30, 100, 400)
"""Numbers of decimal digits with which the sign is computed, one after the other."""


LARGEST_EXPONENT = 10**6
"""Largest exponent; numbers with more digits before the point take too long."""

LARGEST_ERROR_ARGUMENT = 30
"""Largest argument of the error function that is enclosed. The number of terms exceeds its
square."""

WIDENINGS = 60
"""Largest number of times that the interval about an inverse function's value is widened by a
factor of 16."""


class _NotEnclosedError(Exception):
    """An error for an expression whose value is not known to be a finite real number."""


def certified_sign(expression: sympy.Expr) -> int | None:
    """Return 1 or -1 if a number is proved to be positive or negative, and 0 for a rational 0.

    Parameters
    ----------
    expression
        A number without free symbols, of rational numbers, pi, arithmetic, real powers, absolute
        values, logarithms, exponentials, hyperbolic tangents, cosines, arcsines, error functions
        and their inverses, logarithms of the gamma function, minima and maxima.

    Returns
    -------
    None if 400 digits do not distinguish the number from 0, if it is not shown to be real, or if it
    contains decimal numbers, which are already rounded.
    """
    if expression.is_Rational:
        return int(sympy.sign(expression))
    for enclosure in _enclosures(expression):
        if enclosure.a > 0:
            return 1
        if enclosure.b < 0:
            return -1
    return None


def is_certified_real(expression: sympy.Expr) -> bool:
    """Return whether a number without free symbols is shown to be real and finite."""
    if expression.is_Rational:
        return True
    return any(enclosure.delta < enclosure.ctx.inf for enclosure in _enclosures(expression))


def certified_interval(expression: sympy.Expr) -> tuple[float, float] | None:
    """Enclose a number without free symbols between two floats, with a proof.

    Parameters
    ----------
    expression
        As for :func:`certified_sign`.

    Returns
    -------
    The floats next to the number, or their neighbors; None if it is not shown to be real.

    Examples
    --------
    >>> import sympy
    >>> low, high = certified_interval(sympy.sqrt(2))
    >>> low < sympy.sqrt(2) < high, high - low < 1e-15
    (True, True)
    """
    for enclosure in _enclosures(expression):
        if enclosure.delta < enclosure.ctx.inf:
            low, high = (float(end) for end in (enclosure.a, enclosure.b))
            return math.nextafter(low, -math.inf), math.nextafter(high, math.inf)
    return None


def _enclosures(expression: sympy.Expr) -> Iterator[Any]:
    """Generate ever narrower intervals that contain an expression's value, if it is enclosed."""
    for digits in DIGITS:
        context = MPIntervalContext()
        context.dps = digits
        with contextlib.suppress(_NotEnclosedError, ZeroDivisionError):
            yield _enclosure(expression, context)


def _enclosure(expression: sympy.Expr, context: Any) -> Any:
    """Compute an interval of the context that contains the expression's value."""
    if expression.is_Rational:
        return context.mpf(int(expression.p)) / int(expression.q)
    if expression is sympy.pi:
        return context.pi
    if expression is sympy.E:
        return context.exp(context.mpf(1))
    if not expression.args:
        raise _NotEnclosedError(f"{expression} is not an exact real number")
    if expression.is_Pow:
        return _power(expression, context)
    parts = [_enclosure(part, context) for part in expression.args]
    match expression:
        case sympy.Add():
            return functools.reduce(operator.add, parts)
        case sympy.Mul():
            return functools.reduce(operator.mul, parts)
        case sympy.Abs():
            return abs(parts[0])
        case sympy.exp():
            return _exponential(parts[0], context)
        case sympy.log() if len(parts) == 1 and parts[0].a > 0:
            return context.log(parts[0])
        case sympy.cos():
            return context.cos(parts[0])
        case sympy.asin():
            return _arcsine(parts[0], context)
        case sympy.erf():
            return _error_function(parts[0], context)
        case sympy.erfinv():
            return _inverse(_error_function, mpmath.mp.erfinv, parts[0], context)
        case sympy.loggamma() if parts[0].a > 0:
            return context.loggamma(parts[0])
        case sympy.tanh():
            return 1 - 2 / (_exponential(2 * parts[0], context) + 1)
        case sympy.Min():
            return _hull(min, parts, context)
        case sympy.Max():
            return _hull(max, parts, context)
    raise _NotEnclosedError(f"{expression} is not shown to be a real number")


def _exponential(held: Any, context: Any) -> Any:
    if abs(held).b > LARGEST_EXPONENT:
        raise _NotEnclosedError(f"{held} is too large an exponent")
    return context.exp(held)


def _hull(which: Any, parts: list[Any], context: Any) -> Any:
    """Enclose the smallest or largest of numbers that are in intervals."""
    ends = [which(getattr(part, end) for part in parts) for end in ("a", "b")]
    return context.mpf(ends)


def _power(expression: sympy.Expr, context: Any) -> Any:
    base, exponent = expression.args
    if base is sympy.E:
        return _exponential(_enclosure(exponent, context), context)
    held = _enclosure(base, context)
    if not exponent.is_Integer:
        if not held.a > 0:
            raise _NotEnclosedError(f"{base} is not shown to be positive")
        return _exponential(context.log(held) * _enclosure(exponent, context), context)
    if abs(int(exponent.p)) > LARGEST_EXPONENT:
        raise _NotEnclosedError(f"{exponent} is too large an exponent")
    power = held ** abs(int(exponent.p))
    if exponent.p > 0:
        return power
    if power.a <= 0 <= power.b:
        raise _NotEnclosedError(f"{base} is not shown to differ from 0")
    return 1 / power


def _error_function(held: Any, context: Any) -> Any:
    """Enclose the error function, which is increasing, by the ends of its argument's interval."""
    low, high = (_error_function_at(context.mpf(end), context) for end in (held.a, held.b))
    return context.mpf([low.a, high.b])


def _error_function_at(x: Any, context: Any) -> Any:
    """Sum the error function's series 2x exp(-x^2)/sqrt(pi) sum_n (2x^2)^n/(1*3*...*(2n + 1)).

    Once the ratio of two terms is below 1/2, the remainder is smaller than the last term.
    """
    if abs(x).b > LARGEST_ERROR_ARGUMENT:
        raise _NotEnclosedError(f"{x} is too large for the error function")
    doubled = 2 * x**2
    term = total = context.mpf(1)
    smallest = context.mpf(2) ** -context.prec
    number = 0
    while not (2 * doubled.b < 2 * number + 3 and term.b < smallest):
        number += 1
        term = term * doubled / (2 * number + 1)
        total += term
    total += context.mpf([0, term.b])
    return 2 * x * context.exp(-(x**2)) / context.sqrt(context.pi) * total


def _arcsine(held: Any, context: Any) -> Any:
    arcsine = _inverse(lambda part, _: context.sin(part), mpmath.mp.asin, held, context)
    if not abs(arcsine).b < (context.pi / 2).a:
        raise _NotEnclosedError(f"{held} is too near the ends of the arcsine")
    return arcsine


def _inverse(
    function: Callable[[Any, Any], Any], guess: Callable[[Any], Any], held: Any, context: Any
) -> Any:
    """Enclose the inverse of an increasing function by values of the function at the ends."""
    if not -1 < held.a <= held.b < 1:
        raise _NotEnclosedError(f"{held} is not shown to be between -1 and 1")
    ends = []
    for end, side in ((held.a, -1), (held.b, 1)):
        with mpmath.workprec(context.prec + 20):
            near = context.mpf(guess(mpmath.mpf(end)))
        width = context.mpf(2) ** (4 - context.prec)
        for _ in range(WIDENINGS):
            beyond = near + side * width
            at = function(beyond, context)
            if at.b <= held.a if side < 0 else at.a >= held.b:
                break
            width *= 16
        else:
            raise _NotEnclosedError(f"the inverse function at {held} is not enclosed")
        ends.append(beyond.a if side < 0 else beyond.b)
    return context.mpf(ends)
