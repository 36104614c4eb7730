from fractions import Fraction

import numpy as np
import pytest

from skewproof.core.arguments import (
    expect,
    is_finite,
    is_whole,
    number,
    refuse_unknown,
    whole_number,
)


@pytest.mark.parametrize("value", [0, 7, np.int64(7), np.uint8(0)], ids=repr)
def test_whole_numbers_of_any_type(value):
    assert is_whole(value)
    assert is_finite(value)


@pytest.mark.parametrize("value", [-1, 0.0, 1.5, True, np.True_, "1", None, np.ones(1)], ids=repr)
def test_what_is_no_whole_number_of_at_least_0(value):
    assert not is_whole(value)


def test_limits_are_included():
    assert [is_whole(value, 2, 4) for value in range(1, 6)] == [False, True, True, True, False]


@pytest.mark.parametrize("value", [-0.5, Fraction(1, 3), np.float32(2)], ids=repr)
def test_finite_numbers_of_any_type(value):
    assert is_finite(value)


@pytest.mark.parametrize(
    "value", [np.nan, -np.inf, True, np.True_, 1j, "1", None, 10**400, np.ones(1)], ids=repr
)
def test_what_is_no_finite_number(value):
    assert not is_finite(value)


def test_a_value_that_fits_is_left_alone():
    expect(True, "grid", 3, "a whole number")


def test_the_sentence_has_the_start_of_a_long_value():
    expected = r"^grid = 'x{79}\.\.\. \(1002 characters\): expected a whole number$"
    with pytest.raises(ValueError, match=expected):
        expect(False, "grid", "x" * 1000, "a whole number")


@pytest.mark.parametrize("value", [1, 5, True, 2.0, "2", None], ids=repr)
def test_whole_numbers_out_of_their_limits_are_refused(value):
    with pytest.raises(ValueError, match=r"^grid = .*: expected a whole number from 2 to 4$"):
        whole_number("grid", value, 2, 4)


@pytest.mark.parametrize(
    ("limits", "expected", "fitting", "others"),
    [
        ({"at_least": 0, "at_most": 1}, "from 0 to 1", [0, 1, np.float32(0.5)], [-0.1, 1.1]),
        ({"above": 0, "below": 1}, "above 0 and below 1", [0.5], [0, 1]),
        ({"above": 0, "at_most": 1}, "above 0 and at most 1", [1], [0, 2]),
        ({"at_least": 0, "below": 1}, "of at least 0 and below 1", [0], [1, -1]),
        ({"above": 0}, "above 0", [1e300], [0, np.inf, 10**400]),
    ],
)
def test_numbers_within_limits(limits, expected, fitting, others):
    for value in fitting:
        assert number("x", value, **limits) == value
    for value in [*others, np.nan, True, "1", None]:
        with pytest.raises(ValueError, match=rf"^x = .*: expected a number {expected}$"):
            number("x", value, **limits)


@pytest.mark.parametrize("value", ["c", "", None, ["a"], np.array(["a", "b"])], ids=repr)
def test_other_words_are_refused(value):
    with pytest.raises(ValueError, match=r"^word = .*: expected 'a' or 'b'$"):
        refuse_unknown("word", value, ["a", "b"])
