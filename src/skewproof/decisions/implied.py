"""Threshold probability that each metric implies, on the axis of decision curves."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import pandas as pd

from skewproof.core.arguments import expect
from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.metric import Metric
from skewproof.intervals.class_rows import check_total
from skewproof.operating_points.cutoff_values import chosen_metrics
from skewproof.operating_points.exchange import exchange_rate
from skewproof.prevalence.prevalence import At, Prevalence
from skewproof.reporting.result_table import ResultTable

NO_ALARMS, NO_HITS = "ignores false alarms", "ignores hits"
REWARDS = "rewards a false alarm, or punishes a hit"
UNKNOWN = "has no exchange rate here"

LONGEST_WORDS = 60
"""Most characters of a threshold in words."""


def implied_thresholds(
    matrix: ConfusionMatrix,
    *,
    metrics: str | Metric | Iterable[str | Metric] | None = None,
    at: At = "population",
    total: float | None = None,
) -> pd.DataFrame:
    """Compute the threshold probability that each metric implies at a classifier.

    A metric trades c false alarms for a hit (:func:`skewproof.operating_points.exchange_rate`). A
    person who acts at a probability of t accepts (1 - t)/t of them. Both agree at t = 1/(1 + c):
    near this classifier, improving the metric leads to the same decisions as this threshold.

    Parameters
    ----------
    matrix
        The confusion matrix of one classifier, with instances of both classes.
    metrics
        One or several, as for :func:`skewproof.score`. By default all registered metrics,
        except those that depend on the number of instances if `total` is missing and `at` is
        elsewhere.
    at
        Prevalence where the classifier will run, as for :func:`skewproof.decision_curve`. If it is
        uncertain, thresholds are those at the value that stands for it: the share in the sample,
        the mean of the belief or the middle of the range.
    total
        Number of instances there, on which few metrics depend.

    Returns
    -------
    Frame with a row for each metric: metric (its key); name; hit_is_worth, the false alarms c that
    it trades for a hit; threshold, 1/(1 + c) in [0, 1], NaN if the rate is negative or unknown;
    in_words, the threshold in terms of the field, empty if that takes more than 60 characters; and
    remark, which explains a threshold of 0, 1 or NaN.

    Raises
    ------
    KeyError, FormulaError
        If a metric is unknown.
    ValueError
        If `matrix` is more than one matrix or has an empty class, `at` is refused, or `total` is
        missing.

    Examples
    --------
    >>> from skewproof import ConfusionMatrix
    >>> from skewproof.decisions import implied_thresholds
    >>> classifier = ConfusionMatrix(tp=80, fp=100, fn=20, tn=900)
    >>> frame = implied_thresholds(classifier, metrics=["accuracy", "f1", "balanced_accuracy"])
    >>> frame[["metric", "threshold", "in_words"]].round(3).values.tolist()
    [['accuracy', 0.5, '1/2'], ['f1', 0.286, 'F1/2'], ['balanced_accuracy', 0.091, 'π']]
    """
    expect(isinstance(matrix, ConfusionMatrix), "matrix", matrix, "a ConfusionMatrix")
    expect(matrix.shape == (), "matrix.shape", matrix.shape, "one matrix")
    both = bool(matrix.positives > 0 and matrix.negatives > 0)
    expect(both, "matrix", matrix, "instances of both classes")
    where = Prevalence.given(at).for_two_classes()
    chosen = chosen_metrics(metrics, where, total)
    for metric in chosen:
        check_total(metric, where, total)
    there = matrix
    if where.elsewhere or total is not None:
        instances = float(matrix.total) if total is None else total
        observed = float(matrix.positives / matrix.total)
        share = where.share_given(observed)
        there = ConfusionMatrix.from_rates(
            matrix.tpr,
            matrix.fpr,
            positives=instances * share,
            negatives=instances * (1 - share),
            fnr=matrix.fnr,
            tnr=matrix.tnr,
        )
    return ResultTable([_row(metric, there) for metric in chosen])


def _row(metric: Metric, matrix: ConfusionMatrix) -> dict[str, Any]:
    rate = exchange_rate(metric)
    words = rate.cutoff_in_words
    worth = float(rate(matrix))
    threshold = 1 / (1 + worth) if worth >= 0 else np.nan
    remarks = {
        NO_ALARMS: threshold == 0,
        NO_HITS: threshold == 1,
        REWARDS: worth < 0,
        UNKNOWN: np.isnan(worth),
    }
    return {
        "metric": metric.key,
        "name": metric.name,
        "hit_is_worth": worth,
        "threshold": threshold,
        "in_words": words if len(words) <= LONGEST_WORDS else "",
        "remark": next((remark for remark, holds in remarks.items() if holds), ""),
    }
