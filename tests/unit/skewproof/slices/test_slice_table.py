"""Comparisons of slices with all others together, and slices with both classes."""

import pandas as pd

from skewproof.slices.slice_table import read_slices

COUNTS = pd.DataFrame(
    [("a", 3, 2, 1, 4, 5), ("b", 1, 0, 0, 1, 2), ("c", 0, 2, 0, 3, 1), ("d", 2, 0, 1, 0, 0)],
    columns=["shop", "tp", "fp", "fn", "tn", "missing"],
)
"""b has one instance of each class, c no positives and d no negatives."""


def test_slices_are_assessable_that_have_instances_of_both_classes():
    assert read_slices(COUNTS).assessable.tolist() == [True, True, False, False]


def test_all_others_together_are_the_sums_without_the_slice():
    others = read_slices(COUNTS).others()
    for row in range(len(COUNTS)):
        rest = COUNTS.drop(index=row)
        for name in ("tp", "fp", "fn", "tn", "missing"):
            assert getattr(others, name)[row] == rest[name].sum()
        assert others.positives_effective[row] == (rest.tp + rest.fn).sum()
        assert others.negatives_effective[row] == (rest.fp + rest.tn).sum()
