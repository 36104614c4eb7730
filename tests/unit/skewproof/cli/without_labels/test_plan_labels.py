"""The command ``skewproof plan-labels``."""

import numpy as np
import pandas as pd
import pytest

from skewproof.unlabeled.labeling import plan_labels

RANDOM = np.random.default_rng(5)
CHANCES = RANDOM.beta(0.05, 1, 3000).round(6)
FRAME = pd.DataFrame({"id": [f"t{row:04d}" for row in range(3000)], "p": CHANCES})
OPTIONS = ["--row-id", "id", "--labels", "120", "--seed", "2"]
SCORES = [*OPTIONS, "--score", "p", "--threshold", "0.3"]
PLANNED = {"row_id": "id", "labels": 120, "rng": 2, "y_score": "p", "threshold": 0.3}


@pytest.fixture
def production(tmp_path):
    path = tmp_path / "production.csv"
    FRAME.assign(called=np.where(CHANCES >= 0.3, "fraud", "fine")).to_csv(path, index=False)
    return str(path)


@pytest.mark.slow
def test_the_rows_are_written_and_the_plan_is_said(printed, production, tmp_path):
    output = tmp_path / "to_label.csv"
    text = printed("plan-labels", "f1", production, *SCORES, "--output", str(output))
    plan = plan_labels("f1", FRAME, **PLANNED)
    assert " ".join(text.split()).startswith(plan.sentence)
    rows = pd.read_csv(output)
    assert rows["id"].tolist() == plan.rows.tolist()
    sizes = plan.strata["size"].to_numpy()
    assert rows["size"].tolist() == sizes[rows["stratum"]].tolist()
    assert rows["called"].tolist() == plan.strata["called"].to_numpy()[rows["stratum"]].tolist()


@pytest.mark.slow
def test_a_reference_in_a_file(parsed, production, tmp_path):
    labeled = FRAME.assign(truth=(RANDOM.random(3000) < CHANCES).astype(int))
    path = tmp_path / "labeled.csv"
    labeled.to_csv(path, index=False)
    more = ["--reference", str(path), "--true", "truth"]
    (found,) = parsed("plan-labels", "recall", production, *SCORES, *more)
    plan = plan_labels("recall", FRAME, **PLANNED, reference=labeled, y_true="truth")
    assert [row["id"] for row in found["rows"]] == plan.rows.tolist()
