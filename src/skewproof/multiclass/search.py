"""A search for the highest value of a function, uphill from the best of random points."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.optimize import minimize

from skewproof.core.algebra import Array


class Summit(NamedTuple):
    """The highest point that a search found."""

    point: Array
    """(coordinates,)."""

    height: float


@dataclass(frozen=True)
class Search:
    """Settings of a search.

    Attributes
    ----------
    seed
        Seed of the random points.
    samples
        Number of random points.
    starts
        Number of the best of these points from which the search goes uphill.
    rounds
        Largest number of rounds of Powell's method from each.
    """

    seed: int = 0
    samples: int = 4000
    starts: int = 8
    rounds: int = 5

    def random(self, classes: int) -> np.random.Generator:
        """Seed the random numbers of a search over matrices of a number of classes."""
        return np.random.default_rng([self.seed, classes])

    def best(self, points: Array, heights: Array) -> Array:
        """Select the highest of many points, the highest last, (starts, ...)."""
        return points[np.argsort(heights, kind="stable")[-self.starts :]]

    def climb(self, height: Callable[[Array], Array], points: Array) -> Summit:
        """Climb from the best of many points to the highest point that is reached.

        Parameters
        ----------
        height
            The function to maximize: it takes points, (..., coordinates), to finite values, (...).
        points
            (points, coordinates).
        """
        best = self.best(points, height(points))
        ends = [
            minimize(
                lambda point: -float(height(point)),
                start,
                method="Powell",
                options={"maxiter": self.rounds},
            ).x
            for start in best
        ]
        reached = np.array([*best, *ends])
        heights = height(reached)
        highest = int(np.argmax(heights))
        return Summit(reached[highest], float(heights[highest]))


DEFAULT_SEARCH = Search()
"""Default settings of a search."""
