"""Sample sizes of studies, found and verified by simulated studies."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import ceil
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import nnls
from scipy.special import expit, ndtri

from skewproof.core.arguments import (
    expect,
    expect_choice,
    expect_number,
    expect_share,
    expect_whole,
    seed_of,
)
from skewproof.core.messages import shown
from skewproof.core.metric import Metric
from skewproof.intervals.estimates import percent
from skewproof.metrics.lookup import as_metric
from skewproof.planning.score_size import CALLS
from skewproof.planning.simulated_studies import (
    FEWEST,
    MOST,
    MOST_INSTANCES,
    Ends,
    GroupedRows,
    OneModel,
    Sampling,
    Study,
    TwoModels,
    TwoSamples,
    whole_positives,
)
from skewproof.prevalence.prevalence import At, Prevalence
from skewproof.reporting.summary import Summarized, Summary

LOWEST, HIGHEST = 0.5, 0.99
"""Range of confidence, assurance and power; beyond it, a simulated share says little."""

SEARCHED, CHECKED = 2_000, 4_000
"""Numbers of studies with which a size is corrected, and with which it is checked: the standard
error of a share is at most 0.011 and 0.008."""

FEWER = 5
"""Divisor of these numbers if rows stand in groups, whose counts take longer."""

ROUNDS = 12
"""Most corrections of a size; after that it is only enlarged."""

NEAR = 1.01
"""Ratio of a sufficient to an insufficient size at which the search ends, and its smallest step."""

LARGEST_CORRECTION = 4.0
"""Largest factor by which the search changes a size at once."""

LARGEST_RAISE = 1.05
"""Largest factor by which an insufficient result of the search is enlarged at once."""

SIZES = np.geomspace(2, MOST_INSTANCES, 200)
"""Totals among which a first guess is sought."""

SHARES = expit(np.linspace(-9, 9, 181))
"""Shares of positives among which the best is sought."""

ASSURANCE = 0.9
"""Probability by default that an interval is no wider than asked."""

COARSE = 0.5
"""Width of an interval, relative to the value, above which a plan has a remark."""

HOW_DRAWN: dict[Sampling, str] = {
    "random": "drawn at random",
    "stratified": "drawn by class",
    "enriched": "drawn by class, weighted to the population",
}

WHERE: dict[Sampling, str] = {
    "random": "in the population",
    "stratified": "on classes in the population's proportion",
}
"""Place of the estimate in words, unless the prevalence is known from elsewhere."""

Samples = Literal["same", "separate"]
"""Design of a comparison: two models on the same instances, or a model on two samples."""


@dataclass(frozen=True, repr=False)
class Plan(Summarized):
    """Size of a study, with the results of simulated studies of that size.

    Examples
    --------
    >>> from skewproof import plan
    >>> from skewproof.metrics import f1
    >>> study = plan(f1, tpr=0.8, fpr=0.05, at="1:9", width=0.2)
    >>> study.positives + study.negatives == study.total, study.achieved >= 0.9
    (True, True)
    """

    positives: int
    """Number of positives; if instances are drawn at random, the expected number."""

    negatives: int

    total: int

    value: float
    """The metric in the population, or its difference between the models."""

    mean_width: float
    """Mean width of the intervals of the simulated studies that have one."""

    achieved: float
    """Share of the simulated studies whose interval is narrow enough, or excludes 0."""

    standard_error: float
    """Standard error of that share."""

    sentence: str
    """The plan in words."""

    groups: int | None = None
    """Number of groups; None if rows are independent."""

    def summary(self) -> Summary:
        """Return the summary of the plan."""
        title = f"{self.total:,} instances"
        if self.groups is not None:
            title += f" in {self.groups:,} groups"
        return Summary(title, paragraphs=[self.sentence])


def plan(
    metric: str | Metric,
    *,
    tpr: float | tuple[float, float],
    fpr: float | tuple[float, float],
    at: At,
    width: float | None = None,
    relative_width: float | None = None,
    power: float | None = None,
    assurance: float | None = ASSURANCE,
    agreement: float = 0.0,
    samples: Samples = "same",
    confidence: float = 0.95,
    sampling: Sampling = "random",
    rows_per_group: float | None = None,
    intraclass_correlation: float | None = None,
    size_variation: float = 0.0,
    class_correlation: float = 1.0,
    total: int | None = None,
    rng: int | np.random.Generator = 0,
) -> Plan:
    """Plan a sample size: for an interval of the requested width, or to find a difference.

    The goal is one of `width`, `relative_width` and `power`. With a width, the plan is for the
    interval of a metric by :func:`skewproof.interval`. With a power, it is for a comparison. Two
    models on the same instances are distinguished if 0 lies outside the interval of
    :func:`skewproof.compare`. A model in two samples, such as those of two months, is
    distinguished if 0 lies outside the interval of the classifier's part by
    :func:`skewproof.explain_change`.

    The first guess is the size at which a study with expected counts reaches the goal. Then studies
    of that size are simulated with their intervals, and the size is corrected until the share of
    studies with a narrow enough interval is the assurance, or the share of those that find the
    difference is the power. The numbers of the plan come from a new set of simulated studies.

    Parameters
    ----------
    metric
        The metric, its key or name, or a formula.
    tpr, fpr
        Expected true and false positive rate of the classifier, in [0, 1]. With a power, those of
        the first and the second model: a pair, or one number for both.
    at
        Prevalence of the population in which the classifier will run: a stated one, such as 0.001
        or "1:1000". If sampling is "enriched" and samples are not separate, it may also be
        uncertain, from :meth:`Prevalence.sampled <skewproof.Prevalence.sampled>`, .of or .believed.
        No number of instances then makes the interval narrower than the uncertain prevalence
        allows.
    width, relative_width
        The largest width of the interval, above 0, or its ratio to the metric's value. The width is
        at most the metric's range, if that is known.
    power
        Probability of finding the difference, from 0.5 to 0.99, such as 0.8.
    assurance
        With a width, the probability that the interval is no wider, from 0.5 to 0.99; None to bound
        the mean width instead, in which case about half of the studies have a wider interval.
    agreement
        With a power, the dependence of the answers of the two models within a class, in [0, 1]. At
        0 they are independent; at 1 they agree as often as their rates allow; between, the
        probability that both answer positive is interpolated linearly. Models mostly agree more
        than by chance, so that fewer instances are sufficient.
    samples
        With a power, "same" for two models on the same instances; "separate" for two samples of the
        same size, from populations of the same prevalence, in which case the plan is for each of
        them.
    confidence
        Level of the interval, from 0.5 to 0.99.
    sampling
        Sampling of the instances. "random": from the population, with a random number of
        positives; the interval is that with `at` "population". "stratified": from each class in
        proportion to the prevalence; the interval is that with `at` "test set". "enriched": as few
        in all as possible, in classes whose sizes do not depend on the prevalence; the interval is
        that with the same `at` as here.
    rows_per_group, intraclass_correlation
        Mean number of rows of a group, such as a patient, above 1, and the correlation of the
        answers to two rows of the same group and class, in [0, 1]; None for independent rows.
        :func:`skewproof.intervals.intraclass_correlation` estimates it. Groups are then drawn, and
        the intervals are those with `groups`. Of a group's answers the probabilities have a
        Dirichlet distribution; a plan for a comparison has the same correlation for pairs of
        answers. Studies have at most 20,000 groups. A model in two samples is refused.
    size_variation
        Coefficient of variation of the numbers of rows of the groups, from 0 to 5.
    class_correlation
        Correlation of the true classes of two rows of a group, in [0, 1]. At 1 each group has rows
        of one class, as it must if groups are drawn by class; at 0 all groups have the same
        prevalence, and a rare class is spread over many groups, which takes fewer rows.
    total
        A number of instances, from 2 to 10^9, for which to report what it achieves; no size is then
        sought.
    rng
        Seed or generator of the simulation.

    Returns
    -------
    The plan; with a power, its `achieved` is the power.

    Raises
    ------
    ValueError
        If the goal is not exactly one of the three; the metric has no finite value at these rates,
        or the same for both models; no size of up to 10^9 is sufficient; an argument is out of its
        range; or an option does not belong to the goal.

    Examples
    --------
    If one in a thousand is positive, a width of 0.1 is large for an F1 of 0.12, and still needs
    30,000 instances at random. If they are chosen by class, a ninth of them is sufficient:

    >>> from skewproof import plan
    >>> from skewproof.metrics import f1
    >>> rare = {"tpr": 0.7, "fpr": 0.01, "at": 0.001}
    >>> study = plan(f1, **rare, width=0.1)
    >>> round(study.value, 2), 29_000 < study.total < 32_000
    (0.12, True)
    >>> 3_200 < plan(f1, **rare, width=0.1, sampling="enriched").total < 3_700
    True

    With 5 positives and 50 negatives, nobody can see that one model finds 0.85 of the positives and
    the other 0.7. This takes some hundreds of positives:

    >>> models = {"tpr": (0.7, 0.85), "fpr": 0.1, "at": "1:10", "power": 0.8}
    >>> study = plan(f1, **models, total=2_500)
    >>> 200 < study.positives < 250, 0.8 < study.achieved < 0.85
    (True, True)

    If patients have ten rows each, it takes many more rows:

    >>> patients = {"rows_per_group": 10, "intraclass_correlation": 0.3}
    >>> study = plan("accuracy", tpr=0.8, fpr=0.1, at=0.5, width=0.2, total=350, **patients)
    >>> study.groups, 0.9 < study.achieved < 0.97
    (35, True)
    >>> plan("accuracy", tpr=0.8, fpr=0.1, at=0.5, width=0.2).total < 100
    True
    """
    expected = f"a metric of labels; plan_scores({metric!r}, ...) plans for scores"
    expect(not isinstance(metric, str) or metric not in CALLS, "metric", metric, expected)
    metric = as_metric(metric)
    goals = {"width": width, "relative_width": relative_width, "power": power}
    asked = {name: goal for name, goal in goals.items() if goal is not None}
    if len(asked) != 1:
        given = ", ".join(f"{name} = {shown(goal)}" for name, goal in goals.items())
        raise ValueError(f"{given}: expected one of the three")
    if assurance is not None:
        _from_half("assurance", assurance)
    expect_share("agreement", agreement)
    expect_choice("samples", samples, get_args(Samples))
    seed = seed_of(rng)
    separate = samples == "separate"
    where = _checked_design(at, sampling, total, confidence, uncertain=not separate)
    groups = _checked_groups(
        rows_per_group, intraclass_correlation, size_variation, class_correlation, sampling, total
    )
    if power is not None:
        _from_half("power", power)
        expect(assurance == ASSURANCE, "assurance", assurance, "no assurance with a power")
        expect(not (separate and agreement), "agreement", agreement, "0 for separate samples")
        pairs = {"tpr": _pair("tpr", tpr), "fpr": _pair("fpr", fpr)}
        comparison: Study
        if separate:
            expect(
                groups is None,
                "rows_per_group",
                rows_per_group,
                "None for separate samples, whose comparison by groups is not simulated",
            )
            comparison = TwoSamples(metric, where, sampling, confidence, **pairs, groups=groups)
        else:
            comparison = TwoModels(
                metric, where, sampling, confidence, **pairs, agreement=agreement, groups=groups
            )
        difference = comparison.value(MOST_INSTANCES)
        _check_value(difference, metric, tpr, fpr)
        if difference == 0:
            raise ValueError(
                f"tpr = {shown(tpr)}, fpr = {shown(fpr)}: both models have the same {metric.key}:"
                " expected rates at which they differ"
            )
        planned = _simulated(comparison, power_goal(comparison, power), total, seed)
        return replace(planned, sentence=difference_sentence(planned, comparison))
    expect(not agreement, "agreement", agreement, "0 for the width of an interval")
    expect(not separate, "samples", samples, "'same' for the width of an interval")
    ((name, given_width),) = asked.items()
    largest = expect_number(name, given_width, above=0)
    rates = {"tpr": expect_share("tpr", tpr), "fpr": expect_share("fpr", fpr)}
    study = OneModel(metric, where, sampling, confidence, **rates, groups=groups)
    value = study.value(MOST_INSTANCES)
    _check_value(value, metric, tpr, fpr)
    _check_width(name, largest, metric, value if relative_width else 1.0)
    goal = width_goal(study, name, largest, assurance)
    planned = _simulated(study, goal, total, seed)
    return replace(
        planned, sentence=width_sentence(planned, study, goal.usual_width(planned.total))
    )


def _simulated(study: Study, goal: Goal, total: int | None, seed: int) -> Plan:
    """Make the plan without its sentence."""
    total, share, ends = _sized(study, goal, total, seed)
    reached = goal.reached(ends, total)
    groups, positives = None, whole_positives(total, share)
    if study.groups is not None:
        groups = study.groups.number(total)
        total = round(groups * study.groups.rows)
        positives = whole_positives(total, share)
        if study.sampling != "random":
            positives = round(study.positive_groups(groups, share) * study.groups.rows)
    achieved = float(np.mean(reached))
    return Plan(
        positives=positives,
        negatives=total - positives,
        total=total,
        value=study.value(total),
        mean_width=mean_width(ends),
        achieved=achieved,
        standard_error=float(np.sqrt(achieved * (1 - achieved) / reached.size)),
        sentence="",
        groups=groups,
    )


def _checked_design(
    at: At,
    sampling: str,
    total: int | None,
    confidence: float,
    *,
    uncertain: bool,
) -> Prevalence:
    """Check the design of a study, and return the prevalence.

    Parameters
    ----------
    uncertain
        Whether an enriched study may have an uncertain prevalence.
    """
    _from_half("confidence", confidence)
    expect_choice("sampling", sampling, get_args(Sampling))
    if total is not None:
        expect_whole("total", total, 2, MOST_INSTANCES)
    where = Prevalence.given(at).for_two_classes()
    fits, limit = where.elsewhere and where.is_exact, ""
    if where.elsewhere and where.is_uncertain:
        fits = sampling == "enriched" and uncertain
        limit = ' unless sampling is "enriched"' if uncertain else " for separate samples"
    expected = f'a stated prevalence{limit}, such as 0.001 or "1:1000"'
    if where.ends:
        expected = "a stated prevalence: plan for each end of the range"
    expect(fits, "at", str(at) if isinstance(at, Prevalence) else at, expected)
    return where


def _checked_groups(
    rows: float | None,
    correlation: float | None,
    variation: float,
    of_classes: float,
    sampling: Sampling,
    total: int | None,
) -> GroupedRows | None:
    """Check the groups of rows, and return them; None if rows are independent."""
    variation = expect_number("size_variation", variation, 0, 5)
    of_classes = expect_share("class_correlation", of_classes)
    if rows is None:
        for name, value, fits, default in (
            ("intraclass_correlation", correlation, correlation is None, None),
            ("size_variation", variation, variation == 0, 0),
            ("class_correlation", of_classes, of_classes == 1, 1),
        ):
            expect(fits, name, value, f"{default} without rows_per_group")
        return None
    rows = expect_number("rows_per_group", rows, above=1)
    correlation = expect_share("intraclass_correlation", correlation)
    fits = sampling == "random" or of_classes == 1
    expect(fits, "class_correlation", of_classes, "1 for groups that are drawn by class")
    if total is not None:
        expect(
            FEWEST * rows <= total <= MOST * rows,
            "total",
            total,
            f"{FEWEST} to {MOST:,} groups of {rows:g} rows",
        )
    return GroupedRows(rows, correlation, variation, of_classes)


def _from_half(name: str, share: float) -> float:
    return expect_number(name, share, LOWEST, HIGHEST)


def _check_width(name: str, asked: float, metric: Metric, unit: float) -> None:
    """Refuse a width that every interval of a metric with a known range stays below."""
    low, high = metric.bounds or (-np.inf, np.inf)
    fits = asked * abs(unit) <= high - low
    range_ = f"since {metric.key} is from {low:g} to {high:g}"
    expect(fits, name, asked, f"at most {(high - low) / abs(unit):.6g}, {range_}")


def _pair(name: str, rates: Any) -> tuple[float, float]:
    pair = rates if isinstance(rates, tuple | list) else (rates, rates)
    expect(len(pair) == 2, name, rates, "a number from 0 to 1, or a pair")
    first, second = (expect_share(name, rate) for rate in pair)
    return first, second


def _check_value(value: float, metric: Metric, tpr: object, fpr: object) -> None:
    if not np.isfinite(value):
        raise ValueError(
            f"tpr = {shown(tpr)}, fpr = {shown(fpr)}: the value or difference of {metric.key} is"
            f" {value} there: expected rates at which it is a finite number"
        )


@dataclass(frozen=True)
class Goal:
    """Goal of a study.

    Attributes
    ----------
    name, asked
        The argument and its value, for messages.
    usual_width
        Function of the total: the width of the interval of a study with expected counts when the
        goal is about reached.
    correction
        Function of the intervals of simulated studies and their total: the factor by which to
        multiply the total, at most 1 if the goal is reached.
    reached
        Function that returns which studies reach the goal.
    possible
        Function that suggests what to ask for instead, for messages. Its argument is the ratio of
        the width with the most instances to the usual one.
    """

    name: str
    asked: float
    usual_width: Callable[[float], float]
    correction: Callable[[Ends, int], float]
    reached: Callable[[Ends, int], NDArray[np.bool_]]
    possible: Callable[[float], str]


def width_goal(study: Study, name: str, asked: float, assurance: float | None) -> Goal:
    """Set the goal that intervals are as narrow as asked.

    They are so in a share of the studies, the assurance, or on average if that is None. The width
    is absolute or, if its name is "relative_width", relative to the value.
    """

    def wanted(total: float) -> float:
        return asked if name == "width" else asked * abs(study.value(total))

    def correction(ends: Ends, total: int) -> float:
        if assurance is None:
            usual = mean_width(ends)
        else:
            widths = np.where(np.isnan(ends.width), np.inf, ends.width)
            usual = float(np.quantile(widths, assurance, method="inverted_cdf"))
        return (usual / wanted(total)) ** 2

    return Goal(
        name,
        asked,
        wanted,
        correction,
        reached=lambda ends, total: ends.width <= wanted(total),
        possible=lambda ratio: f"at least about {asked * ratio:.2g}",
    )


def power_goal(study: Study, power: float) -> Goal:
    """Set the goal that the interval of a difference excludes 0 in a share of the studies.

    With a normal distribution and the interval's quantile z, this share is the normal probability
    of the difference over its standard error, less z.
    """
    outside = float(ndtri((1 + study.confidence) / 2))
    needed = outside + float(ndtri(power))

    def distinguished(ends: Ends, total: int) -> NDArray[np.bool_]:
        return (ends.low > 0) | (ends.high < 0)

    def correction(ends: Ends, total: int) -> float:
        share = float(np.mean(distinguished(ends, total)))
        usual = outside + float(ndtri(min(share, 1 - 1 / (2 * ends.low.size))))
        return (needed / max(usual, needed / 2)) ** 2

    def differing(ratio: float) -> str:
        return f"a difference of at least about {abs(study.value(MOST_INSTANCES)) * ratio:.2g}"

    return Goal(
        "power",
        power,
        usual_width=lambda total: 2 * outside * abs(study.value(total)) / needed,
        correction=correction,
        reached=distinguished,
        possible=differing,
    )


def _sized(study: Study, goal: Goal, total: int | None, seed: int) -> tuple[int, float, Ends]:
    """Simulate studies of a given size, or of about the smallest size that reaches a goal.

    Returns the total, the share of positives and the intervals.

    Raises
    ------
    ValueError
        If no size of up to 10^9 instances reaches the goal.
    """
    searching, checking = (
        np.random.default_rng(child) for child in np.random.SeedSequence(seed).spawn(2)
    )
    checked = CHECKED if study.groups is None else CHECKED // FEWER
    if total is not None:
        share = study.prevalence
        if study.sampling == "enriched":
            share = _best_share(study, total)
        return total, share, study.simulated(total, share, checked, checking)
    share, guess = _first_guess(study, goal)
    total = _searched(study, goal, guess, share, searching)
    ends = study.simulated(total, share, checked, checking)
    while (correction := goal.correction(ends, total)) > 1:
        total = ceil(total * np.clip(correction, NEAR, LARGEST_RAISE))
        if total > study.most:
            raise ValueError(_beyond(goal, study, mean_width(ends) / goal.usual_width(total)))
        ends = study.simulated(total, share, checked, checking)
    return total, share, ends


def _searched(
    study: Study, goal: Goal, guess: int, share: float, random: np.random.Generator
) -> int:
    """Search for about the smallest total whose simulated studies reach the goal."""
    short, enough = 1, int(study.most)
    searched = SEARCHED if study.groups is None else SEARCHED // FEWER
    for _ in range(ROUNDS):
        correction = goal.correction(study.simulated(guess, share, searched, random), guess)
        if correction > 1:
            short = max(short, guess)
        else:
            enough = min(enough, guess)
        if enough <= max(short + 1, short * NEAR):
            break
        factor = max(correction, NEAR) if correction > 1 else correction / NEAR
        factor = np.clip(factor, 1 / LARGEST_CORRECTION, LARGEST_CORRECTION)
        guess = min(max(2, ceil(guess * factor)), int(study.most))
        if not short < guess < enough:
            guess = (short + enough) // 2
    return enough if enough < study.most else guess


def _first_guess(study: Study, goal: Goal) -> tuple[float, int]:
    """Return the share of positives, and the total at which an expected study is narrow enough."""
    share = study.prevalence
    if study.sampling == "enriched":
        share = 0.5
        for _ in range(2):
            share = _best_share(study, _enough(study, goal, share))
    total = _enough(study, goal, share)
    if study.groups is not None:
        number = study.groups.needed(total, study.confidence)
        if number > MOST:
            raise ValueError(_beyond(goal, study, float(np.sqrt(number / MOST))))
        total = ceil(number * study.groups.rows)
    return share, total


def _enough(study: Study, goal: Goal, share: float) -> int:
    """Find the total at which an expected study has the usual width of the goal."""
    counts = study.expected(SIZES * share, SIZES * (1 - share))
    widths = study.ends(counts).width
    excess = np.log(widths / [goal.usual_width(total) for total in SIZES])
    if not excess[-1] <= 0:
        ratio = float(widths[-1]) / goal.usual_width(MOST_INSTANCES)
        raise ValueError(_beyond(goal, study, ratio))
    after = int(np.argmax(excess <= 0))
    around = slice(max(after - 1, 0), after + 1)
    return ceil(np.exp(np.interp(0, -excess[around], np.log(SIZES[around]))))


def _best_share(study: Study, total: int) -> float:
    """Find the share of positives that makes the interval narrowest (Neyman 1934).

    The squared width is modeled as a sum of two variances, one inversely proportional to the number
    of positives and one to that of negatives, near the narrowest of the expected studies.
    """
    widths = study.ends(study.expected(total * SHARES, total * (1 - SHARES))).width
    near = widths <= 2 * np.nanmin(widths)
    parts = np.array([1 / SHARES[near], 1 / (1 - SHARES[near])]) / widths[near] ** 2
    of_positives, of_negatives = np.sqrt(nnls(parts.T, np.ones(parts.shape[1]))[0])
    return float(of_positives / (of_positives + of_negatives))


def _beyond(goal: Goal, study: Study, ratio: float) -> str:
    """Refuse a goal, given the ratio of the width with the most instances to the usual one."""
    most = f"{MOST_INSTANCES:,} instances" if study.groups is None else f"{MOST:,} groups"
    return (
        f"{goal.name} = {shown(goal.asked)}: more than {most} are needed: expected"
        f" {goal.possible(ratio)}"
    )


def mean_width(ends: Ends) -> float:
    """Compute the mean width of the intervals that exist; NaN if no study has an interval."""
    widths = ends.width
    there = widths[~np.isnan(widths)]
    return float(there.mean()) if there.size else float("nan")


def width_sentence(plan: Plan, study: Study, width: float) -> str:
    """Describe a plan for an interval of a given width."""
    relative, remark = "", ""
    if plan.value:
        relative = f" ({width / abs(plan.value):.0%} of the value)"
    if width > COARSE * abs(plan.value):
        remark = " That is wide for such a value: relative_width sets the width as a share of it."
    return (
        f"{_estimand(study)} is expected to be {plan.value:.3g}. With {_size(plan, study)} the"
        f" {percent(study.confidence)} interval is at most {width:.3g} wide{relative} in"
        f" {_achieved(plan)}.{remark} The interval is that of {_call('interval', study)}."
    )


def difference_sentence(plan: Plan, study: Study) -> str:
    """Describe a plan to distinguish two models, or a model in two samples."""
    chance = 1 - study.confidence
    powerless = plan.achieved <= chance + 2 * plan.standard_error
    remark = f": no power, since {chance:.2g} are allowed if nothing differs"
    by = _call("compare", study)
    if isinstance(study, TwoSamples):
        class_sizes = "sampled" if study.sampling == "random" else "fixed"
        by = f'the classifier\'s part of explain_change(..., class_sizes="{class_sizes}")'
        if study.where.elsewhere:
            by += f", with a metric that projects both rates to {study.where}"
    return (
        f"{_estimand(study)} is expected to differ by {plan.value:.3g}. With {_size(plan, study)}"
        f" the two are distinguished with {percent(study.confidence)} confidence in"
        f" {_achieved(plan)}{remark if powerless else ''}. They are compared by {by}."
    )


def _estimand(study: Study) -> str:
    return f"{study.metric.key} {WHERE.get(study.sampling, study.at.where)}"


def _call(function: str, study: Study) -> str:
    groups = "" if study.groups is None else "groups=..., "
    return f'{function}(..., {groups}at="{study.where}")'


def _size(plan: Plan, study: Study) -> str:
    about = "about " if study.sampling == "random" else ""
    each = " in each sample" if isinstance(study, TwoSamples) else ""
    if study.groups is not None:
        each = f" in {plan.groups:,} groups of {study.groups.rows:g}"
        each += " on average" * (study.groups.variation > 0)
        each += ", each of one class," * (study.groups.of_classes == 1)
    return (
        f"{plan.total:,} instances{each} {HOW_DRAWN[study.sampling]}, {about}{plan.positives:,}"
        f" positive and {plan.negatives:,} negative,"
    )


def _achieved(plan: Plan) -> str:
    return f"{plan.achieved:.1%} of simulated studies (standard error {plan.standard_error:.1%})"
