"""Do measures of a ranked list measure the ranking, or the share of relevant items?

Lists are those of :mod:`skewproof.studies.survey.poisson_lists`; their measures are examined
exactly, and by sampling.
"""

from __future__ import annotations

import logging
from collections.abc import Collection, Sequence

import numpy as np
import pandas as pd

from skewproof.core.algebra import Value
from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.levels import Level
from skewproof.core.metric import Metric
from skewproof.core.tanh_sinh import tanh_sinh
from skewproof.sensitivity.exact import exact_indices
from skewproof.sensitivity.replicates import ReplicatedIndices, scrambled_indices
from skewproof.sensitivity.types import ROUNDED_SHIFT, behavior_type
from skewproof.studies.survey.exact_and_sampled import ExactMeasure, index_rows
from skewproof.studies.survey.poisson_lists import (
    RANKING_MEASURES,
    RankingMeasure,
    RankingModel,
)

RANKING_INPUTS = ("quality", "share")
"""AUC, uniform from 1/2 to 1, and share of relevant items, its odds log-uniform over the levels."""

LARGEST_AUC = 1 - 1e-15
"""The last nodes of the tanh-sinh rule are 1 in floating point."""

LOG = logging.getLogger(__name__)


def ranking_metric(model: RankingModel, measure: RankingMeasure, levels: Sequence[Level]) -> Metric:
    """A measure as a metric, for the project's instruments: tp/P is the quality, fp/N the share."""
    ends = np.log([level.negatives(1) for level in levels])
    low, high = ends.min(), ends.max()

    def formula(c: ConfusionMatrix) -> Value:
        odds = np.exp(low + (high - low) * c.fpr)
        return model.value(measure, np.minimum((1 + c.tpr) / 2, LARGEST_AUC), odds)

    return Metric(measure.key, measure.symbol, measure.symbol, "the survey", formula)


def ranking_sensitivity(
    model: RankingModel,
    levels: Sequence[Level],
    *,
    replicates: int,
    log2_samples: int,
    seed: int,
) -> pd.DataFrame:
    """Indices of each measure with respect to the quality and to the share of relevant items.

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
    metrics = [ranking_metric(model, measure, levels) for measure in RANKING_MEASURES.values()]
    exact = exact_indices(metrics, positives=1, negatives=1)
    estimates = []
    for estimate in scrambled_indices(
        metrics, Level(1, 1), 1, log2_samples=log2_samples, replicates=replicates, seed=seed
    ):
        estimates.append(estimate)
        LOG.info("scramble %d of %d", len(estimates), replicates)
    sampled = ReplicatedIndices.of(estimates)
    parts = []
    for place, metric in enumerate(metrics):
        numbers = ExactMeasure.of(exact, place)
        parts.append(index_rows({"measure": metric.key}, RANKING_INPUTS, numbers, sampled, place))
    return pd.concat(parts, ignore_index=True)


def ranking_shifts(
    model: RankingModel,
    levels: Sequence[Level],
    baseline: Level,
    *,
    measures: Collection[RankingMeasure] = RANKING_MEASURES.values(),
) -> pd.DataFrame:
    """Mean of each measure over all qualities, and its mean distance from the baseline.

    Returns
    -------
    Frame with the columns measure, level, random (at AUC 1/2), mean, mean_shift, error_estimate,
    type; the baseline is the first row of each measure.
    """
    places = [baseline, *(level for level in levels if level != baseline)]
    parts = [_shifts(model, measure, places) for measure in measures]
    return pd.concat(parts, ignore_index=True)


def _shifts(model: RankingModel, measure: RankingMeasure, places: Sequence[Level]) -> pd.DataFrame:
    """The rows of one measure at levels, the first of which is the baseline."""
    nodes, _, weights = tanh_sinh()
    auc = np.minimum((1 + nodes) / 2, LARGEST_AUC)
    values = np.array([model.value(measure, auc, place.negatives(1)) for place in places])
    distances = np.abs(values - values[0])
    shifts, coarse = distances @ weights, 2 * distances[:, ::2] @ weights[::2]
    return pd.DataFrame(
        {
            "measure": measure.key,
            "level": [str(place) for place in places],
            "random": [float(model.value(measure, 0.5, place.negatives(1))) for place in places],
            "mean": [own @ weights for own in values],
            "mean_shift": shifts,
            "error_estimate": np.abs(shifts - coarse),
            "type": behavior_type([shift > ROUNDED_SHIFT for shift in shifts[1:]]),
        }
    )
