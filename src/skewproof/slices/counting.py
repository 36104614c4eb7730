"""Counts of a confusion matrix for every slice of a data frame, wherever its data are.

A single aggregation that every engine supports does the work: rows are grouped by the keys, the
true and the predicted label, and counted, or their weights are summed. Only its result, a row per
group, is fetched.
"""

from __future__ import annotations

import contextlib
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from skewproof.core.arguments import expect, expect_several, is_finite
from skewproof.core.confusion import CELLS
from skewproof.core.data.frames import (
    check_column,
    fetched,
    is_infinite,
    lazy_frame,
    warn_of_copies,
)
from skewproof.core.data.groups import WEIGHTED_GROUPS
from skewproof.core.data.label_texts import positive_among, whole_numbers
from skewproof.core.data.labels import check_classes, check_many_classes, refuse_rounded
from skewproof.core.data.weights import are_counts
from skewproof.core.extras import extra, narwhals as nw
from skewproof.core.messages import shortened, shown
from skewproof.slices.over_time.periods import calendar_places
from skewproof.slices.slice_table import COUNTED, EFFECTIVE, PAIR, PAIR_COLUMNS, codes_of_groups

LOOKED_AT = 1000
"""Number of rows that are first checked for scores that were passed as labels."""

INFINITE = 2
"""Stand-in for the prediction from an infinite score."""


class _Roles(NamedTuple):
    """Columns by their roles."""

    keys: tuple[str, ...]
    true: str
    predicted: str
    """Column of labels, or of scores if there is a threshold."""
    threshold: float | None
    weight: str | None
    groups: str | None = None
    """Column of groups, which is the last key too."""

    def named(self) -> Iterator[tuple[str, str]]:
        """Yield arguments and the columns that they name."""
        yield "y_true", self.true
        yield "y_pred" if self.threshold is None else "y_score", self.predicted
        if self.weight is not None:
            yield "sample_weight", self.weight
        yield from ((self.role(key), key) for key in self.keys)

    def role(self, key: str) -> str:
        """Return the argument that names a key."""
        return "by" if self.groups is None or key != self.groups else "groups"


