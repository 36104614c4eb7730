"""The report's page, and tables and texts on it."""

import base64
import re
from html.parser import HTMLParser

import pytest

from skewproof_studies.pipeline.report.page import (
    Part,
    html_of_csv,
    html_of_markdown,
    report_page,
)


class Table(HTMLParser):
    """The rows of a page's tables, each cell as its text, and the names of all elements."""

    def __init__(self, page):
        super().__init__()
        self.rows, self.elements, self.open = [], [], False
        self.feed(page)

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
    table = Table(html_of_csv('key,value\n"a<b>, &",0.1000000000000000055\n'))
    assert table.rows == [["key", "value"], ["a<b>, &", "0.1000000000000000055"]]
    assert "b" not in table.elements


def test_rows_that_do_not_fit_are_left_out_and_counted():
    text = "key,value\n" + "".join(f"k{row},{row}\n" for row in range(1000))
    html = html_of_csv(text, most_text=10_000)
    shown = len(Table(html).rows) - 1
    assert 0 < shown < 1000
    assert len(html) < 10_000 + 300
    assert f"The first {shown} of 1000 rows" in html
    assert "The first" not in html_of_csv(text)


def test_a_text_has_its_tables_formulas_and_origin():
    text = "<!-- seed 1; config -->\n# Head\n\n| a | $F_1$ |\n|:--|--:|\n| `x` | 2 |\n"
    html = html_of_markdown(text)
    assert Table(html).rows == [["a", "F1"], ["x", "2"]]
    assert {"h1", "math", "msub", "code"} <= set(Table(html).elements)
    assert "seed 1; config</p>" in html


def test_headings_of_a_text_are_below_that_of_the_result():
    html = html_of_markdown("# Title\n\n## Part\n\n##### Deep\n", below="Title")
    assert [element for element in Table(html).elements if element[0] == "h"] == ["h4", "h6"]
    assert "Title" not in html


@pytest.mark.parametrize("hostile", ["<script>x()</script>", "$\\nothing{<b>}$", "<img src=x>"])
def test_no_markup_of_a_text_gets_into_the_page(hostile):
    found = Table(html_of_markdown(f"a {hostile} b")).elements
    assert not {"script", "img", "b"} & set(found)


def parts():
    yield Part("results/a.csv", "One <b>", "Numbers", "Every & number.", b"a\n1\n")
    for key in range(7):
        yield Part(f"figures/{key}.png", "Two", f"m{key}", "A picture.", bytes([key]))
    yield Part("figures/x.pdf", "Two", "No picture", "Not for a browser.", b"pdf")
    yield Part("results/t.md", "Two", "Text", "A text.", b"# Text\n\nWords.\n")


def test_results_stand_in_their_sections_and_many_of_one_kind_are_a_gallery():
    page = report_page("- found **it** $x$", parts(), explorer=True)
    assert re.findall(r"<h2 id=\"([\w-]+)\"", page) == ["findings", "one-b", "two"]
    assert page.count("<figcaption>") == 7
    assert page.count("A picture.") == 1
    assert base64.b64encode(bytes([3])).decode() in page
    assert "figures/x.pdf" in page
    assert "<strong>it</strong>" in page
    assert 'href="explorer.html"' in page
    assert "One <b>" not in page
    # A page loads nothing from outside.
    assert set(re.findall(r"https?://[^\"\s]+", page)) <= {
        "http://www.w3.org/1998/Math/MathML",
        "https://doi.org/10.1016/j.eij.2025.100711",  # a link
    }
    assert set(re.findall(r"src=\"([a-z]+:)", page)) == {"data:"}
    assert "explorer.html" not in report_page("$x$", parts())
