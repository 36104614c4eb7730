"""Scores of probabilities as functions of the forecasts within each class and of the prevalence.

With the mean loss of positives L1 and that of negatives L0, the Brier score and the log loss of
forecasts that are left alone are a straight line in the prevalence, S(π) = π L1 + (1 - π) L0. The
other scores are made of three such losses: of the forecasts, of recalibrated forecasts, and of the
prevalence as forecast of all instances. With more classes S(π) is the sum of each class's mean loss
times its share.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, logit

from skewproof.core.algebra import Array

STEPS = 500
"""Most steps of Newton's method."""

STEPS_OF_INTERCEPT = 60
"""Most steps for the intercept, which is halved where Newton's method would leave its bounds."""

SMALLEST_STEP = 1e-6
"""Change of a coefficient at which Newton's method ends: the error is about its square."""

SURE = 1e-9
"""Forecast whose log odds stand for those of 0, which are infinite."""

LARGEST_COEFFICIENT = 1e4
"""Largest coefficient: beyond, forecasts separate the classes and no coefficient is likeliest."""


class Losses(NamedTuple):
    """A loss function of forecasts."""

    of_classes: Callable[[Array], Array]
    """Loss of each forecast for an instance of each class, from the forecasts of all classes; both
    have the shape (forecasts, classes)."""

    of_log_odds: Callable[[Array], tuple[Array, Array]]
    """Losses of a positive and of a negative from the log odds of forecasts of two classes, which
    keep digits that a probability near 1 has lost."""

    def of_shares(self, shares: Array) -> Array:
        """Compute the mean loss of class shares as forecast of all instances, shape (samples,).

        The class shares have the shape (samples, classes).
        """
        return np.sum(shares * self.of_classes(shares), axis=1)


def _squared(values: Array) -> Array:
    """Sum the squared differences of all classes; those of two classes are equal and count once."""
    classes = values.shape[1]
    sums = (1 - values) ** 2 + values**2 @ (1 - np.eye(classes))
    return sums / 2 if classes == 2 else sums


def _squared_of_log_odds(log_odds: Array) -> tuple[Array, Array]:
    return expit(-log_odds) ** 2, expit(log_odds) ** 2


def _logarithmic(values: Array) -> Array:
    with np.errstate(divide="ignore"):
        return -np.log(values)


def _logarithmic_of_log_odds(log_odds: Array) -> tuple[Array, Array]:
    return np.logaddexp(0, -log_odds), np.logaddexp(0, log_odds)


BRIER = Losses(_squared, _squared_of_log_odds)
LOG = Losses(_logarithmic, _logarithmic_of_log_odds)
LOSSES = {"brier": BRIER, "log_loss": LOG}
"""Loss functions by the keys of their scores."""


class Start(NamedTuple):
    """Coefficients of the calibration."""

    shift: float = 0.0
    """The calibration intercept."""

    intercept: float = 0.0
    slope: float = 0.0
    """Coefficients of the logistic regression."""


NO_START = Start()
"""Start from no slope."""


@dataclass(frozen=True)
class Sample:
    """Mean losses of the instances of each class, of one or several samples, at class shares."""

    losses: Mapping[Losses, Array]
    """Mean loss of each class, shape (samples, classes), by loss function."""

    shares: Array
    """Shares of the classes, of the same shape."""

    def mean(self, losses: Losses) -> Array:
        """Compute the mean loss of the forecasts, shape (samples,)."""
        return np.sum(self.shares * self.losses[losses], axis=1)

    def uncertainty(self, losses: Losses) -> Array:
        """Compute the mean loss of the class shares as forecast of all instances, (samples,)."""
        return losses.of_shares(self.shares)


