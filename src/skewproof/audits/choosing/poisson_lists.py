"""Measures of a ranked list as expected values, each with its own declaration.

In the lists, the numbers of relevant and of other items are independent Poisson numbers with given
means. Lists without a relevant item are left out, since R@k and nDCG are 0/0 for them. Scores of
relevant items are normal with the mean d, those of the others standard normal, so that the quality
of the ranking is its AUC, Phi(d/sqrt 2). A list with fewer than k items counts as if irrelevant
items filled it up.

A value is the mean of the lists' own values; R@k and nDCG are divided list by list, by what the
list has. Given a relevant item with the score z, the numbers of relevant items above it, of
relevant items below it and of other items above it are independent Poisson numbers. A value is
therefore an integral over z of finite sums. Equations are the survey's.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy.linalg import hankel
from scipy.special import ndtr, ndtri

from skewproof.core.algebra import Array
from skewproof.core.levels import Level
from skewproof.core.registry import Registry, declared_in
from skewproof.sensitivity.behavior_types import ROUNDED_SHIFT, behavior_type
from skewproof.sensitivity.quadrature.tanh_sinh import tanh_sinh

LARGEST_STEP = 0.05
"""Step of the trapezoidal rule over the relevant item's score, which converges exponentially."""

STEPS_OF_THE_BORDER = 2
"""Least number of steps of the rule in the standard deviation of the score at which the first k
items end."""

ITEMS_OUT_OF_REACH = 1e-13
"""Mean number of relevant items of a list with a score beyond the rule at either end."""

MORE_THAN_K = 30
"""Number of steps beyond 2 k at which a downward recurrence starts, so that its start does not
matter."""

VALUES_AT_A_TIME = 2**13
"""Larger arrays take three times as long, because the allocator returns them to the system."""


class ItemsAround(NamedTuple):
    """Mean numbers of items around a relevant one at each score that it may have.

    Arrays have the shape (items,), an entry for each list and score.
    """

    k: int
    """Number of the first items that count."""

    relevant_above: Array
    relevant_below: Array
    others_above: Array


@dataclass(frozen=True)
class RankingMeasure:
    """A measure of a ranked list that is a sum over its relevant items.

    Attributes
    ----------
    key
        Key in the catalog.
    symbol
        Symbol in formulas.
    contribution
        Function that returns the mean contribution of a relevant item, (items,).
    of_first_k
        Whether an item beyond the first k contributes nothing.
    """

    key: str
    symbol: str
    contribution: Callable[[ItemsAround], Array]
    of_first_k: bool = True


def _measure(
    symbol: str, *, of_first_k: bool = True
) -> Callable[[Callable[[ItemsAround], Array]], RankingMeasure]:
    """Declare a measure by the contribution of a relevant item; the function's name is its key."""

    def declare(contribution: Callable[[ItemsAround], Array]) -> RankingMeasure:
        return RankingMeasure(contribution.__name__, symbol, contribution, of_first_k)

    return declare


@_measure("P@k")
def precision_at_k(items: ItemsAround) -> Array:
    """Compute the share of relevant items among the first k (Eq. 32 of Beddar-Wiesing et al.)."""
    return _mean_by_rank(np.ones(items.k) / items.k, items)


@_measure("AP@k")
def average_precision_at_k(items: ItemsAround) -> Array:
    """Compute the mean precision at the first k ranks (Eq. 33 of Beddar-Wiesing et al.)."""
    ranks = np.arange(1.0, items.k + 1)
    return _mean_by_rank(np.cumsum(1 / ranks[::-1])[::-1] / items.k, items)


@_measure("R@k")
def recall_at_k(items: ItemsAround) -> Array:
    """Compute the share of relevant items in the first k (Eq. 34 of Beddar-Wiesing et al.)."""
    shares = mean_reciprocals(items.relevant_below, items.k)
    return _mean_product(np.ones(items.k), shares, items)


