"""A table to read by machine and by eye: CSV, Markdown and LaTeX."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd

from skewproof.core.metric import Metric


@dataclass(frozen=True)
class Table:
    """A table to read by machine and by eye."""

    caption: str

    data: pd.DataFrame
    """For CSV: metric keys and the printed digits, a number a cell."""

    display: pd.DataFrame
    """For the eye: text, with mathematics between dollar signs; the paper's columns."""

    bold: pd.DataFrame | None = None
    """Which cells of `display` the paper prints bold, or none."""

    notes: tuple[str, ...] = ()


def to_csv(table: Table) -> str:
    """A table's data as CSV."""
    return table.data.to_csv(index=False)


def to_markdown(table: Table) -> str:
    """A table as Markdown, with its caption above and its notes below."""
    body = _emphasized(table, "**{}**").to_markdown(
        index=False, colalign=["left"] * table.display.shape[1], disable_numparse=True
    )
    return "\n\n".join([f"**{table.caption}**", body, *table.notes]) + "\n"


def to_latex(table: Table) -> str:
    """A table as a LaTeX `table` environment for the package booktabs, its notes below."""
    body = _emphasized(table, r"\textbf{{{}}}").to_latex(
        index=False,
        escape=False,
        caption=table.caption,
        column_format="".join(
            r"p{0.42\linewidth}" if column in ("Metrics", "Note") else "l"
            for column in table.display
        ),
    )
    notes = "".join(rf"\par\smallskip\footnotesize {note}" + "\n" for note in table.notes)
    text = body.replace(r"\end{table}", notes + r"\end{table}")
    return text.replace("±", r"$\pm$").replace("p >= ", r"$p \ge$ ").replace("p < ", "$p <$ ")


def _emphasized(table: Table, style: str) -> pd.DataFrame:
    if table.bold is None:
        return table.display
    return table.display.where(~table.bold, table.display.map(style.format))


WRITERS = {".csv": to_csv, ".md": to_markdown, ".tex": to_latex}
"""What makes the text of a table, by the ending of its file."""


def metric_label(metric: Metric) -> str:
    """A metric's symbol as text for the eye."""
    return f"${metric.symbol}$"
