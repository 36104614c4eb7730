"""How sure a metric's value is: intervals from one confusion matrix, and paired comparisons.

How often the intervals cover and the comparison errs is measured: docs/coverage.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from numbers import Real
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtri

from skewproof.core.algebra import Array
from skewproof.core.arguments import expect, is_whole
from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.messages import shown
from skewproof.core.metric import Metric
from skewproof.metrics.lookup import as_metric, as_metrics
from skewproof.practice.balls import deviating, extremes
from skewproof.practice.deviations import PRIOR
from skewproof.reporting.summary import Summary

if TYPE_CHECKING:
    import pandas as pd

DEFAULT_DRAWS = 10_000
"""Draws from which a quantile of 2.5 % is known to about a tenth of the interval's width."""

MOST_DRAWS = 10_000_000
"""Draws that fit into two gigabytes."""

MOST_INSTANCES = 1e12
"""Of a class: beyond, quantiles of the posterior lose digits."""

Prevalence = Literal["given", "estimated"]
"""Whether the class sizes are what they are, or a sample of a population's."""


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
    """Of the matrix itself; NaN where it is undefined there."""

    low: float
    high: float

    undefined: bool
    """Whether the metric is undefined at some of the rates that were looked at; they are left
    out."""

    def _repr_html_(self) -> str:
        left_out = "Rates at which the metric is undefined are left out." if self.undefined else ""
        return Summary(_with_ends(self), paragraphs=[left_out] if left_out else []).to_html()


class Difference(NamedTuple):
    """Of two models on the same instances: the second less the first.

    Examples
    --------
    >>> from skewproof import accuracy, compare_models
    >>> compare_models(accuracy, [1, 0, 1, 0], [1, 0, 0, 0], [1, 0, 1, 0]).value
    0.25
    """

    value: float
    """NaN where the metric is undefined for a model, or infinite for both alike."""

    low: float
    high: float

    probability: float
    """Share of the draws in which the second model is better, ties counted half."""

    undefined: float
    """Share of the draws in which the difference is undefined; they are left out."""

    @property
    def verdict(self) -> str:
        """Whether the interval tells the models apart, in a sentence."""
        if np.isnan([self.value, self.low, self.high]).any():
            return "The difference is undefined."
        if self.low <= 0 <= self.high:
            return (
                "These instances cannot tell the models apart: a difference of"
                f" {self.low:.2g} to {self.high:.2g} is possible."
            )
        return "The models differ: 0 lies outside of the interval."

    def _repr_html_(self) -> str:
        facts = [("Second model better", f"in {self.probability:.1%} of the draws")]
        if self.undefined:
            facts.append(("Undefined", f"in {self.undefined:.1%} of the draws, left out"))
        return Summary(_with_ends(self), verdict=self.verdict, facts=facts).to_html()


def _with_ends(found: Interval | Difference) -> str:
    return f"{found.value:.4g} ({found.low:.4g} to {found.high:.4g})"


@overload
def interval(
    metric: str | Metric,
    matrix: ConfusionMatrix,
    *,
    prevalence: Prevalence = ...,
    confidence: float = ...,
) -> Interval: ...


@overload
def interval(
    metric: list[Any] | tuple[Any, ...],
    matrix: ConfusionMatrix,
    *,
    prevalence: Prevalence = ...,
    confidence: float = ...,
) -> pd.DataFrame: ...


