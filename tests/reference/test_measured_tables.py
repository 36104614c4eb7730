"""A rerun of a benchmark says how many shares differ by more than chance."""

import runpy

import pandas as pd
import pytest

from study import PROJECT

changes = runpy.run_path(str(PROJECT / "benchmarks/evidence/pages.py"))["changes"]


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
    before = pd.DataFrame({"coverage": [0.95, 0.95], "width": 1.0})
    now = pd.DataFrame({"coverage": after, "width": 2.0})
    if isinstance(repetitions, list):
        before["repetitions"] = now["repetitions"] = repetitions
    said = changes(before, now, repetitions)
    assert said == f"{number} of 2 shares changed by more than three standard errors"


def test_other_rows_and_tables_without_shares_are_named():
    width = pd.DataFrame({"width": [1.0]})
    assert changes(None, width, 10) == "other rows or columns than before"
    assert changes(width, width, 10) == "the same"
    assert changes(width, width + 1, None) == "changed"
