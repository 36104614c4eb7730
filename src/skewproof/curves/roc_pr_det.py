"""Curves from scores: ROC, precision-recall, DET, and the equal error rate.

A. Tharwat, *Classification assessment methods*, 2021, defines them. The areas under them are in
:mod:`skewproof.curves.areas`; the MCC-F1 curve is
:func:`skewproof.curves.thresholds.mcc_f1_curve`.

Every function takes ``y_true``, ``y_score`` and ``pos_label`` as
:func:`~skewproof.curves.thresholds.threshold_matrices` does, with the same errors, and
most take its ``sample_weight``. A curve has a point for each threshold, the highest first, after
the point at the threshold inf, where nothing is called positive. Equal scores share a threshold.
Constant scores therefore give two points: an AUC and an equal error rate of 1/2, and the prevalence
as the area under the precision-recall curve. Thresholds are float64, since inf is among them:
different scores beyond 2^53 have points of their own, at thresholds that may be rounded to one.
:func:`threshold_matrices` returns them unrounded.

Precision depends on the prevalence, and functions that return it take `at`, the prevalence where
the classifier will run. The ROC curve, the DET curve and the equal error rate depend on the rates
alone: they are the same at every prevalence.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtri

from skewproof.core.algebra import Array
from skewproof.core.labels import checked_numbers
from skewproof.core.messages import fields_shown
from skewproof.curves.counts import at_prevalence, score_counts
from skewproof.prevalence.prevalence import At
from skewproof.reporting.summary import Summary


class RocCurve(NamedTuple):
    """True against false positive rate, both in [0, 1], from (0, 0) to (1, 1).

    Examples
    --------
    >>> from skewproof import roc_curve
    >>> curve = roc_curve([1, 0, 1, 0], [0.9, 0.8, 0.7, 0.1])
    >>> float((curve.tpr - curve.fpr).max())  # Youden's index at the best threshold
    0.5
    """

    fpr: Array
    tpr: Array
    thresholds: Array

    def __repr__(self) -> str:
        return fields_shown(self)


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


class DetCurve(NamedTuple):
    """False rejection against false acceptance rate, as rates and on normal-deviate axes.

    Examples
    --------
    >>> from skewproof import det_curve
    >>> curve = det_curve([1, 0, 1, 0], [0.9, 0.8, 0.7, 0.1])
    >>> curve.far.tolist(), curve.far_deviate.tolist()
    ([0.0, 0.0, 0.5, 0.5, 1.0], [-inf, -inf, 0.0, 0.0, inf])
    """

    far: Array
    """False acceptance rate, which is the false positive rate; rises from 0 to 1."""
    frr: Array
    """False rejection rate, which is the false negative rate; falls from 1 to 0."""
    far_deviate: Array
    """Standard normal quantile of the rate; -inf at 0 and inf at 1."""
    frr_deviate: Array
    thresholds: Array

    def __repr__(self) -> str:
        return fields_shown(self)


class EqualErrorRate(NamedTuple):
    """Point at which the curves of both error rates over the threshold cross.

    Examples
    --------
    >>> from skewproof.curves import equal_error_rate
    >>> rate, threshold = equal_error_rate([1, 0, 1, 0], [0.9, 0.8, 0.7, 0.1])
    >>> rate, threshold
    (0.5, 0.8)
    """

    rate: float
    """The equal error rate, in [0, 1]."""
    threshold: float
    """The highest threshold at which the two rates differ least."""

    def summary(self) -> Summary:
        """Return the summary of the rate."""
        return Summary(
            "Equal error rate",
            verdict=f"False acceptance and false rejection rate cross at {self.rate:.4g}.",
            facts=[("Threshold", f"{self.threshold:.6g}, where the two rates differ least")],
        )

    def __repr__(self) -> str:
        return self.summary().to_text().rstrip()

    def _repr_html_(self) -> str:
        return self.summary().to_html()


def roc_curve(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    pos_label: Any = 1,
    sample_weight: ArrayLike | None = None,
) -> RocCurve:
    """Compute the ROC curve, with a point for each distinct score and (0, 0).

    This is Algorithm 1 of Tharwat 2021 (Section 3).

    Examples
    --------
    >>> from skewproof import roc_curve
    >>> curve = roc_curve([1, 0, 1, 0], [0.9, 0.8, 0.7, 0.1])
    >>> curve.fpr.tolist(), curve.tpr.tolist()
    ([0.0, 0.0, 0.5, 0.5, 1.0], [0.0, 0.5, 0.5, 1.0, 1.0])
    """
    tpr, fpr, thresholds = _rates(y_true, y_score, pos_label, sample_weight)
    return RocCurve(fpr, tpr, thresholds)


def _rates(
    y_true: ArrayLike, y_score: ArrayLike, pos_label: Any, sample_weight: ArrayLike | None
) -> tuple[Array, Array, Array]:
    """Compute true and false positive rates, with their thresholds from inf on."""
    counts, scores = score_counts(y_true, y_score, pos_label=pos_label, sample_weight=sample_weight)
    for part in counts:
        part /= part[-1]
    return *counts, _from_inf(scores)


def _from_inf(scores: NDArray[Any]) -> Array:
    thresholds = np.empty(scores.size + 1)
    thresholds[0], thresholds[1:] = np.inf, scores
    return thresholds


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
    return PrecisionRecallCurve(recall, precision, _from_inf(scores))


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
    recalls = checked_numbers(recall, "recall").astype(np.float64)
    outside = recalls[~((recalls >= 0) & (recalls <= 1))]
    if outside.size:
        raise ValueError(f"recall = {outside.flat[0]}: expected a number in [0, 1]")
    counts = at_prevalence(score_counts(y_true, y_score, pos_label=pos_label)[0], at)
    tp, fp = counts
    wanted = recalls * counts.positives
    end = np.maximum(np.searchsorted(tp, wanted), np.searchsorted(tp, 0, side="right"))
    slope = (fp[end] - fp[end - 1]) / (tp[end] - tp[end - 1])
    negatives = fp[end - 1] + (wanted - tp[end - 1]) * slope
    called = wanted + negatives
    limit = np.where(fp[end - 1] > 0, 0.0, 1 / (1 + slope))
    return np.divide(wanted, called, out=limit, where=called > 0)


def det_curve(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    pos_label: Any = 1,
    sample_weight: ArrayLike | None = None,
) -> DetCurve:
    """Compute the detection error trade-off curve, with its FAR and FRR over thresholds.

    Section 6 of Tharwat 2021 defines it.

    Examples
    --------
    >>> from skewproof import det_curve
    >>> curve = det_curve([1, 0, 1, 0], [0.9, 0.8, 0.7, 0.1])
    >>> curve.far.tolist(), curve.frr.tolist()
    ([0.0, 0.0, 0.5, 0.5, 1.0], [1.0, 0.5, 0.5, 0.0, 0.0])
    """
    frr, far, thresholds = _rates(y_true, y_score, pos_label, sample_weight)
    np.subtract(1, frr, out=frr)
    return DetCurve(far, frr, ndtri(far), ndtri(frr), thresholds)


def equal_error_rate(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    pos_label: Any = 1,
    sample_weight: ArrayLike | None = None,
) -> EqualErrorRate:
    """Compute the rate at which false acceptance and false rejection are equally frequent.

    Section 6 of Tharwat 2021 defines it. If no threshold makes them equal, the curve is taken as
    straight between its two nearest points, as it is in expectation for equal scores.

    Examples
    --------
    >>> from skewproof.curves import equal_error_rate
    >>> equal_error_rate([1, 0, 1, 0], [0.9, 0.8, 0.7, 0.1]).rate
    0.5
    """
    tpr, far, thresholds = _rates(y_true, y_score, pos_label, sample_weight)
    gap = far - (1 - tpr)
    after = int(np.argmax(gap >= 0))
    share = -gap[after - 1] / (gap[after] - gap[after - 1])
    rate = far[after - 1] + share * (far[after] - far[after - 1])
    return EqualErrorRate(float(rate), float(thresholds[np.abs(gap).argmin()]))