def count_slices(
    frame: Any,
    *,
    y_true: str,
    y_pred: str | None = None,
    y_score: str | None = None,
    threshold: float | None = None,
    by: str | Iterable[str] = (),
    pos_label: Any = None,
    sample_weight: str | None = None,
    groups: str | None = None,
) -> pd.DataFrame:
    """Count the cells of a confusion matrix for every slice of a data frame.

    The frame as a whole determines what is counted. Two classes have tp, fp, fn and tn in a row per
    slice; more than two have a row for each pair of a true and a predicted label that occurs.

    Parameters
    ----------
    frame
        Predictions, a row each: a frame of pandas, polars (lazy or not), Dask or PySpark, a table
        of PyArrow or a relation of DuckDB. Its data stay where they are. Without `groups`, a
        :class:`skewproof.slices.GroupsWarning` tells which further columns, such as patient_id,
        have a value in several rows, and how many rows are copies of others in all columns, if a
        further column tells rows apart; Dask and PySpark are not asked.
    y_true
        Column of the true labels, as :meth:`skewproof.ConfusionMatrix.from_labels` and
        :meth:`skewproof.MulticlassConfusionMatrix.from_labels` take them, except that some may be
        missing: null or NaN. If a column is text and consists of whole numbers followed by ".0", as
        pandas writes them beside missing ones, they are these whole numbers, as text.
    y_pred, y_score
        Column of the predicted labels, or of scores: finite numbers, or missing. One of the two.
    threshold
        The prediction is positive if the score, as float64, is at least this; with `y_score`.
    by
        Columns whose values make a slice, its keys; without any, the whole frame is one slice. A
        missing key is a slice of its own. Text is not interpreted: "1.1" and "1.10" are two slices.
    pos_label
        Label of the positive class; more than two labels are then refused. By default it is 1, or
        the text "1", if there are two labels, and every label is a class if there are more.
    sample_weight
        Column of weights: a finite number of at least 0 in every row. No weight may be missing. As
        stated at :meth:`skewproof.ConfusionMatrix.from_labels`, weights that are all whole numbers
        are counts, as if rows were repeated, and others have effective sizes.
    groups
        Column of the group of each row if rows belong together, such as the patient. No label may
        be missing, and weights that are not counts are refused. Pass its name to
        :func:`skewproof.explain_change` or :func:`skewproof.watch_drift` too.

    Returns
    -------
    Frame with a row per slice, sorted by the keys; text that follows a calendar is sorted by time,
    see :func:`skewproof.slices.over_time.periods.calendar_places`. With `groups` there is a row per
    slice and group, whose column follows the keys. Columns are the
    keys; tp, fp, fn and tn, of int64, or of float64 if weights are not counts; missing, the number
    of rows that are left out because the label, prediction or score is missing; and with weights
    that are not counts positives_effective and negatives_effective, the sizes (sum w)^2/(sum w^2)
    of each class (Kish 1965), 0 if it has no weight. A slice whose rows are all left out has zeros.

    For more than two classes a row per slice and pair of labels, as with ``groupby(...).size()`` of
    pandas: the keys, true, predicted, count, and with weights that are not counts the effective
    size of the pair. Pairs that do not occur have no row; those with a missing label have one. The
    matrix of a slice is that of ``MulticlassConfusionMatrix.from_labels`` for the rows without a
    missing label, with count as sample_weight.

    Raises
    ------
    TypeError
        If `frame` is not a data frame of one of these engines.
    KeyError
        If there is no such column; the message suggests the nearest spelling.
    ValueError
        If labels, scores, weights or other arguments are refused, a key is a float of at least
        2^53, to which other whole numbers are rounded, or the frame has no rows.
    MissingExtraError
        If narwhals, which connects to the engines, or PyArrow, which returns the counts of all
        engines but pandas and Dask, is not installed.

    Examples
    --------
    >>> import pandas as pd
    >>> from skewproof import count_slices
    >>> frame = pd.DataFrame(
    ...     {"month": [5, 5, 5, 6, 6], "y": [1, 0, 0, 1, 1], "p": [1, 1, 0, 0, None]}
    ... )
    >>> print(count_slices(frame, y_true="y", y_pred="p", by="month"))
       month  tp  fp  fn  tn  missing
    0      5   1   1   0   1        0
    1      6   0   0   1   0        1

    Three classes:

    >>> from skewproof import MulticlassConfusionMatrix
    >>> true, predicted = ["cat", "cat", "dog", "owl", "owl"], ["cat", "dog", "dog", "owl", "owl"]
    >>> counts = count_slices(pd.DataFrame({"y": true, "p": predicted}), y_true="y", y_pred="p")
    >>> print(counts)
      true predicted  count
    0  cat       cat      1
    1  cat       dog      1
    2  dog       dog      1
    3  owl       owl      2
    >>> matrix = MulticlassConfusionMatrix.from_labels(
    ...     counts["true"], counts["predicted"], sample_weight=counts["count"]
    ... )
    >>> matrix.class_sizes.tolist()
    [2.0, 1.0, 2.0]
    """
    predicted = _prediction(y_pred, y_score, threshold)
    keys = _keys(by)
    if groups is not None:
        expect(isinstance(groups, str), "groups", groups, "the name of a column")
        expect(groups not in keys, "groups", groups, "a column that is not in by")
        keys = (*keys, groups)
    roles = _Roles(keys, y_true, predicted, threshold, sample_weight, groups)
    _refuse_keys(roles, COUNTED)
    lazy = lazy_frame(frame)
    rows = _rows(lazy, roles)
    first = _groups(rows.head(LOOKED_AT), roles)
    # The first rows cannot show whether 1 is a label, or whether there are three labels.
    some_label = next(iter(_labels(first, roles)), 1) if pos_label is None else pos_label
    _check(first, roles, some_label, many=pos_label is None)
    cells = _groups(rows, roles)
    if cells.empty:
        raise ValueError("frame has no rows: expected predictions")
    labels = _labels(cells, roles)
    many = pos_label is None and len(labels) > 2
    if pos_label is None:
        pos_label = "1" if any(isinstance(label, str) for label in labels) else 1
    positive = _check(cells, roles, pos_label, many=many)
    if groups is None:
        warn_of_copies(lazy, [column for _, column in roles.named()])
    if roles.weight is not None and are_counts(cells["weight"].sum(), cells["fraction"].sum()):
        cells["rows"], roles = cells["weight"], roles._replace(weight=None)
    if groups is not None:
        codes_of_groups(cells[_key(len(keys) - 1)], groups)
        if roles.weight is not None:
            raise ValueError(WEIGHTED_GROUPS)
    return _pairs(cells, roles) if many else _cells(cells, roles, positive)


def _labels(groups: pd.DataFrame, roles: _Roles) -> list[Any]:
    """Return the different labels, without the predictions from scores."""
    columns = ["true", "predicted"] if roles.threshold is None else ["true"]
    return list(dict.fromkeys(label for name in columns for label in groups[name].dropna()))


def _prediction(y_pred: str | None, y_score: str | None, threshold: float | None) -> str:
    """Return the column of predicted labels, or of scores with a threshold."""
    if y_pred is not None and y_score is None:
        expect(threshold is None, "threshold", threshold, "no threshold with y_pred")
        return y_pred
    if y_score is not None and y_pred is None:
        expect(is_finite(threshold), "threshold", threshold, "a finite number with y_score")
        return y_score
    given = "neither" if y_score is None else "both"
    raise ValueError(f"y_pred and y_score: {given} given, expected one of them")


