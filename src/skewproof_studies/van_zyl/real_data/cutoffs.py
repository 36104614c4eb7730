"""Best classifiers under a metric if each has a cut-off that is chosen for this metric."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from skewproof.core.algebra import Array
from skewproof.core.metric import Metric
from skewproof.curves.thresholds import threshold_matrices
from skewproof_studies.van_zyl.real_data.flips import (
    FLIP_COLUMNS,
    Race,
    drawn_matrices,
    label_ways,
    race_row,
)


class HeldOut(NamedTuple):
    """Scores of classifiers on instances that they were not fitted to."""

    positive: NDArray[np.bool_]
    """Mask of the positive instances, shape (instances,)."""

    fold: NDArray[np.int64]
    """Fold in which each instance was held out, shape (instances,)."""

    scores: Mapping[str, Array]
    """Probabilities that each instance is positive, shape (instances,), by classifier."""


def best_cutoff(metric: Metric, positive: NDArray[np.bool_], scores: Array) -> float:
    """Return the cut-off with a metric's best value; instances are called positive from this score
    on.

    Parameters
    ----------
    metric
        The metric.
    positive, scores
        Arrays of shape (instances,), with both classes present.

    Returns
    -------
    One of the scores, the highest if several are equally good; NaN if the metric is undefined at
    all of them.
    """
    matrices, thresholds = threshold_matrices(positive, scores, pos_label=True)
    values = np.asarray(-metric(matrices) if metric.lower_is_better else metric(matrices))
    if np.isnan(values).all():
        return float("nan")
    return float(thresholds[np.nanargmax(values)])


def moved_labels(metric: Metric, held: HeldOut) -> dict[str, NDArray[np.bool_]]:
    """Label instances by each classifier's cut-off that is best for a metric on the other folds.

    Returns
    -------
    Arrays of shape (instances,) by classifier. The cut-off of a fold is chosen on the held-out
    scores of the other folds, so that no instance affects the cut-off that labels it.
    """
    labels = {}
    for name, scores in held.scores.items():
        called = np.zeros(len(held.positive), dtype=bool)
        for fold in np.unique(held.fold):
            test = held.fold == fold
            called[test] = scores[test] >= best_cutoff(metric, held.positive[~test], scores[~test])
        labels[name] = called
    return labels


def moved_flips(
    held: HeldOut,
    metrics: Sequence[str],
    *,
    draws: int,
    seed: int,
    registry: Mapping[str, Metric],
) -> pd.DataFrame:
    """Compare the winners under each metric and under its variant, each with its own cut-offs.

    Draws are those of :func:`skewproof_studies.van_zyl.real_data.flips.ranking_flips`; the cut-offs
    stay the same in all draws.

    Parameters
    ----------
    held
        Held-out scores.
    metrics, registry
        Keys of metrics, and the metrics by key.
    draws, seed
        Number of draws, and their seed.

    Returns
    -------
    Frame with the columns of
    :func:`skewproof_studies.van_zyl.real_data.flips.ranking_flips`.
    """
    names = list(held.scores)
    labels = {key: moved_labels(registry[key], held) for key in metrics}
    variants = {registry[key].variant_of: key for key in metrics}
    rows = []
    for key in metrics:
        variant = variants.get(key)
        together = [key] if variant is None else [key, variant]
        columns = {(metric, name): labels[metric][name] for metric in together for name in names}
        ways = label_ways(held.positive, {"|".join(pair): calls for pair, calls in columns.items()})
        races = {}
        for metric in together:
            chosen = [f"{metric}|{name}" for name in names]
            matrix = drawn_matrices(ways, chosen, draws=draws, seed=seed)
            races[metric] = Race.run(registry[metric], matrix, names)
        rows.append(race_row(key, races[key], variant, races))
    return pd.DataFrame(rows, columns=FLIP_COLUMNS)
