"""Pages of the reference that are made from declarations and from data."""

import re
import sys

import pytest

from skewproof.audits.choosing.catalog import SECTIONS, load_catalog
from study import PROJECT

sys.path.insert(0, str(PROJECT / "docs/filling"))
from reference_pages import PAGES, measures_page, metrics_page


@pytest.mark.slow
@pytest.mark.parametrize("name", PAGES)
def test_a_page_of_the_reference_is_current(name):
    page = (PROJECT / f"docs/reference/{name}.md").read_text()
    assert page == PAGES[name](), "run `make docs`"


@pytest.mark.slow
def test_the_page_of_metrics_has_the_cases_of_a_formula():
    (row,) = [line for line in metrics_page().splitlines() if "`adjusted_g_mean`" in line]
    assert r"| $0$ if $\Phi_{t_p} = 0$, else $\frac{N \Phi_{t_n}" in row
    # A bar or a line's end inside the formula would end the cell.
    assert row.count("|") == 7


def test_the_page_has_every_measure_in_its_section():
    page = measures_page()
    assert re.findall("^## Section (.+)$", page, flags=re.MULTILINE) == list(SECTIONS)
    assert re.findall(r"^\| `(\w+)` \|", page, flags=re.MULTILINE) == list(load_catalog())
    assert r"| type 1 | [0, 1] | $\frac{TP}{TP + FP}$ | Lantz 2013; Eq. 4 |" in page
