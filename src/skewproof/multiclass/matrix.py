"""The confusion matrix of any number of classes."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from skewproof.core.algebra import Array, Value, is_symbolic, ratio
from skewproof.core.arguments import expect, expect_several
from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.data.groups import check_groups
from skewproof.core.data.labels import counted_pairs

if TYPE_CHECKING:
    import pandas as pd

KINDS = "biufO"
"""Kinds of NumPy's types that hold numbers and symbols."""

MOST_SHOWN = 12
"""Largest number of classes of which a printed matrix has every row and column."""


class MulticlassOrigin(NamedTuple):
    """The origin of the counts of a projected matrix."""

    matrix: MulticlassConfusionMatrix
    """The observed counts."""

    at: Any
    """The stated :class:`~skewproof.Prevalence` to which they are projected."""


@dataclass(frozen=True, eq=False, repr=False)
class MulticlassConfusionMatrix:
    """Counts of instances by true class (rows) and predicted class (columns).

    The matrix is that of Definition 3 of Mullick et al. Counts are continuous, and leading
    dimensions hold several matrices. Counts can also be an array of SymPy expressions; then every
    derived quantity is one as well. A matrix from scikit-learn's ``confusion_matrix`` can be passed
    as it is.

    Attributes
    ----------
    counts
        (..., C, C), float64 or expressions.
    labels
        The names of the classes, in the order of rows and columns; 0, 1, ..., C - 1 by default.

    Raises
    ------
    ValueError
        If the last two dimensions are not equal and at least 2; if a count is negative or infinite
        (NaN is an undefined count); if there are not as many labels as classes, or two are equal.

    Examples
    --------
    >>> from skewproof import MulticlassConfusionMatrix
    >>> counts = [[8, 2, 0], [1, 4, 0], [0, 0, 5]]
    >>> matrix = MulticlassConfusionMatrix(counts, labels=["cat", "dog", "owl"])
    >>> matrix
    predicted cat dog owl
    true
    cat         8   2   0
    dog         1   4   0
    owl         0   0   5
    >>> matrix.recalls.tolist()
    [0.8, 0.8, 1.0]
    """

    counts: Value

    labels: Sequence[Any] = ()

    origin: MulticlassOrigin | None = field(default=None, kw_only=True)
    """The observed matrix and the prevalences to which it was projected; None for counts that are
    not projected."""

    effective: NDArray[np.float64] | None = field(default=None, kw_only=True)
    """Effective number of instances of each class, (C,), if the counts are sums of weights; None if
    they are numbers of instances."""

    by_group: Array | None = field(default=None, kw_only=True)
    """The counts of each group of instances that belong together, (groups, C, C); None if instances
    are independent."""

    def __post_init__(self) -> None:
        known = self.origin is None or isinstance(self.origin, MulticlassOrigin)
        expect(known, "origin", self.origin, "a MulticlassOrigin or None")
        array = np.asarray(self.counts)
        if array.ndim < 2 or array.shape[-1] != array.shape[-2] or array.shape[-1] < 2:
            raise ValueError(
                f"counts of the shape {array.shape}: expected (..., C, C) with at least 2 classes"
            )
        if not is_symbolic(array):
            array = array.astype(np.float64, copy=False)
            invalid = array[(array < 0) | (array == np.inf)]
            if invalid.size:
                raise ValueError(f"a count is {invalid[0]}: expected a finite count >= 0")
        object.__setattr__(self, "counts", array)
        expected = f"{array.shape[-1]} different labels, one per class"
        names = tuple(expect_several("labels", self.labels, expected) or range(array.shape[-1]))
        single = all(isinstance(name, Hashable) for name in names)
        fits = single and len(names) == len(set(names)) == array.shape[-1]
        expect(fits, "labels", self.labels, expected)
        object.__setattr__(self, "labels", names)
        if self.effective is not None:
            sizes = np.asarray(self.effective)
            known = sizes.shape == array.shape[-1:] and sizes.dtype.kind in "iuf"
            known = known and bool(np.all(np.isfinite(sizes) & (sizes >= 0)))
            expect(known, "effective", self.effective, "a number of at least 0 for each class")
        if self.by_group is not None:
            check_groups(self.by_group, array)

    @classmethod
    def from_labels(
        cls,
        y_true: ArrayLike,
        y_pred: ArrayLike,
        *,
        labels: Sequence[Any] | None = None,
        sample_weight: ArrayLike | None = None,
        groups: ArrayLike | None = None,
    ) -> MulticlassConfusionMatrix:
        """Count the labels of any number of classes.

        Parameters
        ----------
        y_true, y_pred
            True and predicted labels, of one dimension and the same length.
        labels
            All classes in their order, at least two; None stands for the sorted labels that occur.
        sample_weight, groups
            Weight of each instance and label of its group, as for
            :meth:`skewproof.ConfusionMatrix.from_labels`.

        Raises
        ------
        ValueError
            If labels or weights are invalid, as for :meth:`skewproof.ConfusionMatrix.from_labels`.

        Examples
        --------
        >>> from skewproof import MulticlassConfusionMatrix
        >>> matrix = MulticlassConfusionMatrix.from_labels([0, 0, 1, 2], [0, 1, 1, 2])
        >>> matrix.counts.astype(int).tolist()
        [[1, 1, 0], [0, 1, 0], [0, 0, 1]]
        """
        counted = counted_pairs(
            y_true, y_pred, labels=labels, sample_weight=sample_weight, groups=groups
        )
        return cls(
            counted.counts,
            counted.classes,
            effective=counted.effective,
            by_group=counted.by_group,
        )

    @classmethod
    def from_rates(
        cls, rates: Value, sizes: Value, *, labels: Sequence[Any] = ()
    ) -> MulticlassConfusionMatrix:
        """Build the matrix of a classifier with given rates, on classes of given sizes.

        Parameters
        ----------
        rates
            m_ij/n_i, (..., C, C): shares of the instances of class i that are predicted as class j.
        sizes
            Class sizes n_i, (..., C).
        labels
            The names of the classes.
        """
        rates, sizes = np.asarray(rates), np.asarray(sizes)
        square = rates.ndim > 1 and rates.shape[-1] == rates.shape[-2] and rates.dtype.kind in KINDS
        expect(square, "rates", rates, "numbers of the shape (..., C, C)")
        fits = sizes.ndim > 0 and sizes.shape[-1] == rates.shape[-1] and sizes.dtype.kind in KINDS
        expect(fits, "sizes", sizes, f"numbers of the shape (..., {rates.shape[-1]})")
        return cls(rates * sizes[..., np.newaxis], labels)

    def __repr__(self) -> str:
        if self.counts.ndim > 2:
            return f"matrices of {self.classes} classes, of the shape {self.counts.shape[:-2]}"
        table = self._table.to_string(max_rows=MOST_SHOWN, max_cols=MOST_SHOWN)
        return "\n".join(map(str.rstrip, table.splitlines()))

    def _repr_html_(self) -> str | None:
        if self.counts.ndim > 2:
            return None
        return self._table.to_html(max_rows=MOST_SHOWN, max_cols=MOST_SHOWN)

    @property
    def _table(self) -> pd.DataFrame:
        """A single matrix as a table, with whole numbers written without decimals."""
        import pandas as pd  # takes longer to load than matrices and measures do

        counts = self.counts
        if not is_symbolic(counts) and np.all(counts == np.rint(counts)):
            counts = np.array([[f"{count:.0f}" for count in row] for row in counts])
        true, predicted = (
            pd.Index(self.labels, name="true"),
            pd.Index(self.labels, name="predicted"),
        )
        return pd.DataFrame(counts, true, predicted)

    @property
    def classes(self) -> int:
        """C, the number of classes."""
        return int(self.counts.shape[-1])

    @cached_property
    def effective_counts(self) -> MulticlassConfusionMatrix:
        """The counts of as many unweighted instances as each class is worth, at the same rates.

        It is the matrix itself if its counts are numbers of instances.
        """
        if self.effective is None:
            return self
        sizes = self.class_sizes
        worth = np.divide(self.effective, sizes, out=np.zeros(sizes.shape), where=sizes > 0)
        return replace(self, counts=self.counts * worth[..., np.newaxis], effective=None)

    @cached_property
    def hits(self) -> Value:
        """m_ii: the number of correctly predicted instances of each class, (..., C)."""
        return np.diagonal(self.counts, axis1=-2, axis2=-1)

    @cached_property
    def class_sizes(self) -> Value:
        """n_i: the number of instances of each class, (..., C)."""
        return self.counts.sum(axis=-1)

    @cached_property
    def predicted_sizes(self) -> Value:
        """k_i: the number of instances predicted as each class, (..., C)."""
        return self.counts.sum(axis=-2)

    @cached_property
    def total(self) -> Value:
        """n: the number of instances, (...)."""
        return self.class_sizes.sum(axis=-1)

    @cached_property
    def recalls(self) -> Value:
        """m_ii/n_i in [0, 1], (..., C); undefined for a class without instances."""
        return ratio(self.hits, self.class_sizes)

    @cached_property
    def precisions(self) -> Value:
        """m_ii/k_i in [0, 1], (..., C); undefined for a class that is never predicted."""
        return ratio(self.hits, self.predicted_sizes)

    @cached_property
    def rates(self) -> MulticlassConfusionMatrix:
        """The matrix of m_ij/n_i: rows are divided by their sums, so that all classes have size
        1."""
        rates = ratio(self.counts, self.class_sizes[..., np.newaxis])
        return replace(self, counts=rates, origin=None, effective=None, by_group=None)

    @cached_property
    def one_vs_all(self) -> ConfusionMatrix:
        """Matrices of two classes, (..., C): each class against all others together."""
        # Unlike differences of sums, sums of cells off the diagonal keep the digits of classes that
        # are much smaller than others.
        off_diagonal = 1 - np.eye(self.classes, dtype=int)
        errors = self.counts * off_diagonal
        misses, false_alarms = errors.sum(axis=-1), errors.sum(axis=-2)
        rest = self.class_sizes @ off_diagonal - false_alarms
        if not is_symbolic(self.counts):  # a difference of rounded sums may be a little below 0
            rest = np.maximum(rest, 0)
        return ConfusionMatrix(tp=self.hits, fp=false_alarms, fn=misses, tn=rest)

    @cached_property
    def pair(self) -> ConfusionMatrix:
        """The matrix as one of two classes, with the first as the positive (Eq. 1 of Mullick et
        al.).

        Raises
        ------
        ValueError
            If there are more than two.
        """
        if self.classes != 2:
            raise ValueError(f"{self.classes} classes: expected 2")
        effective = None if self.effective is None else tuple(self.effective.tolist())
        return ConfusionMatrix(
            tp=self.counts[..., 0, 0],
            fn=self.counts[..., 0, 1],
            fp=self.counts[..., 1, 0],
            tn=self.counts[..., 1, 1],
            effective=effective,
            by_group=self.by_group,
        )
