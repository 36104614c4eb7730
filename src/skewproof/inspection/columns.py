"""Facts about the columns of a file or frame, counted in two passes of DuckDB."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from skewproof.core.data.frames import IDENTIFIER
from skewproof.core.data.label_texts import MISSING, as_text, whole_numbers
from skewproof.core.extras import duckdb

MOST_LABELS = 200
"""Largest number of different values of a column that are counted one by one."""

COUNTED = re.compile(rf"^({IDENTIFIER.pattern})$|row|index|id", re.IGNORECASE)
"""Names of columns whose different values are counted exactly, as others are up to 200."""

NUMBERS = re.compile(r".*INT|FLOAT|DOUBLE|DECIMAL|VARCHAR")
"""DuckDB's types of numbers and of text."""

LISTS = re.compile(r"STRUCT|MAP|UNION|.*\]$")
"""DuckDB's types that are no single values."""

FACTS = (
    "count({column})",
    "{distinct}",
    "count({number})",
    "coalesce(bool_and({number} = trunc({number})), false)",
    "min({number})",
    "max({number})",
    "coalesce(any_value({column}) FILTER ({number} IS NULL), any_value({column}))",
)
"""Aggregates of each column."""


class Column(NamedTuple):
    """A column's type and counts."""

    name: str
    kind: str
    """numbers, text, numbers and text, dates, or truth values."""
    known: int
    """Number of rows that have a value."""
    distinct: int
    """Number of different values, which is an estimate within a few percent if it is large."""
    whole: bool
    """True if all are whole numbers."""
    low: Any
    high: Any
    """The least and the largest number; None without numbers."""
    example: str
    """A value as text; of a column with numbers and text, one that is no number."""
    labels: dict[str, int]
    """Each value as text with its number of rows, if there are at most 200 values."""
    values: dict[str, list[Any]]
    """Each text of `labels` with the values that it stands for, such as 1 and 1.0."""

    @property
    def numeric(self) -> bool:
        """True if all values are numbers."""
        return self.kind == "numbers"

    @property
    def probabilities(self) -> bool:
        """True if all values are in [0, 1], and some are not whole."""
        return self.numeric and not self.whole and 0 <= self.low <= self.high <= 1


def quoted(name: str) -> str:
    """Write a column's name in a query."""
    return '"' + name.replace('"', '""') + '"'


def cleaned(relation: duckdb.DuckDBPyRelation) -> duckdb.DuckDBPyRelation:
    """Return the relation with null for texts such as NA, and for NaN; lists are left out."""
    known = {
        "VARCHAR": f"{{0}} NOT IN {MISSING}",
        "FLOAT": "NOT isnan({0})",
        "DOUBLE": "NOT isnan({0})",
    }
    fields = [
        f"CASE WHEN {known.get(kind, 'true').format(quoted(name))} THEN {quoted(name)} END"
        f" AS {quoted(name)}"
        for name, kind in zip(relation.columns, map(str, relation.types), strict=True)
        if not LISTS.match(kind)
    ]
    return relation.select(", ".join(fields))


def read_columns(rows: duckdb.DuckDBPyRelation) -> tuple[int, dict[str, Column]]:
    """Count the rows of a cleaned relation, and the values of each column.

    Examples
    --------
    >>> import duckdb
    >>> rows, columns = read_columns(duckdb.sql("SELECT 0.5 AS p, 'yes' AS obs"))
    >>> rows, columns["p"].probabilities, columns["obs"].labels
    (1, True, {'yes': 1})
    """
    kinds = dict(zip(rows.columns, map(str, rows.types), strict=True))
    parts = ["count(*)"]
    for name, kind in kinds.items():
        column = quoted(name)
        exact = f"count(DISTINCT {column})" if COUNTED.search(name) else ""
        parts += [
            fact.format(
                column=column,
                distinct=exact or f"approx_count_distinct({column})",
                number=f"TRY_CAST({column if NUMBERS.match(kind) else 'NULL'} AS DOUBLE)",
            )
            for fact in FACTS
        ]
    (number_of_rows, *facts), *_ = rows.aggregate(", ".join(parts)).fetchall()
    of_columns = dict(zip(kinds, zip(*[iter(facts)] * len(FACTS), strict=True), strict=True))
    few = [name for name in kinds if 0 < of_columns[name][1] <= 1.2 * MOST_LABELS]
    histograms = ", ".join(f"histogram({quoted(name)})" for name in few)
    counts = dict(zip(few, rows.aggregate(histograms).fetchall()[0], strict=True)) if few else {}
    columns = {}
    for name, (known, distinct, numbers, whole, low, high, example) in of_columns.items():
        kind = "text" if not numbers else "numbers" if numbers == known else "numbers and text"
        kind = {"BOOLEAN": "truth values", "DATE": "dates", "TIME": "dates"}.get(
            kinds[name].partition("STAMP")[0], kind
        )
        labels: dict[str, int] = {}
        values: dict[str, list[Any]] = {}
        of_values = counts.get(name, {})
        if len(of_values) <= MOST_LABELS:
            for value, plain in zip(of_values, whole_numbers([*of_values]), strict=True):
                text = as_text(plain)
                labels[text] = labels.get(text, 0) + of_values[value]
                values.setdefault(text, []).append(value)
        numbers = (known, len(labels) or min(distinct, known), whole, low, high)
        text = "" if example is None else as_text(example)
        columns[name] = Column(name, kind, *numbers, text, labels, values)
    return number_of_rows, columns
