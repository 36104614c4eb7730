"""Every measure under every condition, compared with the statements of Mullick et al."""

from pathlib import Path

import pytest
from hypothesis import given, strategies as st
from hypothesis.extra.numpy import arrays

from figure_text import figure_text
from skewproof.metrics import get_metric
from skewproof.multiclass.bounds import bounds
from skewproof.multiclass.declaration import of_two_classes
from skewproof.multiclass.lookup import MEASURES
from skewproof.multiclass.matrix import MulticlassConfusionMatrix
from skewproof.multiclass.measures import auroc_ova, auroc_ovo
from skewproof.multiclass.search import Search
from skewproof_studies.mullick.conditions.report import (
    figure_6,
    limit_of_mean_precision_recall,
    summarize_conditions,
    verdicts,
)
from skewproof_studies.mullick.conditions.table import (
    conditions_table,
    first_against_others,
    lemma_2,
    lemma_3,
    lemma_table,
    recall,
)
from skewproof_studies.mullick.paper import (
    MULTICLASS,
    MULTICLASS_NAMES,
)
from written import check_written

pytestmark = pytest.mark.slow  # they wait for tables that take long

CHOSEN = [MEASURES[key] for key in [*MULTICLASS_NAMES, "accuracy", "cohen_kappa"]]
"""The paper's measures, and two that it does not mention."""


@pytest.fixture(scope="module")
def table():
    search = Search(seed=1, samples=300, starts=1, rounds=3)
    return conditions_table([2, 3], search=search, measures=CHOSEN)


def test_the_first_class_against_all_others():
    counts = MulticlassConfusionMatrix([[5, 1, 2], [0, 6, 3], [1, 0, 9]])
    assert first_against_others(recall)(counts) == 5 / 8
    precision = first_against_others(of_two_classes(get_metric("precision")))
    assert precision(counts) == 5 / 6
    mean = first_against_others(of_two_classes(get_metric("balanced_accuracy")))
    assert mean(counts) == pytest.approx((5 / 8 + 18 / 19) / 2)


def test_evidence_says_how_it_was_found(table):
    satisfied = table[table["satisfied"] == True].groupby("condition")  # noqa: E712
    bases = satisfied["basis"].agg(set).to_dict()
    assert bases == {1: {"proof"}, 2: {"search", "best columns"}, 3: {"search"}}
    proofs = satisfied.get_group(1)
    assert set(proofs["index"]) >= {"recall", "g_mean", "acsa", "auroc_ovo", "maurpc_ova"}
    assert not proofs["evidence"].str.contains("n1").any()
    assert proofs.set_index("index").loc["recall", "evidence"] == "r11"
    rows = table[table["scope"] == MULTICLASS].set_index(["index", "condition", "sizes", "classes"])
    evidence, basis = rows["evidence"], rows["basis"]
    found = "bounds by the best column of each row"
    assert evidence["acsa", 2, "equal", 3] == found
    assert evidence["acsa", 2, "any", 3] == f"{found}, at each of the class sizes tried"
    assert evidence["cohen_kappa", 2, "any", 3] == "bounds by search"
    assert " becomes " in evidence["accuracy", 1, "any", 3]
    assert evidence["accuracy", 3, "any", 3].startswith("0.000000 at class sizes ")
    assert (basis["acsa", 3, "any", 3], basis["accuracy", 3, "any", 3]) == (
        "search",
        "counterexample",
    )
    # Condition 2 of two indices is about the class sizes.
    marks = verdicts(table).loc[MULTICLASS]["satisfied"]
    for key, expected in {
        "nauroc_ova": (True, False),
        "cohen_kappa": (True, False),
        "acsa": (True, True),
    }.items():
        assert (marks[key, 2, "any"], marks[key, 2, "equal"]) == expected


def test_where_no_proof_is_looked_for_nothing_is_decided():
    search = Search(samples=100, starts=1, rounds=1)
    table = conditions_table([4], search=search, measures=[MEASURES["acsa"]], metrics=[])
    (row,) = table[(table["scope"] == MULTICLASS) & (table["condition"] == 1)].itertuples()
    assert (row.satisfied, row.agrees) == (None, None)
    assert (row.basis, row.evidence) == ("search", "no counterexample found")
    assert verdicts(table).loc[(MULTICLASS, "acsa", 1, "any"), "mark"] == "undecided (search)"


def test_the_whole_summary(table):
    """Figure 6 groups the indices as the paper does; a contradicted statement is shown."""
    lemmas = lemma_table([3, 4], seed=1)
    assert limit_of_mean_precision_recall(3) == pytest.approx(11 / 18)
    contradicted = (table["index"] == "maurpc_ova") & (table["condition"] == 2)
    wrong = table.assign(satisfied=table["satisfied"].mask(contradicted, False))
    check_written(
        Path(__file__).with_name("summary.txt"),
        all_met=summarize_conditions(table, lemmas),
        one_contradicted=summarize_conditions(wrong, lemmas),
        figure_6=figure_text(figure_6(table)),
    )


@given(st.integers(2, 6).flatmap(lambda c: arrays(float, c, elements=st.integers(1, 1000))))
def test_lemmas_2_and_3_are_the_bounds_by_the_best_columns(sizes):
    ovo, ova = (bounds(measure, sizes) for measure in (auroc_ovo, auroc_ova))
    assert ovo.exact
    assert (ovo.low, ovo.high) == pytest.approx((lemma_2(len(sizes)), 1), abs=1e-12)
    assert ova.exact
    assert (ova.low, ova.high) == pytest.approx((lemma_3(sizes), 1), abs=1e-12)
