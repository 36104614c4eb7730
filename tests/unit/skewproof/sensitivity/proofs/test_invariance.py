import itertools
from fractions import Fraction

import numpy as np
import pytest
import sympy
from made_metrics import made

from known_values import INVARIANT
from skewproof.core.algebra import sqrt
from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.formulas.metrics import parse_metric
from skewproof.core.formulas.symbolic import rate_formula, rate_symbols
from skewproof.core.levels import Level
from skewproof.metrics import METRICS
from skewproof.metrics.atlas import ATLAS
from skewproof.sensitivity.proofs.invariance import (
    RATES,
    _counterexample,
    invariance,
    prevalence_matters,
)

TPR, FPR = rate_symbols()

BALANCED = Level(1, 1)
LEVELS = [Level.parse(text) for text in ("1:2", "1:10", "1:100", "1:1000", "7:3")]
SENSITIVE = sorted(set(METRICS) - INVARIANT)


def matrix(u, v, level, positives=100):
    negatives = level.negatives(positives)
    return ConfusionMatrix.from_tp_fp(
        positives * u, negatives * v, positives=positives, negatives=negatives
    )


@pytest.mark.parametrize(
    ("key", "lines"),
    [
        ("f1_i", ["verdict: same", "proof: 2*u/(u + v + 1), where u = tp/P and v = fp/N"]),
        (
            "f1",
            [
                "verdict: differs",
                "counterexample: 1/2 at the baseline and 2/13 at the level, where tp/P = 1/2 and",
                "  fp/N = 1/2",
            ],
        ),
    ],
)
def test_the_repr_has_the_verdict_and_its_reason(key, lines):
    found = invariance(METRICS[key], Level(1, 10), BALANCED, 100)
    assert repr(found).splitlines() == ["Invariance to the class sizes", *lines]


@pytest.mark.parametrize("key", sorted(INVARIANT))
@pytest.mark.slow
def test_a_proof_gives_the_metric_as_a_function_of_the_rates(key):
    metric = METRICS[key]
    shown = invariance(metric, LEVELS[0], BALANCED, 100)
    assert shown.verdict == "same"
    assert shown.formula.free_symbols <= {TPR, FPR}
    u, v = np.random.default_rng(0).random((2, 50))
    expected = sympy.lambdify([TPR, FPR], shown.formula, "numpy")(u, v)
    for level in LEVELS:
        np.testing.assert_allclose(metric(matrix(u, v, level)), expected, rtol=1e-12)


NESTED = {"mcc_f1"}
"""Roots of roots, for which SymPy takes seconds: tests/reference/sensitivity/test_proofs.py."""


@pytest.mark.parametrize("key", sorted(set(SENSITIVE) - NESTED))
@pytest.mark.slow
def test_a_counterexample_has_the_values_that_it_states(key):
    metric, level = METRICS[key], LEVELS[-2]
    shown = invariance(metric, level, BALANCED, 100)
    assert shown.verdict == "differs"
    assert all(part.is_Rational and 0 < part < 1 for part in shown.point)
    u, v = map(float, shown.point)
    at_baseline, at_level = (float(metric(matrix(u, v, place))) for place in (BALANCED, level))
    assert [float(value) for value in shown.values] == pytest.approx([at_baseline, at_level])
    assert abs(at_baseline - at_level) > 1e-6
    assert all(not value.has(sympy.Float) for value in shown.values)


def test_values_at_random_rates_say_what_is_proved_above():
    assert {key for key in METRICS if not prevalence_matters(METRICS[key])} == INVARIANT


ZERO = "(sqrt(3 + 2*sqrt(2)) - 1 - sqrt(2))"
"""0, since (1 + sqrt(2))² = 3 + 2 sqrt(2), which SymPy does not recognize."""


@pytest.mark.parametrize(
    "text",
    [
        f"tp/P + 1e12*1e12*{ZERO}*tn",
        f"tp/P + exp(60)*{ZERO}*(tp + fp)",
        "tp/P + 1e12*(log(6*N) - log(2*N) - log(3))*tn",
    ],
)
@pytest.mark.slow
def test_zero_times_a_large_number_is_no_counterexample(text):
    """Each is tp/P. The rounding error of the zero is large and changes with N."""
    assert invariance(parse_metric(text), Level(1, 10), BALANCED, 100).verdict != "differs"


@pytest.mark.parametrize(
    "text",
    [
        "max(tp/(tp + fp) - 0.96, 0)",
        "max((tp + tn)/(P + N) - 0.999, 0) + tn/N",
        "max(0, 1 - 1000*abs((tp + tn)/(P + N) - 0.1619))",
        "max(tp/(tp + fp) - 0.99, 0)*N",
        "*".join(
            ["fp"]
            + [f"(fp/N - {n}/20)" for n in range(1, 20, 2)]
            + ["(4*fp/N - 1)*(2*fp/N - 1)*(4*fp/N - 3)*(5*fp/N - 1)*(5*fp/N - 4)"]
        ),
        "max(fp - N + 1, 0)",
    ],
)
@pytest.mark.slow
def test_differences_far_from_simple_rates_are_found(text):
    """None of them differs where the first 25 points are, or only by chance."""
    shown = invariance(parse_metric(text), Level(1, 10), Level(1, 2), 100)
    assert shown.verdict == "differs"


