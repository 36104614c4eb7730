"""Texts of labels, and labels that texts mean."""

import datetime
from pathlib import Path

import duckdb
import numpy as np
import pandas as pd
import pytest

from skewproof.core.data.label_texts import as_text, label_like, typed_label, whole_numbers
from written import check_written, refusals

AS_TEXT = {
    "2026-05-01": [
        datetime.date(2026, 5, 1),
        datetime.datetime(2026, 5, 1),
        pd.Timestamp("2026-05-01"),
        np.datetime64("2026-05-01T00:00:00.000000000"),
        "2026-05-01",
    ],
    "2026-05-01 12:30:00": [pd.Timestamp("2026-05-01 12:30"), "2026-05-01 12:30:00"],
    "5": [5, 5.0, np.float32(5), np.int8(5), "5"],
    "0.5": [0.5, np.float64(0.5)],
    "1152921504606846977": [2**60 + 1],
    "True": [True, np.True_],
    "inf": [float("inf")],
}


@pytest.mark.parametrize(("text", "values"), AS_TEXT.items(), ids=AS_TEXT)
def test_as_text(text, values):
    assert [as_text(value) for value in values] == [text] * len(values)


LIKE = [
    ("1", [0, 1], 1),
    ("1", [0.0, 1.0, float("nan")], 1.0),
    ("1.0", [0, 1], 1),
    ("1", ["0.0", "1.0", None], "1.0"),
    ("01", [1, 2], 1),
    ("01", ["01", "1"], "01"),
    ("1", [True, False], True),
    ("true", [True, False], True),
    ("False", [True, False], False),
    ("yes", ["no", "yes"], "yes"),
    ("1152921504606846977", [2**60, 2**60 + 1], 2**60 + 1),
    ("1152921504606846977.0", [2**60, 2**60 + 1], 2**60 + 1),
    ("2026-05-01", pd.to_datetime(["2026-04-01", "2026-05-01"]), pd.Timestamp("2026-05-01")),
    ("2026-05", ["2026-04", "2026-05"], "2026-05"),
]


@pytest.mark.parametrize(("text", "labels", "expected"), LIKE, ids=str)
def test_label_like(text, labels, expected):
    label = label_like(text, labels)
    assert label == expected
    assert type(label) is type(expected)


NOT_ALIKE = [
    *(("2", [0, 1]), ("yes", ["no", "Yes"]), ("1", ["1", 1]), ("1.0", ["1", 1]), ("nan", [0, 1])),
    ("1", range(10**4, 2 * 10**4)),
]


def test_labels_that_no_text_means():
    written = refusals(lambda case: label_like(*case), NOT_ALIKE)
    check_written(Path(__file__).with_name("no_labels.txt"), labels=written)


@pytest.mark.parametrize(
    ("text", "column", "expected"),
    [
        ("1", "whole", 1),
        ("1", "number", 1),
        ("0.5", "number", 0.5),
        ("1", "decimal", 1),
        ("1", "text", "1"),
        ("true", "truth", True),
        ("1", "truth", True),
        ("0", "truth", False),
        ("yes", "whole", "yes"),
        ("yes", "truth", "yes"),
        ("1", "no column", "1"),
    ],
)
@pytest.mark.slow
def test_typed_label(text, column, expected):
    with duckdb.connect() as connection:
        relation = connection.sql(
            "SELECT 1 AS whole, 1::DOUBLE AS number, 1.0 AS decimal, '1' AS text, true AS truth"
        )
        label = typed_label(text, relation, column)
    assert label == expected
    assert type(label) is type(expected)


@pytest.mark.parametrize(
    ("labels", "expected"),
    [
        (["1.0", "0.0", None], ["1", "0", None]),
        (["-1.0", "10.0"], ["-1", "10"]),
        (["1.0", "1"], ["1.0", "1"]),
        (["1.0", "0.5"], ["1.0", "0.5"]),
        (["1.00", "1.0"], ["1.00", "1.0"]),
        (["1.0", "yes"], ["1.0", "yes"]),
        ([1.0, "1.0"], [1.0, "1.0"]),
        (["x1.0"], ["x1.0"]),
        ([None], [None]),
        ([], []),
    ],
    ids=str,
)
def test_whole_numbers_beside_missing_ones(labels, expected):
    """Drop .0 as pandas writes it, unless two labels would become equal."""
    assert whole_numbers(labels) == expected
