"""Ratios of the class sizes at which a measure gives the rarest class half of a fair share.

The weight of a class is C·T/(T_1 + ... + T_C), its total Sobol' index as a share of the sum of all
classes', times their number; 1 is a fair share. As the largest class grows, the weight of the
rarest may fall below one half and rise above it again. A logarithmic grid from 1 to the largest
ratio finds where it changes sides, so that a pair of crossings between two points of the grid is
missed, and every crossing is then solved for: in closed form where the indices have one, else from
sampled weights that are smooth functions of the ratio, since all ratios share the classifiers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from scipy.optimize import brentq
from scipy.stats import qmc

from skewproof.core.algebra import Array
from skewproof.multiclass.matrix import MulticlassConfusionMatrix
from skewproof.multiclass.measure import Measure
from skewproof.multiclass.sensitivity import class_sizes, exact_class_indices, sampled_rates

FORGOTTEN_WEIGHT = 0.5
"""Weight, as a part of a fair share, below which a measure has forgotten the rarest class."""

POINTS_A_DECADE = 16
"""Points of the grid a decade of ratios."""

SIGNIFICANT_DIGITS = 3
"""Digits of a ratio that are to hold."""

LARGEST_UNIT_SHARE = 0.25
"""Standard error of a ratio, in units of the last of these digits, below which sampling ends."""

FEWEST_SCRAMBLES = 8
"""Scrambles from which a standard error is taken."""

CENTERING_SCRAMBLES = 4
"""Scrambles that move a crossing of the grid's sample to where they have it, and give its slope."""

CENTERING_ROUNDS = 3
"""Largest number of such moves."""

LARGEST_STEP = 0.3
"""Largest move each time, in the logarithm of the ratio."""

POINTS_A_CONTROL = 10
"""Points of a sample for each control variate, at least; with fewer none is used."""

SLOPE_STEP = 0.02
"""Distance, in the ratio's logarithm, of the two weights that make a slope."""


class Crossing(NamedTuple):
    """A ratio at which the rarest class has half of a fair share."""

    ratio: float
    """Size of the largest class over that of the smallest."""

    error: float
    """Its standard error; 0 where the weight has a closed form."""

    falls: bool
    """Whether the weight falls below one half as the ratio rises, or rises above it."""


@dataclass(frozen=True)
class CrossingSearch:
    """Settings of the search for crossings.

    Attributes
    ----------
    largest
        Ratio up to which they are.
    log2_scan
        Base-2 logarithm of the number of classifiers of the grid's sample.
    log2_samples
        Likewise of each scramble from which a crossing's ratio is estimated.
    scrambles
        Scrambles at most; fewer where FEWEST_SCRAMBLES, or twice as many, and so on, give the
        digits asked for.
    seed
        Seed of all draws.
    """

    largest: float
    log2_scan: int
    log2_samples: int
    scrambles: int
    seed: int

    def grid(self) -> Array:
        """The ratios at which the weight is looked at first, (points,)."""
        points = 2 + int(np.ceil(POINTS_A_DECADE * np.log10(self.largest)))
        return np.geomspace(1, self.largest, points)


@dataclass(frozen=True)
class ExchangeSample:
    """Classifiers, each with one row after another exchanged for that of another classifier."""

    first: Array
    """Rates, (samples, C, C)."""

    second: Array
    """Rates of the other classifiers, likewise."""

    weights: Array
    """What each sample counts for in the mean over exchanges of a row, (C, samples)."""

    def weight_of_the_rarest(self, measure: Measure, sizes: Array) -> float:
        """The weight of the first class at given class sizes, (C,)."""
        before = measure(MulticlassConfusionMatrix.from_rates(self.first, sizes))
        totals = []
        for row, weights in enumerate(self.weights):
            rates = self.first.copy()
            rates[:, row] = self.second[:, row]
            after = measure(MulticlassConfusionMatrix.from_rates(rates, sizes))
            totals.append(weights @ (after - before) ** 2)
        return float(len(sizes) * totals[0] / np.sum(totals))


