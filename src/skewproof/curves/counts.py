"""True and false positives at every threshold of a score, from which curves and areas are made.

Scores are sorted, and those of the smaller class are looked up among them. A permutation is formed
only with weights: NumPy sorts floats several times faster than it finds their order.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from skewproof.core.algebra import Array
from skewproof.core.data.arrays import checked_numbers, checked_weights, expect_equal_lengths
from skewproof.core.data.labels import positives_of
from skewproof.prevalence.prevalence import At, Prevalence

LARGEST_EXPONENT = 64
"""Largest exponent of two in a weight: with larger ones, products of four sums may overflow."""

MOST_UNLIKE = 1e12
"""Largest ratio of the weights of two classes, at which no share is rounded to 1."""


class ScoreCounts(NamedTuple):
    """Counts, or sums of weights, beginning where nothing is called positive.

    Arrays of several curves have a row per curve; the last axis is that of the points.
    """

    tp: Array
    """True positives, shape (..., thresholds + 1), rising from 0 to all positives."""
    fp: Array
    """False positives, shape (..., thresholds + 1), rising from 0 to all negatives."""

    @property
    def positives(self) -> Any:
        """Size of the positive class, shape (..., 1); a number if there is one curve."""
        return _last(self.tp)

    @property
    def negatives(self) -> Any:
        """Size of the negative class, shape (..., 1); a number if there is one curve."""
        return _last(self.fp)

    @property
    def prevalence(self) -> Any:
        """Share of the positives, in (0, 1)."""
        return self.positives / (self.positives + self.negatives)


def _last(values: Array) -> Any:
    return float(values[-1]) if values.ndim == 1 else values[..., -1:]


def curves_of(steps: Array) -> ScoreCounts:
    """Return several curves from their steps: numbers of both classes, (curves, 2, steps)."""
    sums = np.zeros((*steps.shape[:2], steps.shape[2] + 1))
    np.cumsum(steps, axis=-1, out=sums[..., 1:])
    return ScoreCounts(sums[:, 0], sums[:, 1])


def at_prevalence(counts: ScoreCounts, at: At) -> ScoreCounts:
    """Weight the negatives so that the same rates have the given prevalence.

    Examples
    --------
    >>> import numpy as np
    >>> counts = ScoreCounts(tp=np.array([0.0, 1, 2]), fp=np.array([0.0, 0, 2]))
    >>> at_prevalence(counts, "1:100").fp.round(6).tolist()
    [0.0, 0.0, 200.0]
    """
    where = Prevalence.given(at).for_two_classes()
    if not where.elsewhere:
        return counts
    weight = weight_of_negatives(counts.positives, counts.negatives, where)
    return counts._replace(fp=counts.fp * weight)


def weight_of_negatives(positives: Any, negatives: Any, at: Prevalence) -> Any:
    """Return the weight of a negative, relative to a positive, that gives classes a prevalence."""
    if not at.elsewhere:
        return 1.0
    return positives / negatives * ((1 - at.share_inside) / at.share_inside)


def score_counts(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    pos_label: Any = 1,
    sample_weight: ArrayLike | None = None,
) -> tuple[ScoreCounts, NDArray[Any]]:
    """Count at every distinct score, the highest first; return the counts and the falling scores.

    Parameters and errors are those of :func:`skewproof.curves.threshold_matrices`.
    """
    positive = positives_of(y_true, pos_label)
    scores = checked_numbers(y_score, "y_score", what="score")
    expect_equal_lengths(y_true=positive, y_score=scores)
    if sample_weight is not None:
        return _weighed(positive, scores, checked_weights(sample_weight, positive.size))
    rare_is_positive = 2 * np.count_nonzero(positive) <= positive.size
    rare_scores, rare_sizes = np.unique(
        scores[positive if rare_is_positive else ~positive], return_counts=True
    )
    scores = np.sort(scores)  # reuses the name, so that the checked copy is freed
    called, scores = _called(scores)
    rare = np.zeros(called.size)
    rare[scores.size - np.searchsorted(scores, rare_scores)] = rare_sizes
    np.cumsum(rare, out=rare)
    called -= rare
    both = (rare, called) if rare_is_positive else (called, rare)
    return ScoreCounts(*both), scores[::-1]


def _called(rising: NDArray[Any]) -> tuple[Array, NDArray[Any]]:
    """Count the instances that reach each distinct score; also return the rising scores."""
    first = _first(rising)
    if first.all():
        return np.arange(rising.size + 1.0), rising
    starts = np.flatnonzero(first)
    return np.append(0.0, rising.size - starts[::-1]), rising[starts]


def _weighed(
    positive: NDArray[np.bool_], scores: NDArray[Any], weights: Array
) -> tuple[ScoreCounts, NDArray[Any]]:
    """Sum weights, each class by itself, so that a sum over no instances is 0."""
    some = weights > 0
    positive, scores, weights = positive[some], scores[some], weights[some]
    if positive.all() or not positive.any():
        empty = "negatives" if positive.any() else "positives"
        raise ValueError(f"sample_weight is 0 for all {empty}: expected weights of both classes")
    exponent = int(np.frexp(weights.max())[1])
    if abs(exponent) > LARGEST_EXPONENT:
        weights = np.ldexp(weights, -exponent)
    order = np.argsort(scores)[::-1]
    falling = scores[order]
    ends = np.append(np.flatnonzero(_first(falling))[1:], falling.size) - 1
    sums = [
        np.append(0.0, np.cumsum(np.where(of_class, weights, 0)[order])[ends])
        for of_class in (positive, ~positive)
    ]
    counts = ScoreCounts(*sums)
    totals = counts.positives, counts.negatives
    if min(totals) * MOST_UNLIKE < max(totals):
        raise ValueError(
            f"sample_weight has the sums {totals[0]:.3g} of positives and {totals[1]:.3g} of"
            f" negatives, up to a common factor: expected one at most {MOST_UNLIKE:g} times the"
            " other"
        )
    return counts, falling[ends]


def _first(ordered: NDArray[Any]) -> NDArray[np.bool_]:
    """Return whether each value is the first of its run of equal values."""
    first = np.ones(ordered.size, dtype=bool)
    np.not_equal(ordered[1:], ordered[:-1], out=first[1:])
    return first


def quotient(numerator: Array, denominator: Array) -> Array:
    """Divide, with 0 where the denominator is 0: in steps that a curve does not take."""
    shape = np.broadcast_shapes(np.shape(numerator), np.shape(denominator))
    return np.divide(numerator, denominator, out=np.zeros(shape), where=denominator > 0)


def per_curve(value: Array | float) -> Array:
    """Drop the last axis, which the positives and negatives of several curves keep."""
    return np.asarray(value)[..., 0] if np.ndim(value) else np.asarray(value)
