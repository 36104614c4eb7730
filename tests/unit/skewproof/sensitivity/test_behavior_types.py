from itertools import product

import pandas as pd
import pytest

from skewproof.sensitivity.behavior_types import behavior_type, behavior_types, type_names


@pytest.mark.parametrize("levels", range(1, 7))
def test_the_type_says_which_of_the_last_levels_differ(levels):
    for rejected in map(list, product([False, True], repeat=levels)):
        count = sum(rejected)
        expected = {0: 5, levels: 1}.get(count, f"last {count} of {levels}")
        if levels == 4:
            expected = 5 - count
        if rejected != sorted(rejected):
            expected = "mixed"
        assert behavior_type(rejected) == expected
        assert expected in [*type_names(levels), "mixed"]


def test_no_level_is_refused():
    with pytest.raises(ValueError, match="expected at least one level"):
        behavior_type([])


def test_verdicts_of_both_kinds():
    """P-values and surfaces at 1:10 and 1:2; where no point is defined, nothing moves."""
    levels = ["1:10", "1:2"]
    p_values = {"f1": (0.05, 0.049), "mcc": (0.049, 0.05), "g_mean": (1, 1)}
    sums = {"f1": (1e-10, 10_000), "mcc": (1e-8, 10_000), "g_mean": (0, 0)}
    tests = pd.DataFrame(
        [(key, *row) for key, both in p_values.items() for row in zip(levels, both, strict=True)],
        columns=["metric", "level", "p"],
    )
    deviations = pd.DataFrame(
        [(key, level, *both) for key, both in sums.items() for level in levels],
        columns=["metric", "level", "sigma", "points"],
    )
    assert behavior_types(tests, deviations, alpha=0.05).to_numpy().tolist() == [
        ["f1", "importance", "last 1 of 2"],
        ["mcc", "importance", "mixed"],
        ["g_mean", "importance", 5],
        ["f1", "contour", 5],
        ["mcc", "contour", 1],
        ["g_mean", "contour", 5],
    ]
