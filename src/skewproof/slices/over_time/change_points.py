"""Dates of changes of a rate, with a scan that needs no reference, and the dispersion.

The hits of a period, given the total up to it, are hypergeometric as long as the rate stays the
same, whatever it is: no reference has to tell the earlier rate. The scan needs only a normal score
of each period and the sizes of the periods. Its bound therefore follows from simulated courses of
independent normal numbers.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq
from scipy.special import betainc, betaln, chdtrc, gammaln, ndtri_exp, softmax

from skewproof.core.algebra import Array
from skewproof.intervals.deviations import PRIOR
from skewproof.slices.over_time.dependence import gain_by_dependence, likelihoods

MOST_COURSES = 60_000
"""Most simulated courses from which a bound is computed."""

MOST_COMPARISONS = 4e8
"""Most pairs of periods that are compared; many periods allow fewer courses."""

SEED = 0
"""Seed, so that bounds are the same at each call."""

LARGEST_VARIANCE = 1e4
"""Largest variance of a period's hits with an exact score; beyond, the Cornish-Fisher expansion is
accurate to 3e-4 within five standard deviations."""

NEGLIGIBLE = 1e-17
"""Size of a term of a sum, relative to the sum, below which further terms are left out."""

OFTEN_BY_CHANCE = 0.84
"""Quantile of the dispersion by chance alone beyond which the bound grows."""

SHARE_OF_WINDOWS = 0.2
"""Share of the level for changes that revert and are large relative to the remaining dispersion."""

DISPERSION_LEVEL = 0.05
"""Level of the test for more variation between periods than by chance alone."""

CONFIDENCE = 0.95
"""Level of the region of dates, and of the intervals of rates before and after."""


@dataclass(frozen=True)
class Course:
    """Hits of a rate over time, with the numbers of instances.

    Attributes
    ----------
    hits, sizes
        Arrays of the shape (periods,); sizes are above 0.
    reference
        Number of periods at the beginning, at least 1, among which no change is sought.
    """

    hits: Array
    sizes: Array
    reference: int = 1

    def between(self, start: int, stop: int) -> Course:
        """Return some of the periods."""
        reference = max(self.reference - start, 1)
        return Course(self.hits[start:stop], self.sizes[start:stop], reference)

    def widened(self, dispersion: float) -> Course:
        """Return a course with the uncertainty of fewer instances."""
        return Course(self.hits / dispersion, self.sizes / dispersion, self.reference)


class Estimate(NamedTuple):
    """A rate with its 95 % interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class ChangePoint:
    """A dated change.

    Attributes
    ----------
    alarm
        Period in which the scan exceeded its bound.
    since
        Most probable first period of the new rate.
    first, last
        Ends of the 95 % region of that period.
    start, stop
        The periods with the rates before and after are those from start up to, but not including,
        stop.
    before, after
        The rates; of a gradual change, their means.
    gradual
        True for a steady rise or fall from first to last.
    """

    alarm: int
    since: int
    first: int
    last: int
    start: int
    stop: int
    before: Estimate
    after: Estimate
    gradual: bool = False


@dataclass(frozen=True)
class Scan:
    """Result of the scan of a course.

    Attributes
    ----------
    largest
        Largest absolute standardized difference over all dates and periods.
    bound
        Number that it has to exceed for an alarm.
    dispersion
        Variance of the periods' rates about the changes, or about the best single change if there
        is none, relative to that by chance alone; 1 if the test does not reject chance alone.
    p
        Probability of so large a dispersion by chance alone.
    changes
        Changes in the order of time.
    dependent
        True if the scan exceeded its bound, but periods that depend on each other would explain it
        without a change.
    """

    largest: float
    bound: float
    dispersion: float
    p: float
    changes: tuple[ChangePoint, ...]
    dependent: bool = False


