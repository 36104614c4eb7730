"""How a script writes a table for machines, for the eye and for LaTeX."""

from __future__ import annotations

from pathlib import Path

from skewproof_studies.pipeline.writing.files import write_text
from skewproof_studies.pipeline.writing.provenance import made_by
from skewproof_studies.reporting.table import WRITERS, Table

COMMENTS = {".csv": "", ".md": "<!-- {} -->\n", ".tex": "% {}\n"}
"""How a file begins that says what it was made from; in CSV that would be data."""


def write_layout(table: Table, path: str | Path, made_from: str) -> None:
    """Write a table as its path's ending says.

    A comment has the versions of what made it, and what it was made from, as of
    :func:`skewproof_studies.pipeline.writing.provenance.made_from`.
    """
    kind = Path(path).suffix
    comment = COMMENTS[kind].format(f"{made_by()}; {made_from}")
    write_text(comment + WRITERS[kind](table), path)
