import itertools

import pytest
import sympy
from sympy import Abs, Max, Min, Rational, cos, log, pi, sqrt, symbols

from skewproof.sensitivity.proofs import identities
from skewproof.sensitivity.proofs.identities import Algebra, definite_sign, is_regular, vanishes

A, B, C, D = CELLS = symbols("a b c d", positive=True)
MCC = (A * D - B * C) / sqrt((A + B) * (A + C) * (D + B) * (D + C))
CHI_SQUARED = (A + B + C + D) * MCC**2

ZERO = [
    sqrt(A**2 + 2 * A * B + B**2) - A - B,
    MCC**2 - CHI_SQUARED / (A + B + C + D),
    sqrt(A / (A + B) * C / (C + D)) - sqrt(A * C) / sqrt((A + B) * (C + D)),
    Min(A, B) - (A + B - Abs(A - B)) / 2,
    Max(A / (A + B), B / (A + B)) + Min(A, B) / (A + B) - 1,
    Max(A, B, C) + Min(-A, -B, -C),
    log(A / B) / log(4) - log(B / A) / log(Rational(1, 4)),
    log(A / B) / log(2) - 2 * log(A / B) / log(4),
    sqrt(6 * A) - sqrt(2) * sqrt(3 * A),
    Abs(A - B) - sqrt((B - A) ** 2),
    sqrt(3) * log(A) / pi - log(A**3) / (pi * sqrt(3)),
    log(A / sqrt(A * B)) - log(A / B) / 2,
    sympy.erf(A / (A + B)) - sympy.erf((A**2 - A * B) / (A**2 - B**2)),
    Max(A * log(2 * A / (A + B)), -B * log(2 * B / (A + B))) - A * log(2 * A / (A + B)),
]


@pytest.mark.parametrize("expression", ZERO, ids=str)
@pytest.mark.slow
def test_formulas_that_are_zero_vanish_and_do_not_when_changed(expression):
    assert vanishes(expression)
    assert not vanishes(expression + A / 10**6)


@pytest.mark.parametrize(
    "expression", [Abs(A - B) - A + B, sqrt((A - B) ** 2) - B + A, log(A + B) - log(A), A - B]
)
def test_formulas_that_are_zero_somewhere_do_not_vanish(expression):
    assert not vanishes(expression)


def test_what_is_no_arithmetic_is_not_shown():
    assert not vanishes(cos(A) - cos(A) * 1 + cos(2 * A) - 2 * cos(A) ** 2 + 1)
    assert definite_sign(cos(A) - 2) is None


@pytest.mark.slow
def test_what_takes_too_long_is_not_shown(monkeypatch):
    expression = (A + B + C) ** 9 - sympy.expand((A + B + C) ** 9)
    assert vanishes(expression)
    monkeypatch.setattr(identities, "LARGEST_PRODUCT", 5)
    assert not vanishes(expression)
    monkeypatch.setattr(identities, "LARGEST_FORMULA", 5)
    assert not vanishes(ZERO[0])


@pytest.mark.parametrize(
    ("expression", "sign"),
    [
        (-A / (1 + B), (-1, True)),
        ((A - B) ** 2, (1, False)),
        (A - B, None),
        (A * 0, (0, False)),
        (CHI_SQUARED, (1, False)),
        (log(A / (1 + A)), (-1, True)),
        (log(1 + A) / log(Rational(1, 2)), (-1, True)),
        (sqrt(A) + Abs(A - B), (1, True)),
        (Abs(A - B) - B, None),
        ((A**2 - B**2) / (A - B), (1, True)),
        (2 * sqrt(1 + A**2 + A * B + B**2) - A - B, (1, True)),
        (A - sqrt(A**2 + B), (-1, True)),
        (A - sqrt(A**2 - B), (1, True)),
        (A + B - sqrt((A - B) ** 2), (1, True)),
        (log(A / (1 + A)) + log((1 + A) / (2 + A)), (-1, True)),
        (log(1 + A) - log(1 + B), None),
        (log(1 + A) - 100 * log(2 + A), None),
        (A * log(2 * A / (A + B)) + B * log(2 * B / (A + B)), (1, False)),
        (A * log(3 * A / (A + B)) + B * log(2 * B / (A + B)), (1, True)),
        (A * log(2 * A / (A + B)) + B * log(B / (A + B)), None),
        (Abs((A - B) ** 2) - (A - B) ** 2, (0, False)),
        (sympy.erf(A) + sympy.erfinv(B / (1 + B)), (1, True)),
        (sympy.diff(MCC, A), (1, True)),
        (sympy.diff(MCC, B), (-1, True)),
    ],
)
@pytest.mark.slow
def test_signs(expression, sign):
    assert definite_sign(expression) == sign


@pytest.mark.parametrize(
    ("expression", "regular"),
    [
        (MCC, True),
        (1 / (A - B), False),
        (sqrt(A - B), False),
        (log(A - B), False),
        (log(1 + A) ** -1, True),
        ((A - B) ** 2 / (A + B), True),
        (1 / (-1 - A), True),
        (sqrt(-1 - A), False),
        ((1 + A) ** (pi / 4), False),
        (sympy.erfinv((A - 1) / (A + 1)), True),
        (sympy.erfinv(A - 1), False),
        (sympy.loggamma(A), False),
        (sympy.Piecewise((A, A > B), (B, True)), False),
    ],
)
@pytest.mark.slow
def test_formulas_that_are_real_everywhere(expression, regular):
    assert is_regular(expression) == regular


@pytest.mark.slow
def test_derivatives_are_those_of_sympy():
    algebra = Algebra()
    formulas = [MCC, log(A / (A + B)) / log(B / (B + 2)), sqrt(A + sqrt(B)), Abs(A - B) * A]
    (*quotients,) = algebra.quotients(formulas)
    for (formula, quotient), by in itertools.product(zip(formulas, quotients, strict=True), (A, B)):
        slope = algebra.derivative(quotient, by)
        expected = sympy.diff(formula, by)
        place = {A: Rational(3, 2), B: 5, C: 2, D: 7}
        found = slope.numer.as_expr() / slope.denom.as_expr()
        while found.free_symbols - set(CELLS):
            found = found.subs(_meanings(algebra))
        assert abs((found - expected).subs(place).evalf()) < 1e-12


def _meanings(algebra):
    roots = {key: radicand ** Rational(1, n) for key, (radicand, n) in algebra._roots.items()}
    return roots | {key: log(inner) for key, inner in algebra._logarithms.items()}
