"""A metric, or its difference between two systems, from labels of some rows in each stratum.

All rows of a stratum are predicted alike, and some of them, drawn at random, are labeled. Either
the rows are a sample of a population, or they are a finite population of which only the unlabeled
ones are unknown.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, reduce

import numpy as np
from numpy.typing import NDArray

from skewproof.core.algebra import Array
from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.metric import Metric
from skewproof.intervals.class_rows import ConditionalBinomials, Estimates
from skewproof.intervals.deviations import nearby
from skewproof.intervals.extremes import Function, Proportions, Rows, extremes, radius_of

HALF = 0.5
"""Half an instance, by which an end is moved because counts are whole numbers."""

OF_ONE_CLASS = 0.68
"""Share of the labels that count if all labels of a stratum are of one class. The 95 % interval of
the other class then ends about where that of Beta(1, n) does, not at Jeffreys' end, beyond which
the share lies too often: none of n labels is positive in 8 % of samples at 2.5/n."""

POSITIVE = {
    2: np.array([[1.0, 0.0], [1.0, 0.0]]),
    4: np.array([[1.0, 1.0, 0.0, 0.0], [1.0, 0.0, 1.0, 0.0]]),
}
"""Truths in which an instance of each system is positive, by their number: two if systems share one
truth, four if each of two systems has its own."""


@dataclass(frozen=True)
class LabeledStrata:
    """Strata of many samples with the results of their labels."""

    called: NDArray[np.bool_]
    """True for a stratum whose instances are called positive, shape (systems, strata)."""

    sizes: Array
    """Numbers of instances, above 0, shape (samples, strata)."""

    labels: Array
    """Numbers of labeled instances by truth, shape (samples, strata, truths)."""

    of_instances: bool
    """True if the metric is that of exactly these instances, False for their population."""

    @cached_property
    def labeled(self) -> Array:
        """Numbers of labeled instances, shape (samples, strata)."""
        return np.asarray(self.labels.sum(axis=-1))

    @cached_property
    def within(self) -> ConditionalBinomials:
        """Shares of the truths in each stratum.

        A share among the unlabeled instances deviates from that among labeled ones as that of a
        sample of n (1 - n/N) instances does from a population's, if n of N are labeled: the smaller
        number is the correction for a finite population.
        """
        left = 1 - self.labeled / self.sizes if self.of_instances else np.ones_like(self.sizes)
        if self.labels.shape[-1] == 2:
            left = np.where((self.labels == 0).any(axis=-1), OF_ONE_CLASS * left, left)
        return _binomials(self.labels * left[..., np.newaxis])

    @cached_property
    def weights(self) -> ConditionalBinomials:
        """Shares of the strata in the population."""
        return _binomials(self.sizes[:, np.newaxis])

    @cached_property
    def proportions(self) -> Proportions:
        """All proportions that are uncertain."""
        within = self.within.proportions
        certain = self.of_instances or self.sizes.shape[1] == 1
        return within if certain else within.beside(self.weights.proportions)

    @cached_property
    def observed(self) -> Array:
        """Numbers of instances by truth at the labeled shares, shape (samples, strata, truths).

        Without labels all truths have the same share.
        """
        number, labeled = self.labels.shape[-1], self.labeled[..., np.newaxis]
        equal = np.full(self.labels.shape, 1 / number)
        shares = np.divide(self.labels, labeled, out=equal, where=labeled > 0)
        return np.asarray(self.sizes[..., np.newaxis] * shares)

    def numbers(self, proportions: Array, rows: Rows) -> Array:
        """Return numbers of instances by truth, shape (..., samples, strata, truths)."""
        number = len(self.within.proportions.hits)
        shares = self.within.shares(proportions[:number], rows)
        sizes = self.sizes[rows]
        if self.of_instances:
            unlabeled = (sizes - self.labeled[rows])[..., np.newaxis]
            return np.asarray(self.labels[rows] + unlabeled * shares)
        if sizes.shape[1] > 1:
            weights = self.weights.shares(proportions[number:], rows)[..., 0, :]
            sizes = sizes.sum(axis=1, keepdims=True) * weights
        return np.asarray(sizes[..., np.newaxis] * shares)

    def matrices(self, numbers: Array, at: float | None) -> list[ConfusionMatrix]:
        """Return the matrix of each system, given numbers of instances by truth.

        They may be projected to a share of positives `at`.
        """
        matrices = []
        for called, true in zip(self.called, POSITIVE[numbers.shape[-1]], strict=False):
            hits, others = numbers @ true, numbers @ (1 - true)
            tp, fn, fp, tn = hits @ called, hits @ ~called, others @ called, others @ ~called
            if at is not None:
                with np.errstate(invalid="ignore", divide="ignore"):  # no positives or negatives
                    of_positives = at * (tp + fn + fp + tn) / (tp + fn)
                    of_negatives = (1 - at) * (tp + fn + fp + tn) / (fp + tn)
                    tp, fn = of_positives * tp, of_positives * fn
                    fp, tn = of_negatives * fp, of_negatives * tn
            matrices.append(ConfusionMatrix(tp=tp, fp=fp, fn=fn, tn=tn))
        return matrices

    def factors(self, radius: float) -> tuple[Array, Array]:
        """Return factors of falling and of rising proportions, shape (proportions, samples).

        The unlabeled positives of a stratum are a whole number, so that the ends of the interval of
        its share are half an instance further out.
        """
        known = self.proportions
        if not self.of_instances or self.labels.shape[-1] > 2:
            return np.ones_like(known.hits), np.ones_like(known.hits)
        half = HALF / np.maximum(self.sizes - self.labeled, 1).T
        ends = (nearby(known.hits, known.misses, np.array(way)) for way in (-radius, radius))
        ways = [abs(end.proportions - known.observed) for end in ends]
        falling, rising = (
            1 + np.divide(half, way, out=np.zeros_like(way), where=way > 0) for way in ways
        )
        return falling, rising


def _binomials(counts: Array) -> ConditionalBinomials:
    """Return shares of counts (samples, rows, cells), with a prior that weighs one instance.

    Two cells have Jeffreys' prior. More have the Dirichlet distribution of equal parameters that
    sum to 1 (Perks 1947), so that many cells weigh no more than two.
    """
    cells = counts.shape[-1]
    order = np.argsort(-counts, axis=-1, kind="stable")
    if cells == 2:
        return ConditionalBinomials(counts, order)
    return ConditionalBinomials(counts + 1 / cells, order, believed=True)


def labeled_value(
    metric: Metric, blocks: Sequence[LabeledStrata], numbers: Sequence[Array], at: float | None
) -> Array:
    """Return the metric of the only system, or that of the second less that of the first.

    Parameters
    ----------
    metric
        The metric.
    blocks
        Strata of all systems, or of one system each.
    numbers
        Numbers of instances by truth in each of them.
    at
        Share of positives at which the metric is computed; None for that of the instances.
    """
    values = [
        np.asarray(metric(matrix))
        for block, some in zip(blocks, numbers, strict=True)
        for matrix in block.matrices(some, at)
    ]
    with np.errstate(invalid="ignore"):  # inf less inf is NaN
        return values[0] if len(values) == 1 else values[1] - values[0]


def labeled_function(
    metric: Metric, blocks: Sequence[LabeledStrata], radius: float, at: float | None = None
) -> tuple[Function, Proportions]:
    """Return the metric as a function of the uncertain proportions, and these proportions.

    Arguments are those of :func:`labeled_value`, and the radius of the ball of deviations.
    """
    known = [block.proportions for block in blocks]
    starts = np.cumsum([len(some.hits) for some in known])[:-1]
    factors = [block.factors(radius) for block in blocks]

    def function(proportions: Array, rows: Rows) -> Array:
        numbers = []
        for position, part in enumerate(np.split(proportions, starts)):
            observed, down, up = (
                some[:, rows].reshape(len(some), *(1,) * (part.ndim - 2), -1)
                for some in (known[position].observed, *factors[position])
            )
            way = part - observed
            moved = np.clip(observed + np.where(way < 0, down, up) * way, 0, 1)
            numbers.append(blocks[position].numbers(moved, rows))
        return labeled_value(metric, blocks, numbers, at)

    return function, reduce(lambda above, below: above.beside(below), known)


def stratified_estimates(
    metric: Metric,
    blocks: Sequence[LabeledStrata],
    confidence: float,
    at: float | None = None,
) -> Estimates:
    """Compute a metric of many samples, or a difference, with the ends of its intervals.

    The ends are the extremes over the ball of deviations of the shares of the truths in each
    stratum and, for a population, of the strata: see :mod:`skewproof.intervals.extremes`. Arguments
    are those of :func:`labeled_value`.
    """
    values = labeled_value(metric, blocks, [block.observed for block in blocks], at)
    radius = radius_of(confidence)
    low, high, undefined = extremes(*labeled_function(metric, blocks, radius, at), radius)
    return Estimates(values, np.fmin(low, values), np.fmax(high, values), undefined)
