"""Predictive distributions, compared with SciPy's beta-binomial and simulations."""

import numpy as np
import pytest
from scipy import stats

from skewproof.metrics import METRICS
from skewproof.slices.predictive import Drawn, Period, Predictive, PredictiveRate, Rate


@pytest.mark.parametrize(
    ("hits", "misses", "size"), [(160, 40, 54), (250, 4750, 190), (0, 20, 3), (7, 0, 50), (3, 3, 1)]
)
def test_few_counts_have_beta_binomial_probabilities(hits, misses, size):
    rates, mass = Rate(hits, misses).predicted(size)
    expected = stats.betabinom(size, hits + 0.5, misses + 0.5).pmf((rates * size).round())
    np.testing.assert_allclose(mass, expected, rtol=1e-9)
    assert expected.sum() == pytest.approx(1)


@pytest.mark.parametrize(
    ("hits", "misses", "size"),
    [(250, 4750, 100_000), (0, 5000, 10**6), (500, 0, 10**7), (50_000, 10**6, 10**8)],
)
def test_groups_of_counts_keep_mean_and_spread(hits, misses, size):
    """Compare with formulas of the beta-binomial, to the stated two percent."""
    rates, mass = Rate(hits, misses).predicted(size)
    a, b = hits + 0.5, misses + 0.5
    share = a / (a + b)
    variance = share * (1 - share) * (1 / size + (1 - 1 / size) / (a + b + 1))
    mean = (rates * mass).sum()
    assert mean == pytest.approx(share, rel=0.02)
    assert ((rates - mean) ** 2 * mass).sum() == pytest.approx(variance, rel=0.02)
    assert len(rates) <= 200


def test_scores_are_normal_where_the_classifier_is_the_reference_s():
    """Drawn from the posterior: uniform probabilities but for ties, each in the middle."""
    random = np.random.default_rng(0)
    tpr, fpr, period = Rate(160, 40), Rate(250, 4750), Period(120.0, 1880.0, 120, 1880)
    predictive = Predictive(METRICS["f1"], period, tpr, fpr)
    rates = [
        random.binomial(size, rate.draw(20_000, random)) / size
        for rate, size in ((tpr, 120), (fpr, 1880))
    ]
    scores = predictive.scores(METRICS["f1"](period.matrix(*rates)))
    assert stats.kstest(scores, "norm").pvalue > 0.01
    for score in (-3.0, -1.0, 0.0, 2.0):
        # A value at a score has, and the next lower one has not, its probability.
        value = predictive.value_at(score)
        assert predictive.scores(np.array(value)) == pytest.approx(score, abs=0.02)


def test_a_period_without_positives_has_no_values():
    predictive = Predictive(
        METRICS["true_positive_rate"], Period(0.0, 50.0, 0, 50), Rate(8, 2), Rate(1, 9)
    )
    assert np.isnan(predictive.scores(np.array([np.nan, 0.5]))).all()
    assert np.isnan(predictive.value_at(0.0))


def test_what_lies_beyond_all_values_has_the_largest_score():
    predictive = Predictive(
        METRICS["true_positive_rate"], Period(4.0, 50.0, 4, 50), Rate(500, 500), Rate(1, 9)
    )
    assert predictive.scores(np.array([-1.0, 2.0])).tolist() == [-8.0, 8.0]


def test_what_was_drawn_is_a_distribution():
    """Compare with the exact scores of a beta-binomial distribution."""
    random = np.random.default_rng(1)
    rate = Rate(40, 10)
    drawn = Drawn(random.binomial(30, rate.draw(200_000, random)) / 30)
    exact = PredictiveRate(rate, 30)
    values = np.array([18, 22, 24, 27]) / 30
    np.testing.assert_allclose(drawn.scores(values), exact.scores(values), atol=0.02)
    assert drawn.value_at(0.0) == exact.value_at(0.0)
    assert Drawn(np.array([0.2, 0.4])).scores(np.array([0.0, 1.0])).tolist() == pytest.approx(
        stats.norm.ppf([0.25, 0.75])
    )
