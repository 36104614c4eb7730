"""Discrepancies in the survey's Sections 3, 4 and 6, on clusterings and rankings."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from sklearn.metrics import adjusted_rand_score, average_precision_score

from skewproof.audits.choosing.clusterings import fowlkes_mallows, purity
from skewproof.audits.choosing.ranked_lists import (
    average_precision_at_k,
    precision_at_k,
    reciprocal_rank,
)
from skewproof_studies.reporting.discrepancies import Discrepancy

LARGEST_SET = 7
"""Largest number of instances for which all pairs of clusterings are examined."""


def purity_sum() -> Discrepancy:
    """Check Eq. 25, which sums over samples instead of clusters."""
    true = predicted = np.array([0, 0, 0, 1, 1])
    clusters = len(set(predicted))
    of_samples = [
        max(int(np.sum((predicted == predicted[i]) & (true == j))) for j in set(true))
        for i in range(clusters)
    ]
    literal, value = sum(of_samples) / true.size, purity(true, predicted)
    return Discrepancy(
        place="Eq. 25: purity",
        printed="a sum over i = 1, ..., k of the cluster C(x_i) of sample x_i.",
        meant="a sum over the predicted clusters C_i.",
        evidence="for the clusters {1, 2, 3} and {4, 5}, the first two samples are in one"
        f" cluster: Eq. 25 gives {literal:g}, purity is {value:g}.",
        shown=literal > 1 and value == 1,
    )


def pairs_of_rand() -> Discrepancy:
    """Check Eqs. 27 and 28, which count ordered pairs, against Eq. 26, which divides by unordered
    ones."""
    labels = [0, 0, 1, 1]
    indices = range(len(labels))
    together = sum(labels[i] == labels[j] for i in indices for j in indices)
    apart = sum(labels[i] != labels[j] for i in indices for j in indices)
    literal = (together + apart) / 6
    return Discrepancy(
        place="Eqs. 26 to 28: pairs of the Rand index",
        printed="a and b count pairs (x_i, x_j) without i < j, and are divided by n over 2.",
        meant="pairs with i < j.",
        evidence=f"for four instances and equal clusterings R would be {literal:.3f}.",
        shown=literal > 1,
    )


def _clusterings(instances: int) -> Iterator[tuple[int, ...]]:
    """Yield every clustering once, by restricted growth: each label exceeds the previous ones by at
    most 1."""
    if not instances:
        yield ()
        return
    for labels in _clusterings(instances - 1):
        for label in range(max(labels, default=-1) + 2):
            yield (*labels, label)


def least_adjusted_rand(instances: int) -> float:
    """Return the smallest adjusted Rand index of all pairs of clusterings of so many instances."""
    labels = np.array(list(_clusterings(instances)))
    first, second = np.triu_indices(instances, 1)
    together = (labels[:, first] == labels[:, second]).astype(np.float64)
    sizes = together.sum(axis=1)
    both, product = together @ together.T, np.outer(sizes, sizes)
    # Multiplied by the number of pairs of instances, so that all are whole numbers or halves.
    pairs = first.size
    excess, largest = both * pairs - product, np.add.outer(sizes, sizes) / 2 * pairs - product
    return float((excess[largest > 0] / largest[largest > 0]).min())


def range_of_adjusted_rand() -> Discrepancy:
    """Check whether ARI can be -1 at an expected Rand index of 1/2."""
    least = {number: least_adjusted_rand(number) for number in range(2, LARGEST_SET + 1)}
    at = min(least, key=lambda number: least[number])
    apart = adjusted_rand_score([0] * 4, range(4))
    return Discrepancy(
        place="Section 3: the range of the adjusted Rand index",
        printed="from -1 to 1, -1 being total disagreement with an expected Rand index of 0.5.",
        meant=f"with up to {LARGEST_SET} instances from -1/2 to 1. With any number an ARI of -1 at"
        " E(R) = 1/2 needs R = 0, every pair being together in exactly one of the clusterings."
        " Being together is transitive, so one clustering has a single cluster and the other only"
        " singletons. Then E(R) is 0 as well.",
        evidence=f"of all pairs of clusterings of up to {LARGEST_SET} instances the smallest ARI is"
        f" {least[at]:g}, with {at} instances; with R = 0 the ARI is {apart:g}.",
        shown=least[at] == -0.5 and apart == 0,
    )


def unrelated_clusterings() -> Discrepancy:
    """Check whether the Fowlkes-Mallows index of independent clusterings is 0."""
    true, predicted = np.repeat([0, 1], 200), np.tile([0, 1], 200)
    value, adjusted = fowlkes_mallows(true, predicted), adjusted_rand_score(true, predicted)
    return Discrepancy(
        place="Section 3: Fowlkes-Mallows of unrelated clusterings",
        printed='"for completely unrelated clusterings, the index is 0".',
        meant="it is 0 if no pair is together in both; independent clusterings are far from it.",
        evidence="two clusterings of 400 instances into halves, with 100 in each common part, are"
        f" independent; the index is {value:.3f}, the adjusted Rand index {adjusted:.3f}.",
        shown=value > 0.49 and abs(adjusted) < 0.01,
    )


def average_precision() -> Discrepancy:
    """Check whether Eq. 33 is average precision."""
    relevance, scores = [1] * 5 + [0] * 5, np.arange(10, 0, -1)
    printed = average_precision_at_k(relevance, scores, k=10)
    usual = float(average_precision_score(relevance, scores))
    return Discrepancy(
        place="Eq. 33: average precision@k",
        printed="the mean of P@k over all ranks.",
        meant="average precision is the mean of P@k over the ranks of relevant items; Eq. 33 is"
        " another measure, which is 1 only if every item is relevant.",
        evidence="a list of ten items with the five relevant ones first has"
        f" {printed:.3f} by Eq. 33 and the average precision {usual:g}.",
        shown=printed < 1 and usual == 1,
    )


def ranks_of_average_precision() -> Discrepancy:
    """Check whether Eq. 33 weights all ranks equally."""
    scores = np.arange(10, 0, -1)
    first, last = np.eye(10, dtype=int)[[0, 9]]
    averages = [average_precision_at_k(relevant, scores, k=10) for relevant in (first, last)]
    precisions = [precision_at_k(relevant, scores, k=10) for relevant in (first, last)]
    return Discrepancy(
        place="Section 4: the ranks in AP@k",
        printed='"like precision@k, it assumes equal importance for all ranks".',
        meant="rank i enters P@k for every k of at least i, so that the first ranks count most.",
        evidence="if one of ten items is relevant, AP@10 falls from rank 1 to rank 10 from"
        f" {averages[0]:.3f} to {averages[1]:.3f}; P@10 is {precisions[0]:g} in both.",
        shown=averages[0] > averages[1] and precisions[0] == precisions[1],
    )


def first_relevant_item() -> Discrepancy:
    """Check whether MRR rises with the number of relevant items."""
    scores = np.arange(5, 0, -1)
    single, many = (reciprocal_rank(list_, scores) for list_ in ([1, 0, 0, 0, 0], [0, 1, 1, 1, 1]))
    return Discrepancy(
        place="Section 6: the mean reciprocal rank",
        printed='it "is high if many highly relevant items are among the first k rankings".',
        meant="it depends on the first relevant item only, as Section 4 says.",
        evidence=f"a list with one relevant item, the first, has {single:g}; one with four, from"
        f" the second on, has {many:g}.",
        shown=single > many,
    )
