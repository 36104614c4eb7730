"""Prevalences, metrics and measures of instances without labels, for any number of classes.

Under label shift the distribution of predictions and scores within each class stays the same, and
only the prevalences change. The predicted classes of the unlabeled instances, or the distribution
of their scores, then determine the prevalences and, with the rates of a labeled reference, any
metric. docs/evidence/unlabeled_coverage.md and docs/evidence/unlabeled_classes.md measure the
coverage of the intervals, and what the checks detect.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache, reduce
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skewproof.core.algebra import Array
from skewproof.core.messages import shortened, shown
from skewproof.intervals.class_rows import (
    ClassRows,
    ConditionalBinomials,
    check_observed,
    hits_first,
    measure_at,
)
from skewproof.intervals.deviations import PRIOR
from skewproof.intervals.estimates import Interval, in_digits_of_width, percent
from skewproof.intervals.extremes import Extremes, Proportions, Rows, extremes, radius_of
from skewproof.intervals.label_shift import (
    NONE,
    REFUSED,
    WARNED,
    fit_of,
    refuse_other_predictions,
)
from skewproof.multiclass.against_rest import TWO_CLASSES
from skewproof.multiclass.declaration import Measure
from skewproof.multiclass.matrix import MulticlassConfusionMatrix
from skewproof.prevalence.mixtures import mixing_shares, mixing_slopes
from skewproof.prevalence.prediction_bins import PredictionBins
from skewproof.prevalence.prevalence import RAREST, Estimated

DRAWS = 4000
"""Number of draws, of which a hundred are beyond each end at a confidence of 0.95."""

SEED = 0

MOST_NAMED = 5
"""Most classes that a sentence names."""

PREVALENCE = "prevalence"
"""Key of the prevalence of the positive class."""

LOOK_ALIKE = 0.01
"""Share of the commonest class that looks like the rarest in the example of a remark."""

SAME_ROWS = (
    "The counts of the unlabeled instances are those of the reference: they may be the same rows,"
    " which tell nothing new."
)
"""Remark on unlabeled instances with the counts of the reference."""

CAUTION = (
    "No check can confirm the estimate: instances of a class that look like those of another class"
    " are counted as that class. If positives become harder to detect, fewer are counted (in a"
    " simulation, 98 % of such months fit, and 12 % of their intervals hold). Label some instances"
    " of each predicted class."
)
"""Caution on every estimate without labels, with numbers of docs/evidence/unlabeled_coverage.md."""


@dataclass(frozen=True)
class UnlabeledRows(ClassRows):
    """Rows of a reference, with the row of the unlabeled instances below.

    The shares of the predicted classes of these are a mixture of the rows of the reference's rates,
    and so are those of the bins of their scores. The confidence region is the ball of deviations of
    the reference's rows, as in :mod:`skewproof.intervals.class_rows`, and of a further row: the
    predicted classes of the unlabeled instances. At each of its points the prevalences are those
    with the largest likelihood.

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


def prevalence_key(classes: Sequence[Any], name: Any) -> str:
    """Return the key of the prevalence of a class; that of a positive class has no name."""
    if tuple(classes) == TWO_CLASSES and name == TWO_CLASSES[0]:
        return PREVALENCE
    return f"{PREVALENCE} of {shortened(str(name))}"


@lru_cache(maxsize=32)
def prevalence_intervals(
    at: Estimated, confidence: float, rate_changes: tuple[float, float] = (0.0, 0.0)
) -> tuple[Interval, ...]:
    """Compute the interval of the prevalence of each class, without a remark.

    If a class would have no prevalence but 0, its upper end is that of a wider interval: of many
    classes without a change, some would be so by chance. Rates may change if `at` has no scores.

    Raises
    ------
    ValueError
        As :func:`skewproof.estimate_prevalence`.
    """
    bins = at.bins
    _check_reference(bins, confidence, sum(rate_changes))

    def ends_at(level: float) -> tuple[Array, Array]:
        if any(rate_changes):
            return _after_changes(bins, radius_of(level), rate_changes)
        counts = [column[np.newaxis] for column in bins.columns]
        low, high = extreme_prevalences(counts, radius_of(level))
        return low[0], high[0]

    low, high = ends_at(confidence)
    none = high <= NONE
    if none.any():
        wider = max(confidence, 1 - 2 * REFUSED / len(bins.classes))
        high = np.where(none, ends_at(wider)[1], high)
    intervals = []
    for position, (name, value) in enumerate(at.shares.items()):
        if high[position] <= NONE:
            share = bins.predicted[position] / bins.total
            raise ValueError(
                f"{share:.3g} of the unlabeled instances are predicted as {shown(name)}, fewer than"
                " the other classes alone would imply, by more than chance: the rates have changed"
            )
        ends = min(float(low[position]), value), max(float(high[position]), value)
        key = prevalence_key(at.classes, name)
        intervals.append(Interval(key, value, *ends, False, float(confidence), at))
    if not any(rate_changes):
        refuse_other_predictions(fit_of(at.bins))
    return tuple(intervals)


