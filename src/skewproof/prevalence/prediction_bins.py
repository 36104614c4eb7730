"""Counts of labeled and unlabeled predictions in the same bins, for any number of classes."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from skewproof.core.algebra import Array
from skewproof.core.arguments import expect, expect_number
from skewproof.core.data.arrays import checked_numbers
from skewproof.core.data.labels import check_classes, checked_labels, class_codes
from skewproof.core.messages import shortened, shown
from skewproof.multiclass.against_rest import TWO_CLASSES
from skewproof.multiclass.matrix import MulticlassConfusionMatrix

MOST_CELLS, FEWEST_BINS_A_CLASS = 6, 2
"""Number of bins of all predicted classes, and the least number of bins of each. With more bins,
intervals cover less often where a class is rare, because the prior changes small counts, and the
check of fit has less power: benchmarks/evidence/unlabeled_coverage.py."""

Bins = tuple[tuple[float, ...], ...]
"""Numbers of instances by predicted class and bin of the score, the lowest bin first."""


class PredictionBins(NamedTuple):
    """Numbers of instances by predicted class and bin of the score.

    Without scores each predicted class is a single bin.

    Examples
    --------
    >>> from skewproof.prevalence.prediction_bins import PredictionBins
    >>> labeled = ((20, 60), (15, 5)), ((8, 2), (90, 900))
    >>> bins = PredictionBins(("positive", "negative"), labeled, ((200, 700), (2100, 17_000)))
    >>> bins.matrix.tolist(), bins.predicted, bins.total
    ([[80.0, 20.0], [10.0, 990.0]], (900, 19100), 20000)
    """

    classes: tuple[Hashable, ...]
    """The names of the classes, in the order of all counts."""

    labeled: tuple[Bins, ...]
    """Labeled instances by true class, predicted class and bin."""

    unlabeled: Bins = ()
    """Instances without a label by predicted class and bin; empty before they are counted."""

    cuts: tuple[tuple[float, ...], ...] = ()
    """Scores at which the bins of each predicted class begin, except the lowest one; empty without
    scores."""

    threshold: float | None = None
    """Smallest score of an instance that is predicted as the first of two classes, if there is a
    single score; None if each class has a score, and the highest one counts."""

    @classmethod
    def of_matrix(cls, matrix: MulticlassConfusionMatrix) -> PredictionBins:
        """Return the numbers of a matrix, without scores."""
        rows = np.asarray(matrix.counts, dtype=np.float64).tolist()
        labeled = tuple(tuple((count,) for count in row) for row in rows)
        return cls(tuple(matrix.labels), labeled)

    @property
    def cells(self) -> Array:
        """Labeled instances by true class and cell, the bins of all predicted classes."""
        return np.array([np.concatenate(row) for row in self.labeled], dtype=np.float64)

    @property
    def unlabeled_cells(self) -> Array:
        """Unlabeled instances by cell."""
        return np.concatenate(self.unlabeled).astype(np.float64)

    @property
    def columns(self) -> list[Array]:
        """Instances by true class and bin for each predicted class, with the unlabeled ones below.

        The shapes are (classes + 1, bins).
        """
        columns = zip(*self.labeled, self.unlabeled, strict=True)
        return [np.array(column, dtype=np.float64) for column in columns]

    @property
    def rates(self) -> Array:
        """Share of each cell within a true class, (classes, cells)."""
        return self.cells / self.cells.sum(axis=1, keepdims=True)

    @property
    def matrix(self) -> Array:
        """Numbers of labeled instances by true and predicted class."""
        return np.array([[sum(bins) for bins in row] for row in self.labeled], dtype=np.float64)

    @property
    def predicted(self) -> tuple[int, ...]:
        """Number of unlabeled instances predicted as each class."""
        return tuple(int(sum(bins)) for bins in self.unlabeled)

    @property
    def total(self) -> int:
        """Number of unlabeled instances."""
        return sum(self.predicted)

    @property
    def edges(self) -> tuple[float, ...]:
        """Scores at which the bins of a single score begin, except the lowest one, rising."""
        above, below = self.cuts
        assert self.threshold is not None
        return (*below, self.threshold, *above)

    @property
    def rising(self) -> Array:
        """Numbers of both classes and of unlabeled instances in the bins of a single score.

        The shape is (3, bins), the lowest bin first.
        """
        return np.concatenate(self.columns[::-1], axis=1)

    @property
    def without_scores(self) -> PredictionBins:
        """The numbers of predicted classes alone."""
        labeled = tuple(tuple((sum(bins),) for bins in row) for row in self.labeled)
        unlabeled = tuple((sum(bins),) for bins in self.unlabeled)
        return PredictionBins(self.classes, labeled, unlabeled)

    def with_scores(self, scores: ArrayLike) -> PredictionBins:
        """Count unlabeled instances in the same bins.

        Raises
        ------
        ValueError
            If scores are invalid or missing.
        """
        if self.threshold is None:
            predicted, numbers = _highest(scores, "scores", self.classes)
        else:
            numbers = checked_numbers(scores, "scores", what="score").astype(np.float64)
            expect(numbers.ndim == 1, "scores", scores, "scores of one dimension")
            predicted = np.where(numbers >= self.threshold, 0, 1)
        expect(numbers.size > 0, "scores", scores, "at least one score")
        return self._replace(unlabeled=_counted(predicted, numbers, self.cuts))

    def with_counts(self, counts: Sequence[int]) -> PredictionBins:
        """Return the bins with numbers of unlabeled instances, as a database can count them.

        Parameters
        ----------
        counts
            Number of instances in each bin of a single score, between the `edges`.
        """
        below = len(self.cuts[1]) + 1
        return self._replace(unlabeled=(tuple(counts[below:]), tuple(counts[:below])))


def bin_scores(
    reference_true: ArrayLike, reference_scores: ArrayLike, *, threshold: float, pos_label: Any
) -> PredictionBins:
    """Count labeled instances by class and bin of a single score.

    An instance is called positive if its score is at least the threshold. On either side of it bins
    hold about the same weight; both classes have the same weight, however many instances they have.

    Raises
    ------
    ValueError
        If labels or scores are invalid, a class is empty, or a side of the threshold has no score.
    """
    true = checked_labels(reference_true, "reference_true")
    scores = checked_numbers(reference_scores, "reference_scores", what="score").astype(np.float64)
    if true.shape != scores.shape:
        raise ValueError(
            f"reference_true and reference_scores have the shapes {true.shape} and {scores.shape}:"
            " expected one dimension and equal lengths"
        )
    check_classes(true, true, pos_label)
    codes = np.where(true == pos_label, 0, 1)
    both = bool(0 < np.count_nonzero(codes) < codes.size)
    expect(both, "reference_true", reference_true, "labels of both classes")
    threshold = expect_number("threshold", threshold)
    on_both = bool(scores.min() < threshold <= scores.max())
    expect(on_both, "threshold", threshold, "reference scores on both sides of it")
    predicted = np.where(scores >= threshold, 0, 1)
    return binned(TWO_CLASSES, codes, predicted, scores, threshold)


def bin_columns(
    reference_true: ArrayLike, reference_scores: ArrayLike, *, labels: Sequence[Any] | None
) -> PredictionBins:
    """Count labeled instances by true class, predicted class and bin of the score.

    The predicted class is the one with the highest score, or the first of several. The bins of a
    predicted class hold about the same weight; all true classes have the same weight.

    Parameters
    ----------
    reference_true
        Labels, (instances,).
    reference_scores
        Scores, (instances, classes).
    labels
        The classes of the columns; None stands for the sorted labels.

    Raises
    ------
    ValueError
        If labels or scores are invalid, or if a class is never true or never predicted.
    """
    true = checked_labels(reference_true, "reference_true")
    classes = tuple(np.unique(true).tolist() if labels is None else labels)
    predicted, scores = _highest(reference_scores, "reference_scores", classes)
    expect(len(scores) == len(true), "reference_scores", reference_scores, "a row for each label")
    indices = {name: index for index, name in enumerate(classes)}
    codes = class_codes(true, "reference_true", indices)
    for index, name in enumerate(classes):
        occurs = bool((codes == index).any() and (predicted == index).any())
        expected = f"instances whose true and whose predicted class is {shown(name)}"
        expect(occurs, "reference_true", reference_true, expected)
    return binned(classes, codes, predicted, scores)


def binned(
    classes: tuple[Hashable, ...],
    codes: NDArray[np.intp],
    predicted: NDArray[np.intp],
    scores: Array,
    threshold: float | None = None,
) -> PredictionBins:
    """Count labeled instances in bins that hold about the same weight in each predicted class.

    Parameters
    ----------
    classes, threshold
        As for :class:`PredictionBins`.
    codes, predicted
        Positions of the true and of the predicted class of each instance, (instances,).
    scores
        Scores of the predicted class, or single scores, (instances,).
    """
    weights = (1 / np.bincount(codes, minlength=len(classes)))[codes]
    parts = max(FEWEST_BINS_A_CLASS, MOST_CELLS // len(classes))
    cuts = tuple(
        cut_evenly(scores[predicted == index], weights[predicted == index], parts)
        for index in range(len(classes))
    )
    labeled = tuple(
        _counted(predicted[codes == index], scores[codes == index], cuts)
        for index in range(len(classes))
    )
    return PredictionBins(classes, labeled, cuts=cuts, threshold=threshold)


def cut_evenly(scores: Array, weights: Array, parts: int) -> tuple[float, ...]:
    """Find scores that cut the weights into parts, without repetition or empty parts."""
    if not scores.size:
        return ()
    order = np.argsort(scores, kind="stable")
    rising, sums = scores[order], np.cumsum(weights[order])
    levels = sums[-1] * np.arange(1, parts) / parts
    candidates = np.unique(rising[np.searchsorted(sums, levels)])
    return tuple(float(score) for score in candidates if score > rising[0])


def _counted(
    predicted: NDArray[np.intp], scores: Array, cuts: tuple[tuple[float, ...], ...]
) -> tuple[tuple[int, ...], ...]:
    """Count instances by predicted class and bin."""
    counts = []
    for index, levels in enumerate(cuts):
        bins = np.searchsorted(levels, scores[predicted == index], side="right")
        counts.append(tuple(np.bincount(bins, minlength=len(levels) + 1).tolist()))
    return tuple(counts)


def _highest(
    scores: ArrayLike, name: str, classes: tuple[Any, ...]
) -> tuple[NDArray[np.intp], Array]:
    """Find the position of the class with the highest score, and this score."""
    numbers = checked_numbers(scores, name, what="score").astype(np.float64)
    listed = shortened(", ".join(map(str, classes)), 200)
    fits = numbers.ndim == 2 and numbers.shape[1] == len(classes)
    expect(fits, name, scores, f"a column for each class: {listed}")
    return numbers.argmax(axis=1), numbers.max(axis=1)
