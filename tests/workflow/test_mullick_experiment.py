"""Mullick's experiment on the smallest problems."""

import pandas as pd

SMALLEST = {
    "runs": 2,
    "folds": 2,
    "trees": 2,
    "hidden_units": 4,
    "iterations": 20,
    "resamples": 2,
    "neighbors": 3,
    "problems": {
        "iris_2_1": {"data": "iris", "classes": [[2], [1]], "imbalance_ratio": 5},
        "iris_three": {"data": "iris", "classes": [[2], [1], [0]], "imbalance_ratio": 4},
    },
}


def test_every_output_is_there_and_a_problem_more_refits_no_other(fresh):
    fresh.configure(mullick_experiment=SMALLEST)
    fresh.run("--cores", "2", "mullick_experiment")
    names = ["mean_performance", "variability", "minima", "lost_classes", "losses", "findings"]
    problems = [
        f"{key}/{name}.csv" for key in SMALLEST["problems"] for name in ("matrices", "sizes")
    ]
    files = [f"{name}.csv" for name in names] + ["report.md", *problems]
    figures = [f"figure_{number}.{kind}" for number in (3, 4, 5) for kind in ("png", "pdf")]
    expected = [f"results/mullick/experiment/{name}" for name in files]
    expected += [f"figures/mullick/{name}" for name in figures]
    assert sorted(fresh.produced()) == sorted(expected)
    matrices = pd.read_csv(fresh.folder / "results/mullick/experiment/iris_three/matrices.csv")
    columns = ["problem", "classes", "classifier", "run", "fold", "setting"]
    assert list(matrices.columns) == [*columns, "true", "predicted", "count"]
    assert len(matrices) == 4 * 2 * 2 * 5 * 9

    more = {"iris_1_0": {"data": "iris", "classes": [[1], [0]], "imbalance_ratio": 5}}
    fresh.configure(mullick_experiment=SMALLEST | {"problems": SMALLEST["problems"] | more})
    output = fresh.run("--cores", "1", "--dry-run", "mullick_experiment")
    assert "classifiers to iris_1_0" in output
    assert "classifiers to iris_2_1" not in output
