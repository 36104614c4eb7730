from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import balanced_accuracy_score, cohen_kappa_score, f1_score

from skewproof_studies.van_zyl.real_data.comparison import (
    check_witnesses,
    compare_real_world,
    independent_numbers,
    residuals,
    summarize_real_world,
)

pytestmark = pytest.mark.slow

PROJECT = Path(__file__).parents[5]
PRINTED = pd.read_csv(PROJECT / "resources/van_zyl/printed_real_world.csv", dtype=str)
WITNESSES = pd.DataFrame(
    [{"dataset": "D2", "rounding": "twice", "tp, fp": "(1, 0)", "means": 24, "reproduced": 24}]
)
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


def test_a_value_agrees_within_the_interval_and_its_rounding():
    printed = float(entry(PRINTED, "11", "f1", "D2")["printed"])
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


def means_of(metrics, values):
    """Make fold means of shuffles, values of shape (shuffles, metrics)."""
    means = pd.DataFrame(values, columns=metrics).rename_axis("shuffle").reset_index()
    return means.melt("shuffle", var_name="metric").assign(dataset="D2")


def test_summary_counts_and_lists():
    means = means_of(["f1"], [[0.5], [0.4], [0.6]])
    text = summarize_real_world(
        compared({"f1": 0.5}, 0.4, 0.6), means, ("D1 is left out.",), WITNESSES
    )
    assert "Of 167 printed entries 12 were computed, and 10 of those agree." in text
    assert "D1 is left out." in text
    assert "| 0.3002" in text
    assert "All residuals of D2 have the same sign." in text


def test_residuals_have_signs():
    """Table 11 prints 0.3002 for F1 and 0.9383 for accuracy on D2."""
    metrics = ["f1", "accuracy"]
    means = means_of(metrics, np.random.default_rng(1).random((9, 2)))
    above_and_below = compared(dict(zip(metrics, (0.2, 0.95), strict=True)), 0.0, 1.0)
    (row,) = residuals(above_and_below, means).itertuples()
    assert (row.dataset, row.values, row.above, row.below) == ("D2", 2, 1, 1)
    one_sign = compared(dict(zip(metrics, (0.5, 0.95), strict=True)), 0.0, 1.0)
    assert "the same sign" in summarize_real_world(one_sign, means, (), WITNESSES)
    assert "the same sign" not in summarize_real_world(above_and_below, means, (), WITNESSES)


def test_what_moves_as_one_is_one_number():
    random = np.random.default_rng(2)
    common, other = random.normal(size=(2, 4000))
    assert independent_numbers(np.column_stack([common, -2 * common, common + 3])) == pytest.approx(
        1
    )
    assert independent_numbers(random.normal(size=(4000, 5))) == pytest.approx(5, rel=0.01)
    twice = np.column_stack([common, common, other, other])  # eigenvalues 2, 2, 0, 0
    assert independent_numbers(twice) == pytest.approx(2, rel=0.01)
    assert independent_numbers(np.column_stack([common, np.ones(4000)])) == pytest.approx(1)


RESOURCES = Path(__file__).parents[5] / "resources/van_zyl"
TABLES = pd.read_csv(RESOURCES / "printed_real_world.csv", dtype=str)
FOLDS = pd.read_csv(RESOURCES / "fold_witnesses.csv")
POSITIVES = {"D1": 492, "D2": 534, "D3": 4547, "D4": 4640, "D5": 18568, "D6": 18568}


@pytest.mark.slow
def test_every_data_set_has_folds_with_all_its_means():
    checked = check_witnesses(TABLES, FOLDS)
    assert checked["dataset"].tolist() == list(POSITIVES)
    assert (checked["means"] == 24).all()
    assert (checked["reproduced"] == 24).all()
    assert checked["rounding"].tolist() == ["half up", "twice", *["half up"] * 4]
    changed = FOLDS.assign(tp=FOLDS["tp"] + (FOLDS["fold"] == 1))
    assert (check_witnesses(TABLES, changed)["reproduced"] < 24).all()


@pytest.mark.parametrize("dataset", POSITIVES)
def test_folds_have_the_sizes_of_table_9(dataset):
    folds = FOLDS[FOLDS["dataset"] == dataset]
    sizes = folds[["positives", "negatives"]].sum()
    table = TABLES[(TABLES["table"] == "9") & (TABLES["row"] == dataset)].set_index("column")
    assert sizes["positives"] == POSITIVES[dataset]
    assert sizes.sum() == int(table.loc["instances", "printed"])
    ratio = float(table.loc["imbalance", "printed"].removeprefix("1:"))
    assert abs(sizes["negatives"] / sizes["positives"] - ratio) < 0.01
    for name in ("positives", "negatives"):
        assert folds[name].max() - folds[name].min() <= 1


def test_some_means_by_scikit_learn():
    """Labels of a data set of few instances, D2, score as printed after two roundings."""
    means = {"f1": 0.0, "balanced_accuracy": 0.0, "cohen_kappa": 0.0}
    folds = FOLDS[FOLDS["dataset"] == "D2"]
    for fold in folds.itertuples():
        cells = [fold.tp, fold.positives - fold.tp, fold.fp, fold.negatives - fold.fp]
        true = [1] * fold.positives + [0] * fold.negatives
        called = [label for label, n in zip([1, 0, 1, 0], cells, strict=True) for _ in range(n)]
        means["f1"] += f1_score(true, called) / 5
        means["balanced_accuracy"] += balanced_accuracy_score(true, called) / 5
        means["cohen_kappa"] += (1 + cohen_kappa_score(true, called)) / 2 / 5  # scaled to [0, 1]
    printed = TABLES[(TABLES["table"] == "11") & (TABLES["column"] == "D2")].set_index("row")
    for key, value in means.items():
        assert abs(value - float(printed.loc[key, "printed"])) <= 0.00005501, key
