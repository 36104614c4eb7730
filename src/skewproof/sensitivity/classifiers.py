"""Distributions of classifiers, over which indices and mean shifts are computed.

Van Zyl and Engelbrecht take all pairs (tpr, fpr) as equally likely. In any other distribution the
pair is computed from two independent numbers, p and q, that are uniform on (0, 1), by inverse
distribution functions. Functions that integrate over the unit square of p and q, or sample it,
therefore integrate over the distribution, or sample it.
"""

from __future__ import annotations

import functools
import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from skewproof.core.algebra import Array, special
from skewproof.core.arguments import expect, expect_number, is_finite
from skewproof.core.confusion import INPUTS, ConfusionMatrix
from skewproof.core.data.arrays import expect_entries, refuse_masked
from skewproof.core.messages import shown
from skewproof.core.metric import Metric

Rates = tuple[Array, Array, Array, Array]
"""tpr, 1 - tpr, fpr, 1 - fpr, each with full precision. They broadcast."""

Map = Callable[[Array, Array, Array, Array], Rates]
"""A function of p, 1 - p, q, 1 - q, each with full precision, that returns rates."""

Marginal = Callable[[Array, Array], tuple[Array, Array]]
"""A function of p and 1 - p that returns a rate and its complement."""

BETA_RANGE = (0.2, 1000.0)
"""Smallest and largest parameter of a Beta distribution. With smaller parameters products of rates
underflow."""

LARGEST_MEAN, LARGEST_SPREAD = 3.0, 2.0
"""Largest mean and spread of a threshold, in standard deviations of the scores. With larger ones
rates underflow as well."""

WEIGHT_COLUMN = "weight"
"""The optional column of measured classifiers."""

LOG = logging.getLogger(__name__)


def _unchanged(p: Array, p_complement: Array, q: Array, q_complement: Array) -> Rates:
    return p, p_complement, q, q_complement