@dataclass(frozen=True)
class TwoClassSample(Sample):
    """Forecasts of two classes, whose log odds can be recalibrated."""

    values: Array
    """Forecasts of the positive class, rising, shape (forecasts,)."""

    weights: Sequence[Array]
    """Shares of the forecasts among the positives and among the negatives. Each has the shape
    (samples, forecasts), and sums to 1."""

    start: Start = NO_START
    """Coefficients near those of these samples, from which Newton's method starts."""

    @classmethod
    def at(
        cls, share: Array, values: Array, weights: Sequence[Array], start: Start = NO_START
    ) -> TwoClassSample:
        """Return the sample at the prevalence of each sample, shape (samples,)."""
        of_both = np.column_stack([values, 1 - values])
        means = {
            losses: class_means(weights, losses.of_classes(of_both).T) for losses in LOSSES.values()
        }
        return cls(means, np.column_stack([share, 1 - share]), values, weights, start)

    @property
    def share(self) -> Array:
        """Prevalence of each sample, shape (samples,)."""
        return self.shares[:, 0]

    @cached_property
    def log_odds(self) -> Array:
        """Log odds of the forecasts, shape (forecasts,).

        Those of 0 and 1 are finite: the log odds of `SURE` and 1 - `SURE`, or of the furthest other
        forecast if it is further.
        """
        exact = logit(self.values)
        others, furthest = exact[np.isfinite(exact)], -logit(SURE)
        return np.clip(
            exact,
            min(-furthest, others.min(initial=0.0)),
            max(furthest, others.max(initial=0.0)),
        )

    @cached_property
    def parts(self) -> tuple[Array, Array]:
        """Weights of the positives and of all instances, which sum to the prevalence and to 1."""
        of_positives, of_negatives = (
            share[:, np.newaxis] * weights
            for share, weights in zip(self.shares.T, self.weights, strict=True)
        )
        return of_positives, of_positives + of_negatives

    @cached_property
    def separated(self) -> NDArray[np.bool_]:
        """True for samples that some forecast separates, shape (samples,).

        No positive is below it and no negative above it, or the reverse.
        """
        some = [weights > 0 for weights in self.weights]
        first = [np.argmax(part, axis=1) for part in some]
        last = [self.values.size - 1 - np.argmax(part[:, ::-1], axis=1) for part in some]
        return (first[0] >= last[1]) | (last[0] <= first[1])

    @cached_property
    def regression(self) -> tuple[Array, Array]:
        """Intercepts and slopes of logistic regressions of the labels on the log odds of forecasts.

        NaN if forecasts separate the classes, so that no slope is the likeliest.
        """
        coefficients = np.full((2, len(self.share)), np.nan)
        known = ~self.separated
        if known.any():
            positives, weights = (part if known.all() else part[known] for part in self.parts)
            coefficients[:, known] = _regression(self.log_odds, positives, weights, self.start)
        return coefficients[0], coefficients[1]

    def refinement(self, losses: Losses) -> Array:
        """Compute the mean loss of the forecasts of the regression, shape (samples,)."""
        if losses not in self._refinements:
            intercept, slope = (part[:, np.newaxis] for part in self.regression)
            recalibrated = intercept + slope * self.log_odds
            with np.errstate(invalid="ignore"):  # if there is no regression
                of_classes = losses.of_log_odds(recalibrated)
            means = class_means(self.weights, of_classes)
            self._refinements[losses] = np.sum(self.shares * means, axis=1)
        return self._refinements[losses]

    @cached_property
    def _refinements(self) -> dict[Losses, Array]:
        return {}


def mean_loss(weights: Array, losses: Array) -> Array:
    """Compute a weighted mean in which a loss without weight does not count, even if infinite."""
    infinite = np.isinf(losses)
    some = infinite.any()
    finite = np.where(infinite, 0.0, losses) if some else losses
    mean = weights @ finite if losses.ndim == 1 else np.einsum("ij,ij->i", weights, finite)
    if some:
        mean = np.where(np.any(infinite & (weights > 0), axis=1), np.inf, mean)
    return mean


def class_means(weights: Iterable[Array], losses: Iterable[Array]) -> Array:
    """Compute the mean loss of each class, shape (samples, classes).

    Parameters
    ----------
    weights
        Weights of the forecasts in each class, shape (samples, forecasts).
    losses
        Loss of each forecast in each class, shape (forecasts,) or (samples, forecasts).
    """
    return np.array(list(map(mean_loss, weights, losses))).T


def _regression(x: Array, of_positives: Array, weights: Array, start: Start) -> tuple[Array, Array]:
    """Compute intercepts and slopes of weighted logistic regressions by Newton's method."""
    center = float(weights.sum(axis=0) @ x / weights.sum())
    powers = (x - center)[:, np.newaxis] ** np.arange(3)
    totals = of_positives @ powers[:, :2]
    constant = np.log(totals[:, 0] / (weights.sum(axis=1) - totals[:, 0]))
    starts = (constant, np.zeros_like(constant))
    if start.slope:
        known = start.intercept + start.slope * center
        starts = (np.full_like(constant, known), np.full_like(constant, start.slope))
    intercept, slope = _newton(powers, totals, weights, *starts)
    lost = np.isnan(slope)
    if start.slope and lost.any():  # a start too far off does not converge
        again = _newton(powers, totals[lost], weights[lost], constant[lost], np.zeros(lost.sum()))
        intercept[lost], slope[lost] = again
    return intercept - center * slope, slope


