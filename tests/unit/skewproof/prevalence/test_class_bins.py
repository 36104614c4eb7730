from collections import Counter

import numpy as np
import pytest

from skewproof.prevalence.class_bins import bin_classes

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


def test_every_instance_is_in_the_cell_of_its_predicted_class_and_bin():
    bins = bin_classes(TRUE, KNOWN, labels=None).with_scores(SCORES)
    assert bins.classes == ("cat", "dog", "owl")
    expected = Counter(
        (NAMES.tolist().index(true), int(row.argmax()), int(row.max() >= bins.cuts[row.argmax()]))
        for true, row in zip(TRUE, KNOWN, strict=True)
    )
    for position, count in np.ndenumerate(np.array(bins.labeled)):
        assert count == expected[position]
    unlabeled = Counter(
        (int(row.argmax()), int(row.max() >= bins.cuts[row.argmax()])) for row in SCORES
    )
    for position, count in np.ndenumerate(np.array(bins.unlabeled)):
        assert count == unlabeled[position]
    assert bins.total == 530
    assert bins.predicted == tuple(np.bincount(SCORES.argmax(axis=1)).tolist())
    assert bins.matrix.sum(axis=1).tolist() == [60, 90, 300]
    assert bins.rates.sum(axis=(1, 2)) == pytest.approx([1, 1, 1])


def test_both_bins_of_a_predicted_class_weigh_alike_with_all_classes_counted_alike():
    rates = bin_classes(TRUE, KNOWN, labels=None).rates
    weights = rates.sum(axis=0)
    assert weights[:, 0] == pytest.approx(weights[:, 1], abs=2 / 60)


def test_labels_name_the_columns():
    order = [2, 0, 1]
    bins = bin_classes(TRUE, KNOWN[:, order], labels=NAMES[order].tolist())
    expected = bin_classes(TRUE, KNOWN, labels=None)
    assert bins.classes == ("owl", "cat", "dog")
    assert np.array_equal(bins.matrix, expected.matrix[np.ix_(order, order)])


@pytest.mark.parametrize(
    ("true", "known", "unlabeled", "labels", "message"),
    [
        (TRUE, KNOWN[:, :2], SCORES, None, "expected a column for each class: cat, dog, owl"),
        (TRUE, KNOWN, SCORES[:, :2], None, "scores = .*expected a column for each class"),
        (TRUE, KNOWN, SCORES[:0], None, "scores"),
        (TRUE[:-1], KNOWN, SCORES, None, "expected .*equal length"),
        (TRUE, np.where(np.isnan(KNOWN), 0, np.nan), SCORES, None, "reference_scores"),
        (TRUE, KNOWN * [1, 1, 0] - [0, 0, 99], SCORES, None, "predicted class is 'owl'"),
        (TRUE, np.eye(3)[KNOWN.argmax(axis=1)], SCORES, None, "scores that differ among .*'cat'"),
        (TRUE, KNOWN, SCORES, ["cat", "dog", "elk"], "expected"),
    ],
)
def test_what_cannot_be_binned_is_refused(true, known, unlabeled, labels, message):
    with pytest.raises(ValueError, match=message):
        bin_classes(true, known, labels=labels).with_scores(unlabeled)
