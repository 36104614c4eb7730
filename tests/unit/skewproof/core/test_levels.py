from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
import sympy

from skewproof.core.levels import DEFAULT_LEVELS, DEFAULT_POSITIVES, Level
from written import check_written, refusals


@pytest.mark.parametrize("positives", [0, Fraction(3, 2), np.int64(4), sympy.Symbol("P")], ids=str)
def test_negatives_of_any_number(positives):
    assert Level(1, 2).negatives(positives) == 2 * positives
    assert Level.parse("7:3").negatives(np.array([0, 10.0])).tolist() == [0, 30 / 7]


def test_positives_that_add_up_to_more_than_a_float_have_infinite_negatives():
    with np.errstate(over="ignore"):
        positives = np.float64(1e308) * 2
    assert Level(1, 2).negatives(positives) == np.inf


def test_the_levels_of_the_paper():
    assert [str(level) for level in DEFAULT_LEVELS] == ["1:1", "1:2", "1:10", "1:100", "1:1000"]
    assert DEFAULT_POSITIVES == 100


@pytest.mark.parametrize(
    ("share", "text"),
    [
        (0.003, "3:997"),
        (0.5, "1:1"),
        (1 / 3, "1:2"),
        (37 / 12345, "37:12308"),
        (123456789e-9, "123456789:876543211"),
        (1e-9, "1:999999999"),
        (0.999999999, "999999999:1"),
    ],
)
def test_the_level_of_a_prevalence_is_exact(share, text):
    level = Level.of_prevalence(share, "at")
    assert str(level) == text
    assert Level.parse(text).prevalence == share


NO_POSITIVES = [-1, np.nan, np.inf, 1j, True, "100", None, 10**400, [1]]
NO_ARRAYS = [[1, -1], [1, np.nan], [1j], ["1"], [True]]
NO_LEVELS = [
    *("2:4", "1:1000000001", "10000000000:1", "1:" + "9" * 5000, "1:0", "0:1", "1:x", "1", "1:2:3"),
    *("-1:2", "1.5:2", "", 70, None, 1.5, ["1:1"], [10**5000], "1:\u0661", "1:1\n", "x" * 10**6),
]
NO_SHARES = [0.0123456789012, 1e-10, 1e-300, 1 - 1e-10, 1 - 2**-53]


def test_what_is_no_level():
    half = Level(1, 2)
    check_written(
        Path(__file__).with_name("no_levels.txt"),
        texts=refusals(Level.parse, NO_LEVELS),
        positives=refusals(half.negatives, NO_POSITIVES),
        arrays=refusals(lambda numbers: half.negatives(np.array(numbers)), NO_ARRAYS),
        shares=refusals(lambda share: Level.of_prevalence(share, "at"), NO_SHARES),
    )
