"""Where a reference's classifier of many classes would lie in a period with given class sizes.

The reference is a sample: each row of its matrix is a sequence of binomials, whose shares have the
posterior of Jeffreys' prior.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from skewproof.core.algebra import Array
from skewproof.multiclass.matrix import MulticlassConfusionMatrix
from skewproof.practice.intervals.class_rows import ConditionalBinomials, hits_first
from skewproof.practice.intervals.deviations import PRIOR


@dataclass(frozen=True)
class ClassReference:
    """The reference.

    Attributes
    ----------
    counts
        Numbers of instances, of the shape (classes, classes), that its rates are as sure by.
    """

    counts: Array

    def draw(self, number: int, random: np.random.Generator) -> Array:
        """Rates from the posterior, of the shape (number, classes, classes)."""
        counts = self.counts[np.newaxis]
        rows = ConditionalBinomials(counts, hits_first(counts))
        of = rows.proportions
        parts = random.beta(of.hits + PRIOR, of.misses + PRIOR, (len(of.hits), number))
        return rows.shares(parts[..., np.newaxis], np.array([0]))[:, 0]


@dataclass(frozen=True)
class ClassPeriod:
    """The class sizes of a period; those in whose samples the rates are as sure are whole."""

    sizes: Array
    effective: NDArray[np.int64]

    def observed(self, rates: Array, random: np.random.Generator) -> MulticlassConfusionMatrix:
        """Matrices of samples with given rates, of the shape (..., classes, classes)."""
        drawn = random.multinomial(self.effective, rates)
        with np.errstate(invalid="ignore"):  # a class without instances has no rates
            return self.matrix(drawn / self.effective[:, np.newaxis])

    def matrix(self, rates: Array) -> MulticlassConfusionMatrix:
        """The matrix of the period, with given rates; 0 in the row of a class without instances."""
        return MulticlassConfusionMatrix.from_rates(
            np.where(self.sizes[:, np.newaxis] > 0, rates, 0), self.sizes
        )
