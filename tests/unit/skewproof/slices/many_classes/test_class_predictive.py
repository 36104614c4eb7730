"""Draws of a reference's rates, and of periods, of many classes."""

import numpy as np
import pytest

from skewproof.multiclass.lookup import MEASURES
from skewproof.slices.many_classes.class_predictive import ClassPeriods, ClassReference

COUNTS = np.array([[70.0, 20, 10], [5, 40, 5], [0, 0, 20]])

RATES = np.array([[0.5, 0.5, 0], [0, 1, 0], [0.2, 0.3, 0.5]])


@pytest.mark.slow
def test_rates_are_drawn_from_the_posterior_of_each_binomial():
    """Hits first, then the commonest other class among the misses."""
    rates = ClassReference(COUNTS).draw(40_000, np.random.default_rng(1))
    assert rates.sum(axis=-1) == pytest.approx(1)
    first = 30.5 / 101
    to_second = first * 20.5 / 31
    error = 5 * 0.05 / np.sqrt(40_000)
    assert rates[:, 0].mean(axis=0) == pytest.approx(
        [1 - first, to_second, first - to_second], abs=error
    )
    assert rates[:, 2, 2].mean() == pytest.approx(20.5 / 21, abs=error)


@pytest.mark.slow
def test_samples_of_a_period_have_its_class_sizes():
    period = ClassPeriods(np.array([[50.0, 10.0, 0.0]]), np.array([[50, 10, 0]]))
    matrix = period.observed(np.tile(RATES, (4000, 1, 1)), np.random.default_rng(1))
    assert matrix.class_sizes == pytest.approx(np.tile([50, 10, 0], (4000, 1, 1)))
    mean = matrix.counts[:, 0].mean(axis=0)
    assert mean[:2].ravel() == pytest.approx([25, 25, 0, 0, 10, 0], abs=0.3)
    assert np.isnan(matrix.recalls[:, 0, 2]).all()


@pytest.mark.slow
def test_samples_of_several_periods_are_those_of_each():
    """Class sizes do not rise and fall together, and hits have the variance of their own sample."""
    sizes = np.array([[50, 10, 7], [20, 40, 7], [90, 1, 30]])
    periods = ClassPeriods(sizes.astype(float), sizes)
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
    matrix = ClassPeriods(sizes, effective).observed(rates, np.random.default_rng(1))
    assert matrix.class_sizes[0, 0, :2] == pytest.approx([100, 40])
    assert matrix.recalls[:, 0, 0].var() == pytest.approx(0.25 / 25, rel=0.1)
    assert np.isnan(matrix.counts[:, 0, 2]).all()


def test_values_are_the_same_on_any_number_of_processors(monkeypatch):
    reference = ClassReference(COUNTS)
    periods = ClassPeriods(np.array([[50.0, 10.0, 5.0]]), np.array([[50, 10, 5]]))
    monkeypatch.setattr("skewproof.slices.many_classes.class_predictive.MOST_CELLS", 90)
    both = []
    for processors in (1, 3):
        monkeypatch.setattr("os.cpu_count", lambda processors=processors: processors)
        both.append(periods.values([MEASURES["accuracy"]], reference, 25, 1))
    assert both[0].shape == (1, 1, 25)
    assert np.array_equal(*both)
    assert len(np.unique(both[0])) > 5
