"""Shares of a metric's variance under wrong labels, estimated from samples with standard errors."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.stats import qmc

from skewproof.core.algebra import Array
from skewproof.core.arguments import expect_number, expect_whole
from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.levels import Level
from skewproof.core.metric import Metric
from skewproof.sensitivity.label_errors.model import (
    CONSTANT,
    GROUPS,
    LARGEST_RATE,
    checked_ranges,
    with_label_errors,
)
from skewproof.sensitivity.sampling.replicates import Replicated, ReplicatedIndices
from skewproof.sensitivity.sampling.saltelli import MOST_LOG2_SAMPLES
from skewproof.sensitivity.sampling.sampled import refuse_constant, refuse_undefined


def sampled_label_error_indices(
    metrics: Sequence[Metric],
    level: Level,
    positives: float,
    *,
    log2_samples: int,
    scrambles: int,
    seed: int,
    largest_false_positive_rate: float = LARGEST_RATE,
    largest_false_negative_rate: float = LARGEST_RATE,
) -> ReplicatedIndices:
    """Estimate the shares of metrics' variance from samples, with standard errors.

    Each of several independent scrambles of a Sobol' sequence in eight dimensions is a design of
    Saltelli et al. 2010 in the four inputs, with rows for the two groups in addition to those for
    the inputs. The standard errors are computed from the spread of the scrambles.

    Parameters
    ----------
    metrics, positives, largest_false_positive_rate, largest_false_negative_rate
        As for :func:`skewproof.sensitivity.label_errors.indices.label_error_indices`.
    level
        Imbalance level.
    log2_samples
        Base-2 logarithm of the number of base points of a scramble; each has 8 evaluations.
    scrambles
        Number of scrambles, at least 2.
    seed
        The study's seed; a scramble depends on it, on its number and on the level.

    Raises
    ------
    ValueError
        If a metric is undefined at a sample point, or constant; if the end of a range, the class
        size or the number of base points is out of its range.
    """
    largest = checked_ranges(largest_false_positive_rate, largest_false_negative_rate)
    expect_number("positives", positives, above=0)
    expect_whole("log2_samples", log2_samples, 0, MOST_LOG2_SAMPLES)
    estimates = []
    for number in range(scrambles):
        draws = np.random.default_rng([seed, number, level.positive_part, level.negative_part])
        points = qmc.Sobol(8, scramble=True, seed=draws).random_base2(log2_samples)
        matrix = _apparent(points.T, positives, level, largest)
        estimates.append(_sampled(metrics, matrix, level))
    s1, st = np.array(estimates).swapaxes(0, 1)
    return ReplicatedIndices(Replicated.of(s1), Replicated.of(st))


def _apparent(
    points: Array, positives: float, level: Level, largest: tuple[float, float]
) -> ConfusionMatrix:
    """Build apparent matrices, shape (8, n): at A, at B, and at A with each of the groups from
    B."""
    a, b = points[:4], points[4:]
    mixed = [np.where(np.isin(range(4), group)[:, np.newaxis], b, a) for group in GROUPS.values()]
    tpr, fpr, *wrong = np.stack([a, b, *mixed], axis=1)
    negatives = level.negatives(positives)
    return with_label_errors(
        ConfusionMatrix.from_rates(tpr, fpr, positives=positives, negatives=negatives),
        false_positive_rate=largest[0] * wrong[0],
        false_negative_rate=largest[1] * wrong[1],
    )


def _sampled(metrics: Sequence[Metric], matrix: ConfusionMatrix, level: Level) -> Array:
    """Estimate first-order and total shares from one scramble, shape (2, metrics, 6)."""
    values = np.array([metric(matrix) for metric in metrics]).reshape(len(metrics), *matrix.shape)
    keys = [metric.key for metric in metrics]
    undefined = np.count_nonzero(~np.isfinite(values).all(axis=1), axis=-1)
    refuse_undefined(keys, undefined, values.shape[-1], level)
    base = values[:, :2].reshape(len(metrics), 2 * values.shape[-1])
    for key, metric_values in zip(keys, base, strict=True):
        if np.var(metric_values) <= CONSTANT * np.mean(metric_values) ** 2:
            refuse_constant(key, float(metric_values[0]))
    center = base.mean(axis=1)[:, np.newaxis, np.newaxis]
    b, differences = values[:, 1:2] - center, values[:, 2:] - values[:, :1]
    variance = base.var(axis=1)[:, np.newaxis]
    return np.array(
        [
            (b * differences).mean(axis=-1) / variance,
            (differences**2).mean(axis=-1) / (2 * variance),
        ]
    )
