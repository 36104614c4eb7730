"""Prevalences that are estimated without labels, at rates of other instances."""

import numpy as np
import pytest
from scipy.stats import binom, norm

from skewproof import (
    ConfusionMatrix,
    Prevalence,
    area_interval,
    calibration_error,
    compare,
    decision_curve,
    estimate_prevalence,
    expected_cost,
    probability_scores,
    reliability_curve,
)
from skewproof.curves import area, curve_bands, precision_recall_curve
from skewproof.decisions import implied_thresholds
from skewproof.intervals.other_rates import for_other_rates

MEAN, CUT = 2.0, 1.0
PREVALENCE, THRESHOLD = 0.05, 0.1


def probability(scores):
    """Return the probability that is calibrated where one of five is positive."""
    return 1 / (1 + 4 * np.exp(MEAN**2 / 2 - MEAN * scores))


def sample(random, positives, negatives):
    true = np.repeat([1, 0], [positives, negatives])
    return true, random.normal(MEAN * true)


def estimated(random, by, prevalence=0.2, size=2000, reference=None):
    """Estimate the prevalence of unlabeled scores, with a reference of its own if none is given."""
    true, scores = reference or sample(random, 100, 400)
    positives = random.binomial(size, prevalence)
    unlabeled = sample(random, positives, size - positives)[1]
    if by == "scores":
        return Prevalence.from_scores(true, scores, unlabeled, threshold=CUT)
    matrix = ConfusionMatrix.from_labels(true, (scores >= CUT).astype(int))
    called = int(np.sum(unlabeled >= CUT))
    return Prevalence.from_predictions(matrix, called=called, total=size)


def of_decision_curve(true, scores, at):
    curve = decision_curve(true, probability(scores), thresholds=THRESHOLD, at=at)
    return curve.loc[0, ["net_benefit", "net_benefit_low", "net_benefit_high"]].tolist()


def of_expected_cost(true, scores, at):
    calls = {"model": (scores >= CUT).astype(int)}
    costs = expected_cost(true, calls, threshold=THRESHOLD, at=at, draws=9)
    return costs.loc[0, ["cost", "low", "high"]].tolist()


def of_probability_scores(true, scores, at):
    frame = probability_scores(true, probability(scores), scores="brier", at=at, draws=300)
    return frame.loc[0, ["value", "low", "high"]].tolist()


def of_area_interval(true, scores, at):
    interval = area_interval("average_precision", true, scores, at=at, draws=300)
    return [interval.value, interval.low, interval.high]


def of_compare(true, scores, at):
    calls = ((scores >= cut).astype(int) for cut in (CUT, CUT + 0.5))
    difference = compare("f1", true, *calls, at=at)
    return [difference.value, difference.low, difference.high]


def of_reliability_curve(true, scores, at):
    curve = reliability_curve(true, probability(scores), bins=2, at=at)
    return curve.loc[1, ["frequency", "low", "high"]].tolist()


def of_curve_bands(true, scores, at):
    options = {"curve": "precision_recall", "simultaneous": False}
    return curve_bands(true, scores, at=at, **options).loc[20, ["y", "y_low", "y_high"]].tolist()


FUNCTIONS = {
    of_decision_curve: ("scores", 1e-12),
    of_expected_cost: ("calls", 1e-12),
    of_reliability_curve: ("scores", 1e-6),
    of_curve_bands: ("scores", 1e-6),
    of_probability_scores: ("calls", 0.01),
    of_area_interval: ("scores", 0.02),
    of_compare: ("calls", 1e-6),
}
"""Functions of labels, scores and `at` that return a value and its ends.

Beside them is by what the prevalence is estimated, and the largest distance of ends between two
lists of prevalences in the same range, to which draws add.
"""


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.slow
def test_an_estimate_counts_as_the_range_of_its_interval(function):
    """The estimate, which is not the middle of the range, is one of the prevalences inside."""
    by, distance = FUNCTIONS[function]
    random = np.random.default_rng(5)
    at, (true, scores) = estimated(random, by), sample(random, 60, 240)
    (known,) = estimate_prevalence(at).itertuples()
    value, low, high = function(true, scores, at)
    assert value == pytest.approx(function(true, scores, at.share)[0], abs=1e-12)
    envelope = function(true, scores, Prevalence.between(known.low, known.high))[1:]
    assert (low, high) == pytest.approx(envelope, abs=distance)
    at_estimate = function(true, scores, at.share)[1:]
    assert high - low > at_estimate[1] - at_estimate[0]


