"""Labels and scores in files, for the commands that take scores."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from skewproof.cli.shared.predictions import NO_SCORE, say_left_out
from skewproof.cli.shared.reading import named, opened
from skewproof.core.algebra import Array
from skewproof.core.confusion import CELLS, ConfusionMatrix
from skewproof.core.data.frames import check_column, fetched, lazy_frame, warn_of_copies
from skewproof.core.data.label_texts import positive_among, typed_label, whole_numbers
from skewproof.core.extras import duckdb
from skewproof.curves.bins import check_both
from skewproof.slices.counting import count_slices

MOST_ROWS = 5_000_000
"""Largest number of rows whose scores are held in memory; more are counted in bins."""

MOST_LABELS = 100
"""Largest number of different labels that are read; more than two are refused."""


class Scored(NamedTuple):
    """Rows that have a label and all scores."""

    rows: duckdb.DuckDBPyRelation
    true: str
    """Column of the labels."""
    pos_label: Any
    number: int
    """Number of these rows."""

    def column(self, name: str) -> Any:
        """Return the entries of a column, in the order of `arrays`."""
        return fetched(lazy_frame(self.rows.select(_quoted(name))))[name]

    def arrays(self, score: str) -> tuple[Any, Array]:
        """Return, for each row, whether it is positive, and its score."""
        positive = duckdb.ColumnExpression(self.true) == duckdb.ConstantExpression(self.pos_label)
        scores = duckdb.ColumnExpression(score).cast("DOUBLE").alias("score")
        columns = self.rows.select(positive.alias("positive"), scores).fetchnumpy()
        return columns["positive"], columns["score"]

    def matrix(self, score: str, cutoff: float) -> ConfusionMatrix:
        """Count the confusion matrix if scores of at least a cut-off are called positive."""
        rows = self.rows.select(_quoted(self.true), _quoted(score))
        columns = {"y_true": self.true, "y_score": score, "pos_label": self.pos_label}
        counts = count_slices(rows, threshold=cutoff, **columns)
        return ConfusionMatrix(**counts.iloc[0][list(CELLS)])


@contextmanager
def read_scores(
    paths: Sequence[str],
    *,
    true: str,
    scores: Sequence[str],
    pos_label: str,
    groups: str | None = None,
) -> Iterator[Scored]:
    """Open files of labels of two classes and of scores; warn of rows that lack one of them.

    `groups` is a further column, of groups of rows.

    Raises
    ------
    ValueError, OSError, MissingExtraError
        As :func:`skewproof.slices.files.read_predictions`; or if a score is infinite or
        not a number, or if labels are not of two classes.
    KeyError
        If a column is missing.
    """
    further = [] if groups is None else [groups]
    texts = [true, *further]
    with opened(paths, labels=texts, numbers=scores, doing="reading scores") as rows:
        types = dict(zip(rows.columns, map(str, rows.types), strict=True))
        schema = lazy_frame(rows).collect_schema()
        named_columns = [("y_true", true), *(("y_score", score) for score in scores)]
        for role, column in [*named_columns, *(("groups", column) for column in further)]:
            check_column(schema, role, column)
        known_rows = rows.select(*map(_quoted, dict.fromkeys([true, *scores, *further]))).filter(
            " AND ".join(_is_known(column, types[column]) for column in (true, *scores))
        )
        classes = known_rows.aggregate(f"{_quoted(true)} AS label, count(*) AS number", "label")
        labels, numbers = fetched(lazy_frame(classes.limit(MOST_LABELS))).to_numpy(dtype=object).T
        number = int(numbers.sum())
        if not number:
            raise ValueError(f"{named(paths)} has no row with a label and a score: expected some")
        infinite = " OR ".join(f"isinf(CAST({_quoted(column)} AS DOUBLE))" for column in scores)
        (everything, has_infinite), *_ = rows.aggregate(f"count(*), bool_or({infinite})").fetchall()
        if has_infinite:
            raise ValueError(f"{named(paths)} has an infinite score: expected finite numbers")
        written = dict(zip(whole_numbers(labels.tolist()), labels, strict=True))
        positive = positive_among(typed_label(pos_label, rows, true), written)
        positive = written.get(positive, positive)
        check_both(labels, positive)
        say_left_out(everything - number, NO_SCORE)
        if not further:
            warn_of_copies(lazy_frame(rows), (*texts, *scores))
        yield Scored(known_rows, true, positive, number)


def _quoted(column: str) -> str:
    return '"' + column.replace('"', '""') + '"'


def _is_known(column: str, kind: str) -> str:
    name = _quoted(column)
    not_nan = f" AND NOT isnan({name})" if kind in ("DOUBLE", "FLOAT") else ""
    return f"{name} IS NOT NULL{not_nan}"
