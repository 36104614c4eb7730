"""The paper cites exactly the entries of its bibliography."""

import re

import yaml

from study import PROJECT

PAPER = (PROJECT / "docs/paper/paper.md").read_text(encoding="utf-8")
BIBLIOGRAPHY = (PROJECT / "docs/paper/paper.bib").read_text(encoding="utf-8")


def test_every_key_is_cited_and_every_citation_is_there():
    _, header, text = PAPER.split("---\n", 2)
    cited = set(re.findall(r"@(\w+)", text))
    entries = re.findall(r"^@\w+\{(\w+),", BIBLIOGRAPHY, flags=re.MULTILINE)
    assert cited == set(entries)
    assert len(entries) == len(set(entries))
    assert (PROJECT / "docs/paper" / yaml.safe_load(header)["bibliography"]).exists()
    for entry in re.split(r"^@", BIBLIOGRAPHY, flags=re.MULTILINE)[1:]:
        fields = set(re.findall(r"^\s+(\w+)\s*=", entry, flags=re.MULTILINE))
        assert fields >= {"author", "title", "year"}, entry


def test_the_paper_has_the_parts_that_the_journal_asks_for():
    parts = re.findall(r"^# (.*)$", PAPER, flags=re.MULTILINE)
    assert parts == [
        *("Summary", "Statement of need", "State of the field", "Software design", "Findings"),
        *("Research impact", "Limits", "References"),
    ]
    assert 750 <= len(PAPER.split("---\n", 2)[2].split()) <= 1750  # the journal's limits
    assert set(yaml.safe_load(PAPER.split("---\n", 2)[1])) >= {"title", "tags", "authors", "date"}
