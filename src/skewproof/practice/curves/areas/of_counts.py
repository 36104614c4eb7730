"""Areas of curves that are given by their counts: what the functions on labels and scores compute.

Each takes :class:`skewproof.practice.curves.counts.ScoreCounts`, of one curve or of several, and
gives a number a curve. Counts may be sums of weights, and a whole curve may be scaled.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import numpy as np
from scipy.special import betainc

from skewproof.core.algebra import Array
from skewproof.practice.curves.counts import ScoreCounts

Ties = Literal["expected", "optimistic", "pessimistic"]

TIE_SHARES = {"expected": 0.5, "optimistic": 1.0, "pessimistic": 0.0}
"""Which share of the rectangle of equal scores (Tharwat's Fig. 5) is below the ROC curve."""

AreaOfCounts = Callable[[ScoreCounts], Array]


def _ratio(numerator: Array, denominator: Array) -> Array:
    """The quotient, and 0 where the denominator is: of steps that a curve does not take."""
    shape = np.broadcast_shapes(np.shape(numerator), np.shape(denominator))
    return np.divide(numerator, denominator, out=np.zeros(shape), where=denominator > 0)


def _single(number: Array | float) -> Array:
    """Without the last axis, which positives and negatives of several curves keep."""
    return np.asarray(number)[..., 0] if np.ndim(number) else np.asarray(number)


def auc(counts: ScoreCounts, *, ties: Ties = "expected") -> Array:
    """Area under the ROC curve."""
    heights = np.diff(counts.tp)
    heights *= TIE_SHARES[ties]
    heights += counts.tp[..., :-1]
    heights *= np.diff(counts.fp)
    return heights.sum(axis=-1) / _single(counts.positives * counts.negatives)


def partial_auc(counts: ScoreCounts, *, max_fpr: float) -> Array:
    """Area under the ROC curve up to a false positive rate, corrected by McClish."""
    limit = max_fpr * counts.negatives
    start, end = (np.minimum(part, limit) for part in (counts.fp[..., :-1], counts.fp[..., 1:]))
    tp, rise = counts.tp[..., :-1], np.diff(counts.tp)
    share = _ratio(end - start, np.diff(counts.fp))
    height = ((end - start) * (tp + share * rise / 2)).sum(axis=-1)
    height = height / _single(limit * counts.positives)
    return (1 + (height - max_fpr / 2) / (1 - max_fpr / 2)) / 2


def average_precision(counts: ScoreCounts) -> Array:
    """Area under the precision-recall curve as a sum of steps."""
    called = counts.tp[..., 1:] + counts.fp[..., 1:]
    terms = np.divide(counts.tp[..., 1:], called, out=called, where=called > 0)
    terms *= np.diff(counts.tp)
    return terms.sum(axis=-1) / _single(counts.positives)


def interpolated_average_precision(counts: ScoreCounts) -> Array:
    """Area under the precision-recall curve of which fp is linear in tp between two points."""
    tp, fp = counts.tp[..., :-1], counts.fp[..., :-1]
    steps = np.diff(counts.tp)
    added = steps + np.diff(counts.fp)
    share, growth = _ratio(steps, added), _ratio(added, tp + fp)
    bend = fp * share - tp * (1 - share)
    return (share * (steps - bend * np.log1p(growth))).sum(axis=-1) / _single(counts.positives)


def average_precision_within(counts: ScoreCounts, last: Array) -> Array:
    """Steps, each as high as precision is in the mean where the last part of its rise is called.

    Of the part 1, where no negatives are called in a step, this is the interpolated area; of the
    part 0 it would be that of the steps.
    """
    tp, fp, rise = counts.tp[..., 1:], counts.fp[..., 1:], np.diff(counts.tp)
    part = rise * last
    lost = fp / last * np.log1p(_ratio(part, tp - part + fp))
    return (rise - lost).sum(axis=-1) / _single(counts.positives)


def at_prevalence(counts: ScoreCounts, prevalence: float) -> ScoreCounts:
    """The same rates in classes of which the positives have the given share."""
    return ScoreCounts(
        counts.tp * (prevalence / counts.positives),
        counts.fp * ((1 - prevalence) / counts.negatives),
    )


def normalized_average_precision(
    counts: ScoreCounts, *, area: AreaOfCounts = average_precision
) -> Array:
    """Average precision less the prevalence, over the most that this can be."""
    prevalence = _single(counts.prevalence)
    return (area(counts) - prevalence) / (1 - prevalence)


def normalized_precision_recall_area(counts: ScoreCounts) -> Array:
    """Interpolated area less the least that it can be, over the most that this can be."""
    odds = _single(counts.negatives / counts.positives)
    least = 1 - odds * np.log1p(1 / odds)
    return np.clip((interpolated_average_precision(counts) - least) / (1 - least), 0, 1)


def precision_recall_gain_area(counts: ScoreCounts, *, hull: bool = False) -> Array:
    """Area under the precision-recall-gain curve where recall gain is in [0, 1].

    Between two points both gains are linear functions of 1/tp, so that the trapezoids are exact.
    """
    if hull:
        return of_each(lambda one: precision_recall_gain_area(convex_hull(one)), counts)
    odds = counts.positives / counts.negatives
    first = counts.positives * counts.prevalence  # where the recall is the prevalence
    low, high = counts.tp[..., :-1], counts.tp[..., 1:]
    start, end = np.maximum(low, first), np.maximum(high, first)
    fp, fall = counts.fp[..., :-1], np.diff(counts.fp)
    fp = fp + fall * _ratio(start - low, high - low)
    width = odds * counts.positives * (end - start) / start / end
    height = 1 - odds * (fp / start + counts.fp[..., 1:] / end) / 2
    return np.where(high > first, width * height, 0.0).sum(axis=-1)


def h_measure(counts: ScoreCounts, *, shapes: tuple[float, float] | None = (2, 2)) -> Array:
    """Hand's H-measure; shapes of the distribution of costs, or None for those of class sizes."""
    return of_each(lambda one: _h_of_hull(convex_hull(one), shapes), counts)


def of_each(area: Callable[[ScoreCounts], Array | float], counts: ScoreCounts) -> Array:
    """An area that is computed of one curve, of each of several."""
    if counts.tp.ndim == 1:
        return np.asarray(area(counts))
    rows = zip(counts.tp, counts.fp, strict=True)
    return np.array([area(ScoreCounts(*row)) for row in rows])


def convex_hull(counts: ScoreCounts) -> ScoreCounts:
    """Corners of the upper convex hull of one ROC curve, both ends among them.

    The hull's slopes are the isotonic regression of the labels on the scores.
    """
    from scipy.optimize import isotonic_regression  # as slow to import as all else here

    added = np.diff(counts.tp) + np.diff(counts.fp)
    steps = np.flatnonzero(added)
    share = np.diff(counts.tp)[steps] / added[steps]
    blocks = isotonic_regression(share, weights=added[steps], increasing=False).blocks
    corners = np.append(steps, counts.tp.size - 1)[blocks]
    return ScoreCounts(counts.tp[corners], counts.fp[corners])


def _h_of_hull(hull: ScoreCounts, shapes: tuple[float, float] | None) -> float:
    share = hull.prevalence
    if shapes is None:
        shapes = 1 + share, 2 - share
    fpr, tpr = hull.fp / hull.negatives, hull.tp / hull.positives
    gain, cost = share * np.diff(tpr), (1 - share) * np.diff(fpr)
    # At which c the next corner of the hull takes over: the cost falls from 1 to 0 along it.
    borders = np.concatenate([[1.0], gain / (gain + cost), [0.0]])
    loss = _mean_loss((1 - share) * fpr, share * (1 - tpr), borders, shapes)
    constant = _mean_loss(
        np.array([0.0, 1 - share]), np.array([share, 0.0]), np.array([1.0, share, 0.0]), shapes
    )
    return float(np.clip(1 - loss / constant, 0, 1))


def _mean_loss(
    false_positives: Array, false_negatives: Array, borders: Array, shapes: tuple[float, float]
) -> float:
    """Integral over c of the loss of corners, each of which is best between two borders of c."""
    a, b = shapes
    of_cost = -a / (a + b) * np.diff(betainc(a + 1, b, borders))
    of_rest = -b / (a + b) * np.diff(betainc(a, b + 1, borders))
    return float(false_positives @ of_cost + false_negatives @ of_rest)
