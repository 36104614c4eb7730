"""Areas of precision and recall that were proposed where prevalence should not matter.

All take labels and scores as :func:`skewproof.average_precision` does. Which of them keep their
value when the prevalence changes, and what chance scores, is computed in docs/guide/areas.md.
"""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike

from skewproof.core.levels import Level
from skewproof.core.messages import shown
from skewproof.practice.curves.areas import of_counts
from skewproof.practice.curves.counts import score_counts


def normalized_average_precision(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    pos_label: Any = 1,
    sample_weight: ArrayLike | None = None,
) -> float:
    """Average precision AP at the prevalence π as (AP - π)/(1 - π), at most 1.

    It is 1 for a perfect ranking and 0 for constant scores, and is below 0 for a ranking whose AP
    is below π. A random ranking of few positives has more than 0 in the mean, since AP has more
    than π there (:func:`skewproof.chance_area`).

    Parameters
    ----------
    y_true, y_score, pos_label, sample_weight
        As for :func:`skewproof.threshold_matrices`, which says what it refuses.

    Examples
    --------
    >>> from skewproof import normalized_average_precision
    >>> round(normalized_average_precision([1, 0, 1, 0], [0.9, 0.8, 0.7, 0.1]), 3)
    0.667
    """
    counts = score_counts(y_true, y_score, pos_label=pos_label, sample_weight=sample_weight)[0]
    return float(of_counts.normalized_average_precision(counts))


def normalized_precision_recall_area(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    pos_label: Any = 1,
    sample_weight: ArrayLike | None = None,
) -> float:
    """Area under the precision-recall curve, scaled by the least that it can be, in [0, 1].

    No curve can go below that of the worst ranking, whose area at the prevalence π is
    1 + (1 - π) ln(1 - π)/π; the area is taken from there to 1 (AUCNPR; Boyd, Santos Costa, Davis
    and Page 2012). The area is that of :func:`skewproof.interpolated_average_precision`, of which
    this least value is exact for any number of instances.

    Parameters
    ----------
    y_true, y_score, pos_label, sample_weight
        As for :func:`skewproof.threshold_matrices`, which says what it refuses.

    Returns
    -------
    0 for the worst ranking and 1 for a perfect one. A classifier that ranks at random has about
    half the prevalence where that is small: less than 0.5, and not 0.

    Examples
    --------
    >>> from skewproof import normalized_precision_recall_area
    >>> round(normalized_precision_recall_area([1, 0, 1, 0], [0.9, 0.8, 0.7, 0.1]), 3)
    0.708
    """
    counts = score_counts(y_true, y_score, pos_label=pos_label, sample_weight=sample_weight)[0]
    return float(of_counts.normalized_precision_recall_area(counts))


def calibrated_average_precision(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    pos_label: Any = 1,
    sample_weight: ArrayLike | None = None,
    target: str | Level = "1:1",
) -> float:
    """Average precision that the same rates would have at another prevalence, in (0, 1].

    Precision is that of the true and false positive rate at the target's prevalence (Siblini et
    al. 2020). At 1:1, the default, it is TPR/(TPR + FPR), the calibrated precision of De Geest et
    al. (2016) with the ratio of negatives to positives as weight.

    Parameters
    ----------
    y_true, y_score, pos_label, sample_weight
        As for :func:`skewproof.threshold_matrices`, which says what it refuses.
    target
        The level "P:N" at which the precision is taken.

    Raises
    ------
    ValueError
        If labels, scores or weights are refused, or `target` is no level.

    Examples
    --------
    >>> from skewproof import calibrated_average_precision
    >>> true, scores = [1, 0, 1, 0], [0.9, 0.8, 0.7, 0.1]
    >>> round(calibrated_average_precision(true, scores), 3)
    0.833
    >>> round(calibrated_average_precision(true, scores, target="1:1000"), 3)
    0.501
    """
    prevalence = checked_prevalence(target)
    counts = score_counts(y_true, y_score, pos_label=pos_label, sample_weight=sample_weight)[0]
    return float(of_counts.average_precision(of_counts.at_prevalence(counts, prevalence)))


def checked_prevalence(target: str | Level, name: str = "target") -> float:
    """Share of the positives at a level, in (0, 1); the name is for the error."""
    try:
        level = target if isinstance(target, Level) else Level.parse(target)
    except ValueError as error:
        raise ValueError(f"{name} = {error}") from None
    return level.positive_part / (level.positive_part + level.negative_part)


def balanced_average_precision(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    pos_label: Any = 1,
    sample_weight: ArrayLike | None = None,
) -> float:
    """Area of balanced precision, TPR/(TPR + FPR), over recall as a sum of steps, in (0, 1].

    Balanced precision is the precision that would be expected if the classes were of one size
    (Wu et al. 2021, Eq. 1, as R's mikropml cites it). Its area is
    :func:`skewproof.calibrated_average_precision` at 1:1. It is not the same formula of an average
    precision in place of a precision, which mikropml names Eq. 7: that one depends on the
    prevalence.

    Parameters
    ----------
    y_true, y_score, pos_label, sample_weight
        As for :func:`skewproof.threshold_matrices`, which says what it refuses.

    Examples
    --------
    Ten times the negatives of each score change nothing:

    >>> from skewproof import balanced_average_precision
    >>> few = balanced_average_precision([1, 0, 1, 0], [0.9, 0.8, 0.7, 0.1])
    >>> many = balanced_average_precision([1, 1] + [0, 0] * 10, [0.9, 0.7] + [0.8, 0.1] * 10)
    >>> round(few, 3), round(many, 3)
    (0.833, 0.833)
    """
    return calibrated_average_precision(
        y_true, y_score, pos_label=pos_label, sample_weight=sample_weight
    )


def precision_recall_gain_area(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    pos_label: Any = 1,
    sample_weight: ArrayLike | None = None,
    hull: bool = False,
) -> float:
    """Area under the precision-recall-gain curve, at most 1 (AUPRG; Flach and Kull 2015).

    With the prevalence π the gain of a precision p is (p - π)/((1 - π) p), and that of a recall
    likewise. The area is where the recall gain is in [0, 1], which is where recall is at least π.
    Between two points the curve is straight, and so it is cut where the recall gain is 0, as the
    authors' package prg does.

    Parameters
    ----------
    y_true, y_score, pos_label, sample_weight
        As for :func:`skewproof.threshold_matrices`, which says what it refuses.
    hull
        Whether the curve is that of the convex hull of the ROC curve: of mixtures of the
        classifiers at any two thresholds. It is then at least 0.

    Returns
    -------
    1 for a perfect ranking, 0 for constant scores, and -(1 - π)/(2π) for the worst ranking: where
    precision is below the prevalence its gain is negative.

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
    if not isinstance(hull, bool):
        raise ValueError(f"hull = {shown(hull)}: expected True or False")
    counts = score_counts(y_true, y_score, pos_label=pos_label, sample_weight=sample_weight)[0]
    return float(of_counts.precision_recall_gain_area(counts, hull=hull))
