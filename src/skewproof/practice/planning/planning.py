"""How many positives and negatives a study needs, found and checked by simulated studies."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any, Literal, NamedTuple, get_args

import numpy as np

from skewproof.core.levels import Level
from skewproof.core.messages import shown
from skewproof.core.metric import Metric
from skewproof.metrics.lookup import as_metric
from skewproof.practice.planning.sentences import difference_sentence, width_sentence
from skewproof.practice.planning.simulated_studies import (
    OneModel,
    Sampling,
    Study,
    TwoModels,
    TwoSamples,
    whole_positives,
)
from skewproof.practice.planning.study_size import (
    MOST_INSTANCES,
    Goal,
    mean_width,
    power_goal,
    sized,
    width_goal,
)
from skewproof.reporting.summary import Summary

LOWEST, HIGHEST = 0.5, 0.99
"""Confidence, assurance and power that can be asked for; further out a simulated share says
little."""

Samples = Literal["same", "separate"]
"""Whether two models are run on the same instances, or one on two samples."""


class Plan(NamedTuple):
    """The size of a study, and what simulated studies of that size came to.

    Examples
    --------
    >>> from skewproof import f1, plan_width
    >>> plan = plan_width(f1, tpr=0.8, fpr=0.05, prevalence="1:9", width=0.2)
    >>> plan.positives + plan.negatives == plan.total, plan.achieved >= 0.9
    (True, True)
    """

    positives: int
    """Where instances are drawn at random, as many as are expected."""

    negatives: int

    total: int

    value: float
    """Of the metric in the population, or of its difference between the models."""

    mean_width: float
    """Of the intervals of the simulated studies that have one."""

    achieved: float
    """Share of the simulated studies whose interval is as narrow as was asked, or has 0 outside."""

    standard_error: float
    """Of that share."""

    sentence: str
    """The plan in words."""

    def _repr_html_(self) -> str:
        return Summary(f"{self.total:,} instances", paragraphs=[self.sentence]).to_html()


def plan_width(
    metric: str | Metric,
    *,
    tpr: float,
    fpr: float,
    prevalence: float | str | Level,
    width: float | None = None,
    relative_width: float | None = None,
    assurance: float | None = 0.9,
    confidence: float = 0.95,
    sampling: Sampling = "random",
    total: int | None = None,
    seed: int = 0,
) -> Plan:
    """How many positives and negatives make the interval of a metric as narrow as one wants it.

    A first guess makes the interval of a study in which everything turns out as expected that
    wide. Then studies of that size are simulated, the interval of :func:`skewproof.interval` is
    computed of each, and the size is corrected until the share of those that are narrow enough is
    the assurance. What the plan says comes from studies that were simulated anew.

    Parameters
    ----------
    metric
        The metric, its key or name, or a formula.
    tpr, fpr
        True and false positive rate that the classifier is expected to have, in [0, 1].
    prevalence
        Share of positives in the population, in (0, 1), or a level "P:N".
    width, relative_width
        One of both: the largest width of the interval, above 0, or what it is of the metric's
        value. Neither asks for more than the metric's range, where that is known.
    assurance
        Probability that the interval is no wider, from 0.5 to 0.99; None for a mean width that is
        no larger. Of studies that are as narrow in the mean, about half are wider.
    confidence
        Level of the interval, from 0.5 to 0.99.
    sampling
        How instances come into the study. "random": from the population, and how many are
        positive is left to chance; the interval is that with the prevalence estimated.
        "stratified": so many of each class as the prevalence says; the interval is that with the
        prevalence given. "enriched": as few in all as can be, in classes whose sizes have nothing
        to do with a prevalence that is known; the metric is taken of the two rates at that
        prevalence.
    total
        A number of instances, from 2 to 10^9, of which to say how narrow the intervals are; where
        it is given, none is looked for.
    seed
        Of the simulation, a whole number of at least 0.

    Returns
    -------
    The plan.

    Raises
    ------
    ValueError
        If the metric has no finite value at these rates, no size of up to 10^9 is enough, or an
        argument is out of its range.

    Examples
    --------
    Where one in a thousand is positive, a width of 0.1 is little to know of an F1 of 0.12, and
    still takes 30,000 instances at random; chosen by class, a ninth of them is enough:

    >>> from skewproof import f1, plan_width
    >>> rare = {"tpr": 0.7, "fpr": 0.01, "prevalence": 0.001}
    >>> plan = plan_width(f1, **rare, width=0.1)
    >>> round(plan.value, 2), 29_000 < plan.total < 32_000
    (0.12, True)
    >>> 3_200 < plan_width(f1, **rare, width=0.1, sampling="enriched").total < 3_700
    True
    """
    metric = as_metric(metric)
    if (width is None) == (relative_width is None):
        raise ValueError(
            f"width = {shown(width)}, relative_width = {shown(relative_width)}: expected one of"
            " the two"
        )
    name, asked = ("width", width) if relative_width is None else ("relative_width", relative_width)
    asked = _checked_number(name, asked, 0, np.inf)
    share = _checked(prevalence, sampling, total, seed, confidence=confidence, assurance=assurance)
    for rate, value in (("tpr", tpr), ("fpr", fpr)):
        _checked_number(rate, value, 0, 1, closed=True)
    study = OneModel(metric, share, sampling, confidence, tpr=tpr, fpr=fpr)
    expected = study.value(MOST_INSTANCES)
    _check_value(expected, metric, tpr, fpr)
    _check_width(name, asked, metric, expected if relative_width else 1.0)

    goal = width_goal(study, name, asked, assurance)
    plan = _plan(study, goal, total, seed)
    return plan._replace(sentence=width_sentence(plan, study, goal.usual_width(plan.total)))


def plan_difference(
    metric: str | Metric,
    *,
    tpr: float | tuple[float, float],
    fpr: float | tuple[float, float],
    prevalence: float | str | Level,
    power: float = 0.8,
    agreement: float = 0.0,
    samples: Samples = "same",
    confidence: float = 0.95,
    sampling: Sampling = "random",
    total: int | None = None,
    seed: int = 0,
) -> Plan:
    """How many positives and negatives tell two models apart, or a model from what it was before.

    Two models on the same instances are told apart where 0 lies outside the interval of
    :func:`skewproof.compare_models`, a model in two samples, as of two months, where it lies
    outside that of the classifier's part by :func:`skewproof.explain_change`. The power is how
    often that happens. As with :func:`plan_width`, a first guess is corrected and checked by
    simulated studies. The interval of a study of two models is of :func:`skewproof.compare_models`'
    kind, by 250 draws from the posterior where that function makes 10,000.

    Parameters
    ----------
    metric
        The metric, its key or name, or a formula.
    tpr, fpr
        True and false positive rates that are expected of the first and of the second, in [0, 1]: a
        pair, or one number for both.
    prevalence, confidence, sampling, total, seed
        As for :func:`plan_width`.
    power
        From 0.5 to 0.99.
    agreement
        How the answers of the two go together within a class, in [0, 1]. 0: independently; 1: as
        often alike as their rates allow; between, both answer positive with a probability that lies
        as far between. Models mostly agree more than by chance, and then fewer instances are
        enough.
    samples
        "same" for two models on the same instances; "separate" for two samples of the same size and
        from populations of the same prevalence, and the plan is for each of them.

    Returns
    -------
    The plan, with the power for `achieved`.

    Raises
    ------
    ValueError
        If the metric has no finite value at these rates, or the same for both models; if no size
        of up to 10^9 is enough, or an argument is out of its range.

    Examples
    --------
    At 5 positives and 50 negatives, nobody sees that one model finds 0.85 of the positives and the
    other 0.7. It takes some hundreds of positives:

    >>> from skewproof import f1, plan_difference
    >>> models = {"tpr": (0.7, 0.85), "fpr": 0.1, "prevalence": "1:10"}
    >>> few = plan_difference(f1, **models, sampling="stratified", total=55)
    >>> few.positives, few.negatives, few.achieved < 0.05
    (5, 50, True)
    >>> 100 < plan_difference(f1, **models).positives < 300
    True
    """
    metric = as_metric(metric)
    _checked_number("power", power, LOWEST, HIGHEST, closed=True)
    _checked_number("agreement", agreement, 0, 1, closed=True)
    if not (isinstance(samples, str) and samples in get_args(Samples)):
        raise ValueError(f"samples = {shown(samples)}: expected 'same' or 'separate'")
    if samples == "separate" and agreement:
        raise ValueError(f"agreement = {shown(agreement)}: expected 0 for separate samples")
    share = _checked(prevalence, sampling, total, seed, confidence=confidence)
    of_both = {"tpr": _pair("tpr", tpr), "fpr": _pair("fpr", fpr)}
    study: Study
    if samples == "same":
        study = TwoModels(metric, share, sampling, confidence, **of_both, agreement=agreement)
    else:
        study = TwoSamples(metric, share, sampling, confidence, **of_both)
    difference = study.value(MOST_INSTANCES)
    _check_value(difference, metric, tpr, fpr)
    if difference == 0:
        raise ValueError(
            f"tpr = {shown(tpr)}, fpr = {shown(fpr)}: both models have the same {metric.key}:"
            " expected rates at which there is a difference to see"
        )
    goal = power_goal(study, power)
    plan = _plan(study, goal, total, seed)
    return plan._replace(sentence=difference_sentence(plan, study))


def _plan(study: Study, goal: Goal, total: int | None, seed: int) -> Plan:
    """The plan without its sentence."""
    found = sized(study, goal, total, seed)
    reached = goal.reached(found.ends, found.total)
    positives = whole_positives(found.total, found.share)
    achieved = float(np.mean(reached))
    return Plan(
        positives=positives,
        negatives=found.total - positives,
        total=found.total,
        value=study.value(found.total),
        mean_width=mean_width(found.ends),
        achieved=achieved,
        standard_error=float(np.sqrt(achieved * (1 - achieved) / reached.size)),
        sentence="",
    )


def _checked(
    prevalence: float | str | Level,
    sampling: str,
    total: int | None,
    seed: int,
    **shares: float | None,
) -> float:
    """The share of positives, where what both plans take is in its range."""
    for name, value in shares.items():
        if not (name == "assurance" and value is None):
            _checked_number(name, value, LOWEST, HIGHEST, closed=True)
    if not (isinstance(sampling, str) and sampling in get_args(Sampling)):
        expected = ", ".join(map(repr, get_args(Sampling)))
        raise ValueError(f"sampling = {shown(sampling)}: expected one of {expected}")
    if total is not None and not (isinstance(total, Integral) and 2 <= total <= MOST_INSTANCES):
        raise ValueError(
            f"total = {shown(total)}: expected a whole number from 2 to {MOST_INSTANCES:,}"
        )
    if not (isinstance(seed, Integral) and seed >= 0):
        raise ValueError(f"seed = {shown(seed)}: expected a whole number of at least 0")
    if isinstance(prevalence, str):
        try:
            prevalence = Level.parse(prevalence)
        except ValueError as error:
            raise ValueError(f"prevalence = {error}") from None
    if isinstance(prevalence, Level):
        return prevalence.positive_part / (prevalence.positive_part + prevalence.negative_part)
    return _checked_number("prevalence", prevalence, 0, 1)


def _checked_number(
    name: str, value: Any, low: float, high: float, *, closed: bool = False
) -> float:
    known = isinstance(value, Real) and not isinstance(value, bool)
    if not (known and (low <= value <= high if closed else low < value < high)):
        limits = f"from {low} to {high}" if closed else f"above {low}"
        limits += f" and below {high}" if not closed and np.isfinite(high) else ""
        raise ValueError(f"{name} = {shown(value)}: expected a number {limits}")
    return float(value)


def _check_width(name: str, asked: float, metric: Metric, unit: float) -> None:
    """Refuse what every interval of a metric in a known range is narrower than."""
    low, high = metric.bounds or (-np.inf, np.inf)
    if asked * abs(unit) > high - low:
        raise ValueError(
            f"{name} = {shown(asked)}: expected at most {(high - low) / abs(unit):.6g}, since"
            f" {metric.key} is from {low:g} to {high:g}"
        )


def _pair(name: str, rates: Any) -> tuple[float, float]:
    pair = rates if isinstance(rates, tuple | list) else (rates, rates)
    if len(pair) != 2:
        raise ValueError(f"{name} = {shown(rates)}: expected a number from 0 to 1, or a pair")
    first, second = (_checked_number(name, rate, 0, 1, closed=True) for rate in pair)
    return first, second


def _check_value(value: float, metric: Metric, tpr: object, fpr: object) -> None:
    if not np.isfinite(value):
        raise ValueError(
            f"tpr = {shown(tpr)}, fpr = {shown(fpr)}: the value or difference of {metric.key} is"
            f" {value} there: expected rates at which it is a finite number"
        )
