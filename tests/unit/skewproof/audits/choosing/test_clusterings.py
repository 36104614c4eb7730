from math import comb, sqrt

import numpy as np
import pytest
from hypothesis import assume, given, strategies as st
from sklearn.metrics import pairwise_distances, silhouette_score
from sklearn.metrics.cluster import contingency_matrix

from skewproof.audits.choosing.clusterings import (
    adjusted_rand,
    fowlkes_mallows,
    purity,
    rand,
    silhouette,
)

MEASURES = {
    "purity": purity,
    "rand": rand,
    "adjusted_rand": adjusted_rand,
    "fowlkes_mallows": fowlkes_mallows,
}

labelings = st.integers(4, 15).flatmap(
    lambda size: st.tuples(
        *[st.lists(st.integers(0, 2), min_size=size, max_size=size).map(np.array)] * 2
    )
)


def by_pairs(true, predicted):
    """Count pairs together in both, in the true clusters, in the predicted ones, and in all."""
    table = contingency_matrix(true, predicted)
    together = [
        sum(comb(int(size), 2) for size in sizes)
        for sizes in (table.ravel(), table.sum(axis=1), table.sum(axis=0))
    ]
    return *together, comb(len(true), 2)


@given(labels=labelings)
def test_pairs_counted_one_by_one(labels):
    both, in_true, in_predicted, pairs = by_pairs(*labels)
    agreeing = pairs - in_true - in_predicted + 2 * both
    assert rand(*labels) == pytest.approx(agreeing / pairs)
    assert fowlkes_mallows(*labels) == pytest.approx(both / sqrt(in_true * in_predicted))
    chance = in_true * in_predicted / pairs
    largest = (in_true + in_predicted) / 2
    assume(largest != chance)
    assert adjusted_rand(*labels) == pytest.approx((both - chance) / (largest - chance), abs=1e-12)


@given(labels=labelings)
def test_purity_agrees_with_the_contingency_table(labels):
    table = contingency_matrix(*labels)
    assert purity(*labels) == pytest.approx(table.max(axis=0).sum() / table.sum())


def test_what_is_the_same_clustering_is_perfect():
    for labels in ([0, 0, 0], [0, 1, 2]):
        assert adjusted_rand(labels, labels) == 1


@pytest.mark.parametrize(
    ("true", "predicted", "message"),
    [
        ([], [], "true is empty: expected at least one label"),
        ([0, 1], [0, 1, 1], "have 2 and 3 entries: expected equal lengths"),
        ([0, np.nan], [0, 1], r"true\[1\] = nan: expected a label"),
        ([0, 1], [0, None], r"predicted\[1\] = None: expected a label"),
        ([[0, 1]], [0, 1], r"true has the shape \(1, 2\)"),
    ],
)
def test_bad_labels(subtests, true, predicted, message):
    for measure in MEASURES.values():
        with subtests.test(measure.__name__), pytest.raises(ValueError, match=message):
            measure(true, predicted)


def test_silhouette():
    instances = np.array([[0.0], [1], [10], [11], [13]])
    labels = [0, 0, 1, 1, 1]
    distances = pairwise_distances(instances)
    assert silhouette(instances, labels) == pytest.approx(
        silhouette_score(distances, labels, metric="precomputed")
    )
    assert silhouette([[0.0], [0], [5], [5]], ["a", "a", "b", "b"]) == 1


ZEROS = np.zeros((3, 1))
MASKED = np.ma.array([[0.0], [5], [1]], mask=[[0], [1], [0]])
PAIRLESS = "true has 1 label: expected at least 2"
FEWER = "expected at least 2 clusters, and fewer"


@pytest.mark.parametrize(
    ("measure", "arguments", "message"),
    [
        (rand, ([0], [0]), PAIRLESS),
        (adjusted_rand, ([0], [0]), PAIRLESS),
        (fowlkes_mallows, ([0], [0]), PAIRLESS),
        (
            fowlkes_mallows,
            ([0, 0, 1], [0, 1, 2]),
            "predicted has 3 clusters of 1: expected a larger",
        ),
        (silhouette, (ZEROS, [0, 0, 0]), "has 1 clusters of 3 instances: expected at least 2"),
        (silhouette, (ZEROS, [0, 1, 2]), f"predicted has 3 clusters of 3 instances: {FEWER}"),
        (silhouette, (ZEROS, []), "predicted is empty"),
        (silhouette, ([[0.0], [np.nan], [1]], [0, 0, 1]), "NaN"),
        (silhouette, (MASKED, [0, 0, 1]), r"instances\[1, 0\] is masked"),
        (silhouette, ([[0.0], [1]], [0, 0, 1]), "inconsistent numbers of samples"),
    ],
)
def test_bad_clusters(measure, arguments, message):
    with pytest.raises(ValueError, match=message):
        measure(*arguments)


def test_clusters_may_have_names_of_several_kinds():
    """Text and numbers are told apart: 1 and "1" are two classes."""
    assert fowlkes_mallows(["1", 1, "1", 1], ["a", "b", "a", "b"]) == 1
