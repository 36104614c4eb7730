from fractions import Fraction

import numpy as np
import pytest

from skewproof.core.confusion import ConfusionMatrix
from skewproof.sensitivity.label_errors.model import checked_ranges, with_label_errors

CELLS = ("tp", "fp", "fn", "tn")


@pytest.mark.slow
def test_counts_of_real_instances():
    """True classes, wrong labels and calls, each drawn for each instance; then counted."""
    random = np.random.default_rng(5)
    positives, negatives, repeats = 40, 200, 10_000
    tpr, fpr, wrong_positive, wrong_negative = 0.7, 0.2, 0.05, 0.3
    truth = np.repeat([True, False], [positives, negatives])
    size = (repeats // 10, truth.size)
    counts = []
    for _ in range(10):
        label = truth ^ (random.random(size) < np.where(truth, wrong_negative, wrong_positive))
        call = random.random(size) < np.where(truth, tpr, fpr)
        cells = (label & call, ~label & call, label & ~call, ~label & ~call)
        counts += np.array([cell.sum(axis=1) for cell in cells]).T.tolist()
    seen = np.array(counts)
    expected = with_label_errors(
        ConfusionMatrix.from_rates(tpr, fpr, positives=positives, negatives=negatives),
        false_positive_rate=wrong_positive,
        false_negative_rate=wrong_negative,
    )
    standard_error = seen.std(axis=0, ddof=1) / np.sqrt(repeats)
    for cell, mean, error in zip(CELLS, seen.mean(axis=0), standard_error, strict=True):
        assert float(getattr(expected, cell)) == pytest.approx(mean, abs=4 * error)


def test_counts_by_hand():
    """8 of 10 positives are found, 9 of 90 negatives called positive; 1/4, 1/3 are mislabeled."""
    found = with_label_errors(
        ConfusionMatrix(tp=8, fp=9, fn=2, tn=81),
        false_positive_rate=1 / 3,
        false_negative_rate=1 / 4,
    )
    quarter, third = Fraction(1, 4), Fraction(1, 3)
    expected = {
        "tp": 8 * (1 - quarter) + 9 * third,
        "fp": 8 * quarter + 9 * (1 - third),
        "fn": 2 * (1 - quarter) + 81 * third,
        "tn": 2 * quarter + 81 * (1 - third),
    }
    for cell, count in expected.items():
        assert float(getattr(found, cell)) == pytest.approx(float(count), rel=1e-15)


def test_right_labels_change_nothing_and_wrong_ones_exchange_the_classes():
    matrix = ConfusionMatrix(tp=[1, 2], fp=3, fn=4, tn=5)
    right = with_label_errors(matrix, false_positive_rate=0, false_negative_rate=0)
    wrong = with_label_errors(matrix, false_positive_rate=1, false_negative_rate=1)
    for cell, opposite in zip(CELLS, ("fp", "tp", "tn", "fn"), strict=True):
        np.testing.assert_array_equal(
            getattr(right, cell),
            [getattr(matrix, cell)] * 2
            if np.ndim(getattr(matrix, cell)) == 0
            else getattr(matrix, cell),
        )
        np.testing.assert_array_equal(getattr(wrong, cell), getattr(right, opposite))


def test_rates_broadcast_against_counts():
    found = with_label_errors(
        ConfusionMatrix(tp=[[1], [2]], fp=3, fn=4, tn=5),
        false_positive_rate=[0, 0.1, 0.2],
        false_negative_rate=0,
    )
    assert found.shape == (2, 3)


def test_shapes_that_do_not_fit_are_named():
    matrix = ConfusionMatrix(tp=[1, 2], fp=3, fn=4, tn=5)
    with pytest.raises(
        ValueError, match=r"counts \(2,\), false_positive_rate \(3,\), false_negative"
    ):
        with_label_errors(matrix, false_positive_rate=[0, 0.1, 0.2], false_negative_rate=0)


def test_a_masked_rate_is_refused():
    matrix = ConfusionMatrix(tp=1, fp=2, fn=3, tn=4)
    masked = np.ma.array([0.1, 0.9], mask=[False, True])
    with pytest.raises(ValueError, match=r"^false_positive_rate\[1\] is masked: expected a value"):
        with_label_errors(matrix, false_positive_rate=masked, false_negative_rate=0)


def test_the_end_of_a_range_is_one_number():
    with pytest.raises(
        ValueError, match=r"^largest_false_negative_rate = \[0\.1, 0\.2\]: expected a"
    ):
        checked_ranges(0.1, [0.1, 0.2])


@pytest.mark.parametrize("matrix", [3, None, [[1, 2], [3, 4]]], ids=repr)
def test_what_is_no_matrix_is_refused(matrix):
    with pytest.raises(ValueError, match=r"^matrix = .*: expected a ConfusionMatrix$"):
        with_label_errors(matrix, false_positive_rate=0, false_negative_rate=0)


@pytest.mark.parametrize("rate", [-0.1, 1.1, np.nan, "0.1 %", None, 1j, [0.1, 2]])
def test_what_is_no_rate_is_refused(rate):
    matrix = ConfusionMatrix(tp=1, fp=2, fn=3, tn=4)
    with pytest.raises(ValueError, match=r"^false_negative_rate = .*: expected a number from 0 to"):
        with_label_errors(matrix, false_positive_rate=0, false_negative_rate=rate)
    with pytest.raises(ValueError, match=r"^largest_false_positive_rate = .*: expected a number"):
        checked_ranges(rate, 0)
