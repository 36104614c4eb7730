"""Quotients of polynomials with rational coefficients."""

from __future__ import annotations

from functools import reduce
from typing import Any, NamedTuple

from skewproof.core.extras import sympy

LARGEST_PRODUCT = 300_000
"""Largest number of terms of a product of two polynomials, before like terms are combined."""

Polynomial = Any
"""An element of one of SymPy's rings of polynomials."""


class NotShownError(Exception):
    """An error for a formula that is not arithmetic or takes too many operations."""


class Quotient(NamedTuple):
    """A numerator and a denominator, polynomials of one ring that may have common factors."""

    numer: Polynomial
    denom: Polynomial

    def plus(self, other: Quotient) -> Quotient:
        """Add another quotient."""
        if self.denom == other.denom:
            return Quotient(self.numer + other.numer, self.denom)
        common = self.denom.gcd(other.denom)
        left, right = other.denom.quo(common), self.denom.quo(common)
        top = product(self.numer, left) + product(other.numer, right)
        return Quotient(top, product(self.denom, left))

    def times(self, other: Quotient) -> Quotient:
        """Multiply by another quotient."""
        return Quotient(product(self.numer, other.numer), product(self.denom, other.denom))

    def inverted(self) -> Quotient:
        """Exchange numerator and denominator."""
        return Quotient(self.denom, self.numer)

    def unit(self) -> Quotient:
        """Return the number 1."""
        return Quotient(self.denom.ring.one, self.denom.ring.one)

    def slope(self, index: int) -> Quotient:
        """Differentiate by the ring's symbol at an index, with all others constant."""
        by = self.numer.ring.gens[index]
        if self.denom.diff(by) == 0:
            return Quotient(self.numer.diff(by), self.denom)
        top = product(self.numer.diff(by), self.denom) - product(self.numer, self.denom.diff(by))
        return Quotient(top, product(self.denom, self.denom))


def product(first: Polynomial, second: Polynomial) -> Polynomial:
    """Multiply two polynomials.

    Raises
    ------
    NotShownError
        If it takes too many operations.
    """
    if len(first) * len(second) > LARGEST_PRODUCT:
        raise NotShownError
    return first * second


def quotient_of(expression: sympy.Expr, ring: Any) -> Quotient:
    """Convert an expression of symbols and rational numbers to a quotient of a ring.

    Raises
    ------
    NotShownError
        If it takes too many operations.
    """
    if expression.is_Rational:
        return Quotient(ring(int(expression.p)), ring(int(expression.q)))
    if expression.is_Symbol:
        return Quotient(ring.gens[ring.symbols.index(expression)], ring.one)
    if expression.is_Pow:
        base, exponent = quotient_of(expression.base, ring), int(expression.exp)
        if len(base.numer) ** abs(exponent) + len(base.denom) ** abs(exponent) > LARGEST_PRODUCT:
            raise NotShownError
        power = Quotient(base.numer ** abs(exponent), base.denom ** abs(exponent))
        return power if exponent > 0 else power.inverted()
    join = Quotient.plus if expression.is_Add else Quotient.times
    return reduce(join, (quotient_of(part, ring) for part in expression.args))
