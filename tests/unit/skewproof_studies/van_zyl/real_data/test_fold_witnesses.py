"""Matrices of five folds that have the printed means."""

from pathlib import Path

import pandas as pd
import pytest
from sklearn.metrics import balanced_accuracy_score, cohen_kappa_score, f1_score

from skewproof_studies.van_zyl.real_data.fold_witnesses import check_witnesses

RESOURCES = Path(__file__).parents[5] / "resources/van_zyl"
PRINTED = pd.read_csv(RESOURCES / "printed_real_world.csv", dtype=str)
WITNESSES = pd.read_csv(RESOURCES / "fold_witnesses.csv")
POSITIVES = {"D1": 492, "D2": 534, "D3": 4547, "D4": 4640, "D5": 18568, "D6": 18568}


@pytest.mark.slow
def test_every_data_set_has_folds_with_all_its_means():
    checked = check_witnesses(PRINTED, WITNESSES)
    assert checked["dataset"].tolist() == list(POSITIVES)
    assert (checked["means"] == 24).all()
    assert (checked["reproduced"] == 24).all()
    assert checked["rounding"].tolist() == ["half up", "twice", *["half up"] * 4]
    changed = WITNESSES.assign(tp=WITNESSES["tp"] + (WITNESSES["fold"] == 1))
    assert (check_witnesses(PRINTED, changed)["reproduced"] < 24).all()


@pytest.mark.parametrize("dataset", POSITIVES)
def test_folds_have_the_sizes_of_table_9(dataset):
    folds = WITNESSES[WITNESSES["dataset"] == dataset]
    sizes = folds[["positives", "negatives"]].sum()
    table = PRINTED[(PRINTED["table"] == "9") & (PRINTED["row"] == dataset)].set_index("column")
    assert sizes["positives"] == POSITIVES[dataset]
    assert sizes.sum() == int(table.loc["instances", "printed"])
    ratio = float(table.loc["imbalance", "printed"].removeprefix("1:"))
    assert abs(sizes["negatives"] / sizes["positives"] - ratio) < 0.01
    for name in ("positives", "negatives"):
        assert folds[name].max() - folds[name].min() <= 1


def test_some_means_by_scikit_learn():
    """Labels of a data set of few instances, D2, score as printed after two roundings."""
    means = {"f1": 0.0, "balanced_accuracy": 0.0, "cohen_kappa": 0.0}
    folds = WITNESSES[WITNESSES["dataset"] == "D2"]
    for fold in folds.itertuples():
        cells = [fold.tp, fold.positives - fold.tp, fold.fp, fold.negatives - fold.fp]
        true = [1] * fold.positives + [0] * fold.negatives
        called = [label for label, n in zip([1, 0, 1, 0], cells, strict=True) for _ in range(n)]
        means["f1"] += f1_score(true, called) / 5
        means["balanced_accuracy"] += balanced_accuracy_score(true, called) / 5
        means["cohen_kappa"] += (1 + cohen_kappa_score(true, called)) / 2 / 5  # scaled to [0, 1]
    printed = PRINTED[(PRINTED["table"] == "11") & (PRINTED["column"] == "D2")].set_index("row")
    for key, value in means.items():
        assert abs(value - float(printed.loc[key, "printed"])) <= 0.00005501, key
