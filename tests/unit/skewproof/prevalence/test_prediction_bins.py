from collections import Counter
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from skewproof.core.confusion import ConfusionMatrix
from skewproof.prevalence.prediction_bins import bin_columns, bin_scores
from skewproof.prevalence.prevalence import Prevalence
from written import check_refusals

RANDOM = np.random.default_rng(5)
NAMES = np.array(["cat", "dog", "owl"])


def scores(sizes):
    """Draw labels and scores, of which that of the true class is higher."""
    true = np.repeat(np.arange(3), sizes)
    columns = RANDOM.normal(size=(true.size, 3))
    columns[np.arange(true.size), true] += 1.5
    return NAMES[true], columns


TRUE, KNOWN = scores([60, 90, 300])
_, SCORES = scores([500, 20, 10])

PAIR = np.repeat([1, 0], [150, 900])
PAIR_KNOWN = RANDOM.normal(size=1050) + 2 * PAIR
PAIR_SCORES = RANDOM.normal(size=4000)


def bins_of(kind):
    """Return bins, with true classes, predicted classes and scores of labeled instances."""
    if kind == "columns":
        bins = bin_columns(TRUE, KNOWN, labels=None).with_scores(SCORES)
        codes = np.searchsorted(NAMES, TRUE)
        return bins, codes, KNOWN.argmax(axis=1), KNOWN.max(axis=1)
    bins = bin_scores(PAIR, PAIR_KNOWN, threshold=1.2, pos_label=1).with_scores(PAIR_SCORES)
    return bins, 1 - PAIR, np.where(PAIR_KNOWN >= 1.2, 0, 1), PAIR_KNOWN


@pytest.mark.parametrize("kind", ["columns", "single score"])
def test_every_instance_is_in_the_cell_of_its_predicted_class_and_bin(kind):
    bins, true, predicted, known = bins_of(kind)
    expected = Counter(
        (row, column, sum(score >= cut for cut in bins.cuts[column]))
        for row, column, score in zip(
            true.tolist(), predicted.tolist(), known.tolist(), strict=True
        )
    )
    counted = {
        (row, column, position): count
        for row, columns in enumerate(bins.labeled)
        for column, counts in enumerate(columns)
        for position, count in enumerate(counts)
    }
    assert {cell: count for cell, count in counted.items() if count} == expected
    assert bins.rates.sum(axis=1) == pytest.approx(np.ones(len(bins.classes)))
    assert bins.matrix.sum(axis=1).tolist() == np.bincount(true).tolist()


def test_unlabeled_instances_are_counted_in_the_same_cells():
    bins, *_ = bins_of("columns")
    assert bins.predicted == tuple(np.bincount(SCORES.argmax(axis=1)).tolist())
    assert bins.total == 530
    pair, *_ = bins_of("single score")
    assert pair.predicted == (np.sum(PAIR_SCORES >= 1.2), np.sum(PAIR_SCORES < 1.2))
    counts = np.histogram(PAIR_SCORES, [-np.inf, *pair.edges, np.inf])[0]
    assert pair.rising[2].tolist() == counts.tolist()
    assert pair.with_counts(counts.tolist()) == pair


@pytest.mark.parametrize(("kind", "number"), [("columns", 2), ("single score", 3)])
def test_bins_of_a_predicted_class_weigh_alike_with_all_classes_counted_alike(kind, number):
    bins, *_ = bins_of(kind)
    smallest = bins.matrix.sum(axis=1).min()
    for column in bins.columns:
        weights = (column[:-1] / bins.matrix.sum(axis=1, keepdims=True)).sum(axis=0)
        assert len(weights) == number
        assert weights == pytest.approx(weights.mean(), abs=2 / smallest)


def test_few_distinct_scores_have_few_bins():
    bins = bin_scores([1, 1, 0, 0], [0.9, 0.1, 0.9, 0.1], threshold=0.5, pos_label=1)
    bins = bins.with_scores([0.9, 0.1, 0.5])
    assert bins.edges == (0.5,)
    assert bins.labeled == (((1,), (1,)), ((1,), (1,)))
    assert bins.unlabeled == ((2,), (1,))
    columns = bin_columns(TRUE, np.eye(3)[KNOWN.argmax(axis=1)], labels=None)
    assert columns.cuts == ((), (), ())


def test_labels_name_the_columns():
    order = [2, 0, 1]
    bins = bin_columns(TRUE, KNOWN[:, order], labels=NAMES[order].tolist())
    expected = bin_columns(TRUE, KNOWN, labels=None)
    assert bins.classes == ("owl", "cat", "dog")
    assert np.array_equal(bins.matrix, expected.matrix[np.ix_(order, order)])


def test_counts_without_scores_are_those_of_predictions():
    bins, *_ = bins_of("single score")
    (tp, fn), (fp, tn) = bins.matrix.tolist()
    matrix = ConfusionMatrix(tp=tp, fp=fp, fn=fn, tn=tn)
    called, total = bins.predicted[0], bins.total
    at = Prevalence.from_predictions(matrix, called=called, total=total)
    assert bins.without_scores == at.bins
    assert Prevalence.from_bins(bins.without_scores) == at
    with pytest.raises(ValueError, match="expected unlabeled instances"):
        Prevalence.from_bins(bins._replace(unlabeled=()))


def test_refusals_are_those_that_are_written():
    unknown, no_owls = np.where(np.isnan(KNOWN), 0, np.nan), KNOWN * [1, 1, 0] - [0, 0, 99]
    columns = [
        (TRUE, KNOWN[:, :2], SCORES, None),
        (TRUE, KNOWN, SCORES[:, :2], None),
        (TRUE, KNOWN, SCORES[:0], None),
        (TRUE[:-1], KNOWN, SCORES, None),
        (TRUE, unknown, SCORES, None),
        (TRUE, no_owls, SCORES, None),
        (TRUE, KNOWN, SCORES, ["cat", "dog", "elk"]),
    ]
    single = [
        ([1, 1], [0.1, 0.9], [0.5], 0.5),
        ([1, 0], [0.1, 0.9, 1], [0.5], 0.5),
        ([1, 0], [0.1, 0.9], [], 0.5),
        ([1, 0], [0.1, np.inf], [0.5], 0.5),
        ([1, 0], [0.1, 0.9], [0.5, np.nan], 0.5),
        ([1, 0], [0.1, 0.9], [0.5], 2),
    ]

    def of_columns(true, known, scores, labels):
        return bin_columns(true, known, labels=labels).with_scores(scores)

    def of_single_scores(true, known, scores, threshold):
        return bin_scores(true, known, threshold=threshold, pos_label=1).with_scores(scores)

    calls = [partial(of_columns, *case) for case in columns]
    calls += [partial(of_single_scores, *case) for case in single]
    check_refusals(Path(__file__).with_name("prediction_bins_refusals.txt"), calls)
