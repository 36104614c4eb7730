"""Areas under precision-recall curves, among them those made for varying prevalence.

docs/guide/areas.md computes which of them keep their value when the prevalence changes, and what
chance scores.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from skewproof.core.algebra import Array
from skewproof.core.arguments import expect_flag
from skewproof.curves.areas.area import area, of_each, per_curve, quotient
from skewproof.curves.areas.roc import convex_hull
from skewproof.curves.counts import ScoreCounts


@area
def average_precision(counts: ScoreCounts) -> Array:
    """Compute the area under the precision-recall curve as a sum of steps, in (0, 1].

    There is no interpolation. At a prevalence other than that of the labels, precision is that of
    the same true and false positive rates (Siblini et al. 2020).

    Parameters
    ----------
    y_true, y_score, pos_label, sample_weight
        As for :func:`skewproof.threshold_matrices`, with the same errors.
    at
        Prevalence of the area, as for :func:`skewproof.interval`, if each class keeps its scores.

    Examples
    --------
    >>> from skewproof import average_precision
    >>> true, scores = [1, 0, 1, 0], [0.9, 0.8, 0.7, 0.1]
    >>> round(average_precision(true, scores), 3)
    0.833
    >>> round(average_precision(true, scores, at="1:1000"), 3)
    0.501
    """
    called = counts.tp[..., 1:] + counts.fp[..., 1:]
    terms = np.divide(counts.tp[..., 1:], called, out=called, where=called > 0)
    terms *= np.diff(counts.tp)
    return terms.sum(axis=-1) / per_curve(counts.positives)


@area
def interpolated_average_precision(counts: ScoreCounts) -> Array:
    """Compute the exact area under the interpolated precision-recall curve, in (0, 1].

    Between two points precision is t/(t + f) with f linear in t (Eq. 18 of Tharwat 2021), and its
    integral over t is a linear term and a logarithm.

    Parameters
    ----------
    y_true, y_score, pos_label, sample_weight
        As for :func:`skewproof.threshold_matrices`, with the same errors.
    at
        Prevalence of the area, as for :func:`skewproof.interval`, if each class keeps its scores.

    Examples
    --------
    >>> from skewproof import interpolated_average_precision
    >>> round(interpolated_average_precision([1, 0, 1, 0], [0.9, 0.8, 0.7, 0.1]), 3)
    0.797
    """
    tp, fp = counts.tp[..., :-1], counts.fp[..., :-1]
    steps = np.diff(counts.tp)
    added = steps + np.diff(counts.fp)
    share, growth = quotient(steps, added), quotient(added, tp + fp)
    bend = fp * share - tp * (1 - share)
    return (share * (steps - bend * np.log1p(growth))).sum(axis=-1) / per_curve(counts.positives)


def average_precision_within(counts: ScoreCounts, last: Array) -> Array:
    """Sum steps, each as high as the mean precision over the last part of its rise.

    With the part 1 this is the interpolated area if steps have no negatives; with the part 0 it
    would be the area of the steps.
    """
    tp, fp, rise = counts.tp[..., 1:], counts.fp[..., 1:], np.diff(counts.tp)
    part = rise * last
    lost = fp / last * np.log1p(quotient(part, tp - part + fp))
    return (rise - lost).sum(axis=-1) / per_curve(counts.positives)


@area
def normalized_average_precision(counts: ScoreCounts) -> Array:
    """Compute the average precision AP at the prevalence π as (AP - π)/(1 - π), at most 1.

    It is 1 for a perfect ranking, 0 for constant scores, and below 0 for a ranking whose AP is
    below π. Its mean over random rankings of few positives is above 0, since the mean of AP is then
    above π (:func:`skewproof.chance_area`).

    Parameters
    ----------
    y_true, y_score, pos_label, sample_weight
        As for :func:`skewproof.threshold_matrices`, with the same errors.
    at
        Prevalence of the area, as for :func:`skewproof.interval`, if each class keeps its scores.

    Examples
    --------
    >>> from skewproof import normalized_average_precision
    >>> round(normalized_average_precision([1, 0, 1, 0], [0.9, 0.8, 0.7, 0.1]), 3)
    0.667
    """
    return above_prevalence(average_precision.of_counts(counts), counts)


def above_prevalence(precision: Array, counts: ScoreCounts) -> Array:
    """Scale an average precision so that the prevalence becomes 0, and 1 stays 1."""
    prevalence = per_curve(counts.prevalence)
    return (precision - prevalence) / (1 - prevalence)


@area
def normalized_precision_recall_area(counts: ScoreCounts) -> Array:
    """Compute the precision-recall area, scaled by the least that it can be, in [0, 1].

    No curve can go below that of the worst ranking, whose area at the prevalence π is
    1 + (1 - π) ln(1 - π)/π. The area is scaled from there to 1 (AUCNPR; Boyd, Santos Costa, Davis
    and Page 2012). It is that of :func:`skewproof.interpolated_average_precision`, for which the
    least value is exact with any number of instances.

    Parameters
    ----------
    y_true, y_score, pos_label, sample_weight
        As for :func:`skewproof.threshold_matrices`, with the same errors.
    at
        Prevalence of the area, as for :func:`skewproof.interval`, if each class keeps its scores.

    Returns
    -------
    0 for the worst ranking and 1 for a perfect one. A random ranking has a value between 0 and 0.5:
    about half the prevalence if that is small.

    Examples
    --------
    >>> from skewproof import normalized_precision_recall_area
    >>> round(normalized_precision_recall_area([1, 0, 1, 0], [0.9, 0.8, 0.7, 0.1]), 3)
    0.708
    """
    odds = per_curve(counts.negatives / counts.positives)
    least = 1 - odds * np.log1p(1 / odds)
    return np.clip((interpolated_average_precision.of_counts(counts) - least) / (1 - least), 0, 1)


@partial(area, at="1:1")
def calibrated_average_precision(counts: ScoreCounts) -> Array:
    """Compute the average precision of the same rates at a stated prevalence, in (0, 1].

    This is :func:`skewproof.average_precision` with another default of `at` (Siblini et al. 2020).
    At 1:1, the default, the precision is TPR/(TPR + FPR), the calibrated precision of De Geest et
    al. (2016) with the ratio of negatives to positives as weight.

    Parameters
    ----------
    y_true, y_score, pos_label, sample_weight
        As for :func:`skewproof.threshold_matrices`, with the same errors.
    at
        Prevalence of the area, as for :func:`skewproof.interval`, if each class keeps its scores.

    Raises
    ------
    ValueError
        If labels, scores or weights are refused, or `at` is not a prevalence.

    Examples
    --------
    >>> from skewproof import calibrated_average_precision
    >>> true, scores = [1, 0, 1, 0], [0.9, 0.8, 0.7, 0.1]
    >>> round(calibrated_average_precision(true, scores), 3)
    0.833
    >>> round(calibrated_average_precision(true, scores, at="1:1000"), 3)
    0.501
    """
    return average_precision.of_counts(counts)


@area
def balanced_average_precision(counts: ScoreCounts) -> Array:
    """Compute the area of balanced precision, TPR/(TPR + FPR), over recall in steps, in (0, 1].

    Balanced precision is the precision that would be expected if both classes had the same size (Wu
    et al. 2021, Eq. 1, as R's mikropml cites it). Its area is
    :func:`skewproof.calibrated_average_precision` at 1:1. It differs from the same formula with an
    average precision in place of a precision, which mikropml names Eq. 7 and which depends on the
    prevalence.

    Parameters
    ----------
    y_true, y_score, pos_label, sample_weight
        As for :func:`skewproof.threshold_matrices`, with the same errors.
    at
        Prevalence of the area, as for :func:`skewproof.interval`. The value is the same at every
        prevalence, since it depends on the rates alone.

    Examples
    --------
    Ten times as many negatives of each score change nothing:

    >>> from skewproof import balanced_average_precision
    >>> few = balanced_average_precision([1, 0, 1, 0], [0.9, 0.8, 0.7, 0.1])
    >>> many = balanced_average_precision([1, 1] + [0, 0] * 10, [0.9, 0.7] + [0.8, 0.1] * 10)
    >>> round(few, 3), round(many, 3)
    (0.833, 0.833)
    """
    return calibrated_average_precision.of_counts(counts)


@area
def precision_recall_gain_area(counts: ScoreCounts, *, hull: bool = False) -> Array:
    """Compute the area under the precision-recall-gain curve, at most 1 (Flach and Kull 2015).

    With the prevalence π the gain of a precision p is (p - π)/((1 - π) p), and that of a recall is
    defined likewise. The area, AUPRG, is that over recall gains in [0, 1], where recall is at least
    π. Between two points the curve is straight, and is cut where the recall gain is 0, as in the
    authors' package prg.

    Parameters
    ----------
    y_true, y_score, pos_label, sample_weight
        As for :func:`skewproof.threshold_matrices`, with the same errors.
    at
        Prevalence of the area, as for :func:`skewproof.interval`, if each class keeps its scores.
    hull
        Whether to use the convex hull of the ROC curve, that is, mixtures of the classifiers at any
        two thresholds. The area is then at least 0.

    Returns
    -------
    1 for a perfect ranking, 0 for constant scores, and -(1 - π)/(2π) for the worst ranking: the
    gain of a precision below the prevalence is negative.

    Raises
    ------
    ValueError
        If labels, scores or weights are refused, or `hull` is not True or False.

    Examples
    --------
    >>> from skewproof import precision_recall_gain_area
    >>> true, scores = [1, 0, 1, 0], [0.9, 0.8, 0.7, 0.1]
    >>> precision_recall_gain_area(true, scores)
    0.25
    >>> precision_recall_gain_area(true, scores, hull=True)
    0.75
    """
    expect_flag("hull", hull)
    return of_each(lambda one: _gain_area(convex_hull(one)), counts) if hull else _gain_area(counts)


def _gain_area(counts: ScoreCounts) -> Array:
    """Sum trapezoids, which are exact: between two points both gains are linear in 1/tp."""
    odds = counts.positives / counts.negatives
    first = counts.positives * counts.prevalence  # where the recall is the prevalence
    low, high = counts.tp[..., :-1], counts.tp[..., 1:]
    start, end = np.maximum(low, first), np.maximum(high, first)
    fp, fall = counts.fp[..., :-1], np.diff(counts.fp)
    fp = fp + fall * quotient(start - low, high - low)
    width = odds * counts.positives * (end - start) / start / end
    height = 1 - odds * (fp / start + counts.fp[..., 1:] / end) / 2
    return np.where(high > first, width * height, 0.0).sum(axis=-1)
