"""Intraclass correlations of hits and false alarms in groups of rows, with intervals.

docs/evidence/group_coverage.md measures their coverage.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy.special import fdtri, stdtrit

from skewproof.core.algebra import Array
from skewproof.core.arguments import expect, expect_confidence
from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.data.labels import check_pos_label, has_more_than_two
from skewproof.multiclass.matrix import MulticlassConfusionMatrix


class Correlation(NamedTuple):
    """An intraclass correlation with the ends of its interval."""

    value: float
    low: float
    high: float


def intraclass_correlation(
    y_true: ConfusionMatrix | MulticlassConfusionMatrix | ArrayLike,
    y_pred: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    *,
    pos_label: Any = 1,
    confidence: float = 0.95,
) -> pd.DataFrame:
    """Estimate how alike the rows of a group are: the intraclass correlations of the rates.

    The correlation of the answers to two rows of the same group and class is estimated by an
    analysis of variance (Donner and Klar 2000); an estimate below 0 is reported as 0. The interval
    is that of the logarithm of the ratio of the mean squares between and within groups. It includes
    both that of the delete-group jackknife, with Student's t for one degree of freedom less than
    there are groups with a hit, or with a miss if they are fewer, and that of an analysis of
    variance of normal values.

    docs/evidence/group_coverage.md measures the coverage. It may fall short of what is stated where
    only few groups have any hits, or any misses. With fewer than two such groups the interval is
    from 0 to 1.

    Parameters
    ----------
    y_true, y_pred, groups, pos_label
        Labels and the label of each row's group, as for
        :meth:`skewproof.ConfusionMatrix.from_labels`, or, with more than two classes, for
        :meth:`skewproof.MulticlassConfusionMatrix.from_labels`. Or, without `y_pred` and `groups`,
        a matrix of either kind that was counted with groups.
    confidence
        Level of the intervals, in (0, 1).

    Returns
    -------
    Frame with a row for each rate: for two classes the true positive rate, the false positive rate
    and the prevalence, for more the recall of each class. Columns are the name of the `rate`, its
    `share`, the numbers of `groups` and `rows` in which it was observed, and the `value` of the
    correlation with `low` and `high`. They are NaN if the share is 0 or 1, or if all groups have
    one row.

    Raises
    ------
    ValueError
        If labels or groups are refused, or a matrix was not counted with groups.

    Examples
    --------
    In half of the patients all findings are found, in the other half only one of five:

    >>> import numpy as np
    >>> from skewproof import ConfusionMatrix
    >>> from skewproof.intervals import intraclass_correlation
    >>> tp = np.tile([5, 1], 20)
    >>> matrix = ConfusionMatrix.from_groups(tp=tp, fn=5 - tp, fp=[1] * 40, tn=[9] * 40)
    >>> frame = intraclass_correlation(matrix).set_index("rate")
    >>> frame.loc["true_positive_rate", ["value", "low", "high"]].round(2).tolist()
    [0.59, 0.45, 0.72]
    """
    return _frame(_rates(y_true, y_pred, groups, pos_label), confidence)


def design_effect(
    y_true: ConfusionMatrix | MulticlassConfusionMatrix | ArrayLike,
    y_pred: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    *,
    pos_label: Any = 1,
    confidence: float = 0.95,
) -> pd.DataFrame:
    """Estimate by how much groups of rows increase the variances of the rates.

    The design effect is 1 + (m - 1) r, with the intraclass correlation r of
    :func:`intraclass_correlation` and the mean size m of the group of a row, the sum of the squared
    sizes over the number of rows (Kish 1965). The number of rows over it is the number of
    independent rows that tell as much.

    Parameters
    ----------
    y_true, y_pred, groups, pos_label, confidence
        As for :func:`intraclass_correlation`, with the same errors.

    Returns
    -------
    Frame as from that function, with the design effects in `value`, `low` and `high`, at least 1.

    Examples
    --------
    >>> import numpy as np
    >>> from skewproof import ConfusionMatrix
    >>> from skewproof.intervals import design_effect
    >>> tp = np.tile([5, 1], 20)
    >>> matrix = ConfusionMatrix.from_groups(tp=tp, fn=5 - tp, fp=[1] * 40, tn=[9] * 40)
    >>> design_effect(matrix)["value"].round(2).tolist()
    [3.36, 1.0, 1.0]
    """
    return _frame(_rates(y_true, y_pred, groups, pos_label), confidence, effects=True)


def _frame(
    rates: dict[str, tuple[Array, Array]], confidence: float, *, effects: bool = False
) -> pd.DataFrame:
    """Compute the correlations, or the design effects, of rates from hits and sizes by group."""
    confidence = expect_confidence("confidence", confidence)
    rows = []
    for name, (hits, sizes) in rates.items():
        present = sizes > 0
        hits, sizes = hits[present], sizes[present]
        total = float(sizes.sum())
        ends = np.array(correlation_of(hits, sizes, confidence))
        if effects and total:
            ends = 1 + (float((sizes**2).sum()) / total - 1) * ends
        share = float(hits.sum()) / total if total else float("nan")
        counted = {"rate": name, "share": share, "groups": len(sizes), "rows": total}
        rows.append(counted | dict(zip(Correlation._fields, ends.tolist(), strict=True)))
    return pd.DataFrame(rows)


def _rates(
    y_true: Any, y_pred: ArrayLike | None, groups: ArrayLike | None, pos_label: Any
) -> dict[str, tuple[Array, Array]]:
    """Return the hits and sizes of each rate by group."""
    matrix = y_true
    if y_pred is not None:
        expect(groups is not None, "groups", groups, "the label of each row's group")
        check_pos_label(pos_label)
        if pos_label == 1 and has_more_than_two(y_true=y_true, y_pred=y_pred):
            matrix = MulticlassConfusionMatrix.from_labels(y_true, y_pred, groups=groups)
        else:
            matrix = ConfusionMatrix.from_labels(y_true, y_pred, pos_label=pos_label, groups=groups)
    known = isinstance(matrix, ConfusionMatrix | MulticlassConfusionMatrix)
    expected = "labels with y_pred and groups, or a matrix that was counted with groups"
    expect(known and matrix.by_group is not None, "y_true", y_true, expected)
    counts = matrix.by_group
    sizes = counts.sum(axis=2)
    if isinstance(matrix, MulticlassConfusionMatrix):
        return {
            f"recall of {label}": (counts[:, row, row], sizes[:, row])
            for row, label in enumerate(matrix.labels)
        }
    return {
        "true_positive_rate": (counts[:, 0, 0], sizes[:, 0]),
        "false_positive_rate": (counts[:, 1, 0], sizes[:, 1]),
        "prevalence": (sizes[:, 0], sizes.sum(axis=1)),
    }


def correlation_of(hits: Array, sizes: Array, confidence: float) -> Correlation:
    """Estimate the intraclass correlation of one rate.

    Parameters
    ----------
    hits, sizes
        Numbers of hits and of rows of each group, (groups,); each group has a row.
    confidence
        Level of the interval.
    """
    groups, total = len(sizes), float(sizes.sum())
    if groups < 2 or total == groups or not 0 < hits.sum() < total:
        return Correlation(np.nan, np.nan, np.nan)
    parts = np.stack([np.ones(groups), sizes, hits, hits**2 / sizes, sizes**2])
    sums = parts.sum(axis=1)
    between, within, size = _mean_squares(sums)
    value = _limited(between - within, between + (size - 1) * within)
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.log(between / within)
        others = np.log(np.divide(*_mean_squares(sums[:, np.newaxis] - parts)[:2]))
    mixed = int(min(np.count_nonzero(hits), np.count_nonzero(hits < sizes))) - 1
    freedom = min(groups - 1, mixed)
    if freedom < 1 or not np.isfinite([ratio, *others]).all():
        return Correlation(value, 0.0, 1.0)
    levels = np.array([1 + confidence, 1 - confidence]) / 2
    error = np.sqrt((groups - 1) / groups * ((others - ratio) ** 2).sum())
    jackknife = ratio - stdtrit(freedom, levels) * error
    normal = ratio - np.log(fdtri(groups - 1, total - groups, levels))
    low, high = np.exp([min(jackknife[0], normal[0]), max(jackknife[1], normal[1])])
    return Correlation(
        value, _limited(low - 1, low + size - 1), _limited(high - 1, high + size - 1)
    )


def _limited(numerator: Any, denominator: Any) -> float:
    """Divide, and limit the quotient to a share."""
    return float(np.clip(numerator / denominator, 0, 1))


def _mean_squares(sums: Array) -> tuple[Array, Array, Array]:
    """Compute the mean squares between and within groups, and the mean size that relates them.

    The sums are those over groups of 1, the sizes, the hits, the squared hits over sizes, and the
    squared sizes, (5, ...).
    """
    number, total, hits, of_means, squares = sums
    between = (of_means - hits**2 / total) / (number - 1)
    within = (hits - of_means) / (total - number)
    return between, within, (total - squares / total) / (number - 1)
