"""The experiment with its real classifiers, on problems made from the iris data."""

import numpy as np
import pandas as pd
import pytest

from skewproof_studies.mullick.experiment.findings import findings
from skewproof_studies.mullick.experiment.protocol import (
    classifiers,
    experiment_matrices,
    load_problem,
)
from skewproof_studies.mullick.experiment.sampling import settings, sizes_in_test
from skewproof_studies.mullick.experiment.statistics import (
    losses,
    lost_classes,
    measure_values,
    minima,
    variability,
    with_a_lost_class,
)
from skewproof_studies.mullick.paper import MULTICLASS_NAMES, TWO_CLASS_NAMES

OPTIONS = {"trees": 3, "hidden_units": 8, "iterations": 2000, "resamples": 2, "neighbors": 3}


def matrices(problem, **changes):
    protocol = {"folds": 2, "seed": 1, "name": "toy", "run": 1} | changes
    return experiment_matrices(problem, OPTIONS, **protocol)


@pytest.fixture(scope="module")
def problems():
    return {
        "two": load_problem("iris", [[2], [1]], 5),
        "three": load_problem("iris", [[2], [1], [0]], 4),
    }


@pytest.fixture(scope="module")
def toy(problems):
    """Matrices of a problem of two and one of three classes, in two runs."""
    parts = [
        matrices(problem, run=run).assign(problem=name, classes=len(problem.ratios))
        for name, problem in problems.items()
        for run in (1, 2)
    ]
    return pd.concat(parts, ignore_index=True)


@pytest.fixture(scope="module")
def values(toy):
    return measure_values(toy)


@pytest.mark.parametrize("name", ["two", "three"])
def test_every_test_set_has_the_ratio_asked_for(toy, problems, name):
    chosen = toy[toy["problem"] == name]
    keys = ["classifier", "run", "fold", "setting"]
    sizes = chosen.groupby([*keys, "true"])["count"].sum().unstack()
    assert len(sizes) == 4 * 2 * 2 * 5
    for (*_, setting), row in sizes.iterrows():
        ratios = settings(problems[name].ratios)[setting]
        expected = sizes_in_test(np.full(len(ratios), 25), ratios)
        assert row.tolist() == expected.tolist()


def test_classes_far_apart_are_told_apart_by_every_classifier():
    table = matrices(load_problem("iris", [[0], [2]], 5)).query("setting == 'balanced'")
    hits = table[table["true"] == table["predicted"]].groupby("classifier")["count"].sum()
    assert (hits > 80).all()  # of 100; a tree of ten instances may split the wrong attribute
    assert len(hits) == 4


def test_same_seed_same_bits_and_another_seed_name_or_run_another_draw(problems):
    first = matrices(problems["two"])
    pd.testing.assert_frame_equal(matrices(problems["two"]), first)
    for change in ({"seed": 2}, {"name": "other"}, {"run": 2}):
        assert not matrices(problems["two"], **change).assign(run=1).equals(first)


def test_two_instances_of_the_smallest_class_suffice():
    features = np.vstack([np.eye(2), 5 + np.arange(40).reshape(20, 2)])
    labels = np.repeat([0, 1], [2, 20])
    for classifier in classifiers(2, 1, OPTIONS).values():
        assert classifier.fit(features, labels).predict(features).shape == (22,)


def test_every_matrix_has_every_measure(values):
    counts = values.groupby(["classes", "index"])["value"].count()
    assert set(counts) == {4 * 2 * 2 * 5}
    assert set(counts.loc[2].index) == set(TWO_CLASS_NAMES)
    assert set(counts.loc[3].index) == set(MULTICLASS_NAMES)


def test_precision_moves_with_the_ratio_and_the_invariant_metrics_do_not(values):
    moved = variability(values)
    found = findings(moved, minima(values), lost_classes(values)).set_index("finding")
    assert found.loc["Precision changes most of the six", ["holds", "of"]].tolist() == [1, 1]
    sd = moved.query("classes == 2").set_index("index")["sd"]
    assert sd["precision"] > 5 * sd["balanced_accuracy"]


def test_without_a_class_g_mean_is_zero_and_acsa_is_not(toy, values):
    after = losses(values, measure_values(with_a_lost_class(toy))).set_index("index")["after"]
    assert after["g_mean"] == 0
    assert 0.5 < after["acsa"] < 2 / 3
