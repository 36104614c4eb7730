"""Pages of tables and texts."""

import re
from html.parser import HTMLParser

import pytest

from skewproof_studies.pipeline.report.pages import page_of_csv, page_of_markdown


class Table(HTMLParser):
    """The rows of a page's tables, each cell as its text, and the names of all elements."""

    def __init__(self, page):
        super().__init__()
        self.rows, self.elements, self.open = [], [], False
        self.feed(re.sub("<style>.*?</style>|<script>.*?</script>", "", page, flags=re.DOTALL))

    def handle_starttag(self, tag, attributes):
        self.elements.append(tag)
        if tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th"):
            self.rows[-1].append("")
            self.open = True

    def handle_endtag(self, tag):
        self.open &= tag not in ("td", "th", "table")

    def handle_data(self, data):
        if self.open:
            self.rows[-1][-1] += data.strip()


def test_data_keep_every_digit_and_what_looks_like_markup_stays_text():
    page = page_of_csv('key,value\n"a<b>, &",0.1000000000000000055\n', "numbers")
    assert Table(page).rows == [["key", "value"], ["a<b>, &", "0.1000000000000000055"]]
    assert "b" not in Table(page).elements


def test_rows_that_do_not_fit_are_left_out_and_counted():
    text = "key,value\n" + "".join(f"k{row},{row}\n" for row in range(1000))
    page = page_of_csv(text, "numbers", most_text=10_000)
    shown = len(Table(page).rows) - 1
    assert 0 < shown < 1000
    assert len(page) < 10_000 + len(page_of_csv("key,value\n", "numbers")) + 200
    assert f"The first {shown} of 1000 rows" in page
    assert "The first" not in page_of_csv(text, "numbers")


def test_a_text_has_its_tables_formulas_and_origin():
    text = "<!-- seed 1; config -->\n# Head\n\n| a | $F_1$ |\n|:--|--:|\n| `x` | 2 |\n"
    page = page_of_markdown(text, "text")
    assert Table(page).rows == [["a", "F1"], ["x", "2"]]
    assert {"h1", "math", "msub", "code"} <= set(Table(page).elements)
    assert "<footer>seed 1; config</footer>" in page


@pytest.mark.parametrize("hostile", ["<script>x()</script>", "$\\nothing{<b>}$", "<img src=x>"])
def test_no_markup_of_a_text_gets_into_the_page(hostile):
    found = Table(page_of_markdown(f"a {hostile} b", f"t{hostile}")).elements
    assert not {"script", "img", "b"} & set(found)


def test_a_page_refers_to_nothing_outside():
    page = page_of_markdown("$x$", "t") + page_of_csv("a\n1\n", "t")
    assert set(re.findall(r"https?://[^\"\s]+", page)) <= {"http://www.w3.org/1998/Math/MathML"}
    assert not re.search(r"\b(src|href|url)\b\s*[=(]", page)
