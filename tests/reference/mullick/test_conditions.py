"""The three conditions for up to four classes, searched less thoroughly than in the study."""

import pytest

from skewproof.multiclass.search import Search
from skewproof_studies.mullick.conditions.table import conditions_table
from skewproof_studies.mullick.paper import MULTICLASS, STATED_CONDITIONS


@pytest.fixture(scope="module")
def table():
    return conditions_table([2, 3, 4], search=Search(seed=1, samples=300, starts=1))


def test_every_statement_of_the_paper_is_met(table):
    comparable = table.dropna(subset="agrees")
    assert comparable["agrees"].all()
    met = set(zip(comparable["scope"], comparable["index"], comparable["condition"], strict=True))
    expected = {
        (*key, condition) for key, verdicts in STATED_CONDITIONS.items() for condition in verdicts
    }
    assert met == expected


def test_for_four_classes_nothing_contradicts_what_is_proven_for_three(table):
    first = table[(table["scope"] == MULTICLASS) & (table["condition"] == 1)]
    by_classes = first.pivot(index="index", columns="classes", values="satisfied")
    proven = by_classes[3] == True  # noqa: E712
    assert by_classes.loc[proven, 4].isna().all()
    assert (by_classes.loc[~proven, 4] == False).all()  # noqa: E712


def test_which_indices_fail_condition_3_and_condition_2_at_equal_sizes_only(table):
    third = table[(table["condition"] == 3) & (table["sizes"] == "any")]
    satisfied = third.groupby("index")["satisfied"].any()
    assert set(satisfied.index[~satisfied]) == {
        *("g_mean", "accuracy", "average_accuracy", "kappa_n", "macro_f1"),
        "quadratic_weighted_kappa",
    }
    second = table[(table["condition"] == 2) & (table["scope"] == MULTICLASS)]
    wide = second.groupby(["index", "sizes"])["satisfied"].all().unstack()
    differing = wide.index[wide["any"] & ~wide["equal"]]
    assert set(differing) == {"nauroc_ova", "mcc", "cohen_kappa", "linear_weighted_kappa"}
