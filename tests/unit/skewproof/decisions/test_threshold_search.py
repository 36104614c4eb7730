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
    best = best_threshold("f1", TRUE[20:80], SCORES[20:80], at="test set")
    values = {score: f1_score(TRUE[20:80], SCORES[20:80] >= score) for score in SCORES[20:80]}
    assert best.value == pytest.approx(max(values.values()))
    assert values[best.threshold] == pytest.approx(best.value)


@pytest.mark.slow
def test_a_metric_of_which_lower_values_are_better_is_made_small():
    best = best_threshold("error_rate", TRUE, SCORES, at="test set")
    same = best_threshold("accuracy", TRUE, SCORES, at="test set")
    assert best.threshold == same.threshold
    assert best.value == pytest.approx(1 - same.value)
    assert (best.low, best.high) == pytest.approx((1 - same.high, 1 - same.low), abs=1e-3)
    assert best.thresholds == same.thresholds
    assert best.optimism == pytest.approx(-same.optimism)


@pytest.mark.slow
def test_what_may_be_best_reaches_the_highest_lower_end():
    best = best_threshold("mcc", TRUE, SCORES, at="1:30")
    band = best.band
    assert (band.may_be_best == (band.high >= band.low.max())).all()
    among = band.threshold[band.may_be_best]
    assert best.thresholds == (among.min(), among.max())
    assert best.thresholds[0] <= best.threshold <= best.thresholds[1]
    row = band[band.threshold == best.threshold].iloc[0]
    assert (best.value, best.low, best.high) == (row.value, row.low, row.high)


@pytest.mark.slow
def test_the_interval_holds_although_the_data_chose_the_cut_off():
    """Normal scores, of which balanced accuracy and its best cut-off, 1, are known; seeded."""
    random, repetitions, confidence = np.random.default_rng(8), 60, 0.9
    true = np.repeat([1, 0], [20, 60])
    held = among = 0
    gains, said = [], []
    for _ in range(repetitions):
        best = best_threshold(
            "balanced_accuracy", true, random.normal(2 * true), at="1:9", confidence=confidence
        )
        rates = stats.norm.sf(best.threshold - 2), stats.norm.cdf(best.threshold)
        held += best.low <= sum(rates) / 2 <= best.high
        among += best.thresholds[0] <= 1 <= best.thresholds[1]
        gains.append(best.value - sum(rates) / 2)
        said.append(best.optimism)
    least = confidence - 2 * np.sqrt(confidence * (1 - confidence) / repetitions)
    assert held / repetitions >= least
    assert among / repetitions >= least
    assert 0 < np.mean(said) < 2 * np.mean(gains)


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"metric": "frequency_bias"}, "expected a metric whose good values are high or low"),
        ({"metric": "laplace", "at": "1:9"}, "total = None"),
        ({"y_score": -SCORES}, "higher for negatives than for positives"),
        ({"y_score": 0 * SCORES}, "expected scores that differ"),
    ],
)
def test_bad_input_is_refused(changed, said):
    with pytest.raises(ValueError, match=said):
        best_threshold(**{"y_true": TRUE, "y_score": SCORES, "metric": "f1"} | changed)
