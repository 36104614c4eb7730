"""A metric of exactly these instances, of which some in each stratum are labeled.

The instances are a finite population: the number that are called positive is known, and the number
of these that are positive is not. In each stratum labels were drawn at random, without replacement.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from skewproof.core.algebra import Array
from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.metric import Metric
from skewproof.intervals.class_rows import Estimates
from skewproof.intervals.deviations import PRIOR, nearby
from skewproof.intervals.extremes import Proportions, Rows, extremes, radius_of

NOTHING = 1e-9
"""Stand-in for a count of 0 without labels, since an observed 0 has no deviations below."""

HALF = 0.5
"""Half an instance, by which an end is moved because counts are whole numbers."""


@dataclass(frozen=True)
class LabeledStrata:
    """Strata of instances with the results of their labels.

    `labeled` and `positives` have the shape (strata, samples), the others (strata,).
    """

    called: NDArray[np.bool_]
    """True for a stratum whose instances are called positive."""

    sizes: Array
    """Numbers of instances, above 0."""

    labeled: Array
    """Number of labeled instances."""

    positives: Array
    """Number of labeled instances that are positive."""

    def matrix(self, shares: Array, rows: Rows) -> ConfusionMatrix:
        """Return the matrix of all instances, given shares of positives among the unlabeled."""
        sizes = self.sizes.reshape(-1, *(1,) * (shares.ndim - 1))
        labeled, positives = (
            beside(shares, counts[:, rows]) for counts in (self.labeled, self.positives)
        )
        positives = positives + (sizes - labeled) * shares
        negatives = np.maximum(sizes - positives, 0)
        kept = ~self.called
        tp, fn = positives[self.called].sum(axis=0), positives[kept].sum(axis=0)
        fp, tn = negatives[self.called].sum(axis=0), negatives[kept].sum(axis=0)
        return ConfusionMatrix(tp=tp, fp=fp, fn=fn, tn=tn)

    @property
    def unlabeled_shares(self) -> Proportions:
        """Share of positives among unlabeled instances, with its uncertainty.

        It deviates from the labeled share as that of a sample of n (1 - n/N) instances does from a
        population's, if n of N are labeled: the smaller number is the correction for a finite
        population. If none is labeled, it has its prior, and 1/2 stands for it.
        """
        left = 1 - self.labeled / self.sizes[:, np.newaxis]
        none = self.labeled == 0
        hits = np.where(none, NOTHING, self.positives * left)
        misses = np.where(none, NOTHING, (self.labeled - self.positives) * left)
        observed = np.divide(
            self.positives, self.labeled, out=np.full(none.shape, PRIOR), where=~none
        )
        return Proportions(hits, misses, observed)


def stratified_estimates(metric: Metric, strata: LabeledStrata, confidence: float) -> Estimates:
    """Compute a metric of the instances of many samples, with the ends of its intervals.

    The ends are the extremes over the ball of deviations of the shares of positives, with a
    dimension for each stratum: see :mod:`skewproof.intervals.extremes`. Since a stratum's
    positives are a whole number, its share deviates further, by so much that the ends of its own
    interval are half an instance further out.
    """
    unlabeled_shares, radius = strata.unlabeled_shares, radius_of(confidence)
    unlabeled = np.maximum(strata.sizes[:, np.newaxis] - strata.labeled, 1)
    ends = [
        nearby(unlabeled_shares.hits, unlabeled_shares.misses, np.array(sign * radius)).proportions
        for sign in (-1, 1)
    ]
    falling, rising = (
        1 + np.divide(HALF / unlabeled, way, out=np.zeros_like(way), where=way > 0)
        for way in (abs(end - unlabeled_shares.observed) for end in ends)
    )

    def function(shares: Array, rows: Rows) -> Array:
        observed, down, up = (
            beside(shares, some[:, rows]) for some in (unlabeled_shares.observed, falling, rising)
        )
        way = shares - observed
        further = np.clip(observed + np.where(way < 0, down, up) * way, 0, 1)
        return np.asarray(metric(strata.matrix(further, rows)))

    values = function(unlabeled_shares.observed, unlabeled_shares.slices)
    return Estimates(values, *extremes(function, unlabeled_shares, radius))


def beside(shares: Array, numbers: Array) -> Array:
    """Reshape numbers (strata, rows) for a product with shares (strata, ..., rows)."""
    return numbers.reshape(len(numbers), *(1,) * (shares.ndim - 2), -1)
