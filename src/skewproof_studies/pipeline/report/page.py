"""The report: findings, figures and tables in one self-contained HTML page."""

from __future__ import annotations

import base64
import csv
import io
import re
from collections.abc import Iterable
from dataclasses import dataclass
from html import escape
from itertools import groupby
from pathlib import PurePath

from docutils.utils.math import MathError
from docutils.utils.math.latex2mathml import tex2mathml
from markdown_it import MarkdownIt

from skewproof.reporting.templates import render

MOST_TEXT = 60_000
"""Largest size of the displayed rows of a table, in bytes."""

IMAGES = {".png": "image/png", ".svg": "image/svg+xml"}
"""Formats of figures that browsers display, and their media types."""

_MADE_FROM = re.compile(r"<!--(.*?)-->\s*", flags=re.DOTALL)
_MATH = re.compile(r"\$([^$\n]+)\$")
_PLACE = re.compile("\ue000([0-9]+)\ue001")
_GALLERY = 6


@dataclass(frozen=True)
class Part:
    """A result in the report."""

    path: str
    """Path of the file, whose extension decides the display: a figure, a text (.md) or a table
    (.csv)."""
    section: str
    title: str
    caption: str
    content: bytes


def report_page(
    findings: str,
    parts: Iterable[Part],
    *,
    lead: str = "",
    origin: str = "",
    explorer: bool = False,
) -> str:
    """Write the report of a run.

    Parameters
    ----------
    findings
        Findings in Markdown, which open the page.
    parts
        The results, grouped by section. Figures are shown, and tables and texts are folded. More
        than six figures with one caption make a folded gallery.
    lead
        Path of the figure that stands below the findings; empty for no figure.
    origin
        Version and date, below the title.
    explorer
        Whether to link to an explorer next to the report.

    Examples
    --------
    >>> part = Part("results/a.csv", "Indices", "All", "Every index.", b"metric,s1\\nf1,0.1\\n")
    >>> page = report_page("- **F1.** It changes.", [part])
    >>> "<h2 id=\\"indices\\">Indices</h2>" in page, "<td>0.1" in page
    (True, True)
    """
    parts, sections = list(parts), []
    leading = [part for part in parts if part.path == lead]
    others = [part for part in parts if part.path != lead]
    for name, members in groupby(others, key=lambda part: part.section):
        blocks = [
            _block(list(group)) for _, group in groupby(members, key=lambda part: part.caption)
        ]
        anchor = re.sub(r"\W+", "-", name.lower()).strip("-")
        sections.append({"name": name, "anchor": anchor, "blocks": blocks})
    return render(
        "skewproof_studies.pipeline",
        "report.html.jinja",
        findings=html_of_markdown(findings),
        lead={"path": lead, "caption": leading[0].caption, "html": _html(leading[0])}
        if leading
        else None,
        origin=origin,
        sections=sections,
        explorer=explorer,
    )


def _block(parts: list[Part]) -> dict[str, object]:
    """Group results that share a caption, such as the contours of all metrics."""
    shown = [
        {"title": part.title, "path": part.path, "kind": _kind(part), "html": _html(part)}
        for part in parts
    ]
    return {"caption": parts[0].caption, "gallery": len(parts) > _GALLERY, "parts": shown}


def _kind(part: Part) -> str:
    suffix = PurePath(part.path).suffix
    return {".md": "text", ".csv": "table"}.get(suffix, "figure" if suffix in IMAGES else "file")


def _html(part: Part) -> str:
    kind = _kind(part)
    if kind == "text":
        return html_of_markdown(part.content.decode(), below=part.title)
    if kind == "table":
        return html_of_csv(part.content.decode())
    if kind == "file":
        return ""
    data = base64.b64encode(part.content).decode()
    source = f"data:{IMAGES[PurePath(part.path).suffix]};base64,{data}"
    return f'<img loading="lazy" alt="{escape(part.title)}" src="{source}">'


def html_of_markdown(text: str, below: str | None = None) -> str:
    """Convert Markdown to HTML. TeX between dollar signs becomes MathML, and HTML stays text.

    Parameters
    ----------
    text
        The Markdown. A comment at its head, which says what it was made from, moves to the foot.
    below
        The heading above the text, or None. With a heading, the text's own first heading is left
        out, and its other headings are two levels lower.

    Examples
    --------
    >>> html = html_of_markdown("| F | $F_1$ |\\n|--:|--:|\\n| 1 | <2 |")
    >>> "<msub>" in html, "&lt;2" in html
    (True, True)
    """
    comment = _MADE_FROM.match(text)
    if comment:
        text = text[comment.end() :]
    if below is not None:
        text = re.sub(r"\A# .*\n", "", text)
    formulas: list[str] = []

    def put_aside(match: re.Match[str]) -> str:
        formulas.append(_math(match[1]))
        return f"\ue000{len(formulas) - 1}\ue001"

    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = parser.parse(_MATH.sub(put_aside, text))
    for token in tokens:
        if below is not None and token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(int(token.tag[1]) + 2, 6)}"
    body = str(parser.renderer.render(tokens, parser.options, {}))
    body = body.replace("<table>", '<div class="wide"><table>')
    body = body.replace("</table>", "</table></div>")
    if comment:
        body += f"<p class=origin>{escape(comment[1].strip())}</p>\n"
    return _PLACE.sub(lambda match: formulas[int(match[1])], body)


def _math(formula: str) -> str:
    """Convert TeX to MathML, or return it unchanged if it is not valid TeX."""
    try:
        return str(tex2mathml(formula))
    except MathError:
        return f"<code>{escape(formula)}</code>"


def html_of_csv(text: str, *, most_text: int = MOST_TEXT) -> str:
    """Convert a table of data to HTML, in full precision.

    Parameters
    ----------
    text
        CSV with a header.
    most_text
        Largest size of the rows in bytes. Further rows are left out, and a sentence says how many
        the file has.

    Examples
    --------
    >>> html = html_of_csv("metric,s1\\nf1,0.1\\nmcc,0.2\\n", most_text=20)
    >>> "The first 1 of 2 rows" in html
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
    table = f"<table><thead><tr>{head}</thead><tbody>\n{''.join(shown)}</tbody></table>"
    cut = f"<p>The first {len(shown)} of {len(rows)} rows; the file has all of them.</p>\n"
    return f'<div class="wide">{table}</div>\n' + (cut if len(shown) < len(rows) else "")
