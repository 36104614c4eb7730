import numpy as np
import pytest
from scipy.special import expit

from skewproof import (
    ConfusionMatrix,
    adjust_probabilities,
    calibration_error,
    interval,
    reliability_curve,
)

RANDOM = np.random.default_rng(5)
TRUE = np.repeat([1, 0], [80, 420])
P = expit(1.5 * RANDOM.normal(1.5 * TRUE) - 1)


def in_bins(curve):
    """Find the instances in each bin by its ends."""
    return [(low <= P) & (high >= P) for low, high in curve[["lowest", "highest"]].to_numpy()]


@pytest.mark.parametrize("at", ["test set", 0.01, "population", "8/500"])
@pytest.mark.slow
def test_a_bin_has_the_precision_of_calling_it_positive(at):
    curve = reliability_curve(TRUE, P, at=at, bins=4)
    bins = in_bins(curve)
    assert np.array_equal(np.sum(bins, axis=0), np.ones(TRUE.size))
    for row, inside in zip(curve.itertuples(), bins, strict=True):
        tp, fp = int(TRUE[inside].sum()), int((1 - TRUE[inside]).sum())
        matrix = ConfusionMatrix(tp=tp, fp=fp, fn=80 - tp, tn=420 - fp)
        ends = interval("precision", matrix, at=at)
        expected = (ends.value, ends.low, ends.high)
        assert (row.frequency, row.low, row.high) == pytest.approx(expected, rel=1e-3)
        assert (row.positives, row.negatives) == (tp, fp)


def test_frequency_and_forecast_are_weighted_means():
    share = 0.02
    curve = reliability_curve(TRUE, P, at=share, bins=5)
    weights = np.where(TRUE == 1, share / 80, (1 - share) / 420)
    for row, inside in zip(curve.itertuples(), in_bins(curve), strict=True):
        assert row.forecast == pytest.approx(np.average(P[inside], weights=weights[inside]))
        assert row.frequency == pytest.approx(np.average(TRUE[inside], weights=weights[inside]))


def test_bins_are_as_large_where_classes_count_alike():
    curve = reliability_curve(TRUE, P, bins=4)
    shares = curve["positives"] / 80 + curve["negatives"] / 420
    assert shares.to_numpy() == pytest.approx(np.full(4, 0.5), abs=1 / 80 + 1 / 420)


def test_a_band_for_all_bins_has_the_confidence_of_bonferroni():
    together = reliability_curve(TRUE, P, at=0.1, bins=5, simultaneous=True)
    alone = reliability_curve(TRUE, P, at=0.1, bins=5, confidence=0.99)
    for end in ("low", "high"):
        assert together[end].to_numpy() == pytest.approx(alone[end].to_numpy())


def test_trained_adjusts_the_forecasts_before():
    adjusted = reliability_curve(TRUE, P, at=0.01, trained="1:1")
    other = reliability_curve(TRUE, adjust_probabilities(P, trained="1:1", at=0.01), at=0.01)
    for name in ("forecast", "frequency", "low", "high"):
        assert adjusted[name].to_numpy() == pytest.approx(other[name].to_numpy())


def test_the_calibration_error_is_the_mean_gap():
    share = 0.05
    curve = reliability_curve(TRUE, P, at=share, bins=6)
    weights = np.where(TRUE == 1, share / 80, (1 - share) / 420)
    mass = [weights[inside].sum() for inside in in_bins(curve)]
    gaps = np.abs(curve["frequency"] - curve["forecast"])
    error = calibration_error(TRUE, P, at=share, bins=6, draws=10)
    assert error.value == pytest.approx(float(np.sum(mass * gaps)))
    assert error.bins == 6


@pytest.mark.parametrize("at", ["test set", 0.5])
@pytest.mark.slow
def test_calibrated_forecasts_have_the_error_that_is_said(at):
    """Labels are drawn from the forecasts, time and again; at 1:1 those of the test set are the
    calibrated forecasts in other odds."""
    random = np.random.default_rng(2)
    in_test_set = random.beta(1, 4, 300)
    p = in_test_set
    if at == 0.5:
        p = adjust_probabilities(in_test_set, trained=float(in_test_set.mean()), at=0.5)
    errors, said, p_values = [], [], []
    for seed in range(60):
        y = random.uniform(size=300) < in_test_set
        calibration = calibration_error(y, p, at=at, draws=200, rng=seed)
        errors.append(calibration.value)
        said.append(calibration.if_calibrated)
        p_values.append(calibration.p_value)
    error = np.std(errors) / np.sqrt(len(errors))
    assert abs(np.mean(errors) - np.mean(said)) < 4 * error
    assert np.mean(np.array(p_values) <= 0.1) < 0.1 + 4 * np.sqrt(0.09 / 60)


def test_miscalibrated_forecasts_have_more():
    error = calibration_error(TRUE, P**3, draws=200)
    assert error.value > error.if_calibrated_high
    assert error.p_value == pytest.approx(1 / 201)
    drawn = [
        calibration_error(TRUE, P**3, draws=200, rng=np.random.default_rng(1)) for _ in range(2)
    ]
    assert drawn[0] == drawn[1] != error
    assert "calibrated forecasts have" in str(error)


BOTH = reliability_curve, calibration_error


@pytest.mark.parametrize(
    ("functions", "options", "message"),
    [
        (BOTH, {"bins": 0}, "bins = 0: expected a whole number from 1 to 1,000"),
        (BOTH, {"at": 0}, "at = 0: expected a prevalence above 0 and below 1"),
        (BOTH, {"trained": "test set"}, "trained = .*: expected one prevalence"),
        (BOTH, {"y_true": [1] * 500}, "500 of 500 labels are pos_label = 1: expected both classes"),
        (BOTH, {"y_prob": P + 0.5}, r"y_prob\[\d+\] = .*: expected a probability from 0 to 1"),
        (BOTH[:1], {"confidence": 1}, "confidence = 1: expected"),
        (BOTH[:1], {"simultaneous": 1}, "simultaneous = 1: expected True or False"),
        (BOTH[1:], {"y_prob": 0 * P, "at": 0.1, "draws": 5}, "y_prob forecasts only one class"),
    ],
)
def test_what_does_not_fit_is_refused(functions, options, message):
    for function in functions:
        with pytest.raises(ValueError, match=message):
            function(**({"y_true": TRUE, "y_prob": P} | options))
