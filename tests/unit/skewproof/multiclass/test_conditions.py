"""The three conditions for the paper's measures and for a user's own."""

import numpy as np
import pytest

from skewproof.core.extras import MissingExtraError
from skewproof.multiclass.conditions import (
    class_sizes_matter,
    condition_1,
    condition_2,
    condition_3,
)
from skewproof.multiclass.lookup import MEASURES
from skewproof.multiclass.matrix import MulticlassConfusionMatrix
from skewproof.multiclass.missed import limit_of_a_missed_class
from skewproof.multiclass.search import Search

QUICK = Search(samples=300, starts=1)
SATISFY_CONDITION_1 = {"g_mean", "acsa", "auroc_ovo", "maurpc_ova"}


def lowest_recall(matrix):
    return matrix.recalls.min(axis=-1)


@pytest.mark.parametrize("key", ["accuracy", "mcc", "macro_f1", "auroc_ova"])
@pytest.mark.parametrize("classes", [3, 5])
@pytest.mark.slow
def test_a_counterexample_is_one(key, classes):
    measure = MEASURES[key]
    found = condition_1(measure, classes, search=QUICK)
    assert found.satisfied is False
    assert found.proof == ""
    worst = found.worst
    before = measure(MulticlassConfusionMatrix(worst.rates))
    after = measure(MulticlassConfusionMatrix(worst.rates * worst.factors[:, np.newaxis]))
    assert (before, after) == pytest.approx((worst.before, worst.after))
    assert abs(before - after) > 0.1


@pytest.mark.slow
def test_a_proof_is_of_rates_alone():
    found = condition_1(MEASURES["g_mean"], 3, search=QUICK)
    assert found.satisfied is True
    assert found.proof == "r11**(1/3)*r22**(1/3)*(-r31 - r32 + 1)**(1/3)"


def test_for_four_classes_there_is_no_proof():
    found = condition_1(MEASURES["acsa"], 4, search=QUICK)
    assert (found.satisfied, found.proof) == (None, "")


@pytest.mark.slow
def test_conditions_print_their_answers():
    """Accuracy can be any of the recalls: the largest change is nearly from 1/3 to 1."""
    assert repr(condition_1(MEASURES["accuracy"], 3)).splitlines() == [
        "Condition 1, invariance to scaled rows",
        "satisfied: no, with a counterexample",
        "largest change found: 0.3333 to 1, rows scaled by [1.e-03 1.e+03 1.e-03]",
    ]
    proved = repr(condition_1(MEASURES["acsa"], 3, search=QUICK))
    assert "satisfied: yes, with a proof\nproof: r11/3 + r22/3 - r31/3 - r32/3 + 1/3\n" in proved
    assert "satisfied: unknown\n" in repr(condition_1(MEASURES["acsa"], 4, search=QUICK))
    assert repr(condition_2(MEASURES["acsa"], [2, 3])).splitlines() == [
        "Condition 2, bounds independent of the number of classes",
        "satisfied: yes",
        "satisfied at equal sizes: yes",
        "bounds for 2 classes: 0 to 1 (exact), 0 to 1 at equal sizes",
        "bounds for 3 classes: 0 to 1 (exact), 0 to 1 at equal sizes",
    ]
    found = condition_3(MEASURES["acsa"], 3, lower_bound=0, search=QUICK)
    assert repr(found).splitlines() == [
        "Condition 3, a missed class above the lower bound",
        "satisfied: yes, as far as a search tells",
        f"lowest value found: 0.6667, where class {found.worst.missed} is missed",
        f"class sizes: {found.worst.sizes}",
    ]


@pytest.mark.slow
def test_condition_1_on_a_measure_of_ones_own():
    def last_share(matrix):
        return matrix.predicted_sizes[..., -1] / matrix.total

    # No SymPy expression, and no counterexample.
    assert condition_1(lowest_recall, 3, search=QUICK).satisfied is None
    assert condition_1(last_share, 3, search=QUICK).satisfied is False