@dataclass(frozen=True, eq=False)
class Classifiers:
    """A distribution of classifiers over true and false positive rates.

    Examples
    --------
    >>> from skewproof.metrics import accuracy
    >>> from skewproof.sensitivity import Classifiers, exact_indices
    >>> good = Classifiers.box(tpr=(0.5, 1), fpr=(0, 0.1))
    >>> exact_indices([accuracy], positives=1, negatives=5, classifiers=good).s1.round(6).tolist()
    [[0.5, 0.5]]
    """

    words: str = "uniform on the unit square"
    """The distribution in words."""

    inputs: tuple[str, str] = INPUTS
    """The two independent inputs for which indices are computed: the counts, which have the indices
    of the rates, or the variables of which the rates are functions."""

    rates: Map = field(default=_unchanged, repr=False)
    """The map from p, 1 - p, q, 1 - q in (0, 1) to tpr, 1 - tpr, fpr, 1 - fpr. Arguments and
    results have full precision, also near 0."""

    def matrices(self, square: Rates, positives: Any, negatives: Any) -> ConfusionMatrix:
        """Build the matrices of classifiers at p, 1 - p, q, 1 - q on classes of given sizes."""
        tpr, fnr, fpr, tnr = self.rates(*square)
        sizes = {"positives": positives, "negatives": negatives}
        return ConfusionMatrix.from_rates(tpr, fpr, fnr=fnr, tnr=tnr, **sizes)

    @classmethod
    def uniform(cls) -> Classifiers:
        """Make all pairs of rates equally likely, as in Section 7.1 of van Zyl and Engelbrecht."""
        return UNIFORM

    @classmethod
    def box(cls, *, tpr: tuple[float, float], fpr: tuple[float, float]) -> Classifiers:
        """Make pairs of rates equally likely inside a box, and impossible outside.

        Parameters
        ----------
        tpr, fpr
            The smallest and the largest rate, in [0, 1].

        Raises
        ------
        ValueError
            If these are not two increasing numbers in [0, 1].
        """
        (a, b), (c, d) = _rising("tpr", tpr, 0, 1), _rising("fpr", fpr, 0, 1)
        return cls(
            f"uniform on {_text(a)} < tpr < {_text(b)}, {_text(c)} < fpr < {_text(d)}",
            INPUTS,
            functools.partial(
                _independent, functools.partial(_between, a, b), functools.partial(_between, c, d)
            ),
        )

    @classmethod
    def beta(cls, *, tpr: tuple[float, float], fpr: tuple[float, float]) -> Classifiers:
        """Make the rates independent with Beta distributions.

        Parameters
        ----------
        tpr, fpr
            The parameters a and b of each rate, from 0.2 to 1000; its mean is a/(a + b).

        Raises
        ------
        ValueError
            If these are not two numbers in this range.
        """
        low, high = BETA_RANGE
        expected, shapes = f"two numbers from {low:g} to {high:g}", []
        for name, given in (("tpr", tpr), ("fpr", fpr)):
            shapes.append(_pair(name, given, expected))
            fits = low <= min(shapes[-1]) <= max(shapes[-1]) <= high
            expect(fits, name, given, expected)
        (a, b), (c, d) = shapes
        return cls(
            f"tpr Beta({_text(a)}, {_text(b)}) and fpr Beta({_text(c)}, {_text(d)}), independent",
            INPUTS,
            functools.partial(
                _independent, functools.partial(_beta, a, b), functools.partial(_beta, c, d)
            ),
        )

    @classmethod
    def binormal(cls, *, auc: tuple[float, float], threshold: tuple[float, float]) -> Classifiers:
        """Model classifiers whose scores are normal in both classes, with the same spread.

        The scores of negatives have mean 0 and standard deviation 1, and those of positives mean d
        and standard deviation 1. Scores above a threshold t are called positive: tpr = Phi(d - t),
        fpr = Phi(-t). The area under the curve, Phi(d/sqrt(2)), is uniform in an interval, and t is
        normal and independent of it. As the rates depend on each other, indices are computed for
        the separation d and the threshold t, which are independent.

        Parameters
        ----------
        auc
            The smallest and the largest area under the curve, in [0.5, 1].
        threshold
            Mean, from -3 to 3, and standard deviation, above 0 and at most 2, of t.

        Raises
        ------
        ValueError
            If these are not two numbers in their ranges.
        """
        low, high = _rising("auc", auc, 0.5, 1)
        expected = (
            f"a mean from {-LARGEST_MEAN:g} to {LARGEST_MEAN:g}, then a standard deviation above 0"
            f" and at most {LARGEST_SPREAD:g}"
        )
        mean, spread = _pair("threshold", threshold, expected)
        fits = abs(mean) <= LARGEST_MEAN and 0 < spread <= LARGEST_SPREAD
        expect(fits, "threshold", threshold, expected)
        return cls(
            f"binormal, AUC uniform from {_text(low)} to {_text(high)}, threshold normal with mean"
            f" {_text(mean)} and standard deviation {_text(spread)}",
            ("separation", "threshold"),
            functools.partial(_binormal, (low, high), mean, spread),
        )


UNIFORM = Classifiers()