def normal_scores(hits: Array, sizes: Array) -> Array:
    """Compute normal scores of the hits of each period but the first, given the total up to it.

    Parameters
    ----------
    hits
        Hits, shape (..., periods).
    sizes
        Sizes above 0, shape (periods,).

    Returns
    -------
    Array of the shape (..., periods - 1): the normal quantile of the mid-p, which is the
    probability of fewer hits and half of that of as many, in the hypergeometric distribution. If
    counts are not whole, or their variance is above 1e4, the score is that of the Cornish-Fisher
    expansion. It is 0 if no instance is a hit, or all are.

    Examples
    --------
    With four hits in two periods of five, the second period has 0 to 4 of them with the
    probabilities 5, 50, 100, 50 and 5 in 210:

    >>> from scipy.special import ndtr
    >>> scores = normal_scores(np.array([[4, 0], [2, 2], [1, 3]]), np.array([5, 5]))
    >>> (210 * ndtr(scores)).round(1).ravel().tolist()
    [2.5, 105.0, 180.0]
    """
    totals, total_hits = np.cumsum(sizes)[1:], np.cumsum(hits, axis=-1)[..., 1:]
    x, n = hits[..., 1:].astype(float), sizes[1:]
    share = np.asarray(total_hits / totals)
    mean = n * share
    spread = 1 - share
    variance = mean * spread * (totals - n) / np.maximum(totals - 1, 1)
    varies = variance > 0
    deviation = np.sqrt(np.where(varies, variance, 1.0))
    u = (x - mean) / deviation
    skewness = (1 - 2 * share) * (1 - 2 * n / totals) / deviation
    scores = u - skewness * (u**2 - 1) / 6
    whole = (x % 1 == 0) & (total_hits % 1 == 0) & (n % 1 == 0) & (totals % 1 == 0)
    exact = varies & whole & (variance <= LARGEST_VARIANCE)
    if exact.any():
        n, totals = (np.broadcast_to(some, x.shape) for some in (n, totals))
        scores[exact] = _exact_scores(x[exact], n[exact], total_hits[exact], totals[exact])
    return np.where(varies, scores, 0.0)


def _exact_scores(x: Array, n: Array, hits: Array, total: Array) -> Array:
    """Compute the scores of x hits among n instances, drawn from so many hits among a total."""
    above = x > n * hits / total
    # The smaller side: more hits are fewer misses.
    x, hits = np.where(above, n - x, x), np.where(above, total - hits, hits)
    rest = total - hits
    logarithm = (
        _log_choose(hits, x) + _log_choose(rest, n - x) - _log_choose(total, n)
    )  # of the probability of exactly x hits
    term = np.ones_like(x)
    sums = 0.5 * term
    fewer = x.copy()
    while (term > NEGLIGIBLE * sums).any():
        term = term * fewer * (rest - n + fewer) / ((hits - fewer + 1) * (n - fewer + 1))
        sums += term
        fewer = fewer - (term > 0)
    scores = ndtri_exp(logarithm + np.log(sums))
    return np.where(above, -scores, scores)


def _log_choose(n: Array, k: Array) -> Array:
    return gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1)


def largest_differences(scores: Array, sizes: Array, reference: int = 1) -> Array:
    """Compute the largest absolute difference of each period over all dates of a change.

    Parameters
    ----------
    scores
        Scores, shape (..., periods - 1).
    sizes
        Sizes above 0, shape (periods,).
    reference
        Number of periods at the beginning among which no change is sought.

    Returns
    -------
    Array of the shape (..., periods - reference): the largest, in absolute value, of the weighted
    sums of scores after a date, up to this period, in units of their standard deviations. The
    weight of a period is sqrt(n / (C C')), with its size n, and C and C' the total size with and
    without it: the sum is then the difference between the mean rates after and before the date, in
    a course that ends with the period (Brown, Durbin and Evans 1975; Worsley 1986).
    """
    totals = np.cumsum(sizes)
    weights = np.sqrt(sizes[1:] / (totals[1:] * totals[:-1]))
    sums = _cumulated(weights * scores)
    variances = np.concatenate([[0.0], np.cumsum(weights**2)])
    largest = np.empty((len(sizes) - reference, *scores.shape[:-1]))
    for period in range(reference, len(sizes)):
        dates = slice(reference - 1, period)
        deviations = np.sqrt(variances[period] - variances[dates])
        differences = abs(sums[period] - sums[dates])
        largest[period - reference] = (differences / _beside(deviations, sums)).max(axis=0)
    return np.moveaxis(largest, 0, -1)


