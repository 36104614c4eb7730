"""How sure a metric's value is: its interval, from one confusion matrix.

How often the intervals cover is measured: docs/evidence/coverage.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Literal, get_args, overload

import numpy as np
from scipy.special import ndtri

from skewproof.core.algebra import Array
from skewproof.core.arguments import expect, expect_choice, expect_confidence
from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.metric import Metric
from skewproof.metrics.lookup import as_metric, as_metrics
from skewproof.practice.intervals.extremes import Proportions, Rows, extremes
from skewproof.reporting.summary import Summary

if TYPE_CHECKING:
    import pandas as pd

MOST_INSTANCES = 1e12
"""Largest class: beyond, quantiles of the posterior lose digits."""

Prevalence = Literal["given", "estimated"]
"""Whether the class sizes are what they are, or a sample of a population's."""


ESTIMANDS: dict[Prevalence, str] = {
    "given": "for these class sizes",
    "estimated": "for the population that the test set was drawn from at random",
}
"""Which value of a metric an interval is for."""


class Estimate:
    """What an interval and a difference have in common: how they are said."""

    metric: str
    value: float
    low: float
    high: float
    confidence: float
    prevalence: Prevalence

    def __str__(self) -> str:
        low, high = f"{self.low:.4g}", f"{self.high:.4g}"
        return (
            f"{self.metric}: {self.value:.4g}, {percent(self.confidence)} interval {low} to {high}"
            f" {ESTIMANDS[self.prevalence]}"
        )

    @property
    def _with_ends(self) -> str:
        return f"{self.metric}: {self.value:.4g} ({self.low:.4g} to {self.high:.4g})"

    @property
    def _level(self) -> str:
        return f"The {percent(self.confidence)} interval is {ESTIMANDS[self.prevalence]}."


@dataclass(frozen=True)
class Interval(Estimate):
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
    """The metric's key."""

    value: float
    """The metric of the matrix itself; NaN where it is undefined there."""

    low: float
    high: float

    undefined: bool
    """Whether the metric is undefined at some of the rates that were looked at; they are left
    out."""

    confidence: float
    """Level of the interval."""

    prevalence: Prevalence
    """Whether the interval is for the class sizes of the test set or for its population."""

    def _repr_html_(self) -> str:
        left_out = "Rates at which the metric is undefined are left out." if self.undefined else ""
        paragraphs = [self._level, left_out] if left_out else [self._level]
        return Summary(self._with_ends, paragraphs=paragraphs).to_html()


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

    The ends are the metric's extremes over a confidence region of the rates, and the observed
    value. The region is the ball of radius z, the normal quantile of the confidence, around the
    observed rates. Distances in it are measured in standard errors: a rate's deviation is the
    normal quantile of its probability under the posterior of Jeffreys' prior. For a single rate the
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
        return frame_of(
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


def frame_of(find: Callable[[Metric], Any], metrics: Iterable[str | Metric]) -> pd.DataFrame:
    """What is found for several metrics, a row each."""
    import pandas as pd

    return pd.DataFrame(asdict(find(metric)) for metric in as_metrics(metrics))


def check_options(prevalence: str, confidence: float) -> None:
    """Refuse values that :func:`interval` does not take for these options."""
    expect_choice("prevalence", prevalence, get_args(Prevalence))
    expect_confidence("confidence", confidence)


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
