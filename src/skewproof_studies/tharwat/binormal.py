"""A classifier under imbalance: curves and areas with normal scores in both classes.

Negatives have scores N(0, 1), and positives N(d, 1). The classifier is the same at every level, so
that any change of a curve or an area is due to the class sizes. Values are those of the population,
in which a class of any size has the rates of its distribution.
"""

from __future__ import annotations

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
from skewproof.core.scales import bounded
from skewproof.metrics.agreement import mcc
from skewproof.metrics.precision_recall import f1

THRESHOLD_REACH = 12.0
"""Distance of the thresholds beyond both means; less than 1e-32 of a class scores beyond."""

UNIT_MCC = bounded(mcc)
"""MCC scaled to [0, 1], as in the MCC-F1 metric."""

MCC_SUBRANGES = 100
"""Number of subranges of MCC in the MCC-F1 metric, the value of Cao et al."""

NODES_PER_SUBRANGE = 100
"""Number of nodes of the Gauss-Legendre rule in each subrange; the error estimate uses half as
many."""

EDGE_ERROR = 1e-9
"""Largest contribution to the error from thresholds between subranges, known to about 1e-10."""


class Area(NamedTuple):
    """An area in the population."""

    value: float
    error: float
    """Largest distance of the value from the true one, 0 for a closed form."""


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

    @classmethod
    def at_level(cls, separation: float, level: Level) -> Binormal:
        """Return the classifier at an imbalance level."""
        return cls(separation, 1 / (1 + level.negatives(1)))

    def matrix(self, thresholds: ArrayLike) -> ConfusionMatrix:
        """Return shares of all instances, as a confusion matrix with the shape of the
        thresholds."""
        above_0 = np.asarray(thresholds)
        above_mean = above_0 - self.separation
        return ConfusionMatrix.from_rates(
            ndtr(-above_mean),
            ndtr(-above_0),
            positives=self.prevalence,
            negatives=1 - self.prevalence,
            fnr=ndtr(above_mean),
            tnr=ndtr(above_0),
        )

    def density(self, thresholds: Array) -> Array:
        """Return the density of the scores of all instances."""
        positive = self.prevalence * _normal_density(thresholds - self.separation)
        return positive + (1 - self.prevalence) * _normal_density(thresholds)

    def roc_area(self) -> Area:
        """Return the AUC, in closed form."""
        return Area(float(ndtr(self.separation / np.sqrt(2))), 0.0)

    def det_area(self) -> Area:
        """Return the area under the DET curve between axes of rates, which is 1 - AUC."""
        return Area(float(ndtr(-self.separation / np.sqrt(2))), 0.0)

    def equal_error_rate(self) -> Area:
        """Return the equal error rate, at the threshold between the means."""
        return Area(float(ndtr(-self.separation / 2)), 0.0)

    def pr_area(self) -> Area:
        """Compute the area under the precision-recall curve, by quadrature over the threshold."""

        def precision(threshold: float) -> Any:
            density = _normal_density(threshold - self.separation)
            return self.matrix(threshold).ppv * density

        ends = (self.separation - THRESHOLD_REACH, self.separation + THRESHOLD_REACH)
        value, error = integrate.quad(precision, *ends, epsabs=1e-12, limit=200)
        return Area(float(value), float(error))

    def mcc_f1_area(self) -> Area:
        """Compute the MCC-F1 metric, which Cao et al. use in place of an area.

        This is the limit of :func:`~skewproof.curves.thresholds.mcc_f1_score` for ever
        larger classes: every instance's score is a threshold, so that distances are averaged over
        the scores' density.
        """
        edges = self._subrange_edges()
        node_numbers = (NODES_PER_SUBRANGE, NODES_PER_SUBRANGE // 2)
        fine, coarse = (self._mcc_f1(edges, nodes) for nodes in node_numbers)
        return Area(fine, abs(fine - coarse) + EDGE_ERROR)

    def _subrange_edges(self) -> Array:
        """Return thresholds between the subranges of MCC, rising: those below the best one, then
        those above."""
        low, high = -THRESHOLD_REACH, self.separation + THRESHOLD_REACH
        best = optimize.minimize_scalar(
            lambda threshold: -float(UNIT_MCC(self.matrix(threshold))),
            bounds=(low, high),
            method="bounded",
            options={"xatol": 1e-10},
        ).x
        # MCC is 0 at both ends, which is scaled to 1/2.
        values = np.linspace(0.5, float(UNIT_MCC(self.matrix(best))), MCC_SUBRANGES + 1)[1:-1]

        def crossing(value: float, start: float, stop: float) -> float:
            return float(
                optimize.brentq(lambda t: float(UNIT_MCC(self.matrix(t))) - value, start, stop)
            )

        rising = [crossing(value, low, best) for value in values]
        falling = [crossing(value, best, high) for value in values[::-1]]
        return np.array([low, *rising, best, *falling, high])

    def _mcc_f1(self, edges: Array, nodes: int) -> float:
        points, weights = np.polynomial.legendre.leggauss(nodes)
        middles, halves = (edges[1:] + edges[:-1]) / 2, np.diff(edges) / 2
        thresholds = middles[:, np.newaxis] + halves[:, np.newaxis] * points
        matrix = self.matrix(thresholds)
        mass = weights * self.density(thresholds)
        distances = np.hypot(UNIT_MCC(matrix) - 1, f1(matrix) - 1)
        means = np.sum(mass * distances, axis=1) / np.sum(mass, axis=1)
        return float(1 - means.mean() / np.sqrt(2))


def _normal_density(values: Any) -> Any:
    return np.exp(-(values**2) / 2) / np.sqrt(2 * np.pi)


def population_curves(separation: float, level: Level, *, points: int = 401) -> pd.DataFrame:
    """Return all four curves of the population over a grid of falling thresholds.

    Returns
    -------
    Frame with the columns threshold, fpr, tpr, precision, far_deviate, frr_deviate, unit_mcc (MCC
    scaled to [0, 1]) and f1; the deviates are standard normal quantiles.
    """
    thresholds = np.linspace(separation + THRESHOLD_REACH / 2, -THRESHOLD_REACH / 2, points)
    matrix = Binormal.at_level(separation, level).matrix(thresholds)
    columns = {
        "threshold": thresholds,
        "fpr": matrix.fpr,
        "tpr": matrix.tpr,
        "precision": matrix.ppv,
        "far_deviate": ndtri(matrix.fpr),
        "frr_deviate": ndtri(matrix.fnr),
        "unit_mcc": UNIT_MCC(matrix),
        "f1": f1(matrix),
    }
    return pd.DataFrame(columns)
