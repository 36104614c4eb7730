import pandas as pd
import pytest

from skewproof.sensitivity.behavior_types import behavior_type, behavior_types, type_names


@pytest.mark.parametrize(
    ("rejected", "expected"),
    [
        ([True, True, True, True], 1),
        ([False, True, True, True], 2),
        ([False, False, True, True], 3),
        ([False, False, False, True], 4),
        ([False, False, False, False], 5),
        ([True, False, True, False], "mixed"),
        ([True, True, True, False], "mixed"),
        ([False, True], "last 1 of 2"),
        ([False] * 4 + [True], "last 1 of 5"),
        ([True, False], "mixed"),
    ],
)
def test_type(rejected, expected):
    assert behavior_type(rejected) == expected


@pytest.mark.parametrize("levels", range(1, 8))
def test_each_name_says_which_of_the_last_levels_differ(levels):
    rejected = [[False] * first + [True] * (levels - first) for first in range(levels + 1)]
    assert [behavior_type(row) for row in rejected] == type_names(levels)
    assert len(set(type_names(levels))) == levels + 1


def test_no_level_is_refused():
    with pytest.raises(ValueError, match="expected at least one level"):
        behavior_type([])


def test_verdicts_of_both_kinds():
    levels = ["1:10", "1:2"]
    p_values = pd.DataFrame(
        [("f1", level, p) for level, p in zip(levels, [0.05, 0.049], strict=True)]
        + [("mcc", level, p) for level, p in zip(levels, [0.049, 0.05], strict=True)],
        columns=["metric", "level", "p"],
    )
    deviations = pd.DataFrame(
        [("f1", level, 1e-10, 10_000) for level in levels]
        + [("mcc", level, 1e-8, 10_000) for level in levels],
        columns=["metric", "level", "sigma", "points"],
    )
    result = behavior_types(p_values, deviations, alpha=0.05)
    assert result.to_numpy().tolist() == [
        ["f1", "importance", "last 1 of 2"],
        ["mcc", "importance", "mixed"],
        ["f1", "contour", 5],
        ["mcc", "contour", 1],
    ]


def test_where_no_point_is_defined_nothing_moves():
    p_values = pd.DataFrame([("f1", "1:2", 1.0)], columns=["metric", "level", "p"])
    columns = ["metric", "level", "sigma", "points"]
    deviations = pd.DataFrame([("f1", "1:2", 0.0, 0)], columns=columns)
    result = behavior_types(p_values, deviations, alpha=0.05)
    assert result["type"].to_list() == [5, 5]
