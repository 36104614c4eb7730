import itertools

import numpy as np
import pytest
from hypothesis import assume, given, strategies as st
from sklearn.metrics import (
    dcg_score,
    label_ranking_average_precision_score,
    ndcg_score,
    precision_score,
    recall_score,
)

from skewproof.audits.choosing.ranked_lists import (
    average_precision_at_k,
    dcg,
    mean_reciprocal_rank,
    ndcg,
    precision_at_k,
    recall_at_k,
    reciprocal_rank,
)

AT_K = {
    "precision_at_k": precision_at_k,
    "average_precision_at_k": average_precision_at_k,
    "recall_at_k": recall_at_k,
    "ndcg": ndcg,
}
BINARY = {name: AT_K[name] for name in ("precision_at_k", "average_precision_at_k", "recall_at_k")}


@st.composite
def lists(draw, *, graded=False, least=1):
    """Draw relevance, at least once above 0, scores of which many are tied, and k."""
    size = draw(st.integers(least, 12))
    relevance = draw(st.lists(st.integers(0, 4 if graded else 1), min_size=size, max_size=size))
    scores = draw(st.lists(st.integers(0, 4), min_size=size, max_size=size))
    assume(any(relevance))
    return np.array(relevance), np.array(scores, dtype=float), draw(st.integers(1, size))


def descending(size):
    return -np.arange(size, dtype=float)


def test_by_hand():
    relevance, scores = [0, 1, 1, 0, 1], descending(5)
    assert average_precision_at_k(relevance, scores, k=3) == pytest.approx((0 + 1 / 2 + 2 / 3) / 3)
    ranks = [[0, 1], [1, 0], [0, 0, 0, 1]]
    expected = (1 / 2 + 1 + 1 / 4) / 3
    assert mean_reciprocal_rank(ranks, [descending(len(r)) for r in ranks]) == expected
    assert ndcg([2], [0.3]) == 1  # of one item, which scikit-learn refuses


def test_eq_33_is_not_the_usual_average_precision():
    relevance, scores = [1] * 5 + [0] * 5, descending(10)
    usual = label_ranking_average_precision_score([relevance], [scores])
    assert usual == 1
    assert round(average_precision_at_k(relevance, scores, k=10), 2) == 0.82


@given(ranked=lists(graded=True, least=2))
@pytest.mark.slow
def test_gains_agree_with_scikit_learn_on_ties_too(ranked):
    relevance, scores, k = ranked
    assert dcg(relevance, scores, k=k) == pytest.approx(dcg_score([relevance], [scores], k=k))
    assert ndcg(relevance, scores, k=k) == pytest.approx(ndcg_score([relevance], [scores], k=k))
    assert dcg(relevance, scores) == pytest.approx(dcg_score([relevance], [scores]))


@given(ranked=lists(), seed=st.integers(0, 1000))
@pytest.mark.slow
def test_untied_lists_agree_with_scikit_learn(ranked, seed):
    relevance, scores, k = ranked
    scores = np.random.default_rng(seed).permutation(scores.size).astype(float)
    predicted = scores >= np.sort(scores)[-k]
    assert precision_at_k(relevance, scores, k=k) == pytest.approx(
        precision_score(relevance, predicted)
    )
    assert recall_at_k(relevance, scores, k=k) == pytest.approx(recall_score(relevance, predicted))
    first = np.zeros_like(relevance)  # of one relevant item, 1/rank is the usual precision
    first[np.argmax(np.where(relevance, scores, -1))] = 1
    assert reciprocal_rank(relevance, scores) == pytest.approx(
        label_ranking_average_precision_score([first], [scores])
    )


@given(ranked=lists())
def test_ties_give_the_mean_over_all_orders(ranked):
    relevance, scores, k = ranked
    relevance, scores, k = relevance[:5], scores[:5], min(k, 5, relevance.size)
    assume(relevance.any())
    tied = [
        order
        for order in itertools.permutations(range(scores.size))
        if (np.diff(scores[list(order)]) <= 0).all()
    ]
    for measure in BINARY.values():
        orders = [measure(relevance[list(o)], descending(scores.size), k=k) for o in tied]
        assert measure(relevance, scores, k=k) == pytest.approx(np.mean(orders))
    orders = [reciprocal_rank(relevance[list(o)], descending(scores.size)) for o in tied]
    assert reciprocal_rank(relevance, scores) == pytest.approx(np.mean(orders))


def test_without_a_relevant_item():
    assert precision_at_k([0, 0], [1, 2], k=2) == 0
    assert reciprocal_rank([0, 0], [1, 2]) == 0
    for measure in (recall_at_k, ndcg):
        with pytest.raises(ValueError, match=r"relevance is 0 for all items: .* 0/0"):
            measure([0, 0], [1, 2], k=1)


@pytest.mark.parametrize(
    ("relevance", "scores", "k", "message"),
    [
        ([], [], 1, r"relevance has the shape \(0,\): expected \(items,\), at least 1 item"),
        ([[1, 0]], [1, 2], 1, r"relevance has the shape \(1, 2\)"),
        ([1, 0], [[1, 2]], 1, r"scores has the shape \(1, 2\)"),
        ([1, 0], [1], 1, "have 2 and 1 entries: expected equal lengths"),
        ([1, -1], [1, 2], 1, r"relevance\[1\] = -1.0: expected"),
        ([1, np.nan], [1, 2], 1, r"relevance\[1\] = nan: expected a finite number"),
        ([1, 0], [np.nan, 2], 1, r"scores\[0\] = nan: expected a finite number"),
        ([1, 0], [1, 2], 3, "k = 3: expected a whole number from 1 to 2, the length of the list"),
        ([1, 0], [1, 2], True, "k = True: expected a whole number"),
    ],
)
@pytest.mark.slow
def test_bad_lists(subtests, relevance, scores, k, message):
    for measure in (*AT_K.values(), dcg):
        with subtests.test(measure.__name__), pytest.raises(ValueError, match=message):
            measure(relevance, scores, k=k)


def test_only_gains_are_graded(subtests):
    for name, measure in BINARY.items():
        with subtests.test(name), pytest.raises(ValueError, match=r"\[1\] = 2.0: expected 0 or 1"):
            measure([1, 2], [1, 2], k=1)


def test_bad_sets_of_lists():
    with pytest.raises(ValueError, match="have 0 and 0 lists: expected equal lengths, at least 1"):
        mean_reciprocal_rank([], [])
    with pytest.raises(ValueError, match="have 1 and 2 lists"):
        mean_reciprocal_rank([[1]], [[1], [1]])


@pytest.mark.parametrize("offset", [2**53, 2**62, -(2**63)])
def test_scores_beyond_2_to_the_53_are_told_apart(offset):
    """Whole numbers whose floats are equal rank as small ones do."""
    relevance, scores = [0, 1, 1, 0, 1], [3, 1, 2, 0, 1]
    large = np.array([offset + score for score in scores])
    for measure in (*AT_K.values(), dcg, ndcg):
        assert measure(relevance, large, k=2) == measure(relevance, scores, k=2)
    assert reciprocal_rank(relevance, large) == reciprocal_rank(relevance, scores)
