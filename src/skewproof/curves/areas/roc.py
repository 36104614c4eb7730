"""Areas under the ROC curve: of the whole, of a part, and of several classes."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import isotonic_regression

from skewproof.core.algebra import Array
from skewproof.core.arguments import expect_choice, expect_number
from skewproof.core.data.arrays import checked_numbers
from skewproof.core.data.labels import checked_labels
from skewproof.core.messages import shown
from skewproof.curves.counts import ScoreCounts, per_curve, quotient, score_counts

Ties = Literal["expected", "optimistic", "pessimistic"]

TIE_SHARES = {"expected": 0.5, "optimistic": 1.0, "pessimistic": 0.0}
"""Share of the rectangle of equal scores (Fig. 5 of Tharwat 2021) that is below the ROC curve."""


def auc(counts: ScoreCounts, *, ties: Ties = "expected") -> Array:
    """Compute the area under the ROC curve, in [0, 1] (Section 4, Algorithm 2 of Tharwat 2021).

    It depends on the rates alone, and is the same at every prevalence.

    Parameters
    ----------
    counts
        Counts at every threshold, of one curve or of several.
    ties
        Order of instances with equal scores (Section 3, Fig. 5 of Tharwat 2021): "optimistic" puts
        the positives first, "pessimistic" the negatives; "expected" is the mean of both, the area
        of Algorithm 2's trapezoids.

    Raises
    ------
    ValueError
        If `ties` is not one of these words.

    Examples
    --------
    >>> counts = ScoreCounts(tp=np.array([0.0, 1, 2]), fp=np.array([0.0, 1, 2]))
    >>> float(auc(counts)), float(auc(counts, ties="optimistic"))
    (0.5, 0.75)
    """
    expect_choice("ties", ties, TIE_SHARES)
    heights = np.diff(counts.tp)
    heights *= TIE_SHARES[ties]
    heights += counts.tp[..., :-1]
    heights *= np.diff(counts.fp)
    return heights.sum(axis=-1) / per_curve(counts.positives * counts.negatives)


def partial_auc(counts: ScoreCounts, *, max_fpr: float = 0.1) -> Array:
    """Compute the area under the ROC curve up to an FPR, as corrected by McClish (1989).

    With the area A up to the rate e, it is (1 + (A - e²/2)/(e - e²/2))/2: 1/2 for the diagonal and
    1 for a perfect ranking, whatever e is. The curve is straight between its points, and is cut at
    e. The area depends on the rates alone, and is the same at every prevalence.

    Parameters
    ----------
    counts
        Counts at every threshold, of one curve or of several.
    max_fpr
        The largest false positive rate e, in (0, 1]. With 1 it is the AUC.

    Returns
    -------
    The corrected area: at most 1, and at least (1 - e)/(2 - e), which is a little less than 1/2 if
    e is small.

    Raises
    ------
    ValueError
        If `max_fpr` is out of its range.

    Examples
    --------
    >>> counts = ScoreCounts(tp=np.array([0.0, 1, 1, 2, 2]), fp=np.array([0.0, 0, 1, 1, 2]))
    >>> round(float(partial_auc(counts, max_fpr=0.5)), 3), float(partial_auc(counts, max_fpr=1))
    (0.667, 0.75)
    """
    max_fpr = checked_max_fpr(max_fpr)
    limit = max_fpr * counts.negatives
    start, end = (np.minimum(part, limit) for part in (counts.fp[..., :-1], counts.fp[..., 1:]))
    tp, rise = counts.tp[..., :-1], np.diff(counts.tp)
    share = quotient(end - start, np.diff(counts.fp))
    height = ((end - start) * (tp + share * rise / 2)).sum(axis=-1)
    height = height / per_curve(limit * counts.positives)
    return (1 + (height - max_fpr / 2) / (1 - max_fpr / 2)) / 2


def checked_max_fpr(max_fpr: Any) -> float:
    """Check a largest false positive rate, above 0 and at most 1."""
    return expect_number("max_fpr", max_fpr, most=1, above=0)


def multiclass_auc(y_true: ArrayLike, y_score: ArrayLike) -> float:
    """Compute the mean AUC of each class against all others, in [0, 1].

    The weights are the priors of the classes, as in Section 4 of Tharwat 2021.

    Parameters
    ----------
    y_true
        True labels, shape (instances,), of at least two classes.
    y_score
        Finite scores, shape (instances, classes), with a column per class in the sorted order of
        the labels; a higher score is more of that class. They need not be probabilities.

    Raises
    ------
    ValueError
        If there is only one class, the shapes do not fit, or
        :func:`~skewproof.curves.thresholds.threshold_matrices` would refuse a label or a
        score.

    Examples
    --------
    >>> from skewproof.curves import multiclass_auc
    >>> scores = [[0.8, 0.1, 0.1], [0.3, 0.6, 0.1], [0.4, 0.5, 0.1], [0.2, 0.2, 0.6]]
    >>> multiclass_auc(["a", "b", "a", "c"], scores)
    1.0
    """
    true = checked_labels(y_true, "y_true")
    scores = checked_numbers(y_score, "y_score", what="score")
    try:
        classes, sizes = np.unique(true, return_counts=True)
    except TypeError:
        raise ValueError(
            "y_true has labels that can't be sorted: expected all to be numbers, or all text"
        ) from None
    if classes.size < 2:
        raise ValueError(f"y_true has one class, {shown(classes[0])}: expected at least two")
    if scores.shape != (true.size, classes.size):
        raise ValueError(
            f"y_score has the shape {scores.shape}: expected {(true.size, classes.size)}, a row"
            " per label and a column per class"
        )
    areas = [
        auc(score_counts(true == label, scores[:, column])[0])
        for column, label in enumerate(classes)
    ]
    return float(np.average(areas, weights=sizes))


def convex_hull(counts: ScoreCounts) -> ScoreCounts:
    """Return the corners of the upper convex hull of each ROC curve, including both ends.

    The hull's slopes are the isotonic regression of the labels on the scores. Several curves have a
    row each, in which shorter hulls repeat their last corner.

    Examples
    --------
    >>> curves = ScoreCounts(np.array([[0.0, 1, 2], [0, 2, 2]]), np.array([[0.0, 1, 2], [0, 1, 2]]))
    >>> convex_hull(curves).tp.tolist()
    [[0.0, 2.0, 2.0], [0.0, 2.0, 2.0]]
    """
    if counts.tp.ndim > 1:
        hulls = [convex_hull(ScoreCounts(*row)) for row in zip(*counts, strict=True)]
        positions = np.arange(max(hull.tp.size for hull in hulls))
        parts = (
            np.array([part[np.minimum(positions, part.size - 1)] for part in rows])
            for rows in zip(*hulls, strict=True)
        )
        return ScoreCounts(*parts)
    added = np.diff(counts.tp) + np.diff(counts.fp)
    steps = np.flatnonzero(added)
    share = np.diff(counts.tp)[steps] / added[steps]
    blocks = isotonic_regression(share, weights=added[steps], increasing=False).blocks
    corners = np.append(steps, counts.tp.size - 1)[blocks]
    return ScoreCounts(counts.tp[corners], counts.fp[corners])
