"""Extremes of a function of proportions over their confidence region, for many slices at once.

The region is a ball of deviations: all proportions whose distance from the observed ones is at most
a radius z, each measured in its own standard errors, as in :mod:`.deviations`. All intervals and
p-values of the package that are not drawn come from such balls. An interval consists of the two
extremes over a ball, and a p-value comes from the largest ball on which a function keeps its sign.

- :func:`extremes` finds the smallest and the largest value. It samples the ball and follows the
  steepest slope along its surface from several starts. If the slope at the end indicates a further
  gain, as at a kink or if the extreme lies inside the ball, a search without slopes follows. In
  many dimensions, such as those of the rows of many classes, there are fewer starts and no such
  search.
- :func:`distance_to_zero` finds the radius at which an extreme reaches 0, by Newton's method along
  the steepest direction.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from skewproof.core.algebra import Array
from skewproof.intervals.deviations import FARTHEST, Nearby, QuantileTable, nearby

Rows = NDArray[np.intp]
"""Numbers of slices."""

Function = Callable[[Array, Rows], Array]
"""A function of proportions, of the shape (d, ..., rows), and of the slices that the last axis
holds; its values have the shape (..., rows) and are NaN where it is undefined."""

Gradient = Callable[[Array, Rows], tuple[Array, Array]]
"""Function that returns such values and their derivatives by the proportions, of their shape."""


MOST_DIMENSIONS_WITH_DIAGONALS = 3
"""Most dimensions with samples along diagonals; there are 3**d samples."""

MOST_DIMENSIONS_SEARCHED = 12
"""Most dimensions in which paths start from several samples and a search without slopes may
follow: in more dimensions they take long, and random axes gain little."""

MOST_DIMENSIONS_WITH_SAMPLES = 120
"""Most dimensions with samples other than the center."""

UNEVEN = 0.2
"""Shift of a start from its sample: from a symmetric start no slope leads to an extreme on
either side."""

TURNS = 5
"""Number of times that the direction to an extreme is set."""

PULL = 2.0
"""Weight of the steepest direction in a turn, beside 1 for the old one: large turns are
allowed."""

TOLERANCE = 3e-4
"""Gain that a slope may still indicate where a search ends, as a share of the samples' span."""

STARTS = 3
"""Number of best points from which the search without slopes starts."""

POLISHES = 40
"""Number of steps of the search without slopes."""

FIRST_STEP = 0.5
"""Length of the first of these steps."""

GROWTH = 1.3
"""Factor by which such a step grows after a gain."""

SHRINKAGE = 1.4
"""Divisor by which such a step shrinks without a gain."""

STEPS = 12
"""Number of steps of the search for the distance at which a value is reached."""

NEARER = 1e-3
"""Share of the distance by which a nearer zero must differ to count as another one."""

ROUNDS = 3
"""Number of times that a nearer zero is sought from several starts."""

SEARCHES = 10
"""Most times that a nearer zero is sought without slopes."""

HALVINGS = 12
"""Number of halvings of the path to a point beyond a zero."""

NEAR = 1e-4
"""Deviation over which a slope is taken: an error of this size moves an extreme by 1e-8."""


