"""Tables and reports as pages of HTML, each whole in one file: what a browser shows of them."""

from __future__ import annotations

import csv
import io
import re
from html import escape

from docutils.utils.math import MathError
from docutils.utils.math.latex2mathml import tex2mathml
from markdown_it import MarkdownIt

from skewproof.reporting.templates import render

MOST_TEXT = 1_000_000
"""Bytes of rows that a page takes: a browser opens 2 MB inside a report, in base64."""

_MADE_FROM = re.compile(r"<!--(.*?)-->\s*", flags=re.DOTALL)
_MATH = re.compile(r"\$([^$\n]+)\$")
_PLACE = re.compile("\ue000([0-9]+)\ue001")


def page_of_markdown(text: str, title: str) -> str:
    """A report or a laid out table as a page.

    Parameters
    ----------
    text
        Markdown with tables. TeX between dollar signs becomes MathML, HTML stays text, and a
        comment at the head goes to the foot.
    title
        What the browser calls the page.

    Examples
    --------
    >>> page = page_of_markdown("| F | $F_1$ |\\n|--:|--:|\\n| 1 | <2 |", "one table")
    >>> "<msub>" in page, "&lt;2" in page
    (True, True)
    """
    comment = _MADE_FROM.match(text)
    if comment:
        text = text[comment.end() :]
    formulas: list[str] = []

    def put_aside(found: re.Match[str]) -> str:
        formulas.append(_math(found[1]))
        return f"\ue000{len(formulas) - 1}\ue001"

    text = _MATH.sub(put_aside, text)
    body = MarkdownIt("commonmark", {"html": False}).enable("table").render(text)
    return render(
        "skewproof_studies.pipeline",
        "page.html.jinja",
        title=escape(title),
        body=_PLACE.sub(lambda place: formulas[int(place[1])], body),
        foot=escape(comment[1].strip()) if comment else "",
    )


def _math(formula: str) -> str:
    """TeX as MathML; what is no TeX, as it is."""
    try:
        return str(tex2mathml(formula))
    except MathError:
        return f"<code>{escape(formula)}</code>"


def page_of_csv(text: str, title: str, *, most_text: int = MOST_TEXT) -> str:
    """A table of data as a page, in full precision.

    Parameters
    ----------
    text
        CSV with a header.
    title
        What the browser calls the page.
    most_text
        Bytes of rows at most. Rows beyond that are left out, and the page says how many it has.

    Examples
    --------
    >>> page = page_of_csv("metric,s1\\nf1,0.1\\nmcc,0.2\\n", "indices", most_text=20)
    >>> "The first 1 of 2 rows" in page
    True
    """
    header, *rows = csv.reader(io.StringIO(text))
    lines = ["<tr>" + "".join(f"<td>{escape(cell)}" for cell in row) + "\n" for row in rows]
    shown, size = [], 0
    for line in lines:
        size += len(line.encode())
        if size > most_text:
            break
        shown.append(line)
    head = "".join(f"<th>{escape(name)}" for name in header)
    cut = f"The first {len(shown)} of {len(rows)} rows; the file has all of them."
    return render(
        "skewproof_studies.pipeline",
        "page.html.jinja",
        title=escape(title),
        body=f"<h1>{escape(title)}</h1>\n<table><thead><tr>{head}</thead><tbody>\n{''.join(shown)}</tbody></table>",
        foot="" if len(shown) == len(rows) else cut,
    )
