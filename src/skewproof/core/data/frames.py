"""Data frames of any engine that narwhals reads."""

from __future__ import annotations

import re
import warnings
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import pandas as pd

from skewproof.core.extras import extra, narwhals as nw
from skewproof.core.messages import shortened, shown
from skewproof.core.registry import nearest

LOOKED_AT = 1000
"""Number of rows that are first looked at to find the columns that tell rows apart."""

LEAST_VARIED = 100
"""Least number of values of such a column among these rows."""

NEARLY_ALL = 0.99
"""Least number of its values among the rows that are not copies, as a share of these rows."""

IDENTIFIER = re.compile(
    r"(.*[^a-z])?(patient|subject|participant|respondent|person|individual|user|customer|client"
    r"|member|account|household|family|animal|session|visit|encounter|admission|episode|document"
    r"|doc|conversation|dialog|dialogue|thread|article|question|prompt|speaker|author|video|scene"
    r"|slide|group|cluster)([^a-z]?(id|no|nr|number|key|code|name|uuid))?|(.*[^a-z])?case[^a-z]?id"
    r"|u?id|uuid",
    re.IGNORECASE,
)
"""Names of columns of what may have several rows."""

REFUSED = "refused: "
"""Start of the messages of values that a query refuses, and only if a column with them is used."""

ENGINES = "pandas, polars, PyArrow, DuckDB, Dask or PySpark"


def is_frame(data: Any) -> bool:
    """Return whether data are a frame; the columns of a lazy one are not asked for."""
    return hasattr(type(data), "columns")


def labels_of(data: Any, y_true: Any) -> Any:
    """Return labels that are given by position or as `y_true`, instead of a frame.

    Raises
    ------
    TypeError
        If they are missing, or given twice.
    """
    if data is not None and y_true is not None:
        raise TypeError(
            f"y_true = {shown(y_true)} beside data of the type"
            f" {shortened(type(data).__name__)}: expected labels once, or a data frame of {ENGINES}"
            " and the name of its column y_true"
        )
    if data is None and y_true is None:
        raise TypeError("y_true is missing: expected labels, or a data frame and its column y_true")
    return y_true if data is None else data


def lazy_frame(frame: Any) -> nw.LazyFrame[Any]:
    """Return the frame as a lazy one, whose operations wait until their result is fetched."""
    with extra("count_slices"):
        try:
            rows = nw.from_native(frame).lazy()
            schema = rows.collect_schema()
        except nw.exceptions.DuplicateError:
            raise ValueError(
                "frame has several columns of the same name: expected different names"
            ) from None
        except TypeError:
            raise TypeError(
                f"frame is of the type {shortened(type(frame).__name__)}: expected a data frame of"
                f" {ENGINES}"
            ) from None
    halves = [name for name, kind in schema.items() if str(kind) == "Float16"]
    # pandas does not group rows by floats of half precision.
    return rows.with_columns(nw.col(halves).cast(nw.Float32)) if halves else rows


def check_column(schema: Mapping[str, nw.dtypes.DType], role: str, column: str) -> None:
    """Refuse a column that is missing or of the wrong type; `role` is the argument's name."""
    if not isinstance(column, str):
        raise ValueError(f"{role} = {shown(column)}: expected the name of a column")
    if column not in schema:
        known = shortened(", ".join(schema), 200)
        raise KeyError(
            f"{role} = {shown(column)}: expected one of the columns {known}"
            f"{nearest(column, schema)}"
        )
    kind = schema[column]
    numbers = role in ("y_prob", "y_score", "sample_weight")
    if kind.is_nested() or (numbers and not kind.is_numeric()):
        raise ValueError(
            f"{role} = {shown(column)} is of the type {shortened(str(kind))}: expected"
            f" {'numbers' if numbers else 'single values'}"
        )


def fetched(rows: nw.LazyFrame[Any]) -> pd.DataFrame:
    """Collect rows in memory; whole numbers stay whole beside missing ones."""
    frame = rows.collect()
    if frame.implementation.is_pandas_like():
        return frame.to_pandas()
    return frame.to_arrow().to_pandas(integer_object_nulls=True, date_as_object=False)


def known_columns(frame: Any, **columns: Any) -> pd.DataFrame:
    """Collect columns in memory; rows without a label, a score or a probability are left out.

    Parameters
    ----------
    frame
        The frame.
    columns
        Names of columns, or several of them, by the arguments that name them.

    Raises
    ------
    TypeError, KeyError, ValueError, MissingExtraError
        If the frame or a column is refused.
    """
    rows = lazy_frame(frame)
    schema = rows.collect_schema()
    known = []
    for role, given in columns.items():
        for column in [given] if isinstance(given, str) else given:
            check_column(schema, role, column)
            number = role in ("y_prob", "y_score")
            value = unless_nan(nw.col(column).cast(nw.Float64)) if number else nw.col(column)
            known.append((role, column, value))
    selected = rows.select(*[value.alias(column) for _, column, value in known])
    names = [column for role, column, _ in known if role != "groups"]
    return fetched(selected.filter(*[~nw.col(name).is_null() for name in names]))


