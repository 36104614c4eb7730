"""Metrics over all thresholds of a score."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from skewproof.core.algebra import Array
from skewproof.core.arguments import expect_whole
from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.messages import fields_shown
from skewproof.core.scales import bounded
from skewproof.curves.counts import ScoreCounts, at_prevalence, score_counts
from skewproof.metrics.agreement import mcc
from skewproof.metrics.precision_recall import f1
from skewproof.prevalence.prevalence import At, Prevalence
from skewproof.prevalence.projection import project
from skewproof.reporting.summary import Summary

MOST_SUBRANGES = 10**9
"""Most subranges: floats cannot tell more apart, since they are rounded."""


class MccF1Curve(NamedTuple):
    """MCC scaled to [0, 1] against F1, with a point per threshold, the highest threshold first.

    Examples
    --------
    >>> from skewproof.curves import mcc_f1_curve
    >>> curve = mcc_f1_curve([1, 0, 1, 0], [0.9, 0.8, 0.7, 0.1])
    >>> float(curve.thresholds[curve.unit_mcc.argmax()])
    0.9
    """

    unit_mcc: Array
    """(MCC + 1)/2, which Cao et al. call the unit-normalized MCC, in [0, 1]."""
    f1: Array
    thresholds: NDArray[Any]

    def __repr__(self) -> str:
        return fields_shown(self)


def threshold_matrices(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    pos_label: Any = 1,
    sample_weight: ArrayLike | None = None,
    at: At = "test set",
) -> tuple[ConfusionMatrix, NDArray[Any]]:
    """Compute the confusion matrices at every threshold that tells instances apart.

    Parameters
    ----------
    y_true
        True labels, shape (instances,), with both classes present.
    y_score
        Score of each instance, a finite real number; higher is more positive. Different scores are
        told apart, even whole numbers beyond 2^53.
    pos_label
        Label of the positive class.
    sample_weight
        Weight of each instance, at least 0 and not 0 for a whole class; by default all count alike.
        An instance of weight 0 is left out. Neither class may weigh more than 1e12 times the other.
        If the largest weight is 2^64 or more, or below 2^-65, all are first divided by a power of
        2.
    at
        A stated prevalence, to which the matrices are projected as by :func:`skewproof.project`;
        "test set" or "population" for the counts as they are.

    Returns
    -------
    Matrix of shape (thresholds,) and the thresholds, falling: an instance is called positive if its
    score is at least the threshold. Thresholds are float64, or of the scores' own type if float64
    would round them.

    Raises
    ------
    ValueError
        If shapes differ, a label is missing or masked, a score is masked, complex, text or not
        finite, there are not two classes, weights are refused, or a prevalence is not stated.

    Examples
    --------
    >>> from skewproof.curves import threshold_matrices
    >>> matrices, thresholds = threshold_matrices([1, 0, 1, 0], [0.9, 0.7, 0.7, 0.1])
    >>> thresholds.tolist(), matrices.tp.tolist(), matrices.fp.tolist()
    ([0.9, 0.7, 0.1], [1.0, 2.0, 2.0], [0.0, 1.0, 2.0])

    The precision of each threshold where there are a hundred negatives for each positive:

    >>> from skewproof.metrics import precision
    >>> matrices, _ = threshold_matrices([1, 0, 1, 0], [0.9, 0.7, 0.7, 0.1], at="1:100")
    >>> precision(matrices).round(3).tolist()
    [1.0, 0.02, 0.01]

    The threshold at which a metric is highest there may find next to nothing, or call nearly
    everything positive; :func:`skewproof.operating_points.cutoffs` returns that threshold and says
    so:

    >>> import numpy as np
    >>> from skewproof.operating_points import cutoffs
    >>> true = np.repeat([1, 0], [1000, 9000])
    >>> scores = np.random.default_rng(0).normal(true)
    >>> rows = cutoffs(true, scores, metrics=["accuracy", "f1", "hmnc"], at="1:1000")
    >>> print("\\n".join(rows["metric"] + " " + rows["remark"]))
    accuracy finds next to nothing: 0.4 % of the positives
    f1 finds next to nothing: 3.7 % of the positives
    hmnc calls nearly everything positive: 92.58 % of all instances
    """
    counts, thresholds = score_counts(
        y_true, y_score, pos_label=pos_label, sample_weight=sample_weight
    )
    matrices, where = _matrices(counts), Prevalence.given(at)
    return project(matrices, at=where) if where.elsewhere else matrices, thresholds


def _matrices(counts: ScoreCounts) -> ConfusionMatrix:
    return ConfusionMatrix.from_tp_fp(
        counts.tp[1:], counts.fp[1:], positives=counts.positives, negatives=counts.negatives
    )


def mcc_f1_curve(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    pos_label: Any = 1,
    sample_weight: ArrayLike | None = None,
    at: At = "population",
) -> MccF1Curve:
    """Compute the MCC-F1 curve (Cao et al. 2020) at every threshold at which MCC is defined.

    Parameters
    ----------
    y_true, y_score, pos_label, sample_weight
        As for :func:`threshold_matrices`.
    at
        Prevalence of the curve, as for :func:`skewproof.interval`, if each class keeps its scores.

    Examples
    --------
    At the lowest threshold all are called positive, and MCC is undefined:

    >>> from skewproof.curves import mcc_f1_curve
    >>> curve = mcc_f1_curve([1, 0, 1, 0], [0.9, 0.8, 0.7, 0.1])
    >>> curve.unit_mcc.round(2).tolist(), curve.f1.round(2).tolist()
    ([0.79, 0.5, 0.79], [0.67, 0.5, 0.8])
    """
    counts, thresholds = score_counts(
        y_true, y_score, pos_label=pos_label, sample_weight=sample_weight
    )
    matrix = _matrices(at_prevalence(counts, at))
    x = np.asarray(bounded(mcc)(matrix))
    defined = np.isfinite(x)
    return MccF1Curve(x[defined], np.asarray(f1(matrix))[defined], thresholds[defined])


def mcc_f1_score(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    pos_label: Any = 1,
    sample_weight: ArrayLike | None = None,
    at: At = "population",
    subranges: int = 100,
) -> float:
    """Compute the nearness of the MCC-F1 curve to the perfect point, in [0, 1].

    Eqs. 29 to 34 of van Zyl and Engelbrecht define it.

    MCC is scaled to [0, 1]. The curve is cut at its highest MCC into two sides. The distances of
    its points from (1, 1) are averaged in each subrange of MCC on each side, and then over the
    subranges.

    Parameters
    ----------
    y_true, y_score, pos_label, sample_weight
        As for :func:`threshold_matrices`.
    at
        Prevalence of the score, as for :func:`skewproof.interval`, if each class keeps its scores.
    subranges
        W, the number of subranges into which the range of MCC is divided, from 1 to 10^9.

    Raises
    ------
    ValueError
        If MCC is undefined at every threshold, as with constant scores, or `subranges` is out of
        its range.

    Examples
    --------
    >>> from skewproof.curves import mcc_f1_score
    >>> round(mcc_f1_score([1, 0, 1, 0], [0.9, 0.8, 0.7, 0.1]), 3)
    0.672
    """
    subranges = expect_whole("subranges", subranges, 1, MOST_SUBRANGES)
    curve = mcc_f1_curve(y_true, y_score, pos_label=pos_label, sample_weight=sample_weight, at=at)
    if not curve.unit_mcc.size:
        raise ValueError("y_score is constant: expected scores that differ between instances")
    x = curve.unit_mcc
    distances = np.hypot(x - 1, curve.f1 - 1)
    low, high = x.min(), x.max()
    width = (high - low) / subranges or 1.0
    subrange = np.minimum((x - low) // width, subranges - 1).astype(int)
    # The best point belongs to the left side.
    subrange += subranges * (np.arange(subrange.size) > x.argmax())
    _, subrange, counts = np.unique(subrange, return_inverse=True, return_counts=True)
    means = np.bincount(subrange, weights=distances) / counts
    return float(1 - means.mean() / np.sqrt(2))


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
    counts, scores = score_counts(y_true, y_score, pos_label=pos_label, sample_weight=sample_weight)
    far = counts.fp / counts.negatives
    gap = far - (1 - counts.tp / counts.positives)
    after = int(np.argmax(gap >= 0))
    share = -gap[after - 1] / (gap[after] - gap[after - 1])
    rate = far[after - 1] + share * (far[after] - far[after - 1])
    return EqualErrorRate(float(rate), float(np.append(np.inf, scores)[np.abs(gap).argmin()]))
