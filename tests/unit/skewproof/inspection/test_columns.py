"""Facts about columns, by hand."""

import datetime

import numpy as np
import pandas as pd
import pytest

from skewproof.inspection.columns import cleaned, read_columns

ROWS = {
    "number": [1.5, np.nan, 3.0, 1.5],
    "text": ["1", "NA", "10", "2"],
    "half": ["5%", "5", None, "5"],
    "day": [datetime.date(2026, 5, day) for day in (1, 2, 3, 3)],
    "moment": pd.to_datetime(["2026-05-01", "2026-05-02", None, "2026-05-02"]),
    "sure": [True, False, True, True],
    "nothing": [None, "", "nan", None],
    "list": [[1], [2], [3], [4]],
    "kind": pd.Categorical(["a", "NA", "b", "a"]),
}


@pytest.fixture(scope="module")
def columns():
    return read_columns(cleaned(pd.DataFrame(ROWS)))


def test_kinds(columns):
    assert {name: column.kind for name, column in columns.items()} == {
        "number": "numbers",
        "text": "numbers",
        "half": "numbers and text",
        "day": "dates",
        "moment": "dates",
        "sure": "truth values",
        "nothing": "text",
        "kind": "text",
    }


def test_counts(columns):
    number, text, half = (columns[name] for name in ("number", "text", "half"))
    assert (number.known, number.distinct, number.whole) == (3, 2, False)
    assert (number.low, number.high) == (1.5, 3)
    assert number.labels == {"1.5": 2, "3": 1}
    assert (text.known, text.whole, text.low, text.high) == (3, True, 1, 10)
    assert (half.example, half.labels) == ("5%", {"5": 2, "5%": 1})
    assert list(columns["day"].labels) == ["2026-05-01", "2026-05-02", "2026-05-03"]
    assert (columns["nothing"].known, columns["nothing"].labels) == (0, {})
    assert columns["kind"].labels == {"a": 2, "b": 1}


def test_values_of_rows(columns):
    assert columns["sure"].has("True").tolist() == [1, 0, 1, 1]
    assert columns["text"].has("10").tolist() == [0, -1, 1, 0]
    assert columns["text"].scores().tolist() == pytest.approx([1, np.nan, 10, 2], nan_ok=True)


@pytest.mark.parametrize(
    ("values", "probabilities"),
    [
        ([0.0, 0.5, 1.0], True),
        ([0.5, 1.5], False),
        ([-0.5, 0.5], False),
        ([0, 1], False),
        (["0.5", "5%"], False),
    ],
)
def test_probabilities_are_from_0_to_1_and_not_all_whole(values, probabilities):
    columns = read_columns(cleaned(pd.DataFrame({"p": values})))
    assert columns["p"].probabilities == probabilities
