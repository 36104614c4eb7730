"""Reading and writing of tables by scripts, as CSV and, if laid out, as Markdown and LaTeX."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import pandas as pd
from pandas.errors import ParserError, ParserWarning

from skewproof_studies.pipeline.writing.files import write_text
from skewproof_studies.pipeline.writing.provenance import made_by
from skewproof_studies.reporting.table import WRITERS, Table


def read_table(path: str, **options: Any) -> pd.DataFrame:
    """Read a CSV file so that pandas reproduces each number to the last bit.

    Raises
    ------
    ValueError
        If a row has more fields than the header.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("error", ParserWarning)
        try:
            # Without it pandas would take surplus fields of the first row for row labels.
            return pd.read_csv(path, index_col=False, **options)
        except ParserWarning:
            raise ValueError(f"{path}: the first row has more fields than the header") from None
        except ParserError as error:
            raise ValueError(f"{path}: {str(error).strip()}") from None


def write_table(table: pd.DataFrame, path: str) -> None:
    """Write a frame as CSV in full precision."""
    write_text(table.to_csv(index=False), path)


COMMENTS = {".csv": "", ".md": "<!-- {} -->\n", ".tex": "% {}\n"}
"""Format of the comment at the head of a file that says what it was made from. CSV has none, since
readers would take it for data."""


def write_layout(table: Table, path: str | Path, made_from: str) -> None:
    """Write a table in the format of its path's extension.

    A comment has the versions of the software that made the table, and its input in the words of
    :func:`skewproof_studies.pipeline.writing.provenance.made_from`.
    """
    kind = Path(path).suffix
    comment = COMMENTS[kind].format(f"{made_by()}; {made_from}")
    write_text(comment + WRITERS[kind](table), path)
