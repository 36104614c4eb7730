"""Measures of a ranked list: relevance of items, and the scores by which they are ranked.

With tied scores, every measure is its expected value over all orders of the tied items, so that
constant scores give the expectation of a random order. The survey is that of Beddar-Wiesing et al.
(2025).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from skewproof.core.algebra import Array
from skewproof.core.arguments import expect, is_whole
from skewproof.core.data.arrays import checked_numbers, expect_entries, expect_equal_lengths
from skewproof.core.extras import extra


class _Ranked(NamedTuple):
    """A list in ranked order, with tied items in groups."""

    expected: Array
    """Expected relevance at each rank, the mean of the group of its score; shape (items,)."""

    group: NDArray[np.intp]
    """Number of the group at each rank, rising from 0; shape (items,)."""


def precision_at_k(relevance: ArrayLike, scores: ArrayLike, *, k: int) -> float:
    """Compute the share of relevant items among the first k, in [0, 1] (Eq. 32 of the survey).

    Parameters
    ----------
    relevance
        1 for a relevant item and 0 for any other, shape (items,).
    scores
        Finite scores that rank the items, shape (items,); the highest comes first.
    k
        From 1 to the number of items.

    Raises
    ------
    ValueError
        If the list is empty, a relevance is not 0 or 1, a score is not finite, complex or masked,
        the shapes differ, or k is out of its range.

    Examples
    --------
    >>> from skewproof.audits.choosing.ranked_lists import precision_at_k
    >>> precision_at_k(relevance=[0, 1, 1, 0], scores=[0.9, 0.8, 0.7, 0.6], k=2)
    0.5
    """
    ranked = _ranked(_binary(relevance), scores)
    return float(ranked.expected[: _checked_k(k, ranked)].mean())


def average_precision_at_k(relevance: ArrayLike, scores: ArrayLike, *, k: int) -> float:
    """Compute the mean of P@1 to P@k, in [0, 1] (Eq. 33 of the survey).

    This is not the usual average precision, which is the mean of P@i over the ranks i of the
    relevant items alone, divided by the number of relevant items. Here every rank counts: a list
    whose first 5 of 10 items are the only relevant ones has the usual average precision 1, but 0.82
    by Eq. 33 at k = 10.

    Parameters
    ----------
    relevance, scores, k
        As for :func:`precision_at_k`, with the same errors.

    Examples
    --------
    >>> from skewproof.audits.choosing.ranked_lists import average_precision_at_k
    >>> average_precision_at_k(relevance=[0, 1, 1, 0], scores=[0.9, 0.8, 0.7, 0.6], k=2)
    0.25
    """
    ranked = _ranked(_binary(relevance), scores)
    first = ranked.expected[: _checked_k(k, ranked)]
    return float(np.mean(np.cumsum(first) / np.arange(1, first.size + 1)))


def recall_at_k(relevance: ArrayLike, scores: ArrayLike, *, k: int) -> float:
    """Compute the share of the relevant items among the first k, in [0, 1] (Eq. 34 of the survey).

    Parameters
    ----------
    relevance, scores, k
        As for :func:`precision_at_k`, with the same errors; a list without a relevant item is
        refused as well.

    Examples
    --------
    >>> from skewproof.audits.choosing.ranked_lists import recall_at_k
    >>> recall_at_k(relevance=[0, 1, 1, 0], scores=[0.9, 0.8, 0.7, 0.6], k=3)
    1.0
    """
    ranked = _ranked(_binary(relevance), scores)
    _refuse_irrelevance(ranked)
    return float(ranked.expected[: _checked_k(k, ranked)].sum() / ranked.expected.sum())


def reciprocal_rank(relevance: ArrayLike, scores: ArrayLike) -> float:
    """Compute the reciprocal of the rank of the first relevant item, in [0, 1].

    Parameters
    ----------
    relevance, scores
        As for :func:`precision_at_k`, with the same errors.

    Returns
    -------
    0 for a list without a relevant item, as is the custom: its rank is beyond every list.

    Examples
    --------
    >>> from skewproof.audits.choosing.ranked_lists import reciprocal_rank
    >>> reciprocal_rank(relevance=[0, 1, 1, 0], scores=[0.9, 0.8, 0.7, 0.6])
    0.5

    Each of the tied items is equally likely to be first:

    >>> reciprocal_rank(relevance=[0, 1], scores=[0.5, 0.5])
    0.75
    """
    ranked = _ranked(_binary(relevance), scores)
    if not ranked.expected.any():
        return 0.0
    start = int(np.argmax(ranked.expected > 0))
    size = int(np.count_nonzero(ranked.group == ranked.group[start]))
    relevant = round(size * ranked.expected[start])
    # Shares of the orders of the tied items in which the first relevant one is at each place.
    places = np.arange(size - relevant + 1)
    none_before = np.cumprod(np.append(1, 1 - relevant / (size - places[:-1])))
    shares = none_before * relevant / (size - places)
    return float((shares / (start + places + 1)).sum())


def mean_reciprocal_rank(relevance: Sequence[ArrayLike], scores: Sequence[ArrayLike]) -> float:
    """Compute the mean of :func:`reciprocal_rank` over lists, in [0, 1] (Eq. 35 of the survey).

    Parameters
    ----------
    relevance, scores
        One entry per list, each as for :func:`precision_at_k`; lists may differ in length.

    Raises
    ------
    ValueError
        If there are no lists, their numbers of relevance and scores differ, or a list is refused.

    Examples
    --------
    >>> from skewproof.audits.choosing.ranked_lists import mean_reciprocal_rank
    >>> mean_reciprocal_rank(relevance=[[1, 0], [0, 1, 0]], scores=[[2, 1], [3, 2, 1]])
    0.75
    """
    if not len(relevance) or len(relevance) != len(scores):
        raise ValueError(
            f"relevance and scores have {len(relevance)} and {len(scores)} lists: expected equal"
            " lengths, at least 1"
        )
    lists = zip(relevance, scores, strict=True)
    return float(np.mean([reciprocal_rank(*items) for items in lists]))


def dcg(relevance: ArrayLike, scores: ArrayLike, *, k: int | None = None) -> float:
    """Compute the discounted cumulative gain: relevance over log2(rank + 1), summed over ranks.

    This is Eq. 36 of the survey. It is at least 0 and, unlike :func:`ndcg`, has no upper bound that
    holds for all lists.

    Parameters
    ----------
    relevance
        Relevance of each item, finite and at least 0, shape (items,).
    scores
        As for :func:`precision_at_k`.
    k
        Number of ranks to sum, the survey's p; all by default.

    Raises
    ------
    ValueError
        As :func:`precision_at_k`, except that any relevance of at least 0 is accepted.

    Examples
    --------
    >>> from skewproof.audits.choosing.ranked_lists import dcg
    >>> dcg(relevance=[3, 0, 2], scores=[0.9, 0.8, 0.7])
    4.0
    """
    ranked = _ranked(_graded(relevance), scores)
    first = ranked.expected[: ranked.expected.size if k is None else _checked_k(k, ranked)]
    return float((first / np.log2(np.arange(first.size) + 2)).sum())


def ndcg(relevance: ArrayLike, scores: ArrayLike, *, k: int | None = None) -> float:
    """Compute DCG over the DCG of the best order, in [0, 1], by scikit-learn with checked input.

    This is Eq. 37 of the survey. Scikit-learn returns 0 for a list without relevance, for which
    Eq. 37 is 0/0, and refuses a list of one item, for which it is 1.

    Parameters
    ----------
    relevance, scores, k
        As for :func:`dcg`, with the same errors; a list without relevance is refused as well.

    Examples
    --------
    >>> from skewproof.audits.choosing.ranked_lists import ndcg
    >>> round(ndcg(relevance=[3, 0, 2], scores=[0.9, 0.8, 0.7]), 3)
    0.939
    """
    gains = _graded(relevance)
    ranked = _ranked(gains, scores)
    _refuse_irrelevance(ranked)
    if k is not None:
        _checked_k(k, ranked)
    if gains.size == 1:
        return 1.0
    with extra("ndcg"):
        from sklearn.metrics import ndcg_score

    return float(ndcg_score([gains], [_places(scores)], k=k))


def _graded(relevance: ArrayLike) -> Array:
    values = _list(relevance, "relevance").astype(np.float64)
    expect_entries(values >= 0, "relevance", values, "a number >= 0")
    return values


def _binary(relevance: ArrayLike) -> Array:
    values = _list(relevance, "relevance").astype(np.float64)
    expect_entries((values == 0) | (values == 1), "relevance", values, "0 or 1")
    return values


def _list(values: ArrayLike, name: str) -> NDArray[Any]:
    numbers = checked_numbers(values, name)
    if numbers.ndim != 1 or not numbers.size:
        raise ValueError(
            f"{name} has the shape {numbers.shape}: expected (items,), at least 1 item"
        )
    return numbers


def _places(scores: ArrayLike) -> NDArray[np.intp]:
    """Rank scores by the number of different lower ones, so that rounding makes none equal."""
    return np.unique(_list(scores, "scores"), return_inverse=True)[1]


def _ranked(relevance: Array, scores: ArrayLike) -> _Ranked:
    places = _places(scores)
    expect_equal_lengths(relevance=relevance, scores=places)
    order = np.argsort(-places, kind="stable")
    group = places.max() - places[order]
    means = np.bincount(group, weights=relevance[order]) / np.bincount(group)
    return _Ranked(means[group], group)


def _checked_k(k: int, ranked: _Ranked) -> int:
    items = ranked.expected.size
    expected = f"a whole number from 1 to {items}, the length of the list"
    expect(is_whole(k, 1, items), "k", k, expected)
    return int(k)


def _refuse_irrelevance(ranked: _Ranked) -> None:
    if not ranked.expected.any():
        raise ValueError(
            "relevance is 0 for all items: expected a relevant item, since the measure is 0/0"
        )
