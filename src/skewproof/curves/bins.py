"""Areas of more scores than memory holds: counted in bins where the data are, and bounded.

Every engine that :func:`skewproof.count_slices` takes groups the scores in bins of equal width
between the smallest and the largest. An area is then known up to the order of scores within bins.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from skewproof.core.algebra import Array
from skewproof.core.arguments import expect_whole
from skewproof.core.data.arrays import checked_numbers
from skewproof.core.data.frames import (
    check_column,
    fetched,
    is_infinite,
    lazy_frame,
    warn_of_copies,
)
from skewproof.core.data.labels import check_classes, refuse_rounded
from skewproof.core.extras import narwhals as nw
from skewproof.core.messages import shown
from skewproof.curves.counts import weight_of_negatives
from skewproof.prevalence.prevalence import At, Prevalence

DEFAULT_BINS = 100_000

MOST_BINS = 10_000_000
"""Most bins, whose counts fit into a gigabyte."""

BINNED = ["low", "high", "positives", "negatives"]

ROUNDING = 64 * np.finfo(float).eps
"""More than the rounding errors of a bound: ten in a term, and fewer than 54 in a pairwise sum of
2^53."""


def count_scores(
    frame: Any, *, y_true: str, y_score: str, bins: int = DEFAULT_BINS, pos_label: Any = 1
) -> pd.DataFrame:
    """Count positives and negatives in bins of their scores, wherever the data are.

    Parameters
    ----------
    frame
        Predictions, a row each, of an engine that :func:`skewproof.count_slices` takes. They are
        read twice and stay where they are; at most two rows a bin are fetched.
    y_true
        Column of the true labels, of two classes. Rows without a label are left out.
    y_score
        Column of the scores: finite numbers, taken as float64. Rows whose score is null or NaN are
        left out.
    bins
        Number of bin widths from the smallest score to the largest, from 1 to 10^7. If scores crowd
        at one end, use more bins, or a column of their logits.
    pos_label
        Label of the positive class.

    Returns
    -------
    Frame with a row for each bin that has instances, the highest scores first: low and high, the
    smallest and the largest score in it, and its numbers of positives and negatives. Equal scores
    are in one bin, and bins do not overlap.

    Raises
    ------
    TypeError, KeyError, MissingExtraError
        As :func:`skewproof.count_slices`.
    ValueError
        If labels or scores are refused, a class is missing, or `bins` is out of its range.

    Examples
    --------
    >>> import pandas as pd
    >>> from skewproof.curves import count_scores
    >>> frame = pd.DataFrame({"y": [1, 0, 1, 0], "s": [0.9, 0.8, 0.8, 0.1]})
    >>> print(count_scores(frame, y_true="y", y_score="s"))
       low  high  positives  negatives
    0  0.9   0.9          1          0
    1  0.8   0.8          1          1
    2  0.1   0.1          0          1
    """
    bins = expect_whole("bins", bins, 1, MOST_BINS)
    rows = _rows(frame, y_true, y_score)
    kinds = fetched(rows.group_by("true", "kind").agg(*_extremes()))
    known = kinds[kinds["true"].notna() & kinds["kind"].notna()]
    if (known["kind"] == _INFINITE).any():
        raise ValueError(f"y_score = {shown(y_score)} has an infinite number: expected finite ones")
    check_both(known.loc[known["kind"] == _FINITE, "true"].to_numpy(dtype=object), pos_label)
    warn_of_copies(lazy_frame(frame), (y_true, y_score))
    known = known[known["kind"] == _FINITE]
    low, high = float(known["low"].min()), float(known["high"].max())
    groups = fetched(_binned(rows, low, high, bins).group_by("bin", "true").agg(*_extremes()))
    groups = groups[groups["true"].notna()]
    positive = groups["true"].astype(object).isin([pos_label])
    counts = groups["rows"].astype(np.int64)
    by_bin = groups.assign(
        positives=counts.where(positive, 0), negatives=counts.where(~positive, 0)
    ).groupby("bin")
    frame = by_bin.agg(
        low=("low", "min"),
        high=("high", "max"),
        positives=("positives", "sum"),
        negatives=("negatives", "sum"),
    )
    return frame.sort_values("low", ascending=False).reset_index(drop=True)


_FINITE, _NOT_A_NUMBER, _INFINITE = range(3)


def _rows(frame: Any, y_true: str, y_score: str) -> nw.LazyFrame[Any]:
    """Select label and score under fixed names, with the kind of number that the score is."""
    rows = lazy_frame(frame)
    schema = rows.collect_schema()
    for role, column in (("y_true", y_true), ("y_score", y_score)):
        check_column(schema, role, column)
    score = nw.col(y_score).cast(nw.Float64)
    infinite = nw.when(is_infinite(score)).then(nw.lit(_INFINITE)).otherwise(nw.lit(_NOT_A_NUMBER))
    kind = nw.when(score.is_finite()).then(nw.lit(_FINITE)).otherwise(infinite)
    kind = nw.when(~score.is_null()).then(kind)
    return rows.select(nw.col(y_true).alias("true"), score.alias("score"), kind.alias("kind"))


def _extremes() -> list[nw.Expr]:
    score = nw.col("score")
    return [nw.len().alias("rows"), score.min().alias("low"), score.max().alias("high")]


def check_both(labels: NDArray[Any], pos_label: Any) -> None:
    """Refuse the distinct labels of rows with a score unless they are those of two classes.

    Raises
    ------
    ValueError
        If a label is rounded, there are more than two classes, or a class is missing.
    """
    refuse_rounded(labels, "y_true")
    check_classes(labels, labels, pos_label)
    if len(labels) < 2:
        classes = "one class" if len(labels) else "no labels"
        raise ValueError(f"the rows with a score have {classes}: expected positives and negatives")


def _binned(rows: nw.LazyFrame[Any], low: float, high: float, bins: int) -> nw.LazyFrame[Any]:
    """Add to each row the number of its bin, which does not fall where the score rises.

    The number is rounded, since all engines round alike, so that the first and the last bin are
    half as wide. Scores are halved first, so that their differences do not overflow.
    """
    some = rows.filter(nw.col("kind") == _FINITE)
    width = high / 2 - low / 2
    number = (nw.col("score") / 2 - low / 2) / width * bins if width else nw.lit(0.0)
    return some.with_columns(number.round().alias("bin"))


def area_bounds(counts: pd.DataFrame, *, at: At = "population") -> pd.DataFrame:
    """Compute bounds of AUC and average precision from counts in bins of the score.

    A bin with a single score leaves nothing open. If all bins are like that, the two bounds are the
    area up to rounding, 3e-14 apart. In other bins any order is possible. At the lower bounds all
    negatives of a bin are above its positives, which have different scores. At the upper bounds
    they are below, and the positives have one score.

    Parameters
    ----------
    counts
        Counts as from :func:`skewproof.curves.count_scores`: low, high, positives and negatives of
        bins that do not overlap, in any order.
    at
        Prevalence of the average precision, as for :func:`skewproof.interval`, if each class keeps
        its scores; the AUC is the same at every prevalence.

    Returns
    -------
    Frame with a row for auc and one for average_precision, and the columns low and high.

    Raises
    ------
    ValueError
        If a column is missing or occurs twice, an entry is not a finite number, a count is not a
        whole number of at least 0, bins overlap, a class is empty, or `at` is not a prevalence.

    Examples
    --------
    >>> import pandas as pd
    >>> from skewproof.curves import area_bounds, count_scores
    >>> frame = pd.DataFrame({"y": [1, 0, 1, 0, 0], "s": [0.9, 0.8, 0.7, 0.2, 0.1]})
    >>> counts = count_scores(frame, y_true="y", y_score="s", bins=2)
    >>> print(area_bounds(counts).round(3))
                         low   high
    auc                0.667  0.833
    average_precision  0.583  0.833
    >>> print(area_bounds(counts, at="1:1000").round(3))
                         low   high
    auc                0.667  0.833
    average_precision  0.002  0.501
    """
    bins = _checked_bins(counts)
    where = Prevalence.given(at).for_two_classes()
    positives, negatives = (bins[name].to_numpy(dtype=np.float64) for name in BINNED[2:])
    single = (bins["low"] == bins["high"]).to_numpy()
    weight = weight_of_negatives(positives.sum(), negatives.sum(), where)
    bounds = {
        "auc": _auc_bounds(positives, negatives, single),
        "average_precision": _average_precision_bounds(positives, negatives, single, weight),
    }
    widened = {
        area: (max(0.0, float(low) - ROUNDING), min(1.0, float(high) + ROUNDING))
        for area, (low, high) in bounds.items()
    }
    return pd.DataFrame.from_dict(widened, orient="index", columns=["low", "high"])


def _checked_bins(counts: Any) -> pd.DataFrame:
    is_frame = isinstance(counts, pd.DataFrame)
    if not (is_frame and all(list(counts.columns).count(name) == 1 for name in BINNED)):
        given = list(counts.columns) if is_frame else type(counts).__name__
        raise ValueError(
            f"counts is {shown(given)}: expected a frame with the columns {', '.join(BINNED)}, each"
            " once"
        )
    columns = {
        name: checked_numbers(counts[name], f"counts[{name!r}]").astype(np.float64)
        for name in BINNED
    }
    bins = pd.DataFrame(columns).sort_values("low", ascending=False)
    for name in BINNED[2:]:
        numbers = bins[name].to_numpy()
        whole = (numbers >= 0) & (numbers == np.floor(numbers)) & (numbers < 2**53)
        if not whole.all():
            raise ValueError(
                f"counts has {numbers[np.argmin(whole)]:g} {name} in a bin: expected a whole"
                " number >= 0"
            )
        if not numbers.any():
            raise ValueError(f"counts has no {name}: expected instances of both classes")
    low, high = (bins[name].to_numpy(dtype=np.float64) for name in BINNED[:2])
    if not (np.all(low <= high) and np.all(high[1:] < low[:-1])):
        raise ValueError("counts has bins that overlap: expected each score in one bin")
    return bins


def _auc_bounds(
    positives: Array, negatives: Array, single: NDArray[np.bool_]
) -> tuple[float, float]:
    above = np.cumsum(positives) - positives
    won, open_pairs = (above * negatives).sum(), positives * negatives
    ties, others = open_pairs[single].sum() / 2, open_pairs[~single].sum()
    pairs = positives.sum() * negatives.sum()
    return (won + ties) / pairs, (won + ties + others) / pairs


def _average_precision_bounds(
    positives: Array, negatives: Array, single: NDArray[np.bool_], weight: float
) -> tuple[float, float]:
    tp, fp = np.cumsum(positives), np.cumsum(negatives)
    above, fp = weight * (fp - negatives), weight * fp
    some = positives > 0
    tp, fp, positives, above = (part[some] for part in (tp, fp, positives, above))
    single = single[some]
    together = positives * tp / (tp + fp)
    highest = np.where(single, together, positives * tp / (tp + above))
    # The i-th positive of a bin has the precision t/(t + fp) at t = tp before it, plus i. This is
    # concave in t, so that the sum is at least the integral from half a step before to half after.
    before = tp - positives
    apart = positives - fp * np.log1p(positives / (before + 0.5 + fp))
    lowest = np.where(single | (positives == 1), together, apart)
    total = positives.sum()
    return lowest.sum() / total, highest.sum() / total
