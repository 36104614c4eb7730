"""Texts of printed numbers as intervals."""

import random
from fractions import Fraction
from pathlib import Path

import pytest

from skewproof.sensitivity.printed_scores.digits import printed_interval, printed_over_folds
from true_prints import WAYS, rounded
from written import check_written, refusals


@pytest.mark.parametrize(
    ("text", "rounding", "low", "high"),
    [
        ("0.90", "half up", "0.895", "0.905"),
        ("0.90", "truncated", "0.90", "0.91"),
        ("0.90", "twice", "0.8945", "0.9055"),
        ("0.90", "any", "0.8945", "0.91"),
        ("-0.90", "truncated", "-0.91", "-0.90"),
        ("0.0", "truncated", "-0.1", "0.1"),
        ("-0.0", "truncated", "-0.1", "0"),
        (".5", "half up", "0.45", "0.55"),
        ("−0.5", "half up", "-0.55", "-0.45"),
        ("90.33%", "half up", "0.90325", "0.90335"),
        (" 90 % ", "truncated", "0.90", "0.91"),
        ("0.84-0.86", "half up", "0.835", "0.865"),
        ("84–86 %", "half up", "0.835", "0.865"),
        ("84 %-86 %", "half up", "0.835", "0.865"),
    ],
)
def test_numbers_that_print_as_a_text(text, rounding, low, high):
    interval = printed_interval(text, rounding)
    assert interval[:2] == (Fraction(low), Fraction(high))


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("0.85", ["0.85", None, None]),
        ("0.85 ± 0.03", ["0.85", "0.03", None]),
        ("0.85+-0.030", ["0.85", "0.030", None]),
        ("0.85 +/- .03 (range 0.80-0.91)", ["0.85", "0.03", ("0.80", "0.91")]),
        ("0.84–0.86 ( range 0.80 – 0.91 ) ", ["0.84-0.86", None, ("0.80", "0.91")]),
        ("85 ± 3 % (range 80-91)", ["85 %", "3 %", ("80 %", "91 %")]),
    ],
)
def test_a_mean_with_its_deviation_and_range(text, parts):
    interval, deviation, ends = parts
    expected = (
        printed_interval(interval),
        deviation and printed_interval(deviation),
        ends and tuple(map(printed_interval, ends)),
    )
    assert printed_over_folds(text) == expected


def test_a_rounded_number_is_in_the_interval_of_its_text():
    draw = random.Random(0)
    for _ in range(2000):
        value = Fraction(draw.randint(-2000, 2000), 2 ** draw.randint(0, 10))
        way, digits = draw.choice(WAYS), draw.randint(0, 4)
        for rounding in (way, "any"):
            interval = printed_interval(rounded(value, digits, way), rounding)
            assert interval.low <= value <= interval.high, (value, way, digits)


def test_the_last_digit_moves():
    moved = printed_interval("85.0 %").shifted(-2)
    assert moved == printed_interval("84.8 %")


def test_refused_texts():
    over_folds = ["0.85 (0.80-0.91)", "0.85 ±", "± 0.03", "0.85 (range 0.91-0.80)"]
    check_written(
        Path(__file__).with_name("no_prints.txt"),
        numbers=refusals(printed_interval, [0.9, "0,9", "0.9 of 1", "0.86-0.85", "0.9 ± 0.1"]),
        rounding=refusals(lambda rounding: printed_interval("0.9", rounding), ["up"]),
        over_folds=refusals(printed_over_folds, over_folds),
    )
