"""One classifier under imbalance: curves and areas when scores are normal in both classes.

Negatives score N(0, 1) and positives N(d, 1). The classifier is the same at every level, so that a
curve or an area that changes with the level does so for the class sizes alone. Exact values are
those of the population, in which a class of any size has the rates of its distribution; sampled
ones are those of finite classes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy import integrate, optimize
from scipy.special import ndtr, ndtri

from skewproof.core.algebra import Array
from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.levels import Level
from skewproof.metrics.agreement import mcc
from skewproof.metrics.precision_recall import f1
from skewproof.practice.score_curves import (
    auc,
    average_precision,
    equal_error_rate,
    interpolated_average_precision,
)
from skewproof.practice.thresholds import mcc_f1_score

REACH = 12.0
"""Thresholds go so far beyond both means; what scores beyond is less than 1e-32 of a class."""

SUBRANGES = 100
"""Subranges of MCC in the MCC-F1 metric, as Cao et al. have them."""

NODES = 100
"""Nodes of the Gauss-Legendre rule in each subrange; the error estimate has half as many."""

EDGE_ERROR = 1e-9
"""What thresholds between subranges that are known to about 1e-10 may add to the error."""


class Area(NamedTuple):
    """An area in the population."""

    value: float
    error: float
    """How far the value is from the true one at most, 0 for a closed form."""


@dataclass(frozen=True)
class Binormal:
    """A classifier whose scores are N(0, 1) for negatives and N(separation, 1) for positives.

    Raises
    ------
    ValueError
        If the separation is negative or not finite, or the prevalence not between 0 and 1.
    """

    separation: float
    prevalence: float
    """Share of positives, P/(P + N)."""

    def __post_init__(self) -> None:
        if not 0 <= self.separation < np.inf:
            raise ValueError(f"separation = {self.separation}: expected a finite number >= 0")
        if not 0 < self.prevalence < 1:
            raise ValueError(f"prevalence = {self.prevalence}: expected a number between 0 and 1")

    @classmethod
    def at_level(cls, separation: float, level: Level) -> Binormal:
        """The classifier at an imbalance level."""
        return cls(separation, 1 / (1 + level.negatives(1)))

    def matrix(self, thresholds: ArrayLike) -> ConfusionMatrix:
        """Shares of all instances, as a confusion matrix of the shape of the thresholds."""
        negative, positive = np.asarray(thresholds), np.asarray(thresholds) - self.separation
        return ConfusionMatrix(
            tp=self.prevalence * ndtr(-positive),
            fn=self.prevalence * ndtr(positive),
            fp=(1 - self.prevalence) * ndtr(-negative),
            tn=(1 - self.prevalence) * ndtr(negative),
        )

    def density(self, thresholds: Array) -> Array:
        """Density of the scores of all instances."""
        positive = self.prevalence * _normal_density(thresholds - self.separation)
        return positive + (1 - self.prevalence) * _normal_density(thresholds)

    def roc_area(self) -> Area:
        """AUC, in closed form."""
        return Area(float(ndtr(self.separation / np.sqrt(2))), 0.0)

    def det_area(self) -> Area:
        """Area under the DET curve between axes of rates, which is 1 - AUC."""
        return Area(float(ndtr(-self.separation / np.sqrt(2))), 0.0)

    def equal_error_rate(self) -> Area:
        """The equal error rate, at the threshold between the means."""
        return Area(float(ndtr(-self.separation / 2)), 0.0)

    def pr_area(self) -> Area:
        """Area under the precision-recall curve, by quadrature over the threshold."""

        def precision(threshold: float) -> Any:
            density = _normal_density(threshold - self.separation)
            return self.matrix(threshold).ppv * density

        ends = (self.separation - REACH, self.separation + REACH)
        value, error = integrate.quad(precision, *ends, epsabs=1e-12, limit=200)
        return Area(float(value), float(error))

    def mcc_f1_area(self) -> Area:
        """The MCC-F1 metric, which Cao et al. have in the place of an area.

        The limit of :func:`skewproof.practice.thresholds.mcc_f1_score` for ever larger classes: every
        instance's score is a threshold there, so distances are averaged by the scores' density.
        """
        edges = self._subrange_edges()
        fine, coarse = (self._mcc_f1(edges, nodes) for nodes in (NODES, NODES // 2))
        return Area(fine, abs(fine - coarse) + EDGE_ERROR)

    def _subrange_edges(self) -> Array:
        """Thresholds between the subranges of MCC, rising: those left of the best, then right."""
        low, high = -REACH, self.separation + REACH
        best = optimize.minimize_scalar(
            lambda threshold: -float(mcc(self.matrix(threshold))),
            bounds=(low, high),
            method="bounded",
            options={"xatol": 1e-10},
        ).x
        # At both ends MCC is 0, which is 1/2 on its scale.
        values = np.linspace(0.5, float(mcc(self.matrix(best))), SUBRANGES + 1)[1:-1]

        def crossing(value: float, start: float, stop: float) -> float:
            return float(optimize.brentq(lambda t: float(mcc(self.matrix(t))) - value, start, stop))

        rising = [crossing(value, low, best) for value in values]
        falling = [crossing(value, best, high) for value in values[::-1]]
        return np.array([low, *rising, best, *falling, high])

    def _mcc_f1(self, edges: Array, nodes: int) -> float:
        places, weights = np.polynomial.legendre.leggauss(nodes)
        middles, halves = (edges[1:] + edges[:-1]) / 2, np.diff(edges) / 2
        thresholds = middles[:, np.newaxis] + halves[:, np.newaxis] * places
        matrix = self.matrix(thresholds)
        mass = weights * self.density(thresholds)
        distances = np.hypot(mcc(matrix) - 1, f1(matrix) - 1)
        means = np.sum(mass * distances, axis=1) / np.sum(mass, axis=1)
        return float(1 - means.mean() / np.sqrt(2))


def _normal_density(values: Any) -> Any:
    return np.exp(-(values**2) / 2) / np.sqrt(2 * np.pi)


def mcc_f1_of_scores(y_true: ArrayLike, y_score: ArrayLike) -> float:
    """The MCC-F1 metric of a sample, with as many subranges as in the population."""
    return mcc_f1_score(y_true, y_score, subranges=SUBRANGES)


def one_minus_auc(y_true: ArrayLike, y_score: ArrayLike) -> float:
    """Area under the DET curve of a sample, between axes of rates."""
    return 1 - auc(y_true, y_score)


def error_rate_of_scores(y_true: ArrayLike, y_score: ArrayLike) -> float:
    """The equal error rate of a sample."""
    return equal_error_rate(y_true, y_score).rate


Population = Callable[[Binormal], Area]
Sample = Callable[[ArrayLike, ArrayLike], float]

AREAS: dict[str, tuple[Population, Sample]] = {
    "roc": (Binormal.roc_area, auc),
    "precision_recall": (Binormal.pr_area, interpolated_average_precision),
    "average_precision": (Binormal.pr_area, average_precision),
    "det": (Binormal.det_area, one_minus_auc),
    "equal_error_rate": (Binormal.equal_error_rate, error_rate_of_scores),
    "mcc_f1": (Binormal.mcc_f1_area, mcc_f1_of_scores),
}
"""Each area in the population and of a sample; both precision-recall areas have one limit."""


def population_curves(separation: float, level: Level, *, points: int = 401) -> pd.DataFrame:
    """All four curves of the population over a grid of thresholds, falling.

    Returns
    -------
    Frame with the columns threshold, fpr, tpr, precision, far_deviate, frr_deviate, mcc and f1; the
    deviates are standard normal quantiles.
    """
    thresholds = np.linspace(separation + REACH / 2, -REACH / 2, points)
    matrix = Binormal.at_level(separation, level).matrix(thresholds)
    columns = {
        "threshold": thresholds,
        "fpr": matrix.fpr,
        "tpr": matrix.tpr,
        "precision": matrix.ppv,
        "far_deviate": ndtri(matrix.fpr),
        "frr_deviate": ndtri(matrix.fnr),
        "mcc": mcc(matrix),
        "f1": f1(matrix),
    }
    return pd.DataFrame(columns)


def sampled_areas(
    separation: float, level: Level, *, positives: int, replicates: int, seed: int
) -> pd.DataFrame:
    """Every area of several samples.

    Parameters
    ----------
    separation, level
        The classifier, and the imbalance level.
    positives
        Size of the positive class of each sample; that of the negative class is rounded.
    replicates
        Number of samples.
    seed
        The study's seed; that of a level derives from it and the level.

    Returns
    -------
    Frame of shape (replicates, areas).
    """
    random = np.random.default_rng([seed, level.positive_part, level.negative_part])
    negatives = round(level.negatives(positives))
    true = np.repeat([1, 0], [positives, negatives])
    rows = []
    for _ in range(replicates):
        scores = random.standard_normal(true.size) + separation * true
        rows.append({name: sample(true, scores) for name, (_, sample) in AREAS.items()})
    return pd.DataFrame(rows)


def area_study(
    separation: float,
    levels: Sequence[Level],
    baseline: Level,
    *,
    positives: int,
    replicates: int,
    seed: int,
) -> pd.DataFrame:
    """Which area moves with the level: exactly, and in samples.

    Parameters
    ----------
    separation
        Distance d between the mean scores of both classes, in standard deviations.
    levels, baseline
        Imbalance levels, and the one that the others are compared with.
    positives, replicates, seed
        As for :func:`sampled_areas`; at least two replicates.

    Returns
    -------
    Frame with a row an area and level: area, level, exact, error, shift (from the baseline's exact
    value), moves (whether the shift is more than both errors), sampled (mean), standard_error,
    sampled_shift and shift_standard_error.
    """
    options = {"positives": positives, "replicates": replicates, "seed": seed}
    samples = {level: sampled_areas(separation, level, **options) for level in {*levels, baseline}}
    rows = []
    for name, (population, _) in AREAS.items():
        exact = {level: population(Binormal.at_level(separation, level)) for level in samples}
        means = {level: float(sample[name].mean()) for level, sample in samples.items()}
        errors = {
            level: float(sample[name].std() / np.sqrt(replicates))
            for level, sample in samples.items()
        }
        for level in levels:
            here, there = exact[level], exact[baseline]
            shift = here.value - there.value
            moves = abs(shift) > here.error + there.error
            gap = np.hypot(errors[level], errors[baseline]) if level != baseline else 0.0
            sampled = (means[level], errors[level], means[level] - means[baseline], float(gap))
            rows.append((name, str(level), *here, shift, moves, *sampled))
    columns = ["area", "level", "exact", "error", "shift", "moves", "sampled", "standard_error"]
    return pd.DataFrame(rows, columns=[*columns, "sampled_shift", "shift_standard_error"])
