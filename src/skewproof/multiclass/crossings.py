"""Ratios of the class sizes at which a measure gives the rarest class half of a fair share.

The weight of a class is C·T/(T_1 + ... + T_C): its total Sobol' index as a share of the sum over
all classes, times their number. A fair share is 1. As the largest class grows, the weight of the
rarest may fall below one half and rise above it again. Crossings are located on a logarithmic grid
from 1 to the largest ratio, which misses a pair of crossings between two of its points. Each
crossing is then solved for: in closed form if the indices have one, and otherwise from sampled
weights, which are smooth functions of the ratio because all ratios share the classifiers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from scipy.optimize import brentq
from scipy.stats import qmc

from skewproof.core.algebra import Array
from skewproof.multiclass.declaration import Measure
from skewproof.multiclass.matrix import MulticlassConfusionMatrix
from skewproof.multiclass.sensitivity import class_sizes, exact_class_indices, sampled_rates

FORGOTTEN_WEIGHT = 0.5
"""Weight, relative to a fair share, below which a measure counts as forgetting the rarest class."""

SIGNIFICANT_DIGITS = 3
"""Number of correct digits of a ratio."""

POINTS_A_CONTROL = 10
"""Smallest number of points of a sample per control variate; smaller samples use none."""


class Crossing(NamedTuple):
    """A ratio at which the rarest class has half of a fair share."""

    ratio: float
    """Size of the largest class divided by that of the smallest."""

    error: float
    """Standard error of the ratio; 0 if the weight has a closed form."""

    falls: bool
    """True if the weight falls below one half as the ratio increases, False if it rises above."""


@dataclass(frozen=True)
class CrossingSearch:
    """Settings of the search for crossings.

    Attributes
    ----------
    largest
        Largest ratio.
    log2_scan
        Base-2 logarithm of the number of classifiers in the grid's sample.
    log2_samples
        Base-2 logarithm of the number of classifiers in each scramble that estimates a ratio.
    scrambles
        Largest number of scrambles. Fewer are used if `fewest_scrambles`, or a power of two above
        it, are enough for the required digits.
    seed
        Seed of all draws.
    points_a_decade
        Number of grid points per decade of ratios.
    fewest_scrambles
        Smallest number of scrambles for a standard error.
    largest_unit_share
        Standard error of a ratio, in units of the last of its digits, at which sampling ends.
    centering_scrambles, centering_rounds
        Number of scrambles that correct the crossing of the grid's sample and estimate its slope,
        and number of such corrections.
    largest_step
        Largest correction, in the logarithm of the ratio.
    slope_step
        Distance, in this logarithm, of the two weights from which a slope is computed.
    """

    largest: float
    log2_scan: int
    log2_samples: int
    scrambles: int
    seed: int
    points_a_decade: int = 16
    fewest_scrambles: int = 8
    largest_unit_share: float = 0.25
    centering_scrambles: int = 4
    centering_rounds: int = 3
    largest_step: float = 0.3
    slope_step: float = 0.02

    def grid(self) -> Array:
        """List the ratios at which the weight is computed first, (points,)."""
        points = 2 + int(np.ceil(self.points_a_decade * np.log10(self.largest)))
        return np.geomspace(1, self.largest, points)


@dataclass(frozen=True)
class ExchangeSample:
    """Pairs of classifiers, between which single rows are exchanged."""

    first: Array
    """Rates, (samples, C, C)."""

    second: Array
    """Rates of the other classifiers, (samples, C, C)."""

    weights: Array
    """Weight of each sample in the mean over exchanges of a row, (C, samples)."""

    def weight_of_the_rarest(self, measure: Measure, sizes: Array) -> float:
        """Estimate the weight of the first class at given class sizes, (C,)."""
        before = measure(MulticlassConfusionMatrix.from_rates(self.first, sizes))
        totals = []
        for row, weights in enumerate(self.weights):
            rates = self.first.copy()
            rates[:, row] = self.second[:, row]
            after = measure(MulticlassConfusionMatrix.from_rates(rates, sizes))
            totals.append(weights @ (after - before) ** 2)
        return float(len(sizes) * totals[0] / np.sum(totals))


def exchange_sample(classes: int, *, log2_samples: int, seed: Sequence[int]) -> ExchangeSample:
    """Draw classifiers uniformly on the product of simplices, by one scramble of a Sobol' sequence.

    A row's total index is half the mean squared change of the value when the row is exchanged,
    divided by the variance (Jansen 1999). The change is nearly linear in the changes of the row's
    entries, whose products have the known mean 2/(C + 1) times δ_jk/C - 1/C². These products are
    control variates: the weights reproduce their means.

    Parameters
    ----------
    classes
        Number of classes.
    log2_samples
        Base-2 logarithm of the number of classifiers.
    seed
        Numbers that form the seed.
    """
    inputs = classes * (classes - 1)
    sequence = qmc.Sobol(2 * inputs, seed=np.random.default_rng(seed))
    points = sequence.random_base2(log2_samples)
    first, second = (sampled_rates(half, classes) for half in np.split(points, 2, axis=1))
    weights = [_control_weights(second[:, row] - first[:, row]) for row in range(classes)]
    return ExchangeSample(first, second, np.array(weights))


def _control_weights(changes: Array) -> Array:
    """Compute weights that sum to 1 and reproduce the exact means of products of a row's changes.

    Parameters
    ----------
    changes
        Changes of a row, (samples, C).
    """
    samples, classes = changes.shape
    row, column = np.triu_indices(classes - 1)  # the last change follows from the others
    if samples < POINTS_A_CONTROL * len(row):
        return np.full(samples, 1 / samples)
    means = 2 * ((row == column) / classes - 1 / classes**2) / (classes + 1)
    controls = changes[:, row] * changes[:, column] - means
    features = np.column_stack([np.ones(samples), controls])
    first = np.eye(features.shape[1])[0]
    return features @ np.linalg.solve(features.T @ features, first)


def weight_in_closed_form(measure: Measure, sizes: Array) -> float | None:
    """Compute the weight of the first class in closed form, or return None if there is none.

    Examples
    --------
    >>> import numpy as np
    >>> from skewproof.multiclass import MEASURES
    >>> weight_in_closed_form(MEASURES["accuracy"], np.array([1.0, 2.0])).__round__(6)
    0.4
    """
    indices = exact_class_indices(measure, sizes)
    if indices is None:
        return None
    total = indices.total[0]
    return float(len(total) * total[0] / total.sum())


def crossings(
    measures: Sequence[Measure], classes: int, shape: str, search: CrossingSearch
) -> dict[str, list[Crossing]]:
    """Find the ratios at which measures give the rarest class half of a fair share, by key.

    Parameters
    ----------
    measures
        The measures.
    classes
        Number of classes.
    shape
        Shape of the increase of sizes from the rarest class to the largest, see
        :func:`skewproof.multiclass.sensitivity.class_sizes`.
    search
        Settings of the search.

    Returns
    -------
    The crossings by the measure's key, in order of increasing ratio. Two crossings between
    neighboring grid points are missed.
    """

    def sizes(log: float) -> Array:
        return class_sizes(classes, shape, float(np.exp(log)))

    seed = [search.seed, classes, 0]
    sample = exchange_sample(classes, log2_samples=search.log2_scan, seed=seed)
    grid = np.log(search.grid())
    solved: dict[str, list[Crossing]] = {measure.key: [] for measure in measures}
    rough: list[_Estimate] = []
    for measure in measures:
        # Kappa has a closed form at equal sizes and nowhere else.
        exact = all(weight_in_closed_form(measure, sizes(log)) is not None for log in grid[::-1])

        def weight(log: float, measure: Measure = measure, exact: bool = exact) -> float:
            in_closed_form = weight_in_closed_form(measure, sizes(log)) if exact else None
            if in_closed_form is None:
                return sample.weight_of_the_rarest(measure, sizes(log))
            return in_closed_form

        for change in _sign_changes(weight, grid, search.slope_step):
            if exact:
                ratio = float(np.exp(change.log))
                solved[measure.key].append(Crossing(ratio, 0, change.falls))
            else:
                rough.append(_Estimate(measure, change, search, sizes))
    for estimate in _refined(rough, classes, search):
        solved[estimate.measure.key].append(estimate.crossing)
    return solved


class _SignChange(NamedTuple):
    """A ratio at which a weight is one half."""

    log: float
    """The ratio's logarithm."""

    slope: float
    """Slope of the weight as a function of the logarithm."""

    @property
    def falls(self) -> bool:
        return self.slope < 0


