"""Errors of sampled indices and their half-widths, as functions of the number of base points."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import pandas as pd

from skewproof.core.arguments import expect, expect_whole
from skewproof.core.confusion import INPUTS
from skewproof.core.levels import Level
from skewproof.core.metric import Metric
from skewproof.sensitivity.quadrature.exact import ExactIndices, exact_indices
from skewproof.sensitivity.sampling.saltelli import MOST_LOG2_SAMPLES
from skewproof.sensitivity.sampling.sampled import SamplePolicy, sobol_indices


def convergence(
    metrics: Sequence[Metric],
    levels: Sequence[Level],
    positives: float,
    *,
    log2_samples: Iterable[int],
    resamples: int,
    confidence: float,
    seed: int,
    undefined: SamplePolicy = "error",
) -> pd.DataFrame:
    """Compare sampled first-order indices with the exact ones.

    Parameters
    ----------
    metrics, positives, resamples, confidence, seed, undefined
        As for :func:`skewproof.sensitivity.sampling.sampled.sobol_indices`.
    levels
        Imbalance levels.
    log2_samples
        Base-2 logarithms of the numbers of base points. All use the same scramble, so that each
        sample extends the previous one.

    Returns
    -------
    Frame with the columns metric, level, input, log2_samples, error (absolute), s1_conf.

    Raises
    ------
    ValueError
        If there is no metric, level or number of base points, or an option is out of its range.
    """
    several = isinstance(log2_samples, Iterable) and not isinstance(log2_samples, str)
    powers: list[Any] = list(log2_samples) if several else []
    expect(bool(powers), "log2_samples", log2_samples, "a list of at least one whole number")
    for power in powers:
        expect_whole("log2_samples", power, 0, MOST_LOG2_SAMPLES)
    if not len(levels):
        raise ValueError("levels is empty: expected at least one")
    exact: dict[Level, ExactIndices] = {}
    parts = []
    # All levels share the resamples of a sample size, which are kept until the next size.
    for power, level in itertools.product(powers, levels):
        sampled = sobol_indices(
            metrics,
            level,
            positives,
            log2_samples=power,
            resamples=resamples,
            confidence=confidence,
            seed=seed,
            undefined=undefined,
            total=False,
        )
        if level not in exact:
            negatives = level.negatives(positives)
            exact[level] = exact_indices(metrics, positives=positives, negatives=negatives)
        parts.append(
            pd.DataFrame(
                {
                    "metric": np.repeat([metric.key for metric in metrics], len(INPUTS)),
                    "level": str(level),
                    "input": np.tile(INPUTS, len(metrics)),
                    "log2_samples": power,
                    "error": np.abs(sampled.s1 - exact[level].s1).ravel(),
                    "s1_conf": sampled.s1_conf.ravel(),
                }
            )
        )
    return pd.concat(parts)