def _cumulated(numbers: Array) -> Array:
    """Compute sums of the first 0, 1, ... numbers of the last axis, which becomes the first.

    Many courses of few periods are then processed in long rows.
    """
    rows = np.ascontiguousarray(np.moveaxis(numbers, -1, 0))
    return np.concatenate([np.zeros((1, *rows.shape[1:])), np.cumsum(rows, axis=0)])


def _beside(numbers: Array, array: Array) -> Array:
    """Reshape numbers to broadcast along the first axis of an array."""
    return numbers.reshape(-1, *(1,) * (array.ndim - 1))


def residuals(scores: Array, sizes: Array) -> tuple[Array, Array]:
    """Compute sums of squares that remain about the best single change, and about the best window.

    Parameters
    ----------
    scores, sizes
        As for :func:`largest_differences`.

    Returns
    -------
    Two arrays of the shape (...,). In the models, values with these scores, whose variance is one
    over the size, have one mean before a date and another after it, or one mean within a window of
    time and another before and after it.
    """
    values = _values(scores, sizes)
    sums = _cumulated(sizes * values)
    totals = np.concatenate([[0.0], np.cumsum(sizes)])
    all_sums, total = sums[-1], totals[-1]
    by_start = []
    for start in range(len(sizes)):
        # The window of all periods is left out.
        stops = slice(start + 1, len(sizes) + (start > 0))
        inside, size = sums[stops] - sums[start], _beside(totals[stops] - totals[start], sums)
        explained = inside**2 / size + (all_sums - inside) ** 2 / (total - size)
        by_start.append(explained.max(axis=0, initial=0))
    squares = (sizes * values**2).sum(axis=-1)
    single, window = by_start[0], np.max(by_start, axis=0)
    return tuple(np.maximum(squares - explained, 0) for explained in (single, window))


def _values(scores: Array, sizes: Array) -> Array:
    """Compute values with the variances 1 / size that have these scores; the first value is 0."""
    totals = np.cumsum(sizes)
    values = np.zeros((*scores.shape[:-1], len(sizes)))
    mean = np.zeros(scores.shape[:-1])
    for period in range(1, len(sizes)):
        deviation = np.sqrt(1 / sizes[period] + 1 / totals[period - 1])
        values[..., period] = mean + scores[..., period - 1] * deviation
        mean = mean + (values[..., period] - mean) * sizes[period] / totals[period]
    return values


@dataclass(frozen=True)
class Bounds:
    """Bounds of the scan of periods of given sizes, at a level.

    If periods vary no more than by chance, an alarm has the probability of the level. The bound
    grows with the dispersion, at first in proportion, up to where the largest difference is unusual
    in a course of that dispersion.
    """

    least: float
    often: float
    """Dispersion up to which the bound is the least one."""
    by_deviation: tuple[float, float]
    """Bounds of a largest difference in standard deviations that remain about the best single
    change, and about the best window."""
    expected: tuple[float, float]
    """Mean residual sums of squares by chance alone."""
    by_chance: Array
    """Dispersions about the best single change by chance alone, in rising order."""

    def dispersions(self, left: tuple[Array, Array]) -> tuple[Array, Array]:
        """Compute residual sums of squares relative to their means by chance alone."""
        single, window = (
            np.divide(some, mean) if mean > 0 else np.zeros_like(some)
            for some, mean in zip(left, self.expected, strict=True)
        )
        return single, window

    def bound(self, left: tuple[Array, Array]) -> Array:
        """Compute the bound of the largest difference, given the residual sums of squares."""
        single, window = self.dispersions(left)
        of_single, of_window = self.by_deviation
        grown = np.minimum(
            np.minimum(self.least * single / self.often, of_single * np.sqrt(single)),
            of_window * np.sqrt(window),
        )
        return np.maximum(self.least, grown)

    def p(self, dispersion: float) -> float:
        """Return the probability of such a dispersion about the best change by chance alone."""
        known = self.by_chance
        as_large = len(known) - np.searchsorted(known, dispersion, side="left")
        return float((as_large + 1) / (len(known) + 1))


