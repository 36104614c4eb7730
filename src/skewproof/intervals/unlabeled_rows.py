"""Rows of a confusion matrix of labeled instances, with a row of unlabeled instances below.

Under label shift the rates of the reference stay the same, and only the prevalences change. The
shares of the predicted classes are then a mixture of the rows of these rates, and so are those of
the bins of their scores. The confidence region is the ball of deviations of the reference's rows,
as in :mod:`skewproof.intervals.class_rows`, and of a further row: the predicted classes of the
unlabeled instances. At each of its points the prevalences are those with the largest likelihood.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from typing import NamedTuple

import numpy as np

from skewproof.core.algebra import Array
from skewproof.intervals.class_rows import ClassRows, ConditionalBinomials, hits_first
from skewproof.intervals.extremes import Proportions, Rows
from skewproof.prevalence.mixtures import mixing_shares, mixing_slopes
from skewproof.prevalence.prediction_bins import PredictionBins
from skewproof.prevalence.prevalence import RAREST


@dataclass(frozen=True)
class UnlabeledRows(ClassRows):
    """Rows of a reference, with the row of the unlabeled instances below.

    Attributes
    ----------
    bins
        Distribution of the instances of each row over the bins of each predicted class; none
        without scores.
    """

    bins: tuple[ConditionalBinomials, ...] = ()

    @classmethod
    def of_reference(cls, bins: PredictionBins, total: float | None = None) -> UnlabeledRows:
        """Build the rows of one reference, for `total` unlabeled instances."""
        totals = np.array([float(bins.total if total is None else total)])
        return cls.from_counts([counts[np.newaxis] for counts in bins.columns], totals)

    @classmethod
    def from_counts(cls, counts: Sequence[Array], totals: Array) -> UnlabeledRows:
        """Build the rows of several references.

        Parameters
        ----------
        counts
            Instances by true class and bin, with the unlabeled ones after the last class, for each
            predicted class: (slices, classes + 1, bins).
        totals
            Number of unlabeled instances to which measures refer, (slices,).
        """
        predicted = np.stack([cells.sum(axis=-1) for cells in counts], axis=-1)
        commonest = np.argsort(-predicted[:, -1:], axis=-1, kind="stable")
        order = np.concatenate([hits_first(predicted[:, :-1]), commonest], axis=1)
        within = tuple(
            ConditionalBinomials(cells, np.broadcast_to(np.arange(cells.shape[-1]), cells.shape))
            for cells in counts
        )
        scored = any(cells.shape[-1] > 1 for cells in counts)
        shares = np.full((len(predicted), len(counts)), np.nan)
        rows = ConditionalBinomials(predicted, order)
        return cls(rows, shares, None, totals, within if scored else ())

    @cached_property
    def proportions(self) -> Proportions:
        """All binomials: those of the rows above those of the bins of each predicted class."""
        return reduce(
            lambda above, within: above.beside(within.proportions),
            self.bins,
            self.rows.proportions,
        )

    def parts(self, proportions: Array, slices: Rows) -> tuple[Array, Array]:
        """Return the shares within each row of the reference and the unlabeled class sizes.

        Their shapes are (..., slices, classes, classes) and (..., slices, classes).
        """
        mixed = self.mixed(proportions, slices)
        sizes = np.maximum(mixed.shares, RAREST) * self.totals[slices, np.newaxis]
        return mixed.rows[..., :-1, :], sizes

    def slopes(self, proportions: Array, slices: Rows, by_share: Array, by_size: Array) -> Array:
        """Convert derivatives by the results of `parts` to derivatives by the proportions."""
        mixed = self.mixed(proportions, slices)
        labeled, unlabeled = mixed.cells[..., :-1, :], mixed.cells[..., -1, :]
        by_prevalence = by_size * self.totals[slices, np.newaxis]
        by_part, by_whole = mixing_slopes(labeled, unlabeled, mixed.shares, by_prevalence)
        by_cell = np.concatenate([by_part, by_whole[..., np.newaxis, :]], axis=-2)
        ends = np.cumsum([within.shape[-1] for within in mixed.within])[:-1]
        by_class = np.split(by_cell, ends, axis=-1)
        by_row = np.stack(
            [
                (of_class * within).sum(axis=-1)
                for of_class, within in zip(by_class, mixed.within, strict=True)
            ],
            axis=-1,
        )
        by_row[..., :-1, :] += by_share
        in_rows, *in_bins = self._split(proportions)
        slopes = [self.rows.slopes(in_rows, slices, by_row)]
        for index, (binomials, part) in enumerate(zip(self.bins, in_bins, strict=True)):
            by_bin = by_class[index] * mixed.rows[..., index, np.newaxis]
            slopes.append(binomials.slopes(part, slices, by_bin))
        return np.concatenate(slopes)

    def _split(self, proportions: Array) -> list[Array]:
        """Split proportions into those of the rows and those of each predicted class's bins."""
        numbers = [len(some.proportions.hits) for some in (self.rows, *self.bins)]
        return np.split(proportions, np.cumsum(numbers)[:-1])

    def mixed(self, proportions: Array, slices: Rows) -> Mixed:
        """Mix the rows of the reference to that of the unlabeled instances."""
        in_rows, *in_bins = self._split(proportions)
        rows = self.rows.shares(in_rows, slices)
        within = [
            binomials.shares(part, slices)
            for binomials, part in zip(self.bins, in_bins, strict=True)
        ] or [np.ones((*rows.shape[:-1], 1))] * rows.shape[-1]
        cells = np.concatenate(
            [rows[..., index, np.newaxis] * of_class for index, of_class in enumerate(within)],
            axis=-1,
        )
        shares = mixing_shares(cells[..., :-1, :], cells[..., -1, :])
        return Mixed(rows, within, cells, shares)


class Mixed(NamedTuple):
    """Shares of the reference and of the unlabeled instances at given proportions."""

    rows: Array
    """Shares of the predicted classes, (..., classes + 1, classes)."""

    within: list[Array]
    """Shares of the bins within each predicted class, (..., classes + 1, bins)."""

    cells: Array
    """Products of both, (..., classes + 1, cells)."""

    shares: Array
    """The prevalences, (..., classes)."""
