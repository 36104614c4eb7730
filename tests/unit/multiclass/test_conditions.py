"""The three conditions, on the paper's indices and on one's own."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.optimize import linprog

from skewproof.multiclass import MEASURES, get_measure
from skewproof.multiclass.conditions import (
    condition_1,
    condition_2,
    condition_3,
    lemma_2,
    lemma_3,
    linear_parts,
)
from skewproof.multiclass.matrix import MulticlassConfusionMatrix
from skewproof.studies.mullick.condition_table import (
    COLUMNS,
    PAPER,
    conditions_table,
    lemma_table,
    summarize_conditions,
)

CLASSES = [2, 3, 4]


@pytest.fixture(scope="module")
def table():
    return conditions_table(CLASSES, seed=1)


def test_every_statement_of_the_paper_is_met(table):
    stated = table.dropna(subset="agrees")
    assert stated["agrees"].all()
    met = set(zip(stated["scope"], stated["index"], stated["condition"], strict=True))
    said = {(*key, condition) for key, verdicts in PAPER.items() for condition in verdicts}
    assert met == said


def test_every_index_is_under_every_condition(table):
    assert list(table.columns) == COLUMNS
    many = table[table["scope"] == "multi-class"]
    counts = many.groupby("index")["condition"].value_counts().unstack()
    assert set(counts.index) == set(MEASURES)
    assert (counts[1] == 2).all()
    assert (counts[2] == 3).all()
    assert (counts[3] == 2).all()


def test_proofs_are_of_rates_alone(table):
    proofs = table[(table["condition"] == 1) & (table["satisfied"] == True)]  # noqa: E712
    assert set(proofs["index"]) >= {"g_mean", "acsa", "auroc_ovo", "maurpc_ova"}
    assert not proofs["evidence"].str.contains("n1").any()


@pytest.mark.parametrize("key", ["accuracy", "mcc", "macro_f1", "auroc_ova"])
@pytest.mark.parametrize("classes", [3, 6])
def test_a_counterexample_is_one(key, classes):
    index = get_measure(key)
    found = condition_1(index, classes)
    assert found.satisfied is False
    before, after = (
        float(index(MulticlassConfusionMatrix(rates)))
        for rates in (found.matrix, found.matrix * found.factors[:, np.newaxis])
    )
    assert (before, after) == pytest.approx(found.values)
    assert abs(before - after) > 0.1


def test_the_worst_counterexample_is_near_the_worst_there_is():
    # Accuracy can be any of the recalls, so it can change from nearly 1/3 to nearly 1 or 0.
    before, after = condition_1(get_measure("accuracy"), 3).values
    assert abs(before - after) > 0.6


def test_an_index_of_ones_own():
    def worst_recall(matrix):
        return matrix.recalls.min(axis=-1)

    def last_share(matrix):
        return matrix.predicted_sizes[..., -1] / matrix.total

    assert condition_1(worst_recall, 3).satisfied is None  # no SymPy expression, no counterexample
    assert condition_1(last_share, 3).satisfied is False
    assert condition_2(worst_recall, np.ones(3))[:2] == pytest.approx((0, 1), abs=1e-6)
    assert condition_3(worst_recall, np.ones(3)) == pytest.approx(0)


@settings(max_examples=30, deadline=None)
@given(st.integers(2, 6).flatmap(lambda c: arrays(float, c, elements=st.integers(1, 1000))))
def test_lemmas_2_and_3_are_the_linear_programs(sizes):
    classes = len(sizes)
    low, high, linear = condition_2(get_measure("auroc_ovo"), sizes)
    assert linear
    assert (low, high) == pytest.approx((lemma_2(classes), 1), abs=1e-12)
    low, high, linear = condition_2(get_measure("auroc_ova"), sizes)
    assert linear
    assert (low, high) == pytest.approx((lemma_3(sizes), 1), abs=1e-12)


def test_bounds_are_those_of_a_solver_of_linear_programs():
    index, sizes = get_measure("auroc_ova"), np.array([3.0, 10.0, 4.0])
    origin, gains = linear_parts(index, sizes)
    rows = np.kron(np.eye(3), np.ones(3))
    ends = [
        sign * linprog(sign * gains.ravel(), A_eq=rows, b_eq=np.ones(3), bounds=(0, 1)).fun + origin
        for sign in (1, -1)
    ]
    assert condition_2(index, sizes)[:2] == pytest.approx(ends, abs=1e-9)


@pytest.mark.parametrize("key", ["aurpc_ova", "mcc", "macro_f1"])
@settings(max_examples=30, deadline=None)
@given(rates=arrays(float, (3, 3), elements=st.floats(0.01, 1)))
def test_no_matrix_is_outside_the_bounds_that_a_search_found(key, rates):
    sizes = np.array([1.0, 5.0, 20.0])
    bounds = SEARCHED.setdefault(key, condition_2(get_measure(key), sizes))
    assert not bounds.linear
    shares = rates / rates.sum(axis=1, keepdims=True)
    value = get_measure(key)(MulticlassConfusionMatrix(shares * sizes[:, np.newaxis]))
    assert bounds.low - 1e-6 <= value <= bounds.high + 1e-6


SEARCHED = {}


@pytest.mark.parametrize("classes", [3, 5])
def test_limits_of_theorem_5(classes):
    sizes = np.random.default_rng(classes).integers(1, 100, classes)
    assert condition_3(get_measure("g_mean"), sizes) == pytest.approx(0, abs=1e-15)
    assert condition_3(get_measure("acsa"), sizes) == pytest.approx((classes - 1) / classes)
    limit = condition_3(get_measure("maurpc_ova"), sizes)
    assert limit > 3 * (classes - 1) / (4 * classes)  # Eq. 28


def test_summary_groups_as_figure_6(table):
    lemmas = lemma_table([3, 4], seed=1)
    assert (lemmas["formula"] - lemmas["linear_program"]).abs().max() < 1e-12
    text = summarize_conditions(table, lemmas)
    assert "Of the paper's 23 statements 23 are met." in text
    rows = {line.split("|")[2].strip(): line for line in text.splitlines() if "multi-class" in line}
    assert rows["acsa"].count("yes") == 3
    assert rows["g_mean"].count("yes") == 2
    assert rows["auroc_ova"].count("no ") == 2
    assert "a column sum of 4. The bounds claimed from it hold." in text


def test_a_contradicted_statement_is_shown(table):
    wrong = table.copy()
    wrong.loc[(wrong["index"] == "maurpc_ova") & (wrong["condition"] == 2), "satisfied"] = False
    text = summarize_conditions(wrong, lemma_table([3], seed=1))
    assert "Of the paper's 23 statements 22 are met." in text
    assert "The bounds claimed from it do not hold." in text
