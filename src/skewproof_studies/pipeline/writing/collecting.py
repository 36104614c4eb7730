"""Rows of several CSV files, one below the other, in the order of a study."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence

Order = Mapping[str, Sequence[str] | None]
"""Columns by which rows are sorted, the first one first: the order of a column's values, or None
for numbers, which rise."""


def collected(texts: Sequence[str], order: Order, *, as_first_seen: Sequence[str] = ()) -> str:
    """Put CSV files together; digits stay as they are.

    Parameters
    ----------
    texts
        The files' contents, with one header.
    order
        How rows are sorted. Rows that are alike in these columns stay as they were.
    as_first_seen
        Columns by which rows are sorted before that, in the order in which their values together
        are first seen.

    Raises
    ------
    ValueError
        If the headers differ, or rows of a value are missing that the order has.
    """
    tables = [list(csv.reader(io.StringIO(text))) for text in texts]
    header = tables[0][0]
    if any(table[0] != header for table in tables):
        raise ValueError(f"{len(tables)} files with other columns: expected {', '.join(header)}")
    rows = [row for table in tables for row in table[1:]]
    for column, values in reversed(list(order.items())):
        place = header.index(column)
        if values is None:
            rows.sort(key=lambda row: float(row[place]))
            continue
        missing = set(values) - {row[place] for row in rows}
        if missing:
            raise ValueError(f"no row of {column} {', '.join(sorted(missing))}: expected some")
        rank = {value: number for number, value in enumerate(values)}
        rows.sort(key=lambda row: rank[row[place]])
    places = [header.index(column) for column in as_first_seen]
    seen = {tuple(row[place] for place in places): None for table in tables for row in table[1:]}
    ranks = {values: rank for rank, values in enumerate(seen)}
    rows.sort(key=lambda row: ranks[tuple(row[place] for place in places)])
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([header, *rows])
    return text.getvalue()
