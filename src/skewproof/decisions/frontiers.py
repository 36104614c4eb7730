"""Exact tests that a requirement is met where the classifier will run.

A requirement divides the rates (tpr, fpr), and the prevalence if it is uncertain, into those that
meet it and those that do not. The frontier lies between them. The counts at a cut-off reject the
hypothesis that its rates do not meet the requirement if they reject every point of the frontier,
each by a test of its own:

- Each coordinate has an exact p-value: the binomial probability, at that point, of as many hits or
  more, or of as many false alarms or fewer, as the requirement asks. Their normal scores z are
  independent, and at the true rates none exceeds a number more often than a standard normal one.
- The point is rejected at the level a if the sum of w z is at least the normal quantile of 1 - a,
  with weights whose squares sum to 1 (Stouffer's method). The weights are optimal in large samples.
  They depend on the point and on the class sizes, never on what was observed, so that the level
  holds in small samples too.
- It is rejected as well if one coordinate alone rejects it at a small share of the level.

If the requirement depends on one rate alone, this is the bound of Clopper and Pearson.

The points are those at which lines across all rates cross the frontier. Along it p-values change so
little that more lines would find the same. If the prevalence is a coordinate, they may be a fifth
too small.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import reduce
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import (
    betainc,
    betaincc,
    betaincinv,
    betaln,
    expit,
    logit,
    ndtr,
    ndtri,
)

from skewproof.core.algebra import Array
from skewproof.core.confusion import ConfusionMatrix
from skewproof.decisions.requirements import Requirement
from skewproof.prevalence.prevalence import RAREST, Prevalence

BELOW_1 = float(np.nextafter(1, 0))
"""Largest float below 1."""

FARTHEST = 40.0
"""Largest log odds of a rate that are considered: beyond, floats round the rate to 1."""

LINES, REACH = 289, 24.0
"""Number of lines across the plane of the log odds of both rates, and the largest difference of the
log odds. Each line crosses the frontier at most once."""

LINES_OF_UNSURE, PREVALENCES = 161, 37
"""Number of lines, and of prevalences, if the prevalence is a coordinate."""

EVERY = 16
"""One of so many points is tested first."""

HALVINGS = 50
"""Number of halvings of a line."""

FLAT = 1e-6
"""Slope of the frontier below which a coordinate does not matter; it exceeds rounding errors."""

WIDEST = 4.0
"""Largest normal deviation of an uncertain prevalence that is considered."""

ALONE, ALONE_OF_UNSURE = 0.005, 0.1
"""Share of the level at which a coordinate alone rejects a point. The second is for an uncertain
prevalence, since far from the observed counts three scores do not add up well."""

SPARED = 0.005
"""Share of the level that is not used; it exceeds what LEAST adds."""

LEAST = -3.0
"""Smallest score: lower ones count as this, so that a class with no hits does not outweigh all
else. The sum is then too large with a probability of at most ndtr(LEAST) of its level per
coordinate."""

CHECKED = np.linspace(-12.0, 12.0, 49)
"""Log odds of rates at which the orientation of a requirement is determined."""

ORIENTATIONS = ((1, -1), (-1, -1), (1, 1), (-1, 1))
"""Signs for hits and false alarms: 1 if more of them help to meet a requirement, else -1."""


class Sizes(NamedTuple):
    """Numbers of instances of both classes."""

    positives: int
    negatives: int

    @property
    def prevalence(self) -> float:
        """Share of the positives."""
        return self.positives / (self.positives + self.negatives)


@dataclass(frozen=True)
class Frontier:
    """Boundary of the rates that meet a requirement, and the test of each of its points.

    Arrays of points have the shape (points,).
    """

    orientation: tuple[int, int]
    """Signs for hits and false alarms: 1 if more of them help, -1 if they hinder."""

    tpr: Array
    fpr: Array

    weights: Array
    """Weights of the scores of both rates and of the prevalence, shape (3, points)."""

    of_prevalence: Array
    """Scores of the prevalence; 0 if it is known."""

    sizes: Sizes

    def p_values(self, tp: Array, fp: Array) -> Array:
        """Compute the p-values of counts, shape (cut-offs,), that their rates do not meet it."""
        if not self.tpr.size:
            return np.zeros(len(tp))
        counts, of_row = np.unique([tp, fp], axis=1, return_inverse=True)
        hits, alarms = counts[:, :, np.newaxis]
        most = self._at_points(hits, alarms, slice(None), _most)
        largest = self._at_points(hits, alarms, most.argmax(axis=1)[:, np.newaxis], _tail)[:, 0]
        rows, points = np.nonzero(most > largest[:, np.newaxis])  # others are not the largest
        p_values = self._at_points(hits[rows, 0], alarms[rows, 0], points, _tail)
        np.maximum.at(largest, rows, p_values)
        return np.minimum(largest, 1.0)[of_row.ravel()]

    def passed(self, tp: Array, fp: Array, level: float) -> NDArray[np.bool_]:
        """Return whether the p-values are at most the level; most that are not fail at few points.

        This is faster than to compute them.
        """
        if not (self.tpr.size and tp.size):
            return np.ones(tp.size, dtype=bool)
        counts, of_row = np.unique([tp, fp], axis=1, return_inverse=True)
        hits, alarms = counts[:, :, np.newaxis]
        few = self._at_points(hits, alarms, slice(None, None, EVERY), _tail)
        passed = few.max(axis=1) <= level
        if passed.any():
            passed[passed] = self.p_values(*counts[:, passed]) <= level
        return np.asarray(passed[of_row.ravel()])

    def _at_points(self, hits: Array, alarms: Array, points: Any, tail: Tail) -> Array:
        """Compute the p-values of some points, or bounds of them from bounds of the tails."""

        def score(row: int) -> Array:
            if row == 2:
                return self.of_prevalence[points]
            counts, rates = ((hits, self.tpr), (alarms, self.fpr))[row]
            return -ndtri(tail(counts, self.sizes[row], rates[points], self.orientation[row]))

        used = np.flatnonzero(self.weights.any(axis=1))
        scores = [score(row) for row in used.tolist()]
        if len(used) == 1:
            return np.asarray(ndtr(-scores[0]))
        clipped = [np.clip(normal, LEAST, FARTHEST) for normal in scores]
        total = sum(map(np.multiply, self.weights[used][:, points], clipped))
        share = ALONE if len(used) == 2 else ALONE_OF_UNSURE
        together = ndtr(-total) / (1 - share - SPARED)
        alone = ndtr(-reduce(np.maximum, scores)) * len(used) / share
        return np.minimum(together, alone)


Tail = Callable[[Array, int, Array, int], Array]
"""Function of counts, the size of a class, its rates, and 1 if more instances help, else -1."""


def _tail(counts: Array, size: int, rates: Array, helps: int) -> Array:
    """Return the probability of as many or more, or of as many or fewer."""
    if helps > 0:
        return np.where(counts > 0, betainc(np.maximum(counts, 1), size - counts + 1, rates), 1.0)
    misses = size - counts
    return np.where(misses > 0, betaincc(counts + 1, np.maximum(misses, 1), rates), 1.0)


def _most(counts: Array, size: int, rates: Array, helps: int) -> Array:
    """Return an upper bound of the tail, which is much faster to compute.

    The first term of the tail is divided by 1 minus the ratio of the first two, or more.
    """
    log_ways = -np.log(size + 1) - betaln(counts + 1, size - counts + 1)
    log_rates, log_others = np.log(rates), np.log1p(-np.minimum(rates, BELOW_1))
    first = np.exp(log_ways + counts * log_rates + (size - counts) * log_others)
    beyond = helps * (counts - size * rates)
    limit = counts * (1 - rates) if helps > 0 else (size - counts) * rates
    return np.where(beyond > first * limit, first * limit / np.maximum(beyond, 1e-300), 1.0)


Met = Callable[[Array, Array, Array], NDArray[np.bool_]]
"""Function that tells whether true and false positive rates meet a requirement at prevalences."""


def frontier(requirement: Requirement, at: Prevalence, sizes: Sizes, total: float) -> Frontier:
    """Find the frontier of a requirement.

    Parameters
    ----------
    requirement
        The requirement.
    at
        Prevalence of two classes where the classifier will run.
    sizes
        Numbers of labeled instances.
    total
        Number of instances there, on which few metrics depend.

    Raises
    ------
    ValueError
        If more hits, or more false alarms, neither always help nor always hinder.
    """

    def met(tpr: Array, fpr: Array, share: Array) -> NDArray[np.bool_]:
        positives, negatives = total * share, total * (1 - share)
        rates = {"positives": positives, "negatives": negatives}
        return requirement.met(ConfusionMatrix.from_rates(tpr, fpr, **rates))

    shares, scores, spread = _prevalences(at, sizes)
    orientation = _orientation(met, shares)
    if orientation is None:
        raise ValueError(
            f"require = {str(requirement)!r}: expected a metric for which more hits always"
            " help to meet the bound or always hinder it, and likewise more false alarms"
        )
    return _Lines(met, orientation, shares, scores, spread, sizes).frontier


def _prevalences(at: Prevalence, sizes: Sizes) -> tuple[Array, Array | None, float]:
    """Return the prevalences at which a requirement has to be met.

    If they are a coordinate, also return the normal scores of the hypotheses that the true
    prevalence is larger, and the standard error of its log odds.
    """
    counts, parameters = at.counts_behind(*sizes), at.posterior(*sizes)
    if counts is None or parameters is None:
        return np.array(at.points(sizes.prevalence)), None, 0.0
    a, b = parameters
    ends = betaincinv(a, b, ndtr([-WIDEST, WIDEST]))
    low, high = logit(np.clip(ends, RAREST, 1 - RAREST))
    shares = expit(np.linspace(low, high, PREVALENCES))
    if at.is_belief:
        scores = np.array([-ndtri(betainc(a, b, shares)), ndtri(betainc(a, b, shares))])
    else:
        count, size = np.array(counts[:1]), int(sum(counts))
        scores = np.array([-ndtri(_tail(count, size, shares, helps)) for helps in (1, -1)])
    middle = a / (a + b)
    return shares, scores, float(1 / np.sqrt((a + b) * middle * (1 - middle)))


def _orientation(met: Met, shares: Array) -> tuple[int, int] | None:
    """Return the direction in which rates meet a requirement, or None if there is no single one."""
    rates = expit(CHECKED)
    some = shares[[0, len(shares) // 2, -1], np.newaxis, np.newaxis]
    fits = met(rates[:, np.newaxis], rates, some)
    for by_hits, by_alarms in ORIENTATIONS:
        oriented = fits[:, ::by_hits, ::by_alarms]
        falls = [np.any(oriented[:, 1:] < oriented[:, :-1])]
        falls.append(np.any(oriented[:, :, 1:] < oriented[:, :, :-1]))
        if not any(falls):
            return by_hits, by_alarms
    return None


@dataclass(frozen=True)
class _Lines:
    """Lines across the plane of the log odds x and y of both rates, each turned so that more of it
    helps: x + y rises along a line, and x - y is constant."""

    met: Met
    orientation: tuple[int, int]
    shares: Array
    scores: Array | None
    spread: float
    sizes: Sizes

    @property
    def frontier(self) -> Frontier:
        """Points at which the lines cross the frontier."""
        number = LINES if self.scores is None else LINES_OF_UNSURE
        lines = np.linspace(-REACH, REACH, number)
        sums = self._crossings(lines)
        if self.scores is None:  # over a range, the requirement holds everywhere
            sums = sums.max(axis=0, keepdims=True)
        steepness = np.clip(np.gradient(sums, lines, axis=1), -1, 1)
        rates = self._rates(lines, sums)
        weights = np.zeros((3, *sums.shape))
        slopes = (1 - steepness, 1 + steepness)
        for row, rate, size, slope in zip(range(2), rates, self.sizes, slopes, strict=True):
            weights[row] = np.where(slope > FLAT, slope, 0) / np.sqrt(size * rate * (1 - rate) + 1)
        scores = np.zeros_like(sums)
        if self.scores is not None:
            gain = -np.gradient(sums, logit(self.shares), axis=0)
            weights[2] = np.where(np.abs(gain) > FLAT, np.abs(gain), 0) * self.spread
            rising, falling = self.scores[:, :, np.newaxis]
            scores = np.where(gain >= 0, rising, falling)
        weights /= np.sqrt((weights**2).sum(axis=0))
        crossed = sums > -2 * FARTHEST
        tpr, fpr, of_prevalence = (part[crossed] for part in (*rates, scores))
        return Frontier(self.orientation, tpr, fpr, weights[:, crossed], of_prevalence, self.sizes)

    def _crossings(self, lines: Array) -> Array:
        """Return the last x + y at which the requirement is not met, (prevalences, lines).

        It is that of the perfect end if the requirement is met nowhere, and of the other end if it
        is met everywhere.
        """
        shares = self.shares[:, np.newaxis]
        low = np.full((len(shares), len(lines)), -2 * FARTHEST)
        high = -low

        def met(sums: Array) -> NDArray[np.bool_]:
            return self.met(*self._rates(lines, sums), shares)

        everywhere, nowhere = met(low), ~met(high)
        ends = np.where(nowhere, high, low)
        for _ in range(HALVINGS):
            middle = (low + high) / 2
            there = met(middle)
            low, high = np.where(there, low, middle), np.where(there, middle, high)
        return np.where(everywhere | nowhere, ends, low)

    def _rates(self, lines: Array, sums: Array) -> tuple[Array, Array]:
        by_hits, by_alarms = self.orientation
        return expit(by_hits * (sums + lines) / 2), expit(by_alarms * (sums - lines) / 2)