def _keys(by: str | Iterable[str]) -> tuple[str, ...]:
    keys = (by,) if isinstance(by, str) else tuple(expect_several("by", by, "names of columns"))
    expect(all(isinstance(key, Hashable) for key in keys), "by", by, "names of columns")
    for key in keys:
        if keys.count(key) > 1:
            raise ValueError(f"by has {shown(key)} twice: expected different columns")
    return keys


def _refuse_keys(roles: _Roles, columns: Collection[str]) -> None:
    """Refuse a key with the name of a column of the result."""
    for role, key in roles.named():
        if role in ("by", "groups") and key in columns:
            raise ValueError(
                f"{role} has {shown(key)}, which is a column of the result: expected the key"
                " renamed"
            )


def _rows(frame: nw.LazyFrame[Any], roles: _Roles) -> nw.LazyFrame[Any]:
    """Select keys, labels, prediction and weights under fixed names."""
    schema = frame.collect_schema()
    for role, column in roles.named():
        check_column(schema, role, column)
    columns = [nw.col(key).alias(_key(number)) for number, key in enumerate(roles.keys)]
    columns.append(nw.col(roles.true).alias("true"))
    predicted = nw.col(roles.predicted)
    if roles.threshold is not None:
        predicted = _called(predicted.cast(nw.Float64), roles.threshold)
    columns.append(predicted.alias("predicted"))
    if roles.weight is not None:
        weight = nw.col(roles.weight).cast(nw.Float64)
        columns += [weight.alias("weight"), (weight * weight).alias("square")]
        columns.append((weight % 1).alias("fraction"))
    return frame.select(*columns)


def _key(number: int) -> str:
    return f"key_{number}"


def _called(score: nw.Expr, threshold: float) -> nw.Expr:
    """Return 1 if a score reaches the threshold, 0 if not, 2 if it is infinite, else null."""
    reached = (score >= float(threshold)).cast(nw.Int8)
    infinite = nw.when(is_infinite(score)).then(nw.lit(INFINITE, nw.Int8))
    return nw.when(score.is_finite()).then(reached).otherwise(infinite)


def _groups(rows: nw.LazyFrame[Any], roles: _Roles) -> pd.DataFrame:
    """Count rows by keys, label and prediction, in the single aggregation, and fetch the counts."""
    sums = [nw.len().alias("rows")]
    if roles.weight is not None:
        weight = nw.col("weight")
        sums += [weight.count().alias("weights"), weight.min().alias("smallest")]
        sums += [weight.sum(), nw.col("square").sum(), nw.col("fraction").sum()]
    keys = [_key(number) for number in range(len(roles.keys))]
    try:
        with extra("count_slices"):
            groups = fetched(rows.group_by(*keys, "true", "predicted").agg(*sums))
    except TypeError as error:
        raise ValueError(
            f"frame has values that can't be grouped, {shortened(str(error))}: expected labels and"
            " keys"
        ) from None
    for column in ("true", "predicted"):
        if groups[column].dtype.kind not in "biuf":
            labels = whole_numbers(groups[column].tolist())
            groups[column] = pd.Series(labels, groups.index, dtype=object)
    return groups


def _check(groups: pd.DataFrame, roles: _Roles, pos_label: Any, *, many: bool) -> Any:
    """Refuse invalid labels, scores and weights; return the positive label.

    More than two classes are refused unless there may be many.
    """
    for number, key in enumerate(roles.keys):
        role = roles.role(key)
        refuse_rounded(groups[_key(number)].dropna().to_numpy(), f"{role} = {shown(key)}")
    for column, given in (("true", roles.true), ("predicted", roles.predicted)):
        refuse_rounded(groups[column].dropna().to_numpy(), shown(given))
    true, predicted = (
        groups[column].dropna().to_numpy(dtype=object) for column in ("true", "predicted")
    )
    if roles.threshold is not None:
        if np.any(predicted == INFINITE):
            raise ValueError(
                f"y_score = {shown(roles.predicted)} has an infinite number: expected finite ones"
            )
        predicted = true
    positive = positive_among(pos_label, [*true, *predicted])
    if many and roles.threshold is None:
        check_many_classes(true, predicted)
    else:
        check_classes(true, predicted, positive)
    if roles.weight is not None:
        _check_weights(groups, f"sample_weight = {shown(roles.weight)}")
    return positive


def _check_weights(groups: pd.DataFrame, given: str) -> None:
    missing = int(groups["rows"].sum() - groups["weights"].sum())
    if missing:
        raise ValueError(f"{given} has {missing} missing: expected a number in every row")
    if (groups["smallest"] < 0).any():
        raise ValueError(f"{given} has {groups['smallest'].min():g}: expected numbers >= 0")
    weight, square = groups["weight"], groups["square"]
    if not np.isfinite(weight).all():
        raise ValueError(
            f"{given} has a number that is not finite, or a sum that is not: expected finite ones"
        )
    if not np.isfinite(square).all() or ((square == 0) & (weight > 0)).any():
        raise ValueError(
            f"{given} has numbers whose squares are not floats: expected scaled weights"
        )


