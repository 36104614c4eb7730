"""Sample sizes for statistics of scores and probabilities, from their asymptotic variances."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import ceil, exp, isnan, log, sinh, sqrt
from typing import Any, NamedTuple

import numpy as np
from scipy.optimize import brentq
from scipy.special import expit, logit, ndtri
from scipy.stats import qmc

from skewproof.core.algebra import Array
from skewproof.core.arguments import (
    expect,
    expect_choice,
    expect_confidence,
    expect_number,
    expect_several,
    expect_whole,
)
from skewproof.core.messages import shown
from skewproof.intervals.estimates import percent
from skewproof.intervals.leave_one_out import Variance
from skewproof.planning.simulated_studies import MOST_INSTANCES
from skewproof.prevalence.prevalence import At, Prevalence
from skewproof.reporting.summary import Summarized, Summary

LOG_POINTS = 15
"""Binary logarithm of the number of points at which expectations are computed."""

CALLS = {
    "auc": 'area_interval("auc", ...)',
    "brier": 'probability_scores(..., scores=["brier"])',
    "net_benefit": "decision_curve(..., thresholds=[...])",
    "calibration_slope": 'probability_scores(..., scores=["calibration_slope"])',
    "calibration_intercept": 'probability_scores(..., scores=["calibration_intercept"])',
    "observed_to_expected": "the logarithm of the ratio, with its standard error",
}
"""The statistics, with the call that has the interval of one model."""

COMPARED = ("auc", "brier", "net_benefit")
"""Statistics in which two models are compared."""


@dataclass(frozen=True, repr=False)
class ScorePlan(Summarized):
    """Size of a study of scores, and what it is expected to show.

    Examples
    --------
    >>> from skewproof.planning import plan_scores
    >>> study = plan_scores("auc", auc=0.8, at=0.1, width=0.1)
    >>> study.positives + study.negatives == study.total
    True
    """

    positives: int
    """Expected number of positives of instances drawn at random."""

    negatives: int

    total: int

    value: float
    """The statistic in the population, or its difference, the second model less the first."""

    width: float
    """Expected width of the interval of `value`."""

    power: float
    """Probability that the interval of a difference excludes 0; NaN for one model."""

    sentence: str
    """The plan in words."""

    def summary(self) -> Summary:
        """Return the summary of the plan."""
        return Summary(f"{self.total:,} instances", paragraphs=[self.sentence])


class Scored(NamedTuple):
    """Log odds that one or two calibrated models give to the instances of a population."""

    prevalence: float

    log_odds: tuple[Array, Array]
    """Log odds of positives and of negatives, each (points, models)."""

    weights: tuple[Array, Array]
    """Shares of the points in both classes, each (points,)."""

    @classmethod
    def of_areas(cls, areas: Array, prevalence: float, correlation: float) -> Scored:
        """Make models of given areas, whose log odds are normal in both classes.

        The log odds of a calibrated model that have the variance d^2 in both classes have the means
        logit(prevalence) + d^2/2 and logit(prevalence) - d^2/2, and its AUC is Phi(d/sqrt(2)).
        """
        normal = _normal_points()
        normal[:, 1] = correlation * normal[:, 0] + np.sqrt(1 - correlation**2) * normal[:, 1]
        distances = np.sqrt(2) * ndtri(areas)
        deviations = distances * normal[:, : areas.size]
        positives, negatives = (
            logit(prevalence) + sign * distances**2 / 2 + deviations for sign in (1, -1)
        )
        shares = np.full(len(normal), 1 / len(normal))
        return cls(prevalence, (positives, negatives), (shares, shares))

    @classmethod
    def of_predictor(cls, mean: float, deviation: float) -> Scored:
        """Make a model whose log odds are normal in the whole population."""
        log_odds = mean + deviation * _normal_points()[:, :1]
        shares = expit(log_odds[:, 0]), expit(-log_odds[:, 0])
        weights = (shares[0] / shares[0].sum(), shares[1] / shares[1].sum())
        return cls(float(shares[0].mean()), (log_odds, log_odds), weights)

    def information(self) -> tuple[float, float, float]:
        """Compute the information of a row on the calibration intercept and slope.

        Riley et al. (2021, Statistics in Medicine 40, 4230) have it as I_00, I_01 and I_11.
        """
        odds = np.concatenate(self.log_odds)[:, 0]
        classes = self.prevalence * self.weights[0], (1 - self.prevalence) * self.weights[1]
        known = np.concatenate(classes) * expit(odds) * expit(-odds)
        return float(known.sum()), float(known @ odds), float(known @ odds**2)


def plan_scores(
    what: str,
    *,
    auc: float | tuple[float, float] | None = None,
    at: At | None = None,
    linear_predictor: tuple[float, float] | None = None,
    threshold: float | None = None,
    width: float | None = None,
    power: float | None = None,
    correlation: float = 0.0,
    confidence: float = 0.95,
    total: int | None = None,
) -> ScorePlan:
    """Plan a sample size for a statistic of scores: for an interval, or to find a difference.

    Instances are drawn at random from the population. The expected width is that of the asymptotic
    variance; about half of the studies of the planned size have a wider interval. For "auc",
    "brier" and "net_benefit" the variance is that of the jackknife of :func:`skewproof.compare`,
    with quantiles of Student's distribution. For the calibration it is that of Riley et al. (2021),
    with integrals in place of their simulation. The interval of the slope by
    :func:`skewproof.probability_scores`, a bootstrap, is about a tenth wider at 200 positives.

    Models are calibrated. A model with an AUC has log odds that are normal in both classes with the
    same variance, which then follows from the AUC and the prevalence.

    Parameters
    ----------
    what
        "auc"; "brier", the Brier score; "net_benefit" at a threshold; "calibration_slope" or
        "calibration_intercept", as in :func:`skewproof.probability_scores`; or
        "observed_to_expected", the calibration in the large as the ratio of the observed to the
        expected number of positives, whose interval is symmetric on the logarithm.
    auc
        The AUC, above 0.5 and below 1, with `at`. A pair is for two models.
    at
        Prevalence of the population, such as 0.001 or "1:1000". "observed_to_expected" needs
        nothing else.
    linear_predictor
        Mean and standard deviation of the log odds in the whole population, instead of `auc` and
        `at`: a normal distribution, from which the prevalence follows.
    threshold
        Threshold probability of the net benefit, in (0, 1).
    width
        Expected width of the interval, above 0, of one model.
    power
        Probability of finding the difference of two models, above 1 - confidence and below 1.
    correlation
        Correlation of the log odds of two models within each class, in (-1, 1).
    confidence
        Level of the interval, in (0, 1).
    total
        A number of instances, up to 10^9, for which to report what it achieves; no size is then
        sought, and neither `width` nor `power` is given.

    Returns
    -------
    The plan.

    Raises
    ------
    ValueError
        If an argument is out of its range or does not belong to the plan, the models do not differ,
        or no size of up to 10^9 is sufficient.

    Examples
    --------
    The example of pmvalsampsize has log odds with mean -5 and standard deviation 2.5, and a
    prevalence of 0.018:

    >>> from skewproof.planning import plan_scores
    >>> plan_scores("calibration_slope", linear_predictor=(-5, 2.5), width=0.2).total
    4554
    >>> plan_scores("observed_to_expected", at=0.018, width=1).total
    906

    Two models of the same patients, where one in ten is positive:

    >>> two = {"auc": (0.75, 0.8), "at": 0.1, "power": 0.8}
    >>> same = plan_scores("auc", **two, correlation=0.8)
    >>> same.total < plan_scores("auc", **two).total / 2
    True
    """
    expect_choice("what", what, tuple(CALLS))
    confidence = expect_confidence("confidence", confidence)
    scored, prevalence = _population(what, auc, at, linear_predictor, correlation)
    models = 1 if scored is None else scored.log_odds[0].shape[1]
    if what == "net_benefit":
        threshold = expect_number("threshold", threshold, above=0, below=1)
    else:
        expect(threshold is None, "threshold", threshold, f"None for {what}")
    goals = {"width": width, "power": power, "total": total}
    fitting = ("power" if models == 2 else "width", "total")
    if [name for name, goal in goals.items() if goal is not None] not in ([fitting[0]], ["total"]):
        given = ", ".join(f"{name} = {shown(goal)}" for name, goal in goals.items())
        number = "two models" if models == 2 else "a model"
        raise ValueError(f"{given}: expected {fitting[0]} or total for {number}")
    expected = _expected(what, scored, prevalence, threshold, confidence)
    least = ceil(2 / min(prevalence, 1 - prevalence))
    if width is not None:
        width = expect_number("width", width, above=0)
        total = _enough("width", width, least, lambda size: width - expected.width(size))
    elif power is not None:
        power = expect_number("power", power, above=1 - confidence, below=1)
        total = _enough("power", power, least, lambda size: expected.power(size) - power)
    total = expect_whole("total", total, least, MOST_INSTANCES)
    positives = round(prevalence * total)
    plan = ScorePlan(
        positives,
        total - positives,
        total,
        expected.value,
        expected.width(total),
        expected.power(total) if models == 2 else float("nan"),
        sentence="",
    )
    return replace(plan, sentence=_sentence(plan, what, confidence))


class Expected(NamedTuple):
    """Expected results of a study, by its number of instances."""

    value: float
    width: Callable[[float], float]
    power: Callable[[float], float]


def _population(
    what: str, auc: Any, at: At | None, linear_predictor: Any, correlation: float
) -> tuple[Scored | None, float]:
    """Check the models, and return their log odds, if they are needed, and the prevalence."""
    correlation = expect_number("correlation", correlation, above=-1, below=1)
    if linear_predictor is not None:
        for name, given in (("auc", auc), ("at", at), ("correlation", correlation or None)):
            expect(given is None, name, given, "None with linear_predictor")
        pair = expect_several("linear_predictor", linear_predictor, "a mean and a deviation")
        expect(len(pair) == 2, "linear_predictor", linear_predictor, "a mean and a deviation")
        mean = expect_number("linear_predictor", pair[0])
        scored = Scored.of_predictor(mean, expect_number("linear_predictor", pair[1], above=0))
        return scored, scored.prevalence
    where = Prevalence.given(at if at is not None else "population").for_two_classes()
    expect(where.elsewhere and where.is_exact, "at", at, 'a stated prevalence, such as "1:1000"')
    if auc is None and what == "observed_to_expected":
        return None, where.share
    areas = [*auc] if isinstance(auc, tuple | list) else [auc]
    expect(len(areas) in (1, 2), "auc", auc, "an area, or a pair for two models")
    expect(len(areas) < 2 or what in COMPARED, "auc", auc, f"one area for {what}")
    expect(len(areas) > 1 or correlation == 0, "correlation", correlation, "0 for one model")
    checked = np.array([expect_number("auc", area, above=0.5, below=1) for area in areas])
    fits = checked.size == 1 or checked[0] != checked[1]
    expect(bool(fits), "auc", auc, "two areas that differ")
    return Scored.of_areas(checked, where.share, correlation), where.share


def _expected(
    what: str,
    scored: Scored | None,
    prevalence: float,
    threshold: float | None,
    confidence: float,
) -> Expected:
    """Return the value of a statistic, and the width of its interval and the power."""
    z = float(ndtri((1 + confidence) / 2))
    if scored is None or what == "observed_to_expected":
        error = sqrt((1 - prevalence) / prevalence)
        return Expected(1.0, lambda size: 2 * sinh(z * error / sqrt(size)), float)
    if what not in COMPARED:
        constant, both, slope = scored.information()
        is_slope = what == "calibration_slope"
        known = slope - both**2 / constant if is_slope else constant
        return Expected(float(is_slope), lambda size: 2 * z / sqrt(known * size), float)
    value, contributions, change = _statistic(what, scored, threshold)
    shares = prevalence, 1 - prevalence
    variances = [
        float(weights @ (rows - weights @ rows) ** 2)
        for weights, rows in zip(scored.weights, contributions, strict=True)
    ]

    def variance(size: float) -> Variance:
        parts = (
            Variance(of_class / (share * size), share * size - 1)
            for of_class, share in zip(variances, shares, strict=True)
        )
        return Variance.total(parts, change**2 * prevalence * (1 - prevalence) / size)

    def power(size: float) -> float:
        found = variance(size)
        return sum(
            found.probability_below(sign * value - found.half_width(confidence)) for sign in (1, -1)
        )

    return Expected(value, lambda size: 2 * variance(size).half_width(confidence), power)


def _statistic(
    what: str, scored: Scored, threshold: float | None
) -> tuple[float, tuple[Array, Array], float]:
    """Compute a statistic, or its difference of two models.

    Returns
    -------
    The value; the contributions of positives and of negatives at the points, whose means have the
    variance of the statistic at a fixed prevalence; and the derivative by the prevalence.
    """
    shares = scored.prevalence, 1 - scored.prevalence
    if what == "auc":
        losses = (
            _shares_below(scored.log_odds[0], scored.log_odds[1], scored.weights[1]),
            _shares_below(-scored.log_odds[1], -scored.log_odds[0], scored.weights[0]),
        )
        placements = _difference(losses[0]), _difference(losses[1])
        return float(scored.weights[0] @ placements[0]), placements, 0.0
    if what == "brier":
        losses = expit(-scored.log_odds[0]) ** 2, expit(scored.log_odds[1]) ** 2
    else:
        assert threshold is not None
        called = [odds >= logit(threshold) for odds in scored.log_odds]
        losses = 1.0 * called[0], -threshold / (1 - threshold) * called[1]
    rows = _difference(losses[0]), _difference(losses[1])
    means = [
        float(weights @ of_class) for weights, of_class in zip(scored.weights, rows, strict=True)
    ]
    value = shares[0] * means[0] + shares[1] * means[1]
    return value, (shares[0] * rows[0], shares[1] * rows[1]), means[0] - means[1]


def _difference(of_models: Array) -> Array:
    """Return the column of one model, or the second column less the first, (points,)."""
    return np.asarray(of_models[:, -1] - (of_models[:, 0] if of_models.shape[1] > 1 else 0))


def _shares_below(of_class: Array, others: Array, weights: Array) -> Array:
    """Compute the share of another class below each point, (points, models)."""
    shares = np.empty(of_class.shape)
    for model in range(of_class.shape[1]):
        order = np.argsort(others[:, model])
        below = np.cumsum(weights[order]) - weights[order] / 2
        shares[:, model] = np.interp(of_class[:, model], others[order, model], below, 0, 1)
    return shares


def _normal_points() -> Array:
    """Return pairs of normal numbers that fill the plane evenly, (2^15, 2)."""
    cells = qmc.Sobol(2, scramble=False).random_base2(LOG_POINTS)
    return np.asarray(ndtri(cells + 0.5 / len(cells)))


def _enough(name: str, asked: float, least: int, excess: Callable[[float], float]) -> int:
    """Find the smallest total at which the excess is not negative."""
    if excess(least) >= 0:
        return least
    if excess(MOST_INSTANCES) < 0:
        raise ValueError(
            f"{name} = {shown(asked)}: more than {MOST_INSTANCES:,} instances are needed"
        )
    root = brentq(lambda log: excess(exp(log)), log(least), log(MOST_INSTANCES), xtol=1e-12)
    return ceil(exp(root))


def _sentence(plan: ScorePlan, what: str, confidence: float) -> str:
    size = (
        f"{plan.total:,} instances drawn at random, about {plan.positives:,} positive and"
        f" {plan.negatives:,} negative,"
    )
    level = percent(confidence)
    if not isnan(plan.power):
        return (
            f"{what} in the population is expected to differ by {plan.value:.3g}. With {size} the"
            f" two models are distinguished with {level} confidence with probability"
            f' {plan.power:.1%}. They are compared by compare("{what}", ...).'
        )
    return (
        f"{what} in the population is expected to be {plan.value:.3g}. With {size} the {level}"
        f" interval is expected to be {plan.width:.3g} wide, and is wider in about half of such"
        f" studies. The interval is that of {CALLS[what]}."
    )
