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
from typing import NamedTuple

from skewproof.core.algebra import Value, ratio, sqrt
from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.metric import Metric, metric
from skewproof.core.registry import Registry, declared_in

BOUNDS = (0.5, 1.0)
"""Bounds of the measures that are not corrected for chance."""


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


@metric(
    symbol=r"C_{\mathrm{purity}}",
    name="cluster purity",
    source="Rama Rao and Josephine 2018; Eq. 25",
    bounds=BOUNDS,
)
def purity(c: ConfusionMatrix) -> Value:
    """Compute the share of instances in the most frequent class of their cluster, in [1/2, 1]."""
    t = TwoClusters.of(c)
    # The larger of two numbers, for arrays and for expressions.
    larger = (sum(t) + abs(t.small_kept - t.large_lost) + abs(t.small_lost - t.large_kept)) / 2
    return ratio(larger, sum(t))


@metric(symbol="R", name="Rand index", source="Rand 1971; Eq. 26", bounds=BOUNDS)
def rand(c: ConfusionMatrix) -> Value:
    """Compute the share of pairs on which both clusterings agree, in [1/2, 1]."""
    t = TwoClusters.of(c)
    return ratio(t.pairs - t.in_true - t.in_predicted + 2 * t.together, t.pairs)


@metric(
    symbol=r"\mathrm{ARI}",
    name="adjusted Rand index",
    source="Hubert and Arabie 1985; Eq. 29",
    bounds=(0.0, 1.0),
)
def adjusted_rand(c: ConfusionMatrix) -> Value:
    """Compute the Rand index adjusted for chance, in [0, 1] with such errors."""
    t = TwoClusters.of(c)
    chance = ratio(t.in_true * t.in_predicted, t.pairs)
    return ratio(t.together - chance, (t.in_true + t.in_predicted) / 2 - chance)


@metric(
    symbol=r"\mathrm{FM}",
    name="Fowlkes-Mallows index",
    source="Fowlkes and Mallows 1983; Eq. 30",
    bounds=BOUNDS,
)
def fowlkes_mallows(c: ConfusionMatrix) -> Value:
    """Compute the geometric mean of precision and recall of the pairs, in [1/2, 1]."""
    t = TwoClusters.of(c)
    return ratio(t.together, sqrt(t.in_true * t.in_predicted))


CLUSTER_MEASURES: Registry[Metric] = Registry("measure", declared_in(Metric, sys.modules[__name__]))
"""Declared measures by their keys."""
