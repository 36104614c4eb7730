"""The area under the ROC curve and the average precision without each row.

All values without a row come from a few sums over thresholds, so that they cost a sort.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from skewproof.core.algebra import Array
from skewproof.curves.areas.precision_recall import average_precision
from skewproof.curves.areas.roc import TIE_SHARES, auc
from skewproof.curves.counts import ScoreCounts, at_prevalence, curves_of, quotient
from skewproof.intervals.grouped.jackknife import neighbors, without_each
from skewproof.intervals.leave_one_out import Changes, Statistic

MOST_CELLS = 400
"""Most neighborhoods of scores in which rows are counted by group."""


@dataclass(frozen=True)
class RankedScores(Statistic):
    """An area under a curve of the scores of two classes."""

    positive: NDArray[np.bool_]

    ranks: NDArray[np.intp]
    """Number of each row's score among the distinct ones, the highest first, (rows,)."""

    @classmethod
    def of(cls, positive: NDArray[np.bool_], scores: Array) -> Self:
        """Rank scores."""
        return cls(positive, np.unique(-scores, return_inverse=True)[1])

    @property
    def counts(self) -> ScoreCounts:
        """Counts at every threshold."""
        return ScoreCounts(
            *(
                np.append(0.0, np.cumsum(np.bincount(some, minlength=self.ranks.max() + 1)))
                for some in (self.ranks[self.positive], self.ranks[~self.positive])
            )
        )

    @abstractmethod
    def of_curves(self, counts: ScoreCounts) -> Array:
        """Compute the area of several curves."""

    def without_groups(self, codes: NDArray[np.intp], share: float | None) -> Array:
        """Compute the statistic without each group, less the statistic, (groups,).

        Scores are put into at most 400 neighborhoods.
        """
        cells, size = score_cells(self.positive, self.ranks)
        order = np.argsort(codes, kind="stable")

        def areas(counts: Array) -> Array:
            curves = curves_of(counts.reshape(len(counts), 2, size))
            return self.of_curves(curves if share is None else at_prevalence(curves, share))

        whole = np.bincount(cells, minlength=2 * size).astype(np.float64)
        without = without_each(areas, whole, codes[order], cells[order])
        return without - areas(whole[np.newaxis])


def score_cells(
    positive: NDArray[np.bool_], numbers: NDArray[np.intp]
) -> tuple[NDArray[np.intp], int]:
    """Put rows with neighboring scores into the cells of positives, then of negatives.

    Parameters
    ----------
    positive, numbers
        Whether a row is positive, and the number of its score among the distinct ones, (rows,).

    Returns
    -------
    Number of each row's cell, (rows,), and the number of cells of a class, at most 400.
    """
    size = int(numbers.max()) + 1
    if size > MOST_CELLS:
        sizes = [np.bincount(numbers[some], minlength=size) for some in (positive, ~positive)]
        numbers = neighbors(np.array(sizes), MOST_CELLS)[numbers]
        size = int(numbers.max()) + 1
    return np.where(positive, numbers, size + numbers), size


class RankedAUC(RankedScores):
    """The area under the ROC curve; equal scores count half.

    Examples
    --------
    >>> ranked = RankedAUC.of(np.array([True, False, True, False]), np.array([4.0, 3, 2, 1]))
    >>> changes = ranked.at(0.5)
    >>> changes.value, changes.rows.tolist()
    (0.75, [0.25, -0.25, -0.25, 0.25])
    """

    def of_curves(self, counts: ScoreCounts) -> Array:
        """Compute the area of several curves."""
        return auc(counts)

    def at(self, share: float) -> Changes:
        """Compute the AUC, which is the same at every prevalence, and its changes without rows."""
        placements = np.where(self.positive, *(part[self.ranks] for part in placed(self.counts)))
        value = float(placements[self.positive].mean())
        return Changes(value, 0.0, placements - value)


