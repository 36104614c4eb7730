"""Prevalences and measures of any number of classes, for instances without labels.

docs/evidence/unlabeled_classes.md measures the coverage of the intervals.
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
)
from skewproof.intervals.estimates import Interval, in_digits_of_width, percent
from skewproof.intervals.extremes import Rows, extremes, radius_of
from skewproof.intervals.label_shift import (
    DEPENDENT,
    LIKE_POSITIVES,
    NONE,
    REFUSED,
    SAME_ROWS,
    WARNED,
    fit_of_classes,
)
from skewproof.intervals.unlabeled_rows import UnlabeledRows
from skewproof.multiclass.declaration import Measure
from skewproof.multiclass.matrix import MulticlassConfusionMatrix
from skewproof.prevalence.class_bins import ClassBins
from skewproof.prevalence.prevalence import RAREST, EstimatedClasses

MOST_NAMED = 5
"""Most classes that a sentence names."""

CLASS_CAUTION = (
    "No check can confirm the estimate: instances of a class that look like those of another class"
    " are counted as that class. Label some instances of each predicted class."
)
"""Caution on every estimate of many classes without labels."""


@lru_cache(maxsize=32)
def known_prevalences(at: EstimatedClasses, confidence: float) -> tuple[Interval, ...]:
    """Compute the interval of the prevalence of each class, without a remark.

    If a class would have no prevalence but 0, its upper end is that of a wider interval: of many
    classes without a change, some would be so by chance.
    """
    bins = at.bins
    counts = np.array([[*bins.labeled, bins.unlabeled]], dtype=np.float64)
    low, high = extreme_prevalences(counts, radius_of(confidence))
    none = high <= NONE
    if none.any():
        wider = max(confidence, 1 - 2 * REFUSED / len(bins.classes))
        high = np.where(none, extreme_prevalences(counts, radius_of(wider))[1], high)
    intervals = []
    for position, (name, value) in enumerate(at.shares.items()):
        ends = min(float(low[0, position]), value), max(float(high[0, position]), value)
        key = f"prevalence of {shortened(str(name))}"
        intervals.append(Interval(key, value, *ends, False, float(confidence), at))
    return tuple(intervals)


def extreme_prevalences(counts: Array, radius: float) -> tuple[Array, Array]:
    """Find the smallest and the largest prevalence of each class over the ball of some radius.

    Both have the shape (slices, classes); counts are as for :meth:`UnlabeledRows.from_counts`.
    """
    slices, _, classes, _ = counts.shape
    unlabeled = UnlabeledRows.from_counts(
        np.repeat(counts, classes, axis=0), np.ones(slices * classes)
    )
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


@lru_cache(maxsize=32)
def check_classes(at: EstimatedClasses, confidence: float) -> None:
    """Refuse predictions that do not determine the prevalences.

    Raises
    ------
    ValueError
        As :func:`skewproof.estimate_prevalence`.
    """
    bins = at.bins
    reference = MulticlassConfusionMatrix(bins.matrix, bins.classes)
    check_observed(reference, "the reference")
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
    if not is_separated(bins.matrix[np.newaxis], radius_of(confidence))[0]:
        first, second = map(shown, _most_alike(bins))
        raise ValueError(
            f"the reference's predictions do not separate the classes, {first} and {second} least"
            " of all: within the sampling error, the prevalences are not determined"
        )
    fit = fit_of_classes(at)
    if fit.p < REFUSED:
        raise ValueError(
            f"the predictions are not a mixture of those of the reference's classes (chi-square"
            f" {fit.statistic:.1f} with {fit.degrees} degrees of freedom, p = {fit.p:.2g}): more"
            f" than the prevalences have changed, or {DEPENDENT}"
        )
    for position, known in enumerate(known_prevalences(at, confidence)):
        if known.high <= NONE:
            share, name = bins.predicted[position] / bins.total, shown(bins.classes[position])
            raise ValueError(
                f"{share:.3g} of the unlabeled instances are predicted as {name}, fewer than the"
                " other classes alone would imply, by more than chance: the rates have changed"
            )


def is_separated(counts: Array, radius: float) -> NDArray[np.bool_]:
    """Return whether all matrices of rates in the ball of some radius around counts are regular.

    Counts have the shape (slices, classes, classes).
    """
    rows = ConditionalBinomials(counts, hits_first(counts))

    def determinant(proportions: Array, slices: Rows) -> Array:
        return np.asarray(np.linalg.det(rows.shares(proportions, slices)))

    ends = extremes(determinant, rows.proportions, radius)
    return (ends.low > 0) | (ends.high < 0)


def _most_alike(bins: ClassBins) -> tuple[Any, Any]:
    """Return the two classes whose instances are predicted most alike."""
    rates = bins.rates.sum(axis=-1)
    apart = np.abs(rates[:, np.newaxis] - rates).sum(axis=-1)
    np.fill_diagonal(apart, np.inf)
    first, second = np.unravel_index(apart.argmin(), apart.shape)
    return bins.classes[first], bins.classes[second]


def remark_on(
    at: EstimatedClasses,
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
    known = known_prevalences(at, confidence) if reported is None else reported
    sentences = [_near_0([prevalence for prevalence in known if prevalence.low <= NONE])]
    fit = fit_of_classes(at)
    if fit.p < WARNED:
        sentences.append(
            f"The predictions fit a mixture of the classes badly (p = {fit.p:.2g}): something other"
            " than the prevalences may have changed."
        )
    bins = at.bins
    if np.array_equal(np.sum(bins.labeled, axis=0), bins.unlabeled):
        sentences.append(SAME_ROWS)
    sentences += [CLASS_CAUTION, _if_some_look_like_others(at, measure)]
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


def _if_some_look_like_others(at: EstimatedClasses, measure: Measure | None) -> str:
    """State the estimates if a hundredth of the commonest class looked like the rarest."""
    bins = at.bins
    shares = np.array(list(at.shares.values()))
    commonest, rarest = int(shares.argmax()), int(shares.argmin())
    moved = min(LIKE_POSITIVES * shares[commonest] / (1 - LIKE_POSITIVES), shares[rarest])
    shares[[commonest, rarest]] += moved, -moved
    rates = bins.rates.sum(axis=-1)
    rates[commonest] += LIKE_POSITIVES * (rates[rarest] - rates[commonest])
    first, second = (shortened(str(bins.classes[index])) for index in (commonest, rarest))
    clause = f"the prevalence of {second} would be {shares[rarest]:.3g}"
    if measure is not None:
        sizes = np.maximum(shares, RAREST) * bins.total
        value = float(measure(MulticlassConfusionMatrix.from_rates(rates, sizes)))
        clause += f" and {measure.key} {round(value, 9):.3g}"
    return f"If {percent(LIKE_POSITIVES)} of {first} looked like {second}, {clause}."
