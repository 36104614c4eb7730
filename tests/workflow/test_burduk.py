"""The analysis of HMNC, and its row in every table."""

import pandas as pd


def test_every_output_is_there(whole):
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
        + [f"figures/burduk/{name}.png" for name in figures]
    )
    assert sorted(whole.produced(of="burduk")) == sorted(expected)
    shares = pd.read_csv(whole.folder / "results/burduk/claim_shares.csv")
    columns = ["region", "metric", "less_majority", "more_minority", "both", "imbalance_ratio"]
    assert list(shares.columns) == columns
    borders = pd.read_csv(whole.folder / "results/burduk/border.csv")
    columns = ["scale", "region", "reacts_to_majority", "holds", "imbalance_ratio"]
    assert list(borders.columns) == columns
    card = (whole.folder / "results/burduk/hmnc.md").read_text()
    assert "- Type: 1, by contours on a grid" in card


def test_the_group_of_all_metrics_has_it_in_every_table(fresh):
    fresh.configure(metrics="all")
    fresh.run("--cores", "2", "results/tables/table_8.csv", "results/exact_importance.csv")
    types = fresh.table("behavior_types").set_index(["metric", "verdict"])["type"]
    assert str(types["hmnc", "contour"]) == "1"
    for name in ("importance_scores", "p_values", "contour_deviation", "exact_importance"):
        assert "hmnc" in set(fresh.table(name)["metric"])
