"""Expected measures of ranked lists."""

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy import integrate, special, stats

from skewproof.practice import ranked_lists
from skewproof.studies.survey.poisson_lists import (
    RANKING_MEASURES,
    ItemsAbove,
    RankingModel,
)

EVERY_MEASURE = pytest.mark.parametrize("key", RANKING_MEASURES)
MODEL = RankingModel(items=60, k=5)


def simulated(auc, odds, lists=500):
    """Means and standard errors over lists that are drawn and scored one by one."""
    random = np.random.default_rng(5)
    rate = MODEL.items / (1 + odds)
    found = {key: [] for key in RANKING_MEASURES}
    for _ in range(lists):
        counts = random.poisson([rate, MODEL.items - rate])
        relevance = np.repeat([1, 0], counts)
        scores = random.normal(size=relevance.size)
        scores[: counts[0]] += np.sqrt(2) * stats.norm.ppf(auc)
        top = round(MODEL.k * ranked_lists.precision_at_k(relevance, scores, k=MODEL.k))
        found["precision_at_k"].append(top / MODEL.k)
        found["average_precision_at_k"].append(
            ranked_lists.average_precision_at_k(relevance, scores, k=MODEL.k)
        )
        found["recall_at_k"].append(top / rate)
        gain = ranked_lists.dcg(relevance, scores, k=MODEL.k)
        found["ndcg"].append(gain / (1 / np.log2(np.arange(MODEL.k) + 2)).sum())
        found["mean_reciprocal_rank"].append(ranked_lists.reciprocal_rank(relevance, scores))
    return {key: (np.mean(x), np.std(x) / np.sqrt(lists)) for key, x in found.items()}


@pytest.mark.parametrize(("auc", "odds"), [(0.8, 1), (0.6, 9)])
def test_expected_values_are_those_of_drawn_lists(auc, odds):
    for key, (mean, error) in simulated(auc, odds).items():
        assert abs(MODEL.value(RANKING_MEASURES[key], auc, odds) - mean) < 5 * error, key


@EVERY_MEASURE
@given(auc=st.floats(0.5, 0.999), odds=st.floats(0.1, 11), better=st.floats(0, 1))
def test_range_and_order_of_expected_values(key, auc, odds, better):
    measure = RANKING_MEASURES[key]
    value = float(MODEL.value(measure, auc, odds))
    assert 0 <= value <= 1
    improved = float(MODEL.value(measure, auc + better * (0.9999 - auc), odds))
    assert improved >= value - 1e-12


def test_a_random_order():
    large = RankingModel(items=10_000, k=10)
    for odds in (1, 9):
        share = 1 / (1 + odds)
        found = {key: large.value(one, 0.5, odds) for key, one in RANKING_MEASURES.items()}
        # The rank of the first of independent items is geometric.
        first = -share * np.log(share) / (1 - share)
        assert found == pytest.approx(
            {
                "precision_at_k": share,
                "average_precision_at_k": share,
                "recall_at_k": 10 / 10_000,
                "ndcg": share,
                "mean_reciprocal_rank": first,
            }
        )


def test_a_nearly_perfect_order():
    large = RankingModel(items=10_000, k=10)
    for key, measure in RANKING_MEASURES.items():
        expected = 10 / 1000 if key == "recall_at_k" else 1
        assert large.value(measure, 1 - 1e-12, 9) == pytest.approx(expected), key


def test_the_rule_agrees_with_adaptive_quadrature():
    relevant, others, distance = 20, 40, np.sqrt(2) * stats.norm.ppf(0.9)

    def first(z):
        above = relevant * special.ndtr(-z) + others * special.ndtr(-z - distance)
        return relevant * np.exp(-(z**2) / 2 - above) / np.sqrt(2 * np.pi)

    expected, _ = integrate.quad(first, -8, 8, epsabs=1e-12, limit=200)
    found = RankingModel(items=60, k=1).value(RANKING_MEASURES["precision_at_k"], 0.9, 2)
    assert found == pytest.approx(expected, rel=1e-10)


def test_the_best_list_has_no_more_than_the_relevant_items():
    """With 2 relevant items the best list has them at ranks 1 and 2, however large k is."""
    above = np.array([[0.0, 0.5, 3.0]])
    items = ItemsAbove(10, np.array([[2.0]]), relevant_above=above, others_above=above)
    ranks = np.arange(1, 11)
    gains = 1 / np.log2(ranks + 1) / (1 + 1 / np.log2(3))
    expected = [stats.poisson.pmf(ranks - 1, 2 * one) @ gains for one in above[0]]
    np.testing.assert_allclose(RANKING_MEASURES["ndcg"].contribution(items)[0], expected)


def test_a_second_measure_with_a_key_is_refused():
    assert list(RANKING_MEASURES) == [
        "precision_at_k",
        "average_precision_at_k",
        "recall_at_k",
        "ndcg",
        "mean_reciprocal_rank",
    ]
    with pytest.raises(ValueError, match="key = 'ndcg': expected a key that no other measure has"):
        RANKING_MEASURES.extended([RANKING_MEASURES["ndcg"]])
