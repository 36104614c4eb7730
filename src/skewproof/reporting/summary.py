"""Summaries of results, as text on a terminal and as HTML in a notebook."""

from __future__ import annotations

import base64
import itertools
import math
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Any

WIDTH = 80
"""Columns of a terminal."""

GAP = 2
"""Number of spaces between the columns of a table."""

LONGEST_WORD = 38
"""Largest number of characters of a word that is not broken in a table; the longest key of a metric
has 37."""

LARGE = 1e5
"""Smallest number that is shown with significant digits in place of decimals."""

Rows = Sequence[Mapping[str, Any]]
"""A table: the cells of each row by column."""

BOLD, BOLD_CYAN, PLAIN = "\x1b[1m", "\x1b[1;36m", "\x1b[0m"
"""Escape sequences of a terminal that begin and end bold text."""


@dataclass(frozen=True)
class Summary:
    """A summary of a result, shown in the order of the fields without empty ones."""

    title: str
    verdict: str = ""
    """The most important fact, in a sentence."""
    paragraphs: Sequence[str] = ()
    facts: Sequence[tuple[str, str]] = ()
    """Names and values."""
    tables: Mapping[str, Rows] = field(default_factory=dict)
    """Tables by their titles."""

    def to_text(self, *, color: bool = False) -> str:
        """Write the summary in lines of at most 80 characters, with titles in color or not."""
        parts = [_underlined(self.title, "=", color)]
        parts += [_painted(wrapped(self.verdict), BOLD, color)] if self.verdict else []
        parts += map(wrapped, self.paragraphs)
        if self.facts:
            indent = max(len(name) for name, _ in self.facts) + GAP
            parts.append(
                "\n".join(wrapped(value, f"{name}:".ljust(indent)) for name, value in self.facts)
            )
        for title, rows in self.tables.items():
            parts += [_underlined(title, "-", color), text_table(rows)] if rows else []
        return "\n\n".join(parts) + "\n"

    def to_html(
        self, *, formulas: Mapping[str, str] | None = None, pictures: Iterable[bytes] = ()
    ) -> str:
        """Write the summary as an HTML element with all text escaped.

        Parameters
        ----------
        formulas
            MathML that replaces a fact's value, by the fact's name.
        pictures
            PNG files, which are shown above the tables.
        """
        parts = [_html_title(self.title, size="larger")]
        sentences = [self.verdict] if self.verdict else []
        parts += [f"<p>{escape(text)}</p>" for text in [*sentences, *self.paragraphs]]
        if self.facts:
            known = formulas or {}
            lines = [(escape(name), known.get(name, escape(value))) for name, value in self.facts]
            parts.append(_table([_cell("th", name), _cell("td", value)] for name, value in lines))
        for png in pictures:
            data = f"data:image/png;base64,{base64.b64encode(png).decode()}"
            parts.append(f'<img style="max-width: 100%" src="{data}" alt="contours"/>')
        for title, rows in self.tables.items():
            parts += [_html_title(title, size="medium"), html_table(rows)] if rows else []
        return "<div>" + "\n".join(parts) + "</div>"


class Summarized:
    """A result that is displayed as its summary: text on a terminal, HTML in a notebook."""

    def summary(self) -> Summary:
        """Summarize the result."""
        raise NotImplementedError

    def __repr__(self) -> str:
        return self.summary().to_text().rstrip()

    def _repr_html_(self) -> str:
        return self.summary().to_html()


def wrapped(text: str, label: str = "") -> str:
    """Wrap text in lines of at most 80 characters, with a label before the first."""
    return textwrap.fill(
        text,
        WIDTH,
        initial_indent=label,
        subsequent_indent=" " * len(label),
        break_on_hyphens=False,
    )


def _painted(text: str, style: str, color: bool) -> str:
    return f"{style}{text}{PLAIN}" if color else text


def _underlined(title: str, sign: str, color: bool) -> str:
    lines = wrapped(title)
    longest = max(map(len, lines.splitlines()))
    return _painted(f"{lines}\n{sign * longest}", BOLD_CYAN, color)


def text_table(rows: Rows) -> str:
    """Write a table in lines of at most 80 characters; long cells are wrapped between words.

    Examples
    --------
    >>> print(text_table([{"level": "1:2", "verdict": "differs", "value": 0.25}]))
    level  verdict   value
    -----  -------  ------
    1:2    differs  0.2500
    """
    names = list(rows[0])
    cells = [names, *([shown_cell(row[name]) for name in names] for row in rows)]
    widths = _fitted(list(zip(*cells, strict=True)))
    numbers = [all(isinstance(row[name], float | int) for row in rows) for name in names]
    lines = [_line(row, widths, numbers) for row in cells]
    rule = "  ".join("-" * width for width in widths)
    return "\n".join([lines[0], rule, *lines[1:]])


def shown_cell(value: Any) -> str:
    """Write a cell: a number with four decimals, or with four digits if it is large.

    Examples
    --------
    >>> [shown_cell(value) for value in (1 / 3, 1e-20, 123456.7, float("nan"), 5, None)]
    ['0.3333', '0.0000', '1.235e+05', 'undefined', '5', '']
    """
    if isinstance(value, float):
        if math.isnan(value):
            return "undefined"
        return f"{round(value, 4) + 0:.4f}" if abs(value) < LARGE else f"{value:.4g}"
    return "" if value is None else str(value)


def _fitted(columns: Sequence[Sequence[str]]) -> list[int]:
    """Fit the widths of columns; the widest ones are narrowed down to their longest words."""
    widths = [max(map(len, column)) for column in columns]
    words = [max(len(word) for cell in column for word in cell.split()) for column in columns]
    least = [min(width, LONGEST_WORD) for width in words]
    while sum(widths) + GAP * (len(widths) - 1) > WIDTH and widths != least:
        room = [width if width > narrow else 0 for width, narrow in zip(widths, least, strict=True)]
        widths[room.index(max(room))] -= 1
    return widths


def _line(cells: Sequence[str], widths: Sequence[int], numbers: Sequence[bool]) -> str:
    """Write a row of a table in as many lines as its longest cell; numbers are right-aligned."""
    parts = [
        textwrap.wrap(cell, width, break_on_hyphens=False) or [""]
        for cell, width in zip(cells, widths, strict=True)
    ]
    lines = [
        "  ".join(
            part.rjust(width) if number else part.ljust(width)
            for part, width, number in zip(line, widths, numbers, strict=True)
        ).rstrip()
        for line in itertools.zip_longest(*parts, fillvalue="")
    ]
    return "\n".join(lines)


def html_table(rows: Rows) -> str:
    """Write a table as HTML with escaped text."""
    head = [_cell("th", escape(name)) for name in rows[0]]
    body = [[_cell("td", escape(shown_cell(value))) for value in row.values()] for row in rows]
    return _table([head, *body])


def _html_title(text: str, size: str) -> str:
    # A heading element would become part of the notebook's or the page's outline.
    return f'<p style="font-size: {size}"><strong>{escape(text)}</strong></p>'


def _cell(tag: str, content: str) -> str:
    return f'<{tag} style="text-align: left; padding-right: 1em">{content}</{tag}>'


def _table(rows: Iterable[Iterable[str]]) -> str:
    lines = "\n".join(f"<tr>{''.join(cells)}</tr>" for cells in rows)
    return f"<table>{lines}</table>"