@dataclass(frozen=True)
class Proportions:
    """Observed proportions: a row for each, a column for each slice.

    A proportion with a Beta distribution as a belief has the counts that would give this posterior,
    which may be below 0, and a stated value.
    """

    hits: Array
    misses: Array
    stated: Array | None = None
    """Values that replace hits/(hits + misses)."""

    correlation: Array | None = None
    """Correlations of the deviations, shape (proportions, proportions, slices); None if they are
    independent."""

    @property
    def observed(self) -> Array:
        """hits/(hits + misses), or the stated values."""
        if self.stated is not None:
            return self.stated
        return self.hits / (self.hits + self.misses)

    @property
    def slices(self) -> Rows:
        """The numbers of all slices."""
        return np.arange(self.hits.shape[1])

    def at(self, rows: Rows) -> Proportions:
        """Return the proportions of some slices."""
        stated = None if self.stated is None else self.stated[:, rows]
        together = None if self.correlation is None else self.correlation[..., rows]
        return Proportions(self.hits[:, rows], self.misses[:, rows], stated, together)

    @cached_property
    def roots(self) -> Array | None:
        """Matrices that turn independent deviations into correlated ones; None for none."""
        if self.correlation is None:
            return None
        correlation = np.moveaxis(self.correlation, -1, 0)
        values, vectors = np.linalg.eigh(correlation)
        scaled = vectors * np.sqrt(np.maximum(values, 0))[:, np.newaxis]
        roots = scaled @ np.swapaxes(vectors, 1, 2)
        # Proportions of 0 or 1 are alone; rounding must not let others move them.
        alone = np.count_nonzero(correlation, axis=-1) == 1
        either = alone[:, np.newaxis] | alone[..., np.newaxis]
        return np.moveaxis(np.where(either, np.eye(len(self.correlation)), roots), 0, -1)

    def deviations(self, points: Array) -> Array:
        """Turn points of the ball, shape (proportions, points, slices), into deviations."""
        return points if self.roots is None else np.einsum("ijs,jps->ips", self.roots, points)

    def along_points(self, slopes: Array) -> Array:
        """Turn slopes along deviations into slopes along points of the ball, of the same shape."""
        return slopes if self.roots is None else np.einsum("ijs,ips->jps", self.roots, slopes)

    @cached_property
    def table(self) -> QuantileTable:
        """Table from which all searches take the proportions that deviate from these."""
        return QuantileTable.build(self.hits, self.misses)

    def some(self, which: slice | NDArray[np.bool_]) -> Proportions:
        """Return some of the proportions of each slice."""
        stated = None if self.stated is None else self.stated[which]
        together = None if self.correlation is None else self.correlation[which][:, which]
        return Proportions(self.hits[which], self.misses[which], stated, together)

    def beside(self, other: Proportions) -> Proportions:
        """Return these proportions with the rows of other, independent ones below."""
        stated = together = None
        if not (self.correlation is None and other.correlation is None):
            mine, (every, slices) = len(self.hits), self.hits.shape
            every += len(other.hits)
            together = np.repeat(np.eye(every)[..., np.newaxis], slices, axis=2)
            if self.correlation is not None:
                together[:mine, :mine] = self.correlation
            if other.correlation is not None:
                together[mine:, mine:] = other.correlation
        if not (self.stated is None and other.stated is None):
            stated = np.concatenate([self.observed, other.observed])
        return Proportions(
            np.concatenate([self.hits, other.hits]),
            np.concatenate([self.misses, other.misses]),
            stated,
            together,
        )


class Extremes(NamedTuple):
    """Smallest and largest values, in arrays of the shape (slices,)."""

    low: Array
    high: Array
    """The largest value; like low, it is NaN if nothing is defined."""

    undefined: NDArray[np.bool_]
    """True if the function is undefined at some of the samples."""


def extremes(
    function: Function,
    proportions: Proportions,
    radius: float | Array,
    gradient: Gradient | None = None,
) -> Extremes:
    """Find the smallest and largest value over all deviations of at most a radius.

    The observed value is included. The search takes the proportions from a table; the result is the
    function's values where the search ends, at the exact quantiles. An extreme that is beyond the
    end of the search, and between the samples, is missed. Tests compare the result with dense grids
    for every registered metric.

    Parameters
    ----------
    function
        The function.
    proportions
        The observed proportions, d of each slice.
    radius
        Radius of the ball, one number or one for each slice; at most `FARTHEST` is used.
    gradient
        The function with its derivatives, if they can be computed faster than by a difference along
        each dimension.
    """
    ball = _Ball.of(function, gradient, proportions)
    ball = replace(ball, radius=np.minimum(radius, FARTHEST) * ball.radius)
    samples = ball.samples
    values = ball.function(ball.near(samples).proportions, proportions.slices)
    observed = function(proportions.observed, proportions.slices)
    return Extremes(
        np.fmin(-_largest(replace(ball, sign=-ball.sign), samples, -values), observed),
        np.fmax(_largest(ball, samples, values), observed),
        np.isnan(values).any(axis=0) | np.isnan(observed),
    )


