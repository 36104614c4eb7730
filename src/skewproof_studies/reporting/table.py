"""A table to read by machine and by eye: CSV, Markdown and LaTeX."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd

from skewproof.core.metric import Metric
from skewproof_studies.reporting.latex import latex_table


@dataclass(frozen=True)
class Table:
    """A table to read by machine and by eye."""

    caption: str

    data: pd.DataFrame
    """Metric keys and the printed digits, a number a cell, for CSV."""

    display: pd.DataFrame
    """Text for the eye, with mathematics between dollar signs, in the paper's columns. What a user
    wrote goes in by :func:`plain`."""

    bold: pd.DataFrame | None = None
    """Which cells of `display` the paper prints bold, or none."""

    notes: tuple[str, ...] = ()


def to_csv(table: Table) -> str:
    """A table's data as CSV."""
    return table.data.to_csv(index=False)


def to_markdown(table: Table) -> str:
    """A table as Markdown, with its caption above and its notes below."""
    display = table.display
    if table.bold is not None:
        display = display.where(~table.bold, display.map("**{}**".format))
    body = display.to_markdown(
        index=False, colalign=["left"] * display.shape[1], disable_numparse=True
    )
    return "\n\n".join([f"**{table.caption}**", body, *table.notes]) + "\n"


def to_latex(table: Table) -> str:
    """A table as LaTeX, its notes below; :func:`latex_table` says which packages that needs."""
    bold = pd.DataFrame(False, table.display.index, table.display.columns)
    return latex_table(
        table.display,
        bold if table.bold is None else table.bold,
        caption=table.caption,
        notes=table.notes,
    )


WRITERS = {".csv": to_csv, ".md": to_markdown, ".tex": to_latex}
"""What makes the text of a table, by the ending of its file."""


def metric_label(metric: Metric) -> str:
    """A metric's symbol as text for the eye."""
    return f"${metric.symbol}$"


def plain(text: str) -> str:
    """Text that is no mathematics, whatever signs it has, for a cell of a table."""
    return text.replace("$", r"\$")
