"""Families of measures, compared with their definitions, and members with their families."""

from fractions import Fraction

import numpy as np
import pytest
import sympy

from skewproof.core.confusion import ConfusionMatrix, matrix_of
from skewproof.core.formulas.symbolic import matrix_in_paper_notation
from skewproof.metrics.atlas import ATLAS
from skewproof.metrics.precision_recall import f_beta
from skewproof_studies.atlas.families import FAMILIES, net_benefit_at, tversky

TP, FP, FN, TN = 9, 4, 3, 20
MATRIX = ConfusionMatrix(tp=TP, fp=FP, fn=FN, tn=TN)

PRECISION, RECALL = Fraction(9, 13), Fraction(9, 12)

DEFINITIONS = {
    "F-measure": lambda beta: (1 + beta**2) * PRECISION * RECALL / (beta**2 * PRECISION + RECALL),
    "Tversky index": lambda alpha, beta: Fraction(TP) / (TP + alpha * FP + beta * FN),
    "Net benefit": lambda threshold: (
        Fraction(TP, 36) - Fraction(FP, 36) * threshold / (1 - threshold)
    ),
}
"""The printed formulas in Fractions: of precision and recall, of sets, and of shares and odds."""


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_a_member_is_its_family_at_its_parameters(family):
    for key, parameters in family.members.items():
        expected = DEFINITIONS[family.name](*parameters)
        assert float(ATLAS[key](MATRIX)) == pytest.approx(float(expected), rel=1e-14)
        assert float(family.function(MATRIX, *parameters)) == pytest.approx(
            float(expected), rel=1e-14
        )


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_the_formula_of_a_family_is_its_definition(family):
    symbols = sympy.symbols(" ".join(f"q{place}" for place in range(len(family.parameters))))
    symbols = symbols if isinstance(symbols, tuple) else (symbols,)
    cells = dict(zip(("t_p", "f_p", "f_n", "t_n"), (TP, FP, FN, TN), strict=True))
    cells |= {"P": TP + FN, "N": FP + TN, "P'": TP + FP, "N'": FN + TN}
    formula = family.function(matrix_in_paper_notation(), *symbols)
    values = {symbol: cells[str(symbol)] for symbol in formula.free_symbols - set(symbols)}
    parameters = [Fraction(2, 7), Fraction(3, 5)][: len(symbols)]
    of_parameters = {s: sympy.Rational(p) for s, p in zip(symbols, parameters, strict=True)}
    exact = formula.subs(values | of_parameters)
    assert exact == sympy.Rational(DEFINITIONS[family.name](*parameters))


def test_tversky_of_equal_weights_is_jaccard_and_dice():
    cells = np.random.default_rng(3).integers(1, 50, (4, 30))
    matrix = matrix_of(cells)
    tp, fp, fn, _ = cells
    np.testing.assert_allclose(tversky(matrix, 1, 1), tp / (tp + fp + fn), rtol=1e-14)
    np.testing.assert_allclose(tversky(matrix, 0.5, 0.5), 2 * tp / (2 * tp + fp + fn), rtol=1e-14)
    np.testing.assert_allclose(
        tversky(matrix, Fraction(1, 5), Fraction(4, 5)), f_beta(matrix, 2), rtol=1e-14
    )


def test_a_call_is_worth_nothing_at_the_threshold():
    """A group in which a share t is positive adds nothing to the net benefit at a threshold t."""
    for threshold in (Fraction(1, 10), Fraction(1, 4), Fraction(2, 3)):
        group = ConfusionMatrix(tp=1200 * threshold, fp=1200 * (1 - threshold), fn=0, tn=0)
        assert float(net_benefit_at(group, threshold)) == pytest.approx(0, abs=1e-15)


@pytest.mark.parametrize("weights", [(-0.1, 1), (1, float("nan")), (float("inf"), 1)])
def test_tversky_refuses_what_is_no_weight(weights):
    with pytest.raises(ValueError, match=r"positive_weight|negative_weight"):
        tversky(MATRIX, *weights)


@pytest.mark.parametrize("threshold", [-0.1, 1, float("nan")])
def test_net_benefit_refuses_what_is_no_threshold(threshold):
    with pytest.raises(
        ValueError, match=r"threshold = .*: expected a number of at least 0 and below 1"
    ):
        net_benefit_at(MATRIX, threshold)
