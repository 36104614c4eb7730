"""First-order and total Sobol' indices with bootstrap half-widths, as SALib's, but in batches."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from skewproof.core.algebra import Array
from skewproof.core.arguments import (
    expect,
    expect_confidence,
    expect_flag,
    expect_number,
    expect_policy,
    expect_whole,
    is_whole,
)
from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.levels import Level
from skewproof.core.messages import fields_shown
from skewproof.core.metric import Metric, expect_metrics
from skewproof.sensitivity.classifiers import (
    UNIFORM,
    Classifiers,
    MeasuredClassifiers,
    refuse_no_classifiers,
)
from skewproof.sensitivity.sampling.resampling import BLOCK
from skewproof.sensitivity.sampling.saltelli import MOST_LOG2_SAMPLES, saltelli_blocks
from skewproof.sensitivity.sampling.sums import Sums, resampled_sums

SamplePolicy = Literal["error", "omit"] | float
"""Treatment of an undefined sample value: raise an error, leave out its base point, or replace it
with a number."""

POLICIES = "error", "omit"
"""The policies that are not numbers."""

LOG2_CENTERED = 8
"""Base-2 logarithm of the number of base points that estimate the mean to subtract."""

MOST_RESAMPLES = 1_000_000
"""Largest number of resamples."""


class NoIndicesError(ValueError):
    """An error for a metric that is constant or undefined at every base point."""


class SampledIndices(NamedTuple):
    """Indices of several metrics.

    The second axis is that of :data:`skewproof.core.confusion.INPUTS`.
    """

    s1: Array
    """Shape (metrics, 2), the share of the variance that each input explains alone."""

    s1_conf: Array
    """Shape (metrics, 2), half-width of the bootstrap interval of each first-order index."""

    st: Array
    """Shape (metrics, 2), the share of the variance that each input has a part in; NaN if total
    indices were not requested."""

    st_conf: Array
    """Shape (metrics, 2), half-width of the bootstrap interval of each total index."""

    undefined: NDArray[np.int64]
    """Shape (metrics,), the number of base points at which the metric is undefined in one of the
    four rows."""

    def __repr__(self) -> str:
        return fields_shown(self)


def sobol_indices(
    metrics: Sequence[Metric],
    level: Level,
    positives: float,
    *,
    log2_samples: int,
    resamples: int,
    confidence: float = 0.95,
    seed: int | tuple[int, ...],
    undefined: SamplePolicy = "error",
    total: bool = True,
    threads: int = 1,
    classifiers: Classifiers | MeasuredClassifiers = UNIFORM,
) -> SampledIndices:
    """Estimate the Sobol' indices of metrics with respect to tp and fp at one level.

    The estimators are those of Table 2, b and f, of Saltelli et al. 2010, normalized by the
    variance over A and B. The half-width is the normal quantile times the standard deviation over
    bootstrap resamples of the base points. Both equal SALib's up to rounding. If base points times
    resamples exceed 2^27, the resamples are different ones of the same distribution
    (:func:`skewproof.sensitivity.sampling.resampling.block_counts`), and memory does not grow with
    base points any more.

    Parameters
    ----------
    metrics
        The metrics; memory grows with their number, and time is proportional to it.
    level, positives
        Imbalance level, and the size of the positive class.
    log2_samples
        Base-2 logarithm of the number of base points, from 0 to 30.
    resamples
        Number of bootstrap resamples, at least 2; with 0, half-widths are NaN.
    confidence
        Level of the bootstrap intervals, in (0, 1).
    seed
        Seed of the level's scramble and of the resamples: a number of at least 0, or several.
    undefined
        Treatment of undefined values: "error" raises, "omit" leaves out their base points, and a
        number replaces them.
    total
        True to estimate total indices, a quarter of the work of the matrix products; with False
        they are NaN.
    threads
        Number of threads that resample, at least 1; if there are several, the calling thread
        evaluates the metrics meanwhile. Results are bitwise the same for any number.
    classifiers
        The distribution of true and false positive rates to which the sample is mapped; the indices
        are those of its inputs.

    Raises
    ------
    ValueError
        If a metric is undefined at a sample point and the policy is "error"; if there is no metric;
        if an option is out of range; if the classifiers are measured ones, which have no indices.
    NoIndicesError
        If a metric is constant, or undefined at all base points and the policy is "omit".

    Examples
    --------
    >>> from skewproof import Level
    >>> from skewproof.metrics import accuracy
    >>> from skewproof.sensitivity import sobol_indices
    >>> options = {"log2_samples": 10, "resamples": 20, "seed": 1}
    >>> sobol_indices([accuracy], Level(1, 2), 100, **options).s1.round(2).tolist()
    [[0.2, 0.8]]
    """
    refuse_no_classifiers(classifiers)
    if isinstance(classifiers, MeasuredClassifiers):
        raise ValueError("measured classifiers have no indices: expected a distribution")
    expect_confidence("confidence", confidence)
    expect_number("positives", positives, above=0)
    level = Level.given(level, "level")
    expect_flag("total", total)
    expect_whole("log2_samples", log2_samples, 0, MOST_LOG2_SAMPLES)
    expect_policy(undefined, *POLICIES)
    expect_metrics(metrics)
    seeds = seed if isinstance(seed, tuple) else (seed,)
    fits = all(map(is_whole, seeds))
    expect(fits, "seed", seed, "a whole number of at least 0, or a tuple of such")
    several = is_whole(resamples, most=MOST_RESAMPLES) and resamples != 1
    expected = f"0 or a whole number of at least 2 and at most {MOST_RESAMPLES:,}"
    expect(several, "resamples", resamples, expected)
    expect_whole("threads", threads, 1)
    samples = 2**log2_samples
    design = functools.partial(
        saltelli_blocks, level, positives, seed=seed, classifiers=classifiers
    )
    sum_up = functools.partial(
        resampled_sums,
        level=level,
        resamples=resamples,
        seed=seed,
        substitute=None if isinstance(undefined, str) else undefined,
        total=total,
        threads=threads,
    )
    [beginning] = design(log2_samples=min(log2_samples, LOG2_CENTERED))
    center = _center(metrics, beginning, undefined)
    values = (_evaluated(metrics, matrix) for matrix in design(log2_samples=log2_samples))
    sums = sum_up(values, samples=samples, center=center)
    if undefined == "error":
        refuse_undefined([metric.key for metric in metrics], sums.undefined, samples, level)
    indices = _indices(sums, metrics, samples, confidence)
    if undefined == "omit":
        for position in map(int, np.flatnonzero(sums.undefined)):
            metric, kept = metrics[position], samples - int(sums.undefined[position])
            if not kept:
                raise NoIndicesError(
                    f"{metric.key} is undefined at every base point: no base point is left"
                )
            defined = _defined(metric, design(log2_samples=log2_samples))
            metric_sums = sum_up(defined, samples=kept, center=center[[position]])
            metric_indices = _indices(metric_sums, [metric], kept, confidence)
            for estimates, estimate in zip(indices[:-1], metric_indices[:-1], strict=True):
                estimates[position] = estimate[0]
    return indices


def _evaluated(metrics: Sequence[Metric], matrix: ConfusionMatrix) -> Iterator[Array]:
    """Evaluate each metric, shape (2, 2, block), on one block of the design."""
    shape = (2, 2, matrix.tp.shape[-1])
    return (np.broadcast_to(metric(matrix), shape) for metric in metrics)


def _center(
    metrics: Sequence[Metric], beginning: ConfusionMatrix, undefined: SamplePolicy
) -> Array:
    """Estimate each metric's mean from the beginning of the sample, or 0 if undefined there."""
    values = np.stack(list(_evaluated(metrics, beginning)))
    defined = np.isfinite(values)
    if isinstance(undefined, str):
        counts = np.maximum(1, defined.sum(axis=(1, 2, 3)))
        return np.asarray(values.sum(axis=(1, 2, 3), where=defined) / counts)
    return np.where(defined, values, undefined).mean(axis=(1, 2, 3))


