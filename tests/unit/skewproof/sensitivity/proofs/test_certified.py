"""Signs compared with mpmath's, and numbers that must not be certified."""

import math

import mpmath
import numpy as np
import pytest
import sympy
from sympy import Max, Min, Rational, exp, log, pi, sqrt

from skewproof.sensitivity.proofs.certified import (
    certified_interval,
    certified_sign,
    is_certified_real,
)

ROOT = sqrt(2)
NEAR = Rational(math.isqrt(2 * 10**120), 10**60)


@pytest.mark.parametrize(
    ("expression", "sign"),
    [
        (Rational(1, 3) - Rational(1, 3), 0),
        (Rational(-1, 10**40), -1),
        (ROOT - NEAR, 1),
        (NEAR - ROOT, -1),
        (10**50 * (NEAR - ROOT), -1),
        (Max(log(5), exp(Rational(1, 2))) - pi, -1),
        ((ROOT - 2) ** -3, -1),
        (sympy.E - Rational(271828, 100000), 1),
        (sympy.tanh(log(3)) - Rational(799999, 1000000), 1),
        (sympy.tanh(-pi) + Rational(99627, 100000), -1),
    ],
)
@pytest.mark.slow
def test_signs(expression, sign):
    assert certified_sign(expression) == sign
    assert is_certified_real(expression)


@pytest.mark.parametrize(
    "expression",
    [
        10**100 * (sqrt(3 + 2 * ROOT) - 1 - ROOT),
        log(6) - log(2) - log(3),
        1 / (log(6) - log(2) - log(3)),
        ROOT - Rational(math.isqrt(2 * 10**1000), 10**500),
        sympy.Float("0.5") + ROOT,
    ],
)
def test_what_is_not_told_from_zero_has_no_sign(expression):
    assert certified_sign(expression) is None


@pytest.mark.parametrize(
    "expression",
    [sympy.I, sympy.nan, sympy.oo, sympy.zoo, sqrt(1 - ROOT), sympy.Float("0.1"), log(1 - ROOT)],
)
@pytest.mark.slow
def test_what_is_not_real_has_no_sign(expression):
    assert certified_sign(expression) is None
    assert not is_certified_real(expression)


@pytest.mark.slow
def test_random_numbers_have_mpmath_s_sign():
    random = np.random.default_rng(0)
    mpmath.mp.dps = 60
    signs = set()
    for _ in range(60):
        p, q, r, s = (Rational(*map(int, pair)) for pair in random.integers(1, 50, (4, 2)))
        expression = sqrt(p) * log(1 + q) - exp(-r) * Min(sqrt(s), 1 + q) - p * abs(ROOT - s)
        u, v, w, x = (mpmath.mpf(int(y.p)) / int(y.q) for y in (p, q, r, s))
        value = mpmath.sqrt(u) * mpmath.log(1 + v) - u * abs(mpmath.sqrt(2) - x)
        value -= mpmath.exp(-w) * min(mpmath.sqrt(x), 1 + v)
        assert certified_sign(expression) == mpmath.sign(value)
        signs.add(certified_sign(expression))
    assert signs == {-1, 1}


@pytest.mark.parametrize(
    "expression",
    [
        exp(exp(Rational(50)), evaluate=False) - 1,
        exp(exp(exp(Rational(50)), evaluate=False), evaluate=False),
        sympy.Pow(Rational(3, 2), 10**300, evaluate=False),
        sympy.Pow(Rational(3, 2), Rational(10**300, 7), evaluate=False),
    ],
    ids=["exp(exp(50))", "exp(exp(exp(50)))", "power", "root"],
)
def test_numbers_with_more_digits_than_there_is_time_for_have_no_sign(expression):
    assert certified_sign(expression) is None
    assert not is_certified_real(expression)


def test_intervals_hold_their_numbers():
    for number in (ROOT, -ROOT / 3, Rational(1, 3), log(5) - pi, Rational(10**30 + 1, 7)):
        low, high = certified_interval(number)
        assert Rational(low) < number < Rational(high)
        assert high - low <= 4 * math.ulp(high)
    assert certified_interval(sqrt(1 - ROOT)) is None
    assert certified_interval(sympy.Float("0.1")) is None


FUNCTIONS = {
    "asin": (sympy.asin, mpmath.asin, -1, 1),
    "cos": (sympy.cos, mpmath.cos, -9, 9),
    "erf": (sympy.erf, mpmath.erf, -6, 6),
    "erfinv": (sympy.erfinv, mpmath.erfinv, -1, 1),
    "loggamma": (sympy.loggamma, mpmath.loggamma, 0, 50),
    "power": (lambda x: x ** (pi / 4), lambda x: x ** (mpmath.pi / 4), 0, 50),
}


@pytest.mark.slow
@pytest.mark.parametrize("key", FUNCTIONS)
def test_intervals_hold_mpmath_s_values_of_functions(key):
    function, expected, low, high = FUNCTIONS[key]
    random = np.random.default_rng(1)
    with mpmath.workdps(60):
        for part in random.integers(1, 1000, 12):
            number = low + (high - low) * Rational(int(part), 1000)
            if number == 0:
                continue
            value = expected(mpmath.mpf(int(number.p)) / int(number.q))
            found = certified_interval(function(number))
            assert found[0] <= value <= found[1]
            assert found[1] - found[0] <= 4 * math.ulp(float(abs(value)))
            near = Rational(mpmath.nstr(value, 40))
            for side in (1, -1):
                shifted = near + side * abs(near) / 10**35
                assert certified_sign(function(number) - shifted) == -side


@pytest.mark.parametrize(
    "expression",
    [
        sympy.asin(1 - Rational(1, 10**900)),
        sympy.erf(10**6 * ROOT),
        sympy.erfinv(ROOT),
        sympy.loggamma(-ROOT),
        sympy.gamma(ROOT),
    ],
    ids=str,
)
@pytest.mark.slow
def test_functions_outside_what_is_enclosed_have_no_sign(expression):
    assert certified_sign(expression) is None
    assert not is_certified_real(expression)


@pytest.mark.slow
def test_the_normal_quantile_is_the_root_of_the_normal_distribution():
    """The digits of the complementary error function do not cancel."""
    quantile = ROOT * sympy.erfinv(2 * Rational(999_999, 10**6) - 1)
    low, high = certified_interval(quantile)
    with mpmath.workdps(40):
        tail = [mpmath.erfc(mpmath.mpf(end) / mpmath.sqrt(2)) / 2 for end in (low, high)]
        assert tail[1] < mpmath.mpf(1) / 10**6 < tail[0]
