"""Which classifier wins under a metric, and whether the metric's normalized variant agrees."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from skewproof.core.algebra import Array
from skewproof.core.confusion import ConfusionMatrix
from skewproof.metrics import get_metric

COLUMNS = ["metric", "winner", "confidence", "modified", "modified_winner", "modified_confidence"]
COLUMNS += ["flips", "flip_confidence", "undefined"]


def label_ways(
    positive: NDArray[np.bool_], predictions: Mapping[str, NDArray[np.bool_]]
) -> pd.DataFrame:
    """In how many ways classifiers label instances: all that a comparison of them depends on.

    Parameters
    ----------
    positive
        Which instances are of the positive class.
    predictions
        By each classifier's name, which instances it takes for positive.

    Returns
    -------
    Frame with the columns positive, a column a classifier (whether it says positive), and count.
    """
    table = pd.DataFrame({"positive": positive, **predictions})
    return table.groupby(list(table.columns)).size().rename("count").reset_index()


def ranking_flips(
    ways: pd.DataFrame, metrics: Sequence[str], *, draws: int, seed: int
) -> pd.DataFrame:
    """Who wins under each metric and under its normalized variant, with bootstrap confidence.

    The instances of each class are resampled; resampling changes only how many are labelled in
    which way, so these counts are drawn, from a multinomial distribution for each class.

    Parameters
    ----------
    ways
        The result of :func:`label_ways`.
    metrics
        Keys of metrics; the variant of a metric has its key with _i.
    draws, seed
        Number of resamples, and their seed.

    Returns
    -------
    Frame with a row a metric and the columns metric, winner (the classifier of the best value,
    or those, joined by " = "), confidence (share of the resamples in which it wins, ties in equal
    parts), the same of the modified metric, flips (whether no classifier wins under both) and
    flip_confidence (share of the resamples that say what flips says), all four missing where
    there is no variant among the metrics; undefined (share of resampled values that are).
    """
    names = [name for name in ways if name not in ("positive", "count")]
    tp, fp = (_resampled(ways, names, truth, draws, seed) for truth in (True, False))
    positives, negatives = (
        int(ways.loc[ways["positive"] == truth, "count"].sum()) for truth in (True, False)
    )
    matrix = ConfusionMatrix.from_tp_fp(tp, fp, positives=positives, negatives=negatives)
    chosen = {key: get_metric(key) for key in metrics}
    values = {key: metric(matrix) for key, metric in chosen.items()}
    wins = {
        key: _wins(-values[key] if metric.lower_is_better else values[key])
        for key, metric in chosen.items()
    }
    rows = []
    for key in metrics:
        best = wins[key]
        row = [key, *_winner(best, names)]
        variant = f"{key}_i"
        if variant in wins:
            disjoint = np.logical_not((best & wins[variant]).sum(axis=1))
            agreement = float((disjoint[1:] == disjoint[0]).mean())
            row += [variant, *_winner(wins[variant], names), bool(disjoint[0]), agreement]
        else:
            row += [None] * 5
        rows.append([*row, float(np.isnan(values[key][1:]).mean())])
    return pd.DataFrame(rows, columns=COLUMNS)


def _resampled(ways: pd.DataFrame, names: list[str], truth: bool, draws: int, seed: int) -> Array:
    """How many instances of a class each classifier takes for positive: as observed, then drawn.

    Returns
    -------
    (1 + draws, classifiers).
    """
    rows = ways[ways["positive"] == truth]
    observed = rows["count"].to_numpy()
    random = np.random.default_rng([seed, truth])
    drawn = random.multinomial(observed.sum(), observed / observed.sum(), draws)
    return np.vstack([observed, drawn]) @ rows[names].to_numpy(dtype=np.float64)


def _wins(values: Array) -> NDArray[np.bool_]:
    """Which classifiers have the highest value; none does where all are undefined."""
    best = np.fmax.reduce(values, axis=1, keepdims=True)
    return np.asarray(values == best)  # NaN equals nothing


def _winner(wins: NDArray[np.bool_], names: list[str]) -> tuple[str, float]:
    winners: NDArray[np.bool_] = wins[0]
    shares = wins[1:] / np.maximum(wins[1:].sum(axis=1, keepdims=True), 1)
    name = " = ".join(name for name, won in zip(names, winners, strict=True) if won)
    return name, float(shares[:, winners].sum(axis=1).mean())
