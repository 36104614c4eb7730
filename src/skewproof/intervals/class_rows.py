"""Rows of a confusion matrix of many classes as binomials, with the uncertainty of each share.

A row counts the instances of a true class by the predicted class, a multinomial distribution. It is
the same as a sequence of binomials: the hits among all, then the instances taken for the commonest
other class among the misses, then those taken for the next one among the rest. These binomials are
independent, so that :func:`~.extremes.extremes` searches the ball of all their deviations.
Uncertain class sizes are another such sequence, from the commonest class on.

The order matters most for a row without a miss: its possible misses go to the commonest class
first. No Dirichlet prior does as well: with many classes it adds many small counts to a row of few.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skewproof.core.algebra import Array
from skewproof.core.arguments import expect, expect_number
from skewproof.core.messages import shortened, shown
from skewproof.intervals.deviations import MOST_INSTANCES, PRIOR
from skewproof.intervals.extremes import Function, Gradient, Proportions, Rows
from skewproof.multiclass.declaration import Formula, Measure
from skewproof.multiclass.matrix import MulticlassConfusionMatrix
from skewproof.prevalence.class_bins import ClassBins
from skewproof.prevalence.prevalence import RAREST, Prevalence

WORTH = "its effective_counts"
"""Counts to pass in place of sums of weights, in messages."""

NOT_COUNTED = 1e-12
"""Stand-in for a count of 0 that nobody observed, which has deviations to both sides."""

MOST_CELLS = 2_000_000
"""Most cells of matrices that are evaluated at once for derivatives."""

STEP = 1e-7
"""Share of a class over which a derivative is taken."""


@dataclass(frozen=True)
class ConditionalBinomials:
    """Multinomial counts of several slices as binomials: each cell among itself and later ones.

    Attributes
    ----------
    counts
        Counts, shape (slices, rows, cells).
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
        """The binomials, shape (rows * (cells - 1), slices)."""
        ordered = np.take_along_axis(self.counts, self.order, axis=-1)
        later = np.cumsum(ordered[..., ::-1], axis=-1)[..., -2::-1]
        hits, misses = (part.reshape(len(part), -1).T for part in (ordered[..., :-1], later))
        empty = hits + misses == 0
        shares = np.divide(hits, hits + misses, out=np.full_like(hits, 1 / 2), where=~empty)
        if self.believed:
            hits, misses = hits - PRIOR, misses - PRIOR
            hits, misses = (np.where(part == 0, NOT_COUNTED, part) for part in (hits, misses))
        else:
            hits, misses = (np.where(empty, NOT_COUNTED, part) for part in (hits, misses))
        return Proportions(hits, misses, shares)

    def shares(self, proportions: Array, slices: Rows) -> Array:
        """Return the cells' shares of their row, shape (..., slices, rows, cells).

        Parameters
        ----------
        proportions
            Proportions, shape (rows * (cells - 1), ..., slices).
        slices
            The slices that the last axis holds.
        """
        parts = self._parts(proportions)
        ordered = np.ones((*parts.shape[:-1], parts.shape[-1] + 1))
        np.cumprod(1 - parts, axis=-1, out=ordered[..., 1:])
        ordered[..., :-1] *= parts
        return _taken(ordered, np.argsort(self.order, axis=-1)[slices])

    def slopes(self, proportions: Array, slices: Rows, by_share: Array) -> Array:
        """Convert derivatives by the shares to derivatives by the proportions, of their shape.

        Parameters
        ----------
        proportions, slices
            As for `shares`.
        by_share
            The derivatives by the shares, shape (..., slices, rows, cells).
        """
        parts, by_cell = self._parts(proportions), _taken(by_share, self.order[slices])
        ahead = np.ones_like(parts)
        np.cumprod(1 - parts[..., :-1], axis=-1, out=ahead[..., 1:])
        later, by_part = by_cell[..., -1], np.empty_like(parts)
        for position in range(parts.shape[-1] - 1, -1, -1):
            # The gain of a cell is taken from the later ones.
            gain = by_cell[..., position] - later
            by_part[..., position] = ahead[..., position] * gain
            later = later + parts[..., position] * gain
        return np.moveaxis(by_part.reshape(*by_part.shape[:-2], -1), -1, 0)

    def _parts(self, proportions: Array) -> Array:
        """Return the proportions with the shape (..., slices, rows, cells - 1)."""
        rows, cells = self.counts.shape[1:]
        parts = np.moveaxis(proportions, 0, -1)
        return parts.reshape(*parts.shape[:-1], rows, cells - 1)


