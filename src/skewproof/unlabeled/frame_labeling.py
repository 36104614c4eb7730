"""Choice of the rows of a frame to label, wherever its data are.

Only counts of bins of scores and the rows to label are fetched.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.special import expit

from skewproof.core.algebra import Array
from skewproof.core.arguments import expect, expect_number
from skewproof.core.data.frames import check_column, fetched, lazy_frame, reached, unless_nan
from skewproof.core.data.label_texts import plain_labels, positive_among
from skewproof.core.extras import narwhals as nw
from skewproof.core.messages import shown
from skewproof.prevalence.prediction_bins import PredictionBins, bin_scores
from skewproof.unlabeled.label_plans import (
    CALLED,
    Cells,
    Drawn,
    Instances,
    chances_by_scores,
    chances_in_bins,
)

BIN_EDGES = expit(np.arange(-56, 57) / 4)
"""Probabilities at which bins begin, evenly spaced in their log odds: even with rare positives
there are many more bins than strata."""

SCORE, BIN, RANK = "skewproof_score", "skewproof_bin", "skewproof_rank"
"""Columns that are added to a frame."""


def instances_of_frame(
    frame: Any,
    row_id: str | None,
    y_pred: str | tuple[str, str] | None,
    y_score: str | None,
    threshold: float | None,
    reference: Any,
    y_true: str | None,
    pos_label: Any,
) -> Instances:
    """Return the instances of a frame, with bins of their scores as cells.

    The arguments are those of :func:`skewproof.plan_labels`.
    """
    if not isinstance(row_id, str):
        raise ValueError(f"row_id = {shown(row_id)}: expected the column of ids in the frame")
    is_one = (y_pred is None) != (y_score is None)
    expect(is_one, "y_score", y_score, "a column either here or in y_pred")
    expect(y_pred is None or threshold is None, "threshold", threshold, "no threshold with y_pred")
    cut = CALLED if threshold is None else expect_number("threshold", threshold)
    both = (reference is None) == (y_true is None)
    expect(
        both,
        "y_true",
        y_true,
        "a column of the reference's labels if there is a reference, else None",
    )
    pairs = isinstance(y_pred, tuple)
    expect(not pairs or reference is None, "reference", reference, "None for two systems")
    rows = _scored(lazy_frame(frame), ("row_id", row_id), y_pred, y_score, pos_label)
    left_out = _check_ids(rows, row_id)
    if left_out:
        warnings.warn(f"rows without a prediction, which are left out: {left_out}", stacklevel=3)
    bins = None
    edges = sorted({*BIN_EDGES.tolist(), cut}) if y_score is not None else [cut]
    if pairs:
        edges = [cut, cut + 1, cut + 2]
    if reference is not None and y_true is not None:
        labeled = labeled_scores(reference, y_true, y_pred, y_score, pos_label)
        positive = positive_among(pos_label, labeled[0])
        bins = bin_scores(*labeled, threshold=cut, pos_label=positive)
        edges = list(bins.edges)
    cells = _cells(rows, edges, bins, cut, pairs)
    called = cells.lowest >= cut
    split = y_score is not None or bool(called.any() and not called.all())
    expect(split, "pos_label", pos_label, "a label that some of the predictions have, but not all")
    return Instances(cells, cut, lambda starts, chosen: _drawn(rows, row_id, starts, chosen), pairs)


def _scored(
    frame: nw.LazyFrame[Any],
    beside: tuple[str, str],
    y_pred: str | tuple[str, str] | None,
    y_score: str | None,
    pos_label: Any,
) -> nw.LazyFrame[Any]:
    """Select scores beside a column with its role; predictions become 1 and 0, null if missing.

    Those of two systems become twice the first plus the second.
    """
    schema = frame.collect_schema()
    calls = y_pred if isinstance(y_pred, tuple) else (y_pred,)
    roles = beside, ("y_score", y_score), *(("y_pred", column) for column in calls)
    for role, column in roles:
        if column is not None:
            check_column(schema, role, column)
    if y_score is not None:
        score = unless_nan(nw.col(y_score).cast(nw.Float64))
    else:
        known = [
            nw.when(~nw.col(str(column)).is_null()).then(
                (nw.col(str(column)) == pos_label).cast(nw.Float64)
            )
            for column in calls
        ]
        score = known[0] if len(known) == 1 else 2 * known[0] + known[1]
    return frame.select(beside[1], score.alias(SCORE))


def _check_ids(rows: nw.LazyFrame[Any], row_id: str) -> int:
    """Refuse missing or repeated ids; return the number of rows without a score."""
    counts = fetched(
        rows.select(
            nw.len().alias("rows"),
            nw.col(row_id).n_unique().alias("ids"),
            nw.col(row_id).null_count().alias("missing"),
            nw.col(SCORE).null_count().alias("without"),
        )
    ).iloc[0]
    if counts["missing"] or counts["ids"] < counts["rows"]:
        raise ValueError(f"row_id = {shown(row_id)}: expected a different id in every row")
    return int(counts["without"])


def labeled_scores(
    reference: Any,
    y_true: str,
    y_pred: str | tuple[str, str] | None,
    y_score: str | None,
    pos_label: Any,
) -> tuple[NDArray[Any], Array]:
    """Return labels and scores of the reference, without rows that lack either."""
    frame = _scored(lazy_frame(reference), ("y_true", y_true), y_pred, y_score, pos_label)
    rows = fetched(frame).dropna()
    return plain_labels(rows[y_true]), rows[SCORE].to_numpy(dtype=np.float64)


def _cells(
    rows: nw.LazyFrame[Any],
    edges: list[float],
    bins: PredictionBins | None,
    cut: float,
    pairs: bool,
) -> Cells:
    """Return the bins that have rows, with the guessed chance of each."""
    score = nw.col(SCORE)
    table = fetched(
        rows.filter(~score.is_null())
        .with_columns(reached(SCORE, edges).alias(BIN))
        .group_by(BIN)
        .agg(
            nw.len().alias("number"),
            score.min().alias("lowest"),
            score.max().alias("highest"),
            score.mean().alias("mean"),
        )
    ).sort_values(BIN)
    expect(len(table) > 0, "predictions", table, "rows with a prediction")
    lowest, highest, mean = (
        table[name].to_numpy(dtype=np.float64) for name in ("lowest", "highest", "mean")
    )
    finite = bool(np.isfinite([lowest, highest]).all())
    expect(finite, "y_score", float(highest[-1]), "finite numbers")
    occupied, numbers = (table[name].to_numpy(dtype=np.intp) for name in (BIN, "number"))
    if bins is None:
        scores = [np.minimum(some, 1) if pairs else some for some in (lowest, highest, mean)]
        guesses = chances_by_scores(scores[0], scores[1], scores[2], numbers, cut, "y_score")
    else:
        unlabeled = np.zeros(len(edges) + 1, dtype=np.intp)
        unlabeled[occupied] = numbers
        guesses = chances_in_bins(bins.with_counts(unlabeled.tolist()))[occupied]
    return Cells(lowest, highest, numbers, guesses)


def _drawn(
    rows: nw.LazyFrame[Any], row_id: str, starts: list[float], chosen: list[NDArray[np.intp]]
) -> Drawn:
    """Fetch the chosen rows with a score, by the ranks of their ids in their stratum."""
    known = rows.filter(~nw.col(SCORE).is_null()).with_columns(reached(SCORE, starts).alias(BIN))
    known = known.select(row_id, BIN)
    wanted = pd.DataFrame(
        [
            (stratum, position + 1)
            for stratum, positions in enumerate(chosen)
            for position in positions.tolist()
        ],
        columns=[BIN, RANK],
    )
    try:
        drawn = _at_ranks(known, row_id, wanted)
    except NotImplementedError:  # engines that rank no rows within groups
        drawn = _at_ranks(lazy_frame(fetched(known)), row_id, wanted)
    drawn = drawn.sort_values(row_id, ignore_index=True)
    return drawn[row_id].to_numpy(), drawn[BIN].to_numpy(dtype=np.intp)


def _at_ranks(known: nw.LazyFrame[Any], row_id: str, wanted: pd.DataFrame) -> pd.DataFrame:
    """Fetch rows at some ranks, counted from 1 by id within each stratum."""
    ranked = known.with_columns(nw.col(row_id).rank("ordinal").over(BIN).cast(nw.Int64).alias(RANK))
    selected = [
        (nw.col(BIN) == stratum) & nw.col(RANK).is_in(ranks.tolist())
        for stratum, ranks in wanted.groupby(BIN)[RANK]
    ]
    return fetched(ranked.filter(nw.any_horizontal(*selected, ignore_nulls=True)))