def spread(function: Function, proportions: Proportions, gradient: Gradient | None = None) -> Array:
    """Compute the standard error of a function's linearization at the medians, shape (slices,)."""
    ball = _Ball.of(function, gradient, proportions)
    return _length(ball.slopes_at(ball.medians)[1])[0]


@dataclass(frozen=True)
class _Ball:
    """Sign times a function over the unit ball of some slices.

    Points are deviations over the radius and have the shape (d, points, slices).
    """

    function: Function
    gradient: Gradient | None
    table: QuantileTable
    """The table of all slices, not just of those in `rows`."""

    observed: Proportions
    sign: Array
    radius: Array
    rows: Rows

    @classmethod
    def of(cls, function: Function, gradient: Gradient | None, observed: Proportions) -> _Ball:
        """Return the balls of radius 1 of all slices, on which a function is to be large."""
        ones = np.ones(observed.hits.shape[1])
        return cls(function, gradient, observed.table, observed, ones, ones, observed.slices)

    def at(self, positions: Rows) -> _Ball:
        """Return the ball of some of the slices."""
        return replace(
            self,
            observed=self.observed.at(positions),
            sign=self.sign[positions],
            radius=self.radius[positions],
            rows=self.rows[positions],
        )

    @property
    def samples(self) -> Array:
        """The center, points of the surface along the axes, and diagonals in few dimensions."""
        dimensions, slices = self.observed.hits.shape
        if dimensions <= MOST_DIMENSIONS_WITH_DIAGONALS:
            points = np.array(list(itertools.product((0.0, -1.0, 1.0), repeat=dimensions))).T
        elif dimensions > MOST_DIMENSIONS_WITH_SAMPLES:
            points = np.zeros((dimensions, 1))
        else:
            axes = np.eye(dimensions)
            points = np.concatenate([0 * axes[:, :1], axes, -axes], axis=1)
        return self.inside(np.repeat(points[:, :, np.newaxis], slices, axis=2))

    def inside(self, points: Array) -> Array:
        """Move points into the ball: length at most 1, and nothing beyond an observed 0 or 1."""
        points = self._possible(points)
        return points / np.maximum(_length(points), 1)

    def surface(self, points: Array) -> Array:
        """Move points to the surface, or to the center if nothing is left of them."""
        points = self._possible(points)
        length = _length(points)
        return np.divide(points, length, out=np.zeros_like(points), where=length > 0)

    def _possible(self, points: Array) -> Array:
        no_hits, no_misses = self.observed.hits == 0, self.observed.misses == 0
        beyond = (no_hits[:, np.newaxis] & (points < 0)) | (no_misses[:, np.newaxis] & (points > 0))
        return np.where(beyond, 0.0, points)

    def near(self, points: Array) -> Nearby:
        """Return the proportions at points, with their slopes along the deviations."""
        return self.table.nearby(self.radius * self.observed.deviations(points), self.rows)

    def values(self, points: Array) -> Array:
        """Compute values, shape (points, slices), -inf where undefined."""
        return self._ranked(self.near(points).proportions)

    def _ranked(self, proportions: Array) -> Array:
        return _ranked(self.sign * self.function(proportions, self.rows))

    @property
    def medians(self) -> Nearby:
        """The medians of the posteriors, which are inside (0, 1), with their slopes."""
        return self.table.inside(np.zeros((len(self.observed.hits), 1, len(self.rows))), self.rows)

    def exact(self, points: Array) -> Array:
        """Compute values at exact quantiles, shape (points, slices), NaN where undefined."""
        hits, misses = self.observed.hits[:, np.newaxis], self.observed.misses[:, np.newaxis]
        deviations = self.radius * self.observed.deviations(points)
        proportions = nearby(hits, misses, deviations).proportions
        return self.sign * self.function(proportions, self.rows)

    def slopes(self, points: Array) -> tuple[Array, Array]:
        """Compute values, and slopes of the shape of points.

        Slopes are not finite where there is none or floats are too coarse.
        """
        return self.slopes_at(self.near(points))

    def slopes_at(self, near: Nearby) -> tuple[Array, Array]:
        """Compute values and slopes at proportions."""
        rates, speeds = near.proportions, self.radius * near.slopes
        if self.gradient is not None:
            values, derivatives = self.gradient(rates, self.rows)
            slopes = self.observed.along_points(self.sign * derivatives * speeds)
            return _ranked(self.sign * values), slopes
        moved = np.clip(rates + np.where(rates < 1 / 2, NEAR, -NEAR) * speeds, 0, 1)
        diagonal = np.eye(len(rates), dtype=bool)[:, :, np.newaxis, np.newaxis]
        shifted = np.where(diagonal, moved[:, np.newaxis], rates[:, np.newaxis])
        values = self._ranked(np.concatenate([rates[:, np.newaxis], shifted], axis=1))
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            slopes = (values[1:] - values[0]) / (moved - rates) * speeds
            return values[0], self.observed.along_points(slopes)


