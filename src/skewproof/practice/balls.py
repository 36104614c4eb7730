"""Matrices whose rates deviate from observed ones, and extremes over a ball of deviations."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from skewproof.core.algebra import Array, Value
from skewproof.core.confusion import ConfusionMatrix
from skewproof.practice.deviations import proportions

RADII, TURNS, HALF_TURNS = 6, 60, 16
"""Points along each polar coordinate at which a ball is looked at first."""

ZOOMS = 24
"""How often the place of an extreme is looked at anew, twice as near each time."""

STEPS = 5
"""Points along each coordinate for that: two on either side."""


class Extremes(NamedTuple):
    """Smallest and largest value of what is defined; NaN where nothing is."""

    low: float
    high: float

    undefined: bool
    """Whether it is undefined somewhere."""


def deviating(matrix: ConfusionMatrix, deviations: Sequence[Array]) -> ConfusionMatrix:
    """The matrices that lie at given deviations from an observed one.

    Parameters
    ----------
    matrix
        One matrix with instances of both classes.
    deviations
        Of the true positive rate, of the false positive rate and, where there is a third, of the
        prevalence; the class sizes are else those of the matrix, and the total always is.
    """
    tp, fp, fn, tn = map(float, (matrix.tp, matrix.fp, matrix.fn, matrix.tn))
    tpr, fnr = proportions(tp, fn, deviations[0])
    fpr, tnr = proportions(fp, tn, deviations[1])
    sizes: tuple[Value, Value] = (tp + fn, fp + tn)
    if len(deviations) > 2:
        share, other = proportions(*sizes, deviations[2])
        sizes = (sum(sizes) * share, sum(sizes) * other)
    return ConfusionMatrix.from_rates(
        tpr, fpr, fnr=fnr, tnr=tnr, positives=sizes[0], negatives=sizes[1]
    )


def extremes(function: Callable[[list[Array]], Array], *, dimensions: int) -> Extremes:
    """Smallest and largest value of a function over the unit ball.

    The ball is looked at on a grid in polar coordinates, center and surface included, and the
    neighborhoods of both extremes of the grid ever nearer: a narrower peak between the points of
    the grid is not seen.

    Parameters
    ----------
    function
        Of coordinates of one shape each, one array a dimension; NaN where it is undefined.
    dimensions
        2 or 3.
    """
    axes = [np.linspace(0, 1, RADII), np.linspace(0, 2 * np.pi, TURNS)]
    axes += [np.linspace(0, np.pi, HALF_TURNS)] * (dimensions - 2)
    points = _grid(axes)
    values = function(_cartesian(points))
    missing = np.isnan(values)
    if missing.all():
        return Extremes(float("nan"), float("nan"), undefined=True)
    ends = []
    for sign in (1, -1):
        best = np.argmin(np.where(missing, np.inf, sign * values))
        found = _zoomed(function, axes, [axis[best] for axis in points], sign)
        ends.append(sign * min(sign * values[best], found))
    return Extremes(float(ends[0]), float(ends[1]), undefined=bool(missing.any()))


def _zoomed(
    function: Callable[[list[Array]], Array], axes: list[Array], place: list[float], sign: int
) -> float:
    """The smallest value of sign times a function near a place in polar coordinates."""
    widths = [axis[1] - axis[0] for axis in axes]
    smallest = np.inf
    for _ in range(ZOOMS):
        near = [
            center + width * np.linspace(-1, 1, STEPS)
            for center, width in zip(place, widths, strict=True)
        ]
        near[0] = np.clip(near[0], 0, 1)
        points = _grid(near)
        values = sign * function(_cartesian(points))
        values = np.where(np.isnan(values), np.inf, values)
        best = np.argmin(values)
        if values[best] <= smallest:
            smallest, place = values[best], [axis[best] for axis in points]
        widths = [width * 2 / (STEPS - 1) for width in widths]
    return float(smallest)


def _grid(axes: list[Array]) -> list[Array]:
    return [axis.ravel() for axis in np.meshgrid(*axes, indexing="ij")]


def _cartesian(polar: list[Array]) -> list[Array]:
    """Coordinates of points given by radius, angle and, in space, angle from the third axis."""
    radius, turn, *half_turn = polar
    if not half_turn:
        return [radius * np.cos(turn), radius * np.sin(turn)]
    flat = radius * np.sin(half_turn[0])
    return [flat * np.cos(turn), flat * np.sin(turn), radius * np.cos(half_turn[0])]
