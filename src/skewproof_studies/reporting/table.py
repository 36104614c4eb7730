"""Tables as data and as text: CSV, Markdown and LaTeX."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd

from skewproof.core.metric import Metric
from skewproof_studies.reporting.latex import latex_table


@dataclass(frozen=True)
class Table:
    """A table as data and as text."""

    caption: str

    data: pd.DataFrame
    """Metric keys and the printed digits, one number per cell, for CSV."""

    display: pd.DataFrame
    """Displayed text in the paper's columns, with mathematics between dollar signs. Text from users
    is escaped by :func:`plain`."""

    bold: pd.DataFrame | None = None
    """Cells of `display` that the paper prints in bold, if any."""

    notes: tuple[str, ...] = ()


def to_csv(table: Table) -> str:
    """Write a table's data as CSV."""
    return table.data.to_csv(index=False)


def to_markdown(table: Table) -> str:
    """Write a table as Markdown, with its caption above and its notes below."""
    display = table.display
    if table.bold is not None:
        display = display.where(~table.bold, display.map("**{}**".format))
    body = display.to_markdown(
        index=False, colalign=["left"] * display.shape[1], disable_numparse=True
    )
    return "\n\n".join([f"**{table.caption}**", body, *table.notes]) + "\n"


def to_latex(table: Table) -> str:
    """Write a table as LaTeX, with its notes below;
    :data:`~skewproof_studies.reporting.latex.PACKAGES` names the packages that it needs."""
    bold = pd.DataFrame(False, table.display.index, table.display.columns)
    return latex_table(
        table.display,
        bold if table.bold is None else table.bold,
        caption=table.caption,
        notes=table.notes,
    )


WRITERS = {".csv": to_csv, ".md": to_markdown, ".tex": to_latex}
"""Functions that write a table, by file extension."""


def metric_label(metric: Metric) -> str:
    """Return a metric's symbol as displayed text."""
    return f"${metric.symbol}$"


def plain(text: str) -> str:
    """Escape text without mathematics for a cell of a table, whatever characters it has."""
    return text.replace("$", r"\$")
