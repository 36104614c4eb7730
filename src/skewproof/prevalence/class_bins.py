"""Counts of labeled and unlabeled predictions of several classes in the same cells."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from skewproof.core.algebra import Array
from skewproof.core.arguments import expect
from skewproof.core.arrays import checked_numbers
from skewproof.core.labels import checked_labels, class_codes, counted_pairs
from skewproof.core.messages import shortened, shown

BINS_A_CLASS = 2
"""Number of bins of the score of each predicted class."""


class ClassBins(NamedTuple):
    """Numbers of instances by predicted class and bin of the score, the lower bin first.

    Without scores each predicted class is a single bin.
    """

    classes: tuple[Hashable, ...]
    """The names of the classes, in the order of all counts."""

    labeled: tuple[tuple[tuple[float, ...], ...], ...]
    """Labeled instances by true class, predicted class and bin."""

    unlabeled: tuple[tuple[int, ...], ...] = ()
    """Instances without a label by predicted class and bin; empty before they are counted."""

    cuts: tuple[float, ...] = ()
    """The score from which an instance is in the upper bin, for each predicted class."""

    @property
    def rates(self) -> Array:
        """Share of each predicted class and bin within a true class, (classes, classes, bins)."""
        counts = np.array(self.labeled, dtype=np.float64)
        return counts / counts.sum(axis=(1, 2), keepdims=True)

    @property
    def matrix(self) -> Array:
        """Numbers of labeled instances by true and predicted class."""
        return np.array(self.labeled, dtype=np.float64).sum(axis=-1)

    @property
    def predicted(self) -> tuple[int, ...]:
        """Number of unlabeled instances predicted as each class."""
        return tuple(map(sum, self.unlabeled))

    @property
    def total(self) -> int:
        """Number of unlabeled instances."""
        return sum(self.predicted)

    def with_scores(self, scores: ArrayLike) -> ClassBins:
        """Count unlabeled instances in the same cells.

        Raises
        ------
        ValueError
            If scores are invalid or missing.
        """
        predicted, top = _predicted(scores, "scores", self.classes)
        expect(len(top) > 0, "scores", scores, "at least one row")
        counts = np.zeros((len(self.classes), BINS_A_CLASS), dtype=np.int64)
        np.add.at(counts, (predicted, _bins(predicted, top, self.cuts)), 1)
        return self._replace(unlabeled=tuple(tuple(row) for row in counts.tolist()))


def bin_classes(
    reference_true: ArrayLike, reference_scores: ArrayLike, *, labels: Sequence[Any] | None
) -> ClassBins:
    """Count labeled instances by true class, predicted class and bin of the score.

    The predicted class is the one with the highest score, or the first of several. The two bins of
    a predicted class are separated at the median of its scores, in which all true classes have the
    same weight.

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
        If labels or scores are invalid; if a class is never true or never predicted; or if all
        scores of a predicted class are equal.
    """
    true = checked_labels(reference_true, "reference_true")
    classes = tuple(np.unique(true).tolist() if labels is None else labels)
    predicted, top = _predicted(reference_scores, "reference_scores", classes)
    names = np.array(classes, dtype=object)
    matrix = counted_pairs(true, names[predicted], labels=list(classes), sample_weight=None).counts
    for index, name in enumerate(classes):
        both = matrix[index].sum() > 0 and matrix[:, index].sum() > 0
        expected = f"instances whose true and whose predicted class is {shown(name)}"
        expect(bool(both), "reference_true", reference_true, expected)
    indices = {name: index for index, name in enumerate(classes)}
    codes = class_codes(true, "reference_true", indices)
    weights = 1 / matrix.sum(axis=1)[codes]
    cuts = []
    for index, name in enumerate(classes):
        called = predicted == index
        expected = f"scores that differ among instances predicted as {shown(name)}"
        differ = np.ptp(top[called]) > 0
        expect(bool(differ), "reference_scores", reference_scores, expected)
        cuts.append(_middle(top[called], weights[called]))
    counts = np.zeros((*matrix.shape, BINS_A_CLASS))
    np.add.at(counts, (codes, predicted, _bins(predicted, top, tuple(cuts))), 1)
    labeled = tuple(tuple(tuple(cell) for cell in row) for row in counts.tolist())
    return ClassBins(classes, labeled, cuts=tuple(cuts))


def _predicted(
    scores: ArrayLike, name: str, classes: tuple[Any, ...]
) -> tuple[NDArray[np.intp], Array]:
    """Find the index of the predicted class and its score."""
    numbers = checked_numbers(scores, name, what="score").astype(np.float64)
    listed = shortened(", ".join(map(str, classes)), 200)
    fits = numbers.ndim == 2 and numbers.shape[1] == len(classes)
    expect(fits, name, scores, f"a column for each class: {listed}")
    return numbers.argmax(axis=1), numbers.max(axis=1)


def _middle(scores: Array, weights: Array) -> float:
    """Find the score below which the sum of weights is nearest to half of the total."""
    levels, positions = np.unique(scores, return_inverse=True)
    below = np.cumsum(np.bincount(positions, weights))[:-1]
    return float(levels[1 + abs(below - weights.sum() / 2).argmin()])


def _bins(predicted: NDArray[np.intp], top: Array, levels: tuple[float, ...]) -> NDArray[np.intp]:
    return (top >= np.array(levels)[predicted]).astype(np.intp)
