"""The printed formula of every metric is the function without hits; this takes some seconds."""

import numpy as np
import pytest
import sympy

from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.formulas.symbolic import matrix_of_rates, printed_formula
from skewproof.metrics import METRICS

SYMBOLS = {"t_p": 0, "f_p": 4, "f_n": 3, "t_n": 20}


@pytest.mark.parametrize("key", sorted(METRICS))
def test_a_printed_formula_is_the_function_without_hits(key):
    value = float(METRICS[key](ConfusionMatrix(tp=0, fp=4, fn=3, tn=20)))
    printed = sympy.sympify(printed_formula(METRICS[key]))
    found = printed.subs({symbol: SYMBOLS[symbol.name] for symbol in printed.free_symbols})
    if np.isfinite(value):
        assert float(found) == pytest.approx(value, abs=1e-15)
    else:
        assert not found.is_finite


def test_only_agm_has_a_case_of_its_own():
    cases = [key for key in METRICS if printed_formula(METRICS[key]).has(sympy.Piecewise)]
    assert cases == ["adjusted_g_mean"]
    assert METRICS["adjusted_g_mean"](matrix_of_rates()).has(sympy.Piecewise)
