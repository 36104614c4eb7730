from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, strategies as st

from skewproof.curves.areas.area import AREAS, area
from skewproof.curves.counts import ScoreCounts, at_prevalence, score_counts
from skewproof.curves.thresholds import equal_error_rate, mcc_f1_score


@st.composite
def weighted(draw):
    """Draw labels of both classes, tied scores and small whole weights."""
    size = draw(st.integers(2, 20))
    true = np.array([0, 1, *draw(st.lists(st.integers(0, 1), min_size=size, max_size=size))])
    whole = st.lists(st.integers(0, 5), min_size=true.size, max_size=true.size)
    scores, weights = np.array(draw(whole)) / 4, np.array(draw(whole))
    weights[:2] += 1
    return true, scores, weights


@given(data=weighted())
def test_counts_are_sums_over_instances_that_reach_a_score(data):
    true, scores, weights = data
    for given_weights, each in ((None, np.ones(true.size)), (weights / 4, weights / 4)):
        counts, thresholds = score_counts(true, scores, sample_weight=given_weights)
        assert sorted(set(scores[each > 0]), reverse=True) == thresholds.tolist()
        for index, threshold in enumerate([np.inf, *thresholds]):
            reached = scores >= threshold
            assert counts.tp[index] == each[reached & (true == 1)].sum()
            assert counts.fp[index] == each[reached & (true == 0)].sum()


@given(data=weighted())
def test_whole_weights_are_repeated_instances(data):
    true, scores, weights = data
    again = np.repeat(true, weights), np.repeat(scores, weights)
    for kind in AREAS:
        expected = pytest.approx(area(kind, *again), abs=1e-13)
        assert area(kind, true, scores, sample_weight=weights) == expected
    assert equal_error_rate(true, scores, sample_weight=weights) == pytest.approx(
        equal_error_rate(*again), abs=1e-13
    )
    if np.unique(again[1]).size > 1:
        expected = pytest.approx(mcc_f1_score(*again), abs=1e-13)
        assert mcc_f1_score(true, scores, sample_weight=weights) == expected


def test_scores_are_left_as_they_are():
    scores = np.array([0.1, 0.9, 0.5])
    score_counts([0, 1, 1], scores)
    assert scores.tolist() == [0.1, 0.9, 0.5]


def test_scores_that_are_fractions():
    counts, thresholds = score_counts([1, 0, 1], [Fraction(1, 3), Fraction(2, 3), Fraction(1, 7)])
    assert counts.tp.tolist() == [0, 0, 1, 2]
    assert thresholds.tolist() == [Fraction(2, 3), Fraction(1, 3), Fraction(1, 7)]


@pytest.mark.parametrize("weight", [1e308, 1e160, 1e90, 1e-90, 1e-170, 1e-320, 5e-324])
@pytest.mark.slow
def test_weights_of_any_size_count_alike(weight):
    true, scores, weights = [1, 0, 1, 0], [0.9, 0.8, 0.7, 0.1], np.full(4, weight)
    for kind in ("auc", "average_precision", "h_measure", "precision_recall_gain_area"):
        expected = pytest.approx(area(kind, true, scores))
        assert area(kind, true, scores, sample_weight=weights) == expected
    expected = pytest.approx(mcc_f1_score(true, scores))
    assert mcc_f1_score(true, scores, sample_weight=weights) == expected


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([1, 2], r"sample_weight has the shape \(2,\): expected \(3,\)"),
        ([1, -1, 1], r"sample_weight\[1\] = -1.0: expected a number >= 0"),
        ([0, 1, 0], "sample_weight is 0 for all positives: expected weights of both classes"),
        ([1, 0, 1], "sample_weight is 0 for all negatives: expected weights of both classes"),
        ([1e-200, 1e200, 1], r"at most 1e\+12 times the other"),
    ],
)
def test_bad_weights_are_refused(weights, message):
    with pytest.raises(ValueError, match=message):
        score_counts([1, 0, 1], [0.1, 0.2, 0.3], sample_weight=weights)


@pytest.mark.parametrize(
    ("at", "share"), [("1:1000", 1 / 1001), (0.9, 0.9), ("3/12", 1 / 4), ("0/12", 1e-12)]
)
def test_at_another_prevalence_the_rates_are_the_same(at, share):
    tp, fp = np.array([[0.0, 1, 4], [0, 3, 5]]), np.array([[0.0, 3, 6], [0, 0, 1]])
    counts = ScoreCounts(tp, fp)
    there = at_prevalence(counts, at)
    np.testing.assert_allclose(there.prevalence, [[share], [share]])
    np.testing.assert_allclose(there.tp / there.positives, counts.tp / counts.positives)
    np.testing.assert_allclose(there.fp / there.negatives, counts.fp / counts.negatives)
