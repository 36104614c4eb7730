"""First-order and total Sobol' indices with bootstrap half-widths: SALib's numbers, batched.

A bootstrap replicate of an index depends on the resample only through how often each base point
was drawn. With these counts as a matrix W (resamples x base points) and the summands of all
metrics side by side as columns, ``W @ columns`` gives all replicates of all metrics at once.
"""

from __future__ import annotations

import functools
import itertools
import logging
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from skewproof.core.algebra import Array
from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.levels import Level
from skewproof.core.metric import Metric
from skewproof.sensitivity.saltelli import BLOCK, saltelli_blocks

Estimates = tuple[Array, Array, Array, Array]
"""S1, its half-width, ST and its half-width, each of shape (metrics, 2)."""

SamplePolicy = Literal["error", "omit"] | float
"""What to do with an undefined sample value: stop, leave out its base point, or put a number in
its place."""

LOG = logging.getLogger(__name__)


class SampledIndices(NamedTuple):
    """Indices of several metrics.

    The second axis is that of :data:`skewproof.core.confusion.INPUTS`.
    """

    s1: Array
    """Shape (metrics, 2), the share of the variance that each input alone explains."""

    s1_conf: Array
    """Shape (metrics, 2), half-width of the bootstrap interval of each first-order index."""

    st: Array
    """Shape (metrics, 2), the share of the variance that each input has a part in."""

    st_conf: Array
    """Shape (metrics, 2), half-width of the bootstrap interval of each total index."""

    undefined: NDArray[np.int64]
    """Shape (metrics,), at how many base points the metric is undefined in one of the four rows."""


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
) -> SampledIndices:
    """Estimate the Sobol' indices of metrics with respect to tp and fp at one level.

    The estimators are those of Saltelli et al. 2010 (Table 2, b and f), normalized by the
    variance over A and B; the half-width is the normal quantile times the standard deviation over
    bootstrap resamples of the base points. Both are SALib's, to rounding.

    Parameters
    ----------
    metrics
        The metrics; memory grows with their number, time in proportion to it.
    level, positives
        Imbalance level, and the size of the positive class.
    log2_samples
        Base-2 logarithm of the number of base points.
    resamples
        Number of bootstrap resamples, at least 2; or 0, and the half-widths are NaN.
    confidence
        Level of the bootstrap intervals, in (0, 1).
    seed
        Seed of the level's scramble and of the resamples: a number of at least 0, or several.
    undefined
        What to do with undefined values.

    Raises
    ------
    ValueError
        If a metric is undefined at a sample point and the policy is "error", or at all of them and
        the policy is "omit"; if a metric is constant.

    Examples
    --------
    >>> from skewproof import Level, accuracy, sobol_indices
    >>> options = {"log2_samples": 10, "resamples": 20, "seed": 1}
    >>> sobol_indices([accuracy], Level(1, 2), 100, **options).s1.round(2).tolist()
    [[0.2, 0.8]]
    """
    samples = 2**log2_samples
    estimate = functools.partial(_batched, resamples=resamples, confidence=confidence, seed=seed)

    def design() -> Iterator[ConfusionMatrix]:
        return saltelli_blocks(level, positives, log2_samples=log2_samples, seed=seed)

    touched = np.zeros(len(metrics), dtype=np.int64)

    def blocks() -> Iterator[Array]:
        for count, matrix in enumerate(design(), start=1):
            values = _evaluate(metrics, matrix)
            touched[:] += _settle(values, undefined)
            if resamples:  # what takes long
                LOG.info("block %d of %d at %s", count, -(-samples // BLOCK), level)
            yield values
        if undefined == "error":
            refuse_undefined([metric.key for metric in metrics], touched, samples, level)

    result = estimate(blocks(), samples, metrics=metrics)
    if undefined == "omit":
        for index in map(int, np.flatnonzero(touched)):
            kept = _without_undefined(metrics[index], design())
            alone = estimate([kept], kept.shape[-1], metrics=[metrics[index]])
            for whole, part in zip(result, alone, strict=True):
                whole[index] = part[0]
    return SampledIndices(*result, touched)


def _evaluate(metrics: Sequence[Metric], matrix: ConfusionMatrix) -> Array:
    """Values of shape (metrics, 2, 2, block) on one block of the design."""
    values = np.empty((len(metrics), 2, 2, matrix.tp.shape[-1]))
    for value, metric in zip(values, metrics, strict=True):
        value[...] = metric(matrix)
    return values


def refuse_undefined(
    keys: Sequence[str], touched: NDArray[np.int64], samples: int, level: Level
) -> None:
    """Refuse metrics that are undefined at some base points.

    Raises
    ------
    ValueError
        It names each of them, with the number of base points.
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


def _settle(values: Array, undefined: SamplePolicy) -> NDArray[np.int64]:
    """Put the policy's number, if it is one, for undefined values; count base points touched."""
    invalid = ~np.isfinite(values)
    if not invalid.any():
        return np.zeros(len(values), dtype=np.int64)
    if not isinstance(undefined, str):
        values[invalid] = undefined
    return np.count_nonzero(invalid.any(axis=(1, 2)), axis=-1)


def _without_undefined(metric: Metric, design: Iterable[ConfusionMatrix]) -> Array:
    """A metric's values, shape (1, 2, 2, kept), at the base points where all four are defined."""
    blocks = [_evaluate([metric], matrix) for matrix in design]
    values = np.concatenate(blocks, axis=-1)
    defined = np.isfinite(values).all(axis=(0, 1, 2))
    if not defined.any():
        raise ValueError(f"{metric.key} is undefined at every base point: nothing is left of it")
    return values[..., defined]


@functools.lru_cache(maxsize=1)
def resample_counts(samples: int, resamples: int, seed: int | tuple[int, ...]) -> NDArray[np.uint8]:
    """How often each resample draws each base point, counted from the very draws of SALib.

    Returns
    -------
    Array of shape (resamples, samples), read-only; a row sums to `samples`. Counts beyond 12 are
    not seen in practice (they are Poisson with mean 1), so a byte holds them.
    """
    draws = np.random.default_rng(seed)
    flat = np.zeros(resamples * samples, dtype=np.uint8)
    row_starts = np.arange(resamples, dtype=np.intp) * samples
    for start in range(0, samples, BLOCK):
        rows = min(BLOCK, samples - start)
        # 32-bit draws take the same stream as SALib's 64-bit ones, in half the space.
        drawn = draws.integers(samples, size=(rows, resamples), dtype=np.uint32)
        np.add.at(flat, (drawn + row_starts).ravel(), np.uint8(1))
    counts = flat.reshape(resamples, samples)
    counts.flags.writeable = False
    return counts


def _batched(
    blocks: Iterable[Array],
    samples: int,
    *,
    metrics: Sequence[Metric],
    resamples: int,
    confidence: float,
    seed: int | tuple[int, ...],
) -> Estimates:
    """Estimates from values of shape (metrics, 2, 2, block), a block at a time."""
    s1, st = _replicates(blocks, resample_counts(samples, resamples, seed), metrics)
    if not resamples:
        unknown = np.full_like(s1[0], np.nan)
        return s1[0], unknown, st[0], unknown.copy()
    quantile = ndtri(0.5 + confidence / 2)
    return (
        s1[0],
        quantile * s1[1:].std(axis=0, ddof=1),
        st[0],
        quantile * st[1:].std(axis=0, ddof=1),
    )


def _replicates(
    blocks: Iterable[Array], counts: NDArray[np.uint8], metrics: Sequence[Metric]
) -> tuple[Array, Array]:
    """S1 and ST of the sample itself and of each resample, shape (1 + resamples, metrics, 2)."""
    resamples, samples = counts.shape
    weights = np.ones((1 + resamples, BLOCK))  # the first row is the sample itself
    sums = np.zeros((1 + resamples, 8, len(metrics)))
    center = offset = np.zeros(len(metrics))
    start = 0
    for block in blocks:
        for values in np.split(block, range(BLOCK, block.shape[-1], BLOCK), axis=-1):
            size = values.shape[-1]
            if start == 0:
                center = values.mean(axis=(1, 2, 3))
            values -= center[:, np.newaxis, np.newaxis, np.newaxis]
            offset = offset + values.sum(axis=(1, 2, 3))
            weights[1:, :size] = counts[:, start : start + size]
            columns = _columns(values).reshape(-1, size)
            sums += (weights[:, :size] @ columns.T).reshape(sums.shape)
            start += size
    means, offset = sums / samples, offset / (4 * samples)

    variance = means[:, 1] / 2 - (means[:, 0] / 2) ** 2
    # Rounding alone leaves a constant about this much variance.
    constant = variance[0] <= (1e-14 * center) ** 2
    for metric, value in itertools.compress(zip(metrics, center, strict=True), constant):
        refuse_constant(metric.key, value)
    # SALib centers at the mean of all four rows, the block's mean is near it.
    s1 = _ratio(means[:, 4:6] - offset * means[:, 2:4], variance)
    st = _ratio(means[:, 6:8] / 2, variance)
    return s1.swapaxes(1, 2), st.swapaxes(1, 2)


def _columns(values: Array) -> Array:
    """Summands of the estimators, shape (8, metrics, block), from centered values.

    A + B, A² + B², and for either input j: AB_j - A, B (AB_j - A), (AB_j - A)².
    """
    a, b = values[:, 0, 0], values[:, 1, 1]
    columns = np.empty((8, *a.shape))
    np.add(a, b, out=columns[0])
    np.add(a * a, b * b, out=columns[1])
    for j, mixed in enumerate((values[:, 1, 0], values[:, 0, 1])):
        difference = np.subtract(mixed, a, out=columns[2 + j])
        np.multiply(b, difference, out=columns[4 + j])
        np.multiply(difference, difference, out=columns[6 + j])
    return columns


def _ratio(numerators: Array, variance: Array) -> Array:
    """Numerators (resamples, 2, metrics) over variances; 0, as in SALib, where all values drawn
    are the same."""
    varies = variance > np.finfo(float).eps * variance[0]
    varies, variance = (
        np.broadcast_to(x[:, np.newaxis], numerators.shape) for x in (varies, variance)
    )
    return np.divide(numerators, variance, out=np.zeros_like(numerators), where=varies)


def refuse_constant(key: str, value: float) -> None:
    """Say that a metric has no indices, since it is the same everywhere."""
    raise ValueError(f"{key} is constant ({value}): expected a metric that varies")
