"""The rows of a confusion matrix of many classes as binomials: how sure each of their shares is.

A row counts the instances of a true class by the predicted class, a multinomial distribution. It is
the same as a sequence of binomials: the hits among all, then the instances taken for the commonest
other class among the misses, then those taken for the next one among the rest. These binomials are
independent, so that :func:`~.extremes.extremes` searches the ball of all their deviations. Class
sizes that are not known exactly are another such sequence, from the commonest class on.

The order decides how much a row without a single miss says: its misses go to the commonest class
first. No prior of a Dirichlet distribution does as well: with many classes it adds many small
counts to a row of few.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skewproof.core.algebra import Array
from skewproof.core.arguments import expect_number
from skewproof.core.messages import shown
from skewproof.core.prevalence import Prevalence
from skewproof.multiclass.matrix import MulticlassConfusionMatrix
from skewproof.multiclass.measure import Formula, Measure
from skewproof.practice.intervals.deviations import MOST_INSTANCES, PRIOR
from skewproof.practice.intervals.extremes import Proportions, Rows

NOT_COUNTED = 1e-12
"""Stands for a count of 0 that nobody observed, which has deviations to both sides."""

RAREST = 1e-12
"""Smallest share of a class at which a measure is evaluated."""


@dataclass(frozen=True)
class ConditionalBinomials:
    """Multinomial counts of several slices as binomials: each cell among itself and later ones.

    Attributes
    ----------
    counts
        Counts of the shape (slices, rows, cells).
    order
        The cells of each row, first to last, of the same shape.
    believed
        Whether counts are the parameters of a Dirichlet distribution.
    """

    counts: Array
    order: NDArray[np.intp]
    believed: bool = False

    @cached_property
    def proportions(self) -> Proportions:
        """The binomials, of the shape (rows * (cells - 1), slices)."""
        ordered = np.take_along_axis(self.counts, self.order, axis=-1)
        later = np.cumsum(ordered[..., ::-1], axis=-1)[..., -2::-1]
        hits, misses = (self._flat(part) for part in (ordered[..., :-1], later))
        empty = hits + misses == 0
        shares = np.divide(hits, hits + misses, out=np.full_like(hits, 1 / 2), where=~empty)
        if self.believed:
            hits, misses = hits - PRIOR, misses - PRIOR
            hits, misses = (np.where(part == 0, NOT_COUNTED, part) for part in (hits, misses))
        else:
            hits, misses = (np.where(empty, NOT_COUNTED, part) for part in (hits, misses))
        return Proportions(hits, misses, shares)

    @staticmethod
    def _flat(parts: Array) -> Array:
        slices, rows, cells = parts.shape
        return parts.reshape(slices, rows * cells).T

    def shares(self, proportions: Array, slices: Rows) -> Array:
        """The cells' shares of their row, of the shape (..., slices, rows, cells).

        Parameters
        ----------
        proportions
            Of the shape (rows * (cells - 1), ..., slices).
        slices
            The slices that the last axis holds.
        """
        rows, cells = self.counts.shape[1:]
        parts = np.moveaxis(proportions, 0, -1)
        parts = parts.reshape(*parts.shape[:-1], rows, cells - 1)
        ordered = np.ones((*parts.shape[:-1], cells))
        np.cumprod(1 - parts, axis=-1, out=ordered[..., 1:])
        ordered[..., :-1] *= parts
        places = self._places[slices]
        places = places.reshape((1,) * (ordered.ndim - places.ndim) + places.shape)
        return np.take_along_axis(ordered, places, axis=-1)

    @cached_property
    def _places(self) -> NDArray[np.intp]:
        return np.argsort(self.order, axis=-1)


@dataclass(frozen=True)
class ClassRows:
    """The rows of the matrices of several slices, and the class sizes where the classifier runs.

    Attributes
    ----------
    rows
        What happens to the instances of each class: a row for each.
    shares
        Share of each class that stands for what is known, of the shape (slices, classes).
    sampled
        Counts of the classes from which the shares are estimated, or the belief; None where the
        shares are known exactly.
    totals
        Number of instances of each slice there, of the shape (slices,).
    """

    rows: ConditionalBinomials
    shares: Array
    sampled: ConditionalBinomials | None
    totals: Array

    @classmethod
    def at(
        cls,
        rows: ConditionalBinomials,
        at: Prevalence,
        labels: Sequence[Any],
        totals: Array | None = None,
    ) -> ClassRows:
        """The rows where `at` says.

        Parameters
        ----------
        rows
            Observed instances of each class.
        at
            Where the classifier runs.
        labels
            The names of the classes.
        totals
            Number of instances of each slice there; that of those observed where None.

        Raises
        ------
        ValueError
            If the names in `at` are not those of the classes, or its kind is one of two classes.
        """
        sizes, numbers = rows.counts.sum(axis=-1), at.for_classes(labels)
        totals = sizes.sum(axis=-1) if totals is None else totals
        counts = np.broadcast_to(sizes if numbers is None else numbers, sizes.shape)
        shares = counts / counts.sum(axis=-1, keepdims=True)
        if at.kind in ("stated", "test set"):
            return cls(rows, shares, None, totals)
        counts = counts[:, np.newaxis]
        order = np.argsort(-counts, axis=-1, kind="stable")
        sampled = ConditionalBinomials(counts, order, believed=at.kind == "believed")
        return cls(rows, shares, sampled, totals)

    @cached_property
    def proportions(self) -> Proportions:
        """All binomials: those of the rows above those of the class sizes."""
        own = self.rows.proportions
        return own if self.sampled is None else own.beside(self.sampled.proportions)

    def parts(self, proportions: Array, slices: Rows) -> tuple[Array, Array]:
        """The shares within each row, (..., slices, classes, cells), and the number of instances of
        each class, (..., slices, classes)."""
        own = len(self.rows.proportions.hits)
        within = self.rows.shares(proportions[:own], slices)
        if self.sampled is None:
            shares = self.shares[slices]
        else:
            shares = self.sampled.shares(proportions[own:], slices)[..., 0, :]
        return within, np.maximum(shares, RAREST) * self.totals[slices, np.newaxis]

    def matrices(self, proportions: Array, slices: Rows) -> MulticlassConfusionMatrix:
        """The matrices with these proportions, of the shape (..., slices)."""
        return MulticlassConfusionMatrix.from_rates(*self.parts(proportions, slices))


def hits_first(counts: Array) -> NDArray[np.intp]:
    """The order of the cells of each row: hits, then the other classes, commonest first."""
    sizes = counts.sum(axis=-1)
    classes = counts.shape[-1]
    keys = np.repeat(-sizes[:, np.newaxis], classes, axis=1)
    keys[:, np.arange(classes), np.arange(classes)] = -np.inf
    return np.argsort(keys, axis=-1, kind="stable")


def observed_rows(
    matrix: MulticlassConfusionMatrix, at: Prevalence, total: float | None = None
) -> ClassRows:
    """The rows of one observed matrix where `at` says, for `total` instances there."""
    counts = matrix.counts[np.newaxis]
    totals = None if total is None else np.array([float(total)])
    rows = ConditionalBinomials(counts, hits_first(counts))
    return ClassRows.at(rows, at, matrix.labels, totals)


def measure_at(
    measure: Formula, matrix: MulticlassConfusionMatrix, at: Prevalence, total: float | None = None
) -> float:
    """A measure of one matrix at the prevalences that `at` stands for.

    It is NaN at other prevalences than the matrix's own where a class is empty, for then its rates
    are unknown.
    """
    numbers = at.for_classes(matrix.labels)
    if numbers is None and total is None:
        return float(measure(matrix))
    sizes = matrix.class_sizes if numbers is None else numbers
    sizes = np.maximum(sizes / sizes.sum(), RAREST) * (matrix.total if total is None else total)
    rates = matrix.rates.counts
    return float(measure(MulticlassConfusionMatrix.from_rates(rates, sizes, labels=matrix.labels)))


def check_measure_total(
    measure: Measure, matrix: MulticlassConfusionMatrix, at: Prevalence, total: float | None
) -> None:
    """Refuse a number of instances that is none, or missing for a measure that depends on it.

    Raises
    ------
    ValueError
        It names the measure.
    """
    if total is not None:
        expect_number("total", total, above=0)
    elif at.elsewhere and total_matters(measure, matrix):
        raise ValueError(
            f"total = None: expected the number of instances {at.where}, on which {measure.key}"
            " depends"
        )


def total_matters(measure: Formula, matrix: MulticlassConfusionMatrix) -> bool:
    """Whether a measure changes as all counts of a matrix, each with 1 added, double."""
    counts = matrix.counts + 1
    once, twice = (float(measure(MulticlassConfusionMatrix(by * counts))) for by in (1, 2))
    return not np.isclose(once, twice, rtol=1e-9, atol=1e-9, equal_nan=True)


def check_observed_classes(matrix: MulticlassConfusionMatrix, name: str = "the matrix") -> None:
    """Refuse what is not one matrix of observed instances of every class.

    Raises
    ------
    ValueError
        If the matrix is projected or has a shape; if a class is empty, or has fewer or more
        instances than the posterior of a rate has digits for.
    """
    if matrix.origin is not None:
        raise ValueError(
            f"{name} is projected to {matrix.origin.at}: expected counts of instances that were"
            " observed"
        )
    if matrix.counts.ndim > 2:
        raise ValueError(f"{name} has the shape {matrix.counts.shape[:-2]}: expected one matrix")
    for label, size in zip(matrix.labels, matrix.class_sizes.tolist(), strict=True):
        if size == 0:
            raise ValueError(
                f"{name} has no instances of the class {shown(label)}: expected instances of each"
            )
        if not 1 / MOST_INSTANCES <= size <= MOST_INSTANCES:
            raise ValueError(
                f"{name} has {size:g} instances of the class {shown(label)}: expected"
                f" {1 / MOST_INSTANCES:g} to {MOST_INSTANCES:g}"
            )
