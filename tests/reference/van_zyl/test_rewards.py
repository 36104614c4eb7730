"""Robust metrics that reward a worse classifier, by their formulas in the two rates."""

import numpy as np
import pytest
import sympy
from scipy.integrate import quad

from skewproof.core.confusion import ConfusionMatrix
from skewproof.metrics import METRICS

U, W = sympy.symbols("u w", positive=True)
"""True positive and true negative rate."""

V = 1 - W

FORMULAS = {
    "balanced_accuracy": (U + W) / 2,
    "cohen_kappa_i": U - V,
    "g_mean": sympy.sqrt(U * W),
    "iba": U * W * (U + V),
    "gilbert_ratio_i": U / (1 + V),
    "f1_i": 2 * U / (U + 1 + V),
    "laplace_i": 3 * (U + 1) / (U + V + 2) - 1,
    "mcc_i": (U - V) / sympy.sqrt((U + V) * (2 - U - V)),
    "optimized_precision_i": (U + W) / 2 - sympy.Abs(U - W) / (U + W),
    "sensitivity_specificity_harmonic_mean": 2 * U * W / (U + W),
    "sensitivity_specificity_root_mean": sympy.sqrt((U + W) / 2),
}
"""All but MCC-F_i, the distance of the two below from (1, 1)."""

SCALED_MCC = (FORMULAS["mcc_i"] + 1) / 2
FORMULAS["mcc_f1_i"] = 1 - sympy.sqrt(((FORMULAS["f1_i"] - 1) ** 2 + (SCALED_MCC - 1) ** 2) / 2)

REWARDING = {"iba", "optimized_precision_i"}

RATES = np.random.default_rng(1).random((2, 20_000))


def slopes(key):
    """Compute slopes in both rates at random classifiers."""
    return [
        sympy.lambdify((U, W), sympy.diff(FORMULAS[key], rate), "numpy")(*RATES) for rate in (U, W)
    ]


@pytest.mark.parametrize("key", FORMULAS)
def test_formulas_are_those_of_the_declarations(key):
    u, w = RATES
    found = METRICS[key](ConfusionMatrix.from_rates(u, 1 - w, positives=100, negatives=7000))
    expected = sympy.lambdify((U, W), FORMULAS[key], "numpy")(u, w)
    np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("key", sorted(set(FORMULAS) - REWARDING))
def test_ten_metrics_rise_with_both_rates(key):
    assert all(np.all(slope > 0) for slope in slopes(key))


def test_iba_rises_with_false_alarms_on_a_quarter_of_the_square():
    u, v = U, sympy.Symbol("v", positive=True)
    slope = sympy.diff(FORMULAS["iba"].subs(W, 1 - v), v)
    assert sympy.expand(slope - u * (1 - u - 2 * v)) == 0
    assert sympy.integrate(1 - 2 * v, (v, 0, sympy.Rational(1, 2))) == sympy.Rational(1, 4)
    in_tpr, in_tnr = slopes("iba")
    assert (in_tpr > 0).all()
    below = RATES[0] + 2 * (1 - RATES[1]) < 1
    np.testing.assert_array_equal(in_tnr < 0, below)


def test_optimized_precision_of_rates_falls_on_a_third_of_the_square_in_each_rate():
    u, w = RATES
    in_tpr, in_tnr = slopes("optimized_precision_i")
    np.testing.assert_array_equal(in_tpr < 0, (w < u) & (u < 2 * np.sqrt(w) - w))
    np.testing.assert_array_equal(in_tnr < 0, (u < w) & (w < 2 * np.sqrt(u) - u))
    area, _ = quad(lambda tnr: 2 * np.sqrt(tnr) - tnr - tnr, 0, 1)
    assert area == pytest.approx(1 / 3, abs=1e-9)


def test_slopes_of_mcc_have_the_sign_that_is_said():
    sign = U * (1 - V) + V * (3 - U - 2 * V)
    slope = sympy.diff(FORMULAS["mcc_i"], U)
    positive = ((U + V) * (2 - U - V)) ** sympy.Rational(3, 2)
    assert sympy.simplify(slope * positive - sign) == 0
