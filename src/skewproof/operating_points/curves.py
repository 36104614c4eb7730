"""ROC curves on which metrics have best points: of whole populations, and of observed scores.

Rates and their complements are given as logarithms, so that no precision is lost near the corners
of the ROC square.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import betainc, betaln, log_expit, log_ndtr

from skewproof.core.algebra import Array, Value
from skewproof.core.arguments import expect, expect_flag, expect_number, is_finite
from skewproof.curves.areas.binormal import DEVIATIONS, LARGEST_MEAN
from skewproof.curves.areas.roc import convex_hull
from skewproof.curves.counts import ScoreCounts, score_counts

FAR = 1e4
"""Standard deviations from a mean up to which binormal curves are followed: the logarithm of a rate
is -5e7 there, and a float still holds its decimals."""

NEAR = 12.0
"""Standard deviations up to which positions are evenly spaced."""

POSITIONS, FAR_POSITIONS = 1201, 40
"""Number of evenly spaced positions of a curve, and of those beyond them on each side."""


class LogRates(NamedTuple):
    """Logarithms of the rates and of their complements."""

    tpr: Array
    fnr: Array
    fpr: Array
    tnr: Array


class Smooth(Protocol):
    """A curve with a parameter, its position: at a higher position less is called positive."""

    @property
    def positions(self) -> Array:
        """Positions from one end to the other, dense enough to miss no feature."""

    def log_rates(self, position: Value) -> LogRates:
        """Return the logarithms of the rates and of their complements."""

    def log_slope(self, position: Value) -> Array:
        """Return the logarithm of the curve's slope, the likelihood ratio of the classes."""

    def threshold(self, position: float) -> float:
        """Return the score from which on instances are called positive."""

    def log_at_origin(self, power: int) -> float:
        """Return the limit of log(tpr^power/fpr) as the share called positive goes to 0."""


def _ends_beyond(low: float, high: float, far: float) -> Array:
    """Return positions evenly spaced in between, and ever rarer up to a distance on both sides."""
    step = (high - low) / POSITIONS
    beyond = np.geomspace(step, far, FAR_POSITIONS)
    return np.concatenate([low - beyond[::-1], np.linspace(low, high, POSITIONS), high + beyond])


@dataclass(frozen=True)
class BinormalCurve:
    """ROC curve of scores that are normal in each class.

    Negatives have the mean 0 and the deviation 1: TPR = Φ((mean - t)/deviation), FPR = Φ(-t) at the
    threshold t. With the deviation 1 the curve is concave.

    Parameters
    ----------
    mean, deviation
        Mean and standard deviation of the positives' scores: from -30 to 30, and from 1/30 to 30.

    Raises
    ------
    ValueError
        If a number is out of its range.

    Examples
    --------
    >>> from skewproof.operating_points import BinormalCurve, best_point
    >>> round(best_point("balanced_accuracy", BinormalCurve(mean=2), at="1:9").threshold, 9)
    1.0
    """

    mean: float
    deviation: float = 1.0

    def __post_init__(self) -> None:
        expect_number("mean", self.mean, -LARGEST_MEAN, LARGEST_MEAN)
        expect_number("deviation", self.deviation, *DEVIATIONS)

    @cached_property
    def positions(self) -> Array:
        """Thresholds."""
        reach = NEAR * self.deviation
        return _ends_beyond(min(-NEAR, self.mean - reach), max(NEAR, self.mean + reach), FAR)

    def log_rates(self, position: Value) -> LogRates:
        """Return the logarithms of the rates at thresholds."""
        z = (self.mean - position) / self.deviation
        return LogRates(log_ndtr(z), log_ndtr(-z), log_ndtr(-position), log_ndtr(position))

    def log_slope(self, position: Value) -> Array:
        """Return the logarithm of the likelihood ratio at thresholds."""
        z = (self.mean - position) / self.deviation
        # A difference of squares is written as a product to avoid cancellation.
        return np.asarray((position - z) * (position + z) / 2 - np.log(self.deviation))

    def threshold(self, position: float) -> float:
        """Return the position, which is the threshold."""
        return position

    def log_at_origin(self, power: int) -> float:
        """Return the limit of log(tpr^power/fpr) at high thresholds t.

        The leading term decides it: (1 - power/deviation²)t²/2, then power·mean·t/deviation², then
        log(t)(1 - power).
        """
        leading = (self.deviation**2 - power, power * self.mean, 1 - power)
        first = next((term for term in leading if term), 0)
        return float(np.copysign(np.inf, first)) if first else 0.0