@pytest.mark.parametrize(
    ("text", "formula"),
    [
        ("min(tp*N, tn*P)/(P*N)", sympy.Min(TPR, 1 - FPR)),
        ("max(tp*N, fp*P)/(P*N)", sympy.Max(TPR, FPR)),
        ("max(tp*(P + N), fn*(P + N))/(P*(P + N))", sympy.Max(TPR, 1 - TPR)),
        ("max(0, tp*N - fp*P)/(P*N)", sympy.Max(0, TPR - FPR)),
        ("max(min(tp*N, tn*P), fn*N)/(P*N)", sympy.Max(1 - TPR, sympy.Min(TPR, 1 - FPR))),
        ("min(tp**2/(P*P*N), fp/(N*N))*N", sympy.Min(TPR**2, FPR)),
    ],
)
@pytest.mark.slow
def test_a_positive_factor_leaves_minimum_and_maximum(text, formula):
    shown = invariance(parse_metric(text), Level(1, 10), BALANCED, 100)
    assert shown.verdict == "same"
    assert sympy.simplify(shown.formula - formula) == 0


@pytest.mark.slow
def test_a_minimum_of_counts_is_no_function_of_the_rates():
    assert rate_formula(parse_metric("min(tp, tn)/(P + N)")) is None
    assert rate_formula(parse_metric("min(tp*N, 1)/(P*N)")) is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("tp*(P - tp)", lambda u, v: 100 * u * (100 - 100 * u)),
        ("min(tp, 50)/50", lambda u, v: min(100 * u, 50) / Fraction(50)),
        ("tp + fp/N", lambda u, v: 100 * u + v),
    ],
)
@pytest.mark.slow
def test_what_the_negatives_alone_leave_as_it_is_is_the_same_for_as_many_positives(text, expected):
    shown = invariance(parse_metric(text), Level(1, 10), BALANCED, 100)
    assert shown.verdict == "same"
    assert shown.needs_equal_positives
    for u, v in itertools.product((Fraction(1, 7), Fraction(2, 3), Fraction(1)), repeat=2):
        names = {"u": sympy.Rational(u), "v": sympy.Rational(v), "P": 100}
        numbers = {one: names[one.name] for one in shown.formula.free_symbols}
        assert shown.formula.subs(numbers) == sympy.Rational(expected(u, v))
    assert not invariance(METRICS["f1_i"], Level(1, 10), BALANCED, 100).needs_equal_positives


@pytest.mark.slow
def test_where_it_is_not_real_a_metric_has_no_counterexample():
    """The root of a negative number is undefined in floats, and there is no other difference."""
    metric = made(lambda c: sqrt(-1 - c.tpr) + c.total)
    assert invariance(metric, Level(1, 2), BALANCED, 100).verdict == "undecided"


@pytest.mark.slow
def test_rounded_numbers_are_no_counterexample():
    metric = made(lambda c: c.tpr + 1e20 * (0.1 * c.total + 0.2 * c.total))
    assert invariance(metric, Level(1, 2), BALANCED, 100).verdict == "undecided"


def test_a_metric_that_changes_only_where_nothing_is_missed():
    """It is -1 if a positive is missed, and else the number of correct rejections, N at fp = 0."""
    shown = invariance(ATLAS["naish_o"], Level(1, 10), BALANCED, 100)
    assert (shown.verdict, shown.point, shown.values) == ("differs", (1, 0), (100, 1000))


@pytest.mark.slow
def test_neither_proof_nor_counterexample_is_undecided():
    """It is 0.6 at both levels, and not at others: with P above 1.5 N it exceeds 0.6."""
    shown = invariance(parse_metric("max(tp/(P + N), 0.6)"), Level(1, 2), BALANCED, 100)
    assert shown == ("undecided", None, None, None)


def test_a_fraction_and_an_equal_number_with_roots_are_no_counterexample():
    """√(3 + 2√2) - √2 is 1, which SymPy does not recognize at once."""
    one = sympy.sqrt(3 + 2 * sympy.sqrt(2)) - sympy.sqrt(2)
    assert _counterexample([RATES[:2]], lambda u, v, size: (one, sympy.Integer(1)), 100) is None


@pytest.mark.slow
def test_a_small_difference_beside_large_values_is_found():
    """Values are largest at u = 1; the two levels differ on a thin strip elsewhere."""
    strip = "max(0, 1 - 1000*abs((tp + tn)/(P + N) - 0.1237))"
    found = invariance(parse_metric(f"50*tp/P - {strip}"), Level(1, 10), Level(1, 1), 100)
    assert found.verdict == "differs"


@pytest.mark.slow
def test_exponentials_beyond_all_computers_are_undecided():
    metric = parse_metric("min(exp(exp(exp(fp))), fp)")
    assert invariance(metric, Level(1, 2), BALANCED, 100).verdict == "undecided"


@pytest.mark.parametrize(
    ("formula", "verdict"),
    [
        (lambda c: np.fmin(c.tpr, c.tnr), "undecided"),
        (lambda c: np.where(c.tpr > c.tnr, c.tpr, c.tnr), "undecided"),
        (lambda c: np.sqrt(c.tp / c.total), "undecided"),
        (lambda c: np.asarray(c.tp, dtype=float) / c.total, "undecided"),
        (lambda c: np.minimum(c.tp, c.tn) / c.total, "differs"),
        (lambda c: np.where(c.total > 0, c.tp / c.total, 0), "differs"),
        (lambda c: np.maximum(25 * c.tp / (c.tp + c.fp) - 24, 0), "differs"),
    ],
)
@pytest.mark.slow
def test_a_function_that_fails_on_symbols_has_no_proof_and_may_have_a_counterexample(
    formula, verdict
):
    """The last does not differ at the simple rates, where precision is below 24/25."""
    metric = made(formula)
    shown = invariance(metric, Level(1, 10), BALANCED, 100)
    assert (shown.verdict, shown.formula) == (verdict, None)
    if verdict == "differs":
        u, v = map(float, shown.point)
        expected = [float(formula(matrix(u, v, place))) for place in (BALANCED, Level(1, 10))]
        assert [float(value) for value in shown.values] == pytest.approx(expected)
        assert expected[0] != expected[1]
