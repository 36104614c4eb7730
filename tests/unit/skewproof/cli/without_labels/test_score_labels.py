"""The command ``skewproof score-labels``."""

import numpy as np
import pandas as pd
import pytest

from skewproof.unlabeled.labeled_estimates import estimate_from_labels
from skewproof.unlabeled.labeling import plan_labels

RANDOM = np.random.default_rng(5)
CHANCES = RANDOM.beta(0.05, 1, 3000)
TRUE = RANDOM.random(3000) < CHANCES
PLAN = plan_labels("f1", CHANCES, labels=120)
LABELS = TRUE[PLAN.rows].astype(int)
ROWS = PLAN.to_frame("id").assign(y_true=LABELS)
CALLED = (CHANCES >= 0.5).astype(int)
SOME = [int(label) if row % 5 == 0 else None for row, label in enumerate(TRUE)]


@pytest.fixture
def labeled(tmp_path):
    path = tmp_path / "labeled.csv"
    ROWS.to_csv(path, index=False)
    return path


@pytest.fixture
def answers(tmp_path):
    path = tmp_path / "answers.csv"
    columns = {"passed": CALLED, "site": np.arange(3000) % 2, "p": CHANCES}
    frame = pd.DataFrame(columns).assign(y_true=pd.array(SOME, dtype="Int64"))
    frame.to_csv(path, index=False)
    frame.to_parquet(path.with_suffix(".parquet"))
    return path


def test_the_estimates_are_those_of_the_plan(parsed, labeled):
    options = ["--confidence", "0.9", "--these-instances"]
    rows = parsed("score-labels", str(labeled), *options)
    expected = estimate_from_labels(
        ["f1", "precision", "recall"], ROWS, confidence=0.9, of_instances=True
    )
    assert rows == expected.to_dict("records")


@pytest.mark.parametrize("ending", [".csv", ".parquet"])
def test_labels_of_some_rows(parsed, answers, ending):
    options = ["--predicted", "passed", "--strata", "site", "--score", "p", "--at", "0.02"]
    path = str(answers.with_suffix(ending))
    rows = parsed("score-labels", path, *options, "--metrics", "recall", "precision")
    expected = estimate_from_labels(
        ["recall", "precision"], SOME, CALLED, np.arange(3000) % 2, at=0.02
    )
    assert rows == expected.to_dict("records")


def test_score_names_the_command_if_most_labels_are_missing(refused, answers):
    said = refused("score", str(answers), "--predicted", "passed")
    assert "2,400 of 3,000 rows lack a label or prediction" in said
    assert "score-labels" in said
