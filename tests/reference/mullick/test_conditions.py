"""The three conditions for up to four classes, searched as thoroughly as in the study."""

import pytest

from skewproof.multiclass import MEASURES
from skewproof.multiclass.search import Search
from skewproof.studies.mullick.condition_table import conditions_table
from skewproof.studies.mullick.statements import MULTICLASS, STATED_CONDITIONS


@pytest.fixture(scope="module")
def table():
    return conditions_table([2, 3, 4], search=Search(seed=1))


def test_every_statement_of_the_paper_is_met(table):
    comparable = table.dropna(subset="agrees")
    assert comparable["agrees"].all()
    met = set(zip(comparable["scope"], comparable["index"], comparable["condition"], strict=True))
    expected = {
        (*key, condition) for key, verdicts in STATED_CONDITIONS.items() for condition in verdicts
    }
    assert met == expected


def test_every_measure_is_under_every_condition(table):
    many = table[table["scope"] == MULTICLASS]
    counts = many.groupby("index")["condition"].value_counts().unstack()
    assert set(counts.index) == set(MEASURES)
    assert (counts[1] == 2).all()
    assert (counts[2] == 3).all()
    assert (counts[3] == 2).all()


def test_for_four_classes_nothing_contradicts_what_is_proven_for_three(table):
    first = table[(table["scope"] == MULTICLASS) & (table["condition"] == 1)]
    by_classes = first.pivot(index="index", columns="classes", values="satisfied")
    proven = by_classes[3] == True  # noqa: E712
    assert by_classes.loc[proven, 4].isna().all()
    assert (by_classes.loc[~proven, 4] == False).all()  # noqa: E712