def exchange_sample(classes: int, *, log2_samples: int, seed: Sequence[int]) -> ExchangeSample:
    """Classifiers uniform on the product of simplices, from one scramble of a Sobol' sequence.

    A row's total index is half the mean squared change when it is exchanged (Jansen 1999), by the
    variance. Changes are nearly linear in the row's, whose products have a known mean, 2/(C + 1)
    times δ_jk/C - 1/C²: they serve as control variates, by weights that reproduce these means.

    Parameters
    ----------
    classes
        Number of classes.
    log2_samples
        Base-2 logarithm of the number of classifiers.
    seed
        Numbers that make the seed.
    """
    inputs = classes * (classes - 1)
    sequence = qmc.Sobol(2 * inputs, seed=np.random.default_rng(seed))
    points = sequence.random_base2(log2_samples)
    first, second = (sampled_rates(half, classes) for half in np.split(points, 2, axis=1))
    weights = [_control_weights(second[:, row] - first[:, row]) for row in range(classes)]
    return ExchangeSample(first, second, np.array(weights))


def _control_weights(changes: Array) -> Array:
    """Weights that add up to 1 and give the products of a row's changes their exact means.

    Parameters
    ----------
    changes
        (samples, C), of a row.
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
    """The weight of the first class where the measure's indices have a closed form, else None.

    Examples
    --------
    >>> import numpy as np
    >>> from skewproof.multiclass import get_measure
    >>> weight_in_closed_form(get_measure("accuracy"), np.array([1.0, 2.0])).__round__(6)
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
    """Every ratio at which measures give the rarest class half of a fair share, by key.

    Parameters
    ----------
    measures
        The measures.
    classes
        Number of classes.
    shape
        How sizes rise from the rarest class to the largest, see
        :func:`skewproof.multiclass.sensitivity.class_sizes`.
    search
        How they are looked for.

    Returns
    -------
    By the measure's key its crossings, by rising ratio. Two between neighbors on the grid are
    missed.
    """

    def sizes(logarithm: float) -> Array:
        return class_sizes(classes, shape, float(np.exp(logarithm)))

    seed = [search.seed, classes]
    sample = exchange_sample(classes, log2_samples=search.log2_scan, seed=[*seed, 0])
    grid = np.log(search.grid())
    found: dict[str, list[Crossing]] = {}
    rough = []
    for measure in measures:
        exact = _in_closed_form(measure, sizes)
        # Kappa has one at equal sizes and nowhere else.
        if any(np.isnan(exact(place)) for place in grid[::-1]):
            rough += [(measure, one) for one in _sign_changes(_of(sample, measure, sizes), grid)]
            found[measure.key] = []
        else:
            ends = _sign_changes(exact, grid)
            found[measure.key] = [Crossing(float(np.exp(one.place)), 0, one.falls) for one in ends]
    refined = _refine(rough, sizes, classes, search, seed)
    for (measure, _), crossing in zip(rough, refined, strict=True):
        found[measure.key].append(crossing)
    return found


Weight = Callable[[float], float]
"""The weight of the rarest class as a function of the ratio's logarithm."""

SampledWeight = Callable[[ExchangeSample, Measure, float], float]
"""A weight from a sample, for a measure at a ratio of the class sizes."""


def _in_closed_form(measure: Measure, sizes: Callable[[float], Array]) -> Weight:
    """The weight in closed form, NaN where it has none."""

    def weight(place: float) -> float:
        value = weight_in_closed_form(measure, sizes(place))
        return float("nan") if value is None else value

    return weight


def _of(sample: ExchangeSample, measure: Measure, sizes: Callable[[float], Array]) -> Weight:
    """The weight by a sample."""
    return lambda place: sample.weight_of_the_rarest(measure, sizes(place))


class _SignChange(NamedTuple):
    """Where a weight is one half."""

    place: float
    """The ratio's logarithm."""

    slope: float
    """What the weight gains per unit of it."""

    @property
    def falls(self) -> bool:
        return self.slope < 0


