"""The pages are what the statements decide, and their pictures are there."""

import dataclasses
import re
import sys
from pathlib import Path

import pytest
from matplotlib.figure import Figure

from skewproof_studies.statements import page
from skewproof_studies.statements.all_statements import SUBJECTS
from skewproof_studies.statements.page import PICTURE, Decided, statement_pages
from skewproof_studies.statements.statement import Computation, Statement

DOCS = Path(__file__).parents[4] / "docs"
STATEMENTS = [one for statements in SUBJECTS.values() for one in statements]


@pytest.fixture(scope="module")
def subjects(decision):
    return {
        subject: [Decided(one, decision(one.name)) for one in statements]
        for subject, statements in SUBJECTS.items()
    }


@pytest.mark.slow
def test_the_pages_are_current(subjects):
    paths = [DOCS / "guide/what_others_say.md", *(DOCS / "guide/statements").glob("*.md")]
    written = {
        path.relative_to(DOCS / "guide").as_posix(): path.read_text(encoding="utf-8")
        for path in paths
    }
    assert written == statement_pages(subjects), "run `make docs`"


@pytest.mark.slow
def test_pictures_are_there_and_no_others(subjects):
    shown = {one.picture for statements in subjects.values() for one in statements} - {None}
    assert shown == {path.name for path in (DOCS / "images").glob(f"{PICTURE}*.png")}


PRINTED = {
    "mcc_against_f1_and_accuracy": "False 0.9 0.95 -0.03; [0.3  0.45] [ 9. 21.]",
    "mcc_guarantees_four_rates": "0.9 0.81; 0.9 0.95",
    "mcc_against_kappa_and_brier": "0.595 0.75 -0.621",
    "mcc_should_replace_auc": "0.1; 1:1 0.683; 1:10000 0.043",
    "balanced_accuracy_selects": "0.84 189 -7.09; tn/tp 330",
    "calibration_removes_prevalence": "1:1 [0.9   0.745]; 1:10 [0.621 0.706]",
    "ranking_by_bias": "mcc 0.366; accuracy 0.017",
    "prevalence_invariance": (
        "balanced_accuracy [0.765 0.75 ]; accuracy [0.765 0.75 ]; cohen_kappa [0.53 0.5 ];"
        " mcc [0.53  0.577]"
    ),
    "rates_compare_data_sets": "0.2 0.77 11.8; 0.8 0.905 17.2",
    "expected_cost": (
        "accuracy [1. 1.]; balanced_accuracy [10. 10.]; f1 [2.22 3.  ]; mcc [3.13 2.64]"
    ),
    "roc_misleads_under_imbalance": "0.8 0.513; 0.8 0.231; 0.6495 0.241 0.295; 0.775 0.073 0.35",
    "precision_recall_predicts_performance": "0.615; 0.0157",
    "undersampling_is_a_cutoff": "2 [0.7737 0.7795]; 10 [0.5508 0.4909]; 10000 [0.0003 0.0011]",
    "resampling_is_a_threshold": "100 [[ 0.01 -0.85]]; 1 [[-0.42 -0.84]]",
    "balanced_training_for_area": "[0.0036 0.0464 0.0909] 1.96",
}
"""Lines of snippets; the others are recomputed beside the tests of their statements."""


@pytest.mark.slow
@pytest.mark.parametrize("name", [one.name for one in STATEMENTS])
def test_the_reader_recomputes_the_numbers_of_the_verdict(name, decision, recomputed):
    lines = recomputed(name).splitlines()
    assert any(lines)
    if name in PRINTED:
        assert "; ".join(lines) == PRINTED[name]
        found = decision(name)
        shown = found.sentence + found.computed + found.table.to_string()
        assert PRINTED[name].split()[-1].strip("].") in shown or name in COEFFICIENTS


COEFFICIENTS = ["resampling_is_a_threshold"]
"""Statements whose snippets print coefficients, which the page does not."""


