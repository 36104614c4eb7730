"""Areas of a whole population whose scores are normal in each class.

Scores of negatives are standard normal; those of positives are normal with another mean and
deviation. An area is an integral over the threshold, which is cut where its integrand is not
analytic. Gauss's rule on short panels computes each part to about 1e-12.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from scipy.optimize import brentq
from scipy.special import betainc, betaln, expit, log_ndtr, ndtr, ndtri

from skewproof.core.algebra import Array
from skewproof.core.arguments import expect_number
from skewproof.core.levels import Level
from skewproof.curves.areas.area import function_of, prevalence_of
from skewproof.curves.areas.h_measure import costs_as_shapes
from skewproof.curves.areas.precision_recall import above_prevalence, above_worst
from skewproof.curves.areas.roc import checked_max_fpr
from skewproof.prevalence.prevalence import At

FURTHEST = 9.0
"""Standard deviations from a mean beyond which less than 1e-18 of a class lies."""

PANEL = 0.25
"""Width of a panel, relative to the smaller deviation."""

FURTHEST_RATIO = 60.0
"""Logarithm of a likelihood ratio beyond which costs are neglected."""

NODES, WEIGHTS = np.polynomial.legendre.leggauss(16)

LARGEST_MEAN = 30.0
DEVIATIONS = (1 / 30, 30.0)
"""Ranges of the positives' mean and deviation, in which a rule of so many panels is accurate."""


class Population(NamedTuple):
    """Scores that are standard normal in negatives, and normal with other numbers in positives."""

    mean: float
    deviation: float
    prevalence: float

    def tpr(self, threshold: Array | float) -> Array:
        """Return the share of the positives from a threshold on."""
        return ndtr((self.mean - threshold) / self.deviation)

    def density(self, threshold: Array) -> Array:
        """Return the density of the scores of positives."""
        z = (threshold - self.mean) / self.deviation
        return np.exp(-(z**2) / 2) / (self.deviation * np.sqrt(2 * np.pi))

    def precision(self, threshold: Array) -> Array:
        """Compute precision by logarithms, so that it is defined where there are no scores."""
        odds = np.log(self.prevalence / (1 - self.prevalence))
        log_tpr = log_ndtr((self.mean - threshold) / self.deviation)
        return expit(odds + log_tpr - log_ndtr(-threshold))

    def threshold(self, tpr: float) -> float:
        """Return the threshold with a true positive rate."""
        return float(self.mean - self.deviation * ndtri(tpr))

    def ends(self) -> tuple[float, float]:
        """Return the thresholds between which nearly all scores lie."""
        reach = FURTHEST * self.deviation
        return min(-FURTHEST, self.mean - reach), max(FURTHEST, self.mean + reach)


def binormal_area(
    kind: str,
    level: str | Level,
    *,
    mean: float,
    deviation: float = 1.0,
    at: At | None = None,
    **options: Any,
) -> float:
    """Compute the value of an area in a population whose scores are normal in each class.

    Parameters
    ----------
    kind
        The area, a kind that :func:`skewproof.curves.area` takes.
    level
        The population's level "P:N".
    mean, deviation
        Mean and standard deviation of the positives' scores, from -30 to 30 and from 1/30 to 30;
        those of the negatives are 0 and 1. With the deviation 1 the ROC curve is concave.
    at
        Prevalence of the area, as for :func:`skewproof.interval`: by default the population's, and
        1:1 for "calibrated_average_precision".
    **options
        Options of the area, such as ``max_fpr``; ``ties`` and ``hull`` are refused.

    Returns
    -------
    The value, with an error of at most 1e-10 in all tests. The AUC is exact,
    Φ(mean/sqrt(1 + deviation²)).

    Raises
    ------
    ValueError
        If `kind` is not one of these, or a number is out of its range.

    Examples
    --------
    >>> from skewproof.curves import binormal_area
    >>> round(binormal_area("auc", "1:1000", mean=2), 3)
    0.921
    >>> levels = ("1:1", "1:1000")
    >>> [round(binormal_area("average_precision", level, mean=2), 3) for level in levels]
    [0.922, 0.062]
    """
    integral = function_of(kind, INTEGRALS, options)
    mean = expect_number("mean", mean, -LARGEST_MEAN, LARGEST_MEAN)
    deviation = expect_number("deviation", deviation, *DEVIATIONS)
    prevalence = Level.given(level, "level").prevalence
    where = prevalence_of(kind, at)
    if where.elsewhere:
        prevalence = where.share_inside
    return float(integral(Population(mean, deviation, prevalence), **options))


def _integral(integrand: Callable[[Array], Array], low: float, high: float, width: float) -> float:
    """Integrate by Gauss's rule on panels of about the given width."""
    edges = np.linspace(low, high, max(2, int(np.ceil((high - low) / width)) + 1))
    half = np.diff(edges)[:, None] / 2
    nodes = edges[:-1, None] + half * (1 + NODES)
    return float((half * WEIGHTS * integrand(nodes)).sum())


def over_thresholds(
    population: Population, integrand: Callable[[Array], Array], low: float, high: float
) -> float:
    """Integrate over the scores from `low` to `high`."""
    return _integral(integrand, low, high, PANEL * min(1.0, population.deviation))


def _auc(population: Population) -> float:
    return float(ndtr(population.mean / np.hypot(1, population.deviation)))


