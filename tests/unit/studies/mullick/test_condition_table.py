"""Every measure under every condition, beside what Mullick et al. state."""

import pytest

from skewproof.multiclass import MEASURES
from skewproof.multiclass.search import Search
from skewproof.studies.mullick.condition_table import conditions_table, summarize_conditions
from skewproof.studies.mullick.lemmas import lemma_table
from skewproof.studies.mullick.names import MULTICLASS_NAMES
from skewproof.studies.mullick.statements import (
    MULTICLASS,
    STATED_CONDITIONS,
    TWO_CLASS,
    stated,
    stated_to_satisfy,
)

CHOSEN = [MEASURES[key] for key in [*MULTICLASS_NAMES, "accuracy", "cohen_kappa"]]
"""The paper's measures, and two of which it says nothing."""


@pytest.fixture(scope="module")
def table():
    search = Search(seed=1, samples=300, starts=1, rounds=3)
    return conditions_table([2, 3], search=search, measures=CHOSEN)


@pytest.fixture(scope="module")
def lemmas():
    return lemma_table([3, 4], seed=1)


def test_every_statement_of_the_paper_is_met(table):
    comparable = table.dropna(subset="agrees")
    assert comparable["agrees"].all()
    met = set(zip(comparable["scope"], comparable["index"], comparable["condition"], strict=True))
    expected = {
        (*key, condition) for key, verdicts in STATED_CONDITIONS.items() for condition in verdicts
    }
    assert met == expected


def test_every_measure_is_under_every_condition(table):
    assert list(table.columns) == [
        *["scope", "index", "condition", "classes", "satisfied", "paper", "agrees"],
        *["low", "high", "balanced_low", "balanced_high", "limit", "evidence"],
    ]
    many = table[table["scope"] == MULTICLASS]
    counts = many.groupby("index")["condition"].value_counts().unstack()
    assert set(counts.index) == {measure.key for measure in CHOSEN}
    assert (counts[1] == 1).all()
    assert (counts[2] == 2).all()
    assert (counts[3] == 1).all()


def test_proofs_are_of_rates_alone(table):
    proofs = table[(table["condition"] == 1) & (table["satisfied"] == True)]  # noqa: E712
    assert set(proofs["index"]) >= {"g_mean", "acsa", "auroc_ovo", "maurpc_ova"}
    assert not proofs["evidence"].str.contains("n1").any()


def test_evidence_says_how_it_was_found(table):
    evidence = table.set_index(["index", "condition", "classes"])["evidence"]
    assert evidence["acsa", 2, 3] == "bounds by the best column of each row"
    assert evidence["cohen_kappa", 2, 3] == "bounds by search"
    assert " becomes " in evidence["accuracy", 1, 3]


def test_where_no_proof_is_looked_for_nothing_is_decided():
    search = Search(samples=100, starts=1, rounds=1)
    table = conditions_table([4], search=search, measures=[MEASURES["acsa"]])
    (row,) = table[(table["scope"] == MULTICLASS) & (table["condition"] == 1)].itertuples()
    assert (row.satisfied, row.agrees) == (None, None)
    assert row.evidence == "no counterexample found"


def test_summary_groups_as_figure_6(table, lemmas):
    text = summarize_conditions(table, lemmas)
    assert "Of the paper's 23 statements 23 are met." in text
    rows = {line.split("|")[2].strip(): line for line in text.splitlines() if "multi-class" in line}
    assert rows["acsa"].count("yes") == 3
    assert rows["g_mean"].count("yes") == 2
    assert rows["auroc_ova"].count("no ") == 2
    assert "a column sum of 4. The bounds claimed from it hold." in text


def test_a_contradicted_statement_is_shown(table, lemmas):
    wrong = table.copy()
    wrong.loc[(wrong["index"] == "maurpc_ova") & (wrong["condition"] == 2), "satisfied"] = False
    text = summarize_conditions(wrong, lemmas)
    assert "Of the paper's 23 statements 22 are met." in text
    assert "| ('multi-class', 'maurpc_ova', 2) | False       | True    |" in text
    assert "The bounds claimed from it do not hold." in text


def test_statements_are_looked_up_by_scope_measure_and_condition():
    assert stated(MULTICLASS, "g_mean", 3) is False
    assert stated(TWO_CLASS, "g_mean", 3) is None
    assert stated(MULTICLASS, "mcc", 1) is None
    keys = ["precision", "g_mean", "mcc"]
    assert stated_to_satisfy(1, TWO_CLASS, keys) == ["g_mean"]
    assert stated_to_satisfy(1, TWO_CLASS, keys, satisfied=False) == ["precision"]
