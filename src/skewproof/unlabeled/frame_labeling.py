"""Choice of the rows of a frame to label, wherever its data are.

Only counts of bins of scores and the rows to label are fetched.
"""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.special import expit

from skewproof.core.algebra import Array
from skewproof.core.arguments import expect, expect_number, expect_text
from skewproof.core.frames import check_column, fetched, lazy_frame, reached, unless_nan
from skewproof.core.label_texts import plain_labels, positive_among
from skewproof.core.labels import check_pos_label
from skewproof.core.messages import shown
from skewproof.core.metric import Metric
from skewproof.intervals.deviations import PRIOR
from skewproof.metrics.lookup import as_metric
from skewproof.prevalence.score_bins import ScoreBins, bin_reference
from skewproof.unlabeled.labeling import (
    LEAST,
    STRATA,
    Cells,
    Drawn,
    LabelPlan,
    chance_missed,
    chances_in_bins,
    planned,
)

if TYPE_CHECKING:
    import narwhals.stable.v2 as nw

BIN_EDGES = expit(np.arange(-56, 57) / 4)
"""Probabilities at which bins begin, evenly spaced in their log odds: even with rare positives
there are many more bins than strata."""

CALLED = 0.5
"""Cut-off for predictions that are 1 and 0."""

SCORE, BIN, PLACE = "skewproof_score", "skewproof_bin", "skewproof_place"
"""Columns that are added to a frame."""


def plan_labels_in_frame(
    metric: str | Metric,
    frame: Any,
    *,
    row_id: str,
    labels: int,
    y_pred: str | None = None,
    y_score: str | None = None,
    threshold: float | None = None,
    reference: Any = None,
    y_true: str | None = None,
    pos_label: Any = 1,
    strata: int = STRATA,
    least: int = LEAST,
    confidence: float = 0.95,
    seed: int = 0,
) -> LabelPlan:
    """Choose which rows of a frame to label, to estimate a metric of all of them.

    This is :func:`skewproof.plan_labels` for a frame whose data stay where they are. Probabilities
    are counted in bins, so that strata begin at one of about a hundred scores.

    Parameters
    ----------
    metric, labels, strata, least, confidence, seed
        As for :func:`skewproof.plan_labels`.
    frame
        Predictions, a row each, of an engine that :func:`skewproof.count_slices` takes. Rows
        without a prediction or score are left out, and a warning reports their number.
    row_id
        Column of ids, one per row, that identify the rows to label. Rows are drawn by the order of
        their ids: the same seed gives the same rows on every engine that sorts them alike.
    y_pred, y_score, threshold
        Column of the predicted labels, or of the scores with the cut-off.
    reference, y_true
        Labeled predictions of the same classifier, in a frame like the first, and the column of
        their labels, from which the shares of positives are guessed. Without them scores are taken
        as probabilities.
    pos_label
        Label of the positive class.

    Returns
    -------
    The plan; its `rows` are the ids, in rising order. :func:`skewproof.estimate_from_labels` takes
    the plan with labels in this order.

    Raises
    ------
    TypeError, KeyError
        If a frame is not of such an engine, or there is no such column or metric.
    ValueError
        As for :func:`skewproof.plan_labels`; or if an id is missing or repeated.

    Examples
    --------
    >>> import pandas as pd
    >>> from skewproof import plan_labels_in_frame
    >>> calls = pd.DataFrame({"called": [1] * 40 + [0] * 1960}).rename_axis("id").reset_index()
    >>> plan = plan_labels_in_frame("f1", calls, row_id="id", y_pred="called", labels=100)
    >>> len(plan.rows), plan.labels_called
    (100, 18)
    """
    metric = as_metric(metric)
    one = (y_pred is None) != (y_score is None)
    expect(one, "y_score", y_score, "a column either here or in y_pred")
    if y_score is None:
        expect(threshold is None, "threshold", threshold, "no threshold with y_pred")
        cut = CALLED
    else:
        cut = expect_number("threshold", threshold)
    check_pos_label(pos_label)
    expect_text("row_id", row_id)
    both = (reference is None) == (y_true is None)
    expect(
        both,
        "y_true",
        y_true,
        "a column of the reference's labels if there is a reference, else None",
    )
    rows = _scored(lazy_frame(frame), y_pred, y_score, pos_label, row_id)
    left_out = _check_ids(rows, row_id)
    if left_out:
        warnings.warn(f"rows without a prediction, which are left out: {left_out}", stacklevel=2)
    bins = None
    edges = sorted({*BIN_EDGES.tolist(), cut}) if y_score is not None else [cut]
    if reference is not None and y_true is not None:
        labeled = _labeled(reference, y_true, y_pred, y_score, pos_label)
        positive = positive_among(pos_label, labeled[0])
        bins = bin_reference(*labeled, threshold=cut, pos_label=positive)
        edges = list(bins.edges)
    cells = _cells(rows, edges, bins, cut)
    called = cells.lowest >= cut
    split = y_score is not None or bool(called.any() and not called.all())
    expect(split, "pos_label", pos_label, "a label that some of the predictions have, but not all")
    return planned(
        metric,
        cells,
        cut,
        lambda starts, chosen: _drawn(rows, row_id, starts, chosen),
        labels=labels,
        strata=strata,
        least=least,
        confidence=confidence,
        seed=seed,
    )


