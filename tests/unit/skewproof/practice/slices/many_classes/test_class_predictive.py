"""Draws of a reference's rates, and of periods, of many classes."""

import numpy as np
import pytest

from skewproof.practice.slices.many_classes.class_predictive import ClassPeriod, ClassReference

COUNTS = np.array([[70.0, 20, 10], [5, 40, 5], [0, 0, 20]])


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


def test_samples_of_a_period_have_its_class_sizes():
    period = ClassPeriod(np.array([50.0, 10.0, 0.0]), np.array([50, 10, 0]))
    rates = np.array([[0.5, 0.5, 0], [0, 1, 0], [0.2, 0.3, 0.5]])
    matrix = period.observed(np.tile(rates, (4000, 1, 1)), np.random.default_rng(1))
    assert matrix.class_sizes == pytest.approx(np.tile([50, 10, 0], (4000, 1)))
    assert matrix.counts.mean(axis=0)[:2].ravel() == pytest.approx([25, 25, 0, 0, 10, 0], abs=0.3)
    assert np.isnan(matrix.recalls[:, 2]).all()