@dataclass(frozen=True)
class PowerLawCurve:
    """ROC curve TPR = FPR^a.

    Exponential scores with the mean 1 for negatives and 1/a for positives have this curve; the
    threshold is -log(FPR).

    Parameters
    ----------
    a
        The exponent, from 0.001 to 1; the smaller it is, the better the scores.

    Raises
    ------
    ValueError
        If `a` is out of its range.

    Examples
    --------
    >>> from skewproof.operating_points import PowerLawCurve, best_point
    >>> point = best_point("youden_j", PowerLawCurve(0.25), at="1:1")
    >>> round(point.fpr, 6), round(0.25 ** (4 / 3), 6)
    (0.15749, 0.15749)
    """

    a: float

    def __post_init__(self) -> None:
        expect_number("a", self.a, 0.001, 1)

    @cached_property
    def positions(self) -> Array:
        """Logarithms of the thresholds."""
        return np.append(
            np.linspace(-40.0, 6.5, 2 * POSITIONS), np.linspace(6.6, 16.0, FAR_POSITIONS)
        )

    def log_rates(self, position: Value) -> LogRates:
        """Return the logarithms of the rates at logarithms of thresholds."""
        log_fpr = -np.exp(position)
        log_tpr = self.a * log_fpr
        return LogRates(log_tpr, _log_complement(log_tpr), log_fpr, _log_complement(log_fpr))

    def log_slope(self, position: Value) -> Array:
        """Return the logarithm of a·FPR^(a - 1)."""
        return np.asarray(np.log(self.a) + (1 - self.a) * np.exp(position))

    def threshold(self, position: float) -> float:
        """Return -log(FPR)."""
        return float(np.exp(position))

    def log_at_origin(self, power: int) -> float:
        """Return the limit of (power·a - 1)log(fpr)."""
        left = 1 - power * self.a
        return float(np.copysign(np.inf, left)) if left else 0.0


def _log_complement(log_share: Array) -> Array:
    """Return log(1 - exp(x)) for negative x."""
    return np.asarray(np.log(-np.expm1(log_share)))


Shapes = tuple[float, float]


