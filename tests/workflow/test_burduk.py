"""The analysis of HMNC, and its row in every table."""

import pandas as pd


def test_every_output_is_there(fresh):
    fresh.configure(burduk={"positives": 1000, "negatives": [10, 50], "grid": 20})
    fresh.run("--cores", "2", "burduk")
    tables = [
        f"results/burduk/table_{number}.{extension}"
        for number in (1, 2)
        for extension in ("csv", "md", "tex")
    ]
    results = ["border.csv", "comparison.csv", "claim_shares.csv", "discrepancies.md"]
    results += ["report.md", "hmnc.md"]
    figures = ["claim", "heat_maps_P1000_N10", "heat_maps_P1000_N50"]
    expected = (
        tables
        + [f"results/burduk/{name}" for name in results]
        + [f"figures/burduk/{name}.{kind}" for name in figures for kind in ("png", "pdf")]
    )
    assert sorted(fresh.produced()) == sorted(expected)
    shares = pd.read_csv(fresh.folder / "results/burduk/claim_shares.csv")
    columns = ["region", "metric", "less_majority", "more_minority", "both", "imbalance_ratio"]
    assert list(shares.columns) == columns
    borders = pd.read_csv(fresh.folder / "results/burduk/border.csv")
    columns = ["scale", "region", "reacts_to_majority", "holds", "imbalance_ratio"]
    assert list(borders.columns) == columns
    assert "Type by contours: 1" in (fresh.folder / "results/burduk/hmnc.md").read_text()


def test_the_group_of_all_metrics_has_it_in_every_table(fresh):
    fresh.configure(metrics="all")
    fresh.run("--cores", "2", "results/tables/table_8.csv", "results/exact_importance.csv")
    types = fresh.table("behavior_types").set_index(["metric", "verdict"])["type"]
    assert str(types["hmnc", "contour"]) == "1"
    for name in ("importance_scores", "p_values", "contour_deviation", "exact_importance"):
        assert "hmnc" in set(fresh.table(name)["metric"])
