import numpy as np
import pytest
import sympy

from skewproof.core.formulas.metrics import parse_metric
from skewproof.metrics import METRICS
from skewproof.sensitivity.proofs.orderings import (
    _linear_dependence,
    branches,
    clearest_opposite,
    crossing_pairs,
    formula_of_odds,
    have_parallel_slopes,
    ignored_odds,
    monotone_by_slopes,
    odds_of_rates,
    quotient_of_linear,
    slope_by_half_of_calls,
    slope_signs,
    without_outer_functions,
)

A, B = odds_of_rates()


def at_level(metric, negatives=100):
    metric = parse_metric(metric) if "/" in metric else METRICS[metric]
    return formula_of_odds(metric, positives=sympy.Integer(100), negatives=sympy.Integer(negatives))


def by_slopes(one, other, negatives=100):
    one, other = at_level(one, negatives), at_level(other, negatives)
    return monotone_by_slopes(one, other, slope_signs(one), slope_signs(other))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("one", "other", "negatives", "sign"),
    [
        ("f1", "gilbert_ratio", 100, 1),
        ("f1", "gilbert_ratio", 10_000, 1),
        ("mcc", "mcc_i", 100, 1),
        ("mcc", "mcc_i", 10_000, None),
        ("precision", "positive_likelihood_ratio", 10_000, 1),
        ("discriminant_power", "diagnostic_odds_ratio", 10_000, 1),
        ("true_positive_rate", "false_negative_rate", 100, -1),
        ("true_positive_rate", "true_negative_rate", 100, None),
        ("tn/N", "(tn/N)**2", 100, 1),
    ],
)
def test_monotone_by_slopes(one, other, negatives, sign):
    assert by_slopes(one, other, negatives) == sign


@pytest.mark.slow
def test_a_formula_that_rises_and_falls_is_no_proof():
    """The square of u - v has the same level lines inside, but orders otherwise."""
    youden = at_level("youden_j")
    squared = at_level("(tp/P - fp/N)**2")
    assert have_parallel_slopes(youden, squared)
    assert slope_signs(squared) is None
    assert monotone_by_slopes(youden, squared, slope_signs(youden), slope_signs(squared)) is None


@pytest.mark.parametrize("pole", [1 / (A - B), sympy.log((A - B) ** 2)], ids=str)
@pytest.mark.slow
def test_a_formula_with_a_pole_is_no_proof(pole):
    """1/(a - b) falls on either side of its pole, and jumps up there: it orders (2, 1) and (1, 2)
    as a - b does."""
    line = A - B
    assert slope_signs(line) == (1, -1)
    assert slope_signs(pole) is None
    assert monotone_by_slopes(pole, line, slope_signs(pole), slope_signs(line)) is None


def test_rates_that_a_formula_ignores():
    assert ignored_odds(at_level("true_positive_rate")) == (False, True)
    assert ignored_odds(at_level("true_negative_rate")) == (True, False)
    assert ignored_odds(at_level("accuracy")) == (False, False)
    assert ignored_odds(sympy.log(A) - sympy.log(2 * A)) == (True, True)


@pytest.mark.parametrize(("smallest", "found"), [(0.1, (0, 3)), (0.5, None)])
def test_the_clearest_pair_in_opposite_orders(smallest, found):
    """The lesser difference counts: 0.3 of classifiers 0, 3, but 0.2 of 1, 3; 2 is undefined."""
    one, other = np.array([0.0, 0.1, np.nan, 0.4]), np.array([0.3, 0.2, 9.0, 0.0])
    differences = [np.subtract.outer(values, values) for values in (one, other)]
    assert clearest_opposite(*differences, smallest=smallest) == found


def values_of(formula):
    u, v = np.random.default_rng(1).random((2, 50))
    return sympy.lambdify((A, B), formula)(u / (1 - u), v / (1 - v))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("one", "other", "sign"),
    [
        (1 / (1 + (A - B) ** 2), (A - B) ** 2, -1),
        (sympy.sqrt((A - B) ** 2 / (1 + (A - B) ** 2)), (A - B) ** 2, 1),
        ((A - B) ** 2, sympy.Abs(A - B) / 3, 1),
        (A - B, (A - B) ** 2, None),
        ((A - B) ** 3, A - B, None),
        (1 / (A - B), A - B, None),
    ],
    ids=str,
)
def test_quotients_of_linear_functions(one, other, sign):
    found = quotient_of_linear(one, other, values_of(one), values_of(other))
    assert (found and found.sign) == sign


def test_the_quotient_is_the_one_that_it_says():
    one, other = (2 * A + 3) / (A + 5), A
    found = quotient_of_linear(one, other, values_of(one), values_of(other))
    f, g = values_of(one), values_of(other)
    text = found.proof.partition(" = ")[2].replace(" g", "*g")
    np.testing.assert_allclose(f, sympy.lambdify("g", text)(g))


