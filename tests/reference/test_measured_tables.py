"""A rerun of a benchmark says how many shares differ by more than chance."""

import sys
from typing import NamedTuple

import pandas as pd
import pytest

from study import PROJECT

sys.path.insert(0, str(PROJECT / "benchmarks/evidence"))
from measure import rows_of
from pages import changes


class Rates(NamedTuple):
    tpr: float
    fpr: float


@pytest.mark.parametrize(
    ("after", "repetitions", "number"),
    [
        ([0.95, 0.93], 100, 0),
        ([0.95, 0.93], 10_000, 1),  # the standard error of the difference is 0.0034
        ([0.5, 0.5], 100, 2),
        ([0.96, 0.94], [10_000, 1000], 1),
    ],
)
def test_shares_that_differ_by_three_standard_errors_are_counted(after, repetitions, number):
    before = pd.DataFrame({"inside": [0.95, 0.95], "width": 1.0, "repetitions": repetitions})
    now = pd.DataFrame({"inside": after, "width": 2.0, "repetitions": repetitions})
    samples = "repetitions" if isinstance(repetitions, list) else repetitions
    said = changes(before, now, ["inside"], samples)
    assert said == f"{number} of 2 shares changed by more than three standard errors"


def test_other_rows_and_changes_of_exact_tables_are_named():
    exact = pd.DataFrame({"kind": ["a"], "least": [0.5], "width": [1.0]})
    assert changes(None, exact, ["width"], 10) == "other rows or columns than before"
    assert changes(exact, exact, [], 10) == "the same"
    assert (
        changes(exact, exact.assign(width=1.2, least=0.4), [], 10) == "width changed by up to 0.2"
    )


def test_arguments_are_columns():
    """A named tuple has a column for each field, and a seed is no column."""

    def measured(seed, sizes, rates):
        return {"coverage": seed / 10, "sizes": f"{sizes[0]} of {sum(sizes)}"}, {"coverage": 0.0}

    setting = (9, (5, 50), Rates(0.7, 0.1))
    assert rows_of(measured, setting) == [
        {"sizes": "5 of 55", "tpr": 0.7, "fpr": 0.1, "coverage": 0.9},
        {"sizes": "5:50", "tpr": 0.7, "fpr": 0.1, "coverage": 0.0},
    ]
