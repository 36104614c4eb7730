"""Divisors that are always 0 by identities, by hand and by SymPy, and others by rationals."""

from random import Random

import pytest
import sympy

from skewproof.core.formulas.reader import read_steps
from skewproof.core.formulas.zero_divisors import first_zero


def zero_divisor(text):
    """Return the divisor that is found to be 0, or the text itself if it is 0."""
    steps = read_steps(text)
    found = first_zero(steps)
    if found is None:
        return None
    return text if found == len(steps) else text[slice(*steps[found].divisor)]


@pytest.mark.parametrize(
    "divisor",
    [
        "0",
        "0.0*tp",
        "fp-fp",
        "P-tp-fn",
        "0.1+0.2-0.3",
        "(tp+fp)**2-tp**2-2*tp*fp-fp**2",
        "(tp-fp)*(tp+fp)-tp**2+fp**2",
        "sqrt(tp)**2-tp",
        "sqrt(3+2*sqrt(2))-1-sqrt(2)",
        "log(tp*fp)-log(tp)-log(fp)",
        "exp(log(tp))-tp",
        "tp**0.3*tp**0.7-tp",
        "(tp-tp)**(1/16)",
        "min(tp,fp)+max(tp,fp)-tp-fp",
        "abs(-tp)-tp",
        "max(0,-tp)",
    ],
)
@pytest.mark.slow
def test_identities(divisor):
    assert zero_divisor(f"tp/({divisor})") == divisor


@pytest.mark.parametrize(
    "divisor",
    [
        "tp",
        "tp-fp",
        "min(tp,fp)-tp",
        "max(0,tp-0.999*P)",
        "max(0,fp-1000*tn)",
        "(tp/fp)**0.001",
        "min(exp(exp(fn)),fn)",
        "exp(-exp(fn))",
        "exp(-1e12)",
        "1e-12**16",
        "log(-tp)",
        "log((0.1+0.2-0.3)*tp)",
        "sqrt(-tp)",
        "(-tp)**0.5",
        "min(log(0*tp),1)",
        "exp(tp*1e-12**8)-1",
        "sqrt(3+2*sqrt(2))-1.0000000001-sqrt(2)",
    ],
)
@pytest.mark.slow
def test_what_is_not_always_0(divisor):
    assert zero_divisor(f"tp/({divisor})") is None


@pytest.mark.slow
def test_formulas_that_are_0():
    assert zero_divisor("tp*(P-tp-fn)**-1 + fp") == "P-tp-fn"
    assert zero_divisor("tp*fp-fp*tp") == "tp*fp-fp*tp"
    assert zero_divisor("tp-fp") is None
    # It differs from 0 only where accuracy is near 0.1619.
    assert zero_divisor("max(0, 1 - 1000*abs((tp + tn)/(P + N) - 0.1619))") is None


@pytest.mark.slow
def test_polynomials_less_their_expansions():
    """A random product minus its expansion by SymPy is 0, and minus another expansion it is not."""
    random = Random(0)
    for _ in range(6):
        factors = [
            "+".join(f"{random.randint(1, 9)}*{name}" for name in random.sample(NAMES, 2))
            for _ in range(3)
        ]
        product = "*".join(f"({factor})" for factor in factors)
        expanded = str(sympy.expand(sympy.sympify(product)))
        assert zero_divisor(f"1/({product} - ({expanded}))") is not None
        assert zero_divisor(f"1/({product} - ({expanded}) - 1e-9*tp)") is None


NAMES = ["tp", "fp", "fn", "tn"]


@pytest.mark.slow
def test_many_steps_take_no_longer():
    for text in ("tp/(fp-fp)" + "+exp(tp/P)" * 990, "tp/(fp-fp)" + "+tp**.3" * 1400):
        assert zero_divisor(text) == "fp-fp"
