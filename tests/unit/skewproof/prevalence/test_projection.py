import numpy as np
import pytest

from known_values import INVARIANT
from skewproof.core.confusion import ConfusionMatrix
from skewproof.metrics import METRICS
from skewproof.multiclass.matrix import MulticlassConfusionMatrix
from skewproof.prevalence.prevalence import Prevalence
from skewproof.prevalence.projection import project

MATRIX = ConfusionMatrix(tp=80, fp=30, fn=20, tn=70)


def test_rates_stay_and_sizes_change():
    there = project(MATRIX, at="1:1000")
    assert (there.tpr, there.fpr) == (MATRIX.tpr, MATRIX.fpr)
    assert (there.positives, there.negatives) == (100, 100_000)
    assert float(there.ppv) == pytest.approx(80 / (80 + 30_000))


def test_a_precision_by_hand():
    """0.8 at balance; 0.0027 where one in a thousand is positive."""
    assert float(project(MATRIX, at="1:1000").ppv) == pytest.approx(0.0026596, abs=1e-7)


def test_metrics_of_the_rates_stay():
    there = project(MATRIX, at="1:1000")
    for key in INVARIANT:
        assert METRICS[key](there) == pytest.approx(float(METRICS[key](MATRIX))), key


def test_there_and_back():
    there = project(MATRIX, at="7:3")
    back = project(there, at="1:1")
    assert [back.tp, back.fp, back.fn, back.tn] == pytest.approx([80, 30, 20, 70])


def test_arrays():
    matrix = ConfusionMatrix.from_tp_fp(
        np.arange(5), np.arange(4)[:, np.newaxis], positives=5, negatives=10
    )
    there = project(matrix, at="1:100")
    np.testing.assert_allclose(there.negatives, 500)
    np.testing.assert_allclose(there.fpr, np.broadcast_to(matrix.fpr, (4, 5)))


@pytest.mark.parametrize(
    ("matrix", "at", "message"),
    [
        (ConfusionMatrix(tp=0, fp=3, fn=0, tn=7), "1:10", "the matrix has no positives"),
        (ConfusionMatrix(tp=3, fp=0, fn=7, tn=0), "1:10", "the matrix has no negatives"),
        (MATRIX, "1:0", "expected a quoted"),
    ],
)
def test_bad_input_is_refused(matrix, at, message):
    with pytest.raises(ValueError, match=message):
        project(matrix, at=at)


def test_one_empty_class_among_many_is_refused():
    matrices = ConfusionMatrix(tp=[5.0, 0.0], fp=[1.0, 1.0], fn=[5.0, 0.0], tn=[9.0, 9.0])
    with pytest.raises(ValueError, match="the matrix has no positives"):
        project(matrices, at="1:10")


def test_weights_may_add_up_to_less_than_one():
    weighted = ConfusionMatrix(tp=0.2, fp=0.1, fn=0.3, tn=0.4, effective=(5.0, 5.0))
    there = project(weighted, at="1:10")
    assert [there.tp, there.fp, there.fn, there.tn] == pytest.approx([0.2, 1, 0.3, 4])


def test_large_and_small_counts_are_projected():
    there = project(ConfusionMatrix(tp=1e40, fp=3e40, fn=3e40, tn=1e40), at="1:1000")
    expected = [1e40, 3e43, 3e40, 1e43]
    assert [there.tp, there.fp, there.fn, there.tn] == pytest.approx(expected, rel=1e-15)
    weighted = ConfusionMatrix(tp=1e-300, fp=3e-300, fn=3e-300, tn=1e-300, effective=(9.0, 9.0))
    tiny = project(weighted, at="1:10")
    assert tiny.fp == pytest.approx(3e-299, rel=1e-15)


@pytest.mark.parametrize(
    ("matrix", "message"),
    [
        (
            ConfusionMatrix(tp=1e49, fp=1, fn=1, tn=1),
            r"has a count of 5e\+51 at 1:1000: expected counts of at",
        ),
        (ConfusionMatrix(tp=np.nan, fp=1, fn=1, tn=1), "has an undefined number of positives"),
        (ConfusionMatrix(tp=1, fp=1, fn=1, tn=[1, np.nan]), "has an undefined number of negatives"),
    ],
)
def test_counts_that_are_too_large_there_or_undefined_are_refused(matrix, message, recwarn):
    with pytest.raises(ValueError, match=message):
        project(matrix, at="1:1000")
    assert not recwarn.list


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


@pytest.mark.parametrize(
    ("matrix", "at", "message"),
    [
        (PETS, 0.1, "expected a number for each class by name: cat, dog, owl"),
        (PETS, "test set", "at = 'test set': expected a stated prevalence of each class by name"),
        (PETS, Prevalence.sampled({"cat": 1, "dog": 2, "owl": 3}), "expected a stated prevalence"),
        (
            MulticlassConfusionMatrix([[1, 0], [0, 0]]),
            {0: 0.5, 1: 0.5},
            "the matrix has no instances of the class 1: expected instances of each",
        ),
    ],
)
def test_many_classes_are_projected_to_stated_prevalences_only(matrix, at, message):
    with pytest.raises(ValueError, match=message):
        project(matrix, at=at)
