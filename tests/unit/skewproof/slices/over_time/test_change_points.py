"""Scores, differences, residuals and dates by their definitions, and courses that change or not."""

from fractions import Fraction
from math import comb

import numpy as np
import pytest
from scipy import integrate, signal, stats
from scipy.special import expit, logit

from skewproof.slices.over_time.change_points import (
    Course,
    alarmed,
    bounds,
    largest_differences,
    normal_scores,
    residuals,
    scan,
)

LEVEL = 0.0253


@pytest.mark.parametrize("rate", [0.02, 0.5, 0.97])
def test_scores_are_of_the_hypergeometric_mid_p(rate):
    random = np.random.default_rng(3)
    sizes = random.integers(1, 400, 7).astype(float)
    hits = random.binomial(sizes.astype(int), rate, (20, 7)).astype(float)
    totals, of_all = np.cumsum(sizes)[1:], np.cumsum(hits, axis=1)[:, 1:]
    law = stats.hypergeom(totals, of_all, sizes[1:])
    expected = law.cdf(hits[:, 1:] - 1) + law.pmf(hits[:, 1:]) / 2
    assert normal_scores(hits, sizes) == pytest.approx(stats.norm.ppf(expected), abs=1e-9)


def test_a_score_far_out_is_exact():
    """No hit of 300 after 200 of 300: the half of one probability, by whole numbers."""
    probability = Fraction(comb(300, 200), comb(600, 200)) / 2
    logarithm = stats.norm.logsf(abs(normal_scores(np.array([200.0, 0.0]), np.array([300, 300]))))
    assert logarithm[0] == pytest.approx(float(np.log(float(probability))), rel=1e-9)


def test_scores_of_large_and_of_weighted_counts():
    """Beyond where they are exact, and between those of whole counts."""
    sizes = np.array([90_000.0, 60_000.0])
    hits = np.array([[45_300.0, 30_100.0], [9100.0, 5700.0], [45_000.0, 30_900.0]])
    law = stats.hypergeom(150_000, hits.sum(axis=1), 60_000)
    expected = stats.norm.ppf(law.cdf(hits[:, 1] - 1) + law.pmf(hits[:, 1]) / 2)
    assert normal_scores(hits, sizes)[:, 0] == pytest.approx(expected, abs=3e-4)
    around = [normal_scores(np.array([30.0, hits]), np.array([50.0, 50.0]))[0] for hits in (20, 21)]
    between = normal_scores(np.array([30.0, 20.5]), np.array([50.0, 50.0]))[0]
    assert around[0] < between < around[1]


def test_nothing_is_told_where_all_are_hits_or_none_is():
    sizes = np.array([5.0, 9.0, 2.0])
    assert normal_scores(np.stack([sizes, 0 * sizes]), sizes).tolist() == [[0, 0], [0, 0]]


@pytest.mark.parametrize("reference", [1, 3])
def test_differences_are_those_of_means(reference):
    """The sum of scores of normal values is a scaled difference of means."""
    random = np.random.default_rng(4)
    sizes = random.uniform(1, 9, 8)
    values = random.normal(size=8) / np.sqrt(sizes)
    scores = []
    for period in range(1, 8):
        before = np.average(values[:period], weights=sizes[:period])
        scale = np.sqrt(1 / sizes[period] + 1 / sizes[:period].sum())
        scores.append((values[period] - before) / scale)
    expected = []
    for last in range(reference, 8):
        differences = []
        for date in range(reference, last + 1):
            before, after = slice(date), slice(date, last + 1)
            means = [np.average(values[part], weights=sizes[part]) for part in (after, before)]
            scale = np.sqrt(1 / sizes[before].sum() + 1 / sizes[after].sum())
            differences.append(abs(means[0] - means[1]) / scale)
        expected.append(max(differences))
    largest = largest_differences(np.array(scores), sizes, reference)
    assert largest == pytest.approx(expected)


