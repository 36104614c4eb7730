"""Guides show code and a picture early, and are short."""

import re

import pytest

from study import PROJECT

GUIDE = PROJECT / "docs/guide"
PAGES = sorted(
    str(page.relative_to(GUIDE)) for page in GUIDE.rglob("*.md") if page.name != "index.md"
)
BLOCK = re.compile(r"^(`{3,}).*?^\1$", flags=re.DOTALL | re.MULTILINE)
TABLE = re.compile(r"^\|.*$", flags=re.MULTILINE)
PICTURE = re.compile(r"!\[|<iframe|\.plot\b|plot_\w+\(|Display\b|plt\.show|_figure\(")


def words_before(text, end):
    """Count the words of the prose before a place: without code, tables, header and comments."""
    prose = TABLE.sub("", BLOCK.sub("", text[:end]))
    return len(re.sub(r"\A---\n.*?\n---\n|<!--.*?-->", "", prose, flags=re.DOTALL).split())


@pytest.mark.parametrize("page", PAGES)
def test_a_guide_shows_code_and_a_picture_early_and_is_short(page):
    text = (GUIDE / page).read_text()
    codes = [block.start() for block in BLOCK.finditer(text) if "{toctree}" not in block[0]]
    pictures = [found.start() for found in PICTURE.finditer(text)]
    assert codes, "expected code within the first 150 words"
    assert words_before(text, codes[0]) <= 150
    assert pictures, "expected a picture within the first 400 words"
    assert words_before(text, min(pictures)) <= 400
    assert words_before(text, len(text)) <= 1500
