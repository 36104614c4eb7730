"""The survey's decision trees, and its measures of clusterings and rankings under imbalance."""

import pandas as pd

from study import EVERY_STUDY


def test_tables(whole):
    shifts = pd.read_csv(whole.folder / "results/survey/cluster_shifts.csv")
    assert list(shifts["level"].unique()) == ["1:1", "1:10", "7:3"]
    lists = pd.read_csv(whole.folder / "results/survey/ranking_shifts.csv")
    assert (lists.loc[lists["measure"] == "ndcg", "perfect"] - 1).abs().max() < 1e-11
    assert "k = 2" in (whole.folder / "results/survey/report.md").read_text()


def test_a_list_shorter_than_k_is_refused(fresh):
    fresh.configure(survey=EVERY_STUDY["survey"] | {"k": 11})
    output = fresh.run("--cores", "1", "survey", fails=True)
    assert "survey.k = 11: expected at most survey.items = 10" in output
