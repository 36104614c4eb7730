"""Crossings of one half of a fair share, as table, report and figure."""

from math import sqrt
from pathlib import Path

import pandas as pd
import pytest

from figure_text import figure_text
from skewproof.multiclass.lookup import MEASURES
from skewproof_studies.mullick.forgetting.class_weights import Sampling
from skewproof_studies.mullick.forgetting.crossings import (
    FALLS,
    RISES,
    crossing_table,
    place_on_axis,
    summarize_forgetting,
)
from skewproof_studies.mullick.forgetting.figure import forgetting_figure
from written import check_written

CHOSEN = [MEASURES[key] for key in ("acsa", "accuracy", "mcc")]
SAMPLING = Sampling(log2_samples=5, replicates=3, seed=1)
RATIOS = [2.0, 100]


def paths(**columns):
    """Make a table with a row per measure of the step of three classes."""
    return pd.DataFrame({"index": ["acsa", "aurpc_ova"], "classes": 3, "shape": "step"} | columns)


@pytest.fixture
def weights():
    each = [paths(ratio=ratio, weight=[1, weight]) for ratio, weight in ((2.0, 0.9), (100, 0.7))]
    equal = paths(ratio=1.0, weight=1.0).assign(shape="equal")
    return pd.concat([equal, *each], ignore_index=True)


@pytest.fixture
def twice():
    """One measure that falls below one half, and rises above it again."""
    columns = ["index", "classes", "shape", "ratio", "direction", "error"]
    rows = [["aurpc_ova", 3, "step", 9.2, FALLS, 0.0], ["aurpc_ova", 3, "step", 50.04, RISES, 0.1]]
    return pd.DataFrame(rows, columns=columns)


@pytest.mark.slow
def test_a_row_a_crossing():
    table, same = (crossing_table(CHOSEN, 3, [2, 10], SAMPLING) for _ in range(2))
    pd.testing.assert_frame_equal(table, same, check_exact=True)
    columns = ["index", "classes", "shape", "ratio", "direction", "error"]
    assert list(table.columns) == columns
    assert set(table["index"]) == {"accuracy", "mcc"}
    assert (table["direction"] == FALLS).all()
    row = table.set_index(["index", "shape"]).loc[("accuracy", "step")]
    assert (row["ratio"], row["error"]) == (pytest.approx(sqrt(5 / 2)), 0)
    assert (table.loc[table["index"] == "mcc", "error"] > 0).all()
    assert table["ratio"].between(1, 10).all()
    none_below = crossing_table(CHOSEN[:2], 3, [1.5], SAMPLING)
    assert list(none_below.columns) == columns
    assert none_below.empty


def test_the_whole_summary(weights, twice):
    types = paths(importance="1", contour="1")
    ordered = {"index": {"aurpc_ova": "linear_weighted_kappa"}}
    of_ordered_classes = (table.replace(ordered) for table in (types, weights, twice))
    check_written(
        Path(__file__).with_name("summary.txt"),
        two_crossings=summarize_forgetting(types, weights, twice),
        none=summarize_forgetting(types, weights, twice.iloc[:0]),
        always_below=summarize_forgetting(types, weights.assign(weight=0.4), twice.iloc[:1]),
        ordered_classes=summarize_forgetting(*of_ordered_classes),
        figure=figure_text(forgetting_figure(weights, twice)),
    )
    assert place_on_axis(1, RATIOS) == -1