@dataclass(frozen=True, eq=False, repr=False)
class MeasuredClassifiers:
    """Classifiers whose rates were measured, each with a weight.

    They have means and mean shifts but no indices: points do not show how a metric changes with one
    rate while the other is constant, and measured rates depend on each other, so that the variance
    cannot be divided between them. If a metric is undefined at some of the classifiers, its mean
    and its mean shift are those over the others.

    Examples
    --------
    >>> from skewproof.metrics import accuracy
    >>> from skewproof.sensitivity import MeasuredClassifiers, exact_indices
    >>> points = {"tpr": [0.9, 0.6], "fpr": [0.3, 0.0], "weight": [1, 3]}
    >>> measured = MeasuredClassifiers.from_frame(points)
    >>> measured.weights.tolist()
    [0.25, 0.75]
    >>> indices = exact_indices([accuracy], positives=1, negatives=3, classifiers=measured)
    >>> indices.mean.round(6).tolist()
    [0.8625]
    """

    tpr: Array
    """True positive rates, shape (classifiers,)."""

    fpr: Array
    """False positive rates, shape (classifiers,)."""

    weights: Array
    """Weights whose sum is 1, shape (classifiers,)."""

    words: str
    """The distribution in words."""

    def __repr__(self) -> str:
        return f"MeasuredClassifiers({self.words})"

    @classmethod
    def from_frame(cls, frame: Mapping[str, ArrayLike]) -> MeasuredClassifiers:
        """Read measured classifiers from a table.

        Parameters
        ----------
        frame
            A frame or a mapping with the columns tpr and fpr, in [0, 1], a row per classifier and,
            optionally, the column weight, at least 0. Without it all weights are equal.

        Raises
        ------
        ValueError
            If it is neither a frame nor a mapping; if a column is missing or unknown; if there is
            no row; if a number is masked or outside its range; or if no weight is above 0.

        Examples
        --------
        >>> from skewproof import Level
        >>> from skewproof.metrics import accuracy
        >>> from skewproof.sensitivity import MeasuredClassifiers, mean_shift
        >>> points = MeasuredClassifiers.from_frame({"tpr": [0.9, 0.6], "fpr": [0.3, 0.0]})
        >>> round(mean_shift(accuracy, Level(1, 3), Level(1, 1), 100, classifiers=points).mean, 6)
        0.075
        """
        if not callable(getattr(frame, "keys", None)):
            raise ValueError(
                f"frame is of the type {shown(type(frame).__name__)}: expected a frame or a mapping"
                f" with the columns tpr, fpr and, optionally, {WEIGHT_COLUMN}"
            )
        unknown = sorted(map(str, set(frame.keys()) - {"tpr", "fpr", WEIGHT_COLUMN}))
        if unknown or not {"tpr", "fpr"} <= set(frame.keys()):
            raise ValueError(
                f"frame: the columns are {shown(list(frame.keys()))}: expected tpr, fpr and,"
                f" optionally, {WEIGHT_COLUMN}"
            )
        tpr, fpr = (_column(frame, name, 1) for name in ("tpr", "fpr"))
        weights = np.ones(tpr.size)
        if WEIGHT_COLUMN in frame:
            weights = _column(frame, WEIGHT_COLUMN, np.finfo(float).max)
        if not tpr.size == fpr.size == weights.size > 0:
            raise ValueError(
                f"{tpr.size} tpr, {fpr.size} fpr, {weights.size} weights: expected equal numbers,"
                " at least one"
            )
        weights = weights / max(weights.max(), np.finfo(float).tiny)
        if not weights.sum() > 0:
            raise ValueError("weight = 0 in every row: expected one above 0")
        words = f"{tpr.size} measured classifiers"
        return cls(tpr, fpr, weights / weights.sum(), words)

    def values(self, metric: Metric, positives: float, negatives: float) -> Array:
        """Evaluate a metric for classes of given sizes, shape (classifiers,).

        Values are NaN where the metric is undefined; a warning with their number is logged.

        Raises
        ------
        ValueError
            If a class size is not a finite number above 0.
        """
        expect_number("positives", positives, above=0)
        expect_number("negatives", negatives, above=0)
        matrices = ConfusionMatrix.from_rates(
            self.tpr, self.fpr, positives=positives, negatives=negatives
        )
        values = np.broadcast_to(metric(matrices), self.tpr.shape)
        undefined = ~np.isfinite(values)
        if undefined.any():
            count = np.count_nonzero(undefined)
            LOG.warning("%s is undefined for %d of %s", metric.key, count, self.words)
        return np.where(undefined, np.nan, values)

    def mean(self, values: Array) -> Array:
        """Average over the last axis, that of the classifiers, with their weights.

        Classifiers whose value is NaN are left out; a mean is NaN if none with a weight remains.
        """
        defined = ~np.isnan(values)
        weights = np.where(defined, self.weights, 0.0)
        with np.errstate(invalid="ignore"):
            return np.asarray(
                np.where(defined, values * weights, 0.0).sum(axis=-1) / weights.sum(axis=-1)
            )