def _defined(metric: Metric, design: Iterator[ConfusionMatrix]) -> Iterator[list[Array]]:
    """Select values at the base points where all four are defined, in blocks again."""
    waiting = np.empty((2, 2, 0))
    for matrix in design:
        [values] = _evaluated([metric], matrix)
        kept = values[..., np.isfinite(values).all(axis=(0, 1))]
        waiting = np.concatenate([waiting, kept], axis=-1)
        while waiting.shape[-1] >= BLOCK:
            yield [waiting[..., :BLOCK]]
            waiting = waiting[..., BLOCK:]
    if waiting.size:
        yield [waiting]


def _indices(
    sums: Sums, metrics: Sequence[Metric], samples: int, confidence: float
) -> SampledIndices:
    """Compute estimates from the sums over all base points."""
    s1, st = _replicates(sums, metrics, samples)
    if len(s1) == 1:
        unknown = np.full_like(s1[0], np.nan)
        return SampledIndices(s1[0], unknown, st[0], unknown.copy(), sums.undefined)
    quantile = ndtri(0.5 + confidence / 2)
    s1_conf, st_conf = (quantile * estimates[1:].std(axis=0, ddof=1) for estimates in (s1, st))
    return SampledIndices(s1[0], s1_conf, st[0], st_conf, sums.undefined)