@_measure("nDCG@k")
def ndcg(items: ItemsAround) -> Array:
    """Compute DCG over the DCG of the best order (Eq. 37 of Beddar-Wiesing et al.)."""
    discounts = 1 / np.log2(np.arange(items.k) + 2)
    # The best orders of lists with 1, 2, ... relevant items; beyond k their gain stays the same.
    scales = 1 / np.cumsum(discounts)
    fewer = np.tensordot(
        hankel(scales - scales[-1]), poisson_chances(items.relevant_below, items.k), 1
    )
    return _mean_product(discounts, scales[-1] + fewer, items)


@_measure("MRR", of_first_k=False)
def mean_reciprocal_rank(items: ItemsAround) -> Array:
    """Compute the mean of 1/rank of the first relevant item (Eq. 35 of Beddar-Wiesing et al.)."""
    first = np.exp(-items.relevant_above)
    return first * mean_reciprocals(items.others_above, 1)[0]


def _mean_by_rank(gains: Array, items: ItemsAround) -> Array:
    """Compute the mean gain of an item's rank; gains have the shape (k,)."""
    above = poisson_chances(items.relevant_above + items.others_above, items.k)
    return np.tensordot(gains, above, 1)


def _mean_product(gains: Array, scales: Array, items: ItemsAround) -> Array:
    """Compute the mean gain of an item's rank times a scale by the number of relevant items.

    Parameters
    ----------
    gains
        Gains by rank, (k,).
    scales
        Mean of the scale with 0, 1, ..., k - 1 relevant items above, (k, items).
    """
    relevant = poisson_chances(items.relevant_above, items.k)
    # With b relevant and c other items above, the rank is 1 + b + c: a Hankel matrix of b and c.
    gain = np.tensordot(hankel(gains), poisson_chances(items.others_above, items.k), 1)
    return np.einsum("bi,bi,bi->i", relevant, scales, gain)


def poisson_chances(mean: Array, k: int) -> Array:
    """Return the chances that Poisson numbers are 0, 1, ..., k - 1, (k, *shape of the means)."""
    chances = np.empty((k, *mean.shape))
    chances[0] = np.exp(-mean)
    for number in range(1, k):
        np.multiply(chances[number - 1], mean / number, out=chances[number])
    return chances


def mean_reciprocals(mean: Array, k: int) -> Array:
    """Return the means of 1/(1 + b + a Poisson number) for b = 0, ..., k - 1, (k, *shape of mean).

    The mean for b is I(b), the integral of t^b exp(-mean (1 - t)) over t from 0 to 1. By parts,
    b I(b - 1) + mean I(b) = 1. The recurrence is stable upward while b <= mean, and downward
    beyond.
    """
    reciprocals = np.empty((k, *mean.shape))
    with np.errstate(all="ignore"):  # values from the unstable part are replaced below
        reciprocals[0] = -np.expm1(-mean) / mean
        for b in range(1, k):
            reciprocals[b] = (1 - b * reciprocals[b - 1]) / mean
    few = mean < k
    means = mean[few]
    start = 2 * k + MORE_THAN_K
    downward = 1 / (1 + start + means)
    for b in range(start, 0, -1):
        downward = (1 - means * downward) / b
        if b <= k:
            reciprocals[b - 1, few] = np.where(means < b, downward, reciprocals[b - 1, few])
    return reciprocals


RANKING_MEASURES: Registry[RankingMeasure] = Registry(
    "measure", declared_in(RankingMeasure, sys.modules[__name__])
)
"""Declared measures by their keys."""