def _taken(cells: Array, order: NDArray[np.intp]) -> Array:
    """Reorder cells of the shape (..., slices, rows, cells), with an order for each slice."""
    order = order.reshape((1,) * (cells.ndim - order.ndim) + order.shape)
    return np.take_along_axis(cells, order, axis=-1)


@dataclass(frozen=True)
class ClassRows:
    """Rows of the matrices of several slices, and the class sizes where the classifier runs.

    Attributes
    ----------
    rows
        Predictions of the instances of each class, a row for each.
    shares
        Share of each class as a single number, shape (slices, classes).
    sampled
        Counts of the classes from which the shares are estimated, or the belief; None if the shares
        are known exactly.
    totals
        Number of instances of each slice there, shape (slices,).
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
        sampled: Array | None = None,
    ) -> ClassRows:
        """Build the rows for the prevalence `at`.

        Parameters
        ----------
        rows
            Observed instances of each class.
        at
            Prevalence where the classifier runs.
        labels
            The names of the classes.
        totals
            Number of instances of each slice there; by default the observed number.
        sampled
            Sizes of the classes in an unweighted sample that tells as much about their shares,
            shape (slices, classes); by default those of the rows.

        Raises
        ------
        ValueError
            If `at` does not name these classes, or its kind is for two classes only.
        """
        sizes = rows.counts.sum(axis=-1) if sampled is None else sampled
        numbers = at.for_classes(labels)
        totals = sizes.sum(axis=-1) if totals is None else totals
        counts = np.broadcast_to(sizes if numbers is None else numbers, sizes.shape)
        shares = counts / counts.sum(axis=-1, keepdims=True)
        if at.is_exact:
            return cls(rows, shares, None, totals)
        counts = counts[:, np.newaxis]
        order = np.argsort(-counts, axis=-1, kind="stable")
        drawn = ConditionalBinomials(counts, order, believed=at.is_belief)
        return cls(rows, shares, drawn, totals)

    @cached_property
    def proportions(self) -> Proportions:
        """All binomials: those of the rows above those of the class sizes."""
        rows = self.rows.proportions
        return rows if self.sampled is None else rows.beside(self.sampled.proportions)

    def parts(self, proportions: Array, slices: Rows) -> tuple[Array, Array]:
        """Return the shares within each row and the number of instances of each class.

        Their shapes are (..., slices, classes, cells) and (..., slices, classes).
        """
        in_rows = len(self.rows.proportions.hits)
        within = self.rows.shares(proportions[:in_rows], slices)
        if self.sampled is None:
            shares = self.shares[slices]
        else:
            shares = self.sampled.shares(proportions[in_rows:], slices)[..., 0, :]
        sizes = np.maximum(shares, RAREST) * self.totals[slices, np.newaxis]
        return within, np.broadcast_to(sizes, within.shape[:-1])

    def value(self, measure: Formula) -> Function:
        """Return a measure of these rows as a function of the proportions."""

        def of_proportions(proportions: Array, slices: Rows) -> Array:
            return measure(MulticlassConfusionMatrix.from_rates(*self.parts(proportions, slices)))

        return of_proportions

    def gradient(self, measure: Formula) -> Gradient:
        """Return the function of `value` with its derivatives."""

        def of_proportions(proportions: Array, slices: Rows) -> tuple[Array, Array]:
            rates, sizes = self.parts(proportions, slices)
            derivatives = with_derivatives(measure, rates, sizes)
            return derivatives.values, self.slopes(
                proportions, slices, derivatives.by_rate, derivatives.by_size
            )

        return of_proportions

    def slopes(self, proportions: Array, slices: Rows, by_share: Array, by_size: Array) -> Array:
        """Convert derivatives by the results of `parts` to derivatives by the proportions."""
        in_rows = len(self.rows.proportions.hits)
        of_rows = self.rows.slopes(proportions[:in_rows], slices, by_share)
        if self.sampled is None:
            return of_rows
        by_class = (by_size * self.totals[slices, np.newaxis])[..., np.newaxis, :]
        of_sizes = self.sampled.slopes(proportions[in_rows:], slices, by_class)
        return np.concatenate([of_rows, of_sizes])


class PairedRows(ClassRows):
    """Rows of the pairs of answers of two models, with C**2 cells: (answer of first, of second).

    Values are differences of the models, the second less the first.
    """

    def value(self, measure: Formula) -> Function:
        """Return the difference in a measure as a function of the proportions."""

        def of_proportions(proportions: Array, slices: Rows) -> Array:
            pairs, sizes = self.parts(proportions, slices)
            first, second = (
                measure(MulticlassConfusionMatrix.from_rates(rates, sizes))
                for rates in _of_models(pairs)
            )
            return second - first

        return of_proportions

    def gradient(self, measure: Formula) -> Gradient:
        """Return the function of `value` with its derivatives."""

        def of_proportions(proportions: Array, slices: Rows) -> tuple[Array, Array]:
            pairs, sizes = self.parts(proportions, slices)
            first, second = (with_derivatives(measure, rates, sizes) for rates in _of_models(pairs))
            by_pair = second.by_rate[..., np.newaxis, :] - first.by_rate[..., np.newaxis]
            by_size = second.by_size - first.by_size
            slopes = self.slopes(proportions, slices, by_pair.reshape(pairs.shape), by_size)
            return second.values - first.values, slopes

        return of_proportions


def _of_models(pairs: Array) -> tuple[Array, Array]:
    """Return the rates of both models, shape (..., C, C), from shares, shape (..., C, C**2)."""
    classes = pairs.shape[-2]
    answers = pairs.reshape(*pairs.shape[:-1], classes, classes)
    return answers.sum(axis=-1), answers.sum(axis=-2)


class Derivatives(NamedTuple):
    """Values of a measure, shape (...), with its derivatives."""

    values: Array
    by_rate: Array
    """The derivatives by the rates, shape (..., C, C)."""
    by_size: Array
    """The derivatives by the class sizes, shape (..., C)."""


def with_derivatives(measure: Formula, rates: Array, sizes: Array) -> Derivatives:
    """Compute a measure with its derivatives, which are differences over `STEP` of a class.

    Parameters
    ----------
    measure
        The measure.
    rates, sizes
        As for :meth:`skewproof.MulticlassConfusionMatrix.from_rates`.
    """
    classes = sizes.shape[-1]
    counts, steps = rates * sizes[..., np.newaxis], STEP * sizes
    values = measure(MulticlassConfusionMatrix(counts))
    by_count = np.empty_like(counts)
    rows_at_once = max(1, MOST_CELLS // (counts.size * classes))
    for start in range(0, classes, rows_at_once):
        rows = slice(start, start + rows_at_once)
        unit_cells = np.eye(classes**2).reshape(classes, classes, classes, classes)[rows]
        moved = steps[..., rows, np.newaxis, np.newaxis, np.newaxis] * unit_cells
        moved += counts[..., np.newaxis, np.newaxis, :, :]
        changes = measure(MulticlassConfusionMatrix(moved)) - values[..., np.newaxis, np.newaxis]
        by_count[..., rows, :] = changes / steps[..., rows, np.newaxis]
    by_size = (by_count * rates).sum(axis=-1)
    return Derivatives(values, by_count * sizes[..., np.newaxis], by_size)


def hits_first(counts: Array) -> NDArray[np.intp]:
    """Order the cells of each row: hits, then the other classes, commonest first.

    Parameters
    ----------
    counts
        Counts, shape (slices, classes, classes).
    """
    return np.argsort(_ranks(counts.sum(axis=-1)), axis=-1)


def pairs_of_hits_first(counts: Array) -> NDArray[np.intp]:
    """Order pairs of answers in each row: both hits, then a single one, then none.

    Parameters
    ----------
    counts
        Counts, shape (slices, classes, classes**2).
    """
    ranks = _ranks(counts.sum(axis=-1))
    classes = ranks.shape[-1]
    first, second = ranks[..., np.newaxis], ranks[..., np.newaxis, :]
    misses = (first > 0).astype(int) + (second > 0)
    keys = 2 * classes * misses + first + second
    return np.argsort(keys.reshape(counts.shape), axis=-1, kind="stable")


def _ranks(sizes: Array) -> NDArray[np.intp]:
    """Rank the answers in each row: 0 for the class itself, then by class size.

    The shape is (slices, classes, classes).
    """
    classes = sizes.shape[-1]
    keys = np.repeat(-sizes[:, np.newaxis], classes, axis=1)
    keys[:, np.arange(classes), np.arange(classes)] = -np.inf
    return np.argsort(np.argsort(keys, axis=-1, kind="stable"), axis=-1)


def measure_at(
    measure: Formula, matrix: MulticlassConfusionMatrix, at: Prevalence, total: float | None = None
) -> float:
    """Compute a measure of one matrix at the prevalences that `at` stands for.

    The rates of an empty class are unknown. The measure is NaN if it depends on them.

    Raises
    ------
    ValueError
        If the prevalences were estimated with the rates of another matrix.
    """
    if at.without_labels:
        bins = expect_own_rates(matrix, at)
        there = bins.total if total is None else total
        sizes = np.maximum(np.array(list(at.shares.values())), RAREST) * there
        return float(measure(MulticlassConfusionMatrix.from_rates(matrix.rates.counts, sizes)))
    numbers = at.for_classes(matrix.labels)
    if numbers is None and total is None:
        return float(measure(matrix))
    sizes = matrix.class_sizes if numbers is None else numbers
    absent = (sizes == 0) & (matrix.class_sizes == 0)
    sizes = np.maximum(sizes / sizes.sum(), RAREST) * (matrix.total if total is None else total)
    rates = np.where(absent[:, np.newaxis], 0.0, matrix.rates.counts)
    return float(measure(MulticlassConfusionMatrix.from_rates(rates, sizes, labels=matrix.labels)))


def check_measure_total(
    measure: Measure, matrix: MulticlassConfusionMatrix, at: Prevalence, total: float | None
) -> None:
    """Refuse an invalid number of instances, or a missing one for a measure that depends on it.

    Raises
    ------
    ValueError
        If so; the message names the measure.
    """
    if total is not None:
        expect_number("total", total, above=0)
    elif at.elsewhere and not at.without_labels and total_matters(measure, matrix):
        raise ValueError(
            f"total = None: expected the number of instances {at.where}, on which {measure.key}"
            " depends"
        )


def expect_own_rates(matrix: MulticlassConfusionMatrix, at: Prevalence) -> ClassBins:
    """Refuse any matrix other than the reference with which prevalences were estimated.

    Returns
    -------
    Predictions of the reference and of the unlabeled instances.

    Raises
    ------
    ValueError
        If it is another one, or `at` has no reference; the message says which.
    """
    expected = "prevalences of classes by name"
    expect(at.class_estimate is not None, "at", at.where, expected)
    assert at.class_estimate is not None
    bins = at.class_estimate.bins
    same = bins.classes == tuple(matrix.labels) and np.array_equal(bins.matrix, matrix.counts)
    message = "the prevalence's own reference, since both are estimated together"
    expect(same, "matrix", matrix, message)
    return bins


def total_matters(measure: Formula, matrix: MulticlassConfusionMatrix) -> bool:
    """Return whether a measure changes when all counts of a matrix, each plus 1, double."""
    counts = matrix.counts + 1
    once, twice = (float(measure(MulticlassConfusionMatrix(by * counts))) for by in (1, 2))
    return not np.isclose(once, twice, rtol=1e-9, atol=1e-9, equal_nan=True)


def unobserved_classes(matrix: MulticlassConfusionMatrix) -> str:
    """State in a sentence which classes have no instances, or return an empty text."""
    empty = [
        shown(label)
        for label, size in zip(matrix.labels, matrix.class_sizes.tolist(), strict=True)
        if size == 0
    ]
    if not empty:
        return ""
    named = shortened(", ".join(empty), 200)
    if len(empty) == 1:
        return f"No instance of the class {named} was observed: its rates are unknown."
    return f"No instances of the classes {named} were observed: their rates are unknown."


def check_observed_classes(
    matrix: MulticlassConfusionMatrix, name: str = "the matrix", *, every: bool = True
) -> None:
    """Refuse anything but one matrix of observed instances.

    Parameters
    ----------
    matrix
        The matrix.
    name
        Its name in a message.
    every
        Whether an empty class is refused.

    Raises
    ------
    ValueError
        If the matrix is projected, has sums of weights or a shape; if it or a class is empty, or a
        class has so few or so many instances that quantiles lose digits.
    """
    if matrix.origin is not None:
        raise ValueError(
            f"{name} is projected to {matrix.origin.at}: expected counts of instances that were"
            " observed"
        )
    if matrix.effective is not None:
        raise ValueError(f"{name} has sums of weights: expected counts, such as {WORTH}")
    if matrix.counts.ndim > 2:
        raise ValueError(f"{name} has the shape {matrix.counts.shape[:-2]}: expected one matrix")
    if not matrix.class_sizes.any():
        raise ValueError(f"{name} has no instances: expected at least one")
    for label, size in zip(matrix.labels, matrix.class_sizes.tolist(), strict=True):
        if size == 0:
            if not every:
                continue
            raise ValueError(
                f"{name} has no instances of the class {shown(label)}: expected instances of each"
            )
        if not 1 / MOST_INSTANCES <= size <= MOST_INSTANCES:
            raise ValueError(
                f"{name} has {size:g} instances of the class {shown(label)}: expected"
                f" {1 / MOST_INSTANCES:g} to {MOST_INSTANCES:g}"
            )