def _partial_auc(population: Population, max_fpr: float = 0.1) -> float:
    max_fpr = checked_max_fpr(max_fpr)

    def integrand(threshold: Array) -> Array:
        """Return the TPR times the density of negatives, over the largest FPR."""
        density = np.exp(-(threshold**2) / 2 - np.log(max_fpr)) / np.sqrt(2 * np.pi)
        return density * population.tpr(threshold)

    low = max(-FURTHEST, float(-ndtri(max_fpr)))
    height = over_thresholds(population, integrand, low, max(low, 0) + FURTHEST)
    return (1 + (height - max_fpr / 2) / (1 - max_fpr / 2)) / 2


def _average_precision(population: Population) -> float:
    """Integrate the precision over the recall."""

    def integrand(threshold: Array) -> Array:
        return population.density(threshold) * population.precision(threshold)

    reach = FURTHEST * population.deviation
    return over_thresholds(population, integrand, population.mean - reach, population.mean + reach)


def _normalized_average_precision(population: Population) -> float:
    return float(above_prevalence(_average_precision(population), population.prevalence))


def _normalized_precision_recall_area(population: Population) -> float:
    odds = (1 - population.prevalence) / population.prevalence
    return float(above_worst(_average_precision(population), odds))


def _balanced_average_precision(population: Population) -> float:
    return _average_precision(population._replace(prevalence=1 / 2))


def _precision_recall_gain_area(population: Population) -> float:
    """Integrate the precision gain, 1 - fpr/tpr, over the recall gain."""
    odds = population.prevalence / (1 - population.prevalence)

    def integrand(threshold: Array) -> Array:
        tpr = population.tpr(threshold)
        return population.density(threshold) * odds / tpr**2 * (1 - ndtr(-threshold) / tpr)

    low = population.mean - FURTHEST * population.deviation
    return over_thresholds(population, integrand, low, population.threshold(population.prevalence))


def _h_measure(population: Population, costs: Any = (2, 2)) -> float:
    """Integrate over x = log(c (1 - π)/((1 - c) π)), the log likelihood ratio at the threshold."""
    share = population.prevalence
    a, b = costs_as_shapes(costs) or (1 + share, 2 - share)

    def integrand(x: Array) -> Array:
        z = x + np.log(share / (1 - share))
        log_density = -a * np.logaddexp(0, -z) - b * np.logaddexp(0, z) - betaln(a, b)
        cost = expit(z)
        spared = share * (1 - cost) * np.maximum(0, _gain(population, x))
        return np.exp(log_density) * spared

    cuts = _crossings(population)
    spared = sum(_integral(integrand, *piece, PANEL) for piece in pairwise(cuts))
    mean = a / (a + b)
    of_positives = share * (1 - mean) * (1 - betainc(a, b + 1, share))
    constant = (1 - share) * mean * betainc(a + 1, b, share) + of_positives
    return float(spared / constant)


def _gain(population: Population, x: Array) -> Array:
    """Compute what the best threshold spares, in rates, if a false positive costs exp(x) misses.

    The reference is the better of calling all and calling none positive. The result is negative if
    one of these two is best: because the threshold is worse, or because the likelihood ratio is
    exp(x) at no threshold at which it rises.
    """
    mean, deviation = population.mean, population.deviation
    square = (1 - 1 / deviation**2) / 2
    slope = mean / deviation**2
    constant = -(mean**2) / (2 * deviation**2) - np.log(deviation) - x
    discriminant = slope**2 - 4 * square * constant
    root = np.sqrt(np.maximum(discriminant, 0))
    if slope > 0:
        threshold = -2 * constant / (slope + root)
    elif square:
        threshold = (root - slope) / (2 * square)
    else:
        return np.full_like(x, -1.0)
    tpr, fpr = population.tpr(threshold), ndtr(-threshold)
    fnr, tnr = ndtr((threshold - mean) / deviation), ndtr(threshold)
    gain = np.where(x < 0, np.exp(x) * tnr - fnr, tpr - np.exp(x) * fpr)
    return np.where(discriminant >= 0, gain, -1.0)


def _crossings(population: Population) -> list[float]:
    """Find where the best threshold starts or stops to spare anything, and both ends."""
    grid = np.linspace(-FURTHEST_RATIO, FURTHEST_RATIO, 2 * 6001)
    spares = _gain(population, grid) > 0
    crossings = [
        brentq(lambda x: float(_gain(population, np.array(x))), grid[at], grid[at + 1], xtol=1e-13)
        for at in np.flatnonzero(spares[1:] != spares[:-1])
    ]
    return sorted({-FURTHEST_RATIO, 0.0, *crossings, FURTHEST_RATIO})


INTEGRALS: dict[str, Callable[..., float]] = {
    "auc": _auc,
    "partial_auc": _partial_auc,
    "average_precision": _average_precision,
    "interpolated_average_precision": _average_precision,
    "normalized_average_precision": _normalized_average_precision,
    "normalized_precision_recall_area": _normalized_precision_recall_area,
    "calibrated_average_precision": _average_precision,
    "balanced_average_precision": _balanced_average_precision,
    "precision_recall_gain_area": _precision_recall_gain_area,
    "h_measure": _h_measure,
}
"""Function that integrates each area."""
