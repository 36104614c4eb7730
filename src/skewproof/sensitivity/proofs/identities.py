"""Proofs that a formula is 0 everywhere or has one sign, by arithmetic of polynomials.

A formula of positive symbols becomes a quotient of two polynomials in these and in further symbols,
which stand for its roots, absolute values and logarithms. Roots are split into those of the
positive factors of the radicand and one of the rest, and logarithms into those of the factors of
their argument. If everything cancels after powers of roots are replaced, the formula is 0. The
converse is not claimed: a formula that is 0 may not be recognized.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
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


Sign = tuple[int, bool]
"""1, -1 or 0, and True if the value is never 0."""

LARGEST_FORMULA = 1500
"""Largest number of operations of a formula for which a proof is attempted."""

LARGEST_MULTIPLE = 12
"""Largest factor of a logarithm in a sum of logarithms that is combined to one logarithm."""

LARGEST_CONJUGATE = 5000
"""Largest number of terms in the difference of two squares, before like terms are combined."""


def vanishes(expression: sympy.Expr) -> bool:
    """Return whether a formula is shown to be 0 wherever it is defined.

    Parameters
    ----------
    expression
        Arithmetic of positive symbols and exact numbers, with rational powers, absolute values,
        minima, maxima and logarithms.

    Examples
    --------
    >>> import sympy
    >>> a, b = sympy.symbols("a b", positive=True)
    >>> vanishes(sympy.sqrt(a**2 + 2 * a * b + b**2) - a - b), vanishes(sympy.log(a * b) - a)
    (True, False)
    """
    try:
        algebra = Algebra(split_logarithms=True)
        return algebra.is_zero(*algebra.quotients([expression]))
    except NotShownError:
        return False


def definite_sign(expression: sympy.Expr) -> Sign | None:
    """Find the sign that a formula of positive symbols is shown to have for all their values.

    Parameters
    ----------
    expression
        As for :func:`vanishes`.

    Returns
    -------
    1, -1 or 0, and whether the formula is never 0 (False for a formula that is 0 everywhere); None
    if no sign is shown.

    Examples
    --------
    >>> import sympy
    >>> a, b = sympy.symbols("a b", positive=True)
    >>> definite_sign(-a / (1 + b)), definite_sign((a - b) ** 2), definite_sign(a - b)
    ((-1, True), (1, False), None)
    """
    return shown(lambda algebra, quotient: algebra.sign(quotient), expression)


def shown(find: Callable[[Algebra, Quotient], Any], expression: sympy.Expr) -> Any:
    """Find what an algebra shows of a formula, with logarithms of products as they are or split.

    Parameters
    ----------
    find
        A function of the algebra and of the formula as a quotient; it returns None if nothing is
        shown.
    expression
        The formula.

    Returns
    -------
    The first result that is not None, or None.
    """
    for split in (False, True) if expression.has(sympy.log) else (False,):
        with suppress(NotShownError):
            algebra = Algebra(split_logarithms=split)
            result = find(algebra, *algebra.quotients([expression]))
            if result is not None:
                return result
    return None


def is_regular(expression: sympy.Expr) -> bool:
    """Return whether a formula is shown to be real for all values of its positive symbols."""
    known = (sympy.log, sympy.Abs, sympy.Min, sympy.Max, sympy.erf, sympy.erfinv)
    functions = expression.atoms(sympy.Function)
    if not all(isinstance(function, known) for function in functions):
        return False
    parts = [(power.base, power.exp) for power in expression.atoms(sympy.Pow)]
    parts += [(log.args[0], sympy.Rational(-1, 2)) for log in expression.atoms(sympy.log)]
    for inverse in expression.atoms(sympy.erfinv):
        parts += [(1 + side * inverse.args[0], sympy.Rational(-1, 2)) for side in (1, -1)]
    for base, exponent in parts:
        if base.is_positive or (exponent.is_Integer and exponent > 0):
            continue
        sign = definite_sign(base)
        if sign is None or (exponent < 0 and not sign[1]):
            return False
        if not exponent.is_Integer and sign[0] < 0:
            return False
    return all(power.exp.is_Rational for power in expression.atoms(sympy.Pow))


Pair = tuple[Quotient, Quotient]


class Algebra:
    """A reader of formulas as quotients of polynomials, with symbols for roots and logarithms.

    Parameters
    ----------
    split_logarithms
        If True, the logarithm of a product becomes the sum of the logarithms of its factors, of
        which more may cancel. If False, it is a single symbol, whose sign may be known although
        those of the factors' logarithms differ.
    """

    def __init__(self, *, split_logarithms: bool = False) -> None:
        self._split_logarithms = split_logarithms
        self._known: dict[tuple[Any, ...], sympy.Symbol] = {}
        self._roots: dict[sympy.Symbol, tuple[sympy.Expr, int]] = {}
        self._logarithms: dict[sympy.Symbol, sympy.Expr] = {}
        self._opaque: dict[sympy.Symbol, sympy.Expr] = {}
        self._signs: dict[sympy.Symbol, Sign | None] = {}

    def quotients(self, expressions: Sequence[sympy.Expr]) -> list[Quotient]:
        """Convert formulas to quotients of polynomials of one ring.

        Raises
        ------
        NotShownError
            If a formula has another function or too many operations.
        """
        if any(expression.count_ops() > LARGEST_FORMULA for expression in expressions):
            raise NotShownError
        return self._quotients([self._read(expression) for expression in expressions])

    def derivative(self, quotient: Quotient, by: sympy.Symbol) -> Quotient:
        """Differentiate by a symbol, with the chain rule for roots and logarithms."""
        ring = quotient.numer.ring
        total = Quotient(ring.zero, ring.one)
        for index, symbol in enumerate(ring.symbols):
            partial = quotient.slope(index)
            if partial.numer == 0 or not (symbol == by or by in self._inside(symbol)):
                continue
            if symbol in self._opaque:
                raise NotShownError
            if symbol in self._roots or symbol in self._logarithms:
                inner, order = self._roots.get(symbol) or (self._logarithms[symbol], 0)
                inside = quotient_of(inner, ring)
                factor = Quotient(ring.gens[index], ring(order)) if order else total.unit()
                partial = partial.times(factor).times(self.derivative(inside, by))
                partial = partial.times(inside.inverted())
            total = total.plus(partial)
        return self._cancelled(total)

    def is_zero(self, quotient: Quotient) -> bool:
        """Return whether a quotient is shown to be 0."""
        return bool(self._reduced(quotient.numer) == 0)

    def same_products(self, first: Pair, second: Pair) -> bool:
        """Return whether the product of two quotients is shown to be that of two others.

        Raises
        ------
        NotShownError
            If there are too many terms.
        """
        left, right = (
            Quotient(*(self._reduced(product(*parts)) for parts in zip(*pair, strict=True)))
            for pair in (first, second)
        )
        ends = product(left.numer, right.denom), product(right.numer, left.denom)
        return bool(self._reduced(ends[0]) == self._reduced(ends[1]))

    def sign(self, quotient: Quotient) -> Sign | None:
        """Find the sign of a quotient for all values of its symbols, or None if none is shown."""
        signs = [self._sign(part) for part in self._cancelled(quotient)]
        if signs[0] is None or signs[1] is None:
            return None
        return signs[0][0] * signs[1][0], signs[0][1]

    def _quotients(self, read: Sequence[sympy.Expr]) -> list[Quotient]:
        symbols = set().union(*(expression.free_symbols for expression in read))
        for symbol in list(symbols):
            symbols |= self._inside(symbol)
        ordered = sorted(symbols, key=str) or [sympy.Symbol("unused")]
        ring = sympy.polys.rings.PolyRing(ordered, sympy.QQ, sympy.lex)
        return [quotient_of(expression, ring) for expression in read]

    def _inside(self, symbol: sympy.Symbol) -> set[sympy.Symbol]:
        """Collect the symbols in the argument of a root or logarithm, and in theirs in turn."""
        inner = self._roots.get(symbol, (self._logarithms.get(symbol), 1))[0]
        inner = self._opaque.get(symbol, inner)
        if inner is None:
            return set()
        symbols = set(inner.free_symbols)
        return symbols.union(*map(self._inside, symbols)) if symbols else symbols

    def _cancelled(self, quotient: Quotient) -> Quotient:
        """Replace the powers of roots and cancel common factors."""
        numer, denom = map(self._reduced, quotient)
        common = numer.gcd(denom)
        return Quotient(numer.quo(common), denom.quo(common))

    def _reduced(self, polynomial: Polynomial) -> Polynomial:
        """Replace every q-th power of a q-th root with the radicand."""
        ring = polynomial.ring
        for symbol in reversed(self._roots):
            if symbol not in ring.symbols:
                continue
            index = ring.symbols.index(symbol)
            radicand, order = self._roots[symbol]
            if all(powers[index] < order for powers in polynomial):
                continue
            inside = quotient_of(radicand, ring).numer
            by_times: dict[int, dict[tuple[int, ...], Any]] = {}
            for powers, coefficient in polynomial.terms():
                times, left = divmod(powers[index], order)
                rest = (*powers[:index], left, *powers[index + 1 :])
                by_times.setdefault(times, {})[rest] = coefficient
            parts = [
                product(ring.from_dict(terms), inside**times) for times, terms in by_times.items()
            ]
            polynomial = sum(parts, ring.zero)
        return polynomial

    def _read(self, expression: sympy.Expr) -> sympy.Expr:
        """Replace everything but arithmetic in a formula with symbols."""
        match expression:
            case sympy.Add() | sympy.Mul():
                return expression.func(*map(self._read, expression.args))
            case sympy.Abs():
                return self._absolute(self._read(expression.args[0]))
            case sympy.Min() | sympy.Max():
                return self._extreme(expression)
            case sympy.log() if len(expression.args) == 1:
                return self._logarithm(self._read(expression.args[0]))
            case sympy.erf() | sympy.erfinv():
                return self._odd(expression.func, self._read(expression.args[0]))
            case sympy.Pow() if expression.exp.is_Integer:
                return self._read(expression.base) ** expression.exp
            case sympy.Pow() if expression.exp.is_Rational:
                base = self._read(expression.base)
                return self._root(base, int(expression.exp.q)) ** int(expression.exp.p)
        if expression.is_Symbol or expression.is_Rational:
            return expression
        if expression.free_symbols or not expression.is_positive:
            raise NotShownError
        return self._symbol("number", expression, sign=(1, True))

    def _odd(self, function: type[sympy.Function], argument: sympy.Expr) -> sympy.Expr:
        """Make a symbol for a function of which only the sign is known: that of its argument."""
        (quotient,) = self._quotients([argument])
        numer, denom = (part.as_expr() for part in self._cancelled(quotient))
        symbol = self._symbol(function.__name__, numer, denom, sign=self._sign_of(argument))
        self._opaque.setdefault(symbol, numer / denom)
        return symbol

    def _symbol(self, kind: str, *parts: Any, sign: Sign | None) -> sympy.Symbol:
        """Return the symbol for a part of a formula, which is the same each time."""
        if (kind, *parts) not in self._known:
            name = sympy.Symbol(f"{kind}_{len(self._known)}")
            self._known[kind, *parts], self._signs[name] = name, sign
        return self._known[kind, *parts]

    def _root(self, base: sympy.Expr, order: int) -> sympy.Expr:
        """Write a root as the product of roots of the radicand's factors."""
        root, left = sympy.Integer(1), sympy.Integer(1)
        for factor, exponent in self._factors(base):
            sign = self._sign_of(factor)
            if sign is not None and sign[0] >= 0:
                root *= self._single_root(factor, order, strict=sign[1]) ** exponent
            elif order > 2:
                raise NotShownError
            elif exponent < 0:  # so that the radicand is a polynomial
                left *= factor**-exponent
                root /= self._absolute(factor**-exponent)
            else:
                left *= factor**exponent
        return root if left == 1 else root * self._single_root(left, order, strict=False)

    def _single_root(self, radicand: sympy.Expr, order: int, *, strict: bool) -> sympy.Expr:
        root = sympy.Pow(radicand, sympy.Rational(1, order))
        if root.is_Rational:
            return root
        symbol = self._symbol("root", radicand, order, sign=(1, strict))
        self._roots.setdefault(symbol, (radicand, order))
        return symbol

    def _absolute(self, value: sympy.Expr) -> sympy.Expr:
        magnitude, left = sympy.Integer(1), sympy.Integer(1)
        for factor, exponent in self._factors(value):
            sign = self._sign_of(factor)
            if exponent % 2 == 0:
                magnitude *= factor**exponent
            elif sign is None and exponent > 0:
                left *= factor**exponent
            elif sign is None:
                magnitude *= self._single_root(factor**2, 2, strict=False) ** exponent
            else:
                magnitude *= (sign[0] * factor) ** exponent
        return magnitude if left == 1 else magnitude * self._single_root(left**2, 2, strict=False)

    def _extreme(self, expression: sympy.Expr) -> sympy.Expr:
        """Write a minimum or maximum with absolute values of differences."""
        sign = 1 if isinstance(expression, sympy.Max) else -1
        if expression.has(sympy.log) and len(expression.args) == 2:
            larger = definite_sign(sign * (expression.args[0] - expression.args[1]))
            if larger is not None:
                return self._read(expression.args[0 if larger[0] >= 0 else 1])
        first, *others = map(self._read, expression.args)
        for other in others:
            first = (first + other + sign * self._absolute(first - other)) / 2
        return first

    def _logarithm(self, argument: sympy.Expr) -> sympy.Expr:
        if self._split_logarithms:
            parts = [(factor, power) for factor, power in self._factors(argument) if factor != 1]
        else:
            parts = [(sympy.Mul(*(factor**power for factor, power in self._factors(argument))), 1)]
        total = sympy.Integer(0)
        for part, power in parts:
            if part in self._roots:
                radicand, order = self._roots[part]
                total += sympy.Rational(power, order) * self._logarithm(radicand)
                continue
            symbol = self._symbol("log", part, sign=self._sign_of(part - 1))
            self._logarithms.setdefault(symbol, part)
            total += power * symbol
        return total

    def _factors(self, expression: sympy.Expr) -> list[tuple[sympy.Expr, int]]:
        """List irreducible factors, or the primes of a number, with their exponents."""
        (quotient,) = self._quotients([expression])
        numer, denom = self._cancelled(quotient)
        powers: list[tuple[sympy.Expr, int]] = []
        for part, side in ((numer, 1), (denom, -1)):
            content, factors = part.factor_list()
            for factor, exponent in factors:
                powers.append((factor.as_expr(), side * exponent))
            number = sympy.Rational(content.numerator, content.denominator)
            if number < 0:
                powers.append((sympy.Integer(-1), 1))
            for whole, power in ((abs(number.p), 1), (number.q, -1)):
                primes = sympy.factorint(whole)
                powers += [(sympy.Integer(prime), side * power * k) for prime, k in primes.items()]
        return powers

    def _sign_of(self, read: sympy.Expr) -> Sign | None:
        return self.sign(*self._quotients([read]))

    def _sign(self, polynomial: Any) -> Sign | None:
        """Find the sign of a polynomial by the signs of its factors or their even exponents."""
        if polynomial == 0:
            return 0, False
        direct = self._sign_of_terms(polynomial)
        if direct is not None:
            return direct
        content, factors = polynomial.factor_list()
        sign, strict = (1 if content > 0 else -1), True
        for factor, exponent in factors:
            factor_sign = self._sign_of_terms(factor) or self._sign_of_logarithms(factor)
            factor_sign = factor_sign or self._sign_by_conjugate(factor)
            if factor_sign is None and exponent % 2 == 0:
                factor_sign = (1, False)
            if factor_sign is None:
                return None
            sign, strict = sign * factor_sign[0] ** exponent, strict and factor_sign[1]
        return sign, strict

    def _sign_of_logarithms(self, polynomial: Polynomial) -> Sign | None:
        """Find the sign of a sum of multiples of logarithms by that of the combined logarithm, or
        by tangents."""
        symbols = polynomial.ring.symbols
        indices = [index for index, symbol in enumerate(symbols) if symbol in self._logarithms]
        if len(indices) < 2 or any(sum(powers[i] for i in indices) != 1 for powers in polynomial):
            return None
        coefficients = {
            self._logarithms[symbols[index]]: polynomial.diff(polynomial.ring.gens[index])
            for index in indices
        }
        if all(coefficient.is_ground for coefficient in coefficients.values()):
            whole = polynomial.clear_denoms()[1].primitive()[1]
            multiples = {
                self._logarithms[symbols[powers.index(1)]]: int(multiple)
                for powers, multiple in whole.terms()
            }
            if max(map(abs, multiples.values())) > LARGEST_MULTIPLE:
                return None
            return self._sign_of(
                sympy.Mul(*(part**multiple for part, multiple in multiples.items())) - 1
            )
        return self._sign_by_tangents(coefficients)

    def _sign_by_tangents(self, coefficients: dict[sympy.Expr, Polynomial]) -> Sign | None:
        """Find the sign of a sum of multiples of logarithms by a bound on each of them.

        The bounds log(z) >= log(c) + 1 - c/z and log(z) <= log(c) + z/c - 1 are exact where all
        positive symbols are 1.
        """
        signs = [self._sign(coefficient) for coefficient in coefficients.values()]
        for side in (1, -1):
            bounds = []
            for sign, (argument, coefficient) in zip(signs, coefficients.items(), strict=True):
                at = argument.subs(dict.fromkeys(argument.free_symbols, 1))
                if sign is None or not (at.is_Rational and at > 0):
                    return None
                share = 1 - at / argument if sign[0] == side else argument / at - 1
                bounds.append(coefficient.as_expr() * (sympy.log(at) + share))
            bound_sign = definite_sign(sympy.Add(*bounds))
            if bound_sign is not None and bound_sign[0] in (0, side):
                return side, bound_sign[0] != 0 and bound_sign[1]
        return None

    def _sign_by_conjugate(self, polynomial: Polynomial) -> Sign | None:
        """Find the sign of p*r + q, where r is a square root, by that of (p*r)^2 - q^2."""
        ring = polynomial.ring
        for index, symbol in enumerate(ring.symbols):
            radicand, order = self._roots.get(symbol, (None, 0))
            if order != 2 or polynomial.degree(ring.gens[index]) != 1:
                continue
            factor = polynomial.diff(ring.gens[index])
            rest = polynomial - factor * ring.gens[index]
            inside = quotient_of(radicand, ring).numer
            if max(len(factor) ** 2 * len(inside), len(rest) ** 2) > LARGEST_CONJUGATE:
                continue
            larger = self._sign(self._reduced(factor**2 * inside - rest**2))
            if larger is None or not larger[0]:
                continue
            sign = self._sign(factor if larger[0] > 0 else rest)
            if sign is not None:
                return sign[0], larger[1] and sign[0] != 0
        return None

    def _sign_of_terms(self, polynomial: Any) -> Sign | None:
        symbols = polynomial.ring.symbols
        known = [(1, True) if symbol.is_positive else self._signs.get(symbol) for symbol in symbols]
        signs, strict = set(), False
        for powers, coefficient in polynomial.terms():
            sign, never_zero = (1 if coefficient > 0 else -1), True
            for symbol_sign, exponent in zip(known, powers, strict=True):
                if exponent and symbol_sign is None:
                    if exponent % 2:
                        return None
                    never_zero = False
                elif exponent and symbol_sign is not None:
                    sign *= symbol_sign[0] ** exponent
                    never_zero = never_zero and symbol_sign[1]
            signs.add(sign)
            strict = strict or never_zero
        return (signs.pop(), strict) if len(signs) == 1 else None
