"""The command ``skewproof score-labels``."""

import numpy as np

from skewproof.unlabeled.labeled_estimates import estimate_from_labels
from skewproof.unlabeled.labeling import plan_labels


def test_the_estimates_are_those_of_the_plan(parsed, tmp_path):
    random, path = np.random.default_rng(5), tmp_path / "labeled.csv"
    chances = random.beta(0.05, 1, 3000)
    plan = plan_labels("f1", chances, labels=120)
    labels = random.random(len(plan.rows)) < chances[plan.rows]
    rows = plan.to_frame("id").assign(y_true=labels.astype(int))
    rows.to_csv(path, index=False)
    options = {"confidence": 0.9, "of_instances": True}
    expected = estimate_from_labels(["f1", "precision", "recall"], rows, **options)
    found = parsed("score-labels", str(path), "--confidence", "0.9", "--these-instances")
    assert found == expected.to_dict("records")


def test_score_names_the_command_if_most_labels_are_missing(refused, files):
    said = refused("score", str(files / "some.csv"))
    assert "of 1,200 rows lack a label or prediction" in said
    assert "score-labels" in said
