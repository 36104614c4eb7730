"""The tables of this folder: names of columns, remarks, questions, and what is missing."""

from __future__ import annotations

import csv
from pathlib import Path


def table(name: str) -> list[list[str]]:
    """Read the rows of a table.

    Examples
    --------
    >>> table("questions")[3][0]
    'Which model is better?'
    """
    with Path(__file__).with_name(f"{name}.csv").open(encoding="utf-8", newline="") as rows:
        return list(csv.reader(rows))[1:]
