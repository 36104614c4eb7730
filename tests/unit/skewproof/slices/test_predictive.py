"""Predicted values of periods, compared with SciPy's beta-binomial and simulations."""

import math

import numpy as np
import pytest
from scipy import stats

from skewproof.metrics import METRICS
from skewproof.multiclass.declaration import of_two_classes
from skewproof.multiclass.lookup import MEASURES
from skewproof.slices.predictive import Drawn, Periods

COUNTS = np.array([[70.0, 20, 10], [5, 40, 5], [0, 0, 20]])

RATES = np.array([[0.5, 0.5, 0], [0, 1, 0], [0.2, 0.3, 0.5]])


@pytest.mark.slow
def test_samples_of_several_periods_are_those_of_each():
    """Class sizes do not rise and fall together, and hits have the variance of their own sample."""
    sizes = np.array([[50, 10, 7], [20, 40, 7], [90, 1, 30]])
    periods = Periods(sizes.astype(float), sizes)
    number = 20_000
    matrix = periods.observed(np.tile(RATES, (number, 1, 1)), np.random.default_rng(1))
    assert np.array_equal(matrix.class_sizes, np.broadcast_to(sizes, (number, 3, 3)))
    expected = sizes[..., np.newaxis] * RATES
    variance = expected * (1 - RATES)
    deviations = matrix.counts.mean(axis=0) - expected
    assert (abs(deviations) <= 5 * np.sqrt(variance / number)).all()
    assert matrix.counts.var(axis=0) == pytest.approx(variance, rel=0.1)


def test_rates_of_a_period_are_as_sure_as_those_of_its_effective_size():
    sizes, effective = np.array([[100.0, 40.0, 0.5]]), np.array([[25, 20, 0]])
    rates = np.tile(RATES, (20_000, 1, 1))
    matrix = Periods(sizes, effective).observed(rates, np.random.default_rng(1))
    assert matrix.class_sizes[0, 0, :2] == pytest.approx([100, 40])
    assert matrix.recalls[:, 0, 0].var() == pytest.approx(0.25 / 25, rel=0.1)
    assert np.isnan(matrix.counts[:, 0, 2]).all()


def test_values_are_the_same_on_any_number_of_processors(monkeypatch):
    periods = Periods(np.array([[50.0, 10.0, 5.0]]), np.array([[50, 10, 5]]))
    monkeypatch.setattr("skewproof.slices.predictive.MOST_CELLS", 90)
    both = []
    for processors in (1, 3):
        monkeypatch.setattr("os.cpu_count", lambda processors=processors: processors)
        both.append(periods.values([MEASURES["accuracy"]], COUNTS, 25, 1))
    assert both[0].shape == (1, 1, 25)
    assert np.array_equal(*both)
    assert len(np.unique(both[0])) > 5


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.slow
def test_recalls_have_beta_binomial_probabilities(classes):
    counts = np.full((classes, classes), 5.0) + 35 * np.eye(classes)
    periods = Periods(np.full((1, classes), 30.0), np.full((1, classes), 30))
    (drawn,), number = (
        periods.values([lambda matrix: matrix.recalls[..., 0]], counts, 50_000, 1)[0],
        50_000,
    )
    law = stats.betabinom(30, 40.5, 5 * (classes - 1) + 0.5)
    shares = np.bincount((drawn * 30).round().astype(int), minlength=31) / number
    expected = law.pmf(np.arange(31))
    assert (abs(shares - expected) <= 5 * np.sqrt(expected / number) + 1e-4).all()


@pytest.mark.slow
def test_scores_are_normal_where_the_classifier_is_the_reference_s():
    """Draw from the posterior: probabilities are uniform but for ties, each in the middle."""
    random = np.random.default_rng(0)
    reference = np.array([[160.0, 40], [250, 4750]])
    periods = Periods(np.array([[120.0, 1880]]), np.array([[120, 1880]]))
    f1 = of_two_classes(METRICS["f1"])
    predictive = Drawn(periods.values([f1], reference, 100_000, 1)[0, 0])
    tpr = random.beta(160.5, 40.5, 20_000)
    fpr = random.beta(250.5, 4750.5, 20_000)
    tp, fp = random.binomial(120, tpr), random.binomial(1880, fpr)
    scores = predictive.scores(2 * tp / (tp + fp + 120))
    assert stats.kstest(scores, "norm").pvalue > 0.01
    for score in (-3.0, -1.0, 0.0, 2.0):
        # A value at a score has, and the next lower one has not, its probability.
        value = predictive.value_at(score)
        assert predictive.scores(np.array(value)) == pytest.approx(score, abs=0.03)


def test_draws_are_a_distribution():
    drawn = Drawn(np.array([0.4, math.nan, 0.2, 0.4, 0.8]))
    assert drawn.scores(np.array([0.1, 0.3, 0.4, 0.9])).tolist() == pytest.approx(
        stats.norm.ppf([0.5 / 4, 1 / 4, 2 / 4, 3.5 / 4])
    )
    assert math.isnan(drawn.scores(np.array(math.nan)))
    assert [drawn.value_at(score) for score in (-9.0, 0.0, 9.0)] == [0.2, 0.4, 0.8]


def test_without_a_value_nothing_is_known():
    drawn = Drawn(np.array([math.nan]))
    assert np.isnan(drawn.scores(np.array([math.nan, 0.5]))).all()
    assert math.isnan(drawn.value_at(0.0))
