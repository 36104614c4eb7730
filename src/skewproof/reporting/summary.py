"""Summaries of results, as text on a terminal and as HTML in a notebook."""

from __future__ import annotations

import base64
import io
import math
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from numbers import Number
from typing import TYPE_CHECKING, Any

from rich.box import Box
from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

if TYPE_CHECKING:
    import pandas as pd

WIDTH = 80
"""Columns of a terminal."""

GAP = 2
"""Number of spaces between the columns of a table."""

LONGEST_WORD = 38
"""Largest number of characters of a word that is not broken in a table; the longest key of a metric
has 37."""

LARGE = 1e5
"""Smallest number that is shown with significant digits in place of decimals."""

SMALL = 1e-3
"""Smallest number that is shown with decimals alone."""

NEGLIGIBLE = 1e-8
"""Smallest number that is not shown as 0."""

Rows = Sequence[Mapping[str, Any]]
"""A table: the cells of each row by column."""

LONGEST_NAME = 30
"""Largest number of characters of a name on one line beside its value."""


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
    sentences: Sequence[tuple[str, str]] = ()
    """Names of parts of the result, and sentences about them."""

    def to_text(self, *, color: bool = False, width: int = WIDTH) -> str:
        """Write the summary in lines of at most `width` characters, with titles in color or not."""
        parts: list[RenderableType] = [_underlined(self.title, "=", width)] if self.title else []
        parts += [Text(self.verdict, "bold")] if self.verdict else []
        parts += map(Text, self.paragraphs)
        parts += [_named(self.facts)] if self.facts else []
        for title, rows in self.tables.items():
            parts += [_underlined(title, "-", width)] if rows and title else []
            parts += _tables(rows, width) if rows else []
        parts += [_named(self.sentences)] if self.sentences else []
        return "\n".join(_rendered(part, color, width) for part in parts)

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
        parts += [_html_facts(self.facts, formulas or {})] if self.facts else []
        for png in pictures:
            data = f"data:image/png;base64,{base64.b64encode(png).decode()}"
            parts.append(f'<img style="max-width: 100%" src="{data}" alt="contours"/>')
        for title, rows in self.tables.items():
            parts += [_html_title(title, size="medium"), html_table(rows)] if rows else []
        parts += [_html_facts(self.sentences, {})] if self.sentences else []
        return "<div>" + "\n".join(parts) + "</div>"


class Summarized:
    """A result that is displayed as its summary: text on a terminal, HTML in a notebook."""

    def summary(self) -> Summary:
        """Summarize the result."""
        raise NotImplementedError

    def to_text(self, *, color: bool = False, width: int = WIDTH) -> str:
        """Return the summary in lines of at most `width` characters, optionally in color."""
        return self.summary().to_text(color=color, width=width)

    def to_frame(self) -> pd.DataFrame:
        """Return the fields of the result that are no tables or lists, in a row."""
        import pandas as pd  # most commands print results without it

        values = {name: value for name, value in vars(self).items() if name[0] != "_"}
        row = {
            name: value if isinstance(value, str | Number | None) else str(value)
            for name, value in values.items()
            if not isinstance(value, pd.DataFrame | Mapping | list | tuple)
        }
        return pd.DataFrame([row])

    def __repr__(self) -> str:
        return self.to_text().rstrip()

    def _repr_html_(self) -> str:
        return self.summary().to_html()


def _rendered(part: RenderableType, color: bool, width: int) -> str:
    """Write a part of a summary, without spaces at the ends of lines."""
    lines = io.StringIO()
    console = Console(
        file=lines,
        width=width,
        force_terminal=color,
        force_jupyter=False,  # it would display the text beside what the notebook displays
        no_color=not color,
        color_system="standard" if color else None,
        legacy_windows=False,
    )
    console.print(part, markup=False, highlight=False, emoji=False)
    return "".join(f"{line.rstrip()}\n" for line in lines.getvalue().splitlines())


def _underlined(title: str, sign: str, width: int) -> Text:
    lines = textwrap.fill(title, width, break_on_hyphens=False)
    longest = max(map(len, lines.splitlines()))
    return Text(f"{lines}\n{sign * longest}", "bold cyan")


def _named(entries: Sequence[tuple[str, str]]) -> Table:
    """Set texts beside their names."""
    longest = max(len(name) for name, _ in entries) + 1
    table = Table.grid(padding=(0, 1))
    table.add_column(width=min(longest, LONGEST_NAME), overflow="fold")
    table.add_column(overflow="fold")
    for name, text in entries:
        table.add_row(Text(f"{name}:"), Text(text))
    return table


