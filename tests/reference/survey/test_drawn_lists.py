"""Lists that are drawn and scored one by one, and lists with given numbers of items."""

import math

import numpy as np
import pytest
from scipy import special, stats

from skewproof.audits.choosing import ranked_lists
from skewproof.audits.choosing.poisson_lists import RANKING_MEASURES, RankingModel

STUDY = RankingModel(items=10_010, k=10)
RELEVANT, OTHERS = 10, 10_000
"""The mean at 1:1000."""

LISTS = 300

OF_FIRST_K = ("precision_at_k", "average_precision_at_k", "recall_at_k", "ndcg")


def drawn_list(random, auc):
    counts = random.poisson([RELEVANT, OTHERS])
    while not counts[0]:
        counts = random.poisson([RELEVANT, OTHERS])
    scores = random.normal(size=counts.sum())
    scores[: counts[0]] += np.sqrt(2) * stats.norm.ppf(auc)
    return np.repeat([1, 0], counts), scores


def check_mean(key, auc, values):
    """Check the mean of drawn values within four standard errors."""
    mean = float(np.mean(STUDY.value(RANKING_MEASURES[key], auc, 1000)))
    error = np.std(values) / np.sqrt(len(values))
    assert abs(mean - np.mean(values)) < 4 * error, key
    assert error < 0.012


@pytest.mark.parametrize("auc", [0.99, 0.999])
def test_values_at_1_1000(auc):
    random = np.random.default_rng(13)
    drawn = [drawn_list(random, auc) for _ in range(LISTS)]
    for key in OF_FIRST_K:
        check_mean(key, auc, [getattr(ranked_lists, key)(*one, k=STUDY.k) for one in drawn])


def test_the_mean_over_all_qualities_at_1_1000():
    random = np.random.default_rng(14)
    drawn = [drawn_list(random, random.uniform(0.5, 1)) for _ in range(LISTS)]
    auc = 0.5 + (np.arange(4000) + 0.5) / 8000
    for key in ("recall_at_k", "ndcg"):
        check_mean(key, auc, [getattr(ranked_lists, key)(*one, k=STUDY.k) for one in drawn])


def test_recall_of_a_perfect_ranking_at_1_1000():
    random = np.random.default_rng(15)
    drawn = [drawn_list(random, 0.5) for _ in range(LISTS)]
    values = [
        ranked_lists.recall_at_k(relevance, scores + 100 * relevance, k=STUDY.k)
        for relevance, scores in drawn
    ]
    check_mean("recall_at_k", 1, values)


def of_numbers(relevant, others, auc, k):
    """Compute R@k and nDCG of lists with given numbers of items, by the trapezoidal rule."""
    z = np.linspace(-9, 9, 1801)
    beyond = special.ndtr(-z), special.ndtr(-z - np.sqrt(2) * stats.norm.ppf(auc))
    chances = np.zeros(k)
    for rank in range(1, k + 1):
        for above in range(rank):
            chances[rank - 1] += np.trapezoid(
                stats.norm.pdf(z)
                * stats.binom.pmf(above, relevant - 1, beyond[0])
                * stats.binom.pmf(rank - 1 - above, others, beyond[1]),
                z,
            )
    chances *= relevant
    discounts = 1 / np.log2(np.arange(k) + 2)
    return chances.sum() / relevant, chances @ discounts / discounts[:relevant].sum()


def test_values_are_means_over_the_numbers_of_items():
    model, auc = RankingModel(items=4, k=2), 0.8
    weights = stats.poisson.pmf(np.arange(20), 2)
    found = sum(
        weights[relevant] * weights[others] * np.array(of_numbers(relevant, others, auc, model.k))
        for relevant in range(1, 20)
        for others in range(20)
    )
    for key, value in zip(("recall_at_k", "ndcg"), found / -math.expm1(-2), strict=True):
        expected = float(model.value(RANKING_MEASURES[key], auc, 1))
        assert value == pytest.approx(expected, abs=1e-11), key
