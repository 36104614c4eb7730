"""Linear identities of two metrics: proved by algebra, or found on matrices without a proof."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import chain, islice
from typing import NamedTuple

import numpy as np

from skewproof.core.confusion import matrix_of
from skewproof.core.extras import sympy
from skewproof.core.formulas.symbolic import expression, formula
from skewproof.core.metric import Metric
from skewproof.sensitivity.proofs.certified import certified_sign
from skewproof.sensitivity.proofs.identities import vanishes

TRIED = 300
"""Number of matrices on which a linear function without a proof is tried."""

LARGEST_POWER = 12
"""Base-10 logarithm of the largest cell of these matrices."""

ROUNDED = 1e-9
"""Largest relative difference of two values that may be due to rounding, for functions with decimal
numbers."""

SIMPLE = 10**6
"""Largest denominator of a rational number that is tried in place of a longer exact number."""


class LinearIdentity(NamedTuple):
    """A linear function that gives a metric's values from those of another."""

    slope: sympy.Expr
    offset: sympy.Expr

    proved: bool
    """True if the two are equal wherever both are defined; False if their values are equal on all
    matrices that were tried."""


def linear_identity(metric: Metric, other: Metric) -> LinearIdentity | None:
    """Find the linear function of another metric that a metric equals, if there is one.

    The slope and offset that fit two matrices are exact. Algebra then proves the identity, or exact
    arithmetic compares the values on 300 random matrices of whole numbers from 1 to 10^12.

    Parameters
    ----------
    metric, other
        Metrics whose formulas take SymPy's symbols.

    Returns
    -------
    The function, or None if the metric is no linear function of the other one.

    Examples
    --------
    >>> from skewproof.metrics import f1, parse_metric, youden_j
    >>> linear_identity(parse_metric("3*tp/P - 3*fp/N + 1"), youden_j)
    LinearIdentity(slope=3, offset=1, proved=True)
    >>> print(linear_identity(parse_metric("min(2*tp/(2*tp + fp + fn), 20000/(tp + 1))"), f1))
    None
    """
    pairs = ((_exact(metric, cells), _exact(other, cells)) for cells in _tried_cells())
    known = (pair for pair in pairs if all(value.is_finite for value in pair))
    seen = list(islice(known, 1))
    for pair in known:
        seen.append(pair)
        if _differ(pair[1], seen[0][1]):
            break
    else:
        return None
    first, *_, last = seen
    slope = _simplest((last[0] - first[0]) / (last[1] - first[1]))
    offset = _simplest(first[0] - slope * first[1])
    if vanishes(formula(metric) - slope * formula(other) - offset):
        return LinearIdentity(slope, offset, proved=True)
    if any(_differ(value, slope * of_other + offset) for value, of_other in chain(seen, known)):
        return None
    return LinearIdentity(slope, offset, proved=False)


@cache
def _tried_cells() -> list[tuple[int, ...]]:
    """Draw whole cells whose logarithms are uniform, so that all shapes and sizes occur."""
    powers = np.random.default_rng(0).uniform(0, LARGEST_POWER, (TRIED, 4))
    return [tuple(map(int, row)) for row in (10**powers).astype(np.int64).tolist()]


def _exact(metric: Metric, cells: tuple[int, ...]) -> sympy.Expr:
    return expression(metric(matrix_of(map(sympy.Integer, cells))))


def _simplest(number: sympy.Expr) -> sympy.Expr:
    """Return a rational number of few digits that may be equal to an exact number, or the number.

    A wrong one does no harm: the identity is then neither proved nor found.
    """
    if number.is_Rational:
        return number
    near = Fraction(float(number)).limit_denominator(SIMPLE)
    simple = sympy.Rational(near.numerator, near.denominator)
    return number if _differ(number, simple) else simple


def _differ(first: sympy.Expr, second: sympy.Expr) -> bool:
    """Return whether two exact numbers are certain to differ, or rounded ones beyond rounding."""
    difference = first - second
    if difference.is_Rational:
        return difference != 0
    if difference.has(sympy.Float):
        return bool(abs(difference) > ROUNDED * max(abs(first), abs(second)))
    return certified_sign(difference) in (-1, 1)
