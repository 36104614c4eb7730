"""Shifts of measures of a ranked list with imbalance, over all qualities of the ranking."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np
import pandas as pd

from skewproof.audits.choosing.poisson_lists import (
    RANKING_MEASURES,
    RankingMeasure,
    RankingModel,
)
from skewproof.core.levels import Level
from skewproof.sensitivity.behavior_types import ROUNDED_SHIFT, behavior_type
from skewproof.sensitivity.quadrature.tanh_sinh import tanh_sinh


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
