"""The best cut-off of a metric."""

import numpy as np
import pytest
from scipy import stats
from sklearn.metrics import f1_score

from skewproof import best_threshold

RANDOM = np.random.default_rng(6)
TRUE = np.repeat([1, 0], [30, 120])
SCORES = RANDOM.normal(2 * TRUE)


@pytest.mark.slow
def test_the_best_cut_off_is_that_of_all_tried():
    """Every score is tried if instances are few, here by scikit-learn."""
    found = best_threshold("f1", TRUE[20:80], SCORES[20:80], at="test set")
    values = {one: f1_score(TRUE[20:80], SCORES[20:80] >= one) for one in SCORES[20:80]}
    assert found.value == pytest.approx(max(values.values()))
    assert values[found.threshold] == pytest.approx(found.value)


@pytest.mark.slow
def test_a_metric_of_which_lower_values_are_better_is_made_small():
    found = best_threshold("error_rate", TRUE, SCORES, at="test set")
    same = best_threshold("accuracy", TRUE, SCORES, at="test set")
    assert found.threshold == same.threshold
    assert found.value == pytest.approx(1 - same.value)
    assert (found.low, found.high) == pytest.approx((1 - same.high, 1 - same.low), abs=1e-3)
    assert found.thresholds == same.thresholds
    assert found.optimism == pytest.approx(-same.optimism)


@pytest.mark.slow
def test_what_may_be_best_reaches_the_highest_lower_end():
    found = best_threshold("mcc", TRUE, SCORES, at="1:30")
    band = found.band
    assert (band.may_be_best == (band.high >= band.low.max())).all()
    among = band.threshold[band.may_be_best]
    assert found.thresholds == (among.min(), among.max())
    assert found.thresholds[0] <= found.threshold <= found.thresholds[1]
    row = band[band.threshold == found.threshold].iloc[0]
    assert (found.value, found.low, found.high) == (row.value, row.low, row.high)


@pytest.mark.slow
def test_the_interval_holds_although_the_data_chose_the_cut_off():
    """Normal scores, of which balanced accuracy and its best cut-off, 1, are known; seeded."""
    random, repetitions, confidence = np.random.default_rng(8), 60, 0.9
    true = np.repeat([1, 0], [20, 60])
    held = among = 0
    gains, said = [], []
    for _ in range(repetitions):
        found = best_threshold(
            "balanced_accuracy", true, random.normal(2 * true), at="1:9", confidence=confidence
        )
        rates = stats.norm.sf(found.threshold - 2), stats.norm.cdf(found.threshold)
        held += found.low <= sum(rates) / 2 <= found.high
        among += found.thresholds[0] <= 1 <= found.thresholds[1]
        gains.append(found.value - sum(rates) / 2)
        said.append(found.optimism)
    least = confidence - 2 * np.sqrt(confidence * (1 - confidence) / repetitions)
    assert held / repetitions >= least
    assert among / repetitions >= least
    assert 0 < np.mean(said) < 2 * np.mean(gains)


@pytest.mark.slow
def test_the_result_is_said_in_a_sentence():
    found = best_threshold("f1", TRUE, SCORES, at="1:30")
    low, high = found.thresholds
    assert str(found).startswith("f1 at 1:30: ")
    assert f"cut-offs from {low:.4g} to {high:.4g}" in str(found)


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"metric": "frequency_bias"}, "expected a metric whose good values are high or low"),
        ({"metric": "laplace", "at": "1:9"}, "total = None"),
        ({"y_score": -SCORES}, "higher for negatives than for positives"),
        ({"y_score": 0 * SCORES}, "expected scores that differ"),
        ({"confidence": 0}, "confidence = 0"),
    ],
)
def test_bad_input_is_refused(changed, said):
    with pytest.raises(ValueError, match=said):
        best_threshold(**{"y_true": TRUE, "y_score": SCORES, "metric": "f1"} | changed)
