"""Sensitivity of indices to the errors on each class."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from skewproof.multiclass import MEASURES, get_measure
from skewproof.multiclass.measure import Measure
from skewproof.multiclass.sensitivity import (
    class_sizes,
    designs,
    exact_class_indices,
    grouped_indices,
    mean_shifts,
    sampled_class_indices,
    sampled_rates,
)
from skewproof.studies.mullick.forgetting import (
    forgetting_table,
    sensitivity_table,
    summarize_forgetting,
    types_table,
    weights_of_the_rarest,
)
from skewproof.studies.mullick.forgetting_figure import forgetting_figure

OPTIONS = {"log2_samples": 11, "replicates": 8, "seed": [1]}
CHOSEN = [get_measure(key) for key in ("acsa", "accuracy", "mcc", "maurpc_ova", "g_mean")]


@pytest.fixture(scope="module")
def table():
    parts = [
        sensitivity_table(CHOSEN, classes, [2, 100], log2_samples=8, replicates=6, seed=1)
        for classes in (2, 4)
    ]
    return pd.concat(parts, ignore_index=True)


@pytest.mark.parametrize("shape", ["step", "linear", "long tail"])
@pytest.mark.parametrize("classes", [2, 3, 10])
def test_class_sizes_rise_from_1_to_the_ratio(shape, classes):
    sizes = class_sizes(classes, shape, 100)
    assert (sizes[0], sizes[-1], len(sizes)) == (1, 100, classes)
    assert (np.diff(sizes) >= 0).all()


def test_class_sizes_by_hand():
    np.testing.assert_allclose(class_sizes(5, "step", 10), [1, 1, 10, 10, 10])
    np.testing.assert_allclose(class_sizes(4, "linear", 10), [1, 4, 7, 10])
    np.testing.assert_allclose(class_sizes(3, "long tail", 100), [1, 10, 100])
    with pytest.raises(ValueError, match="shape = 'steep': expected one of step, linear, long"):
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
def test_sampled_indices_are_near_the_exact_ones(key):
    sizes = np.array([1.0, 4.0, 30.0])
    exact = exact_class_indices(get_measure(key), sizes)
    (sampled,) = sampled_class_indices([get_measure(key)], sizes, **OPTIONS)
    for name in ("first_order", "total"):
        estimates = getattr(sampled, name)
        error = estimates.std(axis=0, ddof=1) / np.sqrt(len(estimates))
        distance = np.abs(estimates.mean(axis=0) - getattr(exact, name)[0])
        assert (distance <= 5 * error).all()
        assert (error < 0.01).all()


def test_exact_indices_by_hand():
    sizes = np.array([1.0, 3.0])
    exact = exact_class_indices(get_measure("accuracy"), sizes)
    np.testing.assert_allclose(exact.first_order[0], [1 / 10, 9 / 10])  # variances as n_i²
    np.testing.assert_array_equal(exact.first_order, exact.total)
    # For two classes sqrt(u v): E[sqrt(u)] = 2/3, E[u] = 1/2, so their ratio is 9/8.
    exact = exact_class_indices(get_measure("g_mean"), sizes)
    np.testing.assert_allclose(exact.first_order[0], (1 / 8) / (81 / 64 - 1))
    np.testing.assert_allclose(exact.total[0], (81 / 64 - 9 / 8) / (81 / 64 - 1))


def test_what_has_no_closed_form_is_sampled():
    assert exact_class_indices(get_measure("mcc"), np.ones(3)) is None


def test_grouped_indices_of_a_product():
    def product(matrix):
        return matrix.counts[..., 0, 0] * matrix.counts[..., 1, 0]

    index = Measure("product", "p", "product", "here", product)
    (sampled,) = sampled_class_indices([index], np.ones(2), **OPTIONS)
    # u v of two uniform inputs: first-order 3/7 each, total 4/7 each.
    np.testing.assert_allclose(sampled.first_order.mean(axis=0), 3 / 7, atol=2e-3)
    np.testing.assert_allclose(sampled.total.mean(axis=0), 4 / 7, atol=2e-3)


def test_a_large_mean_does_not_hurt():
    values = np.random.default_rng(1).random((4, 1000))
    near, far = grouped_indices(values), grouped_indices(values + 1e6)
    np.testing.assert_allclose(near[0], far[0], atol=1e-6)


def test_mean_shift_of_what_does_not_shift_is_0():
    sizes = np.array([1.0, 10.0, 1000.0])
    shifts = mean_shifts(CHOSEN, sizes, log2_samples=8, seed=[1])
    by_key = dict(zip((index.key for index in CHOSEN), shifts, strict=True))
    for key in ("acsa", "maurpc_ova", "g_mean"):
        assert by_key[key] < 1e-15
    assert by_key["mcc"] > 0.1


def test_types(table):
    types = types_table(table, alpha=0.05).groupby("index")
    for key, expected in (("acsa", "3"), ("g_mean", "3"), ("maurpc_ova", "3"), ("accuracy", "1")):
        assert set(types.get_group(key)["importance"]) == {expected}
        assert set(types.get_group(key)["contour"]) == {expected}


def test_weights_of_the_rarest(table):
    weights = weights_of_the_rarest(table).set_index(["index", "classes", "shape", "ratio"])
    equal = weights.xs("equal", level="shape")["weight"]
    np.testing.assert_allclose(equal.loc[["acsa", "accuracy", "g_mean"]], 1)
    assert weights.loc[("accuracy", 2, "step", 100), "weight"] == pytest.approx(2 / 10_001)


def test_forgetting_is_read_off_between_levels():
    weights = pd.DataFrame(
        {
            "index": "accuracy",
            "classes": 3,
            "shape": ["equal", "step", "step"],
            "ratio": [1.0, 10.0, 1000.0],
            "weight": [1.0, 0.75, 0.25],
        }
    )
    (row,) = forgetting_table(weights).itertuples()
    assert row.forgotten_at == pytest.approx(100)
    assert row.last_weight == 0.25
    (row,) = forgetting_table(weights.assign(weight=[1, 0.9, 0.8])).itertuples()
    assert np.isnan(row.forgotten_at)


def test_the_same_seed_gives_the_same_bits():
    options = {"log2_samples": 6, "replicates": 3}
    one, same, other = (
        sensitivity_table(CHOSEN, 3, [10], **options, seed=seed) for seed in (1, 1, 2)
    )
    pd.testing.assert_frame_equal(one, same, check_exact=True)
    assert not one.equals(other)


def test_a_new_ratio_at_the_end_leaves_the_others():
    options = {"log2_samples": 6, "replicates": 3, "seed": 1}
    few, more = (sensitivity_table(CHOSEN, 3, ratios, **options) for ratios in ([10], [10, 100]))
    kept = more[more["ratio"] <= 10].reset_index(drop=True)
    pd.testing.assert_frame_equal(few, kept, check_exact=True)


def test_summary_and_figure(table):
    weights = weights_of_the_rarest(table)
    text = summarize_forgetting(types_table(table, alpha=0.05), forgetting_table(weights))
    assert "Of 5 indices 3 never give the rarest class less" in text
    figure = forgetting_figure(weights)
    titles = [axes.get_title() for axes in figure.axes if axes.get_title()]
    assert titles[:3] == ["2 classes, step", "2 classes, linear", "2 classes, long tail"]


def test_every_index_is_sampled_without_undefined_values():
    sampled = sampled_class_indices(list(MEASURES.values()), np.array([1.0, 9.0, 100.0]), **OPTIONS)
    assert all(np.isfinite(one.total).all() for one in sampled)
