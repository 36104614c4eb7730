"""The pages are what the statements decide, and their pictures are there."""

import dataclasses
import re
import sys
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

import pytest
from matplotlib.figure import Figure

from skewproof_studies.statements import page
from skewproof_studies.statements.all_statements import SUBJECTS
from skewproof_studies.statements.page import PICTURE, Decided, statement_pages
from skewproof_studies.statements.statement import Computation, Statement
from written import check_written

DOCS = Path(__file__).parents[4] / "docs"
STATEMENTS = [one for statements in SUBJECTS.values() for one in statements]


def printed(code):
    """Return the output of code."""
    with redirect_stdout(StringIO()) as text:
        exec(code, {"__name__": "__main__"})
    return text.getvalue()


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


@pytest.mark.slow
def test_the_reader_recomputes_the_numbers_of_the_verdicts():
    snippets = {one.name: printed(one.recompute) for one in STATEMENTS}
    check_written(Path(__file__).with_name("snippets.txt"), **snippets)


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


def test_a_source_without_a_year_is_shown_whole():
    statement = dataclasses.replace(EXAMPLE, source="Folklore")
    assert Decided(statement, EXAMPLE.decide()).short_source == "Folklore"


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
