"""Sentences from tables."""

import csv
from importlib.resources import files

import pytest

from skewproof.reporting.sentences import filled_rows


@pytest.mark.parametrize(
    ("facts", "sentences"),
    [
        ({}, 0),
        ({"curves": True, "area": "0.9"}, 2),
        ({"models": True, "best": "b", "name": "F1", "where": "here", "value": 1, "others": ""}, 2),
        ({"models": True}, 1),
    ],
)
def test_rows_whose_needs_are_met(facts, sentences):
    rows = filled_rows("skewproof.evaluation", "sentences", facts)
    assert len(rows) == sentences
    assert all("{" not in row["sentence"] for row in rows)


def test_a_fact_that_a_sentence_names_is_needed():
    with pytest.raises(KeyError, match="area"):
        filled_rows("skewproof.evaluation", "sentences", {"curves": True})


def test_the_table_has_no_sentence_twice():
    text = files("skewproof.evaluation").joinpath("sentences.csv").read_text(encoding="utf-8")
    rows = list(csv.DictReader(text.splitlines()))
    assert len({row["sentence"] for row in rows}) == len(rows) > 20
