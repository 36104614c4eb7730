from functools import partial
from pathlib import Path

import numpy as np
import pytest

from skewproof.core.confusion import ConfusionMatrix
from skewproof.multiclass.matrix import MulticlassConfusionMatrix
from skewproof.prevalence.prevalence import Prevalence
from skewproof.prevalence.projection import project
from written import check_refusals

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


@pytest.mark.filterwarnings("error")
def test_refusals_are_those_that_are_written():
    one_empty = ConfusionMatrix(tp=[5.0, 0.0], fp=[1.0, 1.0], fn=[5.0, 0.0], tn=[9.0, 9.0])
    cases = [
        (ConfusionMatrix(tp=0, fp=3, fn=0, tn=7), "1:10"),
        (ConfusionMatrix(tp=3, fp=0, fn=7, tn=0), "1:10"),
        (one_empty, "1:10"),
        (MATRIX, "1:0"),
        (ConfusionMatrix(tp=1e49, fp=1, fn=1, tn=1), "1:1000"),
        (ConfusionMatrix(tp=np.nan, fp=1, fn=1, tn=1), "1:10"),
        (ConfusionMatrix(tp=1, fp=1, fn=1, tn=[1, np.nan]), "1:10"),
        (PETS, 0.1),
        (PETS, "test set"),
        (PETS, Prevalence.sampled({"cat": 1, "dog": 2, "owl": 3})),
        (MulticlassConfusionMatrix([[1, 0], [0, 0]]), {0: 0.5, 1: 0.5}),
    ]
    calls = [partial(project, matrix, at=at) for matrix, at in cases]
    check_refusals(Path(__file__).with_name("projection_refusals.txt"), calls)
