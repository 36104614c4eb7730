"""Measures of a clustering into two as metrics."""

import numpy as np
import pytest
from hypothesis import given, strategies as st
from sklearn.metrics.cluster import pair_confusion_matrix

from skewproof.audits.choosing import clusterings
from skewproof.audits.choosing.two_clusters import CLUSTER_MEASURES
from skewproof.core.confusion import ConfusionMatrix

EVERY_MEASURE = pytest.mark.parametrize("key", CLUSTER_MEASURES)

errors = st.floats(0, 0.5)
sizes = st.integers(1, 10**6)


def of_errors(key, small_error, large_error, small, large):
    matrix = ConfusionMatrix.from_rates(
        1 - 2 * small_error, 2 * large_error, positives=small, negatives=large
    )
    return CLUSTER_MEASURES[key](matrix)


def labels_of(small_kept, small_lost, large_kept, large_lost):
    true = np.repeat([0, 0, 1, 1], [small_kept, small_lost, large_kept, large_lost])
    return true, np.repeat([0, 1, 1, 0], [small_kept, small_lost, large_kept, large_lost])


@given(lost=st.integers(0, 5), strayed=st.integers(0, 20))
def test_tables_agree_with_scikit_learn(lost, strayed):
    """Pairs with replacement are those of scikit-learn and every instance with itself."""
    true, predicted = labels_of(10 - lost, lost, 40 - strayed, strayed)
    errors = lost / 10, strayed / 40, 10, 40
    n = true.size
    (apart, only_true), (only_predicted, both) = pair_confusion_matrix(true, predicted)
    both += n
    in_true, in_predicted = both + only_predicted, both + only_true
    chance = in_true * in_predicted / n**2
    assert of_errors("rand", *errors) == pytest.approx((apart + both) / n**2)
    assert of_errors("fowlkes_mallows", *errors) == pytest.approx(
        both / np.sqrt(in_true * in_predicted)
    )
    assert of_errors("adjusted_rand", *errors) == pytest.approx(
        (both - chance) / ((in_true + in_predicted) / 2 - chance)
    )
    assert of_errors("purity", *errors) == pytest.approx(clusterings.purity(true, predicted))


@EVERY_MEASURE
@given(small_error=errors, large_error=errors, small=sizes, large=sizes)
@pytest.mark.slow
def test_range_of_tables(key, small_error, large_error, small, large):
    low, high = CLUSTER_MEASURES[key].bounds
    value = of_errors(key, small_error, large_error, small, large)
    assert low - 1e-9 <= value <= high + 1e-9
    assert of_errors(key, 0, 0, small, large) == pytest.approx(1)
    swapped = of_errors(key, large_error, small_error, large, small)
    assert swapped == pytest.approx(value, abs=1e-9)