class RankingModel(NamedTuple):
    """A list with a mean number of items, of which the first k count."""

    items: int
    k: int

    def value(
        self, measure: RankingMeasure, auc: ArrayLike, negatives_per_positive: ArrayLike
    ) -> Array:
        """Compute the mean of a measure over lists that have a relevant item.

        Parameters
        ----------
        measure
            One of :data:`RANKING_MEASURES`, or another measure.
        auc
            Quality of the ranking, in [1/2, 1].
        negatives_per_positive
            Irrelevant items for each relevant one, in the mean of all lists, above 0.

        Returns
        -------
        Values with the broadcast shape of the two; their error is below 1e-11.
        """
        auc, odds = np.broadcast_arrays(np.asarray(auc, float), negatives_per_positive)
        relevant = self.items / (1 + odds.ravel())
        distance = np.sqrt(2) * ndtri(auc.ravel())
        scores = self._scores()
        values = np.empty(auc.size)
        lists = max(1, VALUES_AT_A_TIME // scores.size)
        by_distance = np.argsort(distance)  # those of one quality share their normal probabilities
        for start in range(0, auc.size, lists):
            part = by_distance[start : start + lists]
            values[part] = self._of_lists(measure, distance[part], relevant[part], scores)
        return values.reshape(auc.shape)

    def _scores(self) -> Array:
        """Return the nodes of the trapezoidal rule.

        The first k items end at a score z beyond which there are k, give or take sqrt(k). There,
        the number of items falls by a factor of about exp(-z) per unit of score.
        """
        reach = -ndtri(ITEMS_OUT_OF_REACH / self.items)
        end = max(1.0, -ndtri(min(0.5, self.k / self.items)))
        border = 1 / (end * np.sqrt(self.k))
        steps = np.ceil(reach / min(LARGEST_STEP, border / STEPS_OF_THE_BORDER))
        return np.arange(-steps, steps + 1) * (reach / steps)

    def _of_lists(
        self, measure: RankingMeasure, distance: Array, relevant: Array, z: Array
    ) -> Array:
        density = (z[1] - z[0]) * np.exp(-(z**2) / 2) / np.sqrt(2 * np.pi)
        relevant_above = relevant[:, np.newaxis] * ndtr(-z)
        relevant_below = relevant[:, np.newaxis] * ndtr(z)
        others = (self.items - relevant)[:, np.newaxis]
        distances, row = np.unique(distance, return_inverse=True)
        others_above = others * ndtr(-z - distances[:, np.newaxis])[row]
        above = relevant_above + others_above if measure.of_first_k else relevant_above
        near = above < self._most_above
        items = ItemsAround(self.k, relevant_above[near], relevant_below[near], others_above[near])
        contributions = np.zeros(above.shape)
        contributions[near] = measure.contribution(items)
        not_empty = -np.expm1(-relevant)
        return relevant / not_empty * (contributions @ density)

    @property
    def _most_above(self) -> float:
        """Mean number of items above an item, beyond which its chance to be among the first k is
        below 1e-22."""
        return self.k + 10 * self.k**0.5 + 40


def ranking_shifts(
    model: RankingModel,
    levels: Sequence[Level],
    baseline: Level,
    *,
    measures: Collection[RankingMeasure] = RANKING_MEASURES.values(),
) -> pd.DataFrame:
    """Compute each measure's mean over all qualities, and its mean distance from the baseline.

    Both are means over an AUC that is uniform from 1/2 to 1.

    Returns
    -------
    Frame with the columns measure, level, random (at AUC 1/2), perfect (at AUC 1), mean,
    mean_shift, error_estimate, type; the baseline is the first row of each measure.
    """
    ordered = [baseline, *(level for level in levels if level != baseline)]
    parts = [_shifts(model, measure, ordered) for measure in measures]
    return pd.concat(parts, ignore_index=True)


def _shifts(model: RankingModel, measure: RankingMeasure, levels: Sequence[Level]) -> pd.DataFrame:
    """Return the rows of one measure at levels, the first of which is the baseline."""
    nodes, _, weights = tanh_sinh()
    auc = np.append((1 + nodes) / 2, [0.5, 1.0])
    values = np.array([model.value(measure, auc, level.negatives(1)) for level in levels])
    values, ends = values[:, :-2], values[:, -2:]
    distances = np.abs(values - values[0])
    shifts, coarse = distances @ weights, 2 * distances[:, ::2] @ weights[::2]
    return pd.DataFrame(
        {
            "measure": measure.key,
            "level": list(map(str, levels)),
            "random": ends[:, 0],
            "perfect": ends[:, 1],
            "mean": [means @ weights for means in values],
            "mean_shift": shifts,
            "error_estimate": np.abs(shifts - coarse),
            "type": behavior_type([shift > ROUNDED_SHIFT for shift in shifts[1:]]),
        }
    )