def test_residuals_are_those_of_the_best_change_and_window():
    random = np.random.default_rng(6)
    sizes, scores = random.uniform(1, 9, 6), random.normal(size=5)
    values = [0.0]
    for period, score in enumerate(scores, start=1):
        mean = np.average(values, weights=sizes[:period])
        values.append(mean + score * np.sqrt(1 / sizes[period] + 1 / sizes[:period].sum()))

    def left(inside):
        total = 0.0
        for part in (inside, ~inside):
            mean = np.average(np.array(values)[part], weights=sizes[part])
            total += float(sizes[part] @ (np.array(values)[part] - mean) ** 2)
        return total

    places = np.arange(6)
    windows = [
        (places >= start) & (places < stop)
        for start in range(6)
        for stop in range(start + 1, 7)
        if stop - start < 6
    ]
    single = min(left(window) for window in windows if window[0])
    squares = residuals(scores, sizes)
    assert [float(some) for some in squares] == pytest.approx([single, min(map(left, windows))])


@pytest.mark.parametrize(("periods", "bound"), [(6, 2.96), (12, 3.30), (24, 3.60)])
@pytest.mark.slow
def test_bounds_of_repeated_looks_are_those_of_other_simulations(periods, bound):
    """Bounds at .0253 for periods of one size, from an independent simulation."""
    first = bounds(np.full(3, 100.0), 1, LEVEL, planned=periods - 1)
    assert first.least == pytest.approx(bound, abs=0.04)


@pytest.mark.slow
def test_alarms_without_a_change_are_as_often_as_stated():
    """Alarms occur at most as often, and at least half as often: hits are whole numbers."""
    random = np.random.default_rng(8)
    sizes = np.array([100, 30, 300, 100, 20, 150, 80, 100])
    for level in (0.0253, 0.1):
        years = random.binomial(sizes, 0.7, (2000, 8)).astype(float)
        alarms = alarmed(years, sizes.astype(float), 1, level).sum()
        assert stats.binom(2000, level / 2).ppf(0.001) <= alarms
        assert alarms <= stats.binom(2000, level).ppf(0.999)


@pytest.mark.slow
def test_repeated_looks_together_keep_the_level():
    random = np.random.default_rng(9)
    sizes = np.full(8, 100.0)
    years = random.binomial(100, 0.7, (2000, 8)).astype(float)
    once, planned = (
        np.any([alarmed(years[:, :k], sizes[:k], 1, 0.05, plan) for k in range(2, 9)], axis=0)
        for plan in (None, 7)
    )
    assert planned.sum() <= stats.binom(2000, 0.05).ppf(0.999) < once.sum()


@pytest.mark.slow
def test_periods_that_vary_widen_and_a_change_does_not():
    random = np.random.default_rng(10)
    sizes = np.full(12, 1000.0)
    varying = random.binomial(1000, np.clip(random.normal(0.8, 0.03, (200, 12)), 0, 1))
    changing = random.binomial(1000, np.where(np.arange(12) < 6, 0.8, 0.6), (200, 12))
    scans = [
        [scan(Course(hits.astype(float), sizes), LEVEL) for hits in some]
        for some in (varying, changing)
    ]
    assert np.mean([course.dispersion > 1 for course in scans[0]]) > 0.9
    assert np.mean([bool(course.changes) for course in scans[0]]) < 0.1
    assert np.mean([course.dispersion > 1 for course in scans[1]]) < 0.1
    assert all(course.changes for course in scans[1])
    median = np.median([course.dispersion for course in scans[0]])
    expected = 1 + 0.03**2 / (0.8 * 0.2 / 1000)
    assert median == pytest.approx(expected, rel=0.2)


def scanned(logits, size, random):
    hits = random.binomial(size, expit(logits)).astype(float)
    return [scan(Course(row, np.full(len(row), float(size))), LEVEL) for row in hits]


@pytest.mark.slow
def test_periods_that_depend_on_each_other_seldom_give_alarms():
    """Filter white noise; without a test for dependence a fifth of the courses has an alarm."""
    random = np.random.default_rng(11)
    white = random.normal(size=(200, 60))
    noise = signal.lfilter([1.0], [1, -0.5], white)[:, -24:] * np.sqrt(1 - 0.5**2)
    scans = scanned(logit(0.8) + 0.3 * noise, 300, random)
    assert sum(course.dependent for course in scans) > 0.15 * 200
    assert sum(bool(course.changes) for course in scans) <= stats.binom(200, 0.03).ppf(0.999)
    assert not any(course.dependent and course.changes for course in scans)


