import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.special import expit, logit

from skewproof.practice.probabilities.score_functions import (
    BRIER,
    LOG,
    Sample,
    Start,
    calibration_intercept,
    calibration_slope,
    resolution,
    start_of,
)


def one(values, positives, negatives, share, start=None):
    rows = [np.array([part], dtype=float) for part in (positives, negatives)]
    start = Start() if start is None else start
    return Sample(np.array(values), *rows, np.array([share]), start)


def test_a_mean_loss_is_that_of_both_classes():
    sample = one([0.2, 0.6], [0.25, 0.75], [0.5, 0.5], 0.1)
    of_positives = 0.25 * 0.8**2 + 0.75 * 0.4**2
    of_negatives = 0.5 * 0.2**2 + 0.5 * 0.6**2
    assert sample.mean(BRIER)[0] == pytest.approx(0.1 * of_positives + 0.9 * of_negatives)
    logs = 0.1 * -(0.25 * np.log(0.2) + 0.75 * np.log(0.6))
    logs += 0.9 * -(0.5 * np.log(0.8) + 0.5 * np.log(0.4))
    assert sample.mean(LOG)[0] == pytest.approx(logs)


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


def test_no_intercept_moves_sure_forecasts():
    assert np.isnan(calibration_intercept(one([0.0, 1.0], [0.2, 0.8], [0.9, 0.1], 0.5))[0])


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
    together = Sample(values, positives, negatives, shares)
    for function in (calibration_intercept, calibration_slope, lambda s: resolution(LOG, s)):
        alone = [
            function(one(values, *rows, share))[0]
            for *rows, share in zip(positives, negatives, shares, strict=True)
        ]
        assert function(together) == pytest.approx(alone, rel=1e-7, abs=1e-12)
