"""Exact tests of requirements on shares, compared with binomials."""

import numpy as np
import pytest
from scipy import stats

from skewproof.decisions.requirements import Requirement
from skewproof.decisions.shares import share_test

TP, FP, POSITIVES, NEGATIVES = np.array([0, 3, 8, 10]), np.array([2, 0, 4, 90]), 10, 90
FN, TN = POSITIVES - TP, NEGATIVES - FP


@pytest.mark.parametrize(
    ("require", "good", "bad", "least"),
    [
        ("precision >= 0.5", TP, FP, 0.5),
        ("fdr <= 0.4", TP, FP, 0.6),
        ("npv >= 0.9", TN, FN, 0.9),
        ("accuracy >= 0.9", TP + TN, FP + FN, 0.9),
        ("f1 >= 0.5", TP, FP + FN, 1 / 3),
        ("jaccard >= 0.3", TP, FP + FN, 0.3),
        ("recall >= 0.7", TP, FN, 0.7),
        ("alarms <= 20", FN + TN, TP + FP, 1 - 20 / 50_000),
        ("false alarms <= 20", TP + FN + TN, FP, 1 - 20 / 50_000),
    ],
)
@pytest.mark.slow
def test_a_share_of_cells_is_tested_by_a_binomial(require, good, bad, least):
    test = share_test(Requirement.parsed(require), POSITIVES, NEGATIVES, 50_000.0)
    expected = stats.binom.sf(good - 1, good + bad, least)
    assert test.p_values(TP.astype(float), FP.astype(float)) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("require", ["mcc >= 0.3", "balanced_accuracy >= 0.7", "f2 >= 0.5"])
@pytest.mark.slow
def test_other_metrics_are_no_shares(require):
    assert share_test(Requirement.parsed(require), POSITIVES, NEGATIVES, 1.0) is None
