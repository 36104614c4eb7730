"""Bounds of a measure over all classifiers: exact if it is linear in the matrix, else searched.

At given class sizes the matrices of rates of all classifiers are a product of C simplices, one per
row. A measure that is linear in the matrix is a sum over the rows, so each row can be chosen
separately: all instances of its class are predicted as the class that is best, or worst, for the
measure.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from scipy.special import softmax

from skewproof.core.algebra import Array
from skewproof.multiclass.declaration import Formula
from skewproof.multiclass.matrix import MulticlassConfusionMatrix
from skewproof.multiclass.search import DEFAULT_SEARCH, Search

ROUNDING_ERROR = 1e-9
"""Largest difference of two values of a measure that is due to rounding."""

EXTREME_FACTORS = (1.0, 1e-6, 1e-12)
"""Sizes of classes, relative to the largest one, at which bounds and limits are searched."""

BELOW_EVERY_VALUE = -1e9
"""Height of matrices at which the measure is undefined, in a search."""

LARGEST_LISTED = 5
"""Largest number of classes for which a search includes all C^C classifiers that predict each class
as a single class."""


class Bounds(NamedTuple):
    """Lower and upper bound of a measure."""

    low: float
    high: float

    exact: bool
    """True for exact bounds, which measures linear in the matrix have; False for searched ones."""


class BoundsOverSizes(NamedTuple):
    """Bounds of a measure for a number of classes."""

    widest: Bounds
    """Bounds over class sizes. They are exact at all :func:`extreme_sizes` if the measure is linear
    in the matrix, and otherwise found by a search over classifiers and sizes together."""

    balanced: Bounds
    """Bounds at equal sizes."""


class LinearParts(NamedTuple):
    """A measure that is linear in the matrix, at given class sizes."""

    origin: float
    """The value if predictions for each class are spread evenly over all classes."""

    gains: Array
    """Gain of predicting all instances of class i as class j, (C, C); rows add up to 0."""


def extreme_sizes(classes: int) -> Array:
    """List class sizes at which bounds and limits are searched, equal ones first.

    Parameters
    ----------
    classes
        Number of classes.

    Returns
    -------
    (sizes, C): all combinations of EXTREME_FACTORS with at least one class of size 1; above
    LARGEST_LISTED classes only those that increase, or decrease, from the first class to the last.
    """
    if classes <= LARGEST_LISTED:
        every = np.array(list(itertools.product(EXTREME_FACTORS, repeat=classes)))
        return every[every.max(axis=1) == 1]
    falling = itertools.combinations_with_replacement(EXTREME_FACTORS, classes)
    one_way = np.array([sizes for sizes in falling if sizes[0] == 1])
    return np.concatenate([one_way, one_way[1:, ::-1]])


def sizes_of_coordinates(coordinates: Array) -> Array:
    """Map real numbers to class sizes between the smallest and the largest of EXTREME_FACTORS."""
    return float(min(EXTREME_FACTORS)) ** ((1 + np.tanh(coordinates)) / 2)


def coordinates_of_sizes(sizes: Array) -> Array:
    """Invert :func:`sizes_of_coordinates`, with both ends of the range moved inward a little."""
    share = np.log(sizes) / np.log(min(EXTREME_FACTORS))
    return np.arctanh(np.clip(2 * share - 1, -1 + 1e-9, 1 - 1e-9))


def bounds_over_sizes(measure: Formula, classes: int, *, search: Search) -> BoundsOverSizes:
    """Find the bounds of a measure over all classifiers and class sizes, and at equal sizes.

    If the measure is linear in the matrix, they are exact at each of :func:`extreme_sizes`. If not,
    they are searched: over the classifiers of :func:`bounds` at all of these sizes, and from the
    best of them downhill and uphill, over classifiers and sizes together.

    Parameters
    ----------
    measure, search
        As for :func:`bounds`.
    classes
        Number of classes.
    """
    equal = bounds(measure, np.ones(classes), search=search)
    every = extreme_sizes(classes)
    if all(linear_parts(measure, sizes) is not None for sizes in every):
        each = [bounds(measure, sizes) for sizes in every]
        low, high = min(bound.low for bound in each), max(bound.high for bound in each)
        return BoundsOverSizes(Bounds(low, high, exact=True), equal)
    low, high = (_searched_over_sizes(measure, every, sign, search) for sign in (-1, 1))
    return BoundsOverSizes(
        Bounds(min(low, equal.low), max(high, equal.high), exact=False), balanced=equal
    )


def bounds(
    measure: Formula, sizes: Sequence[float] | Array, *, search: Search = DEFAULT_SEARCH
) -> Bounds:
    """Find the lower and upper bound of a measure over all classifiers, at given class sizes.

    If the measure is not linear in the matrix, they are searched: over random classifiers and, for
    up to five classes, all classifiers that predict each class as a single class; then downhill and
    uphill from the best of these.

    Parameters
    ----------
    measure
        A function of a :class:`~skewproof.multiclass.matrix.MulticlassConfusionMatrix`.
    sizes
        Class sizes, (C,).
    search
        Settings of a search.
    """
    sizes = np.asarray(sizes, dtype=np.float64)
    linear = linear_parts(measure, sizes)
    if linear is not None:
        low, high = (linear.origin + end(linear.gains, axis=1).sum() for end in (np.min, np.max))
        return Bounds(float(low), float(high), exact=True)
    low, high = (_searched_bound(measure, sizes, sign, search) for sign in (-1, 1))
    return Bounds(low, high, exact=False)


def linear_parts(measure: Formula, sizes: Array) -> LinearParts | None:
    """Find the parts of a measure that is linear in the matrix, at given class sizes.

    Returns
    -------
    The parts; None if values at random matrices and between them show that the measure is not
    linear.
    """
    classes = len(sizes)
    random = np.random.default_rng(classes)
    first, second = random.dirichlet(np.ones(classes), (2, 50, classes))
    share = random.random((50, 1, 1))
    at_first, at_second, between = (
        _values(measure, rates, sizes)
        for rates in (first, second, share * first + (1 - share) * second)
    )
    flat = share[:, 0, 0] * at_first + (1 - share[:, 0, 0]) * at_second
    if not np.allclose(flat, between, rtol=0, atol=ROUNDING_ERROR):
        return None
    spread = np.full((classes, classes), 1 / classes)
    moved = np.broadcast_to(spread, (classes, classes, classes, classes)).copy()
    for row, column in itertools.product(range(classes), repeat=2):
        moved[row, column, row] = np.eye(classes)[column]
    origin = float(_values(measure, spread, sizes))
    return LinearParts(origin, gains=_values(measure, moved, sizes) - origin)


def _values(measure: Formula, rates: Array, sizes: Array) -> Array:
    matrix = MulticlassConfusionMatrix.from_rates(rates, sizes)
    return np.asarray(measure(matrix), dtype=np.float64)


def signed_height(measure: Formula, sign: int) -> Callable[[Array, Array], Array]:
    """Make the finite function of rates and sizes that a search climbs: a measure or its
    negative."""
    return lambda rates, sizes: np.nan_to_num(
        sign * _values(measure, rates, sizes), nan=BELOW_EVERY_VALUE
    )


def _searched_bound(measure: Formula, sizes: Array, sign: int, search: Search) -> float:
    """Search for the highest value, or with the sign -1 for the lowest."""
    classes, height = len(sizes), signed_height(measure, sign)

    def height_of_logits(logits: Array) -> Array:
        return height(rates_of_logits(logits, classes), sizes)

    starts = _starting_rates(classes, search)
    known = height(starts, sizes)
    summit = search.climb(height_of_logits, _logits(search.best(starts, known)))
    return sign * max(float(known.max()), summit.height)


def _searched_over_sizes(measure: Formula, every: Array, sign: int, search: Search) -> float:
    """Search for a bound over class sizes, too; see :func:`_searched_bound`."""
    classes, height = every.shape[1], signed_height(measure, sign)
    entries = classes**2

    def height_of_points(points: Array) -> Array:
        rates = rates_of_logits(points[..., :entries], classes)
        return height(rates, sizes_of_coordinates(points[..., entries:]))

    rates = _starting_rates(classes, search)
    tops, points = [], []
    for sizes in every:
        known = height(rates, sizes)
        tops.append(known.max())
        coordinates = coordinates_of_sizes(sizes)
        points += [[*logits, *coordinates] for logits in _logits(search.best(rates, known))]
    summit = search.climb(height_of_points, np.array(points))
    return sign * max(float(np.max(tops)), summit.height)


def rates_of_logits(logits: Array, classes: int) -> Array:
    """Map real numbers, (..., C²), to rates, (..., C, C)."""
    return np.asarray(softmax(logits.reshape(*logits.shape[:-1], classes, classes), axis=-1))


def _logits(rates: Array) -> Array:
    """Invert :func:`rates_of_logits`, with rates of 0 moved inward a little."""
    return np.log(rates + 1e-12).reshape(len(rates), -1)


def _starting_rates(classes: int, search: Search) -> Array:
    mixed = search.random(classes).dirichlet(np.full(classes, 0.3), (search.samples, classes))
    if classes > LARGEST_LISTED:
        return mixed
    chosen = np.array(list(itertools.product(range(classes), repeat=classes)))
    return np.concatenate([np.eye(classes)[chosen], mixed])
