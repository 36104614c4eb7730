"""Output of commands."""

import io
import json
import sys
from pathlib import Path

import click
import numpy as np
import pandas as pd
import pytest

from skewproof.cli.shared.output import (
    Result,
    TableFile,
    as_json,
    colored,
    print_result,
    width,
    write_result,
    written_whole,
)
from skewproof.reporting.summary import json_number

NOTHING = {"json": False, "output": None}


def test_standard_output_that_can_not_show_a_character(monkeypatch):
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(io.BytesIO(), encoding="ascii"))
    with pytest.raises(ValueError, match=r"standard output .ascii. can't show \\xed: set PYTHONI"):
        print_result(Result("García", None, None), NOTHING)


@pytest.mark.parametrize(
    ("terminal", "no_color", "expected"),
    [(True, None, True), (True, "", True), (True, "1", False), (False, None, False)],
)
def test_colors_are_for_terminals(monkeypatch, terminal, no_color, expected):
    monkeypatch.delenv("NO_COLOR", raising=False)
    if no_color is not None:
        monkeypatch.setenv("NO_COLOR", no_color)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: terminal, raising=False)
    assert colored() is expected


def test_the_width_is_that_of_columns_and_80_without_a_terminal(monkeypatch):
    assert width() == 80
    monkeypatch.setenv("COLUMNS", "60")
    assert width() == 60


def test_numbers_that_json_does_not_have():
    values = [json_number(value) for value in (float("nan"), float("-inf"), 0.5, True, "nan")]
    assert values == [None, "-inf", 0.5, True, "nan"]
    assert json.loads(as_json(values)) == values


TABLE = pd.DataFrame({"metric": ["f1", "mcc"], "value": [0.1, np.nan], "class": [1, None]})


def test_a_table_is_written_in_the_format_of_the_suffix(tmp_path):
    result = Result("", [{"metric": "f1"}], TABLE)
    for name in ("a.csv", "a.PARQUET", "a.json"):
        write_result(result, tmp_path / name)
    pd.testing.assert_frame_equal(pd.read_csv(tmp_path / "a.csv"), TABLE)
    pd.testing.assert_frame_equal(pd.read_parquet(tmp_path / "a.PARQUET"), TABLE)
    assert json.loads((tmp_path / "a.json").read_text()) == [{"metric": "f1"}]


def test_cells_with_lists_are_written_as_json(tmp_path):
    rows = [{"names": ["a", "b"], "rates": {"tpr": 0.5}, "other": None}, {"names": [], "rates": {}}]
    write_result(Result("", None, rows), tmp_path / "a.csv")
    written = pd.read_csv(tmp_path / "a.csv")
    assert [json.loads(cell) for cell in written["names"]] == [["a", "b"], []]
    assert json.loads(written["rates"][0]) == {"tpr": 0.5}


def test_a_file_is_written_whole_or_stays_as_it_was(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("before")
    with pytest.raises(AttributeError), written_whole(path) as partial:
        partial.write_text("half of it") and path.no_such_method()
    assert path.read_text() == "before"
    with written_whole(path) as partial:
        partial.write_text("after")
    assert path.read_text() == "after"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("a.txt", "'a.txt': expected a suffix of .csv, .parquet, .json"),
        ("no/a.csv", "expected a folder"),
    ],
)
def test_files_that_are_not_written(name, message):
    with pytest.raises(click.BadParameter, match=message):
        TableFile().convert(name, None, None)
    assert TableFile().convert("a.csv", None, None) == Path("a.csv")