def interval_without_labels(
    measure: Measure, at: Estimated, *, confidence: float, total: float | None = None
) -> Interval:
    """Compute an interval for a measure of unlabeled instances, or of their population.

    For the population it has the extremes over the ball of deviations of the reference's rows and
    of the unlabeled instances. For exactly the unlabeled instances it has the quantiles of draws:
    see :func:`drawn_matrices`.

    Raises
    ------
    ValueError
        As :func:`skewproof.estimate_prevalence`.
    """
    prevalence_intervals(at, confidence)
    value = measure_at(measure, at.reference, at, total)
    if at.of_instances:
        values = measure(drawn_matrices(at))
        defined = values[~np.isnan(values)]
        tails = (1 - confidence) / 2, (1 + confidence) / 2
        low, high = np.quantile(defined, tails) if defined.size else (np.nan, np.nan)
        undefined = defined.size < values.size
    else:
        rows = UnlabeledRows.of_reference(at.bins, total)
        ends = rows.estimates(measure, radius_of(confidence))
        low, high, undefined = ends.low[0], ends.high[0], ends.undefined[0]
    low, high = float(np.fmin(low, value)), float(np.fmax(high, value))
    remark = remark_on(at, confidence, measure)
    return Interval(measure.key, value, low, high, bool(undefined), float(confidence), at, remark)


def extreme_prevalences(counts: Sequence[Array], radius: float) -> tuple[Array, Array]:
    """Find the smallest and the largest prevalence of each class over the ball of some radius.

    Both have the shape (slices, classes); counts are as for :meth:`UnlabeledRows.from_counts`.
    """
    slices, classes = len(counts[0]), len(counts)
    repeated = [np.repeat(column, classes, axis=0) for column in counts]
    unlabeled = UnlabeledRows.from_counts(repeated, np.ones(slices * classes))
    chosen = np.tile(np.eye(classes), (slices, 1))

    def shares(proportions: Array, rows: Rows) -> Array:
        return (unlabeled.parts(proportions, rows)[1] * chosen[rows]).sum(axis=-1)

    def with_slopes(proportions: Array, rows: Rows) -> tuple[Array, Array]:
        rates, sizes = unlabeled.parts(proportions, rows)
        by_size = np.broadcast_to(chosen[rows], sizes.shape)
        slopes = unlabeled.slopes(proportions, rows, np.zeros_like(rates), by_size)
        return (sizes * chosen[rows]).sum(axis=-1), slopes

    ends = extremes(shares, unlabeled.proportions, radius, with_slopes)
    return ends.low.reshape(slices, classes), ends.high.reshape(slices, classes)


def _after_changes(
    bins: PredictionBins, radius: float, rate_changes: tuple[float, float]
) -> tuple[Array, Array]:
    """Find the extreme prevalences of two classes if the rates of both may have changed.

    The prevalence is monotone in either rate, so that the largest changes of both, up or down, lead
    to the ends.
    """
    rows = UnlabeledRows.of_reference(bins)
    change = np.array([[1.0, -1.0], [1.0, -1.0]]) * np.array(rate_changes)[:, np.newaxis]

    def extremes_after(sign: int) -> Extremes:
        def share(proportions: Array, slices: Rows) -> Array:
            cells = rows.mixed(proportions, slices).cells
            rates = np.clip(cells[..., :-1, :] + sign * change, 0, 1)
            return mixing_shares(rates, cells[..., -1, :])[..., 0]

        return extremes(share, rows.proportions, radius)

    ends = [extremes_after(sign) for sign in (1, -1)]
    low, high = min(end.low[0] for end in ends), max(end.high[0] for end in ends)
    return np.array([low, 1 - high]), np.array([high, 1 - low])


def _check_reference(bins: PredictionBins, confidence: float, change: float) -> None:
    """Refuse a reference whose predictions do not determine the prevalences."""
    matrix = MulticlassConfusionMatrix(bins.matrix, bins.classes)
    check_observed(matrix, "the reference")
    never = [
        name
        for name, predicted in zip(bins.classes, bins.matrix.sum(axis=0), strict=True)
        if not predicted
    ]
    if never:
        raise ValueError(
            f"no instance of the reference is predicted as {shown(never[0])}: predictions do not"
            " determine its prevalence"
        )
    if not is_separated(bins.matrix[np.newaxis], radius_of(confidence), change)[0]:
        # The two classes whose instances are predicted most alike.
        rates = bins.without_scores.rates
        apart = np.abs(rates[:, np.newaxis] - rates).sum(axis=-1)
        np.fill_diagonal(apart, np.inf)
        alike = np.unravel_index(apart.argmin(), apart.shape)
        first, second = (shown(bins.classes[index]) for index in alike)
        raise ValueError(
            f"the reference's predictions do not separate the classes"
            f"{' after such changes' if change else ''}, {first} and {second} least"
            " of all: within the sampling error, the prevalences are not determined"
        )


