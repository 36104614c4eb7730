"""Numbers of printed scores that agree with the stored exact indices, by the rule of rounding."""

from fractions import Fraction
from math import floor
from pathlib import Path

import pandas as pd
import pytest

from skewproof_studies.van_zyl.paper import IMPORTANCE_TABLES
from skewproof_studies.van_zyl.paper_tables.comparison import scores_met_by_rounding
from study import PROJECT

INDICES = pd.read_csv(Path(__file__).parents[1] / "results/exact_importance.csv")
SWAPPED = {"tp": "fp", "fp": "tp"}


@pytest.fixture(scope="module")
def scores():
    printed = pd.read_csv(PROJECT / "resources/van_zyl/printed.csv", dtype=str)
    exact = INDICES.assign(table=INDICES["level"].map(IMPORTANCE_TABLES))
    exact["column"] = exact["input"].map(SWAPPED)  # that under which it is printed
    return printed.merge(exact.rename(columns={"s1": "exact"}), on=["table", "metric", "column"])


def half_up(value, decimals):
    return floor(value * 10**decimals + Fraction(1, 2)) * Fraction(1, 10**decimals)


def half_even(value, decimals):
    return round(value * 10**decimals) * Fraction(1, 10**decimals)


def met(scores, rule, *steps):
    """Count in exact arithmetic."""
    count = 0
    for exact, printed in zip(scores["exact"], scores["printed"], strict=True):
        value = Fraction(repr(exact))
        for decimals in steps:
            value = rule(value, decimals)
        count += value == Fraction(printed)
    return count


def test_scores_are_met_if_rounded_twice_with_ties_of_binary_fractions(scores):
    assert len(scores) == 240
    assert scores_met_by_rounding(scores) == {
        "twice": 239,
        "once": met(scores, half_up, 2),
        "half_up": met(scores, half_up, 3, 2),
        "half_even": met(scores, half_even, 3, 2),
    }
    assert (met(scores, half_up, 2), met(scores, half_up, 3, 2)) == (228, 228)
    assert met(scores, half_even, 3, 2) == 235
