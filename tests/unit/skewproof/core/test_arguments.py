from fractions import Fraction

import numpy as np
import pytest

from skewproof.core.arguments import (
    expect,
    expect_choice,
    expect_confidence,
    expect_flag,
    expect_number,
    expect_share,
    expect_whole,
    is_finite,
    is_whole,
    seed_of,
)


@pytest.mark.parametrize(
    ("whole", "values"),
    [
        (True, [0, 7, np.int64(7), np.uint8(0)]),
        (False, [-1, 0.0, 1.5, -0.5, Fraction(1, 3), np.float32(2)]),
    ],
)
def test_numbers_of_any_type(whole, values):
    for value in values:
        assert is_finite(value)
        assert is_whole(value) == whole


@pytest.mark.parametrize(
    "value", [np.nan, -np.inf, True, np.True_, 1j, "1", None, 10**400, np.ones(1)], ids=repr
)
def test_what_is_not_a_finite_number(value):
    assert not is_finite(value)
    assert not is_whole(value, 0, 10**300)


def test_limits_are_included():
    assert [is_whole(value, 2, 4) for value in range(1, 6)] == [False, True, True, True, False]


@pytest.mark.parametrize(
    ("taken", "value"),
    [
        (expect_whole("n", np.int64(3), 1, 3), 3),
        (expect_number("x", Fraction(1, 2), above=0), 0.5),
        (expect_number("x", -2), -2.0),
        (expect_share("x", 0), 0.0),
        (expect_share("x", 1), 1.0),
        (expect_confidence("x", 0.95), 0.95),
        (seed_of(3), 3),
        (seed_of(np.random.default_rng(0)), int(np.random.default_rng(0).integers(2**63))),
        (expect_flag("x", False), False),
        (expect_choice("x", "b", ["a", "b"]), "b"),
    ],
)
def test_what_fits_is_taken_as_a_plain_value(taken, value):
    assert (taken, type(taken)) == (value, type(value))


@pytest.mark.parametrize(
    ("refuse", "message"),
    [
        (lambda: expect_whole("n", 0, 1), "n = 0: expected a whole number of at least 1"),
        (lambda: expect_whole("n", 5000, 1, 4096), "a whole number from 1 to 4,096"),
        (lambda: seed_of(None), "rng = None: expected a whole number of at least 0"),
        (lambda: expect_number("x", "1"), "x = '1': expected a finite number"),
        (lambda: expect_number("x", np.inf, 0), "a finite number of at least 0"),
        (lambda: expect_number("x", 0, above=0), "a finite number above 0"),
        (lambda: expect_number("x", 3, below=3), "a finite number below 3"),
        (lambda: expect_number("x", 4, most=3), "a finite number of at most 3"),
        (lambda: expect_number("x", 1.5, -1, 1), "a number from -1 to 1"),
        (lambda: expect_number("x", 0, above=0, most=1), "a number above 0 and of at most 1"),
        (lambda: expect_share("x", np.nan), "a number from 0 to 1"),
        (lambda: expect_share("x", True), "x = True: expected a number from 0 to 1"),
        (lambda: expect_confidence("x", 1), "a number above 0 and below 1"),
        (lambda: expect_flag("x", 1), "x = 1: expected True or False"),
        (lambda: expect_choice("x", "d", "abc"), "x = 'd': expected one of 'a', 'b', 'c'"),
        (lambda: expect_choice("x", ["a"], "ab"), "expected 'a' or 'b'"),
    ],
)
def test_what_does_not_fit_is_named_with_what_is_expected(refuse, message):
    with pytest.raises(ValueError, match=r"expected") as error:
        refuse()
    assert str(error.value).endswith(message)


def test_the_sentence_has_the_start_of_a_long_value():
    expected = r"^grid = 'x{79}\.\.\. \(1002 characters\): expected a whole number$"
    with pytest.raises(ValueError, match=expected):
        expect(False, "grid", "x" * 1000, "a whole number")
