"""Exact values of metrics at single matrices of counts.

A value is a fraction, or an interval of 50 digits that is certain to contain it if the metric has
roots, logarithms or exponentials. Decimal numbers in a formula are taken as they are written, and
constants of more than 15 digits as rounded numbers.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from fractions import Fraction
from math import isqrt
from typing import Any

import numpy as np
from mpmath.ctx_iv import MPIntervalContext  # type: ignore[import-untyped]

from skewproof.sensitivity.quadrature.computational_graph import ComputationalGraph, Node

CONTEXT = MPIntervalContext()
CONTEXT.dps = 50

ROUNDED = Fraction(1, 10**14)
"""Relative error of a constant that was computed from other constants."""

LARGEST_POWER = 64
"""Largest whole exponent of an exact power."""

Exact = Any
"""A fraction or an interval of mpmath."""


def exact_value(graph: ComputationalGraph, counts: Sequence[int]) -> Exact:
    """Compute a metric exactly.

    Parameters
    ----------
    graph
        The metric's operations for all class sizes.
    counts
        tp, fp, fn, tn, P and N.

    Raises
    ------
    ArithmeticError, ValueError
        If a step is undefined or infinite.
    """
    values: dict[int, Exact] = dict(enumerate(map(Fraction, counts)))
    for number in graph.order([graph.output]):
        step = graph.steps[number]
        assert step is not None
        inputs = [values[x.number] if isinstance(x, Node) else _constant(x) for x in step.inputs]
        values[number] = EXACT[step.function](*inputs)
    return values[graph.output.number]


def is_within(value: Exact, low: Fraction, high: Fraction) -> bool:
    """Return whether an exact value may lie in a closed interval."""
    if isinstance(value, Fraction):
        return low <= value <= high
    return not (value.b < as_interval(low).a or value.a > as_interval(high).b)


def as_interval(value: Exact) -> Any:
    """Enclose a fraction in an interval of mpmath."""
    if isinstance(value, Fraction):
        return CONTEXT.mpf(value.numerator) / value.denominator
    return value


def _constant(number: Any) -> Exact:
    if isinstance(number, Fraction):
        return number
    value = Fraction(repr(float(number)))
    if value == Fraction(f"{float(number):.15g}"):
        return value
    error = as_interval(abs(value) * ROUNDED)
    return as_interval(value) + CONTEXT.mpf([-1, 1]) * error


def _either(
    of_fractions: Callable[..., Exact], of_intervals: Callable[..., Exact] | None = None
) -> Callable[..., Exact]:
    """Combine an operation on fractions with one on intervals; without one it is the same."""

    def apply(*inputs: Exact) -> Exact:
        if all(isinstance(x, Fraction) for x in inputs):
            return of_fractions(*inputs)
        return (of_intervals or of_fractions)(*map(as_interval, inputs))

    return apply


def _root(square: Fraction) -> Exact:
    if square < 0:
        raise ValueError(f"the root of {square}")
    roots = isqrt(square.numerator), isqrt(square.denominator)
    if (roots[0] ** 2, roots[1] ** 2) == (square.numerator, square.denominator):
        return Fraction(*roots)
    return CONTEXT.sqrt(as_interval(square))


def _power(base: Exact, exponent: Fraction) -> Exact:
    if exponent == Fraction(1, 2):
        return _square_root(base)
    if exponent.denominator == 1 and abs(exponent) <= LARGEST_POWER:
        return base ** int(exponent)
    return CONTEXT.exp(CONTEXT.log(as_interval(base)) * as_interval(exponent))


def _extreme(which: Callable[..., Any]) -> Callable[..., Exact]:
    def of_intervals(*inputs: Any) -> Any:
        return CONTEXT.mpf([which(getattr(x, end) for x in inputs) for end in ("a", "b")])

    return _either(which, of_intervals)


_square_root = _either(_root, CONTEXT.sqrt)

EXACT: dict[Any, Callable[..., Exact]] = {
    np.add: _either(operator.add),
    np.subtract: _either(operator.sub),
    np.multiply: _either(operator.mul),
    np.true_divide: _either(operator.truediv),
    np.negative: _either(operator.neg),
    np.positive: _either(operator.pos),
    np.absolute: _either(abs),
    np.square: _either(lambda x: x**2),
    np.minimum: _extreme(min),
    np.maximum: _extreme(max),
    np.power: _power,
    np.sqrt: _square_root,
    np.log: lambda x: CONTEXT.log(as_interval(x)),
    np.exp: lambda x: CONTEXT.exp(as_interval(x)),
}
"""Operations of the enclosures, on exact values."""
