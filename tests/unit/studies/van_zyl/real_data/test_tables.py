from pathlib import Path

import pandas as pd
import pytest

from skewproof.reporting.table import to_latex, to_markdown
from skewproof.studies.van_zyl.real_data.tables import (
    characteristics_table,
    compare_real_world,
    fold_notes,
    hyperparameter_table,
    missing_notes,
    summarize_real_world,
    value_table,
)

PROJECT = Path(__file__).parents[5]
PRINTED = pd.read_csv(PROJECT / "resources/van_zyl/printed_real_world.csv", dtype=str)
OPTIONS = {"max_iter": 100, "tol": 1e-4, "C": 1.0}

CHARACTERISTICS = pd.DataFrame(
    {
        "dataset": ["D2", "D4"],
        "instances": [7200, 41188],
        "attributes": [21, 62],
        "positives": [534, 4640],
        "reference": ["someone", "someone else"],
    }
)


def compared(values, low, high, **changes):
    table = pd.DataFrame({"dataset": "D2", "metric": list(values), "value": list(values.values())})
    spread = table[["dataset", "metric"]].assign(
        shuffles=20, mean=table["value"], standard_deviation=1.0, low=low, high=high
    )
    options = {
        "characteristics": CHARACTERISTICS,
        "logistic_regression": OPTIONS,
        "means": table,
        "pooled": table,
        "spread": spread,
    }
    return compare_real_world(PRINTED, **options | changes)


def entry(comparison, table, row, column):
    return comparison.set_index(["table", "row", "column"]).loc[(table, row, column)]


def test_every_printed_entry_is_there():
    assert PRINTED.groupby("table").size().to_dict() == {"9": 18, "10": 5, "11": 144}


def test_a_value_agrees_within_the_interval_and_its_rounding():
    printed = float(entry(PRINTED.assign(), "11", "f1", "D2")["printed"])
    for low, high, agrees in (
        (printed - 0.01, printed + 0.01, True),
        (printed + 0.00004, printed + 0.01, True),
        (printed + 0.00006, printed + 0.01, False),
        (printed - 0.01, printed - 0.00006, False),
    ):
        row = entry(compared({"f1": printed}, low, high), "11", "f1", "D2")
        assert bool(row["agrees"]) == agrees


def test_what_is_not_computed_is_not_judged():
    comparison = compared({"f1": 0.3}, 0.2, 0.4)
    assert pd.isna(entry(comparison, "11", "mcc", "D2")["agrees"])
    assert pd.isna(entry(comparison, "9", "D1", "instances")["agrees"])
    assert comparison["agrees"].notna().sum() == 6 + 5 + 1


def test_a_cut_imbalance_is_said_to_be():
    comparison = compared({"f1": 0.3}, 0.2, 0.4)
    row = entry(comparison, "9", "D4", "imbalance")
    assert (row["printed"], row["computed"], bool(row["agrees"])) == ("1:7.87", "1:7.88", False)
    assert row["note"] == "its decimals are cut off, not rounded"
    assert bool(entry(comparison, "9", "D2", "imbalance")["agrees"])


def test_other_options_disagree_with_table_10():
    comparison = compared({"f1": 0.3}, 0.2, 0.4, logistic_regression=OPTIONS | {"max_iter": 50})
    table = comparison[comparison["table"] == "10"].set_index("row")["agrees"]
    assert table.to_dict() == {
        "optimizer": True,
        "iterations": False,
        "regularization": True,
        "stopping tolerance": True,
        "regularization strength": True,
    }


def test_summary_counts_and_lists():
    text = summarize_real_world(compared({"f1": 0.5}, 0.4, 0.6), ("D1 is left out.",))
    assert "Of 167 printed entries 12 were computed, and 10 of those agree." in text
    assert "D1 is left out." in text
    assert "| 0.3002" in text


def test_tables_for_the_eye():
    nine = to_markdown(characteristics_table(CHARACTERISTICS, {"D2": "Thyroid", "D4": "Bank"}))
    assert "| $D_{2}$ | 7200        | 21           | (1:12.48)" in nine
    assert "0.0001" in to_latex(hyperparameter_table(OPTIONS))
    values = pd.DataFrame(
        {"dataset": ["D2", "mine"], "metric": "f1", "value": [0.30024, float("nan")]}
    )
    eleven = value_table(values, caption="Real world dataset.", notes=("A note.",))
    assert eleven.data.to_dict("records") == [{"metric": "f1", "D2": "0.3002", "mine": "undefined"}]
    assert "A note." in to_markdown(eleven)
    assert list(eleven.display) == ["Metric", "$D_{2}$", "mine"]


def test_notes_say_what_is_undefined_unfinished_or_missing():
    means = pd.DataFrame({"dataset": "D2", "metric": ["f1", "mcc"], "undefined_folds": [0, 2]})
    matrices = pd.DataFrame(
        {"dataset": ["D2", "D2", "D4"], "shuffle": [0, 1, 0], "converged": [False, False, True]}
    )
    undefined, early = fold_notes(means, matrices)
    assert "MCC" in undefined
    assert "2 folds of D2" in undefined
    assert early == "On D2 the fit stopped at its last iteration in 1 folds."
    sources = pd.DataFrame(
        {"dataset": ["D1", "D2"], "path": [None, "data/file"], "reason": ["no server", None]}
    )
    assert missing_notes(sources) == ("D1 is left out. no server",)


@pytest.mark.parametrize("table", ["9", "11"])
def test_no_data_at_all_is_no_error(table):
    empty = {
        "9": lambda: characteristics_table(CHARACTERISTICS.iloc[:0], {}),
        "11": lambda: value_table(
            pd.DataFrame(columns=["dataset", "metric", "value"]), caption="None.", notes=()
        ),
    }[table]()
    assert to_markdown(empty)
    assert to_latex(empty)
