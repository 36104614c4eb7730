"""His equations that are identities, with fractions; what is wrong: test_discrepancies.py."""

from fractions import Fraction

import numpy as np
import pytest

from skewproof.core.confusion import ConfusionMatrix
from skewproof.curves.areas.area import area
from skewproof.metrics import METRICS
from skewproof_studies.tharwat.examples import METRIC_KEYS

CELLS = [(70, 80, 20, 30), (9, 20, 4, 3), (1, 1000, 7, 2)]
"""TP, TN, FP and FN."""


@pytest.fixture(params=CELLS)
def cells(request):
    return [Fraction(count) for count in request.param]


def value(name, cells):
    tp, tn, fp, fn = map(float, cells)
    return float(METRICS[METRIC_KEYS[name]](ConfusionMatrix(tp=tp, fp=fp, fn=fn, tn=tn)))


def test_equations_3_and_8_are_the_accuracy(cells):
    tp, tn, fp, fn = cells
    p, n = tp + fn, fp + tn
    by_rates = tp / p * p / (p + n) + tn / n * n / (p + n)
    by_predictions = (tp + fp) / (p + n) * tp / (tp + fp) + (tn + fn) / (p + n) * tn / (tn + fn)
    assert by_rates == by_predictions == (tp + tn) / (p + n)
    assert value("Acc", cells) == pytest.approx(float(by_rates), rel=1e-14)


def test_equation_10_is_the_ratio_of_both_likelihood_ratios(cells):
    tp, tn, fp, fn = cells
    tpr, tnr = tp / (tp + fn), tn / (tn + fp)
    middle = tpr / (1 - tnr) * tnr / (1 - tpr)
    assert (tpr / (1 - tnr)) / ((1 - tpr) / tnr) == middle == tp * tn / (fp * fn)
    for name, expected in (
        ("LR+", tpr / (1 - tnr)),
        ("LR-", (1 - tpr) / tnr),
        ("DOR", tp * tn / (fp * fn)),
    ):
        assert value(name, cells) == pytest.approx(float(expected), rel=1e-14)


def test_equations_12_and_13_are_harmonic_means(cells):
    tp, _, fp, fn = cells
    ppv, tpr = tp / (tp + fp), tp / (tp + fn)
    for beta in (Fraction(1, 2), Fraction(1), Fraction(2)):
        squared = beta**2
        first = (1 + squared) * ppv * tpr / (squared * ppv + tpr)
        assert first == (1 + squared) * tp / ((1 + squared) * tp + squared * fn + fp)
        assert 1 / first == (1 / ppv + squared / tpr) / (1 + squared)
    assert value("F-measure", cells) == pytest.approx(float(2 * tp / (2 * tp + fp + fn)), rel=1e-14)


def test_the_accuracy_changes_with_more_negatives_and_the_g_mean_does_not(cells):
    """Section 2.1: TN and FP times α."""
    tp, tn, fp, fn = cells
    more = [tp, 10 * tn, 10 * fp, fn]
    matrices = [
        ConfusionMatrix(tp=float(a), tn=float(b), fp=float(c), fn=float(d))
        for a, b, c, d in (cells, more)
    ]
    before, after = (float(METRICS["g_mean"](matrix)) for matrix in matrices)
    assert before == pytest.approx(after, rel=1e-14)
    assert value("Acc", cells) != pytest.approx(value("Acc", more), rel=1e-3)


def test_equal_scores_cost_half_their_rectangle():
    """Section 3: with p positives and n negatives of one score, pn/(2PN) either way."""
    true = np.array([1, 1, 0, 1, 0, 0, 0, 1, 0])
    scores = np.array([9, 5, 5, 5, 5, 5, 4, 3, 1])
    p, n, positives, negatives = 2, 3, 4, 5
    ends = [
        area("auc", true, scores, ties=ties) for ties in ("pessimistic", "expected", "optimistic")
    ]
    half = p * n / (2 * positives * negatives)
    np.testing.assert_allclose(np.diff(ends), [half, half], rtol=1e-12)
