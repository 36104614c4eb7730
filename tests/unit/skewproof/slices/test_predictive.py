"""Predicted values of periods, compared with SciPy's beta-binomial and simulations."""

import math

import numpy as np
import pytest
from scipy import stats

from skewproof.metrics import METRICS
from skewproof.multiclass.declaration import of_two_classes
from skewproof.multiclass.lookup import MEASURES
from skewproof.slices.predictive import Periods, limits

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


@pytest.mark.parametrize("limit", [1.0, 2.5])
@pytest.mark.slow
def test_limits_are_kept_as_often_as_stated_where_the_classifier_is_the_reference_s(limit):
    """Draw rates from the posterior, and a study for each."""
    random = np.random.default_rng(0)
    reference = np.array([[160.0, 40], [250, 4750]])
    periods = Periods(np.array([[120.0, 1880]]), np.array([[120, 1880]]))
    (drawn,) = periods.values([of_two_classes(METRICS["f1"])], reference, 100_000, 1)
    tpr = random.beta(160.5, 40.5, 20_000)
    fpr = random.beta(250.5, 4750.5, 20_000)
    tp, fp = random.binomial(120, tpr), random.binomial(1880, fpr)
    values, known = 2 * tp / (tp + fp + 120), limits(drawn, np.array([0.5]), limit)
    for end, score in (("low", -limit), ("expected", 0), ("high", limit)):
        law = stats.binom(20_000, stats.norm.cdf(score))
        # Few values are equal.
        assert law.ppf(0.001) - 20 <= (values < known[end]).sum() <= law.ppf(0.999) + 20


def test_ties_count_half_and_draws_without_a_value_not_at_all():
    values = np.array([0.1, 0.2, 0.3, 0.4, 0.9, math.nan, 0.5])
    drawn = np.tile([0.4, math.nan, 0.2, 0.4, 0.8], (7, 1))
    drawn[-1] = math.nan
    columns = limits(drawn, values, stats.norm.ppf(0.8))
    ends = [[columns[end][row] for end in ("low", "expected", "high")] for row in (0, -1)]
    np.testing.assert_array_equal(ends, [[0.2, 0.4, 0.8], [math.nan] * 3])
    # The probabilities are those of half a draw, .125, .25, .5, and all but half a draw.
    assert columns["outside"].tolist() == [True, True, False, False, True, False, False]
