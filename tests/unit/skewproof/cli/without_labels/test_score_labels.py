"""The command ``skewproof score-labels``."""

import numpy as np
import pandas as pd
import pytest

from skewproof.unlabeled.labeling import estimate_from_labels, plan_labels

RANDOM = np.random.default_rng(5)
CHANCES = RANDOM.beta(0.05, 1, 3000)
TRUE = RANDOM.random(3000) < CHANCES
PLAN = plan_labels("f1", CHANCES, labels=120)
LABELS = TRUE[PLAN.rows].astype(int)


@pytest.fixture
def labeled(tmp_path):
    path = tmp_path / "labeled.csv"
    PLAN.to_frame("id").assign(y_true=LABELS).to_csv(path, index=False)
    return path


@pytest.mark.slow
def test_the_estimates_are_those_of_the_plan(parsed, labeled):
    rows = parsed("score-labels", str(labeled), "--confidence", "0.9")
    expected = estimate_from_labels(["f1", "precision", "recall"], PLAN, LABELS, confidence=0.9)
    assert rows == expected.to_dict("records")


def test_the_estimates_on_a_terminal(printed, labeled):
    text = printed("score-labels", str(labeled), "--metrics", "f1")
    _, _, of_labels = str(estimate_from_labels("f1", PLAN, LABELS)).partition("95 %. ")
    said = " ".join(text.split())
    assert (
        "Values hold for all 3,000 instances. Each has its 95 % interval from low to high." in said
    )
    assert of_labels.startswith("Of the labeled instances")
    assert of_labels in said


@pytest.mark.slow
def test_labels_of_two_words(parsed, labeled):
    rows = pd.read_csv(labeled)
    rows["y_true"] = rows["y_true"].map({1: "fraud", 0: "fine"})
    rows.to_csv(labeled, index=False)
    rows = parsed("score-labels", str(labeled), "--pos-label", "fraud")
    assert rows[0]["low"] == estimate_from_labels("f1", PLAN, LABELS).low


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"y_true": ["", *["0"] * 119]}, "rows without a label, stratum or size: 1; expected a"),
        ({"stratum": None}, "has no column 'stratum': expected it once"),
    ],
)
def test_refused(refused, labeled, change, message):
    rows = pd.read_csv(labeled).assign(**change).dropna(axis="columns", how="all")
    rows.to_csv(labeled, index=False)
    assert message in refused("score-labels", str(labeled))
