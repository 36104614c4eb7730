"""Precision-recall curves at any prevalence, and the precision between their points.

A. Tharwat, *Classification assessment methods*, 2021, defines them. The areas under them are in
:mod:`skewproof.curves.areas`. The ROC and the DET curve depend on the rates alone and are the same
at every prevalence; scikit-learn has them.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from skewproof.core.algebra import Array
from skewproof.core.data.arrays import checked_shares
from skewproof.core.messages import fields_shown
from skewproof.curves.counts import at_prevalence, score_counts
from skewproof.prevalence.prevalence import At


class PrecisionRecallCurve(NamedTuple):
    """Precision in [0, 1] against recall, which rises from 0 to 1.

    Examples
    --------
    >>> from skewproof.curves import precision_recall_curve
    >>> curve = precision_recall_curve([1, 0, 1, 0], [0.9, 0.8, 0.7, 0.1])
    >>> round(float(curve.precision[curve.recall == 1].max()), 3)  # with every positive found
    0.667
    """

    recall: Array
    precision: Array
    thresholds: Array

    def __repr__(self) -> str:
        return fields_shown(self)


def precision_recall_curve(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    pos_label: Any = 1,
    sample_weight: ArrayLike | None = None,
    at: At = "population",
) -> PrecisionRecallCurve:
    """Compute the precision-recall curve (Section 5 of Tharwat 2021).

    Its first point, at recall 0, has the precision of the second in place of 0/0. At the last point
    recall is 1 and precision is the prevalence.

    Parameters
    ----------
    y_true, y_score, pos_label, sample_weight
        As for :func:`skewproof.curves.threshold_matrices`, with the same errors.
    at
        Prevalence of the curve, as for :func:`skewproof.interval`, if each class keeps its scores.

    Examples
    --------
    >>> from skewproof.curves import precision_recall_curve
    >>> curve = precision_recall_curve([1, 0, 1, 0], [0.9, 0.8, 0.7, 0.1])
    >>> curve.recall.tolist(), curve.precision.round(2).tolist()
    ([0.0, 0.5, 0.5, 1.0, 1.0], [1.0, 1.0, 0.5, 0.67, 0.5])
    >>> precision_recall_curve([1, 0, 1, 0], [0.9, 0.8, 0.7, 0.1], at="1:9").precision.round(2)
    array([1.  , 1.  , 0.1 , 0.18, 0.1 ])
    """
    counts, scores = score_counts(y_true, y_score, pos_label=pos_label, sample_weight=sample_weight)
    recall, precision = at_prevalence(counts, at)
    precision += recall
    np.divide(recall[1:], precision[1:], out=precision[1:])
    precision[0] = precision[1]
    recall /= recall[-1]
    return PrecisionRecallCurve(recall, precision, np.append(np.inf, scores).astype(np.float64))


def interpolated_precision(
    y_true: ArrayLike,
    y_score: ArrayLike,
    recall: ArrayLike,
    *,
    pos_label: Any = 1,
    at: At = "population",
) -> Array:
    """Interpolate precision between the points of the curve (Davis and Goadrich 2006).

    Precision is not linear there: false positives are interpolated linearly in the true positives
    (Eq. 18 of Tharwat 2021).

    Parameters
    ----------
    y_true, y_score, pos_label
        As for :func:`skewproof.curves.thresholds.threshold_matrices`.
    recall
        Recalls in [0, 1], of any shape. At 0 the result is the limit from the right; where the
        curve falls vertically, it is the highest point.
    at
        Prevalence of the result, as for :func:`skewproof.interval`, if each class keeps its scores.

    Returns
    -------
    Precision in [0, 1], with the shape of `recall`.

    Raises
    ------
    ValueError
        If a recall is not in [0, 1].

    Examples
    --------
    >>> from skewproof.curves import interpolated_precision
    >>> interpolated_precision([1, 0, 1, 0], [0.9, 0.8, 0.7, 0.1], [0.5, 0.75]).tolist()
    [1.0, 0.6]
    """
    recalls = checked_shares(recall, "recall")
    counts = at_prevalence(score_counts(y_true, y_score, pos_label=pos_label)[0], at)
    tp, fp = counts
    wanted = recalls * counts.positives
    end = np.maximum(np.searchsorted(tp, wanted), np.searchsorted(tp, 0, side="right"))
    slope = (fp[end] - fp[end - 1]) / (tp[end] - tp[end - 1])
    negatives = fp[end - 1] + (wanted - tp[end - 1]) * slope
    called = wanted + negatives
    limit = np.where(fp[end - 1] > 0, 0.0, 1 / (1 + slope))
    return np.divide(wanted, called, out=limit, where=called > 0)
