"""Prevalences and measures of any number of classes, for instances without labels.

Under label shift the rates of the reference stay the same, and only the prevalences change. The
shares of the predicted classes are then a mixture of the rows of these rates, and so are those of
the bins of their scores. The confidence region is the ball of deviations of the reference's rows,
as in :mod:`skewproof.intervals.class_rows`, and of a further row: the predicted classes of
the unlabeled instances. At each of its points the prevalences are those with the largest
likelihood. docs/evidence/unlabeled_classes.md measures the coverage of the intervals.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray
from scipy import optimize
from scipy.special import chdtrc

from skewproof.core.algebra import Array
from skewproof.core.messages import shortened, shown
from skewproof.intervals.class_rows import (
    ClassRows,
    ConditionalBinomials,
    check_observed_classes,
    hits_first,
)
from skewproof.intervals.deviations import PRIOR
from skewproof.intervals.estimated_prevalence import (
    DEPENDENT,
    LIKE_POSITIVES,
    REFUSED,
    SAME_ROWS,
    WARNED,
    Fit,
)
from skewproof.intervals.extremes import Proportions, Rows, extremes
from skewproof.intervals.metric_interval import (
    Interval,
    in_digits_of_width,
    percent,
    radius_of,
)
from skewproof.multiclass.declaration import Measure
from skewproof.multiclass.matrix import MulticlassConfusionMatrix
from skewproof.prevalence.class_bins import ClassBins
from skewproof.prevalence.mixtures import mixing_shares, mixing_slopes
from skewproof.prevalence.prevalence import RAREST, Prevalence

NONE = 1e-5
"""Largest prevalence that counts as 0, since a search for the likeliest stops slightly above."""

MOST_NAMED = 5
"""Most classes that a sentence names."""

CLASS_CAUTION = (
    "No check can confirm the estimate: instances of a class that look like those of another class"
    " are counted as that class. Label some instances of each predicted class."
)
"""Caution on every estimate of many classes without labels."""


@dataclass(frozen=True)
class UnlabeledRows(ClassRows):
    """Rows of a reference, with the row of the unlabeled instances below.

    Attributes
    ----------
    bins
        Distribution of the instances of each row and predicted class over bins of the score; None
        without scores.
    """

    bins: ConditionalBinomials | None = None

    @classmethod
    def of(cls, at: Prevalence, total: float | None = None) -> UnlabeledRows:
        """Build the rows of one reference, for `total` unlabeled instances."""
        bins = cast(ClassBins, at.class_bins)
        counts = np.array([[*bins.labeled, bins.unlabeled]], dtype=np.float64)
        totals = np.array([float(bins.total if total is None else total)])
        return cls.from_counts(counts, totals)

    @classmethod
    def from_counts(cls, counts: Array, totals: Array) -> UnlabeledRows:
        """Build the rows of several references.

        Parameters
        ----------
        counts
            Instances by true class, predicted class and bin, with the unlabeled ones after the last
            class: (slices, classes + 1, classes, bins).
        totals
            Number of unlabeled instances to which measures refer, (slices,).
        """
        slices, rows, classes, bins = counts.shape
        predicted = counts.sum(axis=-1)
        commonest = np.argsort(-predicted[:, -1:], axis=-1, kind="stable")
        order = np.concatenate([hits_first(predicted[:, :-1]), commonest], axis=1)
        within = None
        if bins > 1:
            cells = counts.reshape(slices, rows * classes, bins)
            within = ConditionalBinomials(cells, np.broadcast_to(np.arange(bins), cells.shape))
        shares = np.full((slices, classes), np.nan)
        return cls(ConditionalBinomials(predicted, order), shares, None, totals, within)

    @cached_property
    def proportions(self) -> Proportions:
        """All binomials: those of the rows above those of the bins."""
        own = self.rows.proportions
        return own if self.bins is None else own.beside(self.bins.proportions)

    def parts(self, proportions: Array, slices: Rows) -> tuple[Array, Array]:
        """Return the shares within each row of the reference and the unlabeled class sizes.

        Their shapes are (..., slices, classes, classes) and (..., slices, classes).
        """
        mixed = self._mixed(proportions, slices)
        sizes = np.maximum(mixed.shares, RAREST) * self.totals[slices, np.newaxis]
        return mixed.rows[..., :-1, :], sizes

    def slopes(self, proportions: Array, slices: Rows, by_share: Array, by_size: Array) -> Array:
        """Convert derivatives by the results of `parts` to derivatives by the proportions."""
        mixed, own = self._mixed(proportions, slices), len(self.rows.proportions.hits)
        labeled, unlabeled = mixed.cells[..., :-1, :], mixed.cells[..., -1, :]
        by_prevalence = by_size * self.totals[slices, np.newaxis]
        by_part, by_whole = mixing_slopes(labeled, unlabeled, mixed.shares, by_prevalence)
        by_cell = np.concatenate([by_part, by_whole[..., np.newaxis, :]], axis=-2)
        by_cell = by_cell.reshape(mixed.within.shape)
        by_row = (by_cell * mixed.within).sum(axis=-1)
        by_row[..., :-1, :] += by_share
        of_rows = self.rows.slopes(proportions[:own], slices, by_row)
        if self.bins is None:
            return of_rows
        by_bin = by_cell * mixed.rows[..., np.newaxis]
        by_bin = by_bin.reshape(*by_bin.shape[:-3], -1, by_bin.shape[-1])
        of_bins = self.bins.slopes(proportions[own:], slices, by_bin)
        return np.concatenate([of_rows, of_bins])

    def _mixed(self, proportions: Array, slices: Rows) -> _Mixed:
        own = len(self.rows.proportions.hits)
        rows = self.rows.shares(proportions[:own], slices)
        within = np.ones((*rows.shape, 1))
        if self.bins is not None:
            within = self.bins.shares(proportions[own:], slices)
            within = within.reshape(*rows.shape, within.shape[-1])
        cells = (rows[..., np.newaxis] * within).reshape(*rows.shape[:-1], -1)
        shares = mixing_shares(cells[..., :-1, :], cells[..., -1, :])
        return _Mixed(rows, within, cells, shares)


class _Mixed(NamedTuple):
    """Shares of the reference and of the unlabeled instances at given proportions."""

    rows: Array
    """Shares of the predicted classes, (..., classes + 1, classes)."""

    within: Array
    """Shares of the bins within the predicted classes, (..., classes + 1, classes, bins)."""

    cells: Array
    """Products of both, (..., classes + 1, classes * bins)."""

    shares: Array
    """The prevalences, (..., classes)."""


@lru_cache(maxsize=32)
def known_prevalences(at: Prevalence, confidence: float) -> tuple[Interval, ...]:
    """Compute the interval of the prevalence of each class, without a remark.

    If a class would have no prevalence but 0, its upper end is that of a wider interval: of many
    classes without a change, some would be so by chance.
    """
    bins = cast(ClassBins, at.class_bins)
    counts = np.array([[*bins.labeled, bins.unlabeled]], dtype=np.float64)
    low, high = extreme_prevalences(counts, radius_of(confidence))
    none = high <= NONE
    if none.any():
        wider = max(confidence, 1 - 2 * REFUSED / len(bins.classes))
        high = np.where(none, extreme_prevalences(counts, radius_of(wider))[1], high)
    found = []
    for place, (name, value) in enumerate(at.shares.items()):
        ends = min(float(low[0, place]), value), max(float(high[0, place]), value)
        key = f"prevalence of {shortened(str(name))}"
        found.append(Interval(key, value, *ends, False, float(confidence), at))
    return tuple(found)


def extreme_prevalences(counts: Array, radius: float) -> tuple[Array, Array]:
    """Find the smallest and the largest prevalence of each class over the ball of some radius.

    Both have the shape (slices, classes); counts are as for :meth:`UnlabeledRows.from_counts`.
    """
    slices, _, classes, _ = counts.shape
    of = UnlabeledRows.from_counts(np.repeat(counts, classes, axis=0), np.ones(slices * classes))
    own = np.tile(np.eye(classes), (slices, 1))

    def shares(proportions: Array, rows: Rows) -> Array:
        return (of.parts(proportions, rows)[1] * own[rows]).sum(axis=-1)

    def with_slopes(proportions: Array, rows: Rows) -> tuple[Array, Array]:
        rates, sizes = of.parts(proportions, rows)
        by_size = np.broadcast_to(own[rows], sizes.shape)
        slopes = of.slopes(proportions, rows, np.zeros_like(rates), by_size)
        return (sizes * own[rows]).sum(axis=-1), slopes

    found = extremes(shares, of.proportions, radius, with_slopes)
    return found.low.reshape(slices, classes), found.high.reshape(slices, classes)


@lru_cache(maxsize=32)
def check_classes(at: Prevalence, confidence: float) -> None:
    """Refuse predictions that do not determine the prevalences.

    Raises
    ------
    ValueError
        As :func:`skewproof.estimate_prevalence`.
    """
    bins = cast(ClassBins, at.class_bins)
    check_observed_classes(_reference(at), "the reference")
    never = [
        name for name, some in zip(bins.classes, bins.matrix.sum(axis=0), strict=True) if not some
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
    for place, known in enumerate(known_prevalences(at, confidence)):
        if known.high <= NONE:
            share, name = bins.predicted[place] / bins.total, shown(bins.classes[place])
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

    found = extremes(determinant, rows.proportions, radius)
    return (found.low > 0) | (found.high < 0)


def _reference(at: Prevalence) -> MulticlassConfusionMatrix:
    bins = cast(ClassBins, at.class_bins)
    return MulticlassConfusionMatrix(bins.matrix, bins.classes)


def _most_alike(bins: ClassBins) -> tuple[Any, Any]:
    """Return the two classes whose instances are predicted most alike."""
    rates = bins.rates.sum(axis=-1)
    apart = np.abs(rates[:, np.newaxis] - rates).sum(axis=-1)
    np.fill_diagonal(apart, np.inf)
    first, second = np.unravel_index(apart.argmin(), apart.shape)
    return bins.classes[first], bins.classes[second]


def _covariance(shares: Array) -> Array:
    """Compute the covariance of the bin of a single draw, without the last bin."""
    kept = shares[:-1]
    return np.diag(kept) - np.outer(kept, kept)


@lru_cache(maxsize=32)
def fit_of_classes(at: Prevalence) -> Fit:
    """Check the fit as :func:`skewproof.check_fit` does, for any number of classes.

    Degrees of freedom are the cells less the classes whose prevalence is above 0 where the fit is
    best (the conditional test of Wollan and Dykstra 1986). Without scores there are as many cells
    as classes. Nothing is then left to check unless a prevalence is 0, and the p-value is NaN.
    """
    bins = cast(ClassBins, at.class_bins)
    classes = len(bins.classes)
    counts = np.array([*bins.labeled, bins.unlabeled], dtype=np.float64).reshape(classes + 1, -1)
    start = np.array(list(at.shares.values()))
    if counts.shape[1] == classes and np.all(start > NONE):
        return Fit(0.0, 0, float("nan"))
    sizes = counts.sum(axis=1)
    observed = counts / sizes[:, np.newaxis]
    smoothed = counts + PRIOR
    smoothed /= smoothed.sum(axis=1, keepdims=True)
    spread = np.array([_covariance(row) for row in smoothed[:-1]]) / sizes[:-1, None, None]

    def statistic(shares: Array) -> float:
        distance = (observed[-1] - shares @ observed[:-1])[:-1]
        mixed = _covariance(shares @ smoothed[:-1]) / sizes[-1]
        variance = mixed + np.tensordot(shares**2, spread, axes=1)
        return float(distance @ np.linalg.solve(variance, distance))

    found = optimize.minimize(
        statistic,
        start,
        method="SLSQP",
        bounds=[(0, 1)] * classes,
        constraints={"type": "eq", "fun": lambda shares: shares.sum() - 1},
    )
    degrees = counts.shape[1] - int(np.sum(found.x > NONE))
    smallest = float(found.fun)
    p = float(chdtrc(degrees, smallest)) if degrees else float("nan")
    return Fit(smallest, degrees, p)


def remark_on(
    at: Prevalence,
    confidence: float,
    measure: Measure | None = None,
    *,
    of: Sequence[Interval] | None = None,
) -> str:
    """State the cautions on an estimate without labels.

    Parameters
    ----------
    at, confidence
        The estimate.
    measure
        The measure that is reported; None if a prevalence is.
    of
        The prevalences that are reported; by default all.
    """
    known = known_prevalences(at, confidence) if of is None else of
    sentences = [_near_0([one for one in known if one.low <= NONE])]
    fit = fit_of_classes(at)
    if fit.p < WARNED:
        sentences.append(
            f"The predictions fit a mixture of the classes badly (p = {fit.p:.2g}): something other"
            " than the prevalences may have changed."
        )
    bins = cast(ClassBins, at.class_bins)
    if np.array_equal(np.sum(bins.labeled, axis=0), bins.unlabeled):
        sentences.append(SAME_ROWS)
    sentences += [CLASS_CAUTION, _if_some_look_like_others(at, measure)]
    return " ".join(filter(None, sentences))


def _near_0(unsure: Sequence[Interval]) -> str:
    """Name the prevalences that cannot be distinguished from 0."""
    if not unsure:
        return ""
    parts = [
        f"{one.metric} (at most {in_digits_of_width(one.value, one.low, one.high)[2]})"
        for one in unsure[:MOST_NAMED]
    ]
    more = len(unsure) - len(parts)
    named = ", ".join(parts) + (f" and {more} more" if more else "")
    return f"These cannot be distinguished from 0: {named}."


def _if_some_look_like_others(at: Prevalence, measure: Measure | None) -> str:
    """State the estimates if a hundredth of the commonest class looked like the rarest."""
    bins = cast(ClassBins, at.class_bins)
    shares = np.array(list(at.shares.values()))
    commonest, rarest = int(shares.argmax()), int(shares.argmin())
    moved = min(LIKE_POSITIVES * shares[commonest] / (1 - LIKE_POSITIVES), shares[rarest])
    shares[[commonest, rarest]] += moved, -moved
    rates = bins.rates.sum(axis=-1)
    rates[commonest] += LIKE_POSITIVES * (rates[rarest] - rates[commonest])
    first, second = (shortened(str(bins.classes[place])) for place in (commonest, rarest))
    said = f"the prevalence of {second} would be {shares[rarest]:.3g}"
    if measure is not None:
        sizes = np.maximum(shares, RAREST) * bins.total
        value = float(measure(MulticlassConfusionMatrix.from_rates(rates, sizes)))
        said += f" and {measure.key} {round(value, 9):.3g}"
    return f"If {percent(LIKE_POSITIVES)} of {first} looked like {second}, {said}."