def _sign_changes(weight: Weight, grid: Array) -> list[_SignChange]:
    """Where a weight is one half, one place between each two neighbors on either side of it."""
    below = np.array([weight(place) < FORGOTTEN_WEIGHT for place in grid])
    changes = []
    for start in np.flatnonzero(below[1:] != below[:-1]):
        place = brentq(lambda at: weight(at) - FORGOTTEN_WEIGHT, *grid[start : start + 2])
        rise = weight(place + SLOPE_STEP / 2) - weight(place - SLOPE_STEP / 2)
        changes.append(_SignChange(place, rise / SLOPE_STEP))
    return changes


@dataclass
class _Estimate:
    """A crossing as it is estimated: Newton's step from a place, a scramble at a time."""

    measure: Measure
    change: _SignChange
    places: list[float] = field(default_factory=list)

    def centered(self, samples: Sequence[ExchangeSample], weight: SampledWeight) -> _Estimate:
        """The same from where a few scrambles have the crossing, with their slope."""
        place, step = self.change.place, SLOPE_STEP / 2
        ends = [
            [weight(sample, self.measure, place + side) for side in (-step, step)]
            for sample in samples
        ]
        slope = float(np.mean(np.diff(ends)) / SLOPE_STEP)
        newton = (FORGOTTEN_WEIGHT - float(np.mean(ends))) / slope
        farther = min(max(newton, -LARGEST_STEP), LARGEST_STEP)
        return _Estimate(self.measure, _SignChange(place + farther, slope))

    def add(self, weight: float) -> None:
        step = (FORGOTTEN_WEIGHT - weight) / self.change.slope
        self.places.append(self.change.place + step)

    @property
    def crossing(self) -> Crossing:
        ratio = float(np.exp(np.mean(self.places)))
        error = ratio * np.std(self.places, ddof=1) / np.sqrt(len(self.places))
        return Crossing(ratio, float(error), self.change.falls)

    @property
    def settled(self) -> bool:
        """Whether the digits hold; asked at powers of two, as what is asked often is soon right."""
        scrambles = len(self.places)
        if scrambles < FEWEST_SCRAMBLES or scrambles.bit_count() > 1:
            return False
        crossing = self.crossing
        return crossing.error <= LARGEST_UNIT_SHARE * last_digit(crossing.ratio)


def last_digit(ratio: float) -> float:
    """One unit of the last of a ratio's SIGNIFICANT_DIGITS.

    Examples
    --------
    >>> last_digit(9.2), last_digit(23.6)
    (0.01, 0.1)
    """
    return float(10.0 ** (np.floor(np.log10(ratio)) + 1 - SIGNIFICANT_DIGITS))


def _refine(
    rough: Sequence[tuple[Measure, _SignChange]],
    sizes: Callable[[float], Array],
    classes: int,
    search: CrossingSearch,
    seed: Sequence[int],
) -> list[Crossing]:
    """Crossings from many scrambles, each near the place where one scramble has it."""

    def sample(number: int) -> ExchangeSample:
        return exchange_sample(classes, log2_samples=search.log2_samples, seed=[*seed, 1 + number])

    def weight(sample: ExchangeSample, measure: Measure, place: float) -> float:
        return sample.weight_of_the_rarest(measure, sizes(place))

    estimates = [_Estimate(measure, change) for measure, change in rough]
    if not estimates:
        return []
    first = [sample(number) for number in range(CENTERING_SCRAMBLES)]
    for _ in range(CENTERING_ROUNDS):
        estimates = [one.centered(first, weight) for one in estimates]
    for number in range(CENTERING_SCRAMBLES, CENTERING_SCRAMBLES + search.scrambles):
        open_ones = [one for one in estimates if not one.settled]
        if not open_ones:
            break
        another = sample(number)
        for one in open_ones:
            one.add(weight(another, one.measure, one.change.place))
    return [one.crossing for one in estimates]
