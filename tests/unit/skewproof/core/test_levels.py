import re
from fractions import Fraction

import numpy as np
import pytest
import sympy

from skewproof.core.levels import DEFAULT_LEVELS, DEFAULT_POSITIVES, Level


@pytest.mark.parametrize("positives", [0, Fraction(3, 2), np.int64(4), sympy.Symbol("P")], ids=str)
def test_negatives_of_any_number(positives):
    assert Level(1, 2).negatives(positives) == 2 * positives
    assert Level.parse("7:3").negatives(np.array([0, 10.0])).tolist() == [0, 30 / 7]


def test_positives_that_add_up_to_more_than_a_float_have_infinite_negatives():
    with np.errstate(over="ignore"):
        positives = np.float64(1e308) * 2
    assert Level(1, 2).negatives(positives) == np.inf


@pytest.mark.parametrize("positives", [-1, np.nan, np.inf, 1j, True, "100", None, 10**400, [1]])
def test_positives_that_no_class_has(positives):
    with pytest.raises(
        ValueError, match=f"^positives = {re.escape(repr(positives)[:20])}"
    ) as caught:
        Level(1, 2).negatives(positives)
    expected = ": expected a finite number of at least 0, or an array of such numbers"
    assert str(caught.value).endswith(expected)


@pytest.mark.parametrize("positives", [[1, -1], [1, np.nan], [1j], ["1"], [True]])
def test_arrays_of_positives_that_no_class_has(positives):
    with pytest.raises(ValueError, match=r"^positives = array\(.*\): expected a finite number of"):
        Level(1, 2).negatives(np.array(positives))


def test_lowest_terms():
    with pytest.raises(ValueError, match='expected lowest terms, "1:2"'):
        Level.parse("2:4")


def test_the_levels_of_the_paper():
    assert [str(level) for level in DEFAULT_LEVELS] == ["1:1", "1:2", "1:10", "1:100", "1:1000"]
    assert DEFAULT_POSITIVES == 100


@pytest.mark.parametrize("text", ["1:1000000001", "10000000000:1", "1:" + "9" * 5000])
def test_parts_that_are_too_large(text):
    with pytest.raises(ValueError, match="expected numbers of at most 1000000000") as caught:
        Level.parse(text)
    assert len(str(caught.value)) < 200


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


@pytest.mark.parametrize("share", [0.0123456789012, 1e-10, 1e-300, 1 - 1e-10, 1 - 2**-53])
def test_a_prevalence_that_no_level_has(share):
    with pytest.raises(ValueError, match=f"^at = {share!r}: expected a level such as"):
        Level.of_prevalence(share, "at")


NO_LEVELS = ["1:0", "0:1", "1:x", "1", "1:2:3", "-1:2", "1.5:2", "", 70, None, 1.5, ["1:1"]]


@pytest.mark.parametrize("value", [*NO_LEVELS, [10**5000], "1:\u0661", "1:1\n", "x" * 10**6])
def test_what_is_not_a_level(value):
    with pytest.raises(ValueError, match='expected a quoted "P:N"') as caught:
        Level.parse(value)
    assert len(str(caught.value)) < 300
