"""Do measures of a clustering suffer from clusters of unequal size? Exactly, and by sampling.

Clusterings are those of :mod:`skewproof.studies.survey.two_clusters`: the clusters are infinite, a
level is the ratio of their sizes, and the inputs are the share of errors in the smaller and in the
larger cluster, each uniform from 0 to 1/2.
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
from skewproof.sensitivity.exact import exact_indices
from skewproof.sensitivity.replicates import ReplicatedIndices, scrambled_indices
from skewproof.sensitivity.surface_shift import mean_shift
from skewproof.sensitivity.types import ROUNDED_SHIFT, behavior_type
from skewproof.studies.survey.exact_and_sampled import ExactMeasure, index_rows
from skewproof.studies.survey.two_clusters import CLUSTER_MEASURES, ClusterMeasure

CLUSTERS_WITH_ERRORS = ("smaller", "larger")
"""Whose errors the two inputs are, in the order of :data:`skewproof.core.confusion.INPUTS`."""

SMALLER_CLUSTER = 100
"""Units of size of the smaller cluster; only the ratio matters, since clusters are infinite."""

NODES_OF_A_PART = 20
"""Of the Gauss-Legendre rule on each part of a line; purity needs 3, being linear there."""

LOG = logging.getLogger(__name__)


def cluster_sensitivity(
    levels: Sequence[Level], *, replicates: int, log2_samples: int, seed: int
) -> pd.DataFrame:
    """Indices of purity, Rand, ARI and FM with respect to the errors in either cluster.

    Parameters
    ----------
    levels
        Ratios of the sizes of the two clusters, which are infinite, "P:N".
    replicates, log2_samples, seed
        Independent scrambles of the sampled indices, base-2 logarithm of the number of base points
        of each, and their seed.

    Returns
    -------
    Frame with the columns measure, level, input (whose errors), s1, st (exact), error_estimate,
    sampled_s1, s1_standard_error, sampled_st, st_standard_error (means over the scrambles; missing
    where the points of a scramble all give the same value).
    """
    parts = []
    for level in levels:
        for key, measure in CLUSTER_MEASURES.items():
            sampled = _sampled(
                measure, level, replicates=replicates, log2_samples=log2_samples, seed=seed
            )
            labels = {"measure": key, "level": str(level)}
            parts.append(
                index_rows(labels, CLUSTERS_WITH_ERRORS, exact_at(measure, level), sampled)
            )
        LOG.info("clusters at %s", level)
    return pd.concat(parts, ignore_index=True)


def cluster_shifts(levels: Sequence[Level], baseline: Level) -> pd.DataFrame:
    """Mean of each measure over all errors, and its mean distance from the baseline.

    Returns
    -------
    Frame with the columns measure, level, mean, mean_shift, error_estimate, type (by the levels at
    which the shift is above rounding); the baseline is the first row of each measure.
    """
    others = [level for level in levels if level != baseline]
    parts = []
    for key, measure in CLUSTER_MEASURES.items():
        shifts = [mean_shift(measure, level, baseline, SMALLER_CLUSTER) for level in others]
        columns = {
            "measure": key,
            "level": [str(level) for level in (baseline, *others)],
            "mean": [exact_at(measure, level).mean for level in (baseline, *others)],
            "mean_shift": [0.0, *(shift.mean for shift in shifts)],
            "error_estimate": [0.0, *(shift.error_estimate for shift in shifts)],
            "type": behavior_type([shift.mean > ROUNDED_SHIFT for shift in shifts]),
        }
        parts.append(pd.DataFrame(columns))
    return pd.concat(parts, ignore_index=True)


def exact_at(measure: ClusterMeasure, level: Level) -> ExactMeasure:
    """Exact indices and mean of a measure of two clusters, along its kinks if it has any."""
    if measure.kink_at_equal_counts:
        return _split_at_kinks(measure, level)
    sizes = {"positives": SMALLER_CLUSTER, "negatives": level.negatives(SMALLER_CLUSTER)}
    return ExactMeasure.of(exact_indices([measure], **sizes), 0)


def _sampled(
    measure: ClusterMeasure, level: Level, *, replicates: int, log2_samples: int, seed: int
) -> ReplicatedIndices:
    try:
        return ReplicatedIndices.of(
            scrambled_indices(
                [measure],
                level,
                SMALLER_CLUSTER,
                log2_samples=log2_samples,
                replicates=replicates,
                seed=seed,
            )
        )
    except ValueError as error:  # under strong imbalance purity is nearly constant
        LOG.info("%s: %s", level, error)
        return ReplicatedIndices.unknown(metrics=1)


def _split_at_kinks(measure: ClusterMeasure, level: Level) -> ExactMeasure:
    """Indices and mean of a measure that has kinks where the true clusters have as many instances
    in a predicted one: with the ratio r of the sizes and the rates u and v these are the lines
    v = r (1 + u) for one and v = 2 - r (1 - u) for the other. The outer integral is split where
    they enter and leave the square."""
    ratio = 1 / level.negatives(1)

    def matrix(u: Array, v: Array) -> ConfusionMatrix:
        larger_cluster = level.negatives(SMALLER_CLUSTER)
        return ConfusionMatrix.from_rates(u, v, positives=SMALLER_CLUSTER, negatives=larger_cluster)

    u, u_weights = _parts(np.array([1 / ratio - 1, 1 - 1 / ratio, 1 - 2 / ratio]))
    lines = np.stack([ratio * (1 + u), 2 - ratio * (1 - u)], axis=-1)
    v, weights = _parts(lines)
    of_smaller = _moments(measure(matrix(u[:, np.newaxis], v)), u_weights, weights)
    v, v_weights = _parts(np.array([ratio, 2 * ratio, 2 - ratio]))
    lines = np.stack([v / ratio - 1, 1 - (2 - v) / ratio], axis=-1)
    u, weights = _parts(lines)
    of_larger = _moments(measure(matrix(u, v[:, np.newaxis])), v_weights, weights)
    s1 = np.array([one.of_outer / one.variance for one in (of_smaller, of_larger)])
    distance = abs(of_smaller.variance / of_larger.variance - 1)
    return ExactMeasure(s1, 1 - s1[::-1], of_smaller.mean, distance)


def _parts(breaks: Array) -> tuple[Array, Array]:
    """Nodes and weights on [0, 1] split at breaks, of shape (..., breaks), where they are in it."""
    ends = np.sort(np.clip(breaks, 0, 1), axis=-1)
    edges = np.concatenate([np.zeros_like(ends[..., :1]), ends, np.ones_like(ends[..., :1])], -1)
    nodes, weights = np.polynomial.legendre.leggauss(NODES_OF_A_PART)
    starts, lengths = edges[..., :-1, np.newaxis], np.diff(edges)[..., np.newaxis]
    shape = (*breaks.shape[:-1], -1)
    return (
        (starts + lengths * (nodes + 1) / 2).reshape(shape),
        (lengths * weights / 2).reshape(shape),
    )


class _Moments(NamedTuple):
    """Of a measure over both inputs."""

    mean: float
    variance: float
    of_outer: float
    """Variance of the mean along the lines of the outer input."""


def _moments(values: Array, outer: Array, inner: Array) -> _Moments:
    """Moments from values along lines, shape (outer nodes, inner nodes), and both weights."""
    conditional = (values * inner).sum(axis=1)
    mean = outer @ conditional
    variance = outer @ ((values - mean) ** 2 * inner).sum(axis=1)
    return _Moments(float(mean), float(variance), float(outer @ (conditional - mean) ** 2))
