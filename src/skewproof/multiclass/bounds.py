"""Bounds of a measure over all classifiers: exact where it is linear in the matrix, else searched.

At given class sizes the matrices of rates of all classifiers are a product of C simplices, one a
row. A measure that is linear in the matrix is a sum over the rows, so that each row can be chosen
for itself: the class as a whole is taken for the class that is best, or worst, for the measure.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy.special import softmax

from skewproof.core.algebra import Array
from skewproof.multiclass.matrix import MulticlassConfusionMatrix
from skewproof.multiclass.measure import Formula
from skewproof.multiclass.search import DEFAULT_SEARCH, Search

ROUNDING_ERROR = 1e-9
"""Largest difference of two values of a measure that is rounding."""

DOMINANT_SIZE = 1e6
"""How many times larger one class, or two, are than the others where a bound is a limit."""

BELOW_EVERY_VALUE = -1e9
"""Height that a search gives to a matrix at which the measure is undefined."""

LARGEST_LISTED = 5
"""Up to how many classes a search tries all C^C classifiers that take each class for one class."""


class Bounds(NamedTuple):
    """Lower and upper bound of a measure."""

    low: float
    high: float

    exact: bool
    """Whether the measure is linear in the matrix, so that they are exact; else a search's."""


class BoundsOverSizes(NamedTuple):
    """Bounds of a measure for a number of classes."""

    widest: Bounds
    """Over all of :func:`extreme_sizes`."""

    balanced: Bounds
    """At equal sizes."""


class LinearParts(NamedTuple):
    """A measure that is linear in the matrix, at given class sizes."""

    origin: float
    """Its value where each class is spread evenly over all classes."""

    gains: Array
    """What is gained by taking class i for class j as a whole, (C, C); rows add up to 0."""


class ExtremeSizes(NamedTuple):
    """Class sizes at which bounds are looked for; each (C,)."""

    equal: Array
    one_dominant: Array
    two_dominant: Array


def extreme_sizes(classes: int) -> ExtremeSizes:
    """Class sizes that are equal, or of which one or two are DOMINANT_SIZE and the others 1."""
    sizes = ExtremeSizes(*np.ones((3, classes)))
    sizes.one_dominant[-1:] = DOMINANT_SIZE
    sizes.two_dominant[-2:] = DOMINANT_SIZE
    return sizes


def bounds_over_sizes(measure: Formula, classes: int, *, search: Search) -> BoundsOverSizes:
    """Bounds of a measure over all classifiers and class sizes, and at equal sizes.

    Parameters
    ----------
    measure, search
        As for :func:`bounds`.
    classes
        Number of classes.
    """
    each = [bounds(measure, sizes, search=search) for sizes in extreme_sizes(classes)]
    widest = Bounds(
        low=min(one.low for one in each),
        high=max(one.high for one in each),
        exact=all(one.exact for one in each),
    )
    return BoundsOverSizes(widest, balanced=each[0])


def bounds(
    measure: Formula, sizes: Sequence[float] | Array, *, search: Search = DEFAULT_SEARCH
) -> Bounds:
    """Lower and upper bound of a measure over all classifiers, at given class sizes.

    Where the measure is not linear in the matrix, they are searched: on all classifiers of up to
    five classes that take each class for one class as a whole, and from the best of these and of
    random ones downhill and uphill.

    Parameters
    ----------
    measure
        A function of a :class:`~skewproof.multiclass.matrix.MulticlassConfusionMatrix`.
    sizes
        Class sizes, (C,).
    search
        How a search is done.
    """
    sizes = np.asarray(sizes, dtype=np.float64)
    linear = linear_parts(measure, sizes)
    if linear is not None:
        low, high = (linear.origin + end(linear.gains, axis=1).sum() for end in (np.min, np.max))
        return Bounds(float(low), float(high), exact=True)
    low, high = (_searched_bound(measure, sizes, sign, search) for sign in (-1, 1))
    return Bounds(low, high, exact=False)


def linear_parts(measure: Formula, sizes: Array) -> LinearParts | None:
    """The parts of a measure that is linear in the matrix, at given class sizes.

    Returns
    -------
    None where the measure is not linear, as random matrices and points between them show.
    """
    classes = len(sizes)
    random = np.random.default_rng(classes)
    first, second = random.dirichlet(np.ones(classes), (2, 50, classes))
    share = random.random((50, 1, 1))
    one, other, between = (
        _values(measure, rates, sizes)
        for rates in (first, second, share * first + (1 - share) * second)
    )
    flat = share[:, 0, 0] * one + (1 - share[:, 0, 0]) * other
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


def _searched_bound(measure: Formula, sizes: Array, sign: int, search: Search) -> float:
    """The highest value that a search finds, or the lowest with the sign -1."""
    classes = len(sizes)

    def height_of_rates(rates: Array) -> Array:
        return np.nan_to_num(sign * _values(measure, rates, sizes), nan=BELOW_EVERY_VALUE)

    def height(logits: Array) -> Array:
        shape = (*logits.shape[:-1], classes, classes)
        return height_of_rates(softmax(logits.reshape(shape), axis=-1))

    starts = _starting_rates(classes, search)
    known = height_of_rates(starts)
    best = search.best(starts, known)
    summit = search.climb(height, np.log(best + 1e-12).reshape(len(best), -1))
    return sign * max(float(known.max()), summit.height)


def _starting_rates(classes: int, search: Search) -> Array:
    mixed = search.random(classes).dirichlet(np.full(classes, 0.3), (search.samples, classes))
    if classes > LARGEST_LISTED:
        return mixed
    chosen = np.array(list(itertools.product(range(classes), repeat=classes)))
    return np.concatenate([np.eye(classes)[chosen], mixed])
