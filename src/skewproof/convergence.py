"""Error of the sampled indices against the number of base points, beside their half-widths."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import pandas as pd

from skewproof.confusion import INPUTS
from skewproof.indices import UndefinedPolicy, sobol_indices
from skewproof.levels import Level
from skewproof.quadrature import exact_indices
from skewproof.registry import Metric


def convergence(
    metrics: Sequence[Metric],
    level: Level,
    positives: float,
    *,
    log2_samples: Iterable[int],
    resamples: int,
    confidence: float,
    seed: int,
    undefined: UndefinedPolicy = "error",
) -> pd.DataFrame:
    """Compare sampled first-order indices with the exact ones at one level.

    Parameters
    ----------
    metrics, level, positives, resamples, confidence, seed, undefined
        As for :func:`skewproof.indices.sobol_indices`.
    log2_samples
        Base-2 logarithms of the numbers of base points. All take the same scramble, so that each
        sample continues the one before.

    Returns
    -------
    Frame with the columns metric, level, input, log2_samples, error (absolute), s1_conf.
    """
    negatives = level.negatives(positives)
    exact = exact_indices(metrics, positives=positives, negatives=negatives)
    parts = []
    for power in log2_samples:
        sampled = sobol_indices(
            metrics,
            level,
            positives,
            log2_samples=power,
            resamples=resamples,
            confidence=confidence,
            seed=seed,
            undefined=undefined,
        )
        parts.append(
            pd.DataFrame(
                {
                    "metric": np.repeat([metric.key for metric in metrics], len(INPUTS)),
                    "level": str(level),
                    "input": np.tile(INPUTS, len(metrics)),
                    "log2_samples": power,
                    "error": np.abs(sampled.s1 - exact.s1).ravel(),
                    "s1_conf": sampled.s1_conf.ravel(),
                }
            )
        )
    return pd.concat(parts)
