"""Best classifiers under a metric and under its normalized variant.

Confidences are drawn from a posterior. K classifiers label an instance of a class in one of 2^K
ways. The shares of the ways are drawn from the Dirichlet distribution with 2/2^K added to each
count, including those of 0. For any two of the K classifiers this adds 1/2 to each of the four ways
in which the two label an instance, as in the posterior behind :func:`skewproof.compare`, however
many other classifiers are compared.
"""

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
"""Mask of the winners with the observed counts, and in each draw, shape (1 + draws,
classifiers)."""

ADDED_TO_A_CLASS = 2.0
"""Total added to a class, in equal parts for each way of labeling an instance. For any two
classifiers each of the four ways gets 1/2, the prior of Jeffreys."""

PIECES = 40
"""Number of pieces into which the added total is broken; the last has (2/3)^39 of it on average."""


def label_ways(
    positive: NDArray[np.bool_], predictions: Mapping[str, NDArray[np.bool_]]
) -> pd.DataFrame:
    """Count the ways in which classifiers label instances; a comparison depends on nothing else.

    Parameters
    ----------
    positive
        Whether each instance is of the positive class.
    predictions
        Whether each instance is called positive, by the classifier's name.

    Returns
    -------
    Frame with the columns positive, one column per classifier (whether it predicts the positive
    class), and count.
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
    """Compare the winners under each metric and under its normalized variant, with confidences.

    The class sizes are fixed. docs/evidence/winners.md compares the error rates with those of a
    bootstrap and of other numbers added to the counts.

    Parameters
    ----------
    ways
        Result of :func:`label_ways`.
    metrics, registry
        Keys of metrics, and the metrics by key.
    draws, seed
        Number of draws, and their seed.

    Returns
    -------
    Frame with one row per metric and the columns metric, winner (the classifier with the best
    value, or several joined by " = "), confidence (share of the draws in which it wins; ties count
    in equal parts), the same for the modified metric, flips (whether no classifier wins under
    both), flip_confidence (share of the draws that agree with flips), and undefined (share of drawn
    values that are undefined). The four columns on the variant are missing if there is none among
    the metrics.
    """
    names = _label_columns(ways)
    matrix = drawn_matrices(ways, names, draws=draws, seed=seed)
    races = {key: Race.run(registry[key], matrix, names) for key in metrics}
    variants = {registry[key].variant_of: key for key in metrics}
    return pd.DataFrame(
        [race_row(key, races[key], variants.get(key), races) for key in metrics],
        columns=FLIP_COLUMNS,
    )


class Race(NamedTuple):
    """Winners under a metric."""

    names: list[str]
    wins: Wins

    undefined: float
    """Share of the drawn values that are undefined."""

    @classmethod
    def run(cls, metric: Metric, matrix: ConfusionMatrix, names: list[str]) -> Race:
        """Compare the values of matrices with the shape (1 + draws, classifiers)."""
        values = metric(matrix)
        return cls(names, _wins(metric, values), float(np.isnan(values[1:]).mean()))


def race_row(
    key: str, race: Race, variant: str | None, races: Mapping[str, Race]
) -> dict[str, Any]:
    """Return the row of a metric in a table: the winner, and the winner under its variant.

    Parameters
    ----------
    key, race
        The metric's key and its winners.
    variant, races
        Key of its variant, or None, and the winners by key.
    """
    winner, confidence = _winner(race.wins, race.names)
    row = {"metric": key, "winner": winner, "confidence": confidence}
    if variant is not None:
        row |= _variant_columns(variant, race.wins, races[variant].wins, race.names)
    return row | {"undefined": race.undefined}


def drawn_matrices(
    ways: pd.DataFrame, columns: list[str], *, draws: int, seed: int
) -> ConfusionMatrix:
    """Return matrices with the shape (1 + draws, columns): the observed ones, then the drawn ones.

    Parameters
    ----------
    ways, draws, seed
        As for :func:`ranking_flips`.
    columns
        Columns of the ways that are labels. Draws with the same ways and seed do not depend on the
        columns.
    """
    tp, fn = _drawn_calls(ways[ways["positive"]], columns, draws, [seed, True])
    fp, tn = _drawn_calls(ways[~ways["positive"]], columns, draws, [seed, False])
    return ConfusionMatrix(tp=tp, fp=fp, fn=fn, tn=tn)


def _label_columns(ways: pd.DataFrame) -> list[str]:
    return [name for name in ways if name not in ("positive", "count")]


def _variant_columns(
    variant: str, best: Wins, variant_best: Wins, names: list[str]
) -> dict[str, Any]:
    """Return the columns on a metric's variant: its winner, and whether this is another
    classifier."""
    winner, confidence = _winner(variant_best, names)
    disjoint = np.logical_not((best & variant_best).sum(axis=1))
    return {
        "modified": variant,
        "modified_winner": winner,
        "modified_confidence": confidence,
        "flips": bool(disjoint[0]),
        "flip_confidence": float((disjoint[1:] == disjoint[0]).mean()),
    }


def _drawn_calls(
    rows: pd.DataFrame, columns: list[str], draws: int, seed: list[int]
) -> tuple[Array, Array]:
    """Count the instances of a class that are called positive and negative: as observed, then as
    drawn.

    The addition to the counts is spread over the 2^K ways, few of which were observed. Their shares
    are drawn by stick breaking, with a random way for each piece.

    Returns
    -------
    Two arrays of shape (1 + draws, columns).
    """
    random = np.random.default_rng(seed)
    labels = _label_columns(rows)
    indices = [labels.index(name) for name in columns]
    counts, called = rows["count"].to_numpy(), rows[columns].to_numpy(dtype=bool)
    shares = random.dirichlet([*counts, ADDED_TO_A_CLASS], draws)
    left = np.cumprod(1 - random.beta(1, ADDED_TO_A_CLASS, (draws, PIECES - 1)), axis=1)
    pieces = -np.diff(left, prepend=1, append=0, axis=1)
    added = random.integers(2, size=(draws, PIECES, len(labels)), dtype=np.int8)[..., indices] > 0

    def drawn(seen: NDArray[np.bool_], new: NDArray[np.bool_]) -> Array:
        among_added = np.einsum("dp,dpc->dc", pieces, new)
        share = shares[:, :-1] @ seen + shares[:, -1:] * among_added
        return np.vstack([counts @ seen, counts.sum() * share])

    return drawn(called, added), drawn(~called, ~added)


def _wins(metric: Metric, values: Array) -> Wins:
    """Return which classifiers have the best value; none if all values are undefined."""
    values = -values if metric.lower_is_better else values
    best = np.fmax.reduce(values, axis=1, keepdims=True)
    return np.asarray(values == best)  # NaN equals nothing


def _winner(wins: Wins, names: list[str]) -> tuple[str, float]:
    """Return the classifiers that win with the observed counts, and their share of the draws."""
    winners: NDArray[np.bool_] = wins[0]
    shares = wins[1:] / np.maximum(wins[1:].sum(axis=1, keepdims=True), 1)
    name = " = ".join(name for name, won in zip(names, winners, strict=True) if won)
    return name, float(shares[:, winners].sum(axis=1).mean())