def _length(points: Array) -> Array:
    return np.sqrt((points**2).sum(axis=0))


def _ranked(values: Array) -> Array:
    """Rank undefined values below all others."""
    return np.where(np.isnan(values), -np.inf, values)


class _Climb(NamedTuple):
    """Ends of the paths along the surface, and the status of the largest value."""

    points: Array
    """Ends of the paths and the best samples, shape (d, points, slices)."""

    values: Array
    """Their values, shape (points, slices)."""

    top: Array
    """The largest value found, shape (slices,); -inf if nothing is defined."""

    unsettled: NDArray[np.bool_]
    """True if the slope indicates a further gain, or a sample has a larger value."""


def _climbed(ball: _Ball, samples: Array, sampled: Array) -> _Climb:
    """Follow paths from the best samples to the largest value of each slice."""
    ranked = _ranked(sampled)
    order = _best(samples, ranked)
    best = np.take_along_axis(samples, order[np.newaxis], axis=1)
    points, values, gains = _uphill(ball, best)
    largest = values.max(axis=0)
    top = np.maximum(largest, ranked.max(axis=0))
    finite = np.where(np.isfinite(sampled), sampled, np.nan)
    with np.errstate(invalid="ignore"):  # nothing is finite
        span = np.fmax.reduce(finite, axis=0) - np.fmin.reduce(finite, axis=0)
    gain = np.take_along_axis(gains, values.argmax(axis=0)[np.newaxis], axis=0)[0]
    unsettled = (~(gain <= TOLERANCE * span) | (top > largest)) & (top < np.inf)
    unsettled &= len(samples) <= MOST_DIMENSIONS_SEARCHED
    points = np.concatenate([points, best], axis=1)
    values = np.concatenate([values, np.take_along_axis(ranked, order, axis=0)])
    return _Climb(points, values, top, unsettled)


def _largest(ball: _Ball, samples: Array, sampled: Array) -> Array:
    """Find the largest value of each slice, NaN if the function is undefined everywhere."""
    points, top = _highest(ball, samples, sampled)
    exact = ball.exact(points)[0]
    # A point on the border of the domain may be outside with exact quantiles.
    top = np.where(np.isnan(exact), top, exact)
    return np.where(np.isneginf(top) & np.isnan(sampled).all(axis=0), np.nan, top)


