"""Values in messages are printable and short."""

import numpy as np
import pytest

from skewproof.core.messages import (
    LONGEST_MESSAGE,
    array_shown,
    listed,
    printable,
    shortened,
    shown,
)


@pytest.mark.parametrize(
    ("text", "escaped"),
    [
        ("a\tb\n", r"a\tb\n"),
        ("\x1b[2J", r"\x1b[2J"),
        ("a\u202eb", r"a\u202eb"),
        ("\ud800", r"\ud800"),
        ("\u00e9 \u03b2", "\u00e9 \u03b2"),
    ],
)
def test_what_shows_nothing_is_escaped(text, escaped):
    assert printable(text) == escaped


def test_a_text_is_cut_where_it_is_too_long():
    assert shortened("x" * 80) == "x" * 80
    assert shortened("x" * 81) == "x" * 80 + "... (81 characters)"
    assert shortened("\n" * 41) == r"\n" * 40 + "... (41 characters)"


@pytest.mark.parametrize(
    "value",
    [10**5000, -(10**5000), [10**5000], {"a": 10**5000}],
    ids=["positive", "negative", "list", "mapping"],
)
def test_a_number_that_python_does_not_write(value):
    assert shown(value) == f"a {type(value).__name__} of more than 4000 digits"


def test_a_value_that_contains_itself():
    endless = []
    endless.append(endless)
    assert shown(endless) == "[[...]]"


@pytest.mark.parametrize("line", ["x", "x" * 10**6, "\u20ac" * 400, "\n" * 400])
@pytest.mark.parametrize("number", [0, 1, 8, 100, 10**5])
@pytest.mark.slow
def test_a_message_has_its_first_lines_and_the_number_of_the_others(line, number):
    message = listed(line for _ in range(number))
    assert len(message.encode()) <= LONGEST_MESSAGE
    lines = message.split("\n  ") if message else []
    shown_lines = [one for one in lines if not one.startswith("and ")]
    left = number - len(shown_lines)
    if number > 100:
        assert lines[-1] == f"and at least {101 - len(shown_lines)} more"
    else:
        assert lines[len(shown_lines) :] == [f"and {left} more"] * (left > 0)
    assert bool(shown_lines) == (number > 0)


def test_a_long_array_is_told_by_its_shape_and_its_defined_numbers():
    with_gap = np.array([np.nan, *range(20)])
    assert array_shown(with_gap) == "21 numbers from 0 to 19, 1 of them undefined"
    assert array_shown(np.full((4, 5), np.nan)) == "4 x 5 undefined numbers"
    assert array_shown(np.full(20, "text")) == "20 entries"
