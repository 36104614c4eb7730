import numpy as np
import pytest

from skewproof.core.algebra import ratio
from skewproof.core.confusion import ConfusionMatrix

MATRIX = ConfusionMatrix(tp=9, fp=4, fn=3, tn=20)


def test_sums_and_rates():
    assert (MATRIX.positives, MATRIX.negatives, MATRIX.total) == (12, 24, 36)
    assert (MATRIX.predicted_positives, MATRIX.predicted_negatives) == (13, 23)
    assert (MATRIX.tpr, MATRIX.fnr) == (9 / 12, 3 / 12)
    assert (MATRIX.fpr, MATRIX.tnr) == (4 / 24, 20 / 24)
    assert (MATRIX.ppv, MATRIX.npv) == (9 / 13, 20 / 23)


def test_rates_are_a_matrix_with_classes_of_size_one():
    rates = MATRIX.rates
    assert (rates.tp, rates.fp, rates.fn, rates.tn) == (9 / 12, 4 / 24, 3 / 12, 20 / 24)
    assert (rates.positives, rates.negatives) == (1, 1)


def test_class_sizes_give_the_other_two_counts():
    matrix = ConfusionMatrix.from_tp_fp(9, 4, positives=12, negatives=24)
    assert (matrix.fn, matrix.tn) == (3, 20)


def test_counts_broadcast():
    matrix = ConfusionMatrix(tp=np.ones((3, 1)), fp=np.ones(4), fn=0, tn=0)
    assert matrix.ppv.shape == (3, 4)


def test_zero_by_zero_is_nan_without_a_warning(recwarn):
    assert np.isnan(ratio(0.0, 0.0))
    assert np.isnan(ConfusionMatrix(tp=0, fp=0, fn=3, tn=20).ppv)
    assert not recwarn.list


def test_a_missing_class_leaves_its_rates_undefined():
    rates = ConfusionMatrix(tp=9, fp=0, fn=3, tn=0).rates
    assert rates.tp == 9 / 12
    assert np.isnan(rates.fp)


@pytest.mark.parametrize("count", [-1, np.inf, [3, -0.5]])
def test_impossible_counts_are_refused(count):
    with pytest.raises(ValueError, match=r"fn = .*: expected a finite count >= 0"):
        ConfusionMatrix(tp=1, fp=1, fn=count, tn=1)


@pytest.mark.parametrize(
    "count",
    ["3", 1j, np.array([1j, 2]), [[1], [1, 2]], {}, 10**400, np.zeros(2, dtype=[("a", int)])],
    ids=repr,
)
def test_what_is_no_number_is_refused(count):
    with pytest.raises(ValueError, match=r"fn = .*: expected a number or an array of numbers"):
        ConfusionMatrix(tp=1, fp=1, fn=count, tn=1)


def test_shapes_that_do_not_broadcast_are_refused():
    with pytest.raises(ValueError, match=r"tp \(2,\), fp \(3,\), .*: expected shapes that broad"):
        ConfusionMatrix(tp=np.ones(2), fp=np.ones(3), fn=1, tn=1)
