"""Measures of a clustering into two as metrics, so that the project's instruments examine them.

Two true clusters with sizes in the ratio P (the smaller) to N, P:N being the level, are recovered
with errors: a share of each is put with the other. That share goes from 0 to 1/2, where the
prediction says nothing about the cluster. Beyond 1/2 the two predicted clusters merely swap names.
So the error of the smaller cluster is 0 at tp = P and 1/2 at tp = 0; the error of the larger
cluster is 0 at fp = 0 and 1/2 at fp = N.

The clusters are infinite: the level is the ratio of their sizes, and pairs are drawn with
replacement. The values of Rand, ARI and Fowlkes-Mallows are the limits of the indices of finitely
many instances as both sizes grow in that ratio: with one error in each of two clusters of ten the
ARI is 0.62, and 0.64 here. Purity depends on the shares alone. Equation numbers are those of
Beddar-Wiesing et al. (2025).
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from skewproof.core.algebra import Value, ratio, sqrt
from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.metric import Bounds, Metric
from skewproof.core.registry import Registry, declared_in


@dataclass(frozen=True)
class ClusterMeasure(Metric):
    """A measure of a clustering into two, as a metric of the errors in both clusters."""


class TwoClusters(NamedTuple):
    """Sizes of the parts of the smaller and the larger cluster: kept, and put with the other."""

    small_kept: Value
    small_lost: Value
    large_kept: Value
    large_lost: Value

    @classmethod
    def of(cls, c: ConfusionMatrix) -> TwoClusters:
        """Build the table of a confusion matrix: half of its errors are errors, half are hits."""
        return cls(c.tp + c.fn / 2, c.fn / 2, c.tn + c.fp / 2, c.fp / 2)

    @property
    def together(self) -> Value:
        """Pairs that are together in both clusterings."""
        return sum(count**2 for count in self)

    @property
    def in_true(self) -> Value:
        """Pairs that are together in the true clusters."""
        small, large = self.small_kept + self.small_lost, self.large_kept + self.large_lost
        return small**2 + large**2

    @property
    def in_predicted(self) -> Value:
        """Pairs that are together in the predicted clusters."""
        first, second = self.small_kept + self.large_lost, self.small_lost + self.large_kept
        return first**2 + second**2

    @property
    def pairs(self) -> Value:
        """All pairs."""
        return sum(self) ** 2


def _measure(
    symbol: str,
    name: str,
    source: str,
    *,
    bounds: Bounds = (0.5, 1.0),
) -> Callable[[Callable[[TwoClusters], Value]], ClusterMeasure]:
    """Declare a measure; its function's name is its key in the catalog."""

    def declare(formula: Callable[[TwoClusters], Value]) -> ClusterMeasure:
        return ClusterMeasure(
            formula.__name__,
            symbol,
            name,
            source,
            lambda c: formula(TwoClusters.of(c)),
            bounds=bounds,
        )

    return declare


@_measure(
    r"C_{\mathrm{purity}}",
    "cluster purity",
    "Rama Rao and Josephine 2018; Eq. 25",
)
def purity(t: TwoClusters) -> Value:
    """Compute the share of instances in the most frequent class of their cluster, in [1/2, 1]."""
    # The larger of two numbers, for arrays and for expressions.
    larger = (sum(t) + abs(t.small_kept - t.large_lost) + abs(t.small_lost - t.large_kept)) / 2
    return ratio(larger, sum(t))


@_measure("R", "Rand index", "Rand 1971; Eq. 26")
def rand(t: TwoClusters) -> Value:
    """Compute the share of pairs on which both clusterings agree, in [1/2, 1]."""
    return ratio(t.pairs - t.in_true - t.in_predicted + 2 * t.together, t.pairs)


@_measure(
    r"\mathrm{ARI}",
    "adjusted Rand index",
    "Hubert and Arabie 1985; Eq. 29",
    bounds=(0.0, 1.0),
)
def adjusted_rand(t: TwoClusters) -> Value:
    """Compute the Rand index adjusted for chance, in [0, 1] with such errors."""
    chance = ratio(t.in_true * t.in_predicted, t.pairs)
    return ratio(t.together - chance, (t.in_true + t.in_predicted) / 2 - chance)


@_measure(r"\mathrm{FM}", "Fowlkes-Mallows index", "Fowlkes and Mallows 1983; Eq. 30")
def fowlkes_mallows(t: TwoClusters) -> Value:
    """Compute the geometric mean of precision and recall of the pairs, in [1/2, 1]."""
    return ratio(t.together, sqrt(t.in_true * t.in_predicted))


CLUSTER_MEASURES: Registry[ClusterMeasure] = Registry(
    "measure", declared_in(ClusterMeasure, sys.modules[__name__])
)
"""Declared measures by their keys."""