def _replicates(sums: Sums, metrics: Sequence[Metric], samples: int) -> tuple[Array, Array]:
    """Compute S1 and ST of the sample and of each resample, shape (1 + resamples, metrics, 2)."""
    means, offset = sums.columns / samples, sums.centered / (4 * samples)
    variance = means[:, 1] / 2 - (means[:, 0] / 2) ** 2
    # Rounding causes about this much variance of a constant.
    constant = variance[0] <= (1e-14 * sums.center) ** 2
    for metric, value in itertools.compress(zip(metrics, sums.center, strict=True), constant):
        refuse_constant(metric.key, value)
    # SALib centers at the mean of all four rows, which our center approximates.
    s1 = _ratio(means[:, 4:6] - offset * means[:, 2:4], variance)
    st = _ratio(means[:, 6:8] / 2, variance) if means.shape[1] > 6 else np.full_like(s1, np.nan)
    return s1.swapaxes(1, 2), st.swapaxes(1, 2)


def _ratio(numerators: Array, variance: Array) -> Array:
    """Divide numerators, (resamples, 2, metrics), by variances; as in SALib, the result is 0 if all
    values drawn are the same."""
    varies = variance > np.finfo(float).eps * variance[0]
    varies, variance = (
        np.broadcast_to(x[:, np.newaxis], numerators.shape) for x in (varies, variance)
    )
    return np.divide(numerators, variance, out=np.zeros_like(numerators), where=varies)


def refuse_undefined(
    keys: Sequence[str], touched: NDArray[np.int64], samples: int, level: Level
) -> None:
    """Refuse metrics that are undefined at some base points.

    Raises
    ------
    ValueError
        If there are such metrics; the message has each of them with the number of base points.
    """
    if touched.any():
        raise ValueError(
            "; ".join(
                f"{key} is undefined at {count} of {samples} base points at {level}"
                for key, count in zip(keys, touched, strict=True)
                if count
            )
            + ": expected defined values under the policy error"
        )


def refuse_constant(key: str, value: float) -> None:
    """Refuse a constant metric.

    Raises
    ------
    NoIndicesError
        Always; the message has the metric and its value.
    """
    raise NoIndicesError(f"{key} is constant ({value}): expected a metric that varies")