def _highest(ball: _Ball, samples: Array, sampled: Array) -> tuple[Array, Array]:
    """Find the point of the largest value, shape (d, 1, slices), and the value."""
    climb = _climbed(ball, samples, sampled)
    order = np.argsort(-climb.values, axis=0, kind="stable")[np.newaxis, :STARTS]
    starts = np.take_along_axis(climb.points, order, axis=1)
    points, top = starts[:, :1], climb.top
    positions = np.flatnonzero(climb.unsettled)
    if positions.size:
        points[:, :, positions], top[positions] = _polished(
            ball.at(positions), starts[:, :, positions]
        )
    return points, top


def _best(samples: Array, values: Array) -> Rows:
    """Return the places of the two best samples, and of the best one opposite the first."""
    order = np.argsort(-values, axis=0, kind="stable")[:2]
    first = np.take_along_axis(samples, order[np.newaxis, :1], axis=1)
    same_side = (samples * first).sum(axis=0) > 0
    other = np.where(same_side | (_length(samples) == 0), -np.inf, values).argmax(axis=0)
    return np.concatenate([order, other[np.newaxis]])


def _uphill(ball: _Ball, samples: Array) -> tuple[Array, Array, Array]:
    """Follow several paths along the surface.

    Returns the best point of each path, its value, and the gain within the ball that the slope
    there indicates.
    """
    slope = ball.slopes_at(ball.medians)[1]
    aside = UNEVEN * np.cos(1 + np.arange(len(samples)))[:, np.newaxis, np.newaxis]
    starts = [_steepest(ball, slope), samples[:, :1] + aside]
    if len(samples) <= MOST_DIMENSIONS_SEARCHED:
        starts += [samples[:, 1:] + aside, samples[:, :1] - aside]
    points = ball.surface(np.concatenate(starts, axis=1))
    best, largest = points, np.full(points.shape[1:], -np.inf)
    gains = np.full(points.shape[1:], np.inf)
    for _ in range(TURNS):
        values, slope = ball.slopes(points)
        steepest = _steepest(ball, slope)
        with np.errstate(invalid="ignore"):  # NaN if the slope is unknown
            gain = (slope * (steepest - points)).sum(axis=0)
        better = values >= largest
        best = np.where(better, points, best)
        largest = np.where(better, values, largest)
        gains = np.where(better, gain, gains)
        points = ball.surface(points + PULL * steepest)
    return best, largest, gains


def _steepest(ball: _Ball, slope: Array) -> Array:
    """Return the point of the surface to which a slope leads; the center if it is unknown."""
    return ball.surface(np.where(np.isfinite(slope).all(axis=0), slope, 0))


def _polished(ball: _Ball, points: Array) -> tuple[Array, Array]:
    """Search by steps along random axes from several points.

    Returns the point of the largest value, and the value.
    """
    random = np.random.default_rng(0)
    values = ball.values(points)
    step = np.full(values.shape, FIRST_STEP)
    for _ in range(POLISHES):
        axes = np.linalg.qr(random.normal(size=(len(points), len(points))))[0]
        ways = np.concatenate([axes, -axes], axis=1)[:, :, np.newaxis, np.newaxis]
        tried = points[:, np.newaxis] + step * ways
        shape = tried.shape
        tried = ball.inside(tried.reshape(shape[0], -1, shape[-1]))
        tried_values = ball.values(tried).reshape(shape[1:])
        best = tried_values.argmax(axis=0)[np.newaxis]
        best_tried = np.take_along_axis(tried.reshape(shape), best[np.newaxis], axis=1)[:, 0]
        tried_values = np.take_along_axis(tried_values, best, axis=0)[0]
        better = tried_values > values
        points, values = (
            np.where(better, best_tried, points),
            np.where(better, tried_values, values),
        )
        step = np.where(better, step * GROWTH, step / SHRINKAGE)
    best = values.argmax(axis=0)[np.newaxis]
    point = np.take_along_axis(points, best[np.newaxis], axis=1)
    return point, np.take_along_axis(values, best, axis=0)[0]