@pytest.mark.slow
def test_a_steady_fall_is_one_gradual_change_and_a_sharp_one_is_not():
    random = np.random.default_rng(12)
    steady = np.tile(logit(0.8) - np.linspace(0, 1, 24), (50, 1))
    sharp = np.tile(logit(0.8) - 1.0 * (np.arange(24) >= 10), (50, 1))
    of_steady, of_sharp = (scanned(logits, 1000, random) for logits in (steady, sharp))
    gradual = [
        course.changes for course in of_steady if [c.gradual for c in course.changes] == [True]
    ]
    assert len(gradual) >= 48
    assert {(change.first, change.last) for (change,) in gradual} == {(1, 23)}
    assert all(change.before.value > change.after.value for (change,) in gradual)
    assert np.mean([course.dispersion > 1 for course in of_steady]) < 0.15
    assert sum(any(change.gradual for change in course.changes) for course in of_sharp) == 0
    assert sum(any(change.since == 10 for change in course.changes) for course in of_sharp) >= 48


@pytest.mark.slow
def test_courses_with_alarms_are_those_with_changes():
    """Use courses that vary, with no, one and two changes."""
    random = np.random.default_rng(13)
    sizes = np.full(12, 300.0)
    shift = np.stack([0 * np.arange(12), np.arange(12) >= 6, abs(np.arange(12) - 6) < 3])
    logits = logit(0.8) - 1.5 * np.repeat(shift, 40, axis=0) + random.normal(0, 0.2, (120, 12))
    hits = random.binomial(300, expit(logits)).astype(float)
    changes = [bool(scan(Course(row, sizes), LEVEL).changes) for row in hits]
    assert alarmed(hits, sizes, 1, LEVEL).tolist() == changes
    assert 30 < sum(changes) < 90


def marginal(hits, size):
    """Average the probability of hits in their order over Jeffreys' prior, by quadrature."""
    integrand = lambda x: np.sin(x) ** (2 * hits) * np.cos(x) ** (2 * (size - hits))  # noqa: E731
    return integrate.quad(integrand, 0, np.pi / 2)[0] * 2 / np.pi


@pytest.mark.slow
def test_dates_and_rates_are_those_of_the_posterior():
    """Compare with quadrature over each rate and a mixture of posteriors on a fine grid."""
    hits, sizes = np.array([18.0, 17, 19, 18, 8, 9]), np.full(6, 20.0)
    (change,) = scan(Course(hits, sizes), 0.05).changes
    weights = []
    for date in range(1, 6):
        of_both = [(hits[part].sum(), sizes[part].sum()) for part in (slice(date), slice(date, 6))]
        weights.append(marginal(*of_both[0]) * marginal(*of_both[1]))
    probabilities = np.array(weights) / sum(weights)
    assert change.since == 1 + int(np.argmax(probabilities)) == 4
    order = np.argsort(-probabilities)
    number = 1 + int(np.flatnonzero(np.cumsum(probabilities[order]) >= 0.95)[0])
    assert change.first == 1 + order[:number].min()
    assert change.last == 1 + order[:number].max()
    grid = (np.arange(200_000) + 0.5) / 200_000
    for side, estimate in (("before", change.before), ("after", change.after)):
        density = np.zeros_like(grid)
        for date, probability in zip(range(1, 6), probabilities, strict=True):
            part = slice(date) if side == "before" else slice(date, 6)
            total, size = hits[part].sum(), sizes[part].sum()
            density += probability * stats.beta(total + 0.5, size - total + 0.5).pdf(grid)
        cumulative = np.cumsum(density) / density.sum()
        ends = [grid[np.searchsorted(cumulative, share)] for share in (0.025, 0.975)]
        assert [estimate.low, estimate.high] == pytest.approx(ends, abs=1e-4)
    assert change.before.value == pytest.approx(72 / 80)
    assert change.after.value == pytest.approx(17 / 40)


@pytest.mark.slow
def test_two_changes_are_told_apart():
    hits = np.array([80.0, 82, 79, 80, 50, 51, 49, 52, 81, 80, 79, 82])
    scanned_course = scan(Course(10 * hits, np.full(12, 1000.0)), LEVEL)
    assert [change.since for change in scanned_course.changes] == [4, 8]
    assert [change.after.value for change in scanned_course.changes] == pytest.approx(
        [0.505, 0.805]
    )
    assert scanned_course.dispersion == 1