def bounds(sizes: Array, reference: int, level: float, planned: int | None = None) -> Bounds:
    """Compute bounds of the scan from simulated courses of independent normal scores.

    Parameters
    ----------
    sizes
        Sizes above 0, shape (periods,).
    reference
        Number of periods at the beginning, fewer than all, among which no change is sought.
    level
        Probability of an alarm by chance alone, in (0, 1).
    planned
        Number of periods after the reference up to which the scan is repeated with each further
        period. The level is then that of all these looks together; future periods are assumed to be
        as large as the mean of those after the reference. None for one look.
    """
    known = tuple(map(float, sizes))
    one_look = _bounds(known, reference, level)
    if planned is None:
        return one_look
    to_come = max(planned - (len(sizes) - reference), 0)
    mean = float(np.mean(sizes[reference:]))
    of_all = _fixed_bound((*known, *[mean] * to_come), reference, level)
    return replace(one_look, least=max(one_look.least, of_all))


def _courses(sizes: Array) -> Array:
    """Simulate scores, shape (courses, periods - 1)."""
    number = int(min(MOST_COURSES, MOST_COMPARISONS / len(sizes) ** 2))
    return np.random.default_rng(SEED).normal(size=(number, len(sizes) - 1))


@lru_cache(maxsize=1024)
def _fixed_bound(sizes_given: tuple[float, ...], reference: int, level: float) -> float:
    """Compute the bound, whatever the dispersion, that a share of courses exceeds in any period."""
    sizes = np.array(sizes_given)
    differences = largest_differences(_courses(sizes), sizes, reference)
    return float(np.quantile(differences.max(axis=-1), 1 - level))


@lru_cache(maxsize=1024)
def _bounds(sizes_given: tuple[float, ...], reference: int, level: float) -> Bounds:
    sizes = np.array(sizes_given)
    scores = _courses(sizes)
    largest = largest_differences(scores, sizes, reference).max(axis=-1)
    left = residuals(scores, sizes)
    expected = float(left[0].mean()), float(left[1].mean())
    start = Bounds(0.0, 1.0, (np.inf, np.inf), expected, np.empty(0))
    dispersions = start.dispersions(left)
    often = float(np.quantile(dispersions[0], OFTEN_BY_CHANCE)) or 1.0
    by_deviation, unusual = [], np.zeros(len(scores), dtype=bool)
    shares = (1 - SHARE_OF_WINDOWS, SHARE_OF_WINDOWS)
    for dispersion, share in zip(dispersions, shares, strict=True):
        deviation = np.sqrt(dispersion)
        with np.errstate(divide="ignore"):
            ratios = largest / deviation
        ratio = float(np.quantile(ratios, 1 - share * level, method="higher"))
        # With two periods nothing remains about a change between them.
        by_deviation.append(ratio if np.isfinite(ratio) else 0.0)
        unusual |= ratios > ratio
    # The greatest of the least bounds at which each course gives an alarm.
    passed = np.where(unusual, largest, largest / np.maximum(1, dispersions[0] / often))
    least = float(np.quantile(passed, 1 - level))
    by_chance = np.sort(dispersions[0])
    return Bounds(least, often, (by_deviation[0], by_deviation[1]), expected, by_chance)


