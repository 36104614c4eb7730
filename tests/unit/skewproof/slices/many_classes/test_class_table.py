"""Counts of pairs of labels as arrays."""

import numpy as np
import pandas as pd
import pytest

from skewproof.slices.many_classes.class_table import are_pairs, read_class_slices

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
    slices = read_class_slices(pairs(*ROWS))
    assert slices.labels == ("a", "b", "c")
    assert slices.keys["month"].tolist() == ["May", "June"]
    assert slices.counts.tolist() == [
        [[4, 0, 0], [3, 0, 0], [0, 0, 0]],
        [[0, 0, 0], [0, 0, 0], [0, 0, 5]],
    ]
    assert slices.missing.tolist() == [0, 3]
    assert slices.occurring.tolist() == [[True, True, False], [False, False, True]]


def test_what_is_counted_pair_by_pair():
    assert are_pairs(pairs(*ROWS))
    assert not are_pairs(pd.DataFrame({"tp": [1], "fp": [1], "fn": [1], "tn": [1]}))
    assert not are_pairs([1, 2])


def test_the_whole_is_one_slice_without_keys():
    slices = read_class_slices(pairs(*ROWS).drop(columns="month").drop_duplicates(["true"]))
    assert slices.keys.shape == (1, 0)
    assert slices.total.tolist() == [12]


def test_all_others_together():
    others = read_class_slices(pairs(*ROWS)).others()
    assert others.counts[0].tolist() == [[0, 0, 0], [0, 0, 0], [0, 0, 5]]
    assert others.missing.tolist() == [3, 0]


def test_rates_are_as_sure_as_the_effective_size_says():
    """Effective sizes of the weights 1, 1 and 2, and of 3."""
    weights = pairs(("a", "a", 2, 2.0), ("a", "b", 2, 1.0), ("b", "b", 3, 1.0))
    weights.columns = ["true", "predicted", "count", "effective"]
    slices = read_class_slices(weights)
    kish = 4**2 / (1 + 1 + 4)
    np.testing.assert_allclose(slices.worth[0], [[kish / 2, kish / 2], [0, 1]])


@pytest.mark.parametrize(
    ("counts", "message"),
    [
        (pairs(), "counts have no rows: expected a pair of labels in each"),
        (pairs(*ROWS, ROWS[0]), "two rows have the keys and labels .*'true': 'b'"),
        (pairs(*ROWS, ("May", "b", "b", -1)), "count = -1: expected a number of at least 0"),
        (pairs(*ROWS, ("May", "b", "b", 1e19)), r"count = 1e\+19: expected at most 1e\+12"),
        (pairs(*ROWS, ("May", "b", "b", "x")), "expected a finite count"),
        (pairs(*ROWS, ("May", 1, "b", 1)), "the labels mix numbers .1. and text"),
        (pairs(("May", "a", "a", 1)), "counts have 1 labels: expected at least two classes"),
        (pairs(*ROWS).assign(effective=0), "effective = 0 where count is above 0"),
        (pairs(*ROWS).rename(columns={"month": "value"}), "counts have the key 'value'"),
        (pairs(*ROWS, columns=["count", *COLUMNS[1:]]), "the column 'count' twice"),
    ],
)
@pytest.mark.slow
def test_bad_counts_are_refused(counts, message):
    with pytest.raises(ValueError, match=message):
        read_class_slices(counts, reserved=("value",))
