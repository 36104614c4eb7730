"""First-order indices of the study, computed by SALib and by the package."""

from __future__ import annotations

import logging
import warnings
from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

import numpy as np
from SALib.analyze import sobol

from skewproof.core.algebra import Array
from skewproof.core.arguments import expect_policy
from skewproof.core.confusion import INPUTS
from skewproof.core.levels import Level
from skewproof.core.metric import Metric
from skewproof.sensitivity.sampling.sampled import (
    POLICIES,
    SamplePolicy,
    refuse_constant,
    refuse_undefined,
    sobol_indices,
)

HalfWidths = Literal["skewproof", "salib"]
"""Method for the half-widths of a study."""

INDEX_COLUMNS = [
    *("metric", "level", "positives", "negatives", "input", "s1", "s1_conf"),
    *("s1_skewproof", "s1_conf_skewproof", "s1_conf_salib", "undefined_base_points"),
]

MOST_DRAWS = 2**24
"""Largest number of draws, base points times resamples, for which SALib's half-width of one metric
is compared: SALib holds several arrays of so many numbers."""

LOG = logging.getLogger(__name__)

ROWS = 2 + len(INPUTS)
"""Number of rows of a base point: A, AB_tp, AB_fp, B."""


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
        Result of :func:`skewproof_studies.van_zyl.salib.values.metric_values`.
    resamples
        Number of bootstrap resamples, at least 1; with a single one, half-widths are NaN.
    confidence, seed, undefined
        As for :func:`skewproof.sensitivity.sampling.sampled.sobol_indices`.

    Raises
    ------
    ValueError
        As :func:`skewproof.sensitivity.sampling.sampled.sobol_indices`.
    """
    expect_policy(undefined, *POLICIES)
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
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # a single resample has no deviation
        indices = sobol.analyze(
            {"num_vars": len(INPUTS), "names": INPUTS},
            values.ravel(),
            calc_second_order=False,
            num_resamples=resamples,
            conf_level=confidence,
            # A generator instead of the seed, since SALib ignores a seed of 0.
            seed=np.random.default_rng(seed),
        )
    return Analysis(indices["S1"], indices["S1_conf"], indices["ST"], indices["ST_conf"], touched)


def level_indices(
    metrics: Sequence[Metric],
    values: str,
    level: Level,
    positives: float,
    *,
    log2_samples: int,
    resamples: int,
    confidence: float,
    seed: int,
    undefined: SamplePolicy,
    half_widths: HalfWidths,
) -> list[tuple[Any, ...]]:
    """Compute the first-order indices of metrics at one level, with SALib and with the package.

    SALib computes the index of every metric. The package computes it, too, and the half-widths of
    all metrics; SALib computes those of one metric, drawn by the seed and the level, or of all.

    Parameters
    ----------
    metrics, level, positives
        The metrics, and the level at which they were evaluated.
    values
        Path of the file that :func:`skewproof_studies.van_zyl.salib.values.write_values` wrote.
    log2_samples, resamples, confidence, seed, undefined
        As for :func:`skewproof.sensitivity.sampling.sampled.sobol_indices`.
    half_widths
        The column s1_conf is that of the package ("skewproof") or of SALib ("salib").

    Returns
    -------
    A row with the cells of INDEX_COLUMNS for each metric and input. s1 is SALib's number. A
    half-width that SALib did not compute is NaN.

    Raises
    ------
    ValueError
        As :func:`skewproof.sensitivity.sampling.sampled.sobol_indices`.
    """
    options: dict[str, Any] = {"confidence": confidence, "seed": seed, "undefined": undefined}
    ours = sobol_indices(
        metrics,
        level,
        positives,
        log2_samples=log2_samples,
        resamples=resamples,
        total=False,
        **options,
    )
    drawn = drawn_metric([metric.key for metric in metrics], level, seed)
    compared = are_compared(log2_samples, resamples)
    rows: list[tuple[Any, ...]] = []
    for number, metric in enumerate(metrics):
        by_salib = half_widths == "salib" or (compared and metric.key == drawn)
        row = np.load(values, mmap_mode="r")[number]
        salib = salib_analysis(
            metric.key, row, level, resamples=resamples if by_salib else 1, **options
        )
        s1_conf = salib.s1_conf if half_widths == "salib" else ours.s1_conf[number]
        columns = (salib.s1, s1_conf, ours.s1[number], ours.s1_conf[number], salib.s1_conf)
        rows += [
            (metric.key, str(level), positives, level.negatives(positives), *cells, salib.undefined)
            for cells in zip(INPUTS, *columns, strict=True)
        ]
        LOG.info("%s at %s", metric.key, level)
    return rows


def are_compared(log2_samples: int, resamples: int) -> bool:
    """Return whether SALib computes the half-widths of one metric per level for comparison.

    Examples
    --------
    >>> are_compared(16, 100), are_compared(20, 100)
    (True, False)
    """
    return 2**log2_samples * resamples <= MOST_DRAWS


def drawn_metric(keys: Sequence[str], level: Level, seed: int) -> str:
    """Return the metric whose half-widths are compared at a level.

    Parameters
    ----------
    keys
        The metrics to draw from.
    level, seed
        The level, and the seed of the study.
    """
    draw = np.random.default_rng([seed, level.positive_part, level.negative_part])
    return keys[int(draw.integers(len(keys)))]
