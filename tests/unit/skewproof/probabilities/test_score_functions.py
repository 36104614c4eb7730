import numpy as np
import pytest
from scipy.optimize import brentq, minimize
from scipy.special import expit, logit

from skewproof.probabilities.score_functions import (
    LOG,
    Start,
    TwoClassSample,
    calibration_intercept,
    calibration_slope,
    resolution,
    start_of,
)


def one(values, positives, negatives, share, start=None):
    rows = [np.array([part], dtype=float) for part in (positives, negatives)]
    start = Start() if start is None else start
    return TwoClassSample.at(np.array([share]), np.array(values), rows, start)


def test_what_was_never_wrong_has_no_infinite_loss():
    right = one([0.0, 0.5, 1.0], [0, 0.5, 0.5], [0.5, 0.5, 0], 0.5)
    assert right.mean(LOG)[0] == pytest.approx(np.log(2) / 2)
    wrong = one([0.0, 0.5, 1.0], [0.1, 0.4, 0.5], [0.5, 0.5, 0], 0.5)
    assert wrong.mean(LOG)[0] == np.inf


@pytest.mark.parametrize("share", [1e-6, 0.001, 0.5])
def test_the_intercept_is_found_across_a_gap_of_forecasts(share):
    """Between two groups of forecasts that are far apart the mean hardly moves with it."""
    values = expit(np.array([-12.0, -11.0, 9.0]))
    sample = one(values, [0.1, 0.1, 0.8], [0.6, 0.398, 0.002], share)
    weights = sample.parts[1][0]
    expected = brentq(lambda a: weights @ expit(logit(values) + a) - share, -60, 60, xtol=1e-12)
    assert calibration_intercept(sample)[0] == pytest.approx(expected, abs=1e-7)


def test_forecasts_of_0_and_1_have_the_log_odds_of_1e_9_or_of_the_furthest_other():
    near = one([0.0, 0.3, 1.0], [0, 0.5, 0.5], [0.5, 0.5, 0], 0.5)
    assert near.log_odds == pytest.approx([-np.log(1e9 - 1), logit(0.3), np.log(1e9 - 1)])
    far = one([0.0, 1e-30, 1.0], [0, 0.5, 0.5], [0.5, 0.5, 0], 0.5)
    assert far.log_odds == pytest.approx([logit(1e-30), logit(1e-30), np.log(1e9 - 1)])


def test_the_intercept_of_forecasts_of_0_and_1():
    """The mean is 0.9 expit(a - L) + 0.1 expit(a + L), of which the first part is below 1e-8."""
    intercept = calibration_intercept(one([0.0, 1.0], [0.05, 0.95], [0.95, 0.05], 1 / 18))[0]
    share = (1 / 18 * 0.95) + (17 / 18 * 0.05)  # of forecasts of 1
    assert intercept == pytest.approx(logit(1 / 18 / share) - np.log(1e9 - 1), abs=1e-6)


@pytest.mark.parametrize("share", [0.001, 0.5])
def test_the_regression_by_a_minimum_of_the_log_loss(share):
    """The classes are nearly separated, so that full steps of Newton's method diverge."""
    values = np.array([0.0, 0.01, 0.3, 0.4, 0.5, 0.9])
    positives = np.array([0, 1e-4, 0, 0.1, 0.4, 0.4999])
    negatives = np.array([0.8, 0.19, 0.0099, 0, 0.0001, 0])
    x = np.append(-np.log(1e9 - 1), logit(values[1:]))

    def loss(coefficients):
        z = coefficients[0] + coefficients[1] * x
        of_positives = positives @ np.logaddexp(0, -z)
        return share * of_positives + (1 - share) * (negatives @ np.logaddexp(0, z))

    options = {"xatol": 1e-10, "fatol": 1e-18, "maxiter": 10_000, "maxfev": 10_000}
    best = minimize(loss, [logit(share), 0.1], method="Nelder-Mead", options=options)
    sample = one(values, positives, negatives, share)
    assert calibration_slope(sample)[0] == pytest.approx(best.x[1], rel=1e-6)
    assert sample.refinement(LOG)[0] == pytest.approx(best.fun, rel=1e-9)


def test_samples_are_separated_as_defined():
    random = np.random.default_rng(1)
    positives, negatives = random.integers(0, 2, (2, 300, 4)).astype(float)
    both = positives.any(axis=1) & negatives.any(axis=1)
    sample = TwoClassSample.at(
        np.full(both.sum(), 0.5), np.arange(1, 5) / 5, [positives[both], negatives[both]]
    )
    expected = []
    for first, second in zip(positives[both], negatives[both], strict=True):
        of_positives, of_negatives = np.flatnonzero(first), np.flatnonzero(second)
        rising = all(i >= j for i in of_positives for j in of_negatives)
        expected.append(rising or all(i <= j for i in of_positives for j in of_negatives))
    assert sample.separated.tolist() == expected
    assert np.isnan(calibration_slope(sample)).tolist() == expected


def test_a_start_changes_nothing_but_the_way():
    values, positives, negatives = [0.1, 0.3, 0.6, 0.9], [0.1, 0.2, 0.3, 0.4], [0.5, 0.3, 0.1, 0.1]
    cold = one(values, positives, negatives, 0.01)
    near, far = start_of(cold), Start(40.0, -300.0, 90.0)
    for start in (near, far):
        warm = one(values, positives, negatives, 0.01, start)
        for function in (calibration_intercept, calibration_slope):
            assert function(warm)[0] == pytest.approx(function(cold)[0], rel=1e-9)
    assert near.slope == pytest.approx(calibration_slope(cold)[0])


def test_several_samples_are_solved_together():
    random = np.random.default_rng(0)
    values = np.sort(random.uniform(size=30))
    positives, negatives = random.dirichlet(np.ones(30), (2, 5))
    shares = np.linspace(0.01, 0.5, 5)
    together = TwoClassSample.at(shares, values, [positives, negatives])
    for function in (calibration_intercept, calibration_slope, lambda s: resolution(LOG, s)):
        alone = [
            function(one(values, *rows, share))[0]
            for *rows, share in zip(positives, negatives, shares, strict=True)
        ]
        assert function(together) == pytest.approx(alone, rel=1e-7, abs=1e-12)
