from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from skewproof_studies.van_zyl.real_data.comparison import (
    check_witnesses,
    compare_real_world,
    independent_numbers,
    residuals,
    summarize_real_world,
)
from written import check_written

pytestmark = pytest.mark.slow

PROJECT = Path(__file__).parents[5]
PRINTED = pd.read_csv(PROJECT / "resources/van_zyl/printed_real_world.csv", dtype=str)
WITNESSES = pd.DataFrame(
    [{"dataset": "D2", "rounding": "twice", "tp, fp": "(1, 0)", "means": 24, "reproduced": 24}]
)
F1 = "table == '11' and row == 'f1' and column == 'D2'"
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


def test_a_value_agrees_within_the_interval_and_its_rounding():
    printed = float(PRINTED.query(F1)["printed"].item())
    for low, high, agrees in (
        (printed - 0.01, printed + 0.01, True),
        (printed + 0.00004, printed + 0.01, True),
        (printed + 0.00006, printed + 0.01, False),
        (printed - 0.01, printed - 0.00006, False),
    ):
        assert compared({"f1": printed}, low, high).query(F1)["agrees"].tolist() == [agrees]


def means_of(metrics, values):
    """Make fold means of shuffles, values of shape (shuffles, metrics)."""
    means = pd.DataFrame(values, columns=metrics).rename_axis("shuffle").reset_index()
    return means.melt("shuffle", var_name="metric").assign(dataset="D2")


def test_the_comparison_and_its_summary():
    """Table 11 prints 0.3002 for F1 and 0.9383 for accuracy on D2."""
    metrics = ["f1", "accuracy"]
    means = means_of(metrics, np.random.default_rng(1).random((9, 2)))
    one_sign = compared(dict(zip(metrics, (0.5, 0.95), strict=True)), 0.0, 1.0)
    other_options = OPTIONS | {"max_iter": 50}
    above_and_below = compared(
        {"f1": 0.2, "accuracy": 0.95}, 0, 1, logistic_regression=other_options
    )
    check_written(
        Path(__file__).with_name("comparison.txt"),
        table=one_sign.to_csv(),
        one_sign=summarize_real_world(one_sign, means, ("D1 is left out.",), WITNESSES),
        other_options=summarize_real_world(above_and_below, means, (), WITNESSES),
        residuals=residuals(above_and_below, means).round(9).to_csv(),
    )


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


FOLDS = pd.read_csv(PROJECT / "resources/van_zyl/fold_witnesses.csv")
POSITIVES = {"D1": 492, "D2": 534, "D3": 4547, "D4": 4640, "D5": 18568, "D6": 18568}


@pytest.mark.slow
def test_every_data_set_has_folds_with_all_its_means():
    checked = check_witnesses(PRINTED, FOLDS)
    assert checked["dataset"].tolist() == list(POSITIVES)
    assert (checked["means"] == 24).all()
    assert (checked["reproduced"] == 24).all()
    assert checked["rounding"].tolist() == ["half up", "twice", *["half up"] * 4]
    changed = FOLDS.assign(tp=FOLDS["tp"] + (FOLDS["fold"] == 1))
    assert (check_witnesses(PRINTED, changed)["reproduced"] < 24).all()


@pytest.mark.parametrize("dataset", POSITIVES)
def test_folds_have_the_sizes_of_table_9(dataset):
    folds = FOLDS[FOLDS["dataset"] == dataset]
    sizes = folds[["positives", "negatives"]].sum()
    table = PRINTED[(PRINTED["table"] == "9") & (PRINTED["row"] == dataset)].set_index("column")
    assert sizes["positives"] == POSITIVES[dataset]
    assert sizes.sum() == int(table.loc["instances", "printed"])
    ratio = float(table.loc["imbalance", "printed"].removeprefix("1:"))
    assert abs(sizes["negatives"] / sizes["positives"] - ratio) < 0.01
    for name in ("positives", "negatives"):
        assert folds[name].max() - folds[name].min() <= 1
