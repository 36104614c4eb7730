"""Expected measures of ranked lists."""

import math
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

from skewproof.audits.choosing import ranked_lists
from skewproof.audits.choosing.poisson_lists import (
    RANKING_MEASURES,
    RankingModel,
    mean_reciprocals,
    poisson_chances,
)

MODEL = RankingModel(items=60, k=5)
STUDY = RankingModel(items=10_010, k=10)


def simulated(auc, odds, lists=150):
    """Compute means and standard errors of the lists' own values, by the measures for lists."""
    random = np.random.default_rng(5)
    rate = MODEL.items / (1 + odds)
    means = {key: [] for key in RANKING_MEASURES}
    while len(means["ndcg"]) < lists:
        counts = random.poisson([rate, MODEL.items - rate])
        if not counts[0]:
            continue
        relevance = np.repeat([1, 0], counts)
        scores = random.normal(size=relevance.size)
        scores[: counts[0]] += np.sqrt(2) * stats.norm.ppf(auc)
        for key in ("precision_at_k", "average_precision_at_k", "recall_at_k", "ndcg"):
            means[key].append(getattr(ranked_lists, key)(relevance, scores, k=MODEL.k))
        means["mean_reciprocal_rank"].append(ranked_lists.reciprocal_rank(relevance, scores))
    return {key: (np.mean(x), np.std(x) / np.sqrt(lists)) for key, x in means.items()}


@pytest.mark.parametrize(("auc", "odds"), [(0.8, 1), (0.9, 29)])
@pytest.mark.slow
def test_expected_values_are_those_of_drawn_lists(auc, odds):
    for key, (mean, error) in simulated(auc, odds).items():
        assert abs(MODEL.value(RANKING_MEASURES[key], auc, odds) - mean) < 5 * error, key


def mean_over_relevant(rate, of_number):
    """Average a function of a Poisson number above 0."""
    numbers = np.arange(1, int(rate + 12 * np.sqrt(rate) + 40))
    chances = stats.poisson.pmf(numbers, rate)
    return float(chances @ [of_number(int(n)) for n in numbers] / chances.sum())


@pytest.mark.parametrize("odds", [1, 10, 1000])
@pytest.mark.slow
def test_a_perfect_order(odds):
    """nDCG and MRR are 1 at every level, and the other measures what the number of items allows."""
    rate, k = STUDY.items / (1 + odds), STUDY.k
    harmonic = [math.fsum(1 / j for j in range(i, k + 1)) / k for i in range(1, k + 1)]
    expected = {
        "precision_at_k": mean_over_relevant(rate, lambda n: min(n, k) / k),
        "average_precision_at_k": mean_over_relevant(rate, lambda n: math.fsum(harmonic[:n])),
        "recall_at_k": mean_over_relevant(rate, lambda n: min(n, k) / n),
        "ndcg": 1,
        "mean_reciprocal_rank": 1,
    }
    for key, measure in RANKING_MEASURES.items():
        assert float(STUDY.value(measure, 1, odds)) == pytest.approx(expected[key], abs=1e-11), key


@pytest.mark.parametrize("odds", [1, 9, 29])
def test_a_random_order(odds):
    """Each item is as likely at each rank: all follows from the numbers of items alone."""
    k, rate = MODEL.k, MODEL.items / (1 + odds)
    discounts = 1 / np.log2(np.arange(k) + 2)
    numbers, others = np.arange(1, 120), np.arange(0, 160)
    chances = np.outer(
        stats.poisson.pmf(numbers, rate), stats.poisson.pmf(others, MODEL.items - rate)
    )
    chances /= chances.sum()
    total = numbers[:, np.newaxis] + others
    looked_at = np.minimum(total, k)
    ideal = np.cumsum(discounts)[np.minimum(numbers, k) - 1][:, np.newaxis]
    gains = np.cumsum(discounts)[looked_at - 1]
    expected = {
        "precision_at_k": (numbers[:, np.newaxis] / total * looked_at / k * chances).sum(),
        "recall_at_k": (looked_at / total * chances).sum(),
        "ndcg": (numbers[:, np.newaxis] / total * gains / ideal * chances).sum(),
    }
    for key, mean in expected.items():
        value = float(MODEL.value(RANKING_MEASURES[key], 0.5, odds))
        assert value == pytest.approx(mean, abs=1e-10), key


@pytest.mark.parametrize(("items", "k"), [(10_010, 10), (10**6, 100)])
def test_the_rule_is_fine_enough_for_long_lists(items, k):
    """P@k has a closed form in a random order: the share, but for empty lists."""
    for odds in (1, 1000):
        value = RankingModel(items, k).value(RANKING_MEASURES["precision_at_k"], 0.5, odds)
        share = 1 / (1 + odds)
        assert float(value) == pytest.approx(share / -math.expm1(-items * share), rel=1e-11)


@pytest.mark.parametrize("mean", [1e-12, 0.3, 4, 9.5, 10, 10.5, 80])
@pytest.mark.slow
def test_means_of_reciprocals(mean):
    reciprocals = mean_reciprocals(np.array([mean]), 10)[:, 0]
    for b, value in enumerate(reciprocals):
        exact, term, rate = Fraction(0), Fraction(1), Fraction(mean)
        for count in range(400):
            exact += term / (1 + b + count)
            term *= rate / (count + 1)
            if count > mean and term < Fraction(1, 10**60):
                break
        assert value == pytest.approx(float(exact) * math.exp(-mean), rel=1e-13), b


def test_what_is_left_out_is_beyond_the_first_k():
    for k in range(1, 101):
        most = RankingModel(items=1000, k=k)._most_above
        assert stats.poisson.cdf(k - 1, most) < 1e-22


def test_chances_of_poisson_numbers():
    means = np.array([[0.0, 0.5], [7.0, 1000.0]])
    expected = stats.poisson.pmf(np.arange(6)[:, np.newaxis, np.newaxis], means)
    np.testing.assert_allclose(poisson_chances(means, 6), expected, rtol=1e-12, atol=1e-300)