def interval(
    metric: str | Metric | list[Any] | tuple[Any, ...],
    matrix: ConfusionMatrix,
    *,
    prevalence: Prevalence = "given",
    confidence: float = 0.95,
) -> Interval | pd.DataFrame:
    """An interval for a metric, given one confusion matrix of independent instances.

    The metric's extremes over all rates that deviate from the observed ones by a distance of at
    most z, the normal quantile, and the observed value. A rate's deviation is the normal quantile
    of its probability under the posterior of Jeffreys' prior, so that of one rate alone the
    interval is that of Jeffreys, from 0 where nothing was counted and to 1 where everything was.

    What is meant by the metric's value follows from `prevalence`. With "given" it is that of the
    classifier on classes of these sizes. With "estimated" it is that in the population from which
    the instances were drawn, in which the share of positives is not known either; f1 and others
    that depend on it then have wider intervals.

    Parameters
    ----------
    metric
        The metric, its key or name as for :func:`skewproof.get_metric`, or a formula as for
        :func:`skewproof.parse_metric`; or a list of several.
    matrix
        One matrix, with 1e-12 to 1e12 instances of each class: beyond, quantiles lose digits.
        Counts may be fractions: sums of weights, or numbers of independent instances that are worth
        as much, count as numbers of instances.
    prevalence
        "given" or "estimated".
    confidence
        Level of the interval, in (0, 1).

    Returns
    -------
    The value with its interval; for a list a frame with a row for each metric, its key in the
    column metric, and the same numbers in the others. Ends are infinite where the metric is so
    within it. Rates at which it is undefined are left out, which `undefined` says; where the
    observed ones are among them, the value is NaN and the interval that of the others.

    Raises
    ------
    KeyError
        If there is no such metric, or several have the name.
    ValueError
        If `metric` is no metric or `matrix` no matrix; if a class is empty, for then a rate is
        unknown, or has more or fewer instances than said, or an option is out of its range.

    Examples
    --------
    >>> from skewproof import ConfusionMatrix, accuracy, f1, interval
    >>> matrix = ConfusionMatrix(tp=40, fp=30, fn=10, tn=170)
    >>> [round(number, 2) for number in interval(f1, matrix)[:3]]
    [0.67, 0.58, 0.74]
    >>> [round(number, 2) for number in interval(f1, matrix, prevalence="estimated")[:3]]
    [0.67, 0.56, 0.75]

    No error among ten is not no error at all:

    >>> found = interval(accuracy, ConfusionMatrix(tp=5, fp=0, fn=0, tn=5))
    >>> [round(number, 2) for number in found[:3]]
    [1.0, 0.75, 1.0]
    """
    if isinstance(metric, list | tuple):
        return _frame(
            lambda one: interval(one, matrix, prevalence=prevalence, confidence=confidence), metric
        )
    metric = as_metric(metric)
    expect(isinstance(matrix, ConfusionMatrix), "matrix", matrix, "a ConfusionMatrix")
    check_options(prevalence, confidence)
    if matrix.shape:
        raise ValueError(f"the matrix has the shape {matrix.shape}: expected one matrix")
    _check_sizes(matrix)
    radius = float(ndtri((1 + confidence) / 2))
    found = extremes(
        lambda ball: metric(deviating(matrix, [radius * axis for axis in ball])),
        dimensions=2 if prevalence == "given" else 3,
    )
    value = float(metric(matrix))
    low, high = (float(end) for end in (np.fmin(found.low, value), np.fmax(found.high, value)))
    return Interval(value, low, high, found.undefined)


@overload
def compare_models(
    metric: str | Metric,
    y_true: ArrayLike,
    first: ArrayLike,
    second: ArrayLike,
    *,
    pos_label: Any = ...,
    prevalence: Prevalence = ...,
    confidence: float = ...,
    draws: int = ...,
    seed: int = ...,
) -> Difference: ...


@overload
def compare_models(
    metric: list[Any] | tuple[Any, ...],
    y_true: ArrayLike,
    first: ArrayLike,
    second: ArrayLike,
    *,
    pos_label: Any = ...,
    prevalence: Prevalence = ...,
    confidence: float = ...,
    draws: int = ...,
    seed: int = ...,
) -> pd.DataFrame: ...


