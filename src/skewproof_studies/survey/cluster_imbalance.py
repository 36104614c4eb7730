"""Effect of unequal cluster sizes on measures of a clustering, exact and sampled.

Clusterings are those of :mod:`skewproof.audits.choosing.two_clusters`. The clusters are infinite,
a level is the ratio of their sizes, and the inputs are the shares of errors in the smaller and in
the larger cluster, each uniform from 0 to 1/2.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence

import pandas as pd

from skewproof.audits.choosing.two_clusters import CLUSTER_MEASURES
from skewproof.core.levels import Level
from skewproof.core.metric import Metric
from skewproof.sensitivity.behavior_types import ROUNDED_SHIFT, behavior_type
from skewproof.sensitivity.quadrature.exact import ExactIndices, exact_indices
from skewproof.sensitivity.sampling.replicates import ReplicatedIndices, scrambled_indices
from skewproof.sensitivity.surfaces.shift import mean_shift

CLUSTERS_WITH_ERRORS = ("smaller", "larger")
"""Clusters with the errors of the two inputs, in the order of
:data:`skewproof.core.confusion.INPUTS`."""

SMALLER_CLUSTER = 100
"""Size of the smaller cluster in arbitrary units; only the ratio matters for infinite clusters."""

LOG = logging.getLogger(__name__)


def cluster_sensitivity(
    levels: Sequence[Level], *, replicates: int, log2_samples: int, seed: int
) -> pd.DataFrame:
    """Compute indices of purity, Rand, ARI and FM with respect to the errors in either cluster.

    Parameters
    ----------
    levels
        Ratios "P:N" of the sizes of the two infinite clusters.
    replicates, log2_samples, seed
        Number of independent scrambles of the sampled indices, base-2 logarithm of the number of
        base points in each, and seed.

    Returns
    -------
    Frame with the columns measure, level, input (the cluster with the errors), s1, st (exact),
    error_estimate, sampled_s1, s1_standard_error, sampled_st, st_standard_error (means over the
    scrambles; missing if all points of a scramble give the same value).
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
    """Compute the mean of each measure over all errors, and its mean distance from the baseline.

    Returns
    -------
    Frame with the columns measure, level, mean, mean_shift, error_estimate, type (by the levels
    with a shift above rounding). The baseline is the first row of each measure.
    """
    others = [level for level in levels if level != baseline]
    parts = []
    for key, measure in CLUSTER_MEASURES.items():
        shifts = [mean_shift(measure, level, baseline, SMALLER_CLUSTER) for level in others]
        columns = {
            "measure": key,
            "level": [str(level) for level in (baseline, *others)],
            "mean": [exact_at(measure, level).mean[0] for level in (baseline, *others)],
            "mean_shift": [0.0, *(shift.mean for shift in shifts)],
            "error_estimate": [0.0, *(shift.error_estimate for shift in shifts)],
            "type": behavior_type([shift.mean > ROUNDED_SHIFT for shift in shifts]),
        }
        parts.append(pd.DataFrame(columns))
    return pd.concat(parts, ignore_index=True)


def exact_at(measure: Metric, level: Level) -> ExactIndices:
    """Return exact indices and mean of a measure of two clusters; each array has a first axis of
    length 1."""
    negatives = level.negatives(SMALLER_CLUSTER)
    return exact_indices([measure], positives=SMALLER_CLUSTER, negatives=negatives)


def _sampled(
    measure: Metric, level: Level, *, replicates: int, log2_samples: int, seed: int
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


def index_rows(
    labels: dict[str, str],
    inputs: Sequence[str],
    exact: ExactIndices,
    sampled: ReplicatedIndices,
    index: int = 0,
) -> pd.DataFrame:
    """Return exact and sampled indices of a measure, one row per input.

    Parameters
    ----------
    labels
        Columns that identify the indices.
    inputs
        Names of the two inputs.
    exact, sampled, index
        Exact and sampled indices of several measures, and the position of the measure among them.

    Returns
    -------
    Frame with the labels and the columns input, s1, st, error_estimate, sampled_s1,
    s1_standard_error, sampled_st, st_standard_error.
    """
    columns = {
        "input": inputs,
        "s1": exact.s1[index],
        "st": exact.st[index],
        "error_estimate": exact.index_error[index],
        "sampled_s1": sampled.s1.mean[index],
        "s1_standard_error": sampled.s1.standard_error[index],
        "sampled_st": sampled.st.mean[index],
        "st_standard_error": sampled.st.standard_error[index],
    }
    return pd.DataFrame(labels | columns)
