"""A metric's surface over (tp, fp), and its change from one level to another."""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skewproof.core.arguments import expect, expect_number, expect_policy, expect_whole
from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.levels import Level
from skewproof.core.messages import fields_shown
from skewproof.core.metric import Metric, expect_metric

MOST_POINTS = 10_000
"""Largest number of points along an axis of a grid, whose values take 800 MB."""

PointPolicy = Literal["omit"] | float
"""Treatment of an undefined value: leave out its point, or replace it with a number."""


class Surface(NamedTuple):
    """A metric over a regular grid of counts."""

    tp: NDArray[np.float64]
    """Shape (grid,), true positives from 0 to P."""

    fp: NDArray[np.float64]
    """Shape (grid,), false positives from 0 to N."""

    values: NDArray[np.float64]
    """Shape (grid, grid), the metric; rows are tp, columns fp; NaN where it is undefined."""

    def __repr__(self) -> str:
        return fields_shown(self)


class Deviation(NamedTuple):
    """The distance of two surfaces on a grid."""

    sigma: float
    """Sum of the absolute differences, at least 0."""

    points: int
    """Number of grid points in the sum."""

    undefined_points: int
    """Number of grid points at which the metric is undefined on either surface."""


def grid_matrix(level: Level, positives: float, *, grid: int) -> ConfusionMatrix:
    """Make the confusion matrices on a regular grid of tp in [0, P] and fp in [0, N].

    The ends are included.

    Returns
    -------
    Matrix of shape (grid, grid): rows are tp, columns fp, as in Section 7.1 of van Zyl and
    Engelbrecht.

    Raises
    ------
    ValueError
        If the class size is not a finite number above 0, or `grid` not a whole number from 2 to
        10,000.
    """
    expect_number("positives", positives, above=0)
    expect_whole("grid", grid, 2, MOST_POINTS)
    negatives = Level.given(level, "level").negatives(positives)
    return ConfusionMatrix.from_tp_fp(
        np.linspace(0, positives, grid)[:, np.newaxis],
        np.linspace(0, negatives, grid)[np.newaxis, :],
        positives=positives,
        negatives=negatives,
    )


def surface(metric: Metric, level: Level, positives: float, *, grid: int) -> Surface:
    """Evaluate a metric on the grid of one level.

    Raises
    ------
    ValueError
        If the class size is not a finite number above 0, or `grid` not a whole number from 2 to
        10,000.

    Examples
    --------
    >>> from skewproof import Level
    >>> from skewproof.metrics import accuracy
    >>> from skewproof.sensitivity import surface
    >>> surface(accuracy, Level(1, 1), 100, grid=3).values.tolist()
    [[0.5, 0.25, 0.0], [0.75, 0.5, 0.25], [1.0, 0.75, 0.5]]
    """
    expect_metric(metric)
    matrix = grid_matrix(level, positives, grid=grid)
    return Surface(matrix.tp.ravel(), matrix.fp.ravel(), metric(matrix))


def deviation(
    values: NDArray[np.float64], reference: NDArray[np.float64], *, undefined: PointPolicy
) -> Deviation:
    """Sum the absolute differences of two surfaces, point by point.

    This is the contour deviation Sigma of Section 7.1 of van Zyl and Engelbrecht.

    Parameters
    ----------
    values, reference
        The metric on the grids of two levels, of the same shape.
    undefined
        "omit" leaves out the points at which either value is undefined; a number replaces each
        undefined value.

    Raises
    ------
    ValueError
        If `undefined` is neither "omit" nor a finite number.

    Examples
    --------
    The entry of their Table 7 for F1 at 1:2:

    >>> from skewproof import Level
    >>> from skewproof.metrics import f1
    >>> from skewproof.sensitivity import deviation, surface
    >>> surfaces = [surface(f1, Level(1, n), 100, grid=100).values for n in (2, 1)]
    >>> spread = deviation(*surfaces, undefined="omit")
    >>> round(spread.sigma, 2), spread.points
    (777.16, 10000)
    """
    expect_policy(undefined, "omit")
    for name, side in (("values", values), ("reference", reference)):
        fits = isinstance(side, np.ndarray) and side.dtype.kind in "fiu"
        expect(fits, name, side, "an array of a metric's values, as surface(...).values")
    same = values.shape == reference.shape
    expect(same, "reference", reference, f"an array of the shape {values.shape}, as values")
    defined = np.isfinite(values) & np.isfinite(reference)
    undefined_points = defined.size - int(np.count_nonzero(defined))
    if undefined == "omit":
        values, reference = values[defined], reference[defined]
    else:
        values, reference = (
            np.where(np.isfinite(side), side, undefined) for side in (values, reference)
        )
    return Deviation(float(np.abs(values - reference).sum()), values.size, undefined_points)
