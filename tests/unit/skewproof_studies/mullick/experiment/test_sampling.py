"""Numbers and choice of the instances for training and testing."""

import numpy as np
import pytest

from skewproof_studies.mullick.experiment.sampling import (
    drawn,
    settings,
    sizes_in_test,
    sizes_in_training,
)


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