def is_separated(counts: Array, radius: float, change: float = 0.0) -> NDArray[np.bool_]:
    """Return whether all matrices of rates in the ball of some radius around counts are regular.

    Parameters
    ----------
    counts
        Counts of labeled instances, (slices, classes, classes).
    radius
        Radius of the ball.
    change
        Sum of the changes of the true and the false positive rate of two classes, by which the
        determinant may change.
    """
    rows = ConditionalBinomials(counts, hits_first(counts))

    def determinant(proportions: Array, slices: Rows) -> Array:
        return np.asarray(np.linalg.det(rows.shares(proportions, slices)))

    ends = extremes(determinant, rows.proportions, radius)
    return (ends.low > change) | (ends.high < -change)


def drawn_matrices(at: Estimated, draws: int = DRAWS) -> MulticlassConfusionMatrix:
    """Draw matrices of exactly the unlabeled instances, with counts of the shape (draws, C, C).

    All binomials of :class:`UnlabeledRows` have Jeffreys' prior Beta(1/2, 1/2).
    The prevalences of a draw are those of the largest likelihood. They determine the chances of the
    true classes among the instances predicted as each class, whose numbers are known.
    """
    random = np.random.default_rng(SEED)
    rows = UnlabeledRows.of_reference(at.bins)
    hits, misses = rows.proportions.hits, rows.proportions.misses
    drawn = random.beta(hits + PRIOR, misses + PRIOR, (draws, *hits.shape))
    mixed = rows.mixed(np.moveaxis(drawn, 0, 1), np.array([0]))
    shares = np.maximum(mixed.shares[:, 0], RAREST)
    joint = shares[..., np.newaxis] * mixed.rows[:, 0, :-1]
    chances = np.swapaxes(joint / joint.sum(axis=1, keepdims=True), -1, -2)
    predicted = random.multinomial(at.bins.predicted, chances)
    return MulticlassConfusionMatrix(np.swapaxes(predicted, -1, -2), at.classes)


def remark_on(
    at: Estimated,
    confidence: float,
    measure: Measure | None = None,
    *,
    reported: Sequence[Interval] | None = None,
) -> str:
    """State the cautions on an estimate without labels.

    Parameters
    ----------
    at, confidence
        The estimate.
    measure
        The measure that is reported; None if a prevalence is.
    reported
        The prevalences that are reported; by default all.
    """
    known = prevalence_intervals(at, confidence) if reported is None else reported
    sentences = [_near_0([prevalence for prevalence in known if prevalence.low <= NONE])]
    fit = fit_of(at.bins)
    if fit.p < WARNED:
        sentences.append(
            f"The predictions fit a mixture of the classes badly (p = {fit.p:.2g}): something other"
            " than the prevalences may have changed."
        )
    if np.array_equal(at.bins.cells.sum(axis=0), at.bins.unlabeled_cells):
        sentences.append(SAME_ROWS)
    sentences += [CAUTION, _if_some_look_like_others(at, measure)]
    return " ".join(filter(None, sentences))


def _near_0(unsure: Sequence[Interval]) -> str:
    """Name the prevalences that cannot be distinguished from 0."""
    if not unsure:
        return ""
    parts = [
        f"{prevalence.metric} (at most"
        f" {in_digits_of_width(prevalence.value, prevalence.low, prevalence.high)[2]})"
        for prevalence in unsure[:MOST_NAMED]
    ]
    more = len(unsure) - len(parts)
    named = ", ".join(parts) + (f" and {more} more" if more else "")
    return f"These cannot be distinguished from 0: {named}."


def _if_some_look_like_others(at: Estimated, measure: Measure | None) -> str:
    """State the estimates if a hundredth of the commonest class looked like the rarest."""
    shares = np.array(list(at.shares.values()))
    commonest, rarest = int(shares.argmax()), int(shares.argmin())
    moved = min(LOOK_ALIKE * shares[commonest] / (1 - LOOK_ALIKE), shares[rarest])
    shares[[commonest, rarest]] += moved, -moved
    rates = at.bins.without_scores.rates
    rates[commonest] += LOOK_ALIKE * (rates[rarest] - rates[commonest])
    first, second = (shortened(str(at.classes[index])) for index in (commonest, rarest))
    clause = f"the prevalence of {second} would be {shares[rarest]:.3g}"
    if measure is not None:
        sizes = np.maximum(shares, RAREST) * at.bins.total
        value = float(measure(MulticlassConfusionMatrix.from_rates(rates, sizes)))
        clause += f" and {measure.key} {round(value, 9):.3g}"
    return (
        f"If {percent(LOOK_ALIKE)} of the class {first} looked like the class {second}, {clause}."
    )
