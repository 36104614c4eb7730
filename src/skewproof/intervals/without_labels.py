"""Prevalences, metrics and measures of instances without labels, for any number of classes.

Under label shift the distribution of predictions and scores within each class stays the same, and
only the prevalences change. The predicted classes of the unlabeled instances, or the distribution
of their scores, then determine the prevalences and, with the rates of a labeled reference, any
metric. docs/evidence/unlabeled_coverage.md and docs/evidence/unlabeled_classes.md measure the
coverage of the intervals, and what the checks detect.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skewproof.core.algebra import Array
from skewproof.core.messages import shortened, shown
from skewproof.intervals.class_rows import (
    ConditionalBinomials,
    check_observed,
    hits_first,
    measure_at,
)
from skewproof.intervals.deviations import PRIOR
from skewproof.intervals.estimates import Interval, in_digits_of_width, percent
from skewproof.intervals.extremes import Extremes, Rows, extremes, radius_of
from skewproof.intervals.label_shift import (
    NONE,
    REFUSED,
    WARNED,
    fit_of,
    refuse_other_predictions,
)
from skewproof.intervals.unlabeled_rows import UnlabeledRows
from skewproof.multiclass.against_rest import TWO_CLASSES
from skewproof.multiclass.declaration import Measure
from skewproof.multiclass.matrix import MulticlassConfusionMatrix
from skewproof.prevalence.mixtures import mixing_shares
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
        first, second = map(shown, _most_alike(bins))
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


def _most_alike(bins: PredictionBins) -> tuple[Any, Any]:
    """Return the two classes whose instances are predicted most alike."""
    rates = bins.without_scores.rates
    apart = np.abs(rates[:, np.newaxis] - rates).sum(axis=-1)
    np.fill_diagonal(apart, np.inf)
    first, second = np.unravel_index(apart.argmin(), apart.shape)
    return bins.classes[first], bins.classes[second]


def drawn_matrices(at: Estimated, draws: int = DRAWS) -> MulticlassConfusionMatrix:
    """Draw matrices of exactly the unlabeled instances, with counts of the shape (draws, C, C).

    All binomials of :class:`~.unlabeled_rows.UnlabeledRows` have Jeffreys' prior Beta(1/2, 1/2).
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
