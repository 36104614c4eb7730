"""Labels and keys as text: their spelling, and the label that a command line's text means."""

from __future__ import annotations

import contextlib
import datetime
import re
from collections.abc import Iterable, Sequence
from decimal import Decimal, InvalidOperation
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from skewproof.core.extras import duckdb
from skewproof.core.messages import shortened, shown

MISSING = ("", "NA", "N/A", "NaN", "nan", "null", "NULL", "None", "<NA>")
"""Fields of a text file that are neither a label nor a number."""

LONGEST_KEY, LONGEST_WORD = 40, 13
"""Most characters of a key, and of a key with a word longer than this: 80 columns are then enough
for a table with it."""

_WITH_POINT_ZERO = re.compile(r"-?[0-9]+\.0")


def whole_numbers(labels: Sequence[Any]) -> list[Any]:
    """Remove the ".0" that pandas writes after whole numbers beside missing ones.

    This is done only if all labels are such text or missing, so that no two labels become equal.

    Examples
    --------
    >>> whole_numbers(["1.0", None, "0.0"]), whole_numbers(["1", "1.0"])
    (['1', None, '0'], ['1', '1.0'])
    """
    for label in labels:
        text = isinstance(label, str)
        if not (_WITH_POINT_ZERO.fullmatch(label) if text else pd.isna(label)):
            return list(labels)
    return [label.removesuffix(".0") if isinstance(label, str) else label for label in labels]


def plain_labels(labels: pd.Series) -> NDArray[Any]:
    """Return the labels of a column as an array, text as by :func:`whole_numbers`.

    Examples
    --------
    >>> import pandas as pd
    >>> plain_labels(pd.Series(["1.0", "0.0"])).tolist(), plain_labels(pd.Series([1.0])).tolist()
    (['1', '0'], [1.0])
    """
    plain = labels.to_numpy()
    if plain.dtype == object:
        plain = np.array(whole_numbers(plain.tolist()), dtype=object)
    return plain


def positive_among(pos_label: Any, labels: Iterable[Any]) -> Any:
    """Return the positive label, written as a whole number if it is not among the labels otherwise.

    Examples
    --------
    >>> positive_among("1.0", ["0", "1"]), positive_among("1.0", ["0.0", "1.0"])
    ('1', '1.0')
    """
    if isinstance(pos_label, str) and pos_label not in set(labels):
        return whole_numbers([pos_label])[0]
    return pos_label


def as_text(value: Any) -> str:
    """Write a label or key: dates in ISO 8601, whole numbers without a decimal point.

    Examples
    --------
    >>> import pandas as pd
    >>> as_text(3.0), as_text(pd.Timestamp("2026-05-01")), as_text("2026-05")
    ('3', '2026-05-01', '2026-05')
    """
    if isinstance(value, np.datetime64):
        value = pd.Timestamp(value)
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, datetime.datetime):
        midnight = value.time() == datetime.time() and value.tzinfo is None
        return value.date().isoformat() if midnight else value.isoformat(sep=" ")
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)


def label_like(text: str, labels: Iterable[Any]) -> Any:
    """Return the label or key that a text means: the one with this spelling, or the equal number.

    Parameters
    ----------
    text
        Text from a command line; true and false are also truth values.
    labels
        Existing labels, of any types; missing ones are left out.

    Raises
    ------
    ValueError
        If the text means none of the labels, or several.

    Examples
    --------
    >>> label_like("1", [0.0, 1.0]), label_like("1.0", ["0", "1"]), label_like("true", [True])
    (1.0, '1', True)
    """
    known = list(dict.fromkeys(label for label in labels if not pd.isna(label)))
    meant = [label for label in known if text in _spellings(label)]
    number = _number(text)
    if not meant and number is not None:
        meant = [label for label in known if _number(label) == number]
    if len(meant) == 1:
        return meant[0]
    listed = shortened(", ".join(map(as_text, known[:20])), 200)
    if meant:
        kinds = " and ".join(type(label).__name__ for label in meant)
        raise ValueError(f"label {shown(text)} occurs as {kinds}: expected labels of one type")
    raise ValueError(f"label {shown(text)}: expected one of {listed}")


def _spellings(label: Any) -> tuple[str, ...]:
    text = as_text(label)
    return (text, text.lower()) if isinstance(label, bool | np.bool_) else (text,)


def _number(value: Any) -> Decimal | None:
    """Return a number, or the number that a text denotes, exactly."""
    try:
        return Decimal(int(value) if isinstance(value, bool | np.bool_) else as_text(value))
    except InvalidOperation:
        return None


def typed_label(text: str, relation: duckdb.DuckDBPyRelation, column: str) -> Any:
    """Convert a label that is given as text to the type of a relation's column; no row is read.

    Parameters
    ----------
    text
        Text from a command line.
    relation, column
        Relation and column of the label. Dates are in ISO 8601. A text that cannot have the
        column's type stays text, as it does if there is no such column.

    Examples
    --------
    >>> import duckdb
    >>> typed_label("1", duckdb.sql("SELECT 0 AS y"), "y")
    1
    """
    types = dict(zip(relation.columns, map(str, relation.types), strict=True))
    kind = types.get(column, "VARCHAR")
    if kind == "VARCHAR":
        return text
    if kind == "BOOLEAN":
        with contextlib.suppress(ValueError):
            return label_like(text, [False, True])
    if kind == "DATE" or kind.startswith("TIMESTAMP"):
        with contextlib.suppress(ValueError):
            return pd.Timestamp(datetime.datetime.fromisoformat(text))
    for number in (int, float):
        with contextlib.suppress(ValueError):
            return number(text)
    return text


def slice_name(keys: Iterable[Any]) -> str:
    """Name a slice by the values of its keys, with "missing" for a missing value.

    Examples
    --------
    >>> slice_name(["2026-05", None, 3.0])
    '2026-05, missing, 3'
    """
    texts = []
    for value in keys:
        text = "missing" if pd.isna(value) else as_text(value)
        long_word = any(len(word) > LONGEST_WORD for word in text.split())
        texts.append(shortened(text, LONGEST_WORD if long_word else LONGEST_KEY))
    return ", ".join(texts)