def refuse_no_classifiers(classifiers: Any) -> None:
    """Refuse anything but a distribution of classifiers.

    Raises
    ------
    ValueError
        If it is anything else.
    """
    fits = isinstance(classifiers, Classifiers | MeasuredClassifiers)
    expect(fits, "classifiers", classifiers, "Classifiers or MeasuredClassifiers")


def _pair(name: str, value: Any, expected: str) -> tuple[float, float]:
    """Check two finite numbers."""
    numbers = list(value) if isinstance(value, tuple | list) else []
    fits = len(numbers) == 2 and all(map(is_finite, numbers))
    expect(fits, name, value, expected)
    return float(numbers[0]), float(numbers[1])


def _text(number: float) -> str:
    """Write a number with all its digits."""
    return repr(number).removesuffix(".0")


def _rising(name: str, value: Any, low: float, high: float) -> tuple[float, float]:
    """Check two numbers in an interval, the smaller first."""
    expected = f"two numbers from {low:g} to {high:g}, the smaller first"
    first, second = _pair(name, value, expected)
    expect(low <= first < second <= high, name, value, expected)
    return first, second


def _column(frame: Mapping[str, ArrayLike], name: str, largest: float) -> Array:
    """Check a column of numbers from 0 to the largest allowed one."""
    refuse_masked(frame[name], name)
    limit = "of at least 0" if largest > 1 else "from 0 to 1"
    try:
        numbers = np.asarray(frame[name], dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError(f"{name} = {shown(frame[name])}: expected numbers") from None
    if numbers.ndim != 1:
        raise ValueError(f"{name} has the shape {numbers.shape}: expected one dimension")
    fits = (numbers >= 0) & (numbers <= largest)
    expect_entries(fits, name, numbers, f"a number {limit}")
    return numbers


def _independent(
    of_tpr: Marginal, of_fpr: Marginal, p: Array, p_complement: Array, q: Array, q_complement: Array
) -> Rates:
    return *of_tpr(p, p_complement), *of_fpr(q, q_complement)


def _between(low: float, high: float, p: Array, complement: Array) -> tuple[Array, Array]:
    length = high - low
    return low + length * p, (1 - high) + length * complement


def _beta(a: float, b: float, p: Array, complement: Array) -> tuple[Array, Array]:
    """Compute the quantile and its complement, each from the more precise of p and 1 - p."""
    p, complement = np.broadcast_arrays(p, complement)
    low = p < 0.5
    values, one_less = np.empty(p.shape), np.empty(p.shape)
    special().betaincinv(a, b, p, out=values, where=low)
    special().betainccinv(a, b, complement, out=values, where=~low)
    special().betainccinv(b, a, p, out=one_less, where=low)
    special().betaincinv(b, a, complement, out=one_less, where=~low)
    return values, one_less


def _normal(p: Array, complement: Array) -> Array:
    """Compute the quantile of the normal distribution."""
    ndtri = special().ndtri
    return np.where(p < 0.5, ndtri(p), -ndtri(complement))


def _binormal(
    auc: tuple[float, float],
    mean: float,
    spread: float,
    p: Array,
    p_complement: Array,
    q: Array,
    q_complement: Array,
) -> Rates:
    ndtr = special().ndtr
    separation = np.sqrt(2) * _normal(*_between(*auc, p, p_complement))
    threshold = mean + spread * _normal(q, q_complement)
    above = separation - threshold
    return ndtr(above), ndtr(-above), ndtr(-threshold), ndtr(threshold)