def scan(course: Course, level: float, planned: int | None = None) -> Scan:
    """Find changes of a rate, and date them.

    Parameters
    ----------
    course
        Course of at least two periods, and of more than its reference has.
    level
        Probability of any alarm by chance alone, in (0, 1).
    planned
        As for :func:`bounds`.

    Returns
    -------
    A :class:`Scan`. After an alarm the scan starts again with the first period of the new rate, at
    the same level. All of its changes are one gradual change if a steady rise or fall is more
    likely. They are withheld if the rates vary about a single change by more than usual by chance,
    and periods that depend on each other would explain the changes.
    """
    largest, whole, left, first = _first_alarm(course, level, planned)
    alarms, gradual = _explained(course, _alarms(course, first, level, planned), level)
    single = float(whole.dispersions(left)[0])
    if gradual:
        dispersion, p = _by_chi_squared(_squares_about_trend(course), len(course.sizes) - 2)
    elif alarms:
        dispersion, p = _dispersion_about([since for _, since in alarms], course)
    else:
        dispersion, p = single, whole.p(single)
    wide = max(dispersion, 1.0) if p < DISPERSION_LEVEL else 1.0
    changes = _dated(course.widened(wide), alarms)
    if gradual:
        last = len(course.sizes) - 1
        changes = (replace(changes[0], first=course.reference, last=last, gradual=True),)
    dependent = first is not None and not alarms
    return Scan(largest, float(whole.bound(left)), wide, p, changes, dependent)


def alarmed(
    hits: Array, sizes: Array, reference: int, level: float, planned: int | None = None
) -> NDArray[np.bool_]:
    """Return which courses have changes, from hits of the shape (courses, periods)."""
    scores = normal_scores(hits, sizes)
    largest = largest_differences(scores, sizes, reference).max(axis=-1)
    known = bounds(sizes, reference, level, planned)
    has_change = largest > known.bound(residuals(scores, sizes))
    beyond = np.flatnonzero(has_change)
    by_chance, dependent = (
        likelihoods(_values(scores[beyond], sizes), sizes, reference, dependent=some)
        for some in (False, True)
    )
    gain = dependent.change - dependent.constant
    gained = gain > gain_by_dependence(len(sizes), reference, level)
    # Several changes may be likely where a single one is not.
    for number in beyond[(dependent.change > by_chance.change) & ~gained]:
        course = Course(hits[number], sizes, reference)
        alarms = _alarms(course, _first_alarm(course, level, planned)[-1], level, planned)
        has_change[number] = len(alarms) > 1 and bool(_explained(course, alarms, level)[0])
    return has_change


def _first_alarm(
    course: Course, level: float, planned: int | None
) -> tuple[float, Bounds, tuple[Array, Array], int | None]:
    """Return the largest difference, the bounds, the residuals, and the first period beyond."""
    known = bounds(course.sizes, course.reference, level, planned)
    scores = normal_scores(course.hits, course.sizes)
    left = residuals(scores, course.sizes)
    differences = largest_differences(scores, course.sizes, course.reference)
    beyond = np.flatnonzero(differences > known.bound(left))
    alarm = int(beyond[0]) + course.reference if len(beyond) else None
    return float(differences.max()), known, left, alarm


def _alarms(
    course: Course, alarm: int | None, level: float, planned: int | None
) -> list[tuple[int, int]]:
    """Return each period with an alarm, given the first, and the first period of its new rate."""
    alarms: list[tuple[int, int]] = []
    start = 0
    while alarm is not None:
        stop = start + alarm + 1
        since = start + int(np.argmax(_date(course.between(start, stop)))) + 1
        since += course.between(start, stop).reference - 1
        alarms.append((stop - 1, since))
        start = since
        if len(course.sizes) - start < 2:
            break
        rest = course.between(start, len(course.sizes))
        alarm = _first_alarm(rest, level, planned and planned - start)[-1]
    return alarms


def _explained(
    course: Course, alarms: list[tuple[int, int]], level: float
) -> tuple[list[tuple[int, int]], bool]:
    """Return the alarms that remain, and whether they are a steady rise or fall.

    If the periods seem to vary about a change, each change has to be likelier by more than a large
    dependence between periods alone would make it.
    """
    if not alarms:
        return [], False
    sizes, reference = course.sizes, course.reference
    values = _values(normal_scores(course.hits, sizes), sizes)[np.newaxis]
    dates = tuple(since for _, since in alarms)
    by_chance, known = (
        likelihoods(values, sizes, reference, dates, dependent=some) for some in (False, True)
    )
    varies = known.change[0] > by_chance.change[0]
    likely = known if varies else by_chance
    price = gain_by_dependence(len(sizes), reference, level)
    several = likely.steps[0] - (len(dates) - 1) * price
    if varies and max(several, likely.change[0]) - likely.constant[0] <= price:
        return [], False
    if likely.trend[0] > max(several, likely.step[0]):
        return alarms[:1], True
    if varies and likely.step[0] > several:
        since = reference + int(np.argmax(_date(course)))
        return [(max(alarms[0][0], since), since)], False
    return alarms, False


