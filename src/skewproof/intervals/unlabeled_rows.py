"""Rows of a confusion matrix of many classes, with a row of unlabeled instances if there are some.

Under label shift the rates of the reference stay the same, and only the prevalences change. The
shares of the predicted classes are then a mixture of the rows of these rates, and so are those of
the bins of their scores. The confidence region is the ball of deviations of the reference's rows,
as in :mod:`skewproof.intervals.class_rows`, and of a further row: the predicted classes of the
unlabeled instances. At each of its points the prevalences are those with the largest likelihood.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from skewproof.core.algebra import Array
from skewproof.core.weights import sampled_sizes
from skewproof.intervals.class_rows import (
    ClassRows,
    ConditionalBinomials,
    expect_own_rates,
    hits_first,
)
from skewproof.intervals.extremes import Proportions, Rows
from skewproof.multiclass.matrix import MulticlassConfusionMatrix
from skewproof.prevalence.class_bins import ClassBins
from skewproof.prevalence.mixtures import mixing_shares, mixing_slopes
from skewproof.prevalence.prevalence import RAREST, Prevalence


def observed_rows(
    matrix: MulticlassConfusionMatrix, at: Prevalence, total: float | None = None
) -> ClassRows:
    """Return the rows of one observed matrix at the prevalence `at`, for `total` instances.

    Raises
    ------
    ValueError
        If the prevalences were estimated with the rates of another matrix.
    """
    if at.without_labels:
        return UnlabeledRows.of_reference(expect_own_rates(matrix, at), total)
    counts, sizes = matrix.effective_counts.counts[np.newaxis], matrix.class_sizes[np.newaxis]
    totals = np.array([float(matrix.total if total is None else total)])
    sampled = sampled_sizes(sizes, counts.sum(axis=-1))
    return ClassRows.at(counts, at, matrix.labels, totals, sampled)


@dataclass(frozen=True)
class UnlabeledRows(ClassRows):
    """Rows of a reference, with the row of the unlabeled instances below.

    Attributes
    ----------
    bins
        Distribution of the instances of each row and predicted class over bins of the score; None
        without scores.
    """

    bins: ConditionalBinomials | None = None

    @classmethod
    def of_reference(cls, bins: ClassBins, total: float | None = None) -> UnlabeledRows:
        """Build the rows of one reference, for `total` unlabeled instances."""
        counts = np.array([[*bins.labeled, bins.unlabeled]], dtype=np.float64)
        totals = np.array([float(bins.total if total is None else total)])
        return cls.from_counts(counts, totals)

    @classmethod
    def from_counts(cls, counts: Array, totals: Array) -> UnlabeledRows:
        """Build the rows of several references.

        Parameters
        ----------
        counts
            Instances by true class, predicted class and bin, with the unlabeled ones after the last
            class: (slices, classes + 1, classes, bins).
        totals
            Number of unlabeled instances to which measures refer, (slices,).
        """
        slices, rows, classes, bins = counts.shape
        predicted = counts.sum(axis=-1)
        commonest = np.argsort(-predicted[:, -1:], axis=-1, kind="stable")
        order = np.concatenate([hits_first(predicted[:, :-1]), commonest], axis=1)
        within = None
        if bins > 1:
            cells = counts.reshape(slices, rows * classes, bins)
            within = ConditionalBinomials(cells, np.broadcast_to(np.arange(bins), cells.shape))
        shares = np.full((slices, classes), np.nan)
        return cls(ConditionalBinomials(predicted, order), shares, None, totals, bins=within)

    @cached_property
    def proportions(self) -> Proportions:
        """All binomials: those of the rows above those of the bins."""
        rows = self.rows.proportions
        return rows if self.bins is None else rows.beside(self.bins.proportions)

    def parts(self, proportions: Array, slices: Rows) -> tuple[Array, Array]:
        """Return the shares within each row of the reference and the unlabeled class sizes.

        Their shapes are (..., slices, classes, classes) and (..., slices, classes).
        """
        mixed = self._mixed(proportions, slices)
        sizes = np.maximum(mixed.shares, RAREST) * self.totals[slices, np.newaxis]
        return mixed.rows[..., :-1, :], sizes

    def slopes(self, proportions: Array, slices: Rows, by_share: Array, by_size: Array) -> Array:
        """Convert derivatives by the results of `parts` to derivatives by the proportions."""
        mixed, in_rows = self._mixed(proportions, slices), len(self.rows.proportions.hits)
        labeled, unlabeled = mixed.cells[..., :-1, :], mixed.cells[..., -1, :]
        by_prevalence = by_size * self.totals[slices, np.newaxis]
        by_part, by_whole = mixing_slopes(labeled, unlabeled, mixed.shares, by_prevalence)
        by_cell = np.concatenate([by_part, by_whole[..., np.newaxis, :]], axis=-2)
        by_cell = by_cell.reshape(mixed.within.shape)
        by_row = (by_cell * mixed.within).sum(axis=-1)
        by_row[..., :-1, :] += by_share
        of_rows = self.rows.slopes(proportions[:in_rows], slices, by_row)
        if self.bins is None:
            return of_rows
        by_bin = by_cell * mixed.rows[..., np.newaxis]
        by_bin = by_bin.reshape(*by_bin.shape[:-3], -1, by_bin.shape[-1])
        of_bins = self.bins.slopes(proportions[in_rows:], slices, by_bin)
        return np.concatenate([of_rows, of_bins])

    def _mixed(self, proportions: Array, slices: Rows) -> _Mixed:
        in_rows = len(self.rows.proportions.hits)
        rows = self.rows.shares(proportions[:in_rows], slices)
        within = np.ones((*rows.shape, 1))
        if self.bins is not None:
            within = self.bins.shares(proportions[in_rows:], slices)
            within = within.reshape(*rows.shape, within.shape[-1])
        cells = (rows[..., np.newaxis] * within).reshape(*rows.shape[:-1], -1)
        shares = mixing_shares(cells[..., :-1, :], cells[..., -1, :])
        return _Mixed(rows, within, cells, shares)


class _Mixed(NamedTuple):
    """Shares of the reference and of the unlabeled instances at given proportions."""

    rows: Array
    """Shares of the predicted classes, (..., classes + 1, classes)."""

    within: Array
    """Shares of the bins within the predicted classes, (..., classes + 1, classes, bins)."""

    cells: Array
    """Products of both, (..., classes + 1, classes * bins)."""

    shares: Array
    """The prevalences, (..., classes)."""
