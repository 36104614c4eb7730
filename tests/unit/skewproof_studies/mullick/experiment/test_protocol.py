"""The protocol of the experiment: problems, folds and matrices."""

import warnings

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning

from skewproof_studies.mullick.config import CLASS_COUNTS
from skewproof_studies.mullick.experiment.protocol import (
    CELL_COLUMNS,
    DATA_SETS,
    drawn,
    experiment_matrices,
    load_problem,
    problem_sizes,
    settings,
    sizes_in_test,
    sizes_in_training,
    training_and_held_out,
)

QUICK = {"trees": 2, "hidden_units": 2, "iterations": 1, "resamples": 2, "neighbors": 3}
"""Options with which classifiers are fitted quickly, and badly."""


@pytest.fixture(scope="module")
def problems():
    return {
        "two": load_problem("iris", [[2], [1]], 5),
        "three": load_problem("iris", [[2], [1], [0]], 4),
    }


class TestProblems:
    def test_classes_are_numbered_from_the_smallest_and_may_join_labels(self):
        problem = load_problem("wine", [[2], [0, 1]], 6)
        assert np.bincount(problem.labels).tolist() == [48, 59 + 71]
        assert problem.features.shape == (178, 13)

    def test_sizes_between_the_smallest_and_the_largest_class_rise_geometrically(self, problems):
        assert problems["three"].ratios.tolist() == pytest.approx([1, 2, 4])

    @pytest.mark.parametrize("classes", [[[3], [1]], [[1], [1]], [[1], [0, 0]]])
    def test_a_label_that_is_unknown_or_repeated_is_refused(self, classes):
        with pytest.raises(ValueError, match=r"of iris: expected each of 0, 1, 2 at most once"):
            load_problem("iris", classes, 5)


@pytest.mark.parametrize("name", ["two", "three"])
def test_training_has_the_ratios_and_never_what_is_held_out(problems, name):
    problem, tested = problems[name], []
    splits = training_and_held_out(problem, folds=5, seed=1, name="toy", run=1)
    for training, held_out in splits:
        assert not set(training) & set(held_out)
        assert len(set(training)) == len(training)
        sizes = np.bincount(problem.labels[training])
        np.testing.assert_array_equal(sizes, np.rint(sizes[0] * problem.ratios))
        tested.extend(held_out)
    assert sorted(tested) == list(range(len(problem.labels)))


def test_sizes_are_those_of_the_first_fold(problems):
    table = problem_sizes(problems["two"], folds=5, seed=1, name="toy")
    assert table["training"].tolist() == [8, 40]
    assert table["held_out"].tolist() == [10, 10]
    assert table["doubled"].tolist() == [10, 100]


@pytest.mark.slow
def test_every_test_set_has_the_ratio_asked_for(problems):
    protocol = {"folds": 2, "seed": 1, "name": "toy", "run": 1}
    with warnings.catch_warnings(action="ignore", category=ConvergenceWarning):
        matrices = experiment_matrices(problems["two"], QUICK, **protocol)
    assert list(matrices.columns) == CELL_COLUMNS
    sizes = matrices.groupby(["classifier", "fold", "setting", "true"])["count"].sum().unstack()
    assert len(sizes) == 4 * 2 * 5
    for (*_, setting), row in sizes.iterrows():
        expected = sizes_in_test(np.array([25, 25]), settings(problems["two"].ratios)[setting])
        assert row.tolist() == expected.tolist()


def test_the_config_knows_the_labels_of_each_data_set():
    found = {name: len(set(load().target)) for name, load in DATA_SETS.items()}
    assert found == CLASS_COUNTS


class TestSettings:
    def test_two_classes_have_the_five_ratios_of_the_paper(self):
        ratios = [sizes[1] / sizes[0] for sizes in settings(np.array([1.0, 12.0])).values()]
        assert ratios == [1, 0.5, 6, 12, 24]

    def test_more_classes_are_balanced_reversed_halved_kept_and_doubled(self):
        sizes = settings(np.array([1.0, 4.0, 20.0]))
        assert {name: (each / each[0]).tolist() for name, each in sizes.items()} == {
            "balanced": [1, 1, 1],
            "reversed": pytest.approx([1, 1 / 4, 1 / 20]),
            "halved": [1, 2, 10],
            "original": [1, 4, 20],
            "doubled": [1, 8, 40],
        }

    def test_the_smallest_class_of_a_test_set_is_as_large_as_that_of_the_fold(self):
        sizes = sizes_in_test(np.array([36, 30]), np.array([2.0, 1.0]))
        assert sizes.tolist() == [60, 30]

    def test_undersampling_keeps_as_many_as_the_ratios_allow_but_not_one(self):
        assert sizes_in_training(np.array([40, 45]), np.array([1, 20.0])).tolist() == [2, 40]
        with pytest.raises(ValueError, match=r"imbalance_ratio = 30 leaves 1 .* at least 2"):
            sizes_in_training(np.array([40, 45]), np.array([1, 30.0]))


class TestDraws:
    def test_instances_repeat_only_where_more_are_asked_for_than_there_are(self):
        labels = np.repeat([0, 1], [10, 10])
        places = drawn(labels, np.array([10, 30]), np.random.default_rng(1))
        assert np.bincount(labels[places]).tolist() == [10, 30]
        assert len(set(places[labels[places] == 0])) == 10
