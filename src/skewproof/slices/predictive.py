"""Predicted values of a reference's classifier in periods with given class sizes.

The reference is a sample: each row of its matrix is a sequence of binomials, whose shares have the
posterior of Jeffreys' prior. Matrices of periods are drawn with rates from this posterior, for any
number of classes.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri

from skewproof.core.algebra import Array
from skewproof.intervals.class_rows import ConditionalBinomials, hits_first
from skewproof.multiclass.declaration import Formula
from skewproof.multiclass.matrix import MulticlassConfusionMatrix

MOST_CELLS = 2**19
"""Most cells of the matrices that are drawn at once, which fit in a processor's cache."""

DRAWS = 20_000
"""Number of draws of each period."""


@dataclass(frozen=True)
class Periods:
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
        with np.errstate(invalid="ignore", divide="ignore"):
            worth = self.sizes / self.effective
        # If weights are so uneven that they are worth less than half an instance, nothing is known.
        worth[self.effective == 0] = np.nan
        worth = np.where(self.sizes > 0, worth, 0)
        return MulticlassConfusionMatrix(of_periods * worth[..., np.newaxis])

    def values(
        self, formulas: Sequence[Formula], reference: Array, number: int, seed: int
    ) -> Array:
        """Draw values of formulas on samples of the classifier with the counts of a reference.

        The reference has effective numbers of instances, (classes, classes), and the values have
        the shape (formulas, periods, number).
        """
        at_once = max(1, MOST_CELLS // (self.sizes.size * self.sizes.shape[-1]))
        starts = range(0, number, at_once)
        seeds = np.random.SeedSequence(seed).spawn(len(starts))
        stacked = reference[np.newaxis]
        posterior = ConditionalBinomials(stacked, hits_first(stacked))

        def drawn(start: int, seed_of_start: np.random.SeedSequence) -> Array:
            random = np.random.default_rng(seed_of_start)
            rates = posterior.draw(min(at_once, number - start), random)[:, 0]
            matrix = self.observed(rates, random)
            return np.array([formula(matrix).T for formula in formulas])

        with ThreadPoolExecutor(os.cpu_count()) as threads:
            return np.concatenate(list(threads.map(drawn, starts, seeds)), axis=-1)


def limits(drawn: Array, values: Array, limit: float) -> dict[str, Array]:
    """Compute the median and limits of drawn values, and whether values are outside them.

    A value has the probability of less than it plus half of that of values equal to it. Probability
    0 stands for that of half a draw.

    Parameters
    ----------
    drawn
        Drawn values, shape (periods, draws); NaN is left out.
    values
        Values, shape (periods,).
    limit
        Normal score of the upper limit.
    """
    known = np.count_nonzero(~np.isnan(drawn), axis=-1)
    below, up_to = (
        compare(drawn, values[:, np.newaxis]).sum(axis=-1) for compare in (np.less, np.less_equal)
    )
    columns = np.full((3, len(values)), np.nan)
    some = known > 0
    if some.any():
        shares = ndtr([0.0, -limit, limit])
        columns[:, some] = np.nanquantile(drawn[some], shares, axis=-1, method="inverted_cdf")
    with np.errstate(invalid="ignore", divide="ignore"):
        scores = ndtri(np.clip((below + up_to) / 2, 0.5, known - 0.5) / known)
    outside = (abs(scores) > limit) & some & ~np.isnan(values)
    return dict(zip(("expected", "low", "high"), columns, strict=True)) | {"outside": outside}
