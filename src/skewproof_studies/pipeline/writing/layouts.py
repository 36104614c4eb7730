"""Writing of tables by scripts, as data, Markdown and LaTeX."""

from __future__ import annotations

from pathlib import Path

from skewproof_studies.pipeline.writing.files import write_text
from skewproof_studies.pipeline.writing.provenance import made_by
from skewproof_studies.reporting.table import WRITERS, Table

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
