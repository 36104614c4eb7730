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
import pandas as pd
from numpy.typing import ArrayLike
from scipy.special import ndtr, ndtri

from skewproof.core.algebra import Array
from skewproof.core.levels import Level
from skewproof.core.messages import fields_shown

AUC_OF_CLASSES = (0.75, 0.85, 0.95)
"""AUC of each of three classes against the others; the first class is small."""

REACH, STEP = 9.0, 1e-3
"""Reach and step of the trapezoidal rule over the threshold."""


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


def binormal_areas(auc: ArrayLike, sizes: ArrayLike) -> tuple[float, float]:
    """Compute the area under the macro curve and the mean area of the classes in a population.

    Parameters
    ----------
    auc
        AUC of each class, (classes,): its scores are normal with the standard deviation 1 and the
        mean that gives this area for its own instances, and standard normal for the others.
    sizes
        Sizes of the classes in any unit, (classes,).
    """
    distance = np.sqrt(2) * ndtri(np.asarray(auc, dtype=np.float64))[:, np.newaxis]
    share = np.asarray(sizes, dtype=np.float64)[:, np.newaxis]
    share = share / share.sum()
    z = np.arange(-REACH, REACH + distance.max(), STEP)
    right, wrong = share * ndtr(distance - z), (1 - share) * ndtr(-z)
    precision = right / (right + wrong)
    density = STEP * np.exp(-((z - distance) ** 2) / 2) / np.sqrt(2 * np.pi)
    macro = precision.mean(axis=0) @ density.mean(axis=0)
    return float(macro), float((precision * density).sum(axis=1).mean())


def macro_areas(levels: Sequence[Level]) -> pd.DataFrame:
    """Compute both areas for three classes, with the first one as rare as a level says.

    The level is the ratio of the first class to each of the others.

    Returns
    -------
    Frame with the columns level, macro_curve (area under it), mean_of_areas.
    """
    rows = []
    for level in levels:
        ratio = level.negatives(1)
        rows.append((str(level), *binormal_areas(AUC_OF_CLASSES, (1, ratio, ratio))))
    return pd.DataFrame(rows, columns=["level", "macro_curve", "mean_of_areas"])
