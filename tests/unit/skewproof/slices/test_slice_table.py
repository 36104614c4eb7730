"""Counts of slices as arrays, from cells and from pairs of labels."""

import numpy as np
import pandas as pd
import pytest

from skewproof.slices.slice_table import read_slices

CELLS = pd.DataFrame(
    [("a", 3, 2, 1, 4, 5), ("b", 1, 0, 0, 1, 2), ("c", 0, 2, 0, 3, 1), ("d", 2, 0, 1, 0, 0)],
    columns=["shop", "tp", "fp", "fn", "tn", "missing"],
)
"""b has one instance of each class, c no positives and d no negatives."""


@pytest.mark.parametrize(
    ("labels", "has_positive_class"),
    [((0, 1), True), (("0", "1"), True), (("negative", "positive"), True), (("a", "b"), False)],
)
def test_the_positive_class_of_two_is_the_first(labels, has_positive_class):
    rows = [("May", labels[0], labels[1], 3), ("May", labels[1], labels[1], 4)]
    slices = read_slices(pairs(*rows))
    assert slices.has_positive_class == has_positive_class
    assert slices.labels == (labels[::-1] if has_positive_class else labels)


def test_all_others_together_are_the_sums_without_the_slice():
    others = read_slices(CELLS).others()
    for row in range(len(CELLS)):
        rest = CELLS.drop(index=row)
        cells = [[rest.tp.sum(), rest.fn.sum()], [rest.fp.sum(), rest.tn.sum()]]
        assert others.counts[row].tolist() == cells
        assert others.worth[row].sum(axis=-1) == pytest.approx(np.sum(cells, axis=1))
        assert others.missing[row] == rest.missing.sum()


COLUMNS = ["month", "true", "predicted", "count"]
ROWS = [
    ("May", "b", "a", 3),
    ("May", "a", "a", 4),
    ("June", "c", "c", 5),
    ("June", None, "c", 2),
    ("June", "a", None, 1),
]


def pairs(*rows, columns=COLUMNS):
    return pd.DataFrame(list(rows), columns=columns)


def test_counts_by_slice_and_label():
    slices = read_slices(pairs(*ROWS))
    assert slices.labels == ("a", "b", "c")
    assert slices.keys["month"].tolist() == ["May", "June"]
    assert slices.counts.tolist() == [
        [[4, 0, 0], [3, 0, 0], [0, 0, 0]],
        [[0, 0, 0], [0, 0, 0], [0, 0, 5]],
    ]
    assert slices.missing.tolist() == [0, 3]
    assert slices.occurring.tolist() == [[True, True, False], [False, False, True]]
