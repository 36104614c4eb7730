"""Results that the report shows, in its order."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from pathlib import Path

FIGURES = (".png", ".svg", ".pdf")
"""Formats of a figure, the best one for the report first."""


def read_contents(
    contents: Path, series: Mapping[str, Mapping[str, str]], folder: Path
) -> dict[str, dict[str, str]]:
    """Read the table of contents, and look for its results.

    Parameters
    ----------
    contents
        CSV file with the columns result, category, content and caption. A result is the path of a
        table or text, or that of a figure without its extension.
    series
        Results that share a row, by the row's result: the paths with a title for each.
    folder
        The folder of the run.

    Returns
    -------
    The row of each existing result, by its path in the folder.
    """
    rows = {}
    with contents.open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            members = series.get(row["result"], {row["result"]: row["content"]})
            for result, title in members.items():
                suffixes = ("",) if Path(result).suffix else FIGURES
                paths = [result + suffix for suffix in suffixes]
                for path in [path for path in paths if (folder / path).is_file()][:1]:
                    rows[path] = row | {"content": title}
    return rows