def compare_models(
    metric: str | Metric | list[Any] | tuple[Any, ...],
    y_true: ArrayLike,
    first: ArrayLike,
    second: ArrayLike,
    *,
    pos_label: Any = 1,
    prevalence: Prevalence = "given",
    confidence: float = 0.95,
    draws: int = DEFAULT_DRAWS,
    seed: int = 0,
) -> Difference | pd.DataFrame:
    """Compare two models on the same instances.

    Of each class there are four shares: of the instances that both models call positive, only the
    first, only the second, neither. They are drawn from their posterior under Jeffreys' prior, the
    Dirichlet distribution with 1/2 added to each of the four counts, and the interval is the
    equal-tailed one of the differences, with the observed difference always inside.

    An interval with 0 outside says that the models differ, and errs about as often as the
    confidence allows. One with 0 inside says that these instances cannot tell, not that the models
    are equal; `low` and `high` are then the differences that remain possible. With 5 positives and
    50 negatives a true positive rate of 0.7 and one of 0.85 are hardly ever told apart;
    docs/coverage.md has how often, for several sizes, and how wide the intervals are.

    Parameters
    ----------
    metric
        As for :func:`skewproof.interval`.
    y_true, first, second
        True labels, and those that each model predicts; pos_label as for
        :meth:`skewproof.ConfusionMatrix.from_labels`, which says what it refuses.
    prevalence
        Whether the metric's difference is meant on classes of these sizes, "given", or in the
        population from which the instances were drawn, "estimated": the prevalence is then drawn
        too, with 1/2 added to each class.
    confidence
        Level of the interval, in (0, 1).
    draws, seed
        Number of draws, at most ten million, and their seed, a whole number of at least 0.

    Returns
    -------
    The difference with its interval; for a list a frame with a row for each metric, its key in the
    column metric, all from the same draws. It is infinite where one value is, and NaN where both
    are so alike or one is undefined; the drawn rates are never 0 or 1, so that the interval of a
    declared metric is then that of finite values, stretched to the observed difference where it has
    one.

    Raises
    ------
    KeyError
        If there is no such metric, or several have the name.
    ValueError
        If `metric` is no metric, labels are refused, a class is empty, or an option out of its
        range.

    Examples
    --------
    The second model finds one more of the 50 positives, which is little to tell the two apart by:

    >>> import numpy as np
    >>> from skewproof import compare_models, true_positive_rate
    >>> true = np.repeat([1, 0], 50)
    >>> first, second = true * (np.arange(100) < 40), true * (np.arange(100) < 41)
    >>> found = compare_models(true_positive_rate, true, first, second)
    >>> round(found.value, 2), found.low < 0 < found.high
    (0.02, True)
    """
    if isinstance(metric, list | tuple):
        options: dict[str, Any] = {"pos_label": pos_label, "prevalence": prevalence}
        options |= {"confidence": confidence, "draws": draws, "seed": seed}
        return _frame(lambda one: compare_models(one, y_true, first, second, **options), metric)
    metric = as_metric(metric)
    check_options(prevalence, confidence)
    expected = f"a whole number of at least 1 and of at most {MOST_DRAWS}"
    expect(is_whole(draws, 1, MOST_DRAWS), "draws", draws, expected)
    expect(is_whole(seed), "seed", seed, "a whole number of at least 0")
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
    drawn = _drawn(ways, prevalence, draws, np.random.default_rng(seed))
    with np.errstate(invalid="ignore"):  # inf less inf is NaN
        differences = metric(drawn[1]) - metric(drawn[0])
        value = float(metric(matrices[1]) - metric(matrices[0]))
    low, high, undefined = _quantiles(differences, confidence)
    known = differences[~np.isnan(differences)]
    signs = np.sign(-known if metric.lower_is_better else known)
    better = float(np.mean((signs + 1) / 2)) if known.size else float("nan")
    low, high = float(np.fmin(low, value)), float(np.fmax(high, value))
    return Difference(value, low, high, better, undefined)


def _frame(
    find: Callable[[Metric], Interval | Difference], metrics: Iterable[str | Metric]
) -> pd.DataFrame:
    """What is found of several metrics, a row each."""
    import pandas as pd

    found = ((metric.key, find(metric)) for metric in as_metrics(metrics))
    return pd.DataFrame(
        {"metric": key} | {name: getattr(one, name) for name in type(one).__annotations__}
        for key, one in found
    )


def _drawn(
    ways: NDArray[np.intp], prevalence: Prevalence, draws: int, random: np.random.Generator
) -> list[ConfusionMatrix]:
    """Matrices of both models, drawn from the posterior of what the counts are a sample of."""
    negatives, positives = (random.dirichlet(row + PRIOR, draws).T for row in ways)
    size_negative, size_positive = (float(row.sum()) for row in ways)
    sizes: dict[str, Any] = {"positives": size_positive, "negatives": size_negative}
    if prevalence == "estimated":
        share = random.beta(size_positive + PRIOR, size_negative + PRIOR, draws)
        total = size_positive + size_negative
        sizes = {"positives": total * share, "negatives": total * (1 - share)}
    return [
        ConfusionMatrix.from_rates(
            positives[called].sum(axis=0),
            negatives[called].sum(axis=0),
            fnr=positives[not_called].sum(axis=0),
            tnr=negatives[not_called].sum(axis=0),
            **sizes,
        )
        for called, not_called in (([2, 3], [0, 1]), ([1, 3], [0, 2]))
    ]


def check_options(prevalence: str, confidence: float) -> None:
    """Refuse what is no option of :func:`interval`."""
    if not (isinstance(prevalence, str) and prevalence in get_args(Prevalence)):
        raise ValueError(f"prevalence = {shown(prevalence)}: expected 'given' or 'estimated'")
    if not (isinstance(confidence, Real) and 0 < confidence < 1):
        raise ValueError(f"confidence = {shown(confidence)}: expected a number between 0 and 1")


def _check_sizes(matrix: ConfusionMatrix) -> None:
    with np.errstate(over="ignore"):
        sizes = {"positives": float(matrix.positives), "negatives": float(matrix.negatives)}
    for name, size in sizes.items():
        if np.isnan(size):
            raise ValueError(f"the matrix has an undefined number of {name}: expected a number")
        if size == 0:
            raise ValueError("the matrix has an empty class: expected instances of both classes")
        if not 1 / MOST_INSTANCES <= size <= MOST_INSTANCES:
            raise ValueError(
                f"the matrix has {size:g} {name}: expected {1 / MOST_INSTANCES:g} to"
                f" {MOST_INSTANCES:g}"
            )


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
