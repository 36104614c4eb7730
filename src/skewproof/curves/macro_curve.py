"""Macro precision over macro recall, and the area under this curve.

Section 2.4 of the survey of Beddar-Wiesing et al. (2025) defines it.

There is one threshold for all classes, and an instance is predicted to be of every class whose
score reaches it. Precision and recall of the classes are averaged at each threshold, and the area
is that under the averages; scikit-learn averages the areas under the classes' own curves. The
survey does not say what to do where a class is not predicted, so that its precision is 0/0: here it
is left out of the average.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from skewproof.core.algebra import Array
from skewproof.core.messages import fields_shown


class MacroCurve(NamedTuple):
    """Averages over the classes, shape (thresholds,), with falling thresholds."""

    thresholds: Array
    precision: Array
    recall: Array

    def __repr__(self) -> str:
        return fields_shown(self)


def macro_curve(membership: ArrayLike, scores: ArrayLike) -> MacroCurve:
    """Compute macro precision and macro recall (Eq. 19 of the survey) at every threshold.

    Parameters
    ----------
    membership
        1 if an instance is of a class and 0 if not, (instances, classes).
    scores
        Finite scores, on one scale for all classes, (instances, classes).

    Raises
    ------
    ValueError
        If the shapes differ, a membership is not 0 or 1, a score is not finite, or a class has no
        instance.

    Examples
    --------
    >>> from skewproof.curves.macro_curve import macro_curve
    >>> curve = macro_curve([[1, 0], [0, 1]], [[0.9, 0.4], [0.2, 0.6]])
    >>> curve.precision.tolist()
    [1.0, 1.0, 0.75, 0.5]
    """
    member, values = np.asarray(membership), np.asarray(scores, dtype=np.float64)
    if member.ndim != 2 or member.shape != values.shape or not member.size:
        raise ValueError(
            f"membership and scores have the shapes {member.shape} and {values.shape}: expected"
            " (instances, classes) for both"
        )
    if not np.isin(member, (0, 1)).all() or not np.isfinite(values).all():
        raise ValueError("expected a membership of 0 or 1 and finite scores")
    sizes = member.sum(axis=0)
    if not sizes.all():
        raise ValueError(f"class {int(np.argmin(sizes))} has no instance: expected at least one")
    thresholds = np.unique(values)[::-1]
    predicted = _reaching(values.T, thresholds)
    right = _reaching(
        [column[is_own == 1] for column, is_own in zip(values.T, member.T, strict=True)], thresholds
    )
    with np.errstate(invalid="ignore"):
        precision = right / predicted
    return MacroCurve(
        thresholds, np.nanmean(precision, axis=0), (right / sizes[:, np.newaxis]).mean(axis=0)
    )


def _reaching(scores: Sequence[Array] | Array, thresholds: Array) -> Array:
    """Count the scores of each class that reach each threshold, (classes, thresholds)."""
    return np.array(
        [column.size - np.searchsorted(np.sort(column), thresholds) for column in scores]
    )


def area_under_macro_curve(membership: ArrayLike, scores: ArrayLike) -> float:
    """Compute the area under the macro curve, in [0, 1], in steps as for average precision.

    Parameters
    ----------
    membership, scores
        As for :func:`macro_curve`, with the same errors.

    Examples
    --------
    >>> from skewproof.curves.macro_curve import area_under_macro_curve
    >>> area_under_macro_curve([[1, 0], [0, 1]], [[0.9, 0.1], [0.2, 0.3]])
    1.0
    """
    curve = macro_curve(membership, scores)
    return float(curve.precision @ np.diff(curve.recall, prepend=0))
