"""First stages of the study as in SALib: sample, values, analysis.

:func:`skewproof.sensitivity.sampling.sampled.sobol_indices` fuses the three stages in blocks and
gives the same numbers.
"""

from __future__ import annotations

import logging
import warnings
from collections.abc import Sequence
from typing import IO, Any, Literal, NamedTuple

import numpy as np
import pandas as pd
from SALib.analyze import sobol

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
    sobol_indices,
)
from skewproof_studies.van_zyl.salib.agreement import are_compared, drawn_metric

HalfWidths = Literal["skewproof", "salib"]
"""Method for the half-widths of a study."""

INDEX_COLUMNS = [
    *("metric", "level", "positives", "negatives", "input", "s1", "s1_conf"),
    *("s1_skewproof", "s1_conf_skewproof", "s1_conf_salib", "undefined_base_points"),
]

LOG = logging.getLogger(__name__)

PART = 2**16
"""Number of points of a sample at which a metric is evaluated at once."""

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


def write_values(
    file: IO[bytes], metrics: Sequence[Metric], points: Array, level: Level, positives: float
) -> None:
    """Write the values of metrics at a sample as a NumPy array, shape (metrics, 4 n).

    Values are computed and written in parts, so that memory does not grow with the sample.
    """
    shape = (len(metrics), len(points))
    header = {"descr": "<f8", "fortran_order": False, "shape": shape}
    np.lib.format.write_array_header_1_0(file, header)
    for metric in metrics:
        for first in range(0, len(points), PART):
            part = points[first : first + PART]
            file.write(metric_values(metric, part, level, positives).astype("<f8").tobytes())


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
) -> pd.DataFrame:
    """Compute the first-order indices of metrics at one level, with SALib and with the package.

    SALib computes the index of every metric. The package computes it, too, and the half-widths of
    all metrics; SALib computes those of one metric, drawn by the seed and the level, or of all.

    Parameters
    ----------
    metrics, level, positives
        The metrics, and the level at which they were evaluated.
    values
        Path of the file that :func:`write_values` wrote.
    log2_samples, resamples, confidence, seed, undefined
        As for :func:`skewproof.sensitivity.sampling.sampled.sobol_indices`.
    half_widths
        The column s1_conf is that of the package ("skewproof") or of SALib ("salib").

    Returns
    -------
    Frame with the columns INDEX_COLUMNS, one row per metric and input. s1 is SALib's number. A
    half-width that SALib did not compute is missing.

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
    rows = []
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
    return pd.DataFrame(rows, columns=INDEX_COLUMNS)