@dataclass(frozen=True)
class BibetaCurve:
    """ROC curve of scores from 0 to 1 that have a Beta distribution in each class.

    Parameters
    ----------
    positives, negatives
        The two parameters of each distribution, from 0.01 to 1000.

    Raises
    ------
    ValueError
        If a parameter is out of its range.

    Examples
    --------
    The densities 2s and 2(1 - s) of a score s cross in the middle:

    >>> from skewproof.operating_points import BibetaCurve, best_point
    >>> curve = BibetaCurve(positives=(2, 1), negatives=(1, 2))
    >>> point = best_point("accuracy", curve, at="1:1")
    >>> round(point.threshold, 9), round(point.tpr, 9)
    (0.5, 0.75)
    """

    positives: Shapes
    negatives: Shapes

    def __post_init__(self) -> None:
        for name in ("positives", "negatives"):
            value = getattr(self, name)
            pair = isinstance(value, tuple | list) and len(value) == 2
            fits = pair and all(is_finite(number) and 0.01 <= number <= 1000 for number in value)
            expect(fits, name, value, "two numbers from 0.01 to 1000")
            object.__setattr__(self, name, tuple(map(float, value)))

    @cached_property
    def positions(self) -> Array:
        """Log odds of thresholds, as far as both rates and their complements are floats."""
        log_odds = np.linspace(-60.0, 60.0, 2 * POSITIONS)
        with np.errstate(divide="ignore"):
            known = np.isfinite(np.array(self.log_rates(log_odds))).all(axis=0)
        return np.asarray(log_odds[known])

    def log_rates(self, position: Value) -> LogRates:
        """Return the logarithms of the rates at log odds of thresholds."""
        share, rest = np.exp(log_expit(position)), np.exp(log_expit(-position))
        with np.errstate(divide="ignore"):
            both = [
                np.log(tail)
                for a, b in (self.positives, self.negatives)
                for tail in (betainc(b, a, rest), betainc(a, b, share))
            ]
        return LogRates(*both)

    def log_slope(self, position: Value) -> Array:
        """Return the logarithm of the likelihood ratio at log odds of thresholds."""
        (a, b), (c, d) = self.positives, self.negatives
        return np.asarray(
            (a - c) * log_expit(position)
            + (b - d) * log_expit(-position)
            - betaln(a, b)
            + betaln(c, d)
        )

    def threshold(self, position: float) -> float:
        """Return the threshold with these log odds."""
        return float(np.exp(log_expit(position)))

    def log_at_origin(self, power: int) -> float:
        """Return the limit from the leading powers of 1 - t in both rates."""
        (a, b), (c, d) = self.positives, self.negatives
        left = d - power * b
        if left:
            return float(np.copysign(np.inf, left))
        constants = [-np.log(shape) - betaln(other, shape) for other, shape in ((a, b), (c, d))]
        return float(power * constants[0] - constants[1])


@dataclass(frozen=True, eq=False, repr=False)
class EmpiricalCurve:
    """ROC curve of given scores.

    Parameters
    ----------
    y_true, y_score, pos_label, sample_weight
        As for :func:`skewproof.curves.threshold_matrices`.
    hull
        Whether to use the upper convex hull, with the segments between its corners: each point of a
        segment is a mixture of two thresholds. Otherwise the curve has only the points of the
        thresholds.

    Raises
    ------
    ValueError
        As :func:`skewproof.curves.threshold_matrices`.

    Examples
    --------
    >>> from skewproof.operating_points import EmpiricalCurve, best_point
    >>> curve = EmpiricalCurve([1, 0, 1, 0], [0.9, 0.8, 0.7, 0.1])
    >>> point = best_point("f1", curve)
    >>> point.threshold, point.tpr, point.fpr
    (0.7, 1.0, 0.5)
    """

    y_true: ArrayLike
    y_score: ArrayLike
    hull: bool = False
    pos_label: Any = field(default=1, kw_only=True)
    sample_weight: ArrayLike | None = field(default=None, kw_only=True)

    def __repr__(self) -> str:
        sizes = self.all_counts
        hull = ", convex hull" if self.hull else ""
        return f"EmpiricalCurve({sizes.positives:g} positives, {sizes.negatives:g} negatives{hull})"

    def __post_init__(self) -> None:
        expect_flag("hull", self.hull)
        _ = self._counted

    @cached_property
    def _counted(self) -> tuple[ScoreCounts, NDArray[Any]]:
        return score_counts(
            self.y_true, self.y_score, pos_label=self.pos_label, sample_weight=self.sample_weight
        )

    @property
    def all_counts(self) -> ScoreCounts:
        """Counts at all thresholds, beginning where nothing is called positive."""
        return self._counted[0]

    @cached_property
    def counts(self) -> ScoreCounts:
        """Counts at the corners of the hull, or at all thresholds."""
        return convex_hull(self.all_counts) if self.hull else self.all_counts

    @cached_property
    def thresholds(self) -> Array:
        """Thresholds of the counts, decreasing; the first is infinite."""
        counts, scores = self._counted
        every = np.append(np.inf, scores.astype(float))
        if not self.hull:
            return every
        pairs = dict(zip(zip(*counts, strict=True), every, strict=True))
        return np.array([pairs[pair] for pair in zip(*self.counts, strict=True)])


Curve = BinormalCurve | PowerLawCurve | BibetaCurve | EmpiricalCurve
