"""Values of measures at rational points, as floats and as certified intervals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any, Literal

import numpy as np
import sympy
from numpy.typing import NDArray

from skewproof.core.algebra import Array
from skewproof.core.confusion import ConfusionMatrix, matrix_of
from skewproof.core.levels import Level
from skewproof.core.metric import Metric
from skewproof.sensitivity.proofs.certified import certified_interval

DENOMINATOR = 1009
"""Denominator of all rates, a prime, so that few measures tie by accident."""

CERTIFIED = 32
"""Number of classifiers, counted from the first, with certified intervals from the start."""

ROUNDED = 1e-9
"""Smallest difference of two floats, relative to the largest value, that counts."""

WIDENED = 1e-12
"""Relative width by which products of intervals are widened for rounding."""

LOGIT_STEP = 1e-4
"""Half the step of numerical slopes, in logits."""

MATRICES = 24
"""Number of matrices of various class sizes at which measures have certified intervals."""

LARGEST_COUNT = 60
"""Largest cell of these matrices; cells are whole numbers from 1."""


class Intervals:
    """Pairs of floats that enclose numbers; NaN where nothing is known.

    Attributes
    ----------
    low, high
        Arrays of the same shape.
    """

    def __init__(self, low: Array, high: Array) -> None:
        self.low, self.high = low, high

    @classmethod
    def of(cls, numbers: Sequence[sympy.Expr]) -> Intervals:
        """Return intervals around exact numbers."""
        intervals = [certified_interval(sympy.sympify(number)) for number in numbers]
        ends = np.array([interval or (np.nan, np.nan) for interval in intervals], dtype=np.float64)
        return cls(ends[:, 0], ends[:, 1])

    def __sub__(self, other: Intervals) -> Intervals:
        low, high = self.low - other.high, self.high - other.low
        return Intervals(*_widened(low, high, np.maximum(abs(self.high), abs(other.high))))

    def __mul__(self, other: Intervals) -> Intervals:
        products = [
            first * second for first in (self.low, self.high) for second in (other.low, other.high)
        ]
        low, high = np.min(products, axis=0), np.max(products, axis=0)
        return Intervals(*_widened(low, high, np.maximum(abs(low), abs(high))))

    def __getitem__(self, indices: Any) -> Intervals:
        return Intervals(self.low[indices], self.high[indices])

    def signs(self) -> NDArray[np.int8]:
        """Return 1 or -1 where the numbers are certainly above or below 0, otherwise 0."""
        with np.errstate(invalid="ignore"):
            return (self.low > 0).astype(np.int8) - (self.high < 0).astype(np.int8)

    @classmethod
    def stacked(cls, rows: Sequence[Intervals]) -> Intervals:
        """Stack rows of the same length."""
        return cls(np.array([row.low for row in rows]), np.array([row.high for row in rows]))


def _widened(low: Array, high: Array, size: Array) -> tuple[Array, Array]:
    return low - WIDENED * size, high + WIDENED * size


@dataclass(frozen=True)
class SampledRates:
    """Random classifiers, given by their rates, at given class sizes.

    Attributes
    ----------
    numerators
        Rates u and v in multiples of 1/DENOMINATOR, none of them 0 or 1, shape (classifiers, 2).
    level, positives
        The imbalance level and the size of the positive class.
    calls
        If "few" or "many", u and v are as stated in the smaller class. In the larger class, the
        number of instances called positive ("few") or negative ("many") is that rate times the size
        of the smaller class.
    """

    numerators: NDArray[np.int64]
    level: Level
    positives: int
    calls: Literal["any", "few", "many"] = "any"

    @classmethod
    def drawn(cls, number: int, level: Level, positives: int, seed: int) -> SampledRates:
        """Draw classifiers uniformly; they are the same at each level.

        The second one has the false positive rate of the first, and the third its true positive
        rate. They tell apart measures that each ignore a rate.
        """
        random = np.random.default_rng(seed)
        numerators = random.integers(1, DENOMINATOR, size=(number, 2))
        numerators[1, 1], numerators[2, 0] = numerators[0, ::-1]
        return cls(numerators, level, positives)

    @cached_property
    def negatives(self) -> Fraction:
        """Size of the negative class."""
        return Fraction(self.positives) * self.level.negative_part / self.level.positive_part

    def at_edges(self) -> list[SampledRates]:
        """Return the same classifiers and, if the classes differ in size, those with few and many
        calls."""
        if self.negatives == self.positives:
            return [self]
        return [self, *(replace(self, calls=calls) for calls in ("few", "many"))]

    @cached_property
    def logits(self) -> Array:
        """Logits of both rates, shape (classifiers, 2)."""
        logits = np.log(self.numerators / (DENOMINATOR - self.numerators))
        if self.calls == "any":
            return logits
        larger, share = self._larger_class
        rate = float(share) * self.numerators[:, larger] / DENOMINATOR
        logits[:, larger] = np.log(rate / (1 - rate)) * (1 if self.calls == "few" else -1)
        return logits

    @property
    def _larger_class(self) -> tuple[int, Fraction]:
        """Index of the larger class (0 for positives), and the relative size of the other."""
        share = self.negatives / self.positives
        return (0, share) if share < 1 else (1, 1 / share)

    @property
    def odds(self) -> tuple[Array, Array]:
        """Odds of both rates."""
        a, b = np.exp(self.logits).T
        return a, b

    def values(self, metric: Metric) -> Array:
        """Return floats of shape (classifiers,); NaN where the measure is not finite."""
        return self._values_at(metric, *self.logits.T)

    def slopes(self, metric: Metric) -> Array:
        """Return slopes by the logits of the rates, shape (classifiers, 2); NaN where a value is
        not finite."""
        steps = LOGIT_STEP * np.eye(2)
        sides = [
            [self._values_at(metric, *(self.logits + side * step).T) for side in (1, -1)]
            for step in steps
        ]
        return np.column_stack([(up - down) / (2 * LOGIT_STEP) for up, down in sides])

    def _values_at(self, metric: Metric, u_logit: Array, v_logit: Array) -> Array:
        u, v, fnr, tnr = (
            1 / (1 + np.exp(-logit)) for logit in (u_logit, v_logit, -u_logit, -v_logit)
        )
        sizes = {"positives": float(self.positives), "negatives": float(self.negatives)}
        with np.errstate(all="ignore"):
            matrix = ConfusionMatrix.from_rates(u, v, fnr=fnr, tnr=tnr, **sizes)
            values = np.broadcast_to(np.asarray(metric(matrix), dtype=np.float64), u.shape)
        return np.where(np.isfinite(values), values, np.nan)

    def exact_values(
        self, metric: Metric, rates: Sequence[tuple[sympy.Rational, sympy.Rational]]
    ) -> list[sympy.Expr]:
        """Return the measure's exact values for classifiers with exact rates."""
        positives = sympy.Integer(self.positives)
        negatives = sympy.Rational(self.negatives.numerator, self.negatives.denominator)
        return [
            sympy.sympify(
                metric(
                    ConfusionMatrix.from_rates(
                        *map(sympy.Rational, pair), positives=positives, negatives=negatives
                    )
                )
            )
            for pair in rates
        ]

    def intervals(self, metric: Metric) -> Intervals:
        """Return intervals around the values at the first classifiers."""
        indices = range(min(CERTIFIED, len(self.numerators)))
        return Intervals.of(self.exact_values(metric, [self.rates(index) for index in indices]))

    def rates(self, index: int) -> tuple[sympy.Rational, sympy.Rational]:
        """Return a classifier's rates u and v."""
        rates = [sympy.Rational(int(part), DENOMINATOR) for part in self.numerators[index]]
        if self.calls != "any":
            larger, share = self._larger_class
            few = rates[larger] * sympy.Rational(share.numerator, share.denominator)
            rates[larger] = few if self.calls == "few" else 1 - few
        return rates[0], rates[1]


def drawn_matrices(seed: int) -> NDArray[np.int64]:
    """Draw cells tp, fp, fn, tn of matrices of various class sizes, shape (MATRICES + 8, 4).

    The last eight have a cell that is 0, two for each cell, because some measures have values there
    that differ from their limits.
    """
    matrices = np.random.default_rng(seed).integers(1, LARGEST_COUNT + 1, size=(MATRICES + 8, 4))
    matrices[MATRICES + np.arange(8), np.arange(8) // 2] = 0
    return matrices


def matrix_intervals(metric: Metric, matrices: NDArray[np.int64]) -> Intervals:
    """Return intervals around a measure's values at matrices of whole numbers."""
    return Intervals.of(
        [metric(matrix_of(sympy.Integer(int(cell)) for cell in row)) for row in matrices]
    )
