"""Predicted values of a reference's classifier in a period of a given prevalence and size.

The reference is a sample: its rates have the posterior of Jeffreys' prior, and the counts of a
period with given class sizes are beta-binomial.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.special import betaln, ndtr, ndtri

from skewproof.core.algebra import Array
from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.metric import Metric
from skewproof.intervals.deviations import PRIOR

MOST_COUNTS = 200
"""Most distinct counts of a class. If more are likely, there are as many groups of neighbors, which
preserve their mean and variance to two percent."""

COUNTS_LOOKED_AT = 10_000
"""Most counts among which the likely ones are sought."""

FARTHEST = 40
"""Standard deviations from the mean beyond which no count lies, even with a skewed posterior."""

UNLIKELY = 1e-13
"""Probability, relative to that of the likeliest count, below which counts are left out."""

LARGEST_SCORE = 8.0
"""Largest absolute score: the normal probability beyond is 1e-15."""


@dataclass(frozen=True)
class Rate:
    """A rate of the reference: its hits and misses, the posterior's parameters less the prior."""

    hits: float
    misses: float

    def draw(self, number: int, random: np.random.Generator) -> Array:
        """Draw from the posterior."""
        return random.beta(self.hits + PRIOR, self.misses + PRIOR, number)

    def predicted(self, size: int) -> tuple[Array, Array]:
        """Return the likely rates in a sample of a size, with their probabilities."""
        if size == 0:
            return np.array([np.nan]), np.array([1.0])
        a, b = self.hits + PRIOR, self.misses + PRIOR
        share = a / (a + b)
        spread = np.sqrt(share * (1 - share) * (size + (size**2 - size) / (a + b + 1)))
        reach = [size * share + side * FARTHEST * spread for side in (-1, 1)]
        ends = max(reach[0], 0), min(reach[1], size)
        near = _whole_numbers(*ends, size, most=COUNTS_LOOKED_AT)
        logarithms = self._log_probabilities(near, size)
        likely = near[logarithms > logarithms.max() + np.log(UNLIKELY)]
        counts = _whole_numbers(likely[0], likely[-1], size, most=MOST_COUNTS)
        logarithms = self._log_probabilities(counts, size)
        # Each count stands for those around it, up to half of the distance to the next.
        width = np.gradient([counts[0] - 1, *counts, counts[-1] + 1])[1:-1]
        mass = width * np.exp(logarithms - logarithms.max())
        return counts / size, mass / mass.sum()

    def _log_probabilities(self, counts: Array, size: int) -> Array:
        """Compute log-probabilities of the beta-binomial distribution, up to a constant."""
        a, b = self.hits + PRIOR, self.misses + PRIOR
        return betaln(counts + a, size - counts + b) - betaln(counts + 1, size - counts + 1)


def _whole_numbers(first: float, last: float, size: int, most: int) -> Array:
    """Return whole numbers from one to another: all of them, or as many as are allowed.

    They are evenly spaced in the angle whose squared sine is the share, as far as rounding allows,
    since the posterior, which has poles at 0 and 1, is smooth in this angle.
    """
    first, last = math.floor(first), math.ceil(last)
    if last - first < most:
        return np.arange(first, last + 1.0)
    first_angle, last_angle = (math.asin(math.sqrt(count / size)) for count in (first, last))
    angles = np.linspace(first_angle, last_angle, most)
    return np.unique((size * np.sin(angles) ** 2).round().clip(first, last))


@dataclass(frozen=True)
class Period:
    """Class sizes of a period, and their effective sizes, which are whole numbers."""

    positives: float
    negatives: float
    positives_effective: int
    negatives_effective: int

    def matrix(self, tpr: Array, fpr: Array) -> ConfusionMatrix:
        """Return the confusion matrix of the period, with given rates."""
        return ConfusionMatrix.from_rates(
            tpr, fpr, positives=self.positives, negatives=self.negatives
        )


@dataclass(frozen=True)
class Distribution(ABC):
    """Distribution of a value; NaN is left out."""

    @property
    def least(self) -> float:
        """The smallest tail probability that is distinguished from 0."""
        return 0.0

    @abstractmethod
    def weighed(self) -> tuple[Array, Array]:
        """Return values with their weights."""

    @cached_property
    def _values_and_probabilities(self) -> tuple[Array, Array]:
        """Values in rising order, and the probability of at most each."""
        values, mass = self.weighed()
        known = ~np.isnan(values)
        order = np.argsort(values[known], kind="stable")
        cumulative = np.cumsum(mass[known][order])
        return values[known][order], cumulative / (cumulative[-1] if len(cumulative) else 1)

    def scores(self, values: Array) -> Array:
        """Compute normal quantiles of the probabilities of less plus half of equal; NaN is kept."""
        known, probabilities = self._values_and_probabilities
        if not len(known):
            return np.full(np.shape(values), np.nan)
        below, up_to = (
            np.concatenate([[0.0], probabilities])[np.searchsorted(known, values, side=side)]
            for side in ("left", "right")
        )
        middle = np.clip((below + up_to) / 2, self.least, 1 - self.least)
        scores = np.clip(ndtri(middle), -LARGEST_SCORE, LARGEST_SCORE)
        return np.where(np.isnan(values), np.nan, scores)

    def value_at(self, score: float) -> float:
        """Return the smallest value with at least the probability of a score, or NaN."""
        known, probabilities = self._values_and_probabilities
        if not len(known):
            return float("nan")
        position = np.searchsorted(probabilities, ndtr(score))
        return float(known[min(position, len(known) - 1)])


@dataclass(frozen=True)
class Predictive(Distribution):
    """Distribution of a metric in a period, if the classifier is the reference's."""

    metric: Metric
    period: Period
    tpr: Rate
    fpr: Rate

    def weighed(self) -> tuple[Array, Array]:
        """Compute the metric at all pairs of likely rates, with their probabilities."""
        tpr, of_tpr = self.tpr.predicted(self.period.positives_effective)
        fpr, of_fpr = self.fpr.predicted(self.period.negatives_effective)
        values = self.metric(self.period.matrix(tpr[:, None], fpr)).ravel()
        return values, np.outer(of_tpr, of_fpr).ravel()


@dataclass(frozen=True)
class PredictiveRate(Distribution):
    """Distribution of a rate in a sample of a size."""

    rate: Rate
    size: int

    def weighed(self) -> tuple[Array, Array]:
        """Return likely rates with their probabilities."""
        return self.rate.predicted(self.size)


@dataclass(frozen=True)
class Drawn(Distribution):
    """Distribution of drawn values."""

    values: Array

    @property
    def least(self) -> float:
        """The probability of half a draw."""
        return 0.5 / len(self.values)

    def weighed(self) -> tuple[Array, Array]:
        """Return the values with equal weights."""
        return self.values, np.ones_like(self.values)
