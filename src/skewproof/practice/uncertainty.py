"""How sure a metric's value is: intervals from one confusion matrix, and paired comparisons."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from skewproof.core.algebra import Array
from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.metric import Metric

DEFAULT_DRAWS = 10_000
"""Draws from which a quantile of 2.5 % is known to about a tenth of the interval's width."""


class Interval(NamedTuple):
    """A value with its interval.

    Examples
    --------
    >>> from skewproof import ConfusionMatrix, f1, interval
    >>> found = interval(f1, ConfusionMatrix(tp=40, fp=30, fn=10, tn=170))
    >>> found.low < found.value < found.high
    True
    """

    value: float
    low: float
    high: float

    undefined: float
    """Share of the draws in which the metric is undefined; they are left out."""


class Difference(NamedTuple):
    """Of two models on the same instances: the second less the first.

    Examples
    --------
    >>> from skewproof import accuracy, compare_models
    >>> compare_models(accuracy, [1, 0, 1, 0], [1, 0, 0, 0], [1, 0, 1, 0]).value
    0.25
    """

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
    draws: int = DEFAULT_DRAWS,
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

    Raises
    ------
    ValueError
        If a class is empty, or an option out of its range.

    Examples
    --------
    >>> from skewproof import ConfusionMatrix, f1, interval
    >>> found = interval(f1, ConfusionMatrix(tp=40, fp=30, fn=10, tn=170))
    >>> [round(number, 2) for number in (found.value, found.low, found.high)]
    [0.67, 0.58, 0.74]
    """
    _check(confidence, draws)
    positives, negatives = float(matrix.positives), float(matrix.negatives)
    if not (positives > 0 and negatives > 0):
        raise ValueError("the matrix has an empty class: expected instances of both classes")
    random = np.random.default_rng(seed)
    sizes = {"positives": positives, "negatives": negatives}
    if method == "bayes":
        tpr = random.beta(matrix.tp + 0.5, matrix.fn + 0.5, draws)
        fpr = random.beta(matrix.fp + 0.5, matrix.tn + 0.5, draws)
        drawn = ConfusionMatrix.from_rates(tpr, fpr, **sizes)
    elif method == "bootstrap":
        tp = random.binomial(round(positives), float(matrix.tpr), draws)
        fp = random.binomial(round(negatives), float(matrix.fpr), draws)
        drawn = ConfusionMatrix.from_tp_fp(tp, fp, **sizes)
    else:
        raise ValueError(f"method = {method!r}: expected 'bayes' or 'bootstrap'")
    low, high, undefined = _quantiles(metric(drawn), confidence)
    return Interval(float(metric(matrix)), low, high, undefined)


def compare_models(
    metric: Metric,
    y_true: ArrayLike,
    first: ArrayLike,
    second: ArrayLike,
    *,
    pos_label: Any = 1,
    confidence: float = 0.95,
    draws: int = DEFAULT_DRAWS,
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

    Raises
    ------
    ValueError
        If labels are refused, a class is empty, or an option out of its range.

    Examples
    --------
    The second model finds one more of the 50 positives, which is little to tell the two apart by:

    >>> import numpy as np
    >>> from skewproof import compare_models, true_positive_rate
    >>> true = np.repeat([1, 0], 50)
    >>> first, second = true * (np.arange(100) < 40), true * (np.arange(100) < 41)
    >>> found = compare_models(true_positive_rate, true, first, second)
    >>> [round(number, 2) for number in (found.value, found.low, found.high)]
    [0.02, 0.0, 0.06]
    >>> round(found.probability, 1)
    0.8
    """
    _check(confidence, draws)
    matrices = [
        ConfusionMatrix.from_labels(y_true, labels, pos_label=pos_label)
        for labels in (first, second)
    ]
    positive, by_first, by_second = (
        np.asarray(labels) == pos_label for labels in (y_true, first, second)
    )
    # A row a class, a column a way: called positive by neither, the second, the first, both.
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
