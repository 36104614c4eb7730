from fractions import Fraction

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

from skewproof_studies.tharwat.total_area import three_classes, total_areas, two_classes

RATES = [[80, 15, 5], [15, 70, 15], [0, 10, 90]]
"""Percentages by true class; his Fig. 4 transposed."""


@pytest.fixture(scope="module")
def areas():
    return total_areas()


def by_hand(sizes):
    """Compute AUC_total of three classes: the AUC of one threshold is (TPR + 1 - FPR)/2."""
    total = sum(sizes)
    found = Fraction(0)
    for place, size in enumerate(sizes):
        others = [other for other in range(3) if other != place]
        false = sum(Fraction(RATES[other][place], 100) * sizes[other] for other in others)
        area = (Fraction(RATES[place][place], 100) + 1 - false / (total - size)) / 2
        found += area * Fraction(size, total)
    return found


def test_total_areas_of_three_classes_by_hand(areas):
    three = areas[areas["example"] == "Section 2.9.2"]
    assert list(three["sizes"]) == ["100:100:100", "100:100:1000", "100:1000:100", "1000:100:100"]
    for row in three.itertuples():
        expected = by_hand([int(size) for size in row.sizes.split(":")])
        assert row.auc_total == pytest.approx(float(expected), rel=1e-14)
    # Three classes move, and so does the plain mean; two classes do not move.
    assert three["auc_total"].iloc[0] == pytest.approx(0.85, rel=1e-14)
    for column in ("auc_total", "mean"):
        assert (three[column].iloc[1:] - three[column].iloc[0]).abs().min() > 1e-3
    two = areas[areas["example"] == "Table 1"]
    assert list(two["sizes"]) == ["10:10", "100:10"]
    np.testing.assert_allclose(two["auc_total"], 0.68, rtol=1e-14)


@pytest.mark.parametrize(("samples", "row"), [(three_classes, 0), (two_classes, 4)])
def test_samples_have_the_areas_of_scikit_learn(samples, row, areas):
    true, scores = samples()
    priors = np.bincount(true) / true.size
    each = [roc_auc_score(true == place, scores[:, place]) for place in range(priors.size)]
    assert areas["auc_total"].iloc[row] == pytest.approx(priors @ each, rel=1e-14)
