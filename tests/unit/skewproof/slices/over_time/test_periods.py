"""The order of periods in time, with and without a calendar."""

import random

import pandas as pd
import pytest

from skewproof.slices.over_time.periods import calendar_places, time_order

CALENDARS = {
    "whole numbers": ["-2", "1", "2", "9", "10", "11", "100", "2026"],
    "numbers of months": [str(month) for month in range(1, 13)],
    "with a point": ["1.0", "2.0", "10.0"],
    "leading zeros": ["01", "02", "9", "10"],
    "dates": ["1999-12-31", "2026-02-28", "2026-03-01", "2026-10-01"],
    "times": ["2026-05-01", "2026-05-01 09:30", "2026-05-01T10:00:00", "2026-05-01T10:00:00.5"],
    "zones": ["2026-05-01T09:00+02:00", "2026-05-01T08:00Z", "2026-05-01T02:00-08:00"],
    "year-month": ["2025-12", "2026-1", "2026-02", "2026-10"],
    "slashes": ["12/2025", "1/2026", "02/2026", "10/2026"],
    "year and month": ["Dec 2025", "January 2026", "Feb. 2026", "Oct 2026"],
    "month and year": ["2025 Dec", "2026 Jan", "2026-Feb"],
    "SDMX": ["2025M12", "2026M2", "2026M10"],
    "year-quarter": ["2023-Q4", "2024-Q1", "2024Q2", "2024 q3", "2024/Q4"],
    "quarter and year": ["Q4 2023", "Q1 2024", "Q2-2024"],
    "ISO weeks": ["2020-W53", "2021-W01", "2021-W02", "2021-W10", "2021W11"],
    "days of ISO weeks": ["2020-W53-7", "2021-W01-1", "2021-W10-3"],
    "abbreviations": ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov",
                      "Dec"],
    "names": ["february", "MARCH", "April", "June"],
    "mixed spellings": ["Aug.", "Sept", "october"],
    "words": ["week 1", "week 2", "week 10", "Week 20"],
    "quarters": ["Q1", "Q2", "Q3", "Q4"],
    "releases": ["v1", "v2", "v10", "v2000"],
    "half of a year": ["Jan", "Jul"],
}  # fmt: skip
"""Texts in the order of time."""


@pytest.mark.parametrize("texts", CALENDARS.values(), ids=CALENDARS)
@pytest.mark.slow
def test_texts_of_a_calendar_are_in_its_order(texts):
    """Shuffling does not matter; missing periods have no place."""
    shuffled = [*texts, None]
    random.Random(1).shuffle(shuffled)
    expected = [-1 if text is None else texts.index(text) for text in shuffled]
    assert calendar_places(shuffled).tolist() == expected


UNKNOWN = {
    "versions": ["1.1", "1.10"],
    "words": ["before", "after"],
    "day or month first": ["01/02/2026", "02/01/2026"],
    "two digits": ["May-25", "May-26"],
    "several words": ["week 1", "day 2"],
    "several calendars": ["2026-05", "Jun"],
    "with and without a zone": ["2026-05-01T10:00", "2026-05-01T10:00Z"],
    "no month": ["2026-12", "2026-13"],
    "no day": ["2026-02-28", "2026-02-30"],
    "no week": ["2021-W52", "2021-W53"],
    "no text": ["1", 2],
    "numbers": [1, 2],
    "nothing": [None],
    "no quarter": ["2026-Q4", "2026-Q5"],
    "other digits": ["\u0661", "\u0662"],
}


@pytest.mark.parametrize("texts", UNKNOWN.values(), ids=UNKNOWN)
def test_texts_of_no_calendar(texts):
    assert calendar_places(texts) is None


@pytest.mark.parametrize(
    "texts",
    [["Nov", "Dec", "Jan"], ["Oct", "Feb"], ["Q4", "Q1"], ["week 52", "week 1"], ["M12", "M01"]],
)
def test_what_seems_to_run_over_the_turn_of_a_year_is_not_sure(texts):
    assert calendar_places(texts) is None
    with pytest.raises(ValueError, match="'when' has periods whose order in time is ambiguous, '"):
        time_order(pd.Series(texts), "when")
    assert time_order(pd.Series(texts), "when", texts[::-1]).tolist() == [*range(len(texts))][::-1]


@pytest.mark.parametrize("texts", [["Jan", "January"], ["1", "01"], ["2024-Q1", "Q1 2024"]])
def test_two_texts_of_one_time(texts):
    """They are two slices that tie; as periods they have no order."""
    assert calendar_places(texts).tolist() == [0, 0]
    with pytest.raises(ValueError, match="order in time is ambiguous"):
        time_order(pd.Series(texts), "when")


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([3, 1, 2], [1, 2, 0]),
        ([0.5, -1.0], [1, 0]),
        (pd.to_datetime(["2026-06-01", "2026-05-01"]), [1, 0]),
        (pd.PeriodIndex(["2026Q2", "2025Q4"], freq="Q"), [1, 0]),
        (["2026-10", "2026-9"], [1, 0]),
        (pd.Categorical(["a", "b"], ["b", "a"], ordered=True), [1, 0]),
        (pd.Categorical(["Jan", "Dec"], ["Dec", "Jan"], ordered=True), [1, 0]),
        (pd.Categorical(["Feb", "Jan"]), [1, 0]),
    ],
)
def test_periods_that_have_an_order(values, expected):
    assert time_order(pd.Series(values), "when").tolist() == expected


def test_a_given_order_is_that_of_any_type():
    dates = pd.Series(pd.to_datetime(["2026-05-01", "2026-06-01"]))
    assert time_order(dates, "when", ["2026-06-01", "2026-05-01"]).tolist() == [1, 0]
    assert time_order(pd.Series([1, 2]), "when", ["2", "9", "1"]).tolist() == [1, 0]
