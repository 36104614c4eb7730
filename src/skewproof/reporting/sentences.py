"""Sentences from tables: each row has the facts that it needs, and texts that name facts."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

import pandas as pd


def filled_rows(
    package: str, table: str, texts: Mapping[str, Any], needs: Mapping[str, Any] | None = None
) -> list[dict[str, str]]:
    """Return the rows of a table whose needs are met, with the facts filled in.

    Parameters
    ----------
    package, table
        The package that has the table, and the name of the CSV file without its suffix. In the
        column `needs` are names of facts that must not be empty, and, after a minus, of facts that
        must be. Other columns are texts in the format of :meth:`str.format`.
    texts
        What to fill in, by name.
    needs
        Facts by name if these are not the same.

    Examples
    --------
    >>> rows = filled_rows("skewproof.inspection", "remarks", {"copies": 20, "rows": 1000})
    >>> rows[0]["remark"]
    '20 of 1,000 rows are copies of others in all columns.'
    """
    facts = texts if needs is None else needs
    return [
        {name: text.format_map(texts) for name, text in row.items() if name != "needs"}
        for row in _rows(package, table)
        if all(
            bool(facts.get(word.removeprefix("-"))) != word.startswith("-")
            for word in row["needs"].split()
        )
    ]


@cache
def _rows(package: str, table: str) -> list[dict[str, str]]:
    with files(package).joinpath(f"{table}.csv").open(encoding="utf-8") as file:
        return pd.read_csv(file, keep_default_na=False).to_dict("records")
