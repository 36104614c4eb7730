"""Tables of results: data frames whose most important columns are displayed whole."""

from __future__ import annotations

import textwrap
from typing import Any

import numpy as np
import pandas as pd

from skewproof.core.data.label_texts import as_text

from .summary import GAP, WIDTH, html_table, json_number, shown_cell, text_table

SHOWN_ROWS = 60
"""Largest number of rows that are displayed; of longer tables, the first and last ENDS are."""

ENDS = 5

TEXT_WIDTH = 30
"""Width to which texts in a column may be wrapped."""


class ResultTable(pd.DataFrame):  # type: ignore[misc]
    """A data frame with its columns in order of importance, of which as many are shown as fit.

    Texts are wrapped rather than cut. Columns that are empty in all rows are not shown. What pandas
    makes of a table, such as a selection of its rows, is an ordinary data frame.

    Examples
    --------
    >>> table = ResultTable({"metric": ["f1"], "value": [0.25], "low": [0.125], "remark": [""]})
    >>> table
    metric   value     low
    ------- ------- ------
    f1      0.2500  0.1250
    <BLANKLINE>
    [1 row, 4 columns; not shown: remark]
    >>> type(table.to_frame()).__name__, type(table[table["value"] > 0]).__name__
    ('DataFrame', 'DataFrame')
    """

    @property
    def _constructor(self) -> type[pd.DataFrame]:
        return pd.DataFrame

    def to_frame(self) -> pd.DataFrame:
        """Return an ordinary data frame with all columns."""
        return pd.DataFrame(self)

    def __repr__(self) -> str:
        rows = self._leading()
        size = textwrap.fill(f"[{self._size(rows)}]", WIDTH)
        return f"{text_table(rows)}\n\n{size}" if rows else size

    def _repr_html_(self) -> str:
        rows = self._leading()
        return f"{html_table(rows) if rows else ''}<p>{self._size(rows)}</p>"

    def _leading(self) -> list[dict[str, Any]]:
        """Return the rows that are displayed, with the leading columns that fit a terminal."""
        frame = self.to_frame()
        if len(frame) > SHOWN_ROWS:
            frame = pd.concat([frame.head(ENDS), frame.tail(ENDS)])
        room = WIDTH + GAP
        names = []
        for name in frame:
            cells = [shown_cell(value) for value in frame[name]]
            if any(cells):
                longest_word = max(len(word) for cell in cells for word in cell.split())
                width = max(map(len, cells))
                room -= max(len(str(name)), min(width, max(longest_word, TEXT_WIDTH))) + GAP
                if room < 0:
                    break
                names.append(name)
        rows = frame[names].to_dict("records")
        if len(self) > SHOWN_ROWS:
            rows.insert(ENDS, dict.fromkeys(names, "..."))
        return rows

    def _size(self, rows: list[dict[str, Any]]) -> str:
        """Count the rows and columns, and name the columns that are not shown."""
        number, columns = self.shape
        text = f"{number} row{'s' * (number != 1)}, {columns} columns"
        hidden = [str(name) for name in self if not rows or name not in rows[0]]
        return f"{text}; not shown: {', '.join(hidden)}" if hidden else text


def rows_for_machines(table: pd.DataFrame) -> list[dict[str, Any]]:
    """Convert rows of a table for JSON: missing values become null, and dates text."""
    return [
        {str(name): _for_machines(value) for name, value in row.items()}
        for row in table.to_dict("records")
    ]


def _for_machines(value: Any) -> Any:
    if value is None or value is pd.NaT or value is pd.NA:
        return None
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, bool | int | float | str):
        return json_number(value)
    return as_text(value)