def test_a_quotient_is_found_where_exactly_one_dependence_is_left():
    """A constant has many, and independent values have none."""
    x = np.linspace(0.1, 2, 30)
    a, b, c, d = _linear_dependence((2 * x + 1) / (x + 3), x)
    assert [a / c, b / c, d / c] == [2, 1, 3]
    assert _linear_dependence(np.full(30, 0.5), x) is None
    assert _linear_dependence(np.sqrt(x), x) is None


@pytest.mark.parametrize(
    ("formula", "inside", "sign"),
    [
        (2 * sympy.asin(sympy.sqrt(1 - A / (A + B))) / sympy.pi, A / (A + B), -1),
        (1 - 2 / ((A / B) ** (sympy.pi / 4) + 1), A / B, 1),
        (sympy.cos(sympy.pi * A / (A + B)), A / (A + B), -1),
        (sympy.cos(2 * sympy.pi * A / (A + B)), sympy.cos(2 * sympy.pi * A / (A + B)), 1),
        (3 - sympy.exp(-sympy.erf(A - B)), A - B, 1),
        ((1 + A / B) ** -2, A / B, -1),
        ((-1 - A / B) ** -2, A / B, -1),
        ((A - B) ** 3, A - B, 1),
        ((A - B) ** 2, (A - B) ** 2, 1),
        (1 / (A - B), 1 / (A - B), 1),
        (sympy.log(A) * B, sympy.log(A) * B, 1),
    ],
    ids=str,
)
@pytest.mark.slow
def test_outer_functions_are_taken_off_where_they_are_monotone(formula, inside, sign):
    found, direction = without_outer_functions(formula)
    further = [(found, direction), (1 / found, -direction)]
    assert (inside, sign) in further
    places = np.random.default_rng(0).uniform(0.1, 3, (2, 40))
    whole, part = (sympy.lambdify((A, B), one, "scipy")(*places) for one in (formula, found))
    up = np.sign(np.subtract.outer(whole, whole)) * np.sign(np.subtract.outer(part, part))
    assert set(np.unique(up[~np.eye(40, dtype=bool)])) == {direction}


@pytest.mark.slow
def test_cases_are_known_by_formulas_that_change_sign_where_they_meet():
    gain = (A - B) / (1 + A)
    signed = sympy.Piecewise((gain, A - B > 0), (gain / (1 + B), True))
    assert branches(signed) == [gain, gain / (1 + B)]
    assert branches(gain) == [gain]
    rooted = sympy.Piecewise(
        (sympy.sqrt(abs(A - B)), A - B > 0), (-2 * sympy.sqrt(abs(A - B)), True)
    )
    assert [sympy.expand(one) for one in branches(rooted)] == [A - B, 4 * A - 4 * B]
    assert branches(sympy.Piecewise((A, A - B > 0), (A + 0 * B, True))) == [A]
    apart = sympy.Piecewise((gain + 1, A - B > 0), (gain, True))
    assert branches(apart) is None
    turned = sympy.Piecewise((-sympy.sqrt(abs(A - B)), A - B > 0), (sympy.sqrt(abs(A - B)), True))
    assert branches(turned) is None


@pytest.mark.slow
def test_a_function_of_the_calls_alone_is_known_by_its_slope_up_to_half():
    calls = A / (1 + A) + B / (1 + B)
    share = calls / 2
    entropy = -share * sympy.log(share) - (1 - share) * sympy.log(1 - share)
    assert slope_by_half_of_calls(entropy, calls) == 1
    assert slope_by_half_of_calls((2 * share - 1) ** 2, calls) == -1
    assert slope_by_half_of_calls(sympy.Min(share, 1 - share), calls) == 1
    assert slope_by_half_of_calls(share, calls) is None
    assert slope_by_half_of_calls((A / (1 + A)) ** 2, calls) is None


def test_slopes_that_cross_give_pairs_in_opposite_orders():
    """The functions are x + y and x + 1.001 y."""
    logits = np.array([[0.0, 0.5], [1.0, -1.0]])
    slopes, others = np.ones((2, 2)), np.array([[1.0, 1.001]] * 2)
    pairs = list(crossing_pairs(logits, slopes, others))
    assert pairs
    for better, worse in pairs:
        x, y = (
            np.log(float(one / (1 - one))) - np.log(float(other / (1 - other)))
            for one, other in zip(better, worse, strict=True)
        )
        assert (x + y) * (x + 1.001 * y) < 0
    assert list(crossing_pairs(logits, slopes, 2 * slopes)) == []
