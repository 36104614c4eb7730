"""Do measures of a clustering suffer from clusters of unequal size? Exactly, and by sampling.

Tables are those of :mod:`skewproof.studies.survey.two_clusters`: the inputs are the share of errors in
the smaller and in the larger cluster, each uniform from 0 to 1/2.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd

from skewproof.core.algebra import Array
from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.levels import Level
from skewproof.core.metric import Metric
from skewproof.sensitivity.exact import exact_indices
from skewproof.sensitivity.sampled import sobol_indices
from skewproof.sensitivity.surface_shift import mean_shift
from skewproof.sensitivity.types import ROUNDED_SHIFT, behavior_type
from skewproof.studies.survey.two_clusters import CLUSTER_MEASURES

CLUSTERS = ("smaller", "larger")
"""Whose errors the two inputs are, in the order of :data:`skewproof.core.confusion.INPUTS`."""

SIZE = 100
"""Instances of the smaller cluster; only the ratio matters."""

NODES = 20
"""Of the Gauss-Legendre rule on each part of a line; purity needs 3, being linear there."""

LOG = logging.getLogger(__name__)


class Exact(NamedTuple):
    """Indices and moments of a metric at a level."""

    s1: Array
    st: Array
    mean: float
    error_estimate: float


def cluster_sensitivity(
    levels: Sequence[Level], *, replicates: int, log2_samples: int, seed: int
) -> pd.DataFrame:
    """Indices of purity, Rand, ARI and FM with respect to the errors in either cluster.

    Parameters
    ----------
    levels
        Sizes of the two clusters, "P:N".
    replicates, log2_samples, seed
        Independent scrambles of the sampled indices, base-2 logarithm of the number of base points
        of each, and their seed.

    Returns
    -------
    Frame with the columns measure, level, input (whose errors), s1, st (exact), error_estimate,
    sampled_s1, s1_standard_error, sampled_st, st_standard_error (means over the scrambles; missing
    where the points of a scramble all give the same value).
    """
    rows = []
    for level in levels:
        exact = [exact_at(metric, level) for metric in CLUSTER_MEASURES.values()]
        sampled = _sampled(level, replicates=replicates, log2_samples=log2_samples, seed=seed)
        means, errors = sampled.mean(axis=0), sampled.std(axis=0, ddof=1) / np.sqrt(replicates)
        for place, (key, numbers) in enumerate(zip(CLUSTER_MEASURES, exact, strict=True)):
            for j, cluster in enumerate(CLUSTERS):
                by_sampling = [x[kind, place, j] for kind in (0, 1) for x in (means, errors)]
                found = (numbers.s1[j], numbers.st[j], numbers.error_estimate)
                rows.append((key, str(level), cluster, *found, *by_sampling))
        LOG.info("clusters at %s", level)
    columns = ["measure", "level", "input", "s1", "st", "error_estimate", "sampled_s1"]
    return pd.DataFrame(
        rows, columns=[*columns, "s1_standard_error", "sampled_st", "st_standard_error"]
    )


def cluster_shifts(levels: Sequence[Level], baseline: Level) -> pd.DataFrame:
    """Mean of each measure over all errors, and its mean distance from the baseline.

    Returns
    -------
    Frame with the columns measure, level, mean, mean_shift, error_estimate, type (by the levels at
    which the shift is above rounding); the baseline is the first row of each measure.
    """
    others = [level for level in levels if level != baseline]
    rows = []
    for key, metric in CLUSTER_MEASURES.items():
        shifts = [mean_shift(metric, level, baseline, SIZE) for level in others]
        kind = behavior_type([shift.mean > ROUNDED_SHIFT for shift in shifts])
        rows.append((key, str(baseline), exact_at(metric, baseline).mean, 0.0, 0.0, kind))
        rows += [
            (key, str(level), exact_at(metric, level).mean, *shift, kind)
            for level, shift in zip(others, shifts, strict=True)
        ]
    columns = ["measure", "level", "mean", "mean_shift", "error_estimate", "type"]
    return pd.DataFrame(rows, columns=columns)


def exact_at(metric: Metric, level: Level) -> Exact:
    """Exact indices and mean of a metric of two clusters, purity along its kinks."""
    if metric.key == "purity":
        return _split_at_kinks(metric, level)
    found = exact_indices([metric], positives=SIZE, negatives=level.negatives(SIZE))
    return Exact(found.s1[0], found.st[0], float(found.mean[0]), float(found.index_error[0]))


def _sampled(level: Level, *, replicates: int, log2_samples: int, seed: int) -> Array:
    """S1 and ST of every scramble, shape (replicates, 2, metrics, 2)."""
    found = np.full((replicates, 2, len(CLUSTER_MEASURES), 2), np.nan)
    for replicate in range(replicates):
        for place, metric in enumerate(CLUSTER_MEASURES.values()):
            try:
                one = sobol_indices(
                    [metric],
                    level,
                    SIZE,
                    log2_samples=log2_samples,
                    resamples=0,
                    confidence=0.95,
                    seed=(seed, replicate),
                )
            except ValueError as error:  # under strong imbalance purity is nearly constant
                LOG.info("%s: %s", level, error)
                continue
            found[replicate, :, place] = one.s1[0], one.st[0]
    return found


def _split_at_kinks(metric: Metric, level: Level) -> Exact:
    """Purity changes its slope where the true clusters are equal in a predicted one: with ratio r
    of the sizes and rates u and v at v = r (1 + u) in one, at v = 2 - r (1 - u) in the other. The
    outer integral is split where these lines enter and leave the square."""
    ratio = 1 / level.negatives(1)

    def matrix(u: Array, v: Array) -> ConfusionMatrix:
        size = level.negatives(SIZE)
        return ConfusionMatrix.from_tp_fp(SIZE * u, size * v, positives=SIZE, negatives=size)

    u, u_weights = _parts(np.array([1 / ratio - 1, 1 - 1 / ratio, 1 - 2 / ratio]))
    lines = np.stack([ratio * (1 + u), 2 - ratio * (1 - u)], axis=-1)
    v, weights = _parts(lines)
    by_small = _moments(metric(matrix(u[:, np.newaxis], v)), u_weights, weights)
    v, v_weights = _parts(np.array([ratio, 2 * ratio, 2 - ratio]))
    lines = np.stack([v / ratio - 1, 1 - (2 - v) / ratio], axis=-1)
    u, weights = _parts(lines)
    by_large = _moments(metric(matrix(u, v[:, np.newaxis])), v_weights, weights)
    s1 = np.array([by_small[2] / by_small[1], by_large[2] / by_large[1]])
    distance = abs(by_small[1] / by_large[1] - 1)
    return Exact(s1, 1 - s1[::-1], float(by_small[0]), float(distance))


def _parts(breaks: Array) -> tuple[Array, Array]:
    """Nodes and weights on [0, 1] split at breaks, of shape (..., breaks), where they are in it."""
    ends = np.sort(np.clip(breaks, 0, 1), axis=-1)
    edges = np.concatenate([np.zeros_like(ends[..., :1]), ends, np.ones_like(ends[..., :1])], -1)
    nodes, weights = np.polynomial.legendre.leggauss(NODES)
    starts, lengths = edges[..., :-1, np.newaxis], np.diff(edges)[..., np.newaxis]
    shape = (*breaks.shape[:-1], -1)
    return (
        (starts + lengths * (nodes + 1) / 2).reshape(shape),
        (lengths * weights / 2).reshape(shape),
    )


def _moments(values: Array, outer: Array, inner: Array) -> tuple[float, float, float]:
    """Mean, variance, and variance of the mean along the lines of the outer input."""
    conditional = (values * inner).sum(axis=1)
    mean = outer @ conditional
    variance = outer @ ((values - mean) ** 2 * inner).sum(axis=1)
    return float(mean), float(variance), float(outer @ (conditional - mean) ** 2)
