import pytest

from skewproof.practice.curves.areas.area import check_options, entry_of
from skewproof.practice.curves.areas.precision_recall import average_precision
from skewproof.practice.curves.areas.roc import auc

ENTRIES = {auc: 1, average_precision: 2}


def test_the_entry_of_an_area():
    assert entry_of(average_precision, ENTRIES) == 2


@pytest.mark.parametrize(
    ("area", "given"),
    [(max, "max"), ("auc", "'auc'"), (None, "None"), ([auc], r"\[<function auc"), (dict, "dict")],
)
def test_another_is_refused_with_those_that_there_are(area, given):
    with pytest.raises(ValueError, match=f"area = {given}.*: expected one of auc, average_precis"):
        entry_of(area, ENTRIES)


def test_an_unhashable_callable_is_refused():
    class Unhashable:
        __hash__ = None

        def __call__(self):
            """Take nothing."""

    with pytest.raises(ValueError, match="area = <"):
        entry_of(Unhashable(), ENTRIES)


def test_options_that_a_function_has_not():
    def term(positives, *, max_fpr=0.1, target="1:1"):
        """Take two options."""

    check_options(auc, term, {"max_fpr": 0.2, "target": "1:2"})
    with pytest.raises(ValueError, match="ties = 1: expected max_fpr or target with auc"):
        check_options(auc, term, {"ties": 1})
    with pytest.raises(ValueError, match="ties = 1: expected no option with auc"):
        check_options(auc, lambda positives: 0, {"ties": 1})
