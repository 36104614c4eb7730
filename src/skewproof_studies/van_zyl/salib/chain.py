"""First stages of the study one by one, as in SALib: samples, values, analysis.

:func:`skewproof.sensitivity.sampling.sampled.sobol_indices` fuses the three stages and gives the
same numbers.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from skewproof.core.algebra import Array
from skewproof.core.arguments import expect_number, expect_policy, expect_whole
from skewproof.core.confusion import INPUTS, ConfusionMatrix
from skewproof.core.levels import Level
from skewproof.core.metric import Metric
from skewproof.sensitivity.sampling.saltelli import MOST_LOG2_SAMPLES, saltelli_blocks
from skewproof.sensitivity.sampling.sampled import (
    POLICIES,
    SamplePolicy,
    refuse_constant,
    refuse_undefined,
)

ROWS = 2 + len(INPUTS)
"""Number of rows of a base point: A, AB_tp, AB_fp, B."""


def sample(
    level: Level, positives: float, *, log2_samples: int, seed: int | tuple[int, ...]
) -> Array:
    """Return the sample of a level in SALib's layout.

    Parameters
    ----------
    level, positives, log2_samples, seed
        As for :func:`skewproof.sensitivity.sampling.saltelli.saltelli_blocks`.

    Returns
    -------
    Array of shape (4 n, 2) with tp and fp; the rows A, AB_tp, AB_fp and B of one base point after
    another.

    Raises
    ------
    ValueError
        If the class size or the number of base points is not valid.
    """
    expect_number("positives", positives, above=0)
    expect_whole("log2_samples", log2_samples, 0, MOST_LOG2_SAMPLES)
    blocks = []
    for matrix in saltelli_blocks(level, positives, log2_samples=log2_samples, seed=seed):
        points = np.stack(np.broadcast_arrays(matrix.tp, matrix.fp), axis=-1)
        blocks.append(np.stack([points[0, 0], points[1, 0], points[0, 1], points[1, 1]], axis=1))
    return np.concatenate(blocks).reshape(-1, len(INPUTS))


def metric_values(metric: Metric, points: Array, level: Level, positives: float) -> Array:
    """Return a metric at the points of a sample, shape (4 n,); NaN where it is undefined."""
    matrix = ConfusionMatrix.from_tp_fp(
        points[:, 0], points[:, 1], positives=positives, negatives=level.negatives(positives)
    )
    return np.asarray(metric(matrix), dtype=np.float64)


class Analysis(NamedTuple):
    """SALib's indices of one metric, each of shape (2,)."""

    s1: Array
    s1_conf: Array
    st: Array
    st_conf: Array

    undefined: int
    """Number of base points with an undefined value in one of the four rows."""


def salib_analysis(
    key: str,
    values: Array,
    level: Level,
    *,
    resamples: int,
    confidence: float,
    seed: int | tuple[int, ...],
    undefined: SamplePolicy = "error",
) -> Analysis:
    """Analyze a metric's values with SALib.

    Parameters
    ----------
    key, level
        The metric and level of the values, for messages.
    values
        Result of :func:`metric_values`.
    resamples, confidence, seed, undefined
        As for :func:`skewproof.sensitivity.sampling.sampled.sobol_indices`.

    Raises
    ------
    ValueError
        As :func:`skewproof.sensitivity.sampling.sampled.sobol_indices`.
    """
    expect_policy(undefined, *POLICIES)
    from SALib.analyze import sobol  # takes a second to import

    values = values.reshape(-1, ROWS)
    defined = np.isfinite(values).all(axis=1)
    touched = int(np.count_nonzero(~defined))
    if undefined == "error":
        refuse_undefined([key], np.array([touched]), len(values), level)
    elif undefined == "omit":
        values = values[defined]
    else:
        values = np.where(np.isfinite(values), values, undefined)
    if not len(values):
        raise ValueError(f"{key} is undefined at every base point: no value is left")
    if np.ptp(values[:, [0, -1]]) == 0:
        refuse_constant(key, values[0, 0])
    found = sobol.analyze(
        {"num_vars": len(INPUTS), "names": INPUTS},
        values.ravel(),
        calc_second_order=False,
        num_resamples=resamples,
        conf_level=confidence,
        # A generator instead of the seed, since SALib ignores a seed of 0.
        seed=np.random.default_rng(seed),
    )
    return Analysis(found["S1"], found["S1_conf"], found["ST"], found["ST_conf"], touched)
