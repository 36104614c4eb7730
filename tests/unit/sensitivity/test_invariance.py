import numpy as np
import pytest
import sympy

from known_values import INVARIANT
from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.levels import Level
from skewproof.core.metric import Metric
from skewproof.core.symbolic import FPR, TPR, rate_formula
from skewproof.metrics import METRICS
from skewproof.sensitivity.invariance import invariance

BALANCED = Level(1, 1)
LEVELS = [Level.parse(text) for text in ("1:2", "1:10", "1:100", "1:1000", "7:3")]
SENSITIVE = sorted(set(METRICS) - INVARIANT)


def matrix(u, v, level, positives=100):
    negatives = level.negatives(positives)
    return ConfusionMatrix.from_tp_fp(
        positives * u, negatives * v, positives=positives, negatives=negatives
    )


@pytest.mark.parametrize("key", sorted(INVARIANT))
def test_a_proof_gives_the_metric_as_a_function_of_the_rates(key):
    metric = METRICS[key]
    shown = invariance(metric, LEVELS[0], BALANCED, 100)
    assert shown.verdict == "same"
    assert shown.formula.free_symbols <= {TPR, FPR}
    u, v = np.random.default_rng(0).random((2, 50))
    expected = sympy.lambdify([TPR, FPR], shown.formula, "numpy")(u, v)
    for level in LEVELS:
        np.testing.assert_allclose(metric(matrix(u, v, level)), expected, rtol=1e-12)


@pytest.mark.parametrize("key", sorted(INVARIANT))
def test_scaling_a_row_of_the_matrix_changes_nothing(key):
    """Condition 1 of Mullick et al."""
    tp, fp, fn, tn, first, second = np.random.default_rng(1).uniform(0.1, 50, (6, 200))
    scaled = ConfusionMatrix(tp=first * tp, fn=first * fn, fp=second * fp, tn=second * tn)
    expected = METRICS[key](ConfusionMatrix(tp=tp, fp=fp, fn=fn, tn=tn))
    np.testing.assert_allclose(METRICS[key](scaled), expected, rtol=1e-9)


NESTED = {"mcc_f1"}
"""Roots of roots, for which SymPy takes seconds: tests/reference/sensitivity/test_proofs.py."""


@pytest.mark.parametrize("level", LEVELS[-2:], ids=str)
@pytest.mark.parametrize("key", sorted(set(SENSITIVE) - NESTED))
def test_a_counterexample_has_the_values_that_it_states(key, level):
    metric = METRICS[key]
    shown = invariance(metric, level, BALANCED, 100)
    assert shown.verdict == "differs"
    assert all(part.is_Rational and 0 < part < 1 for part in shown.point)
    u, v = map(float, shown.point)
    at_baseline, at_level = (float(metric(matrix(u, v, place))) for place in (BALANCED, level))
    assert [float(value) for value in shown.values] == pytest.approx([at_baseline, at_level])
    assert abs(at_baseline - at_level) > 1e-6
    assert all(not value.has(sympy.Float) for value in shown.values)


@pytest.mark.parametrize("key", sorted(set(SENSITIVE) - NESTED))
def test_no_function_of_the_rates_is_claimed_for_the_others(key):
    assert rate_formula(METRICS[key]) is None


def test_accuracy_by_hand():
    shown = invariance(METRICS["accuracy"], Level(1, 2), BALANCED, 100)
    assert shown.point == (sympy.Rational(1, 2), sympy.Rational(1, 4))
    assert shown.values == (sympy.Rational(5, 8), sympy.Rational(2, 3))


def test_neither_proof_nor_counterexample_is_undecided():
    def formula(c):
        """Differs, but nowhere where a counterexample is looked for."""
        difference = c.total
        for rate in (sympy.Rational(n, 20) for n in range(1, 20)):
            difference = difference * (c.tpr - rate)
        return difference

    shown = invariance(Metric("odd", "o", "odd", "", formula), Level(1, 2), BALANCED, 100)
    assert shown == ("undecided", None, None, None)
