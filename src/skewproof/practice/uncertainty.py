"""How sure a metric's value is: intervals from one confusion matrix, and paired comparisons."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from skewproof.core.algebra import Array
from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.metric import Metric

DRAWS = 10_000
"""Draws from which a quantile of 2.5 % is known to about a tenth of the interval's width."""


class Interval(NamedTuple):
    """A value with its interval."""

    value: float
    low: float
    high: float

    undefined: float
    """Share of the draws in which the metric is undefined; they are left out."""


class Difference(NamedTuple):
    """Of two models on the same instances: the second less the first."""

    value: float
    low: float
    high: float

    probability: float
    """Share of the draws in which the second model is better, ties counted half."""

    undefined: float
    """Share of the draws in which the metric is undefined for a model, or infinite for both; they
    are left out."""


def interval(
    metric: Metric,
    matrix: ConfusionMatrix,
    *,
    method: Literal["bayes", "bootstrap"] = "bayes",
    confidence: float = 0.95,
    draws: int = DRAWS,
    seed: int = 0,
) -> Interval:
    """An interval for a metric, given one confusion matrix.

    The class sizes are taken as given, and the true and the false positive rate as what is
    uncertain.

    Parameters
    ----------
    metric
        The metric.
    matrix
        One matrix of counts, with instances of both classes.
    method
        "bayes" draws both rates from their posterior under Jeffreys' prior, Beta(1/2, 1/2), and
        gives the equal-tailed credible interval; it knows that no error among few instances is
        not no error at all. "bootstrap" resamples the instances of each class and gives the
        percentile interval.
    confidence
        Level of the interval, in (0, 1).
    draws, seed
        Number of draws, and their seed.
    """
    _check(confidence, draws)
    positives, negatives = float(matrix.positives), float(matrix.negatives)
    if not (positives > 0 and negatives > 0):
        raise ValueError("the matrix has an empty class: expected instances of both classes")
    random = np.random.default_rng(seed)
    tp: Array | NDArray[np.int64]
    fp: Array | NDArray[np.int64]
    if method == "bayes":
        tp = positives * random.beta(matrix.tp + 0.5, matrix.fn + 0.5, draws)
        fp = negatives * random.beta(matrix.fp + 0.5, matrix.tn + 0.5, draws)
    elif method == "bootstrap":
        tp = random.binomial(round(positives), float(matrix.tpr), draws)
        fp = random.binomial(round(negatives), float(matrix.fpr), draws)
    else:
        raise ValueError(f"method = {method!r}: expected 'bayes' or 'bootstrap'")
    drawn = metric(ConfusionMatrix.from_tp_fp(tp, fp, positives=positives, negatives=negatives))
    low, high, undefined = _quantiles(drawn, confidence)
    return Interval(float(metric(matrix)), low, high, undefined)


def compare_models(
    metric: Metric,
    y_true: ArrayLike,
    first: ArrayLike,
    second: ArrayLike,
    *,
    pos_label: Any = 1,
    confidence: float = 0.95,
    draws: int = DRAWS,
    seed: int = 0,
) -> Difference:
    """Compare two models on the same instances by the paired bootstrap, stratified by class.

    Resampling instances changes the counts only of the four ways in which two models can label
    an instance of each class, so these are drawn, from two multinomial distributions.

    Parameters
    ----------
    metric
        The metric.
    y_true, first, second
        True labels, and those that each model predicts; pos_label as for
        :meth:`skewproof.ConfusionMatrix.from_labels`, which says what it refuses.
    confidence
        Level of the percentile interval, in (0, 1).
    draws, seed
        Number of draws, and their seed.
    """
    _check(confidence, draws)
    matrices = [
        ConfusionMatrix.from_labels(y_true, labels, pos_label=pos_label)
        for labels in (first, second)
    ]
    positive, by_first, by_second = (
        np.asarray(labels) == pos_label for labels in (y_true, first, second)
    )
    ways = np.bincount(4 * positive + 2 * by_first + by_second, minlength=8).reshape(2, 4)
    if not ways.sum(axis=1).all():
        raise ValueError("y_true has an empty class: expected instances of both classes")
    random = np.random.default_rng(seed)
    negatives, positives = (random.multinomial(row.sum(), row / row.sum(), draws) for row in ways)
    sizes = {"positives": ways[1].sum(), "negatives": ways[0].sum()}
    values = [
        metric(
            ConfusionMatrix.from_tp_fp(
                positives[:, called].sum(axis=1), negatives[:, called].sum(axis=1), **sizes
            )
        )
        for called in ([2, 3], [1, 3])
    ]
    with np.errstate(invalid="ignore"):  # inf less inf is NaN
        differences = values[1] - values[0]
    low, high, undefined = _quantiles(differences, confidence)
    known = differences[~np.isnan(differences)]
    signs = np.sign(-known if metric.lower_is_better else known)
    better = float(np.mean((signs + 1) / 2)) if known.size else float("nan")
    with np.errstate(invalid="ignore"):
        value = float(metric(matrices[1]) - metric(matrices[0]))
    return Difference(value, low, high, better, undefined)


def _check(confidence: float, draws: int) -> None:
    if not 0 < confidence < 1:
        raise ValueError(f"confidence = {confidence}: expected a number between 0 and 1")
    if draws < 1:
        raise ValueError(f"draws = {draws}: expected at least 1")


def _quantiles(drawn: Array, confidence: float) -> tuple[float, float, float]:
    """Ends of the equal-tailed interval of what is defined, and the share that is not.

    Where values are infinite an end is one of the values, since none lies between.
    """
    known = drawn[~np.isnan(drawn)]
    undefined = 1 - known.size / drawn.size
    if not known.size:
        return float("nan"), float("nan"), undefined
    ends = [(1 - confidence) / 2, (1 + confidence) / 2]
    if np.isfinite(known).all():
        low, high = np.quantile(known, ends)
    else:
        low, high = np.quantile(known, ends, method="inverted_cdf")
    return float(low), float(high), undefined