def text_table(rows: Rows, width: int = WIDTH) -> str:
    """Write a table in lines of at most `width` characters; long cells are wrapped between words.

    If the longest words do not fit beside each other, each row is written as a list of its cells.

    Examples
    --------
    >>> print(text_table([{"level": "1:2", "verdict": "differs", "value": 0.25}]))
    level  verdict   value
    ------ -------- ------
    1:2    differs  0.2500
    """
    return "\n".join(_rendered(part, False, width) for part in _tables(rows, width)).rstrip()


def _tables(rows: Rows, width: int) -> list[Table]:
    """Return a single table, or one for each row if there is no room for the columns."""
    names = list(rows[0])
    cells = [[shown_cell(row[name]) for name in names] for row in rows]
    for gap in (GAP, 1):
        widths = _fitted([names, *cells], width - gap * (len(names) - 1))
        if widths is not None:
            break
    else:
        return [_named(list(zip(names, row, strict=True))) for row in cells]
    line = "    \n"
    table = Table(
        box=Box(line + line + " -  \n" + line * 5),
        padding=(0, gap - 1, 0, 0),
        pad_edge=False,
        show_edge=False,
        header_style="",
    )
    for name, column in zip(names, widths, strict=True):
        number = all(isinstance(row[name], float | int) for row in rows)
        table.add_column(
            Text(name), width=column, justify="right" if number else "left", overflow="fold"
        )
    for row in cells:
        table.add_row(*map(Text, row))
    return [table]


def _fitted(cells: Sequence[Sequence[str]], room: int) -> list[int] | None:
    """Fit the widths of columns; the widest ones are narrowed down to their longest words.

    The result is None if the longest words do not fit.
    """
    columns = list(zip(*cells, strict=True))
    widths = [max(map(len, column)) for column in columns]
    words = [max(len(word) for cell in column for word in cell.split()) for column in columns]
    least = [min(widest, LONGEST_WORD) for widest in words]
    if sum(least) > room:
        return None
    while sum(widths) > room:
        spare = [wide if wide > narrow else 0 for wide, narrow in zip(widths, least, strict=True)]
        widths[spare.index(max(spare))] -= 1
    return widths


def shown_cell(value: Any) -> str:
    """Write a cell: a number with four decimals, or with four digits if it is large or small.

    Examples
    --------
    >>> [shown_cell(value) for value in (1 / 3, 0.00012345, 1e-20, 123456.7, float("nan"), 5)]
    ['0.3333', '0.0001234', '0.0000', '1.235e+05', 'undefined', '5']
    """
    if isinstance(value, float):
        if math.isnan(value):
            return "undefined"
        in_decimals = SMALL <= abs(value) < LARGE or abs(value) < NEGLIGIBLE
        return f"{round(value, 4) + 0:.4f}" if in_decimals else f"{value:.4g}"
    return "" if value is None else str(value)


def json_number(value: Any) -> Any:
    """Convert a value for JSON: NaN becomes null, and an infinity becomes text."""
    if not isinstance(value, float) or math.isfinite(value):
        return value
    return None if math.isnan(value) else str(value)


def html_table(rows: Rows) -> str:
    """Write a table as HTML with escaped text."""
    head = [_cell("th", escape(name)) for name in rows[0]]
    body = [[_cell("td", escape(shown_cell(value))) for value in row.values()] for row in rows]
    return _table([head, *body])


def _html_facts(facts: Sequence[tuple[str, str]], formulas: Mapping[str, str]) -> str:
    lines = [(escape(name), formulas.get(name, escape(value))) for name, value in facts]
    return _table([_cell("th", name), _cell("td", value)] for name, value in lines)


def _html_title(text: str, size: str) -> str:
    # A heading element would become part of the notebook's or the page's outline.
    return f'<p style="font-size: {size}"><strong>{escape(text)}</strong></p>'


def _cell(tag: str, content: str) -> str:
    return f'<{tag} style="text-align: left; padding-right: 1em">{content}</{tag}>'


def _table(rows: Iterable[Iterable[str]]) -> str:
    lines = "\n".join(f"<tr>{''.join(cells)}</tr>" for cells in rows)
    return f"<table>{lines}</table>"
