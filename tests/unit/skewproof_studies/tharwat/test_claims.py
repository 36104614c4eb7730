from fractions import Fraction

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

from known_values import INVARIANT
from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.levels import Level
from skewproof.metrics import METRICS
from skewproof.metrics.composite import adjusted_g_mean
from skewproof_studies.tharwat.claims import (
    adjusted_g_mean_of_shares,
    adjusted_g_mean_of_shares_shifts,
    adjusted_g_mean_shifts,
    claim_rows,
    shifts_of,
    three_classes,
    total_areas,
    two_classes,
)

pytestmark = pytest.mark.slow  # they wait for tables that take long

BALANCED, TENFOLD, THOUSANDFOLD = Level(1, 1), Level(1, 10), Level(1, 1000)


def test_he_is_right_wherever_he_says_something(rows, claims):
    assert set(claims["metric"]) <= set(METRICS)
    assert claims["metric"].is_unique
    assert set(claims["says"].dropna()) == {"changes", "same", "slightly"}
    assert rows["agrees"].dropna().all()
    silent = set(rows.loc[rows["agrees"].isna(), "measure"])
    assert silent == {"FDR", "FOR", "AGF"}
    assert len(rows) == 2 * len(claims)
    wrong = claims[claims["measure"].isin(["Acc", "GM"])].assign(says=["same", "changes"])
    assert not claim_rows(wrong, [TENFOLD], BALANCED, 100)["agrees"].any()


def test_what_is_the_same_does_not_move(rows, claims):
    still = rows["verdict"] == "same"
    assert set(rows.loc[still, "metric"]) == set(claims["metric"]) & INVARIANT
    assert (rows.loc[still, ["mean_shift", "largest_shift"]] == 0).all().all()
    assert (rows.loc[~still, "mean_shift"] > 0).all()
    assert (rows["largest_shift"] >= rows["mean_shift"]).all()


def test_how_slight_the_influence_on_agm_is():
    """Largest at tpr -> 0 and tnr = 1: N/(1 + N) at both levels."""
    mean, largest = shifts_of(adjusted_g_mean, THOUSANDFOLD, BALANCED, 100)
    assert largest == pytest.approx(100_000 / 100_001 - 100 / 101, rel=1e-6)
    # The mean of |sqrt(u w) - w| over the square is 1/6, times what 1/(1 + N) loses.
    assert mean == pytest.approx((1 / 101 - 1 / 100_001) / 6, rel=1e-9)


def test_agm_of_shares_by_hand():
    """It does not know the number of positives."""
    value = adjusted_g_mean_of_shares()(ConfusionMatrix(tp=9, fp=4, fn=3, tn=20))
    expected = (np.sqrt(3 / 4 * 5 / 6) + 5 / 6 * 2 / 3) / (1 + 2 / 3)
    assert value == pytest.approx(expected)
    for positives in (1, 100):
        shifts = adjusted_g_mean_of_shares_shifts([THOUSANDFOLD], BALANCED, positives)
        (of_shares,) = shifts.itertuples()
        assert of_shares.level == "1:1000"
        assert of_shares.mean_shift == pytest.approx((2 / 3 - 1 / (1 + 1000 / 1001)) / 6, rel=1e-9)


@pytest.mark.parametrize("positives", [1, 5, 100])
def test_how_slight_it_is_depends_on_the_number_of_instances(positives):
    levels = [TENFOLD, THOUSANDFOLD]
    found = adjusted_g_mean_shifts(levels, BALANCED, [positives])
    assert list(found["level"]) == ["1:10", "1:1000"]
    for row, times in zip(found.itertuples(), (10, 1000), strict=True):
        lost = 1 / (1 + positives) - 1 / (1 + times * positives)
        assert row.largest_shift == pytest.approx(lost, rel=1e-6)
        assert row.mean_shift == pytest.approx(lost / 6, rel=1e-9)


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
