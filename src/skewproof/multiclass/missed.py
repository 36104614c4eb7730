"""Values of a measure if one class is missed, over all class sizes and predictions for that class.

In the matrices of Condition 3, the missed class keeps a vanishing share of its instances, and every
other class loses at most that share.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.special import softmax

from skewproof.core.algebra import Array
from skewproof.core.extras import sympy
from skewproof.multiclass.bounds import (
    coordinates_of_sizes,
    extreme_sizes,
    signed_height,
    sizes_of_coordinates,
)
from skewproof.multiclass.declaration import Formula
from skewproof.multiclass.matrix import MulticlassConfusionMatrix
from skewproof.multiclass.search import DEFAULT_SEARCH, Search, Summit

MISSED_RECALL = 1e-100
"""Recall of a missed class. Its C-th root is small, too. It is not 0, where a value could be 0/0
although it has a limit."""

DIGITS = 300
"""Digits with which the lowest values are confirmed: sizes and recalls that differ by a factor of
10^100 leave no correct digits in doubles."""

CONFIRMED = 5
"""Number of the lowest values that are confirmed."""


class MissedClass(NamedTuple):
    """A classifier that misses one class."""

    value: float
    """Value of the measure."""

    sizes: Array
    """Class sizes, (C,)."""

    missed: int
    """The missed class, counted from 0."""

    goal: Array
    """Shares of the missed class that are predicted as each class, (C,)."""

    lost: float
    """The share of every other class that is predicted as the missed class: 0, or the share that
    the missed class keeps."""


def missed_rates(missed: int, goal: Array, lost: float) -> Array:
    """Build the rates of a classifier that misses one class.

    Parameters
    ----------
    missed, lost
        As in :class:`MissedClass`.
    goal
        As in :class:`MissedClass`, (..., C).

    Returns
    -------
    (..., C, C).
    """
    classes = goal.shape[-1]
    rates = np.broadcast_to(np.eye(classes), (*goal.shape, classes)).copy()
    rates[..., :, missed] = lost
    rates[..., missed, :] = goal
    rates[..., missed, missed] = MISSED_RECALL
    return rates


def lowest_limit(measure: Formula, classes: int, *, search: Search = DEFAULT_SEARCH) -> MissedClass:
    """Search for the lowest limit of a measure if one class is missed, over all class sizes.

    The search covers all of :func:`~skewproof.multiclass.bounds.extreme_sizes`, with every class as
    the missed one, and its instances predicted all as a single class or evenly as all others. It
    continues with random sizes and goals, and then downhill from the lowest of these, over sizes
    and goals together. The value is confirmed with many digits; that no value is lower is only as
    certain as the search.

    Parameters
    ----------
    measure
        A function of a :class:`~skewproof.multiclass.matrix.MulticlassConfusionMatrix`.
    classes
        Number of classes.
    search
        Settings of the search.
    """
    listed = _listed(measure, extreme_sizes(classes))
    spaces = [
        _Space(measure, classes, missed, lost)
        for missed in range(classes)
        for lost in (0.0, MISSED_RECALL)
    ]
    starts = [space.highest(listed, search) for space in spaces]
    order = np.argsort([start.height for start in starts], kind="stable")[-search.starts :]
    climbed = [spaces[index].climbed(starts[index].point, search) for index in order]
    lowest = sorted([*listed, *climbed], key=lambda limit: limit.value)[:CONFIRMED]
    return min((_confirmed(measure, limit) for limit in lowest), key=lambda limit: limit.value)


def _confirmed(measure: Formula, limit: MissedClass) -> MissedClass:
    """Compute the value with DIGITS digits, if the measure takes SymPy's numbers."""
    numbers = np.vectorize(lambda value: sympy.Float(value, DIGITS), otypes=[object])
    goal = numbers(limit.goal)
    sizes = numbers(limit.sizes)
    rates = numbers(missed_rates(limit.missed, limit.goal, limit.lost))
    rates[limit.missed] = goal / goal.sum()
    rates[limit.missed, limit.missed] = sympy.Float(MISSED_RECALL, DIGITS)
    try:
        value = measure(MulticlassConfusionMatrix.from_rates(rates, sizes))
        return limit._replace(value=float(value))
    except (TypeError, AttributeError):  # the measure is a function of doubles only
        return limit


def limit_of_a_missed_class(measure: Formula, sizes: Sequence[float] | Array) -> float:
    """Find the lowest limit of a measure if one class is missed, at given class sizes.

    Parameters
    ----------
    measure
        A function of a :class:`~skewproof.multiclass.matrix.MulticlassConfusionMatrix`.
    sizes
        Class sizes, (C,).

    Returns
    -------
    The lowest value over all choices of the missed class, over predictions for its instances (all
    as one class, or evenly as all others), and over the other classes (predicted perfectly, or with
    the share predicted as the missed class that the missed class keeps).
    """
    batch = np.asarray(sizes, dtype=np.float64)[np.newaxis]
    return min(limit.value for limit in _listed(measure, batch))


def _listed(measure: Formula, sizes: Array) -> list[MissedClass]:
    """Find the lowest values over class sizes, (sizes, C), for each missed class and listed
    goal."""
    height, classes, limits = signed_height(measure, -1), sizes.shape[1], []
    for missed in range(classes):
        others = np.delete(np.eye(classes), missed, axis=0)
        for goal, lost in itertools.product([*others, others.mean(axis=0)], (0.0, MISSED_RECALL)):
            heights = height(missed_rates(missed, goal, lost), sizes)
            lowest = int(np.argmax(heights))
            value = float(-heights[lowest])
            limits.append(MissedClass(value, sizes[lowest], missed, goal, lost))
    return limits


@dataclass(frozen=True)
class _Space:
    """The space of class sizes and goals at which one class is missed."""

    measure: Formula
    classes: int
    missed: int
    lost: float

    @property
    def others(self) -> Array:
        return np.delete(np.arange(self.classes), self.missed)

    def parts(self, points: Array) -> tuple[Array, Array]:
        """Convert points to class sizes and goals, each (..., C)."""
        goal = np.zeros((*points.shape[:-1], self.classes))
        goal[..., self.others] = softmax(points[..., self.classes :], axis=-1)
        return sizes_of_coordinates(points[..., : self.classes]), goal

    def height(self, points: Array) -> Array:
        sizes, goal = self.parts(points)
        return signed_height(self.measure, -1)(missed_rates(self.missed, goal, self.lost), sizes)

    def highest(self, listed: Sequence[MissedClass], search: Search) -> Summit:
        """Find the best of the listed and of random points."""
        known = [
            [*coordinates_of_sizes(limit.sizes), *np.log(limit.goal[self.others] + 1e-12)]
            for limit in listed
            if (limit.missed, limit.lost) == (self.missed, self.lost)
        ]
        random = search.random(self.classes).normal(0, 2, (search.samples, 2 * self.classes - 1))
        points = np.concatenate([known, random])
        heights = self.height(points)
        best = int(np.argmax(heights))
        return Summit(points[best], float(heights[best]))

    def climbed(self, start: Array, search: Search) -> MissedClass:
        summit = search.climb(self.height, start[np.newaxis])
        sizes, goal = self.parts(summit.point)
        return MissedClass(-summit.height, sizes, self.missed, goal, self.lost)
