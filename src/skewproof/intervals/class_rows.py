"""Rows of a confusion matrix as binomials, with the uncertainty of each share.

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
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, logit

from skewproof.core.algebra import Array
from skewproof.core.arguments import expect, expect_number
from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.messages import shortened, shown
from skewproof.core.metric import Metric
from skewproof.intervals.deviations import MOST_INSTANCES, PRIOR
from skewproof.intervals.estimates import Grouping
from skewproof.intervals.extremes import (
    Extremes,
    Function,
    Gradient,
    Proportions,
    Rows,
    extremes,
    spread,
)
from skewproof.intervals.grouped.effective_numbers import grouped_shares
from skewproof.multiclass.against_rest import matrix_of_two
from skewproof.multiclass.declaration import Formula, Measure, total_matters
from skewproof.multiclass.matrix import MulticlassConfusionMatrix
from skewproof.prevalence.prevalence import RAREST, Estimated, Prevalence

WORTH = "its effective_counts"
"""Counts to pass in place of sums of weights, in messages."""

OWN_REFERENCE = "the prevalence's own reference, since both are estimated together"
"""Expected matrix if prevalences were estimated with its rates, in messages."""

NOT_COUNTED = 1e-12
"""Stand-in for a count of 0 that nobody observed, which has deviations to both sides."""

MOST_CELLS = 2_000_000
"""Most cells of matrices that are evaluated at once for derivatives."""

STEP = 1e-5
"""Share of a cell over which a derivative is taken."""

LEAST_STEP = 1e-10
"""Share of a class over which a derivative is taken if the cell is empty."""


class Estimates(NamedTuple):
    """A measure of many slices with the ends of its intervals, in arrays of the shape (slices,)."""

    values: Array
    low: Array
    high: Array

    undefined: NDArray[np.bool_]
    """True if the measure is undefined at some of the examined rates."""


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
    dirichlet
        Whether the posterior of a row is the Dirichlet distribution with 1/2 added to each count.
        If not, each binomial has Jeffreys' prior.
    effective
        Effective numbers of instances of the binomials, shape (rows * (cells - 1), slices); None if
        all instances are independent.
    """

    counts: Array
    order: NDArray[np.intp]
    believed: bool = False
    dirichlet: bool = False
    effective: Array | None = None

    def at(self, slices: Rows) -> ConditionalBinomials:
        """Return the binomials of some slices."""
        effective = None if self.effective is None else self.effective[:, slices]
        return replace(
            self, counts=self.counts[slices], order=self.order[slices], effective=effective
        )

    @cached_property
    def _precise_order(self) -> NDArray[np.intp]:
        """The order, with the smaller of the last two cells first.

        The binomial of these two has the same deviations in either direction. The second share is a
        difference from 1, which would leave few digits of a small one.
        """
        order = self.order.copy()
        last = np.take_along_axis(self.counts, order[..., -2:], axis=-1)
        reverse = last[..., 0] > last[..., 1]
        order[reverse, -2:] = order[reverse, :-3:-1]
        return order

    @cached_property
    def _ranks(self) -> NDArray[np.intp]:
        """The position of each cell in this order."""
        return np.argsort(self._precise_order, axis=-1)

    @cached_property
    def proportions(self) -> Proportions:
        """The binomials, shape (rows * (cells - 1), slices)."""
        hits, misses = self.split(self.counts, self._precise_order)
        empty = hits + misses == 0
        shares = np.divide(hits, hits + misses, out=np.full_like(hits, 1 / 2), where=~empty)
        if self.effective is not None:
            hits, misses = self.effective * shares, self.effective * (1 - shares)
        if self.believed:
            hits, misses = hits - PRIOR, misses - PRIOR
            hits, misses = (np.where(part == 0, NOT_COUNTED, part) for part in (hits, misses))
        else:
            hits, misses = (np.where(empty, NOT_COUNTED, part) for part in (hits, misses))
        if self.dirichlet:
            rows, cells = self.counts.shape[1:]
            # The binomial adds 1/2 for one of its later cells.
            misses += PRIOR * np.tile(np.arange(cells - 2, -1, -1), rows)[:, np.newaxis]
        return Proportions(hits, misses, shares)

    @staticmethod
    def split(counts: Array, order: NDArray[np.intp]) -> tuple[Array, Array]:
        """Return hits and misses of binomials in an order, shape (rows * (cells - 1), slices)."""
        ordered = np.take_along_axis(counts, order, axis=-1)
        later = np.cumsum(ordered[..., ::-1], axis=-1)[..., -2::-1]
        hits, misses = (part.reshape(len(part), -1).T for part in (ordered[..., :-1], later))
        return hits, misses

    def of_groups(self, slice_: int, by_group: Array) -> tuple[Array, Array]:
        """Return the hits and sizes of one slice's binomials in each group.

        Parameters
        ----------
        slice_
            The number of the slice.
        by_group
            Counts, shape (groups, rows, cells).
        """
        order = np.broadcast_to(self._precise_order[slice_], by_group.shape)
        hits, misses = self.split(by_group, order)
        return hits.T, (hits + misses).T

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
        return _taken(ordered, self._ranks[slices])

    def draw(self, number: int, random: np.random.Generator) -> Array:
        """Draw the cells' shares from the posterior, shape (number, slices, rows, cells)."""
        hits, misses = self.proportions.hits, self.proportions.misses
        shape = len(hits), number, len(self.counts)
        parts = random.beta(hits[:, np.newaxis] + PRIOR, misses[:, np.newaxis] + PRIOR, shape)
        return self.shares(parts, np.arange(len(self.counts)))

    def slopes(self, proportions: Array, slices: Rows, by_share: Array) -> Array:
        """Convert derivatives by the shares to derivatives by the proportions, of their shape.

        Parameters
        ----------
        proportions, slices
            As for `shares`.
        by_share
            The derivatives by the shares, shape (..., slices, rows, cells).
        """
        parts, by_cell = self._parts(proportions), _taken(by_share, self._precise_order[slices])
        ahead = np.ones_like(parts)
        np.cumprod(1 - parts[..., :-1], axis=-1, out=ahead[..., 1:])
        later, by_part = by_cell[..., -1], np.empty_like(parts)
        for position in range(parts.shape[-1] - 1, -1, -1):
            # The gain of a cell is taken from the later ones.
            gain = by_cell[..., position] - later
            by_part[..., position] = ahead[..., position] * gain
            later = later + parts[..., position] * gain
        slopes = by_part.reshape(*by_part.shape[:-2], -1)
        return slopes.transpose(slopes.ndim - 1, *range(slopes.ndim - 1))

    def _parts(self, proportions: Array) -> Array:
        """Reshape the proportions to (..., slices, rows, cells - 1)."""
        rows, cells = self.counts.shape[1:]
        parts = proportions.transpose(*range(1, proportions.ndim), 0)
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
    points
        Prevalences of the first of two classes that stand for a range; None unless just a range is
        known, whose middle is then in `shares`.
    correlation
        Correlations of the deviations of `proportions` if instances stand in groups, shape
        (proportions, proportions, slices); None if instances are independent.
    """

    orders: ClassVar[int] = 1
    """Number of orders of the cells in which each slice stands here."""

    rows: ConditionalBinomials
    shares: Array
    sampled: ConditionalBinomials | None
    totals: Array
    points: Array | None = field(default=None, kw_only=True)
    correlation: Array | None = field(default=None, kw_only=True)

    @classmethod
    def at(
        cls,
        counts: Array,
        at: Prevalence,
        classes: Sequence[Any],
        totals: Array | None = None,
        sampled: Array | None = None,
        by_group: Sequence[Array] | None = None,
        confidence: float = 0.95,
    ) -> Self:
        """Build the rows for the prevalence `at`.

        Parameters
        ----------
        counts
            Observed instances of each class, shape (slices, classes, cells).
        at
            Prevalence where the classifier runs.
        classes
            The names of the classes; `TWO_CLASSES` for a positive and a negative one.
        totals
            Number of instances of each slice there; by default the observed number.
        sampled
            Sizes of the classes in an unweighted sample that tells as much about their shares,
            shape (slices, classes); by default those of the rows.
        by_group
            Counts of each slice by group, (groups, classes, cells), if instances stand in groups.
        confidence
            Level of the intervals in which groups have their worth.

        Raises
        ------
        ValueError
            If `at` does not name these classes.
        """
        counts = np.concatenate([counts] * cls.orders)
        totals, sampled = (
            part if part is None else np.concatenate([part] * cls.orders)
            for part in (totals, sampled)
        )
        by_group = None if by_group is None else [*by_group] * cls.orders
        rows = cls._binomials(counts)
        sizes = counts.sum(axis=-1) if sampled is None else sampled
        numbers = at.for_classes(classes)
        totals = sizes.sum(axis=-1) if totals is None else totals
        known = np.broadcast_to(sizes if numbers is None else numbers, sizes.shape).astype(float)
        shares = known / known.sum(axis=-1, keepdims=True)
        if at.is_exact or at.ends:
            points = np.array(at.points(None)) if at.ends else None
            built = cls(rows, shares, None, totals, points=points)
        else:
            known = known[:, np.newaxis]
            order = np.argsort(-known, axis=-1, kind="stable")
            drawn = ConditionalBinomials(known, order, believed=at.is_belief)
            built = cls(rows, shares, drawn, totals)
        return built if by_group is None else built.grouped(by_group, confidence, numbers is None)

    @staticmethod
    def _binomials(counts: Array) -> ConditionalBinomials:
        return ConditionalBinomials(counts, hits_first(counts))

    @cached_property
    def proportions(self) -> Proportions:
        """All binomials: those of the rows above those of the class sizes."""
        rows = self.rows.proportions
        if self.sampled is not None:
            rows = rows.beside(self.sampled.proportions)
        return replace(rows, correlation=self.correlation)

    def grouped(self, by_group: Sequence[Array], confidence: float, own_sizes: bool) -> Self:
        """Return the rows with what groups are worth; `own_sizes` tells if classes are theirs."""
        if all(float(counts.sum(axis=(1, 2)).max()) <= 1 for counts in by_group):
            return self
        sizes = self.sampled if own_sizes else None
        shares = []
        for position, counts in enumerate(by_group):
            parts = [self.rows.of_groups(position, counts)]
            if sizes is not None:
                parts.append(sizes.of_groups(position, counts.sum(axis=-1)[:, np.newaxis]))
            hits, totals = (np.concatenate(part, axis=1) for part in zip(*parts, strict=True))
            shares.append(grouped_shares(hits, totals, confidence))
        effective = np.stack([share.effective for share in shares], axis=1)
        known = np.stack([share.correlation for share in shares], axis=2)
        in_rows, every = len(self.rows.proportions.hits), len(self.proportions.hits)
        rows, sampled = replace(self.rows, effective=effective[:in_rows]), self.sampled
        if sizes is not None:
            sampled = replace(sizes, effective=effective[in_rows:])
        correlation = np.repeat(np.eye(every)[..., np.newaxis], len(shares), axis=2)
        correlation[: len(known), : len(known)] = known
        return replace(self, rows=rows, sampled=sampled, correlation=correlation)

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

    def estimates(self, measure: Formula, radius: float) -> Estimates:
        """Compute a measure of each slice, with the ends of its interval.

        Over a range of prevalences these are the ends of the envelope: extremes are found at points
        of the range, and again near the best.

        Parameters
        ----------
        measure
            The measure.
        radius
            Radius of the ball of deviations.
        """
        function, proportions = self.value(measure), self.proportions
        values = function(proportions.observed, proportions.slices)
        if self.points is not None:
            low, high, undefined = self._envelope(measure, radius, logit(self.points))
        else:
            low, high, undefined = extremes(function, proportions, radius, self.gradient(measure))
        return Estimates(values, np.fmin(low, values), np.fmax(high, values), undefined)

    def _envelope(self, measure: Formula, radius: float, points: Array) -> Extremes:
        """Find extremes over a range of prevalences, given log odds of it."""

        def extremes_at(log_odds: Array) -> Extremes:
            """Find extremes at log odds of the shape (slices, points)."""
            rows = self.at_prevalences(expit(log_odds))
            span = extremes(rows.value(measure), rows.proportions, radius, rows.gradient(measure))
            shape = log_odds.shape
            return Extremes(
                span.low.reshape(shape), span.high.reshape(shape), span.undefined.reshape(shape)
            )

        def near(best: Array) -> Array:
            below, above = np.maximum(best - 1, 0), np.minimum(best + 1, len(points) - 1)
            return np.linspace(points[below], points[above], len(points), axis=1)

        coarse = extremes_at(np.tile(points, (len(self.totals), 1)))
        lows = np.where(np.isnan(coarse.low), np.inf, coarse.low)
        highs = np.where(np.isnan(coarse.high), -np.inf, coarse.high)
        return Extremes(
            np.fmin.reduce(extremes_at(near(lows.argmin(axis=1))).low, axis=1),
            np.fmax.reduce(extremes_at(near(highs.argmax(axis=1))).high, axis=1),
            np.any(coarse.undefined, axis=1),
        )

    def at_prevalences(self, first: Array) -> Self:
        """Return the rows of each slice at several prevalences of the first of two classes.

        Parameters
        ----------
        first
            The prevalences, shape (slices, points).
        """
        slices = np.repeat(np.arange(len(self.totals)), first.shape[1])
        shares = np.stack([first.ravel(), 1 - first.ravel()], axis=-1)
        return replace(self.of_slices(slices), shares=shares, points=None)

    def of_slices(self, slices: Rows) -> Self:
        """Return the rows of some slices."""
        return replace(
            self,
            rows=self.rows.at(slices),
            shares=self.shares[slices],
            sampled=None if self.sampled is None else self.sampled.at(slices),
            totals=self.totals[slices],
            correlation=None if self.correlation is None else self.correlation[..., slices],
        )

    def widened(self, factors: Array) -> Self:
        """Return grouped rows whose rates have larger variances, by factors (slices, classes)."""
        assert self.rows.effective is not None
        by_binomial = np.repeat(factors, factors.shape[-1] - 1, axis=-1).T
        rows = replace(self.rows, effective=self.rows.effective / by_binomial)
        return replace(self, rows=rows)

    def grouping(self, measure: Formula, by_group: Array | None) -> Grouping | None:
        """Describe the groups of a single slice, and what they are worth for a measure."""
        if by_group is None:
            return None
        effect = float(self.design_effects(measure).mean())
        return Grouping(len(by_group), float(by_group.sum()), effect)

    def design_effects(self, measure: Formula) -> Array:
        """Compute what groups do to the variance of a measure, shape (slices,); 1 without groups.

        It is the ratio of the variances of the measure's linearization, with the corrections for
        few groups.
        """
        if self.correlation is None:
            return np.ones(len(self.totals))
        without = None if self.sampled is None else replace(self.sampled, effective=None)
        rows = replace(self.rows, effective=None)
        independent = replace(self, rows=rows, sampled=without, correlation=None)
        grouped, single = (
            spread(of.value(measure), of.proportions, of.gradient(measure))
            for of in (self, independent)
        )
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray((grouped / single) ** 2)

    def value(self, measure: Formula) -> Function:
        """Return a measure of these rows as a function of the proportions."""

        def of_proportions(proportions: Array, slices: Rows) -> Array:
            shares, sizes = self.parts(proportions, slices)
            matrices = (
                MulticlassConfusionMatrix.from_rates(rates, sizes)
                for rates in self.of_models(shares)
            )
            return self.compared(list(map(measure, matrices)))

        return of_proportions

    def gradient(self, measure: Formula) -> Gradient:
        """Return the function of `value` with its derivatives."""

        def of_proportions(proportions: Array, slices: Rows) -> tuple[Array, Array]:
            shares, sizes = self.parts(proportions, slices)
            values, by_rate, by_size = zip(
                *(with_derivatives(measure, rates, sizes) for rates in self.of_models(shares)),
                strict=True,
            )
            by_share = self.by_share(by_rate)
            slopes = self.slopes(proportions, slices, by_share, self.compared(by_size))
            return self.compared(values), slopes

        return of_proportions

    def of_models(self, shares: Array) -> Sequence[Array]:
        """Return the rates of each model, shape (..., C, C), from shares within rows."""
        return [shares]

    def compared(self, values: Sequence[Array]) -> Array:
        """Return what a value of each model comes to."""
        return values[0]

    def by_share(self, by_rate: Sequence[Array]) -> Array:
        """Convert derivatives by the rates of each model to derivatives by the shares."""
        return by_rate[0]

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

    Values are differences of the models, the second less the first. Ends depend on which of the
    models has the first of two cells with a single hit. So each slice stands here twice, the second
    half with the models' cells exchanged, and its interval has the mean of both ends.
    """

    orders = 2

    @staticmethod
    def _binomials(counts: Array) -> ConditionalBinomials:
        slices, classes, cells = counts.shape
        order = pairs_of_hits_first(counts)
        exchanged = np.arange(cells).reshape(classes, classes).T.ravel()
        order[slices // 2 :] = exchanged[order[slices // 2 :]]
        # Without it, intervals of the accuracy of two classes cover .942 at 20:200.
        return ConditionalBinomials(counts, order, dirichlet=classes == 2)

    def estimates(self, measure: Formula, radius: float) -> Estimates:
        """Compute a difference of each slice, with the ends of its interval."""
        values, low, high, undefined = (
            part.reshape(2, -1) for part in super().estimates(measure, radius)
        )
        return Estimates(
            values[0], low.mean(axis=0), high.mean(axis=0), undefined[0] | undefined[1]
        )

    def of_models(self, shares: Array) -> Sequence[Array]:
        """Return the rates of both models, shape (..., C, C), from shares, shape (..., C, C**2)."""
        classes = shares.shape[-2]
        answers = shares.reshape(*shares.shape[:-1], classes, classes)
        return answers.sum(axis=-1), answers.sum(axis=-2)

    def compared(self, values: Sequence[Array]) -> Array:
        """Return the value of the second model less that of the first."""
        with np.errstate(invalid="ignore"):  # inf less inf is NaN
            return values[1] - values[0]

    def by_share(self, by_rate: Sequence[Array]) -> Array:
        """Convert derivatives by the rates of both models to derivatives by the shares."""
        by_pair = self.compared([by_rate[0][..., np.newaxis], by_rate[1][..., np.newaxis, :]])
        return by_pair.reshape(*by_pair.shape[:-2], -1)


class Derivatives(NamedTuple):
    """Values of a measure, shape (...), with its derivatives."""

    values: Array
    by_rate: Array
    """The derivatives by the rates, shape (..., C, C)."""
    by_size: Array
    """The derivatives by the class sizes, shape (..., C)."""


def with_derivatives(measure: Formula, rates: Array, sizes: Array) -> Derivatives:
    """Compute a measure with its derivatives, which are differences over `STEP` of a cell.

    Parameters
    ----------
    measure
        The measure.
    rates, sizes
        As for :meth:`skewproof.MulticlassConfusionMatrix.from_rates`.
    """
    classes = sizes.shape[-1]
    counts = rates * sizes[..., np.newaxis]
    steps = STEP * counts + LEAST_STEP * sizes[..., np.newaxis]
    values = measure(MulticlassConfusionMatrix(counts))
    by_count = np.empty_like(counts)
    rows_at_once = max(1, MOST_CELLS // (counts.size * classes))
    for start in range(0, classes, rows_at_once):
        rows = slice(start, start + rows_at_once)
        unit_cells = np.eye(classes**2).reshape(classes, classes, classes, classes)[rows]
        moved = steps[..., rows, :, np.newaxis, np.newaxis] * unit_cells
        moved += counts[..., np.newaxis, np.newaxis, :, :]
        with np.errstate(invalid="ignore"):  # inf less inf is NaN
            changes = (
                measure(MulticlassConfusionMatrix(moved)) - values[..., np.newaxis, np.newaxis]
            )
        by_count[..., rows, :] = changes / steps[..., rows, :]
    with np.errstate(invalid="ignore"):  # inf times 0 is NaN
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


def row_of(
    at: Prevalence, slices: int, class_sizes: tuple[float, float] = (0.0, 0.0)
) -> Proportions:
    """Return an uncertain prevalence as a proportion, the same for all slices.

    The class sizes are those of the test set, for the prevalence of its population.
    """
    counts = at.counts_behind(*class_sizes)
    assert counts is not None
    share = at.share if at.elsewhere else counts[0] / sum(counts)
    hits, misses, stated = (np.full((1, slices), float(number)) for number in (*counts, share))
    return Proportions(hits, misses, stated)


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
    if at.estimate is not None:
        expect_reference(matrix, at.estimate)
        shares = np.array(list(at.shares.values()))
        sizes = np.maximum(shares, RAREST) * (at.instances if total is None else total)
        return float(measure(MulticlassConfusionMatrix.from_rates(matrix.rates.counts, sizes)))
    numbers = at.for_classes(matrix.labels)
    if numbers is None and total is None:
        return float(measure(matrix))
    sizes = matrix.class_sizes if numbers is None else numbers
    absent = (sizes == 0) & (matrix.class_sizes == 0)
    sizes = np.maximum(sizes / sizes.sum(), RAREST) * (matrix.total if total is None else total)
    rates = np.where(absent[:, np.newaxis], 0.0, matrix.rates.counts)
    return float(measure(MulticlassConfusionMatrix.from_rates(rates, sizes, labels=matrix.labels)))


def expect_reference(matrix: MulticlassConfusionMatrix, at: Estimated) -> None:
    """Refuse any matrix other than the reference with which a prevalence was estimated.

    Raises
    ------
    ValueError
        If it is another one.
    """
    named = at.classes == tuple(matrix.labels)
    same = named and np.array_equal(matrix.counts, at.bins.matrix)
    expect(same, "matrix", matrix, OWN_REFERENCE)


def check_total(
    measure: Metric | Measure, at: Prevalence, total: float | None, classes: int = 2
) -> None:
    """Refuse an invalid number of instances, or a missing one for a measure that depends on it.

    Raises
    ------
    ValueError
        If so; the message names the measure.
    """
    if total is not None:
        expect_number("total", total, above=0)
        return
    if at.elsewhere and not at.without_labels and total_matters(measure, classes):
        raise ValueError(
            f"total = None: expected the number of instances {at.where}, on which {measure.key}"
            " depends"
        )


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


def check_observed(
    matrix: ConfusionMatrix | MulticlassConfusionMatrix,
    name: str = "the matrix",
    *,
    every: bool = True,
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
        If the matrix is projected, one of rates or of sums of weights, or has a shape; if it or a
        class is empty, or a class has so few or so many instances that quantiles lose digits.
    """
    if isinstance(matrix, ConfusionMatrix):
        if matrix.unobserved:
            raise ValueError(
                f"{name} is {matrix.unobserved}: expected counts of instances that were observed"
            )
        matrix = matrix_of_two(matrix)
    expect(isinstance(matrix, MulticlassConfusionMatrix), "matrix", matrix, "a confusion matrix")
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
