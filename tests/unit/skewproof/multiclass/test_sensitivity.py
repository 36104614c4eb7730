"""Sensitivity of measures to the errors on each class."""

import numpy as np
import pytest
from scipy import stats

from skewproof.multiclass.lookup import MEASURES
from skewproof.multiclass.sensitivity import (
    class_sizes,
    designs,
    exact_class_indices,
    grouped_indices,
    mean_shifts,
    sampled_class_indices,
    sampled_rates,
)

OPTIONS = {"log2_samples": 11, "replicates": 8, "seed": [1]}
UNEQUAL_SIZES = np.array([1.0, 4.0, 30.0])


@pytest.fixture(scope="module")
def sampled():
    """Sampled indices of every measure at UNEQUAL_SIZES, from one design."""
    found = sampled_class_indices(list(MEASURES.values()), UNEQUAL_SIZES, **OPTIONS)
    return dict(zip(MEASURES, found, strict=True))


def test_class_sizes_by_hand():
    np.testing.assert_allclose(class_sizes(5, "step", 10), [1, 1, 10, 10, 10])
    np.testing.assert_allclose(class_sizes(4, "linear", 10), [1, 4, 7, 10])
    np.testing.assert_allclose(class_sizes(3, "long tail", 100), [1, 10, 100])
    with pytest.raises(
        ValueError, match="shape = 'steep': expected one of 'step', 'linear', 'long"
    ):
        class_sizes(3, "steep", 10)


def test_rates_are_uniform_on_the_simplices():
    uniform = np.random.default_rng(1).random((20_000, 6))
    rates = sampled_rates(uniform, 3)
    assert rates.shape == (20_000, 3, 3)
    np.testing.assert_allclose(rates.sum(axis=-1), 1)
    assert rates.min() >= 0
    # Each entry of a uniform point of a simplex has the distribution Beta(1, C - 1).
    for entry in range(3):
        assert stats.kstest(rates[:, 1, entry], stats.beta(1, 2).cdf).pvalue > 1e-3
    covariance = np.cov(rates[:, 0].T)
    np.testing.assert_allclose(covariance, (np.eye(3) / 3 - 1 / 9) / 4, atol=2e-3)


def test_designs_take_one_row_from_the_other_matrix():
    a, b, *mixed = next(designs(3, log2_samples=4, replicates=1, seed=[1]))
    for row, matrix in enumerate(mixed):
        np.testing.assert_array_equal(matrix[:, row], b[:, row])
        others = np.delete(np.arange(3), row)
        np.testing.assert_array_equal(matrix[:, others], a[:, others])


@pytest.mark.parametrize("key", ["acsa", "auroc_ova", "accuracy", "kappa_n", "g_mean"])
@pytest.mark.slow
def test_sampled_indices_are_near_the_exact_ones(sampled, key):
    exact = exact_class_indices(MEASURES[key], UNEQUAL_SIZES)
    for name in ("first_order", "total"):
        estimates = getattr(sampled[key], name)
        error = estimates.std(axis=0, ddof=1) / np.sqrt(len(estimates))
        distance = np.abs(estimates.mean(axis=0) - getattr(exact, name)[0])
        assert (distance <= 5 * error).all()
        assert (error < 0.01).all()


@pytest.mark.slow
def test_every_measure_is_sampled_without_undefined_values(sampled):
    assert all(np.isfinite(one.total).all() for one in sampled.values())


def test_exact_indices_by_hand():
    sizes = np.array([1.0, 3.0])
    exact = exact_class_indices(MEASURES["accuracy"], sizes)
    np.testing.assert_allclose(exact.first_order[0], [1 / 10, 9 / 10])  # variances as n_i²
    np.testing.assert_array_equal(exact.first_order, exact.total)
    # For two classes sqrt(u v): E[sqrt(u)] = 2/3, E[u] = 1/2, so their ratio is 9/8.
    exact = exact_class_indices(MEASURES["g_mean"], sizes)
    np.testing.assert_allclose(exact.first_order[0], (1 / 8) / (81 / 64 - 1))
    np.testing.assert_allclose(exact.total[0], (81 / 64 - 9 / 8) / (81 / 64 - 1))


def test_what_has_no_closed_form_is_sampled():
    assert exact_class_indices(MEASURES["mcc"], np.ones(3)) is None


def test_a_large_mean_does_not_hurt():
    values = np.random.default_rng(1).random((4, 1000))
    near, far = grouped_indices(values), grouped_indices(values + 1e6)
    np.testing.assert_allclose(near.first_order, far.first_order, atol=1e-6)


def test_mean_shift_of_what_does_not_shift_is_0():
    keys = ("acsa", "maurpc_ova", "g_mean", "mcc")
    measures, sizes = [MEASURES[key] for key in keys], np.array([1.0, 10.0, 1000.0])
    shifts = dict(zip(keys, mean_shifts(measures, sizes, log2_samples=8, seed=[1]), strict=True))
    assert shifts.pop("mcc") > 0.1
    assert max(shifts.values()) < 1e-15