def _sign_changes(
    weight: Callable[[float], float], grid: Array, slope_step: float
) -> list[_SignChange]:
    """Solve for a weight of one half between neighboring grid points on either side of it."""
    below = np.array([weight(log) < FORGOTTEN_WEIGHT for log in grid])
    changes = []
    for start in np.flatnonzero(below[1:] != below[:-1]):
        root = brentq(lambda log: weight(log) - FORGOTTEN_WEIGHT, *grid[start : start + 2])
        rise = weight(root + slope_step / 2) - weight(root - slope_step / 2)
        changes.append(_SignChange(root, rise / slope_step))
    return changes


@dataclass
class _Estimate:
    """An estimate of a crossing by Newton's steps from a sign change, one per scramble."""

    measure: Measure
    change: _SignChange
    search: CrossingSearch
    sizes: Callable[[float], Array]
    roots: list[float] = field(default_factory=list)

    def weight(self, sample: ExchangeSample, log: float) -> float:
        return sample.weight_of_the_rarest(self.measure, self.sizes(log))

    def center(self, samples: Sequence[ExchangeSample]) -> None:
        """Move the estimate to the crossing of a few scrambles, with their slope."""
        log, step = self.change.log, self.search.slope_step / 2
        ends = [[self.weight(sample, log + side) for side in (-step, step)] for sample in samples]
        slope = float(np.mean(np.diff(ends)) / (2 * step))
        newton = (FORGOTTEN_WEIGHT - float(np.mean(ends))) / slope
        farther = float(np.clip(newton, -self.search.largest_step, self.search.largest_step))
        self.change = _SignChange(log + farther, slope)

    def add(self, sample: ExchangeSample) -> None:
        """Add the root that another scramble estimates."""
        step = (FORGOTTEN_WEIGHT - self.weight(sample, self.change.log)) / self.change.slope
        self.roots.append(self.change.log + step)

    @property
    def crossing(self) -> Crossing:
        ratio = float(np.exp(np.mean(self.roots)))
        error = ratio * np.std(self.roots, ddof=1) / np.sqrt(len(self.roots))
        return Crossing(ratio, float(error), self.change.falls)

    @property
    def settled(self) -> bool:
        """True if the digits are correct; checked at powers of two, since frequent checks would
        soon succeed by chance."""
        scrambles = len(self.roots)
        if scrambles < self.search.fewest_scrambles or scrambles.bit_count() > 1:
            return False
        crossing = self.crossing
        return crossing.error <= self.search.largest_unit_share * last_digit(crossing.ratio)


def last_digit(ratio: float) -> float:
    """Compute one unit of the last of a ratio's SIGNIFICANT_DIGITS.

    Examples
    --------
    >>> last_digit(9.2), last_digit(23.6)
    (0.01, 0.1)
    """
    return float(10.0 ** (np.floor(np.log10(ratio)) + 1 - SIGNIFICANT_DIGITS))


def _refined(
    estimates: Sequence[_Estimate], classes: int, search: CrossingSearch
) -> Sequence[_Estimate]:
    """Estimate crossings from many scrambles, each near the crossing of a single scramble."""
    if not estimates:
        return []

    def sample(number: int) -> ExchangeSample:
        seed = [search.seed, classes, 1 + number]
        return exchange_sample(classes, log2_samples=search.log2_samples, seed=seed)

    first = [sample(number) for number in range(search.centering_scrambles)]
    for _ in range(search.centering_rounds):
        for estimate in estimates:
            estimate.center(first)
    for number in range(search.centering_scrambles, search.centering_scrambles + search.scrambles):
        open_ones = [estimate for estimate in estimates if not estimate.settled]
        if not open_ones:
            break
        another = sample(number)
        for estimate in open_ones:
            estimate.add(another)
    return estimates
