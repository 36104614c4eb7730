"""Which classifier wins under a metric, and whether the metric's normalized variant agrees."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from skewproof.core.algebra import Array
from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.metric import Metric

FLIP_COLUMNS = [
    "metric",
    "winner",
    "confidence",
    "modified",
    "modified_winner",
    "modified_confidence",
    "flips",
    "flip_confidence",
    "undefined",
]

Wins = NDArray[np.bool_]
"""Shape (1 + draws, classifiers): which win with the observed counts, and with each resample."""


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
    Frame with the columns positive, a column a classifier (whether it predicts the positive class),
    and count.
    """
    table = pd.DataFrame({"positive": positive, **predictions})
    return table.groupby(list(table.columns)).size().rename("count").reset_index()


def ranking_flips(
    ways: pd.DataFrame,
    metrics: Sequence[str],
    *,
    draws: int,
    seed: int,
    registry: Mapping[str, Metric],
) -> pd.DataFrame:
    """Who wins under each metric and under its normalized variant, with bootstrap confidence.

    The instances of each class are resampled; resampling changes only how many are labelled in
    which way, so these counts are drawn, from a multinomial distribution for each class.

    Parameters
    ----------
    ways
        The result of :func:`label_ways`.
    metrics, registry
        Keys of metrics, and the metrics by their keys.
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
    matrix = resampled_matrices(ways, names, draws=draws, seed=seed)
    found = {key: Race.run(registry[key], matrix, names) for key in metrics}
    variants = {registry[key].variant_of: key for key in metrics}
    return pd.DataFrame(
        [race_row(key, found[key], variants.get(key), found) for key in metrics],
        columns=FLIP_COLUMNS,
    )


class Race(NamedTuple):
    """Which classifiers win under a metric."""

    names: list[str]
    wins: Wins

    undefined: float
    """Share of the resampled values that are undefined."""

    @classmethod
    def run(cls, metric: Metric, matrix: ConfusionMatrix, names: list[str]) -> Race:
        """Compare the values of matrices of shape (1 + draws, classifiers)."""
        values = metric(matrix)
        return cls(names, _wins(metric, values), float(np.isnan(values[1:]).mean()))


def race_row(
    key: str, race: Race, variant: str | None, races: Mapping[str, Race]
) -> dict[str, Any]:
    """What a table says of a metric: who wins, and who under its variant.

    Parameters
    ----------
    key, race
        The metric's key and who wins under it.
    variant, races
        The key of its variant, or None, and the races by key.
    """
    winner, confidence = _winner(race.wins, race.names)
    row = {"metric": key, "winner": winner, "confidence": confidence}
    if variant is not None:
        row |= _variant_columns(variant, race.wins, races[variant].wins, race.names)
    return row | {"undefined": race.undefined}


def resampled_matrices(
    ways: pd.DataFrame, columns: list[str], *, draws: int, seed: int
) -> ConfusionMatrix:
    """Matrices of shape (1 + draws, columns): as observed, then of each resample.

    Parameters
    ----------
    ways, draws, seed
        As for :func:`ranking_flips`.
    columns
        Those columns of ways that are labels. With the same ways and seed, resamples are the same
        for other columns.
    """
    tp, fp = (_resampled(ways, columns, truth, draws, seed) for truth in (True, False))
    positives, negatives = (
        int(ways.loc[ways["positive"] == truth, "count"].sum()) for truth in (True, False)
    )
    return ConfusionMatrix.from_tp_fp(tp, fp, positives=positives, negatives=negatives)


def _variant_columns(
    variant: str, best: Wins, variant_best: Wins, names: list[str]
) -> dict[str, Any]:
    """What a row says of a metric's variant: who wins under it, and whether that is another."""
    winner, confidence = _winner(variant_best, names)
    disjoint = np.logical_not((best & variant_best).sum(axis=1))
    return {
        "modified": variant,
        "modified_winner": winner,
        "modified_confidence": confidence,
        "flips": bool(disjoint[0]),
        "flip_confidence": float((disjoint[1:] == disjoint[0]).mean()),
    }


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


def _wins(metric: Metric, values: Array) -> Wins:
    """Which classifiers have the best value; none does where all are undefined."""
    values = -values if metric.lower_is_better else values
    best = np.fmax.reduce(values, axis=1, keepdims=True)
    return np.asarray(values == best)  # NaN equals nothing


def _winner(wins: Wins, names: list[str]) -> tuple[str, float]:
    """The classifiers that win with the observed counts, and their share of the resamples."""
    winners: NDArray[np.bool_] = wins[0]
    shares = wins[1:] / np.maximum(wins[1:].sum(axis=1, keepdims=True), 1)
    name = " = ".join(name for name, won in zip(names, winners, strict=True) if won)
    return name, float(shares[:, winners].sum(axis=1).mean())