def _pairs(groups: pd.DataFrame, roles: _Roles) -> pd.DataFrame:
    """Return a row per slice and pair of labels, from a row per group."""
    _refuse_keys(roles, PAIR_COLUMNS)
    columns = {label: _whole(_plain(groups[label])) for label in PAIR}
    columns["count"] = _sizes(groups, roles)
    if roles.weight is not None:
        columns["effective"] = groups["square"]
    return _summed(groups, roles, columns, {"effective": ("count",)})


def _cells(groups: pd.DataFrame, roles: _Roles, pos_label: Any) -> pd.DataFrame:
    """Return a row per slice with the cells of its matrix, from a row per group."""
    missing = groups["true"].isna() | groups["predicted"].isna()
    positive = groups["true"].astype(object).isin([pos_label])
    called_positive = pos_label if roles.threshold is None else 1
    called = groups["predicted"].astype(object).isin([called_positive])
    cells = np.select([missing, positive & called, called, positive], ["", "tp", "fp", "fn"], "tn")
    sizes = _sizes(groups, roles)
    columns = {cell: sizes.where(cells == cell, 0) for cell in CELLS}
    columns["missing"] = groups["rows"].astype(np.int64).where(missing, 0)
    if roles.weight is not None:
        for name, of_class in EFFECTIVE.items():
            columns[name] = groups["square"].where(np.isin(cells, of_class), 0)
    return _summed(groups, roles, columns, EFFECTIVE)


def _sizes(groups: pd.DataFrame, roles: _Roles) -> pd.Series:
    """Return the counts of groups, or the sums of their weights."""
    return groups["rows"].astype(np.int64) if roles.weight is None else groups["weight"]


def _summed(
    groups: pd.DataFrame,
    roles: _Roles,
    columns: Mapping[str, pd.Series],
    effective: Mapping[str, tuple[str, ...]],
) -> pd.DataFrame:
    """Sum columns over groups of the same keys and labels, and sort the rows by both.

    Sums of squared weights become effective sizes; each has the names of its sums of weights.
    """
    keys = {key: _plain(groups[_key(number)]) for number, key in enumerate(roles.keys)}
    names = [*keys, *(label for label in PAIR if label in columns)]
    summed = (
        pd.DataFrame({**keys, **columns})
        .groupby(names or np.zeros(len(groups)), dropna=False, observed=True)
        .sum()
        .reset_index(drop=not names)
    )
    if roles.weight is not None:
        for name, of_weights in effective.items():
            weights, squares = summed[[*of_weights]].sum(axis=1), summed[name]
            summed[name] = (weights**2).div(squares).where(squares > 0, 0.0)
    return _in_time(summed, names, roles.groups)


def _in_time(slices: pd.DataFrame, keys: list[str], groups: str | None) -> pd.DataFrame:
    """Sort slices by keys, with text in the order of the calendar that it follows."""
    calendars = [None if key == groups else _calendar(slices[key]) for key in keys]
    if all(calendar is None for calendar in calendars):
        return slices
    ranks = [
        pd.factorize(slices[key], sort=True)[0] if calendar is None else calendar
        for key, calendar in zip(keys, calendars, strict=True)
    ]
    missing_last = [np.where(rank < 0, len(slices), rank) for rank in reversed(ranks)]
    return slices.iloc[np.lexsort(missing_last)].reset_index(drop=True)


def _calendar(keys: pd.Series) -> NDArray[np.intp] | None:
    """Return the places of keys in a calendar that they follow, -1 for missing ones, or None."""
    if isinstance(keys.dtype, pd.CategoricalDtype):
        return None
    codes, values = pd.factorize(keys)
    places = calendar_places(values)
    return None if places is None else np.where(codes < 0, -1, places[codes])


def _plain(keys: pd.Series) -> pd.Series:
    """Return keys without categories that have no order, or objects that are whole numbers."""
    if keys.dtype == object and pd.api.types.infer_dtype(keys) == "integer":
        for kind in ("Int64", "UInt64"):
            with contextlib.suppress(OverflowError):
                return keys.astype(kind)
    if isinstance(keys.dtype, pd.CategoricalDtype) and not keys.cat.ordered:
        return keys.astype(keys.cat.categories.dtype)
    return keys


def _whole(labels: pd.Series) -> pd.Series:
    """Return whole numbers as such if they became floats beside missing ones."""
    if labels.dtype.kind == "f" and (labels.dropna() % 1 == 0).all():
        return labels.astype("Int64")
    return labels
