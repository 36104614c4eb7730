from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from skewproof.core.confusion import ConfusionMatrix
from skewproof.sensitivity.label_errors.model import checked_ranges, with_label_errors
from written import check_written, refusals


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


MATRIX = ConfusionMatrix(tp=[1, 2], fp=3, fn=4, tn=5)
MASKED = np.ma.array([0.1, 0.9], mask=[False, True])
WRONG = [
    *((MATRIX, [0, 0.1, 0.2], 0), (MATRIX, MASKED, 0), (MATRIX, 0, "0.1 %"), (MATRIX, 0, 1.1)),
    *((MATRIX, 0, [0.1, 2]), ([[1, 2], [3, 4]], 0, 0)),
]


def test_what_does_not_fit_is_refused():
    def call(case):
        names = "matrix", "false_positive_rate", "false_negative_rate"
        with_label_errors(**dict(zip(names, case, strict=True)))

    written = refusals(call, WRONG)
    check_written(Path(__file__).with_name("no_errors.txt"), arguments=written)


@pytest.mark.parametrize("end", [-0.1, np.nan, "0.1 %", [0.1, 0.2]])
def test_the_end_of_a_range_is_one_number_from_0_to_1(end):
    with pytest.raises(ValueError, match=r"^largest_false_positive_rate = .*: expected a number"):
        checked_ranges(end, 0)
    with pytest.raises(ValueError, match=r"^largest_false_negative_rate = .*: expected a number"):
        checked_ranges(0, end)
