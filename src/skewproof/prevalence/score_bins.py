"""Counts of the scores of labeled and unlabeled instances in the same bins."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from skewproof.core.algebra import Array
from skewproof.core.arguments import expect, expect_number
from skewproof.core.arrays import checked_numbers
from skewproof.core.labels import check_classes, checked_labels

BINS_A_SIDE = 3
"""Largest number of bins on either side of the cut-off. With more bins, intervals cover less often
where positives are rare, because the prior changes small counts, and the check of fit has less
power: benchmarks/evidence/unlabeled_coverage.py."""


class ScoreBins(NamedTuple):
    """Numbers of instances in bins of the score, the lowest bin first."""

    edges: tuple[float, ...]
    """Scores at which the bins above the lowest one begin; the cut-off is one of them."""

    below: int
    """Number of bins below the cut-off."""

    positives: tuple[int, ...]
    """Labeled positive instances."""

    negatives: tuple[int, ...]
    """Labeled negative instances."""

    unlabeled: tuple[int, ...] = ()
    """Instances without a label; empty before they are counted."""

    @property
    def halves(self) -> tuple[slice, slice]:
        """The bins below the cut-off and the bins above it."""
        return slice(self.below), slice(self.below, None)

    @property
    def counts(self) -> tuple[tuple[int, ...], ...]:
        """Numbers of positives, of negatives and of unlabeled instances."""
        return self.positives, self.negatives, self.unlabeled

    def with_scores(self, scores: ArrayLike) -> ScoreBins:
        """Count unlabeled instances in the same bins.

        Raises
        ------
        ValueError
            If scores are invalid or missing.
        """
        unlabeled = checked_numbers(scores, "scores", what="score").astype(np.float64)
        expect(unlabeled.ndim == 1 and unlabeled.size > 0, "scores", scores, "at least one score")
        return self._replace(unlabeled=_counted(unlabeled, self.edges))


def bin_reference(
    reference_true: ArrayLike, reference_scores: ArrayLike, *, threshold: float, pos_label: Any
) -> ScoreBins:
    """Count labeled scores in bins that hold about the same weight on either side of the threshold.

    Both classes have the same weight, however many instances they have. An instance is called
    positive if its score is at least the threshold.

    Raises
    ------
    ValueError
        If labels or scores are invalid, a class is empty, or a side of the threshold has no score.
    """
    true = checked_labels(reference_true, "reference_true")
    known = checked_numbers(reference_scores, "reference_scores", what="score").astype(np.float64)
    if true.shape != known.shape:
        raise ValueError(
            f"reference_true and reference_scores have the shapes {true.shape} and {known.shape}:"
            " expected one dimension and equal lengths"
        )
    check_classes(true, true, pos_label)
    positive = true == pos_label
    both = 0 < np.count_nonzero(positive) < positive.size
    expect(both, "reference_true", reference_true, "labels of both classes")
    threshold = expect_number("threshold", threshold)
    on_both = known.min() < threshold <= known.max()
    expect(on_both, "threshold", threshold, "reference scores on both sides of it")
    return bins_around(threshold, known, positive)


def bins_around(threshold: float, scores: Array, positive: NDArray[np.bool_]) -> ScoreBins:
    """Count scores as :func:`bin_reference` does; a side of the threshold may have no score."""
    weights = np.where(positive, 1 / positive.sum(), 1 / (~positive).sum())
    lower, upper = (
        cuts(scores[side], weights[side], BINS_A_SIDE) if side.any() else []
        for side in (scores < threshold, scores >= threshold)
    )
    edges = (*lower, threshold, *upper)
    counts = (_counted(part, edges) for part in (scores[positive], scores[~positive]))
    return ScoreBins(edges, len(lower) + 1, *counts)


def _counted(scores: NDArray[np.float64], edges: tuple[float, ...]) -> tuple[int, ...]:
    bins = np.searchsorted(edges, scores, side="right")
    return tuple(map(int, np.bincount(bins, minlength=len(edges) + 1)))


def cuts(scores: NDArray[np.float64], weights: Array, parts: int) -> list[float]:
    """Find scores that cut the weights into parts, without repetition or empty parts."""
    order = np.argsort(scores, kind="stable")
    rising = scores[order]
    sums = np.cumsum(weights[order])
    levels = sums[-1] * np.arange(1, parts) / parts
    candidates = np.unique(rising[np.searchsorted(sums, levels)])
    return [float(score) for score in candidates if score > rising[0]]
