"""Do measures of a ranked list measure the ranking, or the share of relevant items?

Scores of relevant items are normal with the mean d, those of the others standard normal, so that
the quality of the ranking is its AUC, Phi(d/sqrt 2). The list is a Poisson process: items of both
kinds arrive independently, so many on average. Then the rank of a relevant item is 1 and a Poisson
number of items above it, and the expected measures are integrals over one score.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy.special import gammaln, ndtr, ndtri

from skewproof.core.algebra import Array, Value
from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.levels import Level
from skewproof.core.metric import Metric
from skewproof.core.tanh_sinh import tanh_sinh
from skewproof.sensitivity.exact import exact_indices
from skewproof.sensitivity.sampled import sobol_indices
from skewproof.sensitivity.types import ROUNDED_SHIFT, behavior_type

RANKING_INPUTS = ("quality", "share")
"""AUC, uniform from 1/2 to 1, and share of relevant items, its odds log-uniform over the levels."""

STEP, REACH = 0.05, 8.0
"""Of the trapezoidal rule over the relevant item's score: it converges exponentially, and beyond
the reach there is 1e-15 of the items."""

MANY = 700.0
"""Items above a relevant one beyond which it has no part in the first k (and exp is 0)."""

BEST = 1 - 1e-15
"""Largest AUC: the last nodes of the tanh-sinh rule are 1 in floating point."""

BLOCK = 2**11
"""Rankings evaluated at a time."""


LOG = logging.getLogger(__name__)


class RankingModel(NamedTuple):
    """A list of so many items on average, of which the first k are looked at."""

    items: int
    k: int

    def rank_weights(self, relevant: Array) -> dict[str, Array]:
        """What a relevant item at each of the first k ranks adds to a measure, shape (..., k)."""
        ranks = np.arange(1, self.k + 1)
        discounts = 1 / np.log2(ranks + 1)
        # With fewer than k relevant items the best list has no more; a fraction counts as one.
        ideal = np.clip(relevant[..., np.newaxis] - ranks + 1, 0, 1) @ discounts
        ones = np.ones((*relevant.shape, self.k))
        return {
            "precision_at_k": ones / self.k,
            "average_precision_at_k": ones * np.cumsum(1 / ranks[::-1])[::-1] / self.k,
            "recall_at_k": ones / relevant[..., np.newaxis],
            "ndcg": discounts / ideal[..., np.newaxis],
        }

    def value(self, measure: str, auc: ArrayLike, negatives_per_positive: ArrayLike) -> Array:
        """Expected value of a measure.

        Parameters
        ----------
        measure
            A key of :data:`RANKING_MEASURES`.
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
        for start in range(0, auc.size, BLOCK):
            part = slice(start, start + BLOCK)
            values[part] = self._block(measure, distance[part], relevant[part])
        return values.reshape(auc.shape)

    def _block(self, measure: str, distance: Array, relevant: Array) -> Array:
        z = np.arange(-REACH, REACH + STEP / 2, STEP)
        density = STEP * np.exp(-(z**2) / 2) / np.sqrt(2 * np.pi)
        relevant_above = relevant[:, np.newaxis] * ndtr(-z)
        others_above = (self.items - relevant)[:, np.newaxis] * ndtr(-z - distance[:, np.newaxis])
        if measure == "mean_reciprocal_rank":
            # 1/(1 + a Poisson number) is (1 - exp(-m))/m in the mean.
            reciprocal = -np.expm1(-others_above) / np.maximum(others_above, 1e-300)
            first = np.exp(-relevant_above)
            return relevant * ((first * reciprocal) @ density)
        above = np.minimum(relevant_above + others_above, MANY)
        weights = self.rank_weights(relevant)[measure]
        coefficients = weights * np.exp(-gammaln(np.arange(1, self.k + 1)))
        series = np.zeros_like(above)
        for coefficient in coefficients.T[::-1]:
            series = series * above + coefficient[:, np.newaxis]
        return relevant * ((series * np.exp(-above)) @ density)


