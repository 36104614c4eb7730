"""Predicted values of a reference's classifier of many classes in periods with given class sizes.

The reference is a sample: each row of its matrix is a sequence of binomials, whose shares have the
posterior of Jeffreys' prior.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from skewproof.core.algebra import Array
from skewproof.intervals.class_rows import ConditionalBinomials, hits_first
from skewproof.intervals.deviations import PRIOR
from skewproof.multiclass.declaration import Formula
from skewproof.multiclass.matrix import MulticlassConfusionMatrix

MOST_CELLS = 2**19
"""Most cells of the matrices that are drawn at once, which fit in a processor's cache."""


@dataclass(frozen=True)
class ClassReference:
    """Rates of a reference, with their uncertainty.

    Attributes
    ----------
    counts
        Effective numbers of instances behind its rates, shape (classes, classes).
    """

    counts: Array

    @cached_property
    def _rows(self) -> ConditionalBinomials:
        counts = self.counts[np.newaxis]
        return ConditionalBinomials(counts, hits_first(counts))

    def draw(self, number: int, random: np.random.Generator) -> Array:
        """Draw rates from the posterior, shape (number, classes, classes)."""
        hits, misses = self._rows.proportions.hits, self._rows.proportions.misses
        shares = random.beta(hits + PRIOR, misses + PRIOR, (len(hits), number))
        return self._rows.shares(shares[..., np.newaxis], np.array([0]))[:, 0]


@dataclass(frozen=True)
class ClassPeriods:
    """Class sizes of periods, and their effective sizes, which are whole numbers.

    Both have the shape (periods, classes).
    """

    sizes: Array
    effective: NDArray[np.int64]

    def observed(self, rates: Array, random: np.random.Generator) -> MulticlassConfusionMatrix:
        """Draw matrices of samples with given rates, shape (..., periods, classes, classes).

        The sample of a period contains those of smaller ones, class by class: each has the same
        distribution as a sample of its own, and fewer instances are drawn.
        """
        order = np.argsort(self.effective, axis=0)
        rising = np.take_along_axis(self.effective, order, axis=0)
        added = np.diff(rising, axis=0, prepend=0)
        drawn = random.multinomial(added, rates[..., np.newaxis, :, :]).cumsum(axis=-3)
        of_periods = drawn[..., np.argsort(order, axis=0), np.arange(self.sizes.shape[-1]), :]
        return MulticlassConfusionMatrix(of_periods * self._worth[..., np.newaxis])

    @property
    def _worth(self) -> Array:
        """Number of instances for each effective instance, shape (periods, classes)."""
        with np.errstate(invalid="ignore", divide="ignore"):
            worth = self.sizes / self.effective
        # If weights are so uneven that they are worth less than half an instance, nothing is known.
        worth[self.effective == 0] = np.nan
        return np.where(self.sizes > 0, worth, 0)

    def values(
        self, measures: Sequence[Formula], reference: ClassReference, number: int, seed: int
    ) -> Array:
        """Draw measures of samples of the reference's classifier.

        The shape is (measures, periods, number).
        """
        at_once = max(1, MOST_CELLS // (self.sizes.size * self.sizes.shape[-1]))
        starts = range(0, number, at_once)
        seeds = np.random.SeedSequence(seed).spawn(len(starts))

        def drawn(start: int, seed_of_start: np.random.SeedSequence) -> Array:
            random = np.random.default_rng(seed_of_start)
            matrix = self.observed(reference.draw(min(at_once, number - start), random), random)
            return np.array([measure(matrix).T for measure in measures])

        with ThreadPoolExecutor(os.cpu_count()) as threads:
            return np.concatenate(list(threads.map(drawn, starts, seeds)), axis=-1)
