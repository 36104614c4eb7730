"""Which classifier wins under a metric, and whether the metric's normalized variant agrees.

How confident one may be is drawn from a posterior. With K classifiers an instance of a class is
labeled in one of 2^K ways; the shares of the ways are drawn from the Dirichlet distribution with
2/2^K added to each count, also to those of 0. For any two classifiers of the K that is 1/2 on each
of the four ways in which these two label an instance, the posterior of
:func:`skewproof.compare_models`, however many others are compared.
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
"""Shape (1 + draws, classifiers): which win with the observed counts, and in each draw."""

ADDED_TO_A_CLASS = 2.0
"""What is added to a class in all, in equal parts to each way of labeling an instance: 1/2, the
prior of Jeffreys, to each of the four ways of any two classifiers."""

PIECES = 40
"""Pieces into which what is added is broken; on average (2/3)^39 of it is in the last."""


def label_ways(
    positive: NDArray[np.bool_], predictions: Mapping[str, NDArray[np.bool_]]
) -> pd.DataFrame:
    """Count the ways in which classifiers label instances: a comparison depends on nothing else.

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
    """Who wins under each metric and under its normalized variant, and how sure that is.

    The class sizes are taken as given. How often that errs, beside a bootstrap and other numbers
    that may be added to the counts, is in docs/evidence/winners.md.

    Parameters
    ----------
    ways
        The result of :func:`label_ways`.
    metrics, registry
        Keys of metrics, and the metrics by their keys.
    draws, seed
        Number of draws, and their seed.

    Returns
    -------
    Frame with a row a metric and the columns metric, winner (the classifier of the best value,
    or those, joined by " = "), confidence (share of the draws in which it wins, ties in equal
    parts), the same of the modified metric, flips (whether no classifier wins under both) and
    flip_confidence (share of the draws that say what flips says), all four missing where
    there is no variant among the metrics; undefined (share of drawn values that are).
    """
    names = _label_columns(ways)
    matrix = drawn_matrices(ways, names, draws=draws, seed=seed)
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
    """Share of the drawn values that are undefined."""

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


def drawn_matrices(
    ways: pd.DataFrame, columns: list[str], *, draws: int, seed: int
) -> ConfusionMatrix:
    """Matrices of shape (1 + draws, columns): as observed, then as drawn.

    Parameters
    ----------
    ways, draws, seed
        As for :func:`ranking_flips`.
    columns
        Those columns of ways that are labels. With the same ways and seed, draws are the same for
        other columns.
    """
    tp, fn = _drawn_calls(ways[ways["positive"]], columns, draws, [seed, True])
    fp, tn = _drawn_calls(ways[~ways["positive"]], columns, draws, [seed, False])
    return ConfusionMatrix(tp=tp, fp=fp, fn=fn, tn=tn)


def _label_columns(ways: pd.DataFrame) -> list[str]:
    return [name for name in ways if name not in ("positive", "count")]


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


def _drawn_calls(
    rows: pd.DataFrame, columns: list[str], draws: int, seed: list[int]
) -> tuple[Array, Array]:
    """How many instances of a class are called positive, and negative: as observed, then drawn.

    What is added to the counts is spread over the 2^K ways, few of which have been observed. Their
    shares are drawn by breaking a stick, each piece being that of a way drawn at random.

    Returns
    -------
    Two arrays, (1 + draws, columns).
    """
    random = np.random.default_rng(seed)
    labels = _label_columns(rows)
    places = [labels.index(name) for name in columns]
    counts, called = rows["count"].to_numpy(), rows[columns].to_numpy(dtype=bool)
    shares = random.dirichlet([*counts, ADDED_TO_A_CLASS], draws)
    left = np.cumprod(1 - random.beta(1, ADDED_TO_A_CLASS, (draws, PIECES - 1)), axis=1)
    pieces = -np.diff(left, prepend=1, append=0, axis=1)
    added = random.integers(2, size=(draws, PIECES, len(labels)), dtype=np.int8)[..., places] > 0

    def drawn(seen: NDArray[np.bool_], new: NDArray[np.bool_]) -> Array:
        among_added = np.einsum("dp,dpc->dc", pieces, new)
        found = shares[:, :-1] @ seen + shares[:, -1:] * among_added
        return np.vstack([counts @ seen, counts.sum() * found])

    return drawn(called, added), drawn(~called, ~added)


def _wins(metric: Metric, values: Array) -> Wins:
    """Which classifiers have the best value; none does where all are undefined."""
    values = -values if metric.lower_is_better else values
    best = np.fmax.reduce(values, axis=1, keepdims=True)
    return np.asarray(values == best)  # NaN equals nothing


def _winner(wins: Wins, names: list[str]) -> tuple[str, float]:
    """The classifiers that win with the observed counts, and their share of the draws."""
    winners: NDArray[np.bool_] = wins[0]
    shares = wins[1:] / np.maximum(wins[1:].sum(axis=1, keepdims=True), 1)
    name = " = ".join(name for name, won in zip(names, winners, strict=True) if won)
    return name, float(shares[:, winners].sum(axis=1).mean())
