from fractions import Fraction

import pytest
import sympy

from skewproof.core.confusion import matrix_of
from skewproof.core.formulas.metrics import parse_metric
from skewproof.core.metric import Metric
from skewproof.metrics import METRICS
from skewproof.sensitivity.proofs.linear_identities import linear_identity


@pytest.mark.parametrize(
    ("text", "key", "slope", "offset"),
    [
        ("2*tp/(2*tp + fp + fn)", "f1", 1, 0),
        ("tp/P/3 + 0.1", "true_positive_rate", Fraction(1, 3), Fraction(1, 10)),
        ("1e-12*(fp/N - tp/P)", "youden_j", Fraction(-1, 10**12), 0),
        ("sqrt(2)*tp/P", "true_positive_rate", 2**0.5, 0),
        # Branches that make no difference: F1 is between precision and recall.
        ("max(2*tp/(2*tp + fp + fn), min(tp/P, tp/(tp + fp)))", "f1", 1, 0),
        ("sqrt((tp/P)**2)", "true_positive_rate", 1, 0),
        ("(tp*tn - fp*fn)/sqrt(P*N*(tp + fp)*(tn + fn))", "mcc", 1, 0),
    ],
)
def test_identities_are_proved(text, key, slope, offset):
    found = linear_identity(parse_metric(text), METRICS[key])
    assert found.proved
    assert (float(found.slope), float(found.offset)) == pytest.approx((slope, offset), rel=1e-15)


@pytest.mark.parametrize(
    ("text", "key", "differs_at"),
    [
        ("min(2*tp/(2*tp + fp + fn), 20000/(tp + 1))", "f1", (10**6, 1, 1, 1)),
        ("max(tp/P, 300/N)", "true_positive_rate", (1, 100, 1, 100)),
        ("max(1e-9, tp/P)", "true_positive_rate", (1, 1, 10**10, 1)),
        ("tp/P + max(0, fn - 1e10)", "true_positive_rate", (1, 1, 10**11, 1)),
        ("2*tp/(2*tp + fp + fn + 1e-6)", "f1", (1, 1, 1, 1)),
        ("(2*tp + 1e-12*sqrt(fp))/(2*tp + fp + fn)", "f1", (1, 1, 1, 1)),
    ],
)
def test_what_differs_on_large_or_small_matrices_alone_is_no_identity(text, key, differs_at):
    matrix = matrix_of(map(sympy.Integer, differs_at))
    assert parse_metric(text)(matrix) != METRICS[key](matrix)
    assert linear_identity(parse_metric(text), METRICS[key]) is None


EXPONENTIAL = "(exp(tp/P)**2 - 1)/(exp(tp/P) + 1) - exp(tp/P) + 1 + tp/P"
"""The true positive rate, with exponentials that only the binomial formula cancels."""


@pytest.mark.slow
def test_an_identity_without_a_proof_is_called_so():
    found = linear_identity(parse_metric(EXPONENTIAL), METRICS["true_positive_rate"])
    assert (found.slope, found.offset, found.proved) == (1, 0, False)


def test_a_constant_is_a_linear_function_of_nothing_and_nothing_of_a_constant():
    constant = Metric("own", "o", "own", "", lambda c: 0 * c.tp + 3, bounds=None)
    assert linear_identity(METRICS["f1"], constant) is None


def test_decimal_numbers_of_a_function_are_compared_up_to_rounding():
    tenth = Metric("own", "o", "own", "", lambda c: 0.1 * c.tpr + 0.2, bounds=None)
    found = linear_identity(tenth, METRICS["true_positive_rate"])
    assert (float(found.slope), float(found.offset)) == pytest.approx((0.1, 0.2))
