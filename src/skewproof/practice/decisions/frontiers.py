"""Exact tests that a requirement is met where the classifier will run.

A requirement divides the rates (tpr, fpr), with the prevalence where it is not sure, into those
that meet it and those that do not. The frontier is what lies between. Counts that were observed at
a cut-off reject the hypothesis that its rates do not meet the requirement if they reject every
point of the frontier, each by a test of its own:

- Each coordinate has an exact p-value: the binomial probability, at that point, of as many hits or
  more, or of as many false alarms or fewer, as the requirement asks. Their normal scores z are
  independent, and at the true rates none exceeds a number more often than a standard normal one.
- The point is rejected at the level a where the sum of w z is at least the normal quantile of
  1 - a, with weights of which the squares sum to 1 (Stouffer's method). The weights are the best
  ones in large samples. They depend on the point and on the class sizes, never on what was
  observed, and so the level holds in small samples too.
- It is rejected as well where one coordinate alone rejects it at a small share of the level.

Where the requirement depends on one rate alone, this is the bound of Clopper and Pearson.

The points are those at which lines across all rates cross the frontier. Along it p-values change so
little that more lines would find the same. Where the prevalence is a coordinate, they may be a
fifth too small.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import betainc, betaincc, betaincinv, expit, logit, ndtr, ndtri

from skewproof.core.algebra import Array
from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.prevalence import RAREST, Prevalence
from skewproof.practice.decisions.requirements import Requirement
from skewproof.practice.intervals.metric_interval import places_in

FARTHEST = 40.0
"""Log odds up to which a rate is looked at: beyond, floats have it as 1."""

LINES, REACH = 289, 24.0
"""Lines across the plane of the log odds of both rates; each crosses the frontier once at most. The
difference of the log odds is at most REACH."""

LINES_OF_UNSURE, PREVALENCES = 161, 37
"""Lines, and prevalences, where the prevalence is a coordinate."""

HALVINGS = 50
"""Halvings of a line."""

FLAT = 1e-6
"""Slope of the frontier below which a coordinate does not matter: more than rounding errors."""

WIDEST = 4.0
"""Normal deviation up to which an unsure prevalence is looked at."""

ALONE, ALONE_OF_UNSURE = 0.005, 0.1
"""Share of the level at which a coordinate alone rejects a point; the second is for an unsure
prevalence, since far from what was observed three scores do not add up well."""

SPARED = 0.005
"""Share of the level that is not used. It is more than what LEAST adds."""

LEAST = -3.0
"""Scores below count as this, so that a class with no hits does not outweigh all else. The sum is
then too large with a probability of at most ndtr(LEAST) of its level a coordinate."""

CHECKED = np.linspace(-12.0, 12.0, 49)
"""Log odds of rates among which a requirement is asked which way it is met."""

ORIENTATIONS = ((1, -1), (-1, -1), (1, 1), (-1, 1))
"""Whether more hits, and more false alarms, help to meet a requirement (1) or hinder it (-1)."""


class Sizes(NamedTuple):
    """Number of instances."""

    positives: int
    negatives: int

    @property
    def prevalence(self) -> float:
        """Share of the positives."""
        return self.positives / (self.positives + self.negatives)


@dataclass(frozen=True)
class Frontier:
    """Where a requirement is no longer met, and the test of each of its points.

    Arrays of points have the shape (points,).
    """

    orientation: tuple[int, int]
    """Whether hits, and false alarms, help or hinder."""

    tpr: Array
    fpr: Array

    weights: Array
    """Weights of the scores of both rates and of the prevalence, of shape (3, points)."""

    of_prevalence: Array
    """Scores of the prevalence; 0 where it is known."""

    sizes: Sizes

    def p_values(self, tp: Array, fp: Array) -> Array:
        """The p-value of counts, of the shape (cut-offs,), that their rates do not meet it."""
        if not self.tpr.size:
            return np.zeros(len(tp))
        positives, negatives = self.sizes
        by_hits, by_alarms = self.orientation
        scores = [
            -ndtri(_tail(tp, positives, self.tpr, by_hits)),
            -ndtri(_tail(fp, negatives, self.fpr, by_alarms)),
            np.broadcast_to(self.of_prevalence, (len(tp), self.tpr.size)),
        ]
        used = [bool(np.any(weight > 0)) for weight in self.weights]
        coordinates = sum(used)
        if coordinates == 1:
            return np.asarray(ndtr(-scores[used.index(True)]).max(axis=1))
        total = np.zeros_like(scores[0])
        largest = np.full_like(total, -np.inf)
        for score, weight, of_use in zip(scores, self.weights, used, strict=True):
            if of_use:
                total += weight * np.clip(score, LEAST, FARTHEST)
                largest = np.maximum(largest, score)
        share = ALONE if coordinates == 2 else ALONE_OF_UNSURE
        together = ndtr(-total) / (1 - share - SPARED)
        alone = ndtr(-largest) * coordinates / share
        return np.minimum(np.minimum(together, alone).max(axis=1), 1.0)


def _tail(counts: Array, size: int, rates: Array, helps: int) -> Array:
    """Probability of as many or more at each rate, (cut-offs, points), or of as many or fewer."""
    counts = counts[:, np.newaxis]
    if helps > 0:
        return np.where(counts > 0, betainc(np.maximum(counts, 1), size - counts + 1, rates), 1.0)
    misses = size - counts
    return np.where(misses > 0, betaincc(counts + 1, np.maximum(misses, 1), rates), 1.0)


Met = Callable[[Array, Array, Array], NDArray[np.bool_]]
"""Whether true and false positive rates meet a requirement at prevalences."""


def frontier(requirement: Requirement, at: Prevalence, sizes: Sizes, total: float) -> Frontier:
    """The frontier of a requirement.

    Parameters
    ----------
    requirement
        What is required.
    at
        Where the classifier will run, of two classes.
    sizes
        Numbers of labeled instances.
    total
        Number of instances there, which few metrics depend on.

    Raises
    ------
    ValueError
        If neither more nor fewer hits, or false alarms, always help to meet it.
    """

    def met(tpr: Array, fpr: Array, share: Array) -> NDArray[np.bool_]:
        positives, negatives = total * share, total * (1 - share)
        rates = {"positives": positives, "negatives": negatives}
        return requirement.met(ConfusionMatrix.from_rates(tpr, fpr, **rates))

    shares, scores, spread = _prevalences(at, sizes)
    orientation = _orientation(met, shares)
    if orientation is None:
        raise ValueError(
            f"require = {str(requirement)!r}: expected a metric of which more hits always"
            " help to meet the bound or always hinder it, and likewise more false alarms"
        )
    return _Lines(met, orientation, shares, scores, spread, sizes).frontier


def _prevalences(at: Prevalence, sizes: Sizes) -> tuple[Array, Array | None, float]:
    """Prevalences at which a requirement has to be met; where they are a coordinate, also the
    normal scores of the hypotheses that the true one is larger, and the standard error of its log
    odds."""
    if at.kind == "stated":
        return np.array([at.share_inside]), None, 0.0
    if at.kind == "test set":
        return np.array([sizes.prevalence]), None, 0.0
    if at.kind == "between":
        return places_in(at), None, 0.0
    first, second = at.numbers if at.elsewhere else (sizes.positives, sum(sizes))
    a, b = (first, second) if at.kind == "believed" else (first + 0.5, second - first + 0.5)
    ends = betaincinv(a, b, ndtr([-WIDEST, WIDEST]))
    low, high = logit(np.clip(ends, RAREST, 1 - RAREST))
    shares = expit(np.linspace(low, high, PREVALENCES))
    if at.kind == "believed":
        scores = np.array([-ndtri(betainc(a, b, shares)), ndtri(betainc(a, b, shares))])
    else:
        count, size = np.array([first]), int(second)
        scores = np.array([-ndtri(_tail(count, size, shares, helps)[0]) for helps in (1, -1)])
    middle = a / (a + b)
    return shares, scores, float(1 / np.sqrt((a + b) * middle * (1 - middle)))


def _orientation(met: Met, shares: Array) -> tuple[int, int] | None:
    """Which way rates meet a requirement, or None if that is not one way everywhere."""
    rates = expit(CHECKED)
    some = shares[[0, len(shares) // 2, -1], np.newaxis, np.newaxis]
    found = met(rates[:, np.newaxis], rates, some)
    for by_hits, by_alarms in ORIENTATIONS:
        oriented = found[:, ::by_hits, ::by_alarms]
        falls = [np.any(oriented[:, 1:] < oriented[:, :-1])]
        falls.append(np.any(oriented[:, :, 1:] < oriented[:, :, :-1]))
        if not any(falls):
            return by_hits, by_alarms
    return None


@dataclass(frozen=True)
class _Lines:
    """Lines across the plane of the log odds x and y of both rates, each turned so that more of it
    helps: x + y rises along a line, and x - y is the same."""

    met: Met
    orientation: tuple[int, int]
    shares: Array
    scores: Array | None
    spread: float
    sizes: Sizes

    @property
    def frontier(self) -> Frontier:
        """The points at which the lines cross the frontier."""
        number = LINES if self.scores is None else LINES_OF_UNSURE
        lines = np.linspace(-REACH, REACH, number)
        sums = self._crossings(lines)
        if self.scores is None:  # over a range, what is required everywhere
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
        """The last x + y at which the requirement is not met, (prevalences, lines): that of the
        perfect end where it is met nowhere, and of the other end where it is met everywhere."""
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
