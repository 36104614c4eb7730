"""Pages of the reference that are made from declarations and from data."""

import sys

import pytest

from study import PROJECT

sys.path.insert(0, str(PROJECT / "docs/filling"))
from reference_pages import PAGES


@pytest.mark.slow
@pytest.mark.parametrize("name", PAGES)
def test_a_page_of_the_reference_is_current(name):
    page = (PROJECT / f"docs/reference/{name}.md").read_text()
    assert page == PAGES[name](), "run `make docs`"
