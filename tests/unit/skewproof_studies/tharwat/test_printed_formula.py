"""AGM is 0 without hits (Eq. 16), and every printed form of it says so."""

import pytest
import sympy

from skewproof.audits.auditing import audit
from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.formulas.symbolic import describe, formula, rate_formula
from skewproof.metrics.composite import adjusted_g_mean


@pytest.mark.slow
def test_description_and_card_say_it_and_proofs_have_one_case():
    text = describe(adjusted_g_mean)
    assert "Formula: Piecewise((0, Eq(t_p/(f_n + t_p), 0)), ((sqrt(t_n)" in text
    card = audit(adjusted_g_mean)
    for latex in (card.latex, card.normalized_latex):
        assert latex.startswith(r"\begin{cases} 0 & \text{for}\:")
    assert not formula(adjusted_g_mean).has(sympy.Piecewise)
    assert rate_formula(adjusted_g_mean) is None


def test_exact_values_have_the_case():
    quarter = sympy.Rational(1, 4)
    none, some = (
        ConfusionMatrix.from_rates(hits * quarter, quarter, positives=4, negatives=4)
        for hits in (0, 3)
    )
    assert adjusted_g_mean(none) == 0
    assert adjusted_g_mean(some) == sympy.Rational(3, 4)