def placed(counts: ScoreCounts, tie_share: float = TIE_SHARES["expected"]) -> tuple[Array, Array]:
    """Compute the placements of a positive and of a negative at each threshold.

    The placement of an instance is the share of the other class that it is ranked correctly
    against (DeLong, DeLong and Clarke-Pearson 1988).

    Parameters
    ----------
    counts
        Counts at every threshold.
    tie_share
        Share of equal scores that counts as ranked correctly.
    """
    of_positives = 1 - (counts.fp[:-1] + (1 - tie_share) * np.diff(counts.fp)) / counts.negatives
    of_negatives = (counts.tp[:-1] + tie_share * np.diff(counts.tp)) / counts.positives
    return of_positives, of_negatives


class RankedPrecision(RankedScores):
    """The average precision, as a sum of steps.

    Examples
    --------
    >>> ranked = RankedPrecision.of(np.array([True, False, True, False]), np.array([4.0, 3, 2, 1]))
    >>> round(ranked.at(0.5).value, 4), round(ranked.at(0.01).value, 4)
    (0.8333, 0.5099)
    """

    def of_curves(self, counts: ScoreCounts) -> Array:
        """Compute the average precision of several curves."""
        return average_precision(counts)

    def at(self, share: float) -> Changes:
        """Compute the average precision at a prevalence, and its changes without rows."""
        counts = self.counts
        of_row = [part[self.ranks] for part in precision_without(counts, share)]
        without = np.where(self.positive, *of_row)
        rows = np.empty(without.size)
        for of_class in (self.positive, ~self.positive):
            values = without[of_class]
            rows[of_class] = (values.size - 1) * (values.mean() - values)
        tpr, fpr = counts.tp[1:] / counts.positives, counts.fp[1:] / counts.negatives
        slopes = quotient(tpr * fpr, (share * tpr + (1 - share) * fpr) ** 2)
        slope = float(np.sum(np.diff(counts.tp) * slopes) / counts.positives)
        return Changes(float(average_precision(at_prevalence(counts, share))), slope, rows)


def precision_without(counts: ScoreCounts, share: float) -> tuple[Array, Array]:
    """Compute the average precision at a prevalence without a positive, and without a negative.

    Parameters
    ----------
    counts
        Counts at every threshold, with two instances of each class at least.
    share
        The prevalence, which stays as it is.

    Returns
    -------
    Two arrays, (thresholds,): entries of the first are meaningful at thresholds that a positive
    has, and those of the second where a negative has it.

    Examples
    --------
    Without the second of two positives the ranking is perfect, and without the first a negative is
    ahead:

    >>> counts = ScoreCounts(tp=np.array([0.0, 1, 1, 2, 2]), fp=np.array([0.0, 0, 1, 1, 2]))
    >>> of_positives, of_negatives = precision_without(counts, 0.5)
    >>> of_positives[[0, 2]].round(3).tolist(), of_negatives[[1, 3]].round(3).tolist()
    ([0.667, 1.0], [1.0, 0.75])
    """
    positives, negatives = counts.positives, counts.negatives
    tp, fp, rise = counts.tp[1:], counts.fp[1:], np.diff(counts.tp)

    def precision(tp: Array, fp: Array, positives: float, negatives: float) -> Array:
        hits = share * np.maximum(tp, 0) / positives
        return quotient(hits, hits + (1 - share) * np.maximum(fp, 0) / negatives)

    def summed(above: Array, below: Array) -> Array:
        """Sum what is above each threshold, and then from it on."""
        return np.cumsum(above) - above + np.cumsum(below[::-1])[::-1]

    above = precision(tp, fp, positives - 1, negatives)
    below = precision(tp - 1, fp, positives - 1, negatives)
    without_positive = (summed(rise * above, rise * below) - below) / (positives - 1)
    above = precision(tp, fp, positives, negatives - 1)
    below = precision(tp, fp - 1, positives, negatives - 1)
    return without_positive, summed(rise * above, rise * below) / positives
