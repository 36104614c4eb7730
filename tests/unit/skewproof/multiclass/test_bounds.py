"""Bounds of measures over all classifiers."""

import numpy as np
import pytest
from hypothesis import given, strategies as st
from hypothesis.extra.numpy import arrays

from skewproof.multiclass.bounds import (
    bounds,
    bounds_over_sizes,
    coordinates_of_sizes,
    extreme_sizes,
    linear_parts,
    sizes_of_coordinates,
)
from skewproof.multiclass.lookup import MEASURES
from skewproof.multiclass.matrix import MulticlassConfusionMatrix
from skewproof.multiclass.search import Search

UNEQUAL_SIZES = np.array([1.0, 5.0, 20.0])
QUICK = Search(samples=500, starts=2)
SEARCHED_MEASURES = ("aurpc_ova", "mcc", "macro_f1")


@pytest.fixture(scope="module")
def searched():
    return {key: bounds(MEASURES[key], UNEQUAL_SIZES, search=QUICK) for key in SEARCHED_MEASURES}


def test_linear_parts_by_hand():
    linear = linear_parts(MEASURES["accuracy"], np.array([1.0, 3.0]))
    assert linear.origin == pytest.approx(1 / 2)
    np.testing.assert_allclose(linear.gains, [[1 / 8, -1 / 8], [-3 / 8, 3 / 8]], atol=1e-15)


def test_what_is_not_linear_has_no_linear_parts():
    assert linear_parts(MEASURES["mcc"], np.ones(3)) is None


@given(rates=arrays(float, (3, 3), elements=st.floats(0.01, 1)))
@pytest.mark.slow
def test_no_matrix_is_outside_the_bounds_that_a_search_found(searched, rates):
    shares = rates / rates.sum(axis=1, keepdims=True)
    matrix = MulticlassConfusionMatrix.from_rates(shares, UNEQUAL_SIZES)
    for key, found in searched.items():
        assert not found.exact
        assert found.low - 1e-6 <= MEASURES[key](matrix) <= found.high + 1e-6, key


@pytest.mark.slow
def test_a_search_finds_the_bounds_of_a_measure_of_ones_own():
    found = bounds(lambda matrix: matrix.recalls.min(axis=-1), np.ones(3), search=QUICK)
    assert not found.exact
    assert (found.low, found.high) == pytest.approx((0, 1), abs=1e-6)


@pytest.mark.slow
def test_more_classes_than_can_be_listed_are_searched_from_random_matrices():
    found = bounds(MEASURES["macro_f1"], np.ones(6), search=Search(samples=50, starts=1))
    assert 0 <= found.low < found.high <= 1


def test_extreme_sizes_are_in_all_orders():
    sizes = {tuple(row) for row in extreme_sizes(3)}
    assert extreme_sizes(3)[0].tolist() == [1, 1, 1]
    assert {(1, 1e-6, 1e-12), (1e-6, 1, 1e-12), (1e-12, 1e-6, 1)} <= sizes
    assert len(sizes) == len(extreme_sizes(3)) == 3**3 - 2**3


def test_extreme_sizes_of_many_classes_rise_or_fall():
    sizes = extreme_sizes(6)
    steps = np.diff(sizes, axis=1)
    assert ((steps >= 0).all(axis=1) | (steps <= 0).all(axis=1)).all()
    assert (sizes.max(axis=1) == 1).all()
    assert len({tuple(row) for row in sizes}) == len(sizes)


def test_coordinates_of_sizes_are_inverse():
    sizes = np.array([1, 0.3, 1e-6, 1e-12])
    again = sizes_of_coordinates(coordinates_of_sizes(sizes))
    np.testing.assert_allclose(again, sizes, rtol=1e-6)


@pytest.mark.slow
def test_the_widest_bounds_hold_the_balanced_ones():
    found = bounds_over_sizes(MEASURES["auroc_ova"], 3, search=QUICK)
    assert found.balanced.low == pytest.approx(1 / 4)
    assert found.widest.low == pytest.approx(1 / 6, abs=1e-6)
    assert found.widest.high >= found.balanced.high
    assert found.widest.exact


@pytest.mark.slow
def test_sizes_are_searched_where_a_measure_is_not_linear():
    # Two equal classes that are swapped have the correlation -1, whatever a third one's size.
    found = bounds_over_sizes(MEASURES["mcc"], 3, search=QUICK)
    assert not found.widest.exact
    assert found.widest.low == pytest.approx(-1, abs=1e-3)
    assert found.balanced.low > -0.9
