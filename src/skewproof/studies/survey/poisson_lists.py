"""Measures of a ranked list as expected values, a declaration each.

Scores of relevant items are normal with the mean d, those of the others standard normal, so that
the quality of the ranking is its AUC, Phi(d/sqrt 2). The list is a Poisson process: items of both
kinds arrive independently, so many on average. Then the rank of a relevant item is 1 and a Poisson
number of items above it, and the expected measures are integrals over one score. Equations are the
survey's.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import gammaln, ndtr, ndtri

from skewproof.core.algebra import Array
from skewproof.core.registry import Registry, declared_in

SCORE_STEP, SCORE_REACH = 0.05, 8.0
"""Of the trapezoidal rule over the relevant item's score: it converges exponentially, and beyond
the reach there is 1e-15 of the items."""

MOST_ABOVE = 700.0
"""Items above a relevant one beyond which it has no part in the first k (and exp is 0)."""

LISTS_AT_A_TIME = 2**11


class ItemsAbove(NamedTuple):
    """Lists as a relevant item sees them from each score that it may have; numbers are means."""

    k: int
    """How many of the first items are looked at."""

    relevant: Array
    """Relevant items, (lists, 1)."""

    relevant_above: Array
    """Relevant items with a higher score, (lists, scores)."""

    others_above: Array
    """Irrelevant items with a higher score, (lists, scores)."""


@dataclass(frozen=True)
class RankingMeasure:
    """A measure of a ranked list that is a sum over its relevant items.

    Attributes
    ----------
    key
        That of the catalog.
    symbol
        Its symbol.
    contribution
        What a relevant item adds to it in the mean, (lists, scores).
    """

    key: str
    symbol: str
    contribution: Callable[[ItemsAbove], Array]


def _by_items_above(symbol: str) -> Callable[[Callable[[ItemsAbove], Array]], RankingMeasure]:
    """Declare a measure by what a relevant item adds to it; the function's name is its key."""

    def declare(contribution: Callable[[ItemsAbove], Array]) -> RankingMeasure:
        return RankingMeasure(contribution.__name__, symbol, contribution)

    return declare


def _by_rank(symbol: str) -> Callable[[Callable[[Array, Array], Array]], RankingMeasure]:
    """Declare a measure by what a relevant item at each of the first k ranks adds to it.

    The function has the ranks, (k,), and the relevant items of each list, (lists, 1), and gives
    weights that broadcast to (lists, k).
    """

    def declare(weights: Callable[[Array, Array], Array]) -> RankingMeasure:
        def contribution(items: ItemsAbove) -> Array:
            return _mean_weight(weights(np.arange(1.0, items.k + 1), items.relevant), items)

        return RankingMeasure(weights.__name__, symbol, contribution)

    return declare


def _mean_weight(weights: Array, items: ItemsAbove) -> Array:
    """Mean of the weight of an item's rank, which is 1 and a Poisson number, (lists, scores)."""
    above = np.minimum(items.relevant_above + items.others_above, MOST_ABOVE)
    coefficients = weights * np.exp(-gammaln(np.arange(1, items.k + 1)))
    series = np.zeros_like(above)
    for coefficient in np.atleast_2d(coefficients).T[::-1]:
        series = series * above + coefficient[:, np.newaxis]
    return series * np.exp(-above)


@_by_rank("P@k")
def precision_at_k(ranks: Array, relevant: Array) -> Array:
    """Share of relevant items among the first k (Eq. 32)."""
    return np.ones(ranks.size) / ranks.size


@_by_rank("AP@k")
def average_precision_at_k(ranks: Array, relevant: Array) -> Array:
    """Mean of the precision at each of the first k ranks (Eq. 33)."""
    return np.cumsum(1 / ranks[::-1])[::-1] / ranks.size


@_by_rank("R@k")
def recall_at_k(ranks: Array, relevant: Array) -> Array:
    """Share of the relevant items, of their expected number, among the first k (Eq. 34)."""
    return np.ones(ranks.size) / relevant


@_by_rank("nDCG@k")
def ndcg(ranks: Array, relevant: Array) -> Array:
    """Discounted cumulative gain over that of the best list (Eq. 37)."""
    discounts = 1 / np.log2(ranks + 1)
    # With fewer than k relevant items the best list has no more; a fraction counts as one.
    ideal = np.clip(relevant - ranks + 1, 0, 1) @ discounts
    return discounts / ideal[..., np.newaxis]


@_by_items_above("MRR")
def mean_reciprocal_rank(items: ItemsAbove) -> Array:
    """Mean of 1 over the rank of the first relevant item (Eq. 35)."""
    # 1/(1 + a Poisson number) is (1 - exp(-m))/m in the mean.
    reciprocal = -np.expm1(-items.others_above) / np.maximum(items.others_above, 1e-300)
    first = np.exp(-items.relevant_above)
    return first * reciprocal


RANKING_MEASURES: Registry[RankingMeasure] = Registry(
    "measure", declared_in(RankingMeasure, sys.modules[__name__])
)
"""Every declared measure by its key."""


class RankingModel(NamedTuple):
    """A list of so many items on average, of which the first k are looked at."""

    items: int
    k: int

    def value(
        self, measure: RankingMeasure, auc: ArrayLike, negatives_per_positive: ArrayLike
    ) -> Array:
        """Expected value of a measure.

        Parameters
        ----------
        measure
            One of :data:`RANKING_MEASURES`, or one's own.
        auc
            Quality of the ranking, in [1/2, 1).
        negatives_per_positive
            Irrelevant items for each relevant one, above 0.

        Returns
        -------
        Values of the shape to which the two broadcast. R@k and nDCG are expected counts over those
        of the expected number of relevant items.
        """
        auc, odds = np.broadcast_arrays(np.asarray(auc, float), negatives_per_positive)
        relevant = self.items / (1 + odds.ravel())
        distance = np.sqrt(2) * ndtri(auc.ravel())
        values = np.empty(auc.size)
        for start in range(0, auc.size, LISTS_AT_A_TIME):
            part = slice(start, start + LISTS_AT_A_TIME)
            values[part] = self._of_lists(measure, distance[part], relevant[part])
        return values.reshape(auc.shape)

    def _of_lists(self, measure: RankingMeasure, distance: Array, relevant: Array) -> Array:
        z = np.arange(-SCORE_REACH, SCORE_REACH + SCORE_STEP / 2, SCORE_STEP)
        density = SCORE_STEP * np.exp(-(z**2) / 2) / np.sqrt(2 * np.pi)
        others = (self.items - relevant)[:, np.newaxis]
        items = ItemsAbove(
            self.k,
            relevant[:, np.newaxis],
            relevant_above=relevant[:, np.newaxis] * ndtr(-z),
            others_above=others * ndtr(-z - distance[:, np.newaxis]),
        )
        return relevant * (measure.contribution(items) @ density)
