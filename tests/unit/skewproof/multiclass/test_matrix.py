"""The confusion matrix of any number of classes."""

from pathlib import Path

import numpy as np
import pytest

from skewproof.multiclass.matrix import MulticlassConfusionMatrix
from written import check_written, refusals

NO_COUNTS = [[1, 2], [[1, 2, 3], [4, 5, 6]], [[1]], [[1, -2], [3, 4]], [[1, np.inf], [3, 4]]]


def test_what_is_no_matrix_is_refused():
    check_written(
        Path(__file__).with_name("no_matrices.txt"),
        counts=refusals(MulticlassConfusionMatrix, NO_COUNTS),
        labels=refusals(
            lambda labels: MulticlassConfusionMatrix(np.ones((3, 3)), labels),
            [["a", "b"], ["a", "b", "a"], "abcd"],
        ),
        pair=refusals(lambda classes: MulticlassConfusionMatrix(np.eye(classes)).pair, [3]),
    )


def test_rates_times_sizes_are_the_counts():
    counts = np.array([[[3.0, 1], [1, 7]], [[2, 2], [6, 2]]])
    matrix = MulticlassConfusionMatrix(counts)
    np.testing.assert_allclose(matrix.rates.counts[0], [[3 / 4, 1 / 4], [1 / 8, 7 / 8]])
    again = MulticlassConfusionMatrix.from_rates(matrix.rates.counts, matrix.class_sizes)
    np.testing.assert_allclose(again.counts, counts)


def test_each_class_against_all_others():
    matrix = MulticlassConfusionMatrix([[5, 1, 2], [0, 6, 3], [1, 0, 9]])
    pairs = matrix.one_vs_all
    assert pairs.tp.tolist() == [5, 6, 9]
    assert pairs.fn.tolist() == [3, 3, 1]
    assert pairs.fp.tolist() == [1, 1, 5]
    assert pairs.tn.tolist() == [18, 17, 12]


def test_the_first_of_two_classes_is_the_positive_one():
    pair = MulticlassConfusionMatrix([[5, 1], [2, 8]]).pair
    assert (pair.tp, pair.fn, pair.fp, pair.tn) == (5, 1, 2, 8)


def test_a_small_class_beside_a_large_one_keeps_its_digits():
    small = 3e-13
    pairs = MulticlassConfusionMatrix([[1, 0, 0], [small, 0, 0], [0, small, 0]]).one_vs_all
    assert pairs.fp.tolist() == [small, small, 0]
    assert pairs.tn[0] == pytest.approx(small, rel=1e-12)


def test_names_are_kept():
    matrix = MulticlassConfusionMatrix.from_labels(list("bbac"), list("baac"))
    assert matrix.labels == ("a", "b", "c")
    assert matrix.rates.labels == ("a", "b", "c")
    assert MulticlassConfusionMatrix.from_labels([5, 3], [3, 3], labels=[5, 3]).labels == (5, 3)
    assert MulticlassConfusionMatrix(np.ones((2, 3, 3))).labels == (0, 1, 2)


def test_a_matrix_is_shown_as_a_table():
    matrix = MulticlassConfusionMatrix([[80, 15], [0, 5]], labels=["cat", "dog"])
    rows = [line.split() for line in repr(matrix).splitlines()]
    assert rows == [["predicted", "cat", "dog"], ["true"], ["cat", "80", "15"], ["dog", "0", "5"]]
    assert "<td>80</td>" in matrix._repr_html_()
    assert "0.842105" in repr(matrix.rates)


@pytest.mark.slow
def test_many_classes_are_cut_and_many_matrices_counted():
    assert len(repr(MulticlassConfusionMatrix(np.ones((500, 500))))) < 2000
    matrices = MulticlassConfusionMatrix(np.ones((4, 3, 3)))
    assert repr(matrices) == "matrices of 3 classes, of the shape (4,)"
    assert matrices._repr_html_() is None
