"""How sure a metric's value is: intervals from one confusion matrix, and paired comparisons.

How often the intervals cover and the comparison errs is measured: docs/evidence/coverage.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from numbers import Real
from typing import TYPE_CHECKING, Any, Literal, get_args, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtri

from skewproof.core.algebra import Array
from skewproof.core.arguments import expect, is_whole
from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.messages import shown
from skewproof.core.metric import Metric
from skewproof.metrics.lookup import as_metric, as_metrics
from skewproof.practice.intervals.deviations import PRIOR
from skewproof.practice.intervals.extremes import Proportions, Rows, extremes
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


ESTIMANDS: dict[Prevalence, str] = {
    "given": "for these class sizes",
    "estimated": "for the population that the test set was drawn from at random",
}
"""Which value of a metric an interval is for."""


@dataclass(frozen=True)
class Interval:
    """A metric's value with its interval.

    Examples
    --------
    >>> from skewproof import ConfusionMatrix, f1, interval
    >>> found = interval(f1, ConfusionMatrix(tp=40, fp=30, fn=10, tn=170))
    >>> found.low < found.value < found.high
    True
    >>> found.metric, found.confidence, found.prevalence
    ('f1', 0.95, 'estimated')
    """

    metric: str
    """Its key."""

    value: float
    """Of the matrix itself; NaN where it is undefined there."""

    low: float
    high: float

    undefined: bool
    """Whether the metric is undefined at some of the rates that were looked at; they are left
    out."""

    confidence: float
    """Level of the interval."""

    prevalence: Prevalence
    """Whether the interval is for the class sizes of the test set or for its population."""

    def __str__(self) -> str:
        return _described(self)

    def _repr_html_(self) -> str:
        left_out = "Rates at which the metric is undefined are left out." if self.undefined else ""
        paragraphs = [_level(self), left_out] if left_out else [_level(self)]
        return Summary(_with_ends(self), paragraphs=paragraphs).to_html()


@dataclass(frozen=True)
class Difference:
    """The difference of two models on the same instances: the second less the first.

    Examples
    --------
    >>> from skewproof import accuracy, compare_models
    >>> found = compare_models(accuracy, [1, 0, 1, 0], [1, 0, 0, 0], [1, 0, 1, 0])
    >>> found.metric, found.value
    ('accuracy', 0.25)
    """

    metric: str
    """Its key."""

    value: float
    """NaN where the metric is undefined for a model, or infinite for both alike."""

    low: float
    high: float

    probability: float
    """Share of the draws in which the second model is better, ties counted half."""

    undefined: float
    """Share of the draws in which the difference is undefined; they are left out."""

    confidence: float
    """Level of the interval."""

    prevalence: Prevalence
    """Whether the interval is for the class sizes of the test set or for its population."""

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

    def __str__(self) -> str:
        return f"difference in {_described(self)}"

    def _repr_html_(self) -> str:
        facts = [("Second model better", f"in {self.probability:.1%} of the draws")]
        if self.undefined:
            facts.append(("Undefined", f"in {self.undefined:.1%} of the draws, left out"))
        title = f"Difference in {_with_ends(self)}"
        return Summary(
            title, verdict=self.verdict, paragraphs=[_level(self)], facts=facts
        ).to_html()


def _described(found: Interval | Difference) -> str:
    low, high = f"{found.low:.4g}", f"{found.high:.4g}"
    return (
        f"{found.metric}: {found.value:.4g}, {percent(found.confidence)} interval {low} to {high}"
        f" {ESTIMANDS[found.prevalence]}"
    )


def _with_ends(found: Interval | Difference) -> str:
    return f"{found.metric}: {found.value:.4g} ({found.low:.4g} to {found.high:.4g})"


def _level(found: Interval | Difference) -> str:
    return f"The {percent(found.confidence)} interval is {ESTIMANDS[found.prevalence]}."


def percent(confidence: float) -> str:
    """A level as it is said.

    Examples
    --------
    >>> percent(0.95), percent(0.999)
    ('95 %', '99.9 %')
    """
    return f"{100 * confidence:.6g} %"


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
    prevalence: Prevalence = "estimated",
    confidence: float = 0.95,
) -> Interval | pd.DataFrame:
    """An interval for a metric, given one confusion matrix of independent instances.

    The ends are the metric's extremes over all rates that deviate from the observed ones by a
    distance of at most z, the normal quantile, and the observed value. A rate's deviation is the
    normal quantile of its probability under the posterior of Jeffreys' prior. Of one rate alone the
    interval is therefore that of Jeffreys, from 0 where nothing was counted and to 1 where
    everything was.

    `prevalence` says which value the interval is for. With "estimated" it is the metric's value in
    the population from which the instances were drawn at random; the share of positives there is
    estimated, too. With "given" it is the value on classes of exactly these sizes, as where
    somebody chose 500 cases and 500 controls. The two differ for f1 and other metrics that depend
    on the prevalence: their "given" intervals are too narrow for the population.

    Parameters
    ----------
    metric
        The metric, its key or name as for :func:`skewproof.get_metric`, or a formula as for
        :func:`skewproof.parse_metric`; or a list of several.
    matrix
        One matrix of observed instances, with 1e-12 to 1e12 of each class: beyond, quantiles lose
        digits. A projected matrix is refused.
        Counts may be fractions: sums of weights, or numbers of independent instances that are worth
        as much, count as numbers of instances.
    prevalence
        "estimated" where the instances are a random sample, "given" where the class sizes are fixed
        by design.
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
        If `metric` is no metric or `matrix` no matrix, or the matrix is projected; if a class is
        empty, for then a rate is unknown, or has more or fewer instances than said; or if an option
        is out of its range.

    Examples
    --------
    >>> from skewproof import ConfusionMatrix, accuracy, f1, interval
    >>> matrix = ConfusionMatrix(tp=40, fp=30, fn=10, tn=170)
    >>> found = interval(f1, matrix)
    >>> round(found.value, 2), round(found.low, 2), round(found.high, 2)
    (0.67, 0.56, 0.75)
    >>> print(interval(f1, matrix, prevalence="given"))
    f1: 0.6667, 95 % interval 0.5771 to 0.7423 for these class sizes

    No error among ten is not no error at all:

    >>> found = interval(accuracy, ConfusionMatrix(tp=5, fp=0, fn=0, tn=5))
    >>> round(found.low, 2), found.high
    (0.75, 1.0)
    """
    if isinstance(metric, list | tuple):
        return _frame(
            lambda one: interval(one, matrix, prevalence=prevalence, confidence=confidence), metric
        )
    metric = as_metric(metric)
    expect(isinstance(matrix, ConfusionMatrix), "matrix", matrix, "a ConfusionMatrix")
    check_options(prevalence, confidence)
    check_observed(matrix)
    positives, negatives = float(matrix.positives), float(matrix.negatives)
    hits = [[positives], [float(matrix.tp)], [float(matrix.fp)]]
    misses = [[negatives], [float(matrix.fn)], [float(matrix.tn)]]
    varied = slice(0 if prevalence == "estimated" else 1, None)

    def of_proportions(proportions: Array, _: Rows) -> Array:
        *shares, tpr, fpr = proportions
        sizes = (positives, negatives)
        if shares:
            total = positives + negatives
            sizes = (total * shares[0], total * (1 - shares[0]))
        return metric(ConfusionMatrix.from_rates(tpr, fpr, positives=sizes[0], negatives=sizes[1]))

    found = extremes(
        of_proportions,
        Proportions(np.array(hits[varied]), np.array(misses[varied])),
        float(ndtri((1 + confidence) / 2)),
    )
    value = float(metric(matrix))
    return Interval(
        metric.key,
        value,
        float(np.fmin(found.low[0], value)),
        float(np.fmax(found.high[0], value)),
        bool(found.undefined[0]),
        float(confidence),
        prevalence,
    )


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
    prevalence: Prevalence = "estimated",
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
    docs/evidence/coverage.md has how often, for several sizes, and how wide the intervals are.

    Parameters
    ----------
    metric
        As for :func:`skewproof.interval`.
    y_true, first, second
        True labels, and those that each model predicts; pos_label as for
        :meth:`skewproof.ConfusionMatrix.from_labels`, which says what it refuses.
    prevalence
        "estimated" for the difference in the population from which the instances were drawn at
        random: the prevalence is then drawn too, with 1/2 added to each class. "given" for the
        difference on classes of exactly these sizes.
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
    return Difference(
        metric.key,
        value,
        float(np.fmin(low, value)),
        float(np.fmax(high, value)),
        better,
        undefined,
        float(confidence),
        prevalence,
    )


def _frame(
    find: Callable[[Metric], Interval | Difference], metrics: Iterable[str | Metric]
) -> pd.DataFrame:
    """What is found of several metrics, a row each."""
    import pandas as pd

    return pd.DataFrame(asdict(find(metric)) for metric in as_metrics(metrics))


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


def check_observed(matrix: ConfusionMatrix, name: str = "the matrix") -> None:
    """Refuse what is not one matrix of observed instances of both classes.

    Raises
    ------
    ValueError
        If the matrix is projected or one of rates, has a shape, or a class is empty or has fewer or
        more instances than the posterior of a rate has digits for.
    """
    if matrix.unobserved:
        raise ValueError(
            f"{name} is {matrix.unobserved}: expected counts of instances that were observed"
        )
    if matrix.shape:
        raise ValueError(f"{name} has the shape {matrix.shape}: expected one matrix")
    with np.errstate(over="ignore"):
        sizes = {"positives": float(matrix.positives), "negatives": float(matrix.negatives)}
    for of_class, size in sizes.items():
        if np.isnan(size):
            raise ValueError(f"{name} has an undefined number of {of_class}: expected a number")
        if size == 0:
            raise ValueError(f"{name} has an empty class: expected instances of both classes")
        if not 1 / MOST_INSTANCES <= size <= MOST_INSTANCES:
            raise ValueError(
                f"{name} has {size:g} {of_class}: expected {1 / MOST_INSTANCES:g} to"
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