def is_infinite(number: nw.Expr) -> nw.Expr:
    """Return whether a float is infinite."""
    return number.abs() == float("inf")


def unless_nan(number: nw.Expr) -> nw.Expr:
    """Return null instead of NaN.

    The engine is not asked for NaN: DuckDB answers from the statistics of a Parquet file, which do
    not count NaN.
    """
    return nw.when(number.is_finite() | is_infinite(number)).then(number)


class GroupsWarning(UserWarning):
    """A warning about rows that may belong together, such as those of a patient.

    Without `groups`, intervals take all rows as independent. If they are, turn the warning off by
    ``warnings.simplefilter("ignore", GroupsWarning)``.
    """


def warn_of_copies(frame: nw.LazyFrame[Any], used: Collection[str]) -> None:
    """Warn once of rows that may belong together, as intervals count each by itself.

    They may if a column whose name is that of an identifier, such as patient_id, has a value twice,
    or if rows are copies of others in all columns. Labels and predictions always repeat. Rows are
    therefore compared only if the frame has a column beside those that are used, such as an
    identifier or a feature, that has another value in nearly every row that is not a copy. Frames
    of Dask and PySpark, frames with nested columns, and files with a column that cannot be used are
    not examined.
    """
    try:
        signs = _repeated_identifiers(frame, used)
        copies, rows = count_copies(frame, used)
    except Exception as error:
        if REFUSED not in str(error):
            raise
        return
    if copies:
        signs.append(
            "rows that are equal to others in all columns, and count as further independent"
            f" instances: {copies} of {rows}"
        )
    if signs:
        advice = "if rows belong together, name the column of their groups (groups=, --groups)"
        warnings.warn(f"{'; '.join(signs)}; {advice}", GroupsWarning, stacklevel=3)


def _repeated_identifiers(frame: nw.LazyFrame[Any], used: Collection[str]) -> list[str]:
    """Describe columns with the name of an identifier in which some values repeat."""
    engine = frame.implementation
    names = [
        name
        for name, kind in frame.collect_schema().items()
        if name not in used and IDENTIFIER.fullmatch(name)
        if not (kind.is_nested() or kind in (nw.Object, nw.Boolean))
    ]
    if not names or engine.is_dask() or engine.is_pyspark():
        return []
    numbers = [nw.col(name).count().alias(f"rows {name}") for name in names]
    numbers += [nw.col(name).n_unique().alias(f"values {name}") for name in names]
    rows, *counts = _counted(frame.select(nw.len(), *numbers))
    signs = []
    for name, known, values in zip(names, counts, counts[len(names) :], strict=False):
        distinct = values - (known < rows)  # a missing value is one
        if 1 < distinct < known:
            signs.append(f"{shown(name)} has {distinct:,} values in {known:,} rows")
    return signs


def count_copies(frame: nw.LazyFrame[Any], used: Collection[str]) -> tuple[int, int]:
    """Count the rows that are copies, as far as the frame is examined, and all rows."""
    schema = frame.collect_schema()
    engine = frame.implementation
    nested = any(kind.is_nested() or kind == nw.Object for kind in schema.values())
    if nested or engine.is_dask() or engine.is_pyspark():
        return 0, 0
    further = {name: kind.is_numeric() for name, kind in schema.items() if name not in used}
    further = {name: fast for name, fast in further.items() if fast or schema[name] == nw.String}
    first = fetched(frame.select(*further).head(LOOKED_AT)) if further else pd.DataFrame()
    varied = [name for name in further if first[name].nunique() >= LEAST_VARIED]
    if not varied:
        return 0, 0
    key = max(varied, key=lambda name: (first[name].nunique(), further[name]))
    rows, values = _counted(frame.select(nw.len(), nw.col(key).n_unique().alias("values")))
    if values == rows:
        return 0, rows
    # Where values are equal by chance, some of them show it in less time than all.
    some = frame.filter(nw.col(key).is_in(first[key].dropna().unique().tolist()))
    for part in (some, frame.filter(nw.col(key).is_duplicated())):
        size, values = _counted(part.select(nw.len(), nw.col(key).n_unique().alias("values")))
        distinct = _counted(part.unique().select(nw.len()))[0]
        if values < NEARLY_ALL * distinct:
            return 0, rows
    return size - distinct, rows


def _counted(numbers: nw.LazyFrame[Any]) -> list[int]:
    return [int(number) for number in fetched(numbers).iloc[0]]


def reached(column: str, edges: Sequence[float]) -> nw.Expr:
    """Count the edges that each number of a column reaches as a float; there is at least one edge.

    Sums are taken by halves, since engines refuse deep expressions.
    """
    if len(edges) == 1:
        return (nw.col(column).cast(nw.Float64) >= edges[0]).cast(nw.Int64)
    half = len(edges) // 2
    return reached(column, edges[:half]) + reached(column, edges[half:])