RANKING_MEASURES = {
    "precision_at_k": "P@k",
    "average_precision_at_k": "AP@k",
    "recall_at_k": "R@k",
    "ndcg": "nDCG@k",
    "mean_reciprocal_rank": "MRR",
}
"""Keys of the catalogue, with the measures' symbols."""


def ranking_metric(model: RankingModel, measure: str, levels: Sequence[Level]) -> Metric:
    """A measure as a metric, for the project's instruments: tp/P is the quality, fp/N the share."""
    ends = np.log([level.negatives(1) for level in levels])
    low, high = ends.min(), ends.max()

    def formula(c: ConfusionMatrix) -> Value:
        odds = np.exp(low + (high - low) * c.fpr)
        return model.value(measure, np.minimum((1 + c.tpr) / 2, BEST), odds)

    return Metric(
        measure, RANKING_MEASURES[measure], RANKING_MEASURES[measure], "the survey", formula
    )


def ranking_sensitivity(
    model: RankingModel,
    levels: Sequence[Level],
    *,
    replicates: int,
    log2_samples: int,
    seed: int,
) -> pd.DataFrame:
    """Indices of five measures with respect to the quality and to the share of relevant items.

    Parameters
    ----------
    model
        The lists.
    levels
        Between whose odds the share is drawn, log-uniformly.
    replicates, log2_samples, seed
        As for :func:`skewproof.studies.survey.cluster_imbalance.cluster_sensitivity`.

    Returns
    -------
    Frame with the columns measure, input ("quality", "share"), s1, st (exact), error_estimate,
    sampled_s1, s1_standard_error, sampled_st, st_standard_error.
    """
    metrics = [ranking_metric(model, key, levels) for key in RANKING_MEASURES]
    exact = exact_indices(metrics, positives=1, negatives=1)
    sampled = []
    for replicate in range(replicates):
        found = sobol_indices(
            metrics,
            Level(1, 1),
            1,
            log2_samples=log2_samples,
            resamples=0,
            confidence=0.95,
            seed=(seed, replicate),
        )
        sampled.append((found.s1, found.st))
        LOG.info("scramble %d of %d", replicate + 1, replicates)
    means, errors = np.mean(sampled, axis=0), np.std(sampled, axis=0, ddof=1) / np.sqrt(replicates)
    rows = []
    for place, key in enumerate(RANKING_MEASURES):
        for j, name in enumerate(RANKING_INPUTS):
            numbers = (exact.s1[place, j], exact.st[place, j], exact.index_error[place])
            by_sampling = [x[kind, place, j] for kind in (0, 1) for x in (means, errors)]
            rows.append((key, name, *numbers, *by_sampling))
    columns = ["measure", "input", "s1", "st", "error_estimate", "sampled_s1"]
    return pd.DataFrame(
        rows, columns=[*columns, "s1_standard_error", "sampled_st", "st_standard_error"]
    )


def ranking_shifts(model: RankingModel, levels: Sequence[Level], baseline: Level) -> pd.DataFrame:
    """Mean of each measure over all qualities, and its mean distance from the baseline.

    Returns
    -------
    Frame with the columns measure, level, random (at AUC 1/2), mean, mean_shift, error_estimate,
    type; the baseline is the first row of each measure.
    """
    nodes, _, weights = tanh_sinh()
    auc = np.minimum((1 + nodes) / 2, BEST)
    others = [level for level in levels if level != baseline]
    rows = []
    for measure in RANKING_MEASURES:
        values = [model.value(measure, auc, level.negatives(1)) for level in [baseline, *others]]
        distances = np.abs(np.array(values) - values[0])
        shifts, coarse = distances @ weights, 2 * distances[:, ::2] @ weights[::2]
        kind = behavior_type([shift > ROUNDED_SHIFT for shift in shifts[1:]])
        for level, own, shift, error in zip(
            [baseline, *others], values, shifts, np.abs(shifts - coarse), strict=True
        ):
            at_random = float(model.value(measure, 0.5, level.negatives(1)))
            rows.append((measure, str(level), at_random, own @ weights, shift, error, kind))
    columns = ["measure", "level", "random", "mean", "mean_shift", "error_estimate", "type"]
    return pd.DataFrame(rows, columns=columns)
