"""Measures, curves and examples of Tharwat, and his measures in every table."""

import pandas as pd


def test_tables(whole):
    invariance = pd.read_csv(whole.folder / "results/tharwat/invariance.csv")
    assert set(invariance["level"]) == {"1:10", "7:3"}
    assert invariance["agrees"].dropna().all()
    areas = pd.read_csv(whole.folder / "results/tharwat/areas.csv")
    moved = areas[areas["level"] == "1:10"].set_index("area")["changes"]
    assert not moved[["roc", "det", "equal_error_rate"]].any()
    assert moved[["precision_recall", "average_precision", "mcc_f1"]].all()


def test_unbounded_metrics_and_hmnc_are_in_every_table_on_their_scale(fresh):
    keys = ["positive_likelihood_ratio", "discriminant_power", "youden_j", "precision_i"]
    fresh.configure(metrics=[*keys, "hmnc"])
    names = ("exact_moments", "exact_importance", "importance_scores", "behavior_types")
    fresh.run("--cores", "2", *(f"results/{name}.csv" for name in names))
    moments = fresh.table("exact_moments").set_index(["metric", "level"])
    assert moments["mean"].between(0, 1).all()
    # LR+/(1 + LR+) is mPrecision.
    one, other = (moments.loc[key, ["mean", "variance"]] for key in (keys[0], keys[3]))
    pd.testing.assert_frame_equal(one, other)
    types = fresh.table("behavior_types").set_index(["metric", "verdict"])["type"].astype(str)
    assert set(types[keys]) == {"5"}
    assert types["hmnc", "contour"] == "1"
    for name in (*names, "p_values", "contour_deviation"):
        assert list(fresh.table(name)["metric"].unique()) == [*keys, "hmnc"], name