def _newton(
    powers: Array, totals: Array, weights: Array, intercept: Array, slope: Array
) -> tuple[Array, Array]:
    """Compute coefficients from a start; NaN where they do not converge.

    Steps are shortened as Sun and Tran-Dinh (2019, generalized self-concordant functions) prove to
    be safe for logistic regression: full ones diverge if a few forecasts are far from the others.

    Parameters
    ----------
    powers
        Powers 0, 1 and 2 of the centered log odds, which rise, shape (forecasts, 3).
    totals
        Sums over the positives of the first two, shape (samples, 2).
    weights
        Weights of all instances, shape (samples, forecasts).
    intercept, slope
        The start, shape (samples,).
    """
    ends = powers[[0, -1], 1, np.newaxis]
    rows = np.arange(len(weights))
    with np.errstate(all="ignore"):  # from a start where all means are 0 or 1
        for _ in range(STEPS):
            some = weights if rows.size == len(weights) else weights[rows]
            means = expit(intercept[rows, np.newaxis] + slope[rows, np.newaxis] * powers[:, 1])
            weighed = some * means
            left = totals[rows] - weighed @ powers[:, :2]
            a, b, c = ((weighed * (1 - means)) @ powers).T
            determinant = a * c - b**2
            steps = np.array(
                [
                    (c * left[:, 0] - b * left[:, 1]) / determinant,
                    (a * left[:, 1] - b * left[:, 0]) / determinant,
                ]
            )
            moved = np.abs(steps[0] + ends * steps[1]).max(axis=0)
            steps *= np.where(moved > 0, np.log1p(moved) / moved, 1.0)
            intercept[rows] += steps[0]
            slope[rows] += steps[1]
            rows = rows[np.any(np.abs(steps) > SMALLEST_STEP, axis=0)]
            if not rows.size:
                break
    intercept[rows] = slope[rows] = np.nan
    settled = np.abs(slope) < LARGEST_COEFFICIENT
    return np.where(settled, intercept, np.nan), np.where(settled, slope, np.nan)


def skill(losses: Losses, sample: Sample) -> Array:
    """Compute 1 less the mean loss over the uncertainty.

    It is 1 for certain and correct forecasts, and 0 for the prevalence as forecast.
    """
    return 1 - sample.mean(losses) / sample.uncertainty(losses)


def miscalibration(losses: Losses, sample: TwoClassSample) -> Array:
    """Compute the reduction of the mean loss by recalibration."""
    return sample.mean(losses) - sample.refinement(losses)


def resolution(losses: Losses, sample: TwoClassSample) -> Array:
    """Compute the uncertainty less the mean loss of recalibrated forecasts."""
    return sample.uncertainty(losses) - sample.refinement(losses)


def calibration_slope(sample: TwoClassSample) -> Array:
    """Return the slope of the logistic regression of the labels on the log odds of forecasts."""
    return sample.regression[1]


def calibration_intercept(sample: TwoClassSample) -> Array:
    """Compute the shift of the log odds of all forecasts that makes their mean the prevalence.

    It is NaN if there is none.
    """
    weights = sample.parts[1]
    target = logit(sample.share)
    intercept = np.full(len(weights), sample.start.shift)
    low, high = (np.full(len(weights), sign * LARGEST_COEFFICIENT) for sign in (-1, 1))
    rows = np.arange(len(weights))
    with np.errstate(all="ignore"):  # if all forecasts are 0 or 1
        for _ in range(STEPS_OF_INTERCEPT):
            some = weights if rows.size == len(weights) else weights[rows]
            now = intercept[rows]
            up = expit(now[:, np.newaxis] + sample.log_odds)
            mean, square = np.einsum("ij,ij->i", some, up), np.einsum("ij,ij,ij->i", some, up, up)
            missing = target[rows] - logit(mean)
            low[rows] = np.where(missing > 0, now, low[rows])
            high[rows] = np.where(missing > 0, high[rows], now)
            moved = now + missing * mean * (1 - mean) / (mean - square)
            inside = (moved >= low[rows]) & (moved <= high[rows])
            intercept[rows] = np.where(inside, moved, (low[rows] + high[rows]) / 2)
            rows = rows[np.abs(intercept[rows] - now) > SMALLEST_STEP]
            if not rows.size:
                break
    intercept[rows] = np.nan
    return np.where(np.abs(intercept) < LARGEST_COEFFICIENT / 2, intercept, np.nan)


def start_of(sample: TwoClassSample) -> Start:
    """Return the coefficients of one sample as a start for similar samples."""
    intercept, slope = (float(values[0]) for values in sample.regression)
    shift = float(calibration_intercept(sample)[0])
    known = NO_START if np.isnan(slope) else Start(0.0, intercept, slope)
    return known if np.isnan(shift) else known._replace(shift=shift)