def distance_to_zero(
    function: Function,
    proportions: Proportions,
    gradient: Gradient | None = None,
) -> Array:
    """Find the radius of the largest ball on which a function keeps its sign, shape (slices,).

    An interval from :func:`extremes` reaches 0 at this distance, which is at most `FARTHEST`. It is
    0 if the observed value is 0 or has another sign than the value at the medians.
    """
    ball = _Ball.of(function, gradient, proportions)
    center = function(ball.medians.proportions, proportions.slices)[0]
    ball = replace(ball, sign=np.where(center > 0, -1.0, 1.0))
    value, slope = ball.slopes_at(ball.medians)
    direction = _steepest(ball, slope)
    start = _newton(np.zeros_like(value), value, slope, direction, np.full_like(value, FARTHEST))
    distance = _followed(ball, start, direction)
    positions, unsettled = proportions.slices, np.zeros(len(proportions.slices), dtype=bool)
    for _ in range(ROUNDS):
        whole = replace(ball.at(positions), radius=distance[positions] * (1 - NEARER))
        climb = _climbed(whole, whole.samples, whole.values(whole.samples))
        unsettled[positions] = climb.unsettled
        nearer = np.flatnonzero(climb.top > 0)
        positions = positions[nearer]
        if not positions.size:
            break
        highest = climb.values[:, nearer].argmax(axis=0)[np.newaxis, np.newaxis]
        point = np.take_along_axis(climb.points[:, :, nearer], highest, axis=1)
        start = distance[positions] * _length(point)
        inner = ball.at(positions)
        nearest = _followed(inner, start, inner.surface(point))
        distance[positions] = np.minimum(distance[positions] * (1 - NEARER), nearest)
    positions = np.flatnonzero(unsettled)
    if positions.size:
        distance[positions] = _searched(ball.at(positions), distance[positions])
    distance = np.where(
        function(proportions.observed, proportions.slices) * center <= 0, 0.0, distance
    )
    return np.where(np.isnan(center), np.nan, distance)


def _followed(ball: _Ball, distance: Array, direction: Array) -> Array:
    """Find the distance of a zero, given a first distance and direction, shape (slices,)."""
    far = np.full_like(distance, FARTHEST)
    for _ in range(STEPS):
        value, slope = ball.slopes(distance * direction)
        far = np.where(value < 0, far, distance)
        direction = ball.surface(direction + PULL * _steepest(ball, slope))
        distance = _newton(distance, value, slope, direction, far)
    return distance[0]


def _newton(distance: Array, value: Array, slope: Array, direction: Array, far: Array) -> Array:
    """Return where the value is 0 by its slope, or the middle if that is outside."""
    with np.errstate(divide="ignore", invalid="ignore"):
        zero = distance - value / (slope * direction).sum(axis=0)
    return np.where((zero >= 0) & (zero <= far), zero, (distance + far) / 2)


def _searched(ball: _Ball, distance: Array) -> Array:
    """Find the distance of the nearest zero by a search without slopes, up to a given one."""
    distance, positions = distance.copy(), np.arange(len(distance))
    for _ in range(SEARCHES):
        whole = replace(ball.at(positions), radius=distance[positions] * (1 - NEARER))
        samples = whole.samples
        points, top = _highest(whole, samples, whole.values(samples))
        beyond = np.flatnonzero(top > 0)
        positions = positions[beyond]
        if not positions.size:
            break
        point = whole.radius[beyond] * points[:, :, beyond]
        distance[positions] = _halved(ball.at(positions), point)
    return distance


def _halved(ball: _Ball, point: Array) -> Array:
    """Find the distance of a zero on the path to a point beyond it, shape (d, 1, slices)."""
    near, far = np.zeros(point.shape[2]), np.ones(point.shape[2])
    for _ in range(HALVINGS):
        middle = (near + far) / 2
        beyond = ball.values(middle * point)[0] > 0
        near, far = np.where(beyond, near, middle), np.where(beyond, middle, far)
    return far * _length(point)[0]


def radius_of(confidence: float) -> float:
    """Return the radius of the ball of deviations at a level of confidence."""
    return float(ndtri((1 + confidence) / 2))