def _dispersion_about(dates: list[int], course: Course) -> tuple[float, float]:
    """Compute the dispersion about changes at some dates, and its p by the chi-squared law."""
    ends = [0, *dates, len(course.sizes)]
    parts = [course.between(*span) for span in itertools.pairwise(ends)]
    squares = sum(float((normal_scores(part.hits, part.sizes) ** 2).sum()) for part in parts)
    return _by_chi_squared(squares, len(course.sizes) - len(parts))


def _by_chi_squared(squares: float, freedom: int) -> tuple[float, float]:
    return (squares / freedom, float(chdtrc(freedom, squares))) if freedom else (1.0, 1.0)


def _squares_about_trend(course: Course) -> float:
    """Compute the residual sum of squares about a steady rise or fall after the reference."""
    values = _values(normal_scores(course.hits, course.sizes), course.sizes)
    elapsed = np.maximum(np.arange(len(values)) - (course.reference - 1), 0)
    scale = np.sqrt(course.sizes)
    trend = np.stack([scale, scale * elapsed], axis=1)
    return float(np.linalg.lstsq(trend, scale * values)[1][0])


def _date(course: Course) -> Array:
    """Compute the probabilities of periods after the reference to be the first with another rate.

    Both rates have Jeffreys' prior, and all periods have the same prior probability.
    """
    before, after = (betaln(hits + PRIOR, misses + PRIOR) for hits, misses in _sides(course))
    return np.asarray(softmax(before + after))


def _sides(course: Course) -> tuple[tuple[Array, Array], tuple[Array, Array]]:
    """Return the hits and the misses before each possible date of a change, and those after it."""
    hits, misses = np.cumsum(course.hits), np.cumsum(course.sizes - course.hits)
    dates = slice(course.reference - 1, len(hits) - 1)
    after = hits[-1] - hits[dates], misses[-1] - misses[dates]
    return (hits[dates], misses[dates]), after


def _dated(course: Course, alarms: list[tuple[int, int]]) -> tuple[ChangePoint, ...]:
    """Date each change between its neighbors."""
    ends = [0, *(since for _, since in alarms), len(course.sizes)]
    changes = []
    for number, (alarm, _) in enumerate(alarms):
        start, stop = ends[number], ends[number + 2]
        part = course.between(start, stop)
        probabilities = _date(part)
        first = start + part.reference
        order = np.argsort(-probabilities, kind="stable")
        size = int(np.searchsorted(np.cumsum(probabilities[order]), CONFIDENCE)) + 1
        region = first + order[:size]
        before, after = _rates(part, probabilities)
        since = first + int(order[0])
        span = int(region.min()), int(region.max())
        changes.append(ChangePoint(alarm, since, *span, start, stop, before, after))
    return tuple(changes)


def _rates(course: Course, probabilities: Array) -> tuple[Estimate, Estimate]:
    """Compute the rates before and after a change whose date has these probabilities."""
    likeliest = int(np.argmax(probabilities))
    sides = []
    for a, b in _sides(course):
        low, high = (
            _quantile(a + PRIOR, b + PRIOR, probabilities, share)
            for share in ((1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2)
        )
        sides.append(Estimate(float(a[likeliest] / (a[likeliest] + b[likeliest])), low, high))
    return sides[0], sides[1]


def _quantile(a: Array, b: Array, probabilities: Array, share: float) -> float:
    """Compute a quantile of a mixture of Beta distributions."""
    return float(brentq(lambda rate: probabilities @ betainc(a, b, rate) - share, 0, 1))
