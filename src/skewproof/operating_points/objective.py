"""A metric along a ROC curve: its values, and the sign of its slope with as many digits as needed.

Floats lose the slope near the corners of the ROC square and where a metric is flat. The slope is
therefore computed from the derivatives of the formula with mpmath; floats only show where to look.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import mpmath  # type: ignore[import-untyped]
import numpy as np
from numpy.typing import NDArray

from skewproof.core.algebra import Array, Value
from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.extras import sympy
from skewproof.core.metric import Metric
from skewproof.operating_points.curves import Smooth
from skewproof.operating_points.derivatives import derivatives

DIGITS, MOST_DIGITS = 50, 3000
"""Digits of numbers: those beyond the smallest rate's exponent, and the most in all. The slope is
not computed if a rate needs more."""

MOST_DIGITS_OF_SLOW = 80
"""The same for a metric with normal quantiles or factorials, for which more digits take seconds."""

MOST_DIGITS_OF_SERIES = 700
"""The same for a metric with logarithms and other functions of a series; up to here they take at
most a millisecond."""

DIGITS_OF_VALUE = 400
"""Most digits of the numbers from which a value is computed."""

COARSE = 40
"""Number of positions from one check of the slope in floats to the next."""

FINE = 4
"""Number of positions from one computed slope to the next where a check failed; it is also computed
at all positions that floats do not reach."""

SMALLEST = -650.0
"""Logarithm of a rate below which floats are not used."""

LOST = 1e-12
"""Slope, relative to its two parts, below which it counts as 0: logarithms of rates are floats."""


@lru_cache(maxsize=10_000)
def _exponential(logarithm: float, digits: int) -> Any:
    """Return a number from its logarithm, cached since metrics need the same ones repeatedly."""
    with mpmath.workdps(digits):
        return mpmath.exp(logarithm)


@dataclass(frozen=True)
class Objective:
    """A metric on a curve at given class sizes, to be maximized."""

    metric: Metric
    curve: Smooth
    positives: float
    ratio: float
    """Negatives for each positive."""

    @property
    def sign(self) -> int:
        """1, or -1 for a metric of which lower values are better."""
        return -1 if self.metric.lower_is_better else 1

    def cells(self, positions: Array) -> tuple[Array, Array, Array, Array]:
        """Return the cells at positions in floats."""
        with np.errstate(under="ignore"):
            u, not_u, v, not_v = map(np.exp, self.curve.log_rates(positions))
        negatives = self.positives * self.ratio
        return self.positives * u, negatives * v, self.positives * not_u, negatives * not_v

    def values(self, positions: Array) -> Array:
        """Return the metric at positions in floats, with the sign that makes higher better."""
        tp, fp, fn, tn = self.cells(positions)
        with np.errstate(all="ignore"):
            value = np.asarray(
                self.metric(ConfusionMatrix(tp=tp, fp=fp, fn=fn, tn=tn)), dtype=float
            )
        return self.sign * value

    def _slopes_in_floats(self, positions: Array) -> Array:
        _, by_hit, by_alarm = derivatives(self.metric).in_floats(*self.cells(positions))
        log_slope = self.curve.log_slope(positions)
        with np.errstate(all="ignore"):
            gain = by_hit * np.exp(np.minimum(log_slope, 0))
            loss = self.ratio * by_alarm * np.exp(-np.maximum(log_slope, 0))
            slopes = self.sign * (gain + loss) / (np.abs(gain) + np.abs(loss))
        return np.where(self.beyond_floats(positions), np.nan, slopes)

    def beyond_floats(self, positions: Value) -> NDArray[np.bool_]:
        """Return whether a rate or its complement is so small that floats are not used."""
        return np.asarray(np.min(self.curve.log_rates(positions), axis=0) < SMALLEST)

    def slope(self, position: float) -> float:
        """Return the change by calling more positive, from -1 to 1: gain less loss, over their sum.

        It is NaN if the metric's derivatives are undefined or a rate needs too many digits, and 0
        if it is lost in the rounding of the curve.
        """
        digits = self._digits(position)
        if digits == self._most_digits:
            return np.nan
        with mpmath.workdps(digits):
            try:
                by_hit, by_alarm = derivatives(self.metric).gradient_exactly(*self._exact(position))
                log_slope = float(self.curve.log_slope(np.float64(position)))
                gain = by_hit * _exponential(min(log_slope, 0), digits)
                loss = self.ratio * by_alarm * _exponential(-max(log_slope, 0), digits)
                size = abs(gain) + abs(loss)
                slope = (gain + loss) / size if size else mpmath.mpf(0)
            except (ZeroDivisionError, ValueError, TypeError, OverflowError):
                return np.nan
            if mpmath.im(slope) or not mpmath.isfinite(slope):
                return np.nan
            return 0.0 if abs(slope) < LOST else self.sign * float(slope)

    def value(self, position: float) -> float:
        """Return the metric at a position, with the sign that makes higher better."""
        with mpmath.workdps(min(self._digits(position), DIGITS_OF_VALUE)):
            try:
                value = derivatives(self.metric).value_exactly(*self._exact(position))
            except (ZeroDivisionError, ValueError, TypeError, OverflowError):
                return float(self.values(np.array(position)))
            return float("nan") if mpmath.im(value) else self.sign * float(value)

    @cached_property
    def _most_digits(self) -> int:
        formula = derivatives(self.metric).formula
        if formula.has(sympy.erfinv, sympy.gamma, sympy.loggamma):
            return MOST_DIGITS_OF_SLOW
        functions = formula.atoms(sympy.Function) - formula.atoms(sympy.Abs, sympy.Min, sympy.Max)
        powers = (power.exp for power in formula.atoms(sympy.Pow))
        has_roots_alone = all((2 * exponent).is_Integer for exponent in powers)
        return MOST_DIGITS if has_roots_alone and not functions else MOST_DIGITS_OF_SERIES

    def _digits(self, position: float) -> int:
        rates = self.curve.log_rates(np.float64(position))
        logs = [log_rate for log_rate in rates if np.isfinite(log_rate)]
        return int(min(self._most_digits, DIGITS - min(logs) / np.log(10)))

    def _exact(self, position: float) -> tuple[Any, Any, Any, Any]:
        """Return the cells in mpmath numbers; of each class the smaller one, and the remainder."""
        logs = list(map(float, self.curve.log_rates(np.float64(position))))
        cells = []
        sizes = mpmath.mpf(self.positives), mpmath.mpf(self.positives) * mpmath.mpf(self.ratio)
        for size, (share, rest) in zip(sizes, (logs[:2], logs[2:]), strict=True):
            with mpmath.workdps(DIGITS):
                smaller = size * _exponential(min(share, rest), DIGITS)
            both = smaller, size - smaller
            cells.append(both if share < rest else both[::-1])
        (tp, fn), (fp, tn) = cells
        return tp, fp, fn, tn

    @cached_property
    def _checked(self) -> tuple[NDArray[np.intp], Array]:
        """Numbers of the positions at which the sign of the slope is checked, and the signs."""
        positions = self.curve.positions
        checked = np.unique([*range(0, positions.size, COARSE), positions.size - 1])
        return checked, np.array(
            [np.sign(self.slope(position)) for position in positions[checked].tolist()]
        )

    @property
    def is_flat(self) -> bool:
        """True if the metric is the same at all points of the curve that were checked."""
        exact = self._checked[1]
        return bool((exact == 0).any() and not (np.abs(exact) > 0).any())

    def signs(self) -> Array:
        """Return the slope's signs at the curve's positions, right at all that were checked."""
        positions = self.curve.positions
        slopes = self._slopes_in_floats(positions)
        signs = np.sign(slopes)
        checked, exact = self._checked
        wrong = exact != signs[checked]
        signs[checked] = exact
        beyond = self.beyond_floats(positions)
        for start, end, first, last in zip(checked, checked[1:], wrong, wrong[1:], strict=False):
            if not (first or last):
                continue
            if first and last and exact[checked == start] == exact[checked == end]:
                signs[start:end] = exact[checked == start]
                continue
            for index in range(start + 1, end):
                if (index - start) % FINE == 0 or beyond[index]:
                    signs[index] = np.sign(self.slope(float(positions[index])))
                else:
                    signs[index] = signs[index - 1]
        return self._filled(signs)

    def _filled(self, signs: Array) -> Array:
        """Fill signs that are 0 or unknown, by the change of the values or the position before."""
        unknown = ~(np.abs(signs) > 0)
        if unknown.any():
            values = self.values(self.curve.positions)
            with np.errstate(invalid="ignore"):
                changes = -np.sign(np.gradient(values))
            seen = ~self.beyond_floats(self.curve.positions)
            signs = np.where(np.isnan(signs) & seen, changes, signs)
        known = np.flatnonzero(np.abs(signs) > 0)
        if not known.size:
            return np.zeros(signs.size)
        before = np.searchsorted(known, np.arange(signs.size), side="right") - 1
        return np.asarray(signs[known[np.maximum(before, 0)]])
