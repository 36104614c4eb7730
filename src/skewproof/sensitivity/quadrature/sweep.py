"""Curves of exact indices over imbalance."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from skewproof.core.arguments import expect_number
from skewproof.core.levels import Level
from skewproof.core.metric import Metric
from skewproof.sensitivity.quadrature.exact import exact_indices


def sweep_ratios(start: Level, stop: Level, points_per_decade: int) -> NDArray[np.float64]:
    """List negatives per positive from one level to another, evenly spaced in their logarithm."""
    first, last = (np.log10(level.negatives(1)) for level in (start, stop))
    return np.logspace(first, last, 1 + round((last - first) * points_per_decade))


def sweep(
    metrics: Sequence[Metric],
    positives: float,
    *,
    start: Level,
    stop: Level,
    points_per_decade: int,
) -> pd.DataFrame:
    """Compute the exact indices of metrics from one imbalance level to another.

    Parameters
    ----------
    metrics
        The metrics.
    positives
        Size of the positive class, which is constant.
    start, stop
        First and last level; `stop` has more negatives per positive.
    points_per_decade
        Number of points per factor of ten.

    Returns
    -------
    Frame with the columns metric, negatives_per_positive, s1_tp, s1_fp, s12, error_estimate.
    """
    expect_number("positives", positives, above=0)
    parts = []
    for ratio in sweep_ratios(start, stop, points_per_decade):
        exact = exact_indices(metrics, positives=positives, negatives=positives * ratio)
        parts.append(
            pd.DataFrame(
                {
                    "metric": [metric.key for metric in metrics],
                    "negatives_per_positive": ratio,
                    "s1_tp": exact.s1[:, 0],
                    "s1_fp": exact.s1[:, 1],
                    "s12": exact.s12,
                    "error_estimate": exact.index_error,
                }
            )
        )
    return pd.concat(parts)
