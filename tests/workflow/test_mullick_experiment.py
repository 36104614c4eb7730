"""Mullick's experiment on the smallest problems."""

import pandas as pd


def test_matrices(whole):
    matrices = pd.read_csv(whole.folder / "results/mullick/experiment/iris_three/matrices.csv")
    columns = ["problem", "classes", "classifier", "run", "fold", "setting"]
    assert list(matrices.columns) == [*columns, "true", "predicted", "count"]
    assert len(matrices) == 4 * 2 * 2 * 5 * 9
