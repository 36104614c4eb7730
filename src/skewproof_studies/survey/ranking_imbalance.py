"""Shares of the variance of ranking measures due to the ranking and to the share of relevant items.

Lists are those of :mod:`skewproof.audits.choosing.poisson_lists`. Their measures are examined
exactly and by sampling.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence

import numpy as np
import pandas as pd

from skewproof.audits.choosing.poisson_lists import (
    RANKING_MEASURES,
    RankingMeasure,
    RankingModel,
)
from skewproof.core.algebra import Value
from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.levels import Level
from skewproof.core.metric import Metric
from skewproof.sensitivity.quadrature.exact import exact_indices
from skewproof.sensitivity.sampling.replicates import ReplicatedIndices, scrambled_indices
from skewproof_studies.survey.cluster_imbalance import index_rows

RANKING_INPUTS = ("quality", "share")
"""Inputs: the AUC, uniform from 1/2 to 1, and the share of relevant items, whose odds are
log-uniform between those of two levels. Indices hold over this distribution, and means over that of
the AUC."""

LOG = logging.getLogger(__name__)


def ranking_metric(model: RankingModel, measure: RankingMeasure, levels: Sequence[Level]) -> Metric:
    """Return a measure as a metric, with tp/P as the quality and fp/N as the share."""
    low, high = (np.log(level.negatives(1)) for level in _ends(levels))

    def formula(c: ConfusionMatrix) -> Value:
        odds = np.exp(low + (high - low) * c.fpr)
        return model.value(measure, (1 + c.tpr) / 2, odds)

    return Metric(measure.key, measure.symbol, measure.symbol, "the survey", formula)


def _ends(levels: Sequence[Level]) -> tuple[Level, Level]:
    """Return the levels with the most and with the fewest relevant items."""
    ordered = sorted(levels, key=lambda level: level.negatives(1))
    return ordered[0], ordered[-1]


def ranking_sensitivity(
    model: RankingModel,
    levels: Sequence[Level],
    *,
    replicates: int,
    log2_samples: int,
    seed: int,
) -> pd.DataFrame:
    """Compute indices of each measure with respect to the quality and the share of relevant items.

    Parameters
    ----------
    model
        The lists.
    levels
        The odds of relevance are log-uniform between the largest and the smallest of these levels.
    replicates, log2_samples, seed
        As for :func:`skewproof_studies.survey.cluster_imbalance.cluster_sensitivity`.

    Returns
    -------
    Frame with the columns measure, from_level, to_level (the range of the share), input ("quality",
    "share"), s1, st (exact), error_estimate, sampled_s1, s1_standard_error, sampled_st,
    st_standard_error. Indices are shares of the variance over the inputs' distribution
    (:data:`RANKING_INPUTS`), and differ over other distributions.
    """
    first, last = map(str, _ends(levels))
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
    for index, metric in enumerate(metrics):
        labels = {"measure": metric.key, "from_level": first, "to_level": last}
        parts.append(index_rows(labels, RANKING_INPUTS, exact, sampled, index))
    return pd.concat(parts, ignore_index=True)
