"""The report's page, and tables and texts on it."""

import re
from pathlib import Path

from skewproof_studies.pipeline.report.page import (
    Part,
    html_of_csv,
    html_of_markdown,
    report_page,
)
from written import check_written


def parts():
    yield Part("results/a.csv", "One <b>", "Numbers", "Every & number.", b"a\n1\n")
    for key in range(7):
        yield Part(f"figures/{key}.png", "Two", f"m{key}", "A picture.", bytes([key]))
    yield Part("figures/x.pdf", "Two", "No picture", "Not for a browser.", b"pdf")
    yield Part("results/t.md", "Two", "Text", "A text.", b"# Text\n\nWords.\n")


def test_the_whole_page_and_its_parts():
    """Data keep every digit, and what looks like markup stays text.

    Headings of a text are below that of the result; many results of one kind are a gallery.
    """
    page = report_page("- found **it** $x$", parts(), explorer=True)
    text = "<!-- seed 1; config -->\n# Head\n\n| a | $F_1$ |\n|:--|--:|\n| `x` | 2 |\n"
    check_written(
        Path(__file__).with_name("page.txt"),
        data=html_of_csv('key,value\n"a<b>, &",0.1000000000000000055\n'),
        rows_that_do_not_fit=html_of_csv("key,value\nk0,0\nk1,1\nk2,2\n", most_text=40),
        text_with_formulas_and_origin=html_of_markdown(text),
        below_the_title=html_of_markdown("# Title\n\n## Part\n\n##### Deep\n", below="Title"),
        hostile=html_of_markdown("<script>x()</script> $\\nothing{<b>}$ <img src=x>"),
        page_below_its_styles=page.partition("</style>")[2],
    )
    assert "explorer.html" not in report_page("$x$", parts())
    # It loads nothing from outside.
    assert set(re.findall(r"https?://[^\"\s]+", page)) <= {
        "http://www.w3.org/1998/Math/MathML",
        "https://doi.org/10.1016/j.eij.2025.100711",  # a link
    }
    assert set(re.findall(r"src=\"([a-z]+:)", page)) == {"data:"}
