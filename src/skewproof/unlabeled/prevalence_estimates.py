"""Prevalence of unlabeled instances, for any number of classes."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd

from skewproof.core.arguments import expect, expect_confidence, expect_number
from skewproof.intervals.without_labels import PREVALENCE, prevalence_intervals, remark_on
from skewproof.prevalence.prevalence import Estimated, Prevalence
from skewproof.reporting.result_table import ResultTable


def estimate_prevalence(
    at: Prevalence, *, confidence: float = 0.95, tpr_change: float = 0.0, fpr_change: float = 0.0
) -> pd.DataFrame:
    """Estimate the prevalence of each class of unlabeled instances, with its interval.

    Parameters
    ----------
    at
        Result of :meth:`Prevalence.from_predictions <skewproof.Prevalence.from_predictions>` or
        :meth:`Prevalence.from_scores <skewproof.Prevalence.from_scores>`.
    confidence
        Level of each interval, in (0, 1). Intervals of several classes do not hold jointly with it.
    tpr_change, fpr_change
        Largest change of the true and of the false positive rate since the reference, up or down,
        in [0, 1): 0.1 stands for ten percentage points. The interval contains every prevalence that
        some such change implies. It then uses the share called positive alone, also with scores,
        since their distributions may have changed, too. Both are 0 for classes by name.

    Returns
    -------
    Frame with a row for each class, or for the positive class alone if there is one: class, value,
    low, high, predicted (the number of unlabeled instances that are predicted as it), confidence,
    and a sentence.

    Raises
    ------
    ValueError
        If `at` is anything else; if the reference lacks a class or never predicts it; if the
        predictions of the classes differ so little that the matrix of rates may be singular, or may
        be so after the stated changes; if the predictions are not a mixture of those of the
        reference's classes, at the level 0.01; or if fewer instances are predicted as a class than
        the other classes alone would imply, at the level 0.01 for all classes together.

    Examples
    --------
    >>> from skewproof import ConfusionMatrix, Prevalence, estimate_prevalence
    >>> reference = ConfusionMatrix(tp=80, fp=10, fn=20, tn=990)
    >>> at = Prevalence.from_predictions(reference, called=900, total=20_000)
    >>> columns = ["class", "value", "low", "high"]
    >>> estimate_prevalence(at)[columns].round(3).values.tolist()
    [['positive', 0.044, 0.034, 0.053]]
    >>> changed = estimate_prevalence(at, tpr_change=0.2, fpr_change=0.005)
    >>> changed[columns].round(3).values.tolist()
    [['positive', 0.044, 0.022, 0.082]]

    Three classes:

    >>> from skewproof import MulticlassConfusionMatrix
    >>> counts = [[80, 15, 5], [10, 80, 10], [0, 10, 90]]
    >>> pets = MulticlassConfusionMatrix(counts, labels=["cat", "dog", "owl"])
    >>> at = Prevalence.from_predictions(pets, called={"cat": 510, "dog": 260, "owl": 230})
    >>> estimate_prevalence(at)[columns].round(2).values.tolist()
    [['cat', 0.61, 0.54, 0.71], ['dog', 0.18, 0.09, 0.26], ['owl', 0.2, 0.15, 0.25]]
    """
    is_estimated = isinstance(at, Prevalence) and at.without_labels
    expect(is_estimated, "at", at, "Prevalence.from_predictions or .from_scores")
    expect_confidence("confidence", confidence)
    tpr_change = expect_number("tpr_change", tpr_change, 0, below=1)
    fpr_change = expect_number("fpr_change", fpr_change, 0, below=1)
    assert at.estimate is not None
    for name, change in (("tpr_change", tpr_change), ("fpr_change", fpr_change)):
        fits = at.has_positive_class or not change
        expect(fits, name, change, "0 for classes by name")
    return prevalences_of(at.estimate, confidence, (tpr_change, fpr_change))


def prevalences_of(
    at: Estimated, confidence: float, rate_changes: tuple[float, float] = (0.0, 0.0)
) -> pd.DataFrame:
    """Build the frame of :func:`estimate_prevalence`."""
    changed = ""
    if any(rate_changes):
        at = replace(at, bins=at.bins.without_scores)
        changed = (
            f" The true positive rate may have changed by up to {rate_changes[0]:g}, and the false"
            f" positive rate by up to {rate_changes[1]:g}."
        )
    frame = pd.DataFrame(
        {
            "class": name,
            "value": interval.value,
            "low": interval.low,
            "high": interval.high,
            "predicted": predicted,
            "confidence": confidence,
            "sentence": f"{interval}.{changed} {remark_on(at, confidence, reported=[interval])}",
        }
        for name, predicted, interval in zip(
            at.classes,
            at.bins.predicted,
            prevalence_intervals(at, confidence, rate_changes),
            strict=True,
        )
        if interval.metric == PREVALENCE or not at.has_positive_class
    )
    return ResultTable(frame.astype({"class": object}))
