"""Extremes of a function of proportions over a ball of deviations, for many slices at once.

From the center one goes along the steepest slope to the surface, and there the direction is set
anew. :mod:`skewproof.practice.balls` looks at the whole ball instead, for one matrix; of metrics
without a kink both agree to half a percent of an interval's width.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from skewproof.core.algebra import Array
from skewproof.practice.deviations import Nearby, nearby, posterior_quantile

Function = Callable[[Array], Array]
"""Of proportions of the shape (d, ..., slices) to values of (..., slices), NaN where undefined."""

TURNS = 5
"""How often the direction to an extreme is set."""

STEPS = 8
"""Of the search for the distance at which a value is reached."""

FARTHEST = 9.0
"""Largest deviation that is looked at: beyond it lies a share of 1e-19."""

NEAR = 1e-4
"""Deviation over which a slope is taken: a direction that errs by it moves an extreme by 1e-8."""


@dataclass(frozen=True)
class Proportions:
    """Observed proportions: a row each, a column a slice."""

    hits: Array
    misses: Array

    @property
    def observed(self) -> Array:
        """hits/(hits + misses)."""
        return self.hits / (self.hits + self.misses)

    @cached_property
    def center(self) -> Nearby:
        """The medians of the posteriors, which are no edges, with their slopes."""
        middle = np.zeros(self.hits.shape)
        slopes = nearby(self.hits, self.misses, middle).slopes
        return Nearby(posterior_quantile(self.hits, self.misses, middle), slopes)

    def beside(self, other: Proportions) -> Proportions:
        """With the rows of another one below."""
        return Proportions(
            np.concatenate([self.hits, other.hits]), np.concatenate([self.misses, other.misses])
        )

    def toward(self, direction: Array) -> Array:
        """A direction of length 1, without what leads beyond an observed 0 or 1."""
        beyond = ((self.hits == 0) & (direction < 0)) | ((self.misses == 0) & (direction > 0))
        possible = np.where(beyond, 0.0, direction)
        length = np.sqrt((possible**2).sum(axis=0))
        return np.divide(possible, length, out=np.zeros_like(possible), where=length > 0)


def extremes(function: Function, of: Proportions, radius: float | Array) -> tuple[Array, Array]:
    """Smallest and largest value over all deviations of at most a radius, and the observed value.

    Returns
    -------
    Two arrays of the shape (slices,), NaN where the function is undefined all along.
    """
    observed = function(of.observed)
    ends = [sign * _largest(function, of, radius, sign) for sign in (-1.0, 1.0)]
    return np.fmin(ends[0], observed), np.fmax(ends[1], observed)


def _largest(function: Function, of: Proportions, radius: float | Array, sign: float) -> Array:
    """The largest value of sign times the function on the way to the surface and there."""
    largest = np.full(of.hits.shape[1:], np.nan)
    gradient = _gradient_at(function, *of.center)[1]
    direction = _turned(np.zeros_like(gradient), of, sign * gradient)
    for turn in range(TURNS):
        value, gradient = _gradient(function, of, radius * direction)
        largest = np.fmax(largest, sign * value)
        if turn < TURNS - 1:
            direction = _turned(direction, of, sign * gradient)
    return largest


def _turned(direction: Array, of: Proportions, gradient: Array) -> Array:
    """Most of the way to a gradient's direction, lest it swings; none where it is not known."""
    known = np.isfinite(gradient).all(axis=0)
    steepest = of.toward(np.where(known, gradient, 0))
    return np.where(known, of.toward(direction + 2 * steepest), direction)


def distance_to_zero(function: Function, of: Proportions) -> Array:
    """Radius of the largest ball on which a function keeps its sign, of the shape (slices,).

    That is the distance at which an interval by :func:`extremes` reaches 0, at most `FARTHEST`; 0
    where the observed value is 0 or on the other side of it than that of the medians.
    """
    center, gradient = _gradient_at(function, *of.center)
    sign = np.where(center > 0, -1.0, 1.0)
    direction = _turned(np.zeros_like(gradient), of, sign * gradient)
    far = np.full_like(center, FARTHEST)
    radius = _newton(np.zeros_like(center), center, (gradient * direction).sum(axis=0), far)
    for _ in range(STEPS):
        value, gradient = _gradient(function, of, radius * direction)
        far = np.where(sign * value < 0, far, radius)
        direction = _turned(direction, of, sign * gradient)
        radius = _newton(radius, value, (gradient * direction).sum(axis=0), far)
    radius = np.where(function(of.observed) * center <= 0, 0.0, radius)
    return np.where(np.isnan(center), np.nan, radius)


def _newton(radius: Array, value: Array, slope: Array, far: Array) -> Array:
    """Where the value is 0 by its slope; the middle where that is no place up to the far end."""
    with np.errstate(divide="ignore", invalid="ignore"):
        place = radius - value / slope
    return np.where((place >= 0) & (place <= far), place, (radius + far) / 2)


def _gradient(function: Function, of: Proportions, deviations: Array) -> tuple[Array, Array]:
    """Value of a function, and its gradient with respect to the deviations."""
    return _gradient_at(function, *nearby(of.hits, of.misses, deviations))


def _gradient_at(function: Function, rates: Array, slopes: Array) -> tuple[Array, Array]:
    """A gradient is NaN where floats are too coarse for one."""
    step = np.where(rates < 1 / 2, NEAR, -NEAR) * slopes
    moved = np.clip(rates + step, 0, 1)
    own = np.eye(len(rates), dtype=bool)[:, :, np.newaxis]
    places = np.where(own, moved[:, np.newaxis], rates[:, np.newaxis])
    values = function(np.concatenate([rates[:, np.newaxis], places], axis=1))
    with np.errstate(divide="ignore", invalid="ignore"):
        gradient = (values[1:] - values[0]) / (moved - rates) * slopes
    return values[0], gradient
