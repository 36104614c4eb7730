"""Equality and changes with prevalence of a few measures."""

import csv

import jinja2
import pandas as pd
import pytest

from study import PROJECT


def test_the_classes(whole):
    classes = pd.read_csv(whole.folder / "results/atlas/classes.csv").set_index("measure")
    assert classes["equal"].to_list() == classes.index.to_list()
    assert classes.loc["error_rate", "affine"] == "accuracy"
    assert classes.loc["f1_i", ["ordering_1_1", "ordering_1_100"]].to_list() == ["f1", "f1_i"]
    assert classes["order_invariant"].to_dict() == {
        "accuracy": "no",
        "precision": "yes",
        "f1": "no",
        "f1_i": "yes",
        "error_rate": "no",
        "symmetric_extremal_dependence_index": "yes",
    }
    same = classes.index[classes["verdict"] == "same"]
    assert set(same) == {"f1_i", "symmetric_extremal_dependence_index"}


def test_what_prevalence_does(whole):
    measures = pd.read_csv(whole.folder / "results/atlas/measures.csv")
    assert list(measures["level"].unique()) == ["1:1", "1:10", "7:3"]
    verdicts = measures[measures["level"] == "1:10"].set_index("measure")["verdict"]
    same = verdicts[verdicts == "same"].index
    assert set(same) == {"f1_i", "symmetric_extremal_dependence_index"}
    assert measures["mean_shift"].notna().all()


def test_the_report_counts_the_tables(whole):
    text = (whole.folder / "results/atlas/report.md").read_text(encoding="utf-8")
    assert "stand for 6 declared measures" in text
    assert "have 6 different values" in text
    assert "the values but not the ordering of 1 measure that orders some classifiers" in text


@pytest.mark.parametrize(
    ("result", "expected"),
    [
        ("results/atlas/classes.csv", "at 7:3, 1:1, 1:9."),
        ("figures/atlas/map", "at 1:9: all that order some at each level shown."),
        ("results/atlas/map.csv", "its rank correlation at 1:9 with"),
        ("figures/atlas/label_errors", "the least and the most imbalanced of 1:10, 1:1."),
    ],
)
def test_captions_name_the_levels_of_the_config(result, expected):
    with (PROJECT / "workflow/report/contents.csv").open(encoding="utf-8") as file:
        captions = {row["result"]: row["caption"] for row in csv.DictReader(file)}
    levels = {"orderings": ["7:3", "1:1", "1:9"], "map": ["1:9"]}
    config = {"atlas": levels | {"label_errors": {"levels": ["1:10", "1:1"]}}}
    assert expected in jinja2.Template(captions[result]).render(config=config)
