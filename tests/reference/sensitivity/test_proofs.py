"""Proofs and counterexamples for formulas with roots of roots, for which SymPy takes seconds."""

import pytest

from skewproof.core.formulas.symbolic import rate_formula
from skewproof.core.levels import DEFAULT_LEVELS
from skewproof.metrics import METRICS
from skewproof.sensitivity.proofs.invariance import invariance


def test_no_function_of_the_rates_is_claimed_for_mcc_f1():
    assert rate_formula(METRICS["mcc_f1"]) is None


@pytest.mark.parametrize("level", DEFAULT_LEVELS[1:], ids=str)
def test_mcc_f1_differs(level):
    shown = invariance(METRICS["mcc_f1"], level, DEFAULT_LEVELS[0], 100)
    assert shown.verdict == "differs"
    first, second = map(float, shown.values)
    assert abs(first - second) > 1e-6
