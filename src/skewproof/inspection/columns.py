"""Facts about the columns of a file or frame."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from skewproof.core.algebra import Array
from skewproof.core.arguments import expect
from skewproof.core.data.frames import fetched, lazy_frame
from skewproof.core.data.label_texts import MISSING, as_text, whole_numbers

MOST_LABELS = 200
"""Largest number of different values of a column that are counted one by one."""

NUMBERS = ("string", "integer", "floating", "mixed-integer-float", "decimal")
"""Kinds of values, in pandas' words, that can be numbers; text may denote them."""


class Column(NamedTuple):
    """A column's type, values and counts."""

    name: str
    kind: str
    """numbers, text, numbers and text, dates, or truth values."""
    known: int
    """Number of rows that have a value."""
    distinct: int
    """Number of different values."""
    whole: bool
    """True if all are whole numbers."""
    low: Any
    high: Any
    """The least and the largest number; the least is infinite without numbers."""
    example: str
    """A value as text; of a column with numbers and text, one that is no number."""
    labels: dict[str, int]
    """Each value as text with its number of rows, if there are at most 200 values."""
    codes: Array
    """The position of each row's value among the different values; -1 for a row without one."""
    numbers: Array
    """The different values as numbers; NaN for text."""
    texts: list[str]
    """The different values as text, if there are at most 200."""

    @property
    def numeric(self) -> bool:
        """True if all values are numbers."""
        return self.kind == "numbers"

    @property
    def probabilities(self) -> bool:
        """True if all values are in [0, 1], and some are not whole."""
        return self.numeric and not self.whole and 0 <= self.low <= self.high <= 1

    def scores(self) -> Array:
        """Return the number of each row, NaN for a row without one."""
        return np.append(self.numbers, np.nan)[self.codes]

    def has(self, label: str) -> Array:
        """Return 1 for each row with a label, 0 for one with another, and -1 for one without."""
        return np.append([text == label for text in self.texts], -1)[self.codes]


def cleaned(frame: Any) -> pd.DataFrame:
    """Return a frame of any engine in memory without texts such as NA; lists are left out."""
    rows = frame if isinstance(frame, pd.DataFrame) else fetched(lazy_frame(frame))
    expect(rows.size > 0, "frame", rows, "a row for each prediction")
    columns = {}
    for name, column in rows.items():
        mixed = pd.api.types.infer_dtype(column) == "mixed"
        nested = mixed and column.map(pd.api.types.is_list_like).any()
        if not (nested or pd.api.types.is_numeric_dtype(column)):
            column = column.mask(column.isin(MISSING))
        if not nested:
            columns[str(name)] = column
    return pd.DataFrame(columns)


def read_columns(rows: pd.DataFrame) -> dict[str, Column]:
    """Count the values of each column of cleaned rows.

    Raises
    ------
    ValueError
        If a column has values of several types.

    Examples
    --------
    >>> columns = read_columns(pd.DataFrame({"p": [0.5], "obs": ["yes"]}))
    >>> columns["p"].probabilities, columns["obs"].labels
    (True, {'yes': 1})
    """
    return {name: _column(name, rows[name]) for name in rows}


def _column(name: str, column: pd.Series) -> Column:
    codes, different = pd.factorize(column)
    values = np.asarray(different)
    inferred = pd.api.types.infer_dtype(values)
    mixed = inferred.startswith("mixed") and inferred not in NUMBERS
    expect(not mixed, f"frame[{name!r}]", values.tolist()[:5], "values of one type")
    numbers = np.full(len(values), np.nan)
    if inferred in NUMBERS:
        numbers = np.asarray(pd.to_numeric(values, errors="coerce"), dtype=np.float64)
    no_number = np.isnan(numbers)
    kind = "numbers and text" if no_number.any() else "numbers"
    if no_number.all():
        kind = {"boolean": "truth values", "date": "dates"}.get(
            inferred.partition("time")[0], "text"
        )
    known = numbers[~no_number]
    counts = np.bincount(codes[codes >= 0], minlength=len(values)).tolist()
    few = len(values) <= MOST_LABELS
    texts = [as_text(value) for value in whole_numbers([*values])] if few else []
    labels: dict[str, int] = {}
    for place in values.argsort() if few else ():
        labels[texts[place]] = labels.get(texts[place], 0) + counts[place]
    return Column(
        name=name,
        kind=kind,
        known=sum(counts),
        distinct=len(labels) or len(values),
        whole=bool(known.size and (known == np.trunc(known)).all()),
        low=float(known.min(initial=np.inf)),
        high=float(known.max(initial=-np.inf)),
        example=as_text(values[no_number.argmax()]) if len(values) else "",
        labels=labels,
        codes=codes,
        numbers=numbers,
        texts=texts,
    )
