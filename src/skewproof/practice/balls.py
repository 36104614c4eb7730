"""Rates at a deviation from the observed ones, and the extremes of a metric over a ball of them.

A deviation is that of Wilson's score: of k among n it is (rate - k/n)/sqrt(rate(1 - rate)/n), above
0 where the rate is higher than observed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from skewproof.core.algebra import Array, Value, ratio
from skewproof.core.confusion import ConfusionMatrix

RADII, TURNS, HALF_TURNS = 6, 60, 16
"""Points along each polar coordinate at which a ball is looked at first."""

ZOOMS = 10
"""How often the place of an extreme is looked at anew, six times as near each time."""

STEPS = 13
"""Points along each coordinate for that: six on either side."""


class Extremes(NamedTuple):
    """Smallest and largest value of what is defined; NaN where nothing is."""

    low: float
    high: float

    undefined: bool
    """Whether it is undefined somewhere."""


def rates_at(hits: float, misses: float, deviations: Array) -> tuple[Array, Array]:
    """The rates that lie at given deviations from an observed one, and 1 less each.

    Parameters
    ----------
    hits, misses
        Of n = hits + misses instances, above 0.
    deviations
        Finite, of any shape.

    Returns
    -------
    Both in [0, 1], of that shape: Wilson's limits, exactly 0 or 1 where the observed rate is and
    the deviation goes beyond it.
    """
    number = hits + misses
    observed, other = hits / number, misses / number
    half = deviations**2 / (2 * number)
    spread = abs(deviations) * np.sqrt(observed * other / number + (half / number) / 2)
    # The smaller root of the quadratic by the product of both, so that no digits cancel.
    smaller, smaller_other = (
        np.nan_to_num(ratio(share**2, share + half + spread)) for share in (observed, other)
    )
    larger, larger_other = (
        np.minimum((share + half + spread) / (1 + 2 * half), 1) for share in (observed, other)
    )
    above = deviations > 0
    return np.where(above, larger, smaller), np.where(above, smaller_other, larger_other)


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
    tpr, fnr = rates_at(tp, fn, deviations[0])
    fpr, tnr = rates_at(fp, tn, deviations[1])
    sizes: tuple[Value, Value] = (tp + fn, fp + tn)
    if len(deviations) > 2:
        share, other = rates_at(*sizes, deviations[2])
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