def test_a_value_without_an_interval_is_that_at_the_estimate():
    random = np.random.default_rng(5)
    at, (true, scores) = estimated(random, "scores"), sample(random, 60, 240)
    matrix = ConfusionMatrix.from_labels(true, (scores >= CUT).astype(int))
    for function in (
        lambda at: area("average_precision", true, scores, at=at),
        lambda at: precision_recall_curve(true, scores, at=at)[0][5],
        lambda at: implied_thresholds(matrix, metrics="f1", at=at).loc[0, "threshold"],
        lambda at: calibration_error(true, probability(scores), at=at, draws=9).value,
    ):
        assert function(at) == function(at.share)


@pytest.mark.parametrize("confidence", [0.5, 0.99])
def test_the_range_has_the_confidence_of_the_result(confidence):
    at = estimated(np.random.default_rng(5), "calls")
    (known,) = estimate_prevalence(at, confidence=confidence).itertuples()
    there = for_other_rates(at, confidence)
    assert there.ends == (known.low, known.high)
    assert there.share == at.share
    assert Prevalence.given(str(there)).ends == pytest.approx(there.ends, rel=1e-5)


def test_the_points_of_the_range_include_the_ends_and_the_estimate():
    for at in (estimated(np.random.default_rng(5), by) for by in ("calls", "scores")):
        there = for_other_rates(at, 0.95)
        points = there.points(None)
        assert points == sorted(points)
        assert points[:: len(points) // 2] == pytest.approx(
            [there.ends[0], at.share, there.ends[1]], rel=1e-12
        )


def test_it_states_the_estimate_and_the_assumption():
    at = estimated(np.random.default_rng(5), "calls")
    (known,) = estimate_prevalence(at).itertuples()
    true, scores = sample(np.random.default_rng(6), 60, 240)
    calls = ((scores >= cut).astype(int) for cut in (CUT, CUT + 0.5))
    text = str(compare("f1", true, *calls, at=at))
    assert f"{at.where} (a prevalence of {known.low:.3g} to {known.high:.3g})" in text
    assert "keeps its rates; an envelope over the interval of the estimated prevalence" in text


@pytest.mark.slow
def test_a_prevalence_that_may_be_0_has_a_range_above_it():
    reference = ConfusionMatrix(tp=80, fp=100, fn=20, tn=900)
    at = Prevalence.from_predictions(reference, called=100, total=1000)
    assert estimate_prevalence(at).loc[0, "low"] == pytest.approx(0, abs=2e-12)
    there = for_other_rates(at, 0.95)
    assert there.where == f"{at.where} (a prevalence of 0 to {there.ends[1]:.3g})"
    true, scores = sample(np.random.default_rng(6), 60, 240)
    for function in FUNCTIONS:
        value, low, high = function(true, scores, at)
        assert low <= value <= high
        assert low < high


@pytest.mark.slow
def test_what_no_prevalence_explains_is_refused():
    reference = ConfusionMatrix(tp=80, fp=100, fn=20, tn=900)
    at = Prevalence.from_predictions(reference, called=0, total=1000)
    with pytest.raises(ValueError, match="the rates have changed"):
        for_other_rates(at, 0.95)


SAMPLES = 40


@pytest.mark.slow
@pytest.mark.parametrize(
    ("function", "by", "is_reference"),
    [(of_decision_curve, "scores", True), (of_expected_cost, "calls", False)],
)
def test_intervals_cover(function, by, is_reference):
    """Hold in so many samples that fewer are expected in one of a thousand studies at 95 %."""
    random = np.random.default_rng([7, len(by)])
    odds = THRESHOLD / (1 - THRESHOLD)
    if function is of_decision_curve:
        cut = (np.log(4 * odds) + MEAN**2 / 2) / MEAN
        hits, alarms = PREVALENCE * norm.sf(cut - MEAN), (1 - PREVALENCE) * norm.sf(cut)
        value = hits - alarms * odds
    else:
        weight = 1 / (1 + odds * (1 - PREVALENCE) / PREVALENCE)
        value = weight * norm.cdf(CUT - MEAN) + (1 - weight) * norm.sf(CUT)
    covered, accepted = 0, 0
    while accepted < SAMPLES:
        true, scores = sample(random, 100, 400)
        reference = (true, scores) if is_reference else None
        at = estimated(random, by, PREVALENCE, reference=reference)
        try:
            _, low, high = function(true, scores, at)
        except ValueError:  # as one of a hundred samples of scores does not fit by chance
            continue
        accepted += 1
        covered += low <= value <= high
    assert covered >= binom.ppf(0.001, SAMPLES, 0.95)
