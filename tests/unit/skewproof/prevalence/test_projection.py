import numpy as np
import pytest

from skewproof.core.confusion import ConfusionMatrix
from skewproof.multiclass.matrix import MulticlassConfusionMatrix
from skewproof.prevalence.prevalence import Prevalence
from skewproof.prevalence.projection import project

MATRIX = ConfusionMatrix(tp=80, fp=30, fn=20, tn=70)


def test_rates_stay_and_sizes_change():
    there = project(MATRIX, at="1:1000")
    assert (there.tpr, there.fpr) == (MATRIX.tpr, MATRIX.fpr)
    assert (there.positives, there.negatives) == (100, 100_000)
    assert float(there.ppv) == pytest.approx(80 / (80 + 30_000))


def test_large_and_small_counts_are_projected():
    there = project(ConfusionMatrix(tp=1e40, fp=3e40, fn=3e40, tn=1e40), at="1:1000")
    expected = [1e40, 3e43, 3e40, 1e43]
    assert [there.tp, there.fp, there.fn, there.tn] == pytest.approx(expected, rel=1e-15)
    weighted = ConfusionMatrix(tp=1e-300, fp=3e-300, fn=3e-300, tn=1e-300, effective=(9.0, 9.0))
    tiny = project(weighted, at="1:10")
    assert tiny.fp == pytest.approx(3e-299, rel=1e-15)


PETS = MulticlassConfusionMatrix([[8, 2, 0], [1, 4, 0], [0, 3, 2]], ["cat", "dog", "owl"])


def test_many_classes_keep_their_rates_and_the_number_of_instances():
    at = {"owl": 0.5, "cat": 0.1, "dog": 0.4}
    projected = project(PETS, at=at)
    np.testing.assert_allclose(projected.class_sizes, [2, 8, 10])
    np.testing.assert_allclose(projected.rates.counts, PETS.rates.counts)
    assert projected.labels == PETS.labels
    assert projected.origin.matrix is PETS
    again = project(projected, at={"owl": 0.2, "cat": 0.4, "dog": 0.4})
    assert again.origin.matrix is PETS
    np.testing.assert_allclose(again.class_sizes, [8, 8, 4])


ONE_EMPTY = ConfusionMatrix(tp=[5.0, 0.0], fp=[1.0, 1.0], fn=[5.0, 0.0], tn=[9.0, 9.0])
LARGE = ConfusionMatrix(tp=1e49, fp=1, fn=1, tn=1)
LACKING = MulticlassConfusionMatrix([[1, 0], [0, 0]])
STATED = "expected a stated prevalence"


@pytest.mark.parametrize(
    ("matrix", "at", "message"),
    [
        (ConfusionMatrix(tp=0, fp=3, fn=0, tn=7), "1:10", "the matrix has no positives"),
        (ConfusionMatrix(tp=3, fp=0, fn=7, tn=0), "1:10", "the matrix has no negatives"),
        (ONE_EMPTY, "1:10", "the matrix has no positives"),
        (MATRIX, "1:0", "expected a quoted"),
        (LARGE, "1:1000", r"has a count of 5e\+51 at 1:1000: expected counts of at"),
        (ConfusionMatrix(tp=np.nan, fp=1, fn=1, tn=1), "1:10", "an undefined number of positives"),
        (
            ConfusionMatrix(tp=1, fp=1, fn=1, tn=[1, np.nan]),
            "1:10",
            "undefined number of negatives",
        ),
        (PETS, 0.1, "expected a number for each class by name: cat, dog, owl"),
        (PETS, "test set", f"at = 'test set': {STATED} of each class by name"),
        (PETS, Prevalence.sampled({"cat": 1, "dog": 2, "owl": 3}), STATED),
        (LACKING, {0: 0.5, 1: 0.5}, "no instances of the class 1: expected instances of each"),
    ],
)
def test_what_is_not_projected_is_refused(matrix, at, message, recwarn):
    with pytest.raises(ValueError, match=message):
        project(matrix, at=at)
    assert not recwarn.list
