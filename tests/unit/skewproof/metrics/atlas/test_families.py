"""Families of measures, compared with their definitions, and members with their texts and keys."""

import pickle
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
import sympy

from skewproof.core.confusion import ConfusionMatrix, matrix_of
from skewproof.core.formulas.metrics import FormulaError
from skewproof.core.formulas.symbolic import matrix_in_paper_notation
from skewproof.metrics import get_metric
from skewproof.metrics.atlas import ATLAS
from skewproof.metrics.atlas.families import FAMILIES
from skewproof.metrics.lookup import as_metric
from written import check_written, refusals

TP, FP, FN, TN = 9, 4, 3, 20
MATRIX = ConfusionMatrix(tp=TP, fp=FP, fn=FN, tn=TN)

PRECISION, RECALL, PREVALENCE, CALLED = (
    Fraction(*pair) for pair in ((9, 13), (9, 12), (12, 36), (13, 36))
)


def weighted_harmonic_mean(d0, d1):
    """Return the mean of precision, recall and tp/n over that of the perfect classifier."""
    mean = 1 / (d0 / Fraction(TP, 36) + d1 / RECALL + 1 / PRECISION)
    return mean * (d0 / PREVALENCE + d1 + 1)


def robust_mcc(d):
    """Return the formula of Holzmann and Klar, with its roots under one."""
    variance, of_calls = PREVALENCE * (1 - PREVALENCE), CALLED * (1 - CALLED)
    covariance = variance * (RECALL - Fraction(FP, 24))
    return sympy.sqrt(
        sympy.Rational((d / variance + 1) * covariance**2 / (variance * (d + of_calls)))
    )


DEFINITIONS = {
    "f_beta": lambda beta: (1 + beta**2) * PRECISION * RECALL / (beta**2 * PRECISION + RECALL),
    "tversky": lambda alpha, beta: Fraction(TP) / (TP + alpha * FP + beta * FN),
    "net_benefit": lambda threshold: (
        Fraction(TP, 36) - Fraction(FP, 36) * threshold / (1 - threshold)
    ),
    "robust_f": lambda d0, beta: weighted_harmonic_mean(d0, beta**2),
    "robust_mcc": robust_mcc,
    "general_robust_f": lambda d0, d1, c: (
        weighted_harmonic_mean(d0, d1) * (1 + c / RECALL) / (1 + c)
    ),
    "weighted_accuracy": lambda w: (w * TP + (1 - w) * TN) / Fraction(w * 12 + (1 - w) * 24),
}
"""The printed formulas in Fractions: of precision and recall, of sets, and of shares and odds."""

INSIDE = [Fraction(2, 7), Fraction(3, 5), Fraction(1, 9)]


@pytest.mark.parametrize("family", FAMILIES.values(), ids=lambda family: family.name)
def test_a_member_is_its_family_at_its_parameters(family):
    for key, parameters in family.members.items():
        expected = float(DEFINITIONS[family.key](*parameters))
        assert float(ATLAS[key](MATRIX)) == pytest.approx(expected, rel=1e-14)
        assert float(family.function(MATRIX, *parameters)) == pytest.approx(expected, rel=1e-14)


@pytest.mark.parametrize("family", FAMILIES.values(), ids=lambda family: family.name)
def test_the_formula_of_a_family_is_its_definition(family):
    parameters = INSIDE[: len(family.parameters)]
    exact = DEFINITIONS[family.key](*parameters)
    text = ", ".join(
        f"{parameter.name} = {value}"
        for parameter, value in zip(family.parameters, parameters, strict=True)
    )
    member = get_metric(f"{family.key}({text})")
    assert float(member(MATRIX)) == pytest.approx(float(exact), rel=1e-14)
    cells = dict(zip(("t_p", "f_p", "f_n", "t_n"), (TP, FP, FN, TN), strict=True))
    cells |= {"P": TP + FN, "N": FP + TN, "P'": TP + FP, "N'": FN + TN}
    cells |= {r"\Phi_{t_p}": sympy.Rational(3, 4), r"\Phi_{f_p}": sympy.Rational(1, 6)}
    formula = sympy.sympify(member(matrix_in_paper_notation()))
    values = {symbol: cells[str(symbol)] for symbol in formula.free_symbols}
    assert sympy.simplify(formula.subs(values) - sympy.sympify(exact)) == 0
    assert get_metric(member.key) == pickle.loads(pickle.dumps(member)) == member


