"""Measures that were made for imbalance: files of a run, and what their tables say together."""

import pandas as pd
import pytest

from study import EVERY_STUDY, SMALL

TABLES = ("kinds", "points", "levels", "costs", "calls", "worths")
MEASURES = [*SMALL["metrics"], "robust_mcc_0_5", "precision", "robust_mcc_0_5_i", "precision_i"]
FOLDER = "results/made_for_imbalance"


@pytest.fixture(scope="module")
def tables(whole):
    return {name: pd.read_csv(whole.folder / FOLDER / f"{name}.csv") for name in TABLES}


def test_each_measure_is_in_each_table_in_the_order_of_the_config(tables):
    assert "f1" in EVERY_STUDY["made_for_imbalance"]["measures"]
    for name in ("kinds", "points", "levels", "costs", "calls"):
        assert list(tables[name]["measure"].unique()) == MEASURES, name


def test_a_kept_value_keeps_the_order_and_a_kept_order_the_choice(tables):
    ranks = {"lost": 0, "in the limit": 1, "exactly": 2}
    kinds = tables["kinds"].pivot(index="measure", columns="kind", values="kept").map(ranks.get)
    assert (kinds["value"] <= kinds["order"]).all()
    assert (kinds["order"] <= kinds["choice"]).all()
    assert kinds.loc["robust_mcc_0_5"].tolist() == [1, 1, 1]
    assert kinds.loc["precision", ["value", "order"]].tolist() == [0, 2]


def test_what_is_kept_exactly_does_not_move(tables):
    kinds, levels = tables["kinds"], tables["levels"]
    exact = set(kinds.query("kind == 'value' and kept == 'exactly'")["measure"])
    spread = levels.groupby("measure")["value"].agg(lambda values: values.max() - values.min())
    assert {key for key in spread.index if spread[key] < 1e-12} == exact
    assert set(levels.loc[levels["type"].astype(str) == "5", "measure"]) == exact


def test_more_positives_make_intervals_narrower(tables):
    costs = tables["costs"]
    assert (costs["width_20"] > costs["width_100"]).all()
    assert (costs["width_100"] > costs["width_1000"]).all()
