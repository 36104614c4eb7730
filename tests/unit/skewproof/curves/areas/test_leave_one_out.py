import numpy as np
import pytest
from scipy.special import expit, logit
from sklearn.metrics import average_precision_score

from skewproof import area_interval
from skewproof.curves.areas import area_interval as intervals
from skewproof.curves.areas.leave_one_out import RankedAUC, RankedPrecision


def drawn(positives, negatives, seed=0):
    random = np.random.default_rng(seed)
    true = np.repeat([1, 0], [positives, negatives])
    return true, random.normal(true).round(2)


def test_the_interval_of_many_instances_is_that_of_the_jackknife(monkeypatch):
    """The definition is followed on the scale of log odds, with fewer instances than by default."""
    monkeypatch.setattr(intervals, "MANY", 20)
    monkeypatch.setattr(intervals, "SEEN", 1)
    true, scores = drawn(30, 60)
    share = 0.1

    def value(kept):
        sizes = np.bincount(true[kept])
        weights = np.array([1 - share, share])[true[kept]] / sizes[true[kept]]
        return average_precision_score(true[kept], scores[kept], sample_weight=weights)

    rows = np.arange(90)
    variance = 0.0
    for label, size in ((1, 30), (0, 60)):
        without = np.array([value(rows != row) for row in rows[true == label]])
        variance += (size - 1) / size * np.sum((without - without.mean()) ** 2)
    whole = value(rows >= 0)
    interval = area_interval("average_precision", true, scores, at=share)
    half = logit(interval.high) - logit(whole)
    error = np.sqrt(variance) / (whole * (1 - whole))
    # Student's quantile has between 29 and 88 degrees of freedom.
    assert 1.987 * error < half < 2.046 * error
    assert interval.low == pytest.approx(expit(logit(whole) - half))


@pytest.mark.slow
def test_the_jackknife_agrees_with_draws(monkeypatch):
    true, scores = drawn(1500, 6000)
    by_rows = area_interval("average_precision", true, scores)
    monkeypatch.setattr(intervals, "MANY", 10**9)
    drawn_ends = area_interval("average_precision", true, scores, draws=1000)
    width = drawn_ends.high - drawn_ends.low
    assert by_rows.low == pytest.approx(drawn_ends.low, abs=0.15 * width)
    assert by_rows.high == pytest.approx(drawn_ends.high, abs=0.15 * width)


def test_the_slope_is_the_derivative_by_the_prevalence():
    true, scores = drawn(20, 50)
    ranked = RankedPrecision.of(true == 1, scores)
    step = 1e-6
    slope = (ranked.at(0.2 + step).value - ranked.at(0.2 - step).value) / (2 * step)
    assert ranked.at(0.2).slope == pytest.approx(slope, rel=1e-6)


@pytest.mark.parametrize("ranked", [RankedAUC, RankedPrecision])
def test_without_groups_of_many_scores_is_close(ranked):
    """Scores are put into neighborhoods of a four-hundredth of the rows."""
    random = np.random.default_rng(0)
    positive = random.random(3000) < 0.3
    scores = random.normal(positive)
    codes = np.arange(3000) % 20
    statistic = ranked.of(positive, scores)
    values = statistic.without_groups(codes, 0.1)
    whole = statistic.at(0.1).value
    for group in range(3):
        kept = codes != group
        without = ranked.of(positive[kept], scores[kept]).at(0.1).value
        assert values[group] == pytest.approx(without - whole, abs=0.05 * np.abs(values).max())
