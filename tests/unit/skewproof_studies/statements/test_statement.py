"""Texts of statements and the numbers in them."""

import dataclasses
import tomllib
from fractions import Fraction
from pathlib import Path

import jinja2
import pytest

from skewproof_studies.statements import statement
from skewproof_studies.statements.all_statements import SUBJECTS
from skewproof_studies.statements.statement import Computation, Statement

TEMPLATES = Path(statement.__file__).parent / "templates"

HALVES = Statement(
    name="halves",
    claim="Half of a half is a quarter.",
    source="Folklore",
    read="nothing",
    verdict="proved",
    sentence="It is {{ '%.2f' | format(quarter) }}, or {{ table[1].share }}.",
    computed="Nothing else.",
    columns={"level": "1:{:,}", "share": "{:.3f}", "note": "{:g}"},
    recompute="print(0.25)",
    compute=lambda: Computation(
        [(1, 0.5, "none"), (1000, Fraction(1, 4), 2.0)], {"quarter": Fraction(1, 4)}
    ),
)


def test_a_text_names_values_and_a_row_has_one_for_each_column():
    unknown = dataclasses.replace(HALVES, caption="{{ third }}")
    with pytest.raises(jinja2.UndefinedError, match="'third' is undefined"):
        unknown.decide()
    with pytest.raises(ValueError, match="zip"):
        dataclasses.replace(HALVES, columns={"level": "{}"}).decide()


def test_all_texts_are_shown():
    texts = {
        name
        for path in TEMPLATES.glob("*.toml")
        for name in tomllib.loads(path.read_text(encoding="utf-8"))
    }
    assert texts == {entry.name for entries in SUBJECTS.values() for entry in entries}
