"""The analysis of HMNC, and its row in every table."""

import pandas as pd


def test_columns(whole):
    shares = pd.read_csv(whole.folder / "results/burduk/claim_shares.csv")
    columns = ["region", "metric", "less_majority", "more_minority", "both", "imbalance_ratio"]
    assert list(shares.columns) == columns
    borders = pd.read_csv(whole.folder / "results/burduk/border.csv")
    columns = ["scale", "region", "reacts_to_majority", "holds", "imbalance_ratio"]
    assert list(borders.columns) == columns
    card = (whole.folder / "results/burduk/hmnc.md").read_text()
    assert "- Type: 1, by contours on a grid" in card
