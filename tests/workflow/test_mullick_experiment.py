"""Mullick's experiment on the smallest problems."""

import pandas as pd

from study import EVERY_STUDY

SETTINGS = EVERY_STUDY["mullick_experiment"]


def test_matrices(whole):
    matrices = pd.read_csv(whole.folder / "results/mullick/experiment/iris_three/matrices.csv")
    columns = ["problem", "classes", "classifier", "run", "fold", "setting"]
    assert list(matrices.columns) == [*columns, "true", "predicted", "count"]
    assert len(matrices) == 4 * 2 * 2 * 5 * 9


def test_a_problem_more_refits_no_other(whole, tmp_path):
    study = whole.copy(tmp_path / "study")
    more = {"iris_1_0": {"data": "iris", "classes": [[1], [0]], "imbalance_ratio": 5}}
    study.configure(mullick_experiment=SETTINGS | {"problems": SETTINGS["problems"] | more})
    output = study.run("--cores", "1", "--dry-run", "mullick_experiment")
    assert "classifiers to iris_1_0" in output
    assert "classifiers to iris_2_1" not in output