@pytest.mark.parametrize("family", FAMILIES.values(), ids=lambda family: family.name)
def test_the_bounds_of_a_member_are_reached_and_not_exceeded(family):
    parameters = [Fraction(2, 7), Fraction(3, 5), Fraction(2)][: len(family.parameters)]
    given = dict(zip((p.name for p in family.parameters), parameters, strict=True))
    member = family.member(given)
    counts = np.array(np.meshgrid(*([[0, 1e-9, 1, 7, 1e9]] * 4))).reshape(4, -1)
    values = member(matrix_of(counts[:, counts.sum(axis=0) >= 1]))
    low, high = member.bounds
    assert np.nanmin(values) == pytest.approx(low, abs=1e-6)
    assert np.nanmax(values) == pytest.approx(high, abs=1e-6)


@pytest.mark.parametrize(
    ("text", "key", "value"),
    [
        ("robust_mcc(d=0.05)", "robust_mcc_0_05", 0.4096634),
        ("robust_f", "robust_f", 0.7222222),
        ("robust_f(d0=.1)", "robust_f", 0.7222222),
        (" robust_f ( d0 = 1 ) ", "robust_f_1", 0.6984127),
        ("general_robust_f(c=1, d1=1, d0=1/10)", "general_robust_f", 0.9027778),
    ],
)
def test_members_have_the_values_of_the_package_of_holzmann_and_klar(text, key, value):
    """The matrix is that of their package's examples."""
    metric = get_metric(text)
    assert metric.key == key
    assert float(metric(ConfusionMatrix(tp=4, fp=1, fn=2, tn=3))) == pytest.approx(value, abs=5e-8)


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("f_beta(beta=2)", "f2"),
        ("f_beta(beta=1.5)", "f_beta_1_5"),
        ("tversky(alpha=0.3, beta=0.7)", "tversky_0_3"),
        ("tversky(beta=1/3, alpha=1/7)", "tversky_1_over_7_beta_1_over_3"),
        ("net_benefit(threshold=1e-1)", "net_benefit_0_1"),
        ("net_benefit(threshold=0.2)", "net_benefit_0_2"),
        ("robust_f(beta=2)", "robust_f_beta_2"),
        ("robust_f(d0=0, beta=3)", "robust_f_0_beta_3"),
        ("robust_mcc(d=0)", "mcc"),
        ("robust_mcc()", "robust_mcc"),
        ("weighted_accuracy", "accuracy"),
    ],
)
def test_a_text_has_one_key_that_is_read_as_the_same_measure(text, key):
    metric = get_metric(text)
    assert metric.key == key
    assert get_metric(key) == metric


WRONG = [
    *("robust_mcc(d=-1)", "robust_mcc(d)", "robust_mcc(0.05)", "robust_mcc(d=1/0)"),
    *("robust_mcc(d=1, d=2)", "robust_mcc(e=1)", "tversky(alpha=1)", "net_benefit(threshold=1)"),
    *("f_beta(beta=0)", "weighted_accuracy(w=2)", "tversky(alpha=0, beta=0)"),
]
IN_FORMULAS = ["robust_mcc(e=1)/2", "1 - f_beta(2)", "robust_mcc(d=0.05) + recal", "log(d=2)/tp"]


def test_wrong_parameters_are_refused():
    check_written(
        Path(__file__).with_name("no_members.txt"),
        members=refusals(get_metric, WRONG),
        in_formulas=refusals(as_metric, IN_FORMULAS, FormulaError),
    )


@pytest.mark.parametrize("key", ["tversky_0_2", "robust_mcc_0_10", "robust_mcc_d_0_05"])
def test_a_key_that_no_member_has_is_unknown(key):
    with pytest.raises(KeyError, match=key):
        get_metric(key)


@pytest.mark.parametrize(
    ("formula", "value"),
    [
        ("f_beta(beta=2) - tp/P", Fraction(5 * 9, 5 * 9 + 4 * 3 + 4) - Fraction(9, 12)),
        ("1 - 3*tversky(beta = 1/3, alpha=2)/2", 1 - Fraction(3 * 9, 2 * (9 + 8 + 1))),
        ("max(net_benefit(threshold=1/4), weighted_accuracy(w=1))", Fraction(3, 4)),
        ("robust_f(d0=1)**2", Fraction((3 + 2) * 9, 36 + 12 + 13) ** 2),
    ],
)
def test_a_member_is_read_in_a_formula(formula, value):
    metric = as_metric(formula)
    assert metric.key == formula
    assert float(metric(MATRIX)) == pytest.approx(float(value), rel=1e-14)
    assert sympy.Rational(value) == metric(matrix_of(map(sympy.Integer, (TP, FP, FN, TN))))
    assert pickle.loads(pickle.dumps(metric)) == metric
