import numpy as np
import pytest

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