def _scored(
    frame: nw.LazyFrame[Any],
    y_pred: str | None,
    y_score: str | None,
    pos_label: Any,
    row_id: str | None = None,
    *more: str,
) -> nw.LazyFrame[Any]:
    """Select ids and scores; predictions become 1 and 0, and null if missing."""
    import narwhals.stable.v2 as nw

    schema = frame.collect_schema()
    for role, column in (("row_id", row_id), ("y_pred", y_pred), ("y_score", y_score)):
        if column is not None:
            check_column(schema, role, column)
    if y_score is not None:
        score = unless_nan(nw.col(y_score).cast(nw.Float64))
    else:
        called = nw.col(str(y_pred))
        score = nw.when(~called.is_null()).then((called == pos_label).cast(nw.Float64))
    kept = [column for column in (row_id, *more) if column is not None]
    return frame.select(*kept, score.alias(SCORE))


def _check_ids(rows: nw.LazyFrame[Any], row_id: str) -> int:
    """Refuse missing or repeated ids; return the number of rows without a score."""
    import narwhals.stable.v2 as nw

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


def _labeled(
    reference: Any, y_true: str, y_pred: str | None, y_score: str | None, pos_label: Any
) -> tuple[NDArray[Any], Array]:
    """Return labels and scores of the reference, without rows that lack either."""
    frame = lazy_frame(reference)
    check_column(frame.collect_schema(), "y_true", y_true)
    rows = fetched(_scored(frame, y_pred, y_score, pos_label, None, y_true)).dropna()
    return plain_labels(rows[y_true]), rows[SCORE].to_numpy(dtype=np.float64)


def _cells(
    rows: nw.LazyFrame[Any], edges: list[float], bins: ScoreBins | None, cut: float
) -> Cells:
    """Return the bins that have rows, with the guessed chance of each."""
    import narwhals.stable.v2 as nw

    score = nw.col(SCORE)
    found = fetched(
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
    expect(len(found) > 0, "frame", found, "rows with a prediction")
    lowest, highest, mean = (
        found[name].to_numpy(dtype=np.float64) for name in ("lowest", "highest", "mean")
    )
    finite = bool(np.isfinite([lowest, highest]).all())
    expect(finite, "y_score", float(highest[-1]), "finite numbers")
    places, numbers = (found[name].to_numpy(dtype=np.intp) for name in (BIN, "number"))
    called = lowest >= cut
    if bins is not None:
        unlabeled = np.zeros(len(edges) + 1, dtype=np.intp)
        unlabeled[places] = numbers
        guesses = chances_in_bins(bins._replace(unlabeled=tuple(unlabeled.tolist())))[places]
    elif np.isin([lowest, highest], (0, 1)).all():
        missed = chance_missed(int(numbers[called].sum()), int(numbers[~called].sum()))
        guesses = np.where(called, PRIOR, missed)
    else:
        outside = lowest[0] if lowest[0] < 0 else highest[-1]
        probable = bool(lowest[0] >= 0 and highest[-1] <= 1)
        expect(
            probable, "y_score", float(outside), "probabilities from 0 to 1, or a labeled reference"
        )
        guesses = np.clip(mean, 0, 1)
    return Cells(lowest, highest, numbers, guesses)


def _drawn(
    rows: nw.LazyFrame[Any], row_id: str, starts: list[float], chosen: list[NDArray[np.intp]]
) -> Drawn:
    """Fetch the chosen rows with a score, by their places among the ids of their stratum."""
    import narwhals.stable.v2 as nw

    known = rows.filter(~nw.col(SCORE).is_null()).with_columns(reached(SCORE, starts).alias(BIN))
    known = known.select(row_id, BIN)
    wanted = pd.DataFrame(
        [(stratum, place + 1) for stratum, some in enumerate(chosen) for place in some.tolist()],
        columns=[BIN, PLACE],
    )
    try:
        found = _at_places(known, row_id, wanted)
    except NotImplementedError:  # engines that rank no rows within groups
        found = _at_places(lazy_frame(fetched(known)), row_id, wanted)
    found = found.sort_values(row_id, ignore_index=True)
    return Drawn(found[row_id].to_numpy(), found[BIN].to_numpy(dtype=np.intp))


def _at_places(known: nw.LazyFrame[Any], row_id: str, wanted: pd.DataFrame) -> pd.DataFrame:
    """Fetch rows at some places, counted from 1 by id within each stratum."""
    import narwhals.stable.v2 as nw

    ranked = known.with_columns(
        nw.col(row_id).rank("ordinal").over(BIN).cast(nw.Int64).alias(PLACE)
    )
    some = [
        (nw.col(BIN) == stratum) & nw.col(PLACE).is_in(places.tolist())
        for stratum, places in wanted.groupby(BIN)[PLACE]
    ]
    return fetched(ranked.filter(nw.any_horizontal(*some, ignore_nulls=True)))
