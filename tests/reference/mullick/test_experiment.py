"""The experiment with its real classifiers, on problems made from the iris data."""

import numpy as np
import pandas as pd

from skewproof_studies.mullick.experiment.protocol import (
    classifiers,
    experiment_matrices,
    load_problem,
)

OPTIONS = {"trees": 3, "hidden_units": 8, "iterations": 2000, "resamples": 2, "neighbors": 3}


TWO = load_problem("iris", [[2], [1]], 5)
THREE = load_problem("iris", [[2], [1], [0]], 4)


def matrices(problem, **changes):
    protocol = {"folds": 2, "seed": 1, "name": "toy", "run": 1} | changes
    return experiment_matrices(problem, OPTIONS, **protocol)


def test_classes_far_apart_are_told_apart_by_every_classifier():
    table = matrices(load_problem("iris", [[0], [2]], 5)).query("setting == 'balanced'")
    hits = table[table["true"] == table["predicted"]].groupby("classifier")["count"].sum()
    assert (hits > 80).all()  # of 100; a tree of ten instances may split the wrong attribute
    assert len(hits) == 4


def test_same_seed_same_bits_and_another_seed_name_or_run_another_draw():
    first = matrices(TWO)
    pd.testing.assert_frame_equal(matrices(TWO), first)
    for change in ({"seed": 2}, {"name": "other"}, {"run": 2}):
        assert not matrices(TWO, **change).assign(run=1).equals(first)


def test_two_instances_of_the_smallest_class_suffice():
    features = np.vstack([np.eye(2), 5 + np.arange(40).reshape(20, 2)])
    labels = np.repeat([0, 1], [2, 20])
    for classifier in classifiers(2, 1, OPTIONS).values():
        assert classifier.fit(features, labels).predict(features).shape == (22,)
