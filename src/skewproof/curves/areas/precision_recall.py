"""Areas under precision-recall curves, among them those made for varying prevalence.

Every function takes counts of one curve or of several, at the prevalence of the area, and returns a
number per curve. docs/guide/areas.md computes which of the areas keep their value when the
prevalence changes, and what chance scores.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from skewproof.core.algebra import Array
from skewproof.core.arguments import expect_flag
from skewproof.curves.areas.roc import convex_hull
from skewproof.curves.counts import ScoreCounts, at_prevalence, per_curve, quotient


def average_precision(counts: ScoreCounts) -> Array:
    """Compute the area under the precision-recall curve as a sum of steps, in (0, 1].

    There is no interpolation. At a prevalence other than that of the labels, precision is that of
    the same true and false positive rates (Siblini et al. 2020).
    """
    called = counts.tp[..., 1:] + counts.fp[..., 1:]
    terms = np.divide(counts.tp[..., 1:], called, out=called, where=called > 0)
    terms *= np.diff(counts.tp)
    return terms.sum(axis=-1) / per_curve(counts.positives)


def interpolated_average_precision(counts: ScoreCounts) -> Array:
    """Compute the exact area under the interpolated precision-recall curve, in (0, 1].

    Between two points precision is t/(t + f) with f linear in t (Eq. 18 of Tharwat 2021), and its
    integral over t is a linear term and a logarithm.
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


def normalized_average_precision(counts: ScoreCounts) -> Array:
    """Compute the average precision AP at the prevalence π as (AP - π)/(1 - π), at most 1.

    It is 1 for a perfect ranking, 0 for constant scores, and below 0 for a ranking whose AP is
    below π. Its mean over random rankings of few positives is above 0, since the mean of AP is then
    above π (:func:`skewproof.curves.chance_area`).
    """
    return above_prevalence(average_precision(counts), per_curve(counts.prevalence))


def above_prevalence(precision: Any, prevalence: Any) -> Any:
    """Scale an average precision so that the prevalence becomes 0, and 1 stays 1."""
    return (precision - prevalence) / (1 - prevalence)


def normalized_precision_recall_area(counts: ScoreCounts) -> Array:
    """Compute the precision-recall area, scaled by the least that it can be, in [0, 1].

    No curve can go below that of the worst ranking, whose area at the prevalence π is
    1 + (1 - π) ln(1 - π)/π. The area is scaled from there to 1 (AUCNPR; Boyd, Santos Costa, Davis
    and Page 2012). It is that of the interpolated curve, for which the least value is exact with
    any number of instances.

    Returns
    -------
    0 for the worst ranking and 1 for a perfect one. A random ranking has a value between 0 and 0.5:
    about half the prevalence if that is small.
    """
    odds = per_curve(counts.negatives / counts.positives)
    return np.clip(above_worst(interpolated_average_precision(counts), odds), 0, 1)


def above_worst(area: Any, odds: Any) -> Any:
    """Scale an area so that that of the worst ranking becomes 0, given negatives per positive."""
    least = 1 - odds * np.log1p(1 / odds)
    return (area - least) / (1 - least)


def calibrated_average_precision(counts: ScoreCounts) -> Array:
    """Compute the average precision of the same rates at a stated prevalence, in (0, 1].

    This is the average precision with another default of the prevalence (Siblini et al. 2020). At
    1:1, the default, the precision is TPR/(TPR + FPR), the calibrated precision of De Geest et
    al. (2016) with the ratio of negatives to positives as weight.
    """
    return average_precision(counts)


def balanced_average_precision(counts: ScoreCounts) -> Array:
    """Compute the area of balanced precision, TPR/(TPR + FPR), over recall in steps, in (0, 1].

    Balanced precision is the precision that would be expected if both classes had the same size (Wu
    et al. 2021, Eq. 1, as R's mikropml cites it). Its area is the average precision at 1:1, and
    depends on the rates alone. It differs from the same formula with an average precision in place
    of a precision, which mikropml names Eq. 7 and which depends on the prevalence.
    """
    return average_precision(at_prevalence(counts, "1:1"))


def precision_recall_gain_area(counts: ScoreCounts, *, hull: bool = False) -> Array:
    """Compute the area under the precision-recall-gain curve, at most 1 (Flach and Kull 2015).

    With the prevalence π the gain of a precision p is (p - π)/((1 - π) p), and that of a recall is
    defined likewise. The area, AUPRG, is that over recall gains in [0, 1], where recall is at least
    π. Between two points the curve is straight, and is cut where the recall gain is 0, as in the
    authors' package prg.

    Parameters
    ----------
    counts
        Counts at every threshold, of one curve or of several, at the prevalence of the area.
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
        If `hull` is not True or False.

    Examples
    --------
    >>> counts = ScoreCounts(tp=np.array([0.0, 1, 1, 2, 2]), fp=np.array([0.0, 0, 1, 1, 2]))
    >>> float(precision_recall_gain_area(counts))
    0.25
    >>> float(precision_recall_gain_area(counts, hull=True))
    0.75
    """
    expect_flag("hull", hull)
    if hull:
        counts = convex_hull(counts)
    # Trapezoids are exact: between two points both gains are linear in 1/tp.
    odds = counts.positives / counts.negatives
    first = counts.positives * counts.prevalence  # where the recall is the prevalence
    low, high = counts.tp[..., :-1], counts.tp[..., 1:]
    start, end = np.maximum(low, first), np.maximum(high, first)
    fp, fall = counts.fp[..., :-1], np.diff(counts.fp)
    fp = fp + fall * quotient(start - low, high - low)
    width = odds * counts.positives * (end - start) / start / end
    height = 1 - odds * (fp / start + counts.fp[..., 1:] / end) / 2
    return np.where(high > first, width * height, 0.0).sum(axis=-1)
