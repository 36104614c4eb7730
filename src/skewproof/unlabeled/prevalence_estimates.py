"""Prevalence of unlabeled instances, for two classes and for classes by name."""

from __future__ import annotations

import pandas as pd

from skewproof.core.arguments import expect, expect_confidence, expect_number
from skewproof.intervals.estimated_classes import check_classes, known_prevalences, remark_on
from skewproof.intervals.estimated_prevalence import prevalence_interval
from skewproof.intervals.estimates import Interval
from skewproof.prevalence.prevalence import EstimatedClasses, Prevalence


def estimate_prevalence(
    at: Prevalence, *, confidence: float = 0.95, tpr_change: float = 0.0, fpr_change: float = 0.0
) -> Interval | pd.DataFrame:
    """Estimate the prevalence of unlabeled instances, or that of each class, with its interval.

    Parameters
    ----------
    at
        Result of :meth:`Prevalence.from_predictions <skewproof.Prevalence.from_predictions>` or
        :meth:`Prevalence.from_scores <skewproof.Prevalence.from_scores>`, for two classes or for
        classes by name.
    confidence
        Level of each interval, in (0, 1). Intervals of several classes do not hold jointly with it.
    tpr_change, fpr_change
        Largest change of the true and of the false positive rate since the reference, up or down,
        in [0, 1): 0.1 stands for ten percentage points. The interval contains every prevalence that
        some such change implies. It then uses the share called positive alone, also with scores,
        since their distributions may have changed, too. Both are 0 for classes by name.

    Returns
    -------
    For two classes, the estimate with its interval and a remark, under the key "prevalence". For
    classes by name, a frame with a row for each class: class, value, low, high, predicted (the
    number of unlabeled instances that are predicted as it), confidence, and a sentence.

    Raises
    ------
    ValueError
        If `at` is anything else; if the rates must have changed, since fewer instances are called
        positive than the false positive rate allows, or more than the true positive rate; if the
        cut-off does not separate the classes, or may not after the stated changes; or if scores do
        not fit at the level 0.01.

        For classes by name, if the reference lacks a class or never predicts it; if the predictions
        of the classes differ so little that the matrix of rates may be singular; if the predictions
        are not a mixture of those of the reference's classes, at the level 0.01; or if fewer
        instances are predicted as a class than the other classes alone would imply, at the level
        0.01 for all classes together.

    Examples
    --------
    >>> from skewproof import ConfusionMatrix, Prevalence, estimate_prevalence
    >>> reference = ConfusionMatrix(tp=80, fp=10, fn=20, tn=990)
    >>> at = Prevalence.from_predictions(reference, called=900, total=20_000)
    >>> estimate = estimate_prevalence(at)
    >>> round(estimate.value, 3), round(estimate.low, 3), round(estimate.high, 3)
    (0.044, 0.034, 0.053)
    >>> estimate = estimate_prevalence(at, tpr_change=0.2, fpr_change=0.005)
    >>> round(estimate.low, 3), round(estimate.high, 3)
    (0.022, 0.082)

    Three classes:

    >>> from skewproof import MulticlassConfusionMatrix
    >>> counts = [[80, 15, 5], [10, 80, 10], [0, 10, 90]]
    >>> pets = MulticlassConfusionMatrix(counts, labels=["cat", "dog", "owl"])
    >>> at = Prevalence.from_predictions(pets, called={"cat": 510, "dog": 260, "owl": 230})
    >>> estimate_prevalence(at)[["class", "value", "low", "high"]].round(2).values.tolist()
    [['cat', 0.61, 0.54, 0.71], ['dog', 0.18, 0.09, 0.26], ['owl', 0.2, 0.15, 0.25]]
    """
    is_estimated = isinstance(at, Prevalence) and at.without_labels
    expect(is_estimated, "at", at, "Prevalence.from_predictions or .from_scores")
    expect_confidence("confidence", confidence)
    tpr_change = expect_number("tpr_change", tpr_change, 0, below=1)
    fpr_change = expect_number("fpr_change", fpr_change, 0, below=1)
    if at.estimate is not None:
        return prevalence_interval(at.estimate, confidence, tpr_change, fpr_change)
    expect(not tpr_change, "tpr_change", tpr_change, "0 for classes by name")
    expect(not fpr_change, "fpr_change", fpr_change, "0 for classes by name")
    assert at.class_estimate is not None
    return class_prevalences(at.class_estimate, confidence)


def class_prevalences(at: EstimatedClasses, confidence: float) -> pd.DataFrame:
    """Build the frame of :func:`estimate_prevalence` for classes by name."""
    check_classes(at, confidence)
    intervals = known_prevalences(at, confidence)
    bins = at.bins
    return pd.DataFrame(
        {
            "class": pd.Series(bins.classes, dtype=object),
            "value": [interval.value for interval in intervals],
            "low": [interval.low for interval in intervals],
            "high": [interval.high for interval in intervals],
            "predicted": bins.predicted,
            "confidence": confidence,
            "sentence": [
                f"{interval}. {remark_on(at, confidence, reported=[interval])}"
                for interval in intervals
            ],
        }
    )