@pytest.mark.slow
def test_condition_2_compares_the_bounds():
    same = condition_2(MEASURES["acsa"], [2, 3, 4])
    assert same.satisfied
    assert set(same.bounds) == {2, 3, 4}
    rising = condition_2(MEASURES["auroc_ovo"], [2, 3])
    assert not rising.satisfied
    assert [each.widest.low for each in rising.bounds.values()] == pytest.approx([0, 1 / 4])


@pytest.mark.slow
def test_the_lowest_kappa_of_three_equal_classes_by_hand():
    # Without hits accuracy is 0, and with equal rows chance agrees in 1/3: (0 - 1/3)/(1 - 1/3).
    found = condition_2(MEASURES["cohen_kappa"], [2, 3], search=QUICK)
    assert found.bounds[3].balanced.low == pytest.approx(-1 / 2)
    assert found.bounds[2].balanced.low == pytest.approx(-1)


@pytest.mark.slow
def test_condition_3_compares_the_limit_with_the_lower_bound():
    missed = condition_3(MEASURES["acsa"], 4, lower_bound=0, search=QUICK)
    assert (missed.satisfied, missed.limit) == (True, pytest.approx(3 / 4))
    missed = condition_3(lowest_recall, 3, lower_bound=0, search=QUICK)
    assert (missed.satisfied, missed.limit) == (False, pytest.approx(0))


@pytest.mark.parametrize("classes", [3, 5])
@pytest.mark.slow
def test_limits_of_theorem_5(classes):
    sizes = np.random.default_rng(classes).integers(1, 100, classes)
    assert limit_of_a_missed_class(MEASURES["g_mean"], sizes) == pytest.approx(0, abs=1e-15)
    limit = limit_of_a_missed_class(MEASURES["acsa"], sizes)
    assert limit == pytest.approx((classes - 1) / classes)
    limit = limit_of_a_missed_class(MEASURES["maurpc_ova"], sizes)
    assert limit > 3 * (classes - 1) / (4 * classes)  # Eq. 28


@pytest.mark.slow
@pytest.mark.parametrize("key", sorted(MEASURES))
def test_class_sizes_matter_where_no_proof_says_that_they_do_not(key):
    known = (True, "counterexample")
    if key in SATISFY_CONDITION_1:
        known = (False, "proof")
        assert condition_1(MEASURES[key], 3, search=QUICK).proof
    assert class_sizes_matter(MEASURES[key], 3) == known
    assert class_sizes_matter(MEASURES[key], 7) == known


@pytest.mark.parametrize("key", ["acsa", "accuracy"])
def test_of_very_many_classes_only_counterexamples_are_exact(key):
    known = {"acsa": (False, "search"), "accuracy": (True, "counterexample")}[key]
    assert class_sizes_matter(MEASURES[key], 12) == known


def test_functions_of_floats_are_searched():
    """A minimum of symbols is not a formula, and a weight of 0.1 is not an exact number."""

    def weighted(matrix):
        return 0.1 * matrix.recalls.sum(axis=-1)

    def rounded(matrix):
        return np.asarray(matrix.hits.sum(axis=-1) / matrix.total, dtype=float)

    assert class_sizes_matter(lowest_recall, 3) == (False, "search")
    assert class_sizes_matter(weighted, 3) == (False, "search")
    assert class_sizes_matter(rounded, 3) == (True, "search")


def test_without_sympy_class_sizes_are_searched(monkeypatch):
    class Missing:
        def __getattr__(self, name):
            raise MissingExtraError(name)

    monkeypatch.setattr("skewproof.multiclass.conditions.sympy", Missing())
    assert class_sizes_matter(MEASURES["acsa"], 3) == (False, "search")
    assert class_sizes_matter(MEASURES["accuracy"], 3) == (True, "search")