def test_names_are_unique_and_snippets_short():
    assert len({one.name for one in STATEMENTS}) == len(STATEMENTS)
    assert len({one.claim for one in STATEMENTS}) == len(STATEMENTS)
    for one in STATEMENTS:
        assert re.fullmatch(r"[a-z][a-z0-9_]*", one.name)
        assert one.claim.endswith(".")
        assert "\n" not in one.claim
        assert max(map(len, one.recompute.splitlines())) <= 100


EXAMPLE = Statement(
    name="two",
    claim="One and one, it is said, make two.",
    source="Peano and Others (1889), Arithmetic, arXiv:1234.56789, doi:10.1000/ab(c)1.",
    read="the abstract only",
    verdict="proved",
    sentence="They do.",
    computed="They were added.",
    columns={"sum": "{}"},
    recompute="\nprint(1 + 1)\n",
    compute=lambda: Computation([(2,)]),
)


def test_a_statement_is_shown():
    shown = Decided(EXAMPLE, EXAMPLE.decide())
    assert shown.short_source == "Peano and Others 1889"
    assert shown.anchor == "one-and-one-it-is-said-make-two"
    assert shown.source == (
        "Peano and Others (1889), Arithmetic, [arXiv:1234.56789](https://arxiv.org/abs/1234.56789)"
        ", [doi:10.1000/ab(c)1](https://doi.org/10.1000/ab(c)1)"
    )
    pages = statement_pages({"Large sums": [shown]})
    verdicts, text = pages["what_others_say.md"], pages["statements/large_sums.md"]
    link = "statements/large_sums.md#one-and-one-it-is-said-make-two"
    assert f"| [One and one, it is said, make two]({link}) |" in verdicts
    assert "\nstatements/large_sums\n```" in verdicts
    assert "**Verdict (proved).** They do." in text
    assert "```{code-cell} python\nprint(1 + 1)\n```" in text
    assert "images/" not in text


@pytest.mark.parametrize(
    ("source", "short"),
    [
        ("Zhu (2020), On the performance, 136", "Zhu 2020"),
        (
            "Provost, Fawcett and Kohavi (1998), The case; and (2001), Robust",
            "Provost, Fawcett and Kohavi 1998",
        ),
        (
            "Chicco, D., Tötsch, N., and Jurman, G. (2021). The MCC.",
            "Chicco, Tötsch and Jurman 2021",
        ),
        ("Saito, T., and Rehmsmeier, M. 2015, The plot", "Saito and Rehmsmeier 2015"),
        ("Wang, Y.-Q., and Bach, J. S. (1999). It.", "Wang and Bach 1999"),
        ("One, Two, Three and Four (2024), Long", "One et al. 2024"),
        ("Maier-Hein, L., Reinke, A., et al. (2024). Metrics", "Maier-Hein et al. 2024"),
        ("Van Calster, Collins and others (2025), Evaluation", "Van Calster et al. 2025"),
        ("Folklore", "Folklore"),
    ],
)
def test_the_table_has_authors_and_year(source, short):
    statement = dataclasses.replace(EXAMPLE, source=source)
    assert Decided(statement, EXAMPLE.decide()).short_source == short


@pytest.mark.slow
def test_the_command_writes_pages_and_pictures(tmp_path, monkeypatch):
    statement = dataclasses.replace(
        EXAMPLE, compute=lambda: Computation([(2,)], figure=Figure()), caption="Nothing."
    )
    for folder in ("guide", "images"):
        (tmp_path / folder).mkdir()
    (tmp_path / "guide/statements").mkdir()
    old = tmp_path / "images" / f"{PICTURE}old.png", tmp_path / "guide/statements/old.md"
    for path in old:
        path.touch()
    monkeypatch.setattr(page, "SUBJECTS", {"Sums": (statement,)})
    monkeypatch.setattr(sys, "argv", ["page", "--docs", str(tmp_path)])
    pictures = []
    for _ in range(2):
        page.main()
        pictures.append((tmp_path / "images" / f"{PICTURE}two.png").read_bytes())
    assert pictures[0] == pictures[1]
    assert not any(path.exists() for path in old)
    written = (tmp_path / "guide/statements/sums.md").read_text()
    assert f"](../../images/{PICTURE}two.png)\n\n*Nothing.*" in written
