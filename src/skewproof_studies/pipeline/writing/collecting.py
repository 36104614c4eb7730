"""Combined rows of several CSV files, in the order of a study."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence

Order = Mapping[str, Sequence[str] | None]
"""Sort columns, the most important first: the order of a column's values, or None for numbers in
ascending order."""


def collected(texts: Sequence[str], order: Order, *, as_first_seen: Sequence[str] = ()) -> str:
    """Combine CSV files without changing digits.

    Parameters
    ----------
    texts
        The files' contents, with identical headers.
    order
        Sort order of the rows. Rows that are equal in these columns keep their order.
    as_first_seen
        Columns that take precedence: rows are sorted by the order in which their combined values
        first occur.

    Raises
    ------
    ValueError
        If the headers differ, or if no row has one of the values of the order.
    """
    tables = [list(csv.reader(io.StringIO(text))) for text in texts]
    header = tables[0][0]
    if any(table[0] != header for table in tables):
        raise ValueError(
            f"{len(tables)} files with different columns: expected {', '.join(header)}"
        )
    rows = [row for table in tables for row in table[1:]]
    for column, values in reversed(list(order.items())):
        place = header.index(column)
        if values is None:
            rows.sort(key=lambda row: float(row[place]))
            continue
        missing = set(values) - {row[place] for row in rows}
        if missing:
            raise ValueError(f"no row has {column} = {', '.join(sorted(missing))}")
        rank = {value: number for number, value in enumerate(values)}
        rows.sort(key=lambda row: rank[row[place]])
    places = [header.index(column) for column in as_first_seen]
    seen = {tuple(row[place] for place in places): None for table in tables for row in table[1:]}
    ranks = {values: rank for rank, values in enumerate(seen)}
    rows.sort(key=lambda row: ranks[tuple(row[place] for place in places)])
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([header, *rows])
    return text.getvalue()
