"""Extremes and distances over balls of deviations, beside searches of another kind."""

import numpy as np
import pytest
from scipy import optimize, stats

from skewproof.core.confusion import ConfusionMatrix
from skewproof.metrics import METRICS
from skewproof.practice.slices.parts import Change
from skewproof.practice.slices.steepest import Proportions, distance_to_zero, extremes
from skewproof.practice.uncertainty import interval

Z = stats.norm.ppf(0.975)


def one(*counts):
    """Proportions of one slice, a pair of hits and misses each."""
    hits, misses = np.array(counts, dtype=float).T
    return Proportions(hits[:, np.newaxis], misses[:, np.newaxis])


@pytest.mark.parametrize("counts", [(3, 7), (0, 20), (20, 0), (5, 10**6)])
def test_of_one_proportion_the_interval_is_that_of_jeffreys(counts):
    low, high = extremes(lambda shares: shares[0], one(counts), Z)
    expected = list(stats.beta(counts[0] + 0.5, counts[1] + 0.5).interval(0.95))
    expected[0] *= counts[0] > 0
    expected[1] = expected[1] if counts[1] else 1
    assert [low[0], high[0]] == pytest.approx(expected)


@pytest.mark.parametrize(
    ("key", "prevalence"),
    [(key, "given") for key in sorted(METRICS)]
    + [(key, "estimated") for key in ("f1", "mcc", "laplace", "precision")],
)
@pytest.mark.slow
def test_values_have_the_intervals_of_one_matrix(key, prevalence):
    """Which looks at the whole ball; of OP, with its kink, the steepest way misses a little."""
    metric = METRICS[key]
    matrix = ConfusionMatrix(tp=14, fp=20, fn=6, tn=180)
    shares = one((20, 200), (14, 6), (20, 180))

    def value(proportions):
        sizes = 220 * proportions[0] if prevalence == "estimated" else 20.0
        return metric(
            ConfusionMatrix.from_rates(*proportions[-2:], positives=sizes, negatives=220 - sizes)
        )

    rows = slice(None) if prevalence == "estimated" else slice(1, None)
    found = extremes(value, Proportions(shares.hits[rows], shares.misses[rows]), Z)
    expected = interval(metric, matrix, prevalence=prevalence)
    width = expected.high - expected.low
    largest_miss = 0.03 if metric.kink_at_equal_rates else 0.005
    assert abs(found[0][0] - expected.low) < largest_miss * width
    assert abs(found[1][0] - expected.high) < largest_miss * width


@pytest.mark.parametrize("key", ["f1", "mcc", "cohen_kappa"])
@pytest.mark.slow
def test_values_of_small_samples_have_the_intervals_of_one_matrix(key):
    """With nothing missed, nothing false, or next to nothing found."""
    counts = np.array([(5, 0, 0, 50), (5, 3, 0, 47), (0, 5, 3, 45), (1, 0, 9, 90), (30, 1, 9, 399)])
    tp, fp, fn, tn = counts.T.astype(float)

    def value(rates):
        return METRICS[key](
            ConfusionMatrix.from_rates(*rates, positives=tp + fn, negatives=fp + tn)
        )

    found = extremes(value, Proportions(np.array([tp, fp]), np.array([fn, tn])), Z)
    expected = np.array([interval(METRICS[key], ConfusionMatrix(*row)) for row in counts])
    widths = expected[:, 2] - expected[:, 1]
    assert (abs(found[0] - expected[:, 1]) < 0.005 * widths).all()
    assert (abs(found[1] - expected[:, 2]) < 0.005 * widths).all()


@pytest.mark.slow
def test_extremes_of_a_part_are_those_of_a_constrained_search():
    """SLSQP from several starts, of the part of prevalence in a change of F1."""
    of = one((30, 970), (20, 10), (50, 920), (90, 910), (70, 20), (40, 870))
    part = Change(METRICS["f1"], np.array([1000.0]), np.array([1000.0])).part("prevalence")
    posterior = stats.beta(of.hits[:, 0] + 0.5, of.misses[:, 0] + 0.5)

    def value(deviations):
        return float(part(posterior.ppf(stats.norm.cdf(deviations))[:, np.newaxis])[0])

    ball = {"type": "ineq", "fun": lambda x: Z**2 - x @ x}
    starts = np.random.default_rng(0).normal(size=(4, 6)) / 2

    def smallest(function):
        return min(optimize.minimize(function, x, constraints=ball).fun for x in starts)

    low, high = extremes(part, of, Z)
    expected = [smallest(value), -smallest(lambda x: -value(x))]
    assert [low[0], high[0]] == pytest.approx(expected, rel=1e-4)


@pytest.mark.parametrize("limit", [0.05, 0.2, 0.5, 0.6])
def test_the_distance_to_a_proportion_is_its_deviation(limit):
    distance = distance_to_zero(lambda shares: shares[0] - limit, one((30, 70)))
    expected = stats.norm.ppf(stats.beta(30.5, 70.5).cdf(limit))
    assert distance[0] == pytest.approx(abs(expected), rel=1e-6)


def test_an_interval_at_the_distance_ends_at_zero():
    """Of differences of F1 of random slices: at a little less 0 is outside, at more inside."""
    random = np.random.default_rng(3)
    sizes = random.integers(200, 2000, (2, 60))
    positives = random.binomial(sizes, 0.1) + 1
    tp, fp = random.binomial(positives, 0.7), random.binomial(sizes - positives, 0.1)
    rows = np.array([positives, tp, fp]).swapaxes(0, 1).reshape(6, 60).astype(float)
    totals = np.array([sizes, positives, sizes - positives]).swapaxes(0, 1).reshape(6, 60)
    of = Proportions(rows, totals - rows)
    difference = Change(METRICS["f1"], *sizes.astype(float)).difference
    distance = distance_to_zero(difference, of)
    near, far = (extremes(difference, of, factor * distance) for factor in (0.99, 1.01))
    assert ((near[0] > 0) | (near[1] < 0)).all()
    assert ((far[0] < 0) & (far[1] > 0)).all()


def test_what_is_zero_or_on_both_sides_is_at_no_distance():
    of = one((5, 0), (12, 7))
    # All of 5 were counted: 1 is observed, and the posterior's median is less than 0.97.
    assert distance_to_zero(lambda shares: shares[0] - 0.97, of)[0] == 0
    assert distance_to_zero(lambda shares: 0 * shares[0], of)[0] == 0


def test_what_is_undefined_is_said():
    of = one((5, 5))
    low, high = extremes(lambda shares: shares[0] * np.nan, of, Z)
    assert np.isnan([low[0], high[0]]).all()
    assert np.isnan(distance_to_zero(lambda shares: shares[0] * np.nan, of)[0])
