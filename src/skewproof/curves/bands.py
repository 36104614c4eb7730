"""Bands of a metric over the cut-offs of a sample, at each of them or at all together.

The rates at every cut-off lie in a ball of deviations around the observed ones
(:mod:`skewproof.intervals.extremes`). A band at each cut-off has the radius of a single
interval. A band for all of them together has a larger radius, which is found by simulation: samples
are drawn as if the observed rates were the true ones, and the radius is that within which these lie
at all cut-offs at once in the stated share of the samples.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy.special import betainc, ndtri

from skewproof.core.algebra import Array
from skewproof.core.arguments import expect_choice, expect_confidence, expect_flag, seed_of
from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.data.arrays import checked_numbers
from skewproof.core.data.labels import counts_of_groups, positives_of
from skewproof.curves.counts import ScoreCounts, score_counts
from skewproof.intervals.class_rows import ClassRows
from skewproof.intervals.deviations import PRIOR
from skewproof.intervals.extremes import radius_of
from skewproof.intervals.grouped.effective_numbers import (
    are_single,
    grouped_shares,
    remark_on_groups,
)
from skewproof.intervals.other_rates import for_other_rates
from skewproof.metrics.lookup import as_metric
from skewproof.multiclass.against_rest import TWO_CLASSES, matrix_of_two
from skewproof.multiclass.declaration import of_two_classes
from skewproof.prevalence.prevalence import At, Prevalence

CUT_OFFS_A_SIDE = 100
"""Most cut-offs with geometrically rising numbers of positive calls, and of negative calls."""

DRAWS = 500
"""Number of samples of which the radius is a quantile."""

LEAST_APART = 1e-3
"""Least share of the variance of a rate that the other one does not explain."""

CURVES = {
    "roc": ("false_positive_rate", "true_positive_rate"),
    "precision_recall": ("true_positive_rate", "precision"),
    "det": ("false_positive_rate", "false_negative_rate"),
}
"""Metrics on both axes of each curve."""


class CutOffs(NamedTuple):
    """Counts at some cut-offs of a sample, the highest cut-off first."""

    thresholds: NDArray[Any]
    tp: Array
    fp: Array
    positives: float
    negatives: float
    by_group: list[Array] | None = None
    """Positives and negatives of each group by their call, (groups, 2, 2), at each cut-off; None if
    instances are independent."""

    @classmethod
    def of(cls, counts: ScoreCounts, scores: NDArray[Any]) -> CutOffs:
        """Select some of the distinct scores, or all of them if there are few."""
        called = (counts.tp + counts.fp)[1:]
        few = np.round(np.geomspace(1, called[-1], CUT_OFFS_A_SIDE))
        wanted = np.union1d(few, called[-1] - few)
        chosen = np.unique(np.minimum(np.searchsorted(called, wanted), called.size - 1))
        tp, fp = counts.tp[1:][chosen], counts.fp[1:][chosen]
        return cls(scores[chosen], tp, fp, counts.positives, counts.negatives)

    @property
    def matrix(self) -> ConfusionMatrix:
        """The confusion matrices."""
        return ConfusionMatrix.from_tp_fp(
            self.tp, self.fp, positives=self.positives, negatives=self.negatives
        )

    def in_groups(
        self, y_true: ArrayLike, y_score: ArrayLike, pos_label: Any, groups: ArrayLike | None
    ) -> CutOffs:
        """Return the same cut-offs with the counts of each group, if rows stand in groups."""
        if groups is None:
            return self
        positive, scores = positives_of(y_true, pos_label), checked_numbers(y_score, "y_score")
        return self._replace(by_group=calls_by_group(positive, scores, self.thresholds, groups))

    def rows(self, at: Prevalence, total: float, confidence: float) -> ClassRows:
        """Return the rows of the matrices where the classifier runs, for so many instances."""
        counts, totals = matrix_of_two(self.matrix).counts, np.full(self.tp.size, total)
        return ClassRows.at(
            counts, at, TWO_CLASSES, totals, by_group=self.by_group, confidence=confidence
        )

    def drawn(self, seed: int) -> tuple[Array, Array]:
        """Draw counts of samples as if the observed rates were the true ones, (draws, cut-offs).

        Groups are drawn whole, as often as there are groups.
        """
        random = np.random.default_rng(seed)
        if not are_single(self.by_group):
            table = np.array(self.by_group)
            groups = table.shape[1]
            chosen = (random.integers(groups, size=groups) for _ in range(DRAWS))
            times = np.stack([np.bincount(places, minlength=groups) for places in chosen])
            sizes = (times @ table[0].sum(axis=-1))[:, np.newaxis]
            called = np.tensordot(times, table[..., 0], axes=(1, 1))
            rates = np.divide(
                called, sizes, out=np.tile(self._rates, (DRAWS, 1, 1)), where=sizes > 0
            )
            return rates[..., 0] * self.positives, rates[..., 1] * self.negatives
        drawn = []
        for hits, size in ((self.tp, self.positives), (self.fp, self.negatives)):
            steps = np.diff(np.concatenate([[0.0], hits, [size]])) / size
            counts = random.multinomial(round(size), steps / steps.sum(), DRAWS)
            drawn.append(np.cumsum(counts, axis=1)[:, :-1].astype(float))
        return drawn[0], drawn[1]

    def radius(self, confidence: float, at: Prevalence, seed: int) -> float:
        """Compute the radius of the balls that contain the true rates at all cut-offs at once."""
        worth, correlation = self._worth
        sizes = (self.positives, self.negatives)
        deviations = [
            _deviations(counts * share, size * share, rates)
            for counts, share, size, rates in zip(
                self.drawn(seed), worth, sizes, self._rates.T, strict=True
            )
        ]
        squares = deviations[0] ** 2 + deviations[1] ** 2
        if np.any(correlation):
            squares -= 2 * correlation * deviations[0] * deviations[1]
            squares /= np.maximum(1 - correlation**2, LEAST_APART)
        farthest = squares.max(axis=1)
        if at.is_uncertain:
            farthest += np.random.default_rng(seed + 1).normal(size=DRAWS) ** 2
        return float(np.sqrt(np.quantile(farthest, confidence)))

    @property
    def _rates(self) -> Array:
        """Both rates at each cut-off, (cut-offs, 2)."""
        return np.column_stack([self.tp / self.positives, self.fp / self.negatives])

    @property
    def _worth(self) -> tuple[Array, Array]:
        """Worth of a row of each class, (2, cut-offs), and the correlation of both rates."""
        if self.by_group is None or are_single(self.by_group):
            return np.ones((2, self.tp.size)), np.zeros(self.tp.size)
        known = [
            grouped_shares(counts[..., 0], counts.sum(axis=2), 0.95) for counts in self.by_group
        ]
        worth = np.array([1 / shares.design_effect for shares in known]).T
        return worth, np.array([shares.correlation[0, 1] for shares in known])


def calls_by_group(
    positive: NDArray[np.bool_], scores: NDArray[Any], cutoffs: NDArray[Any], groups: ArrayLike
) -> list[Array]:
    """Count positives and negatives of each group by their call at each cut-off, (groups, 2, 2).

    Raises
    ------
    ValueError
        If groups are refused, or several rows of a class are all of one group.
    """
    edges = np.sort(cutoffs)
    reached = np.searchsorted(edges, scores, side="right")
    cells = np.where(positive, reached, edges.size + 1 + reached)
    table = counts_of_groups(groups, cells, (2, edges.size + 1), None)
    remark_on_groups(table, TWO_CLASSES)
    called, sizes = table[..., ::-1].cumsum(axis=-1)[..., ::-1][..., 1:], table.sum(axis=-1)
    return [
        np.stack([called[..., place], sizes - called[..., place]], axis=-1)
        for place in np.searchsorted(edges, cutoffs)
    ]


def _deviations(counts: Array, size: float, rates: Array) -> Array:
    """Return the deviations of true rates from counts; 0 if the rate is 0 or 1."""
    probability = betainc(counts + PRIOR, size - counts + PRIOR, np.clip(rates, 1e-300, 1))
    deviations = ndtri(np.clip(probability, 1e-16, 1 - 1e-16))
    inside = (counts == 0) & (deviations < 0) | (counts == size) & (deviations > 0)
    return np.where(inside | (rates == 0) | (rates == 1), 0.0, deviations)


def curve_bands(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    curve: str = "roc",
    at: At = "population",
    confidence: float = 0.95,
    simultaneous: bool = True,
    groups: ArrayLike | None = None,
    pos_label: Any = 1,
    rng: int | np.random.Generator = 0,
) -> pd.DataFrame:
    """Compute the points of a curve with the ends of both coordinates.

    Parameters
    ----------
    y_true, y_score, pos_label
        As for :func:`skewproof.curves.threshold_matrices`, with the same errors.
    curve
        "roc", "precision_recall" or "det".
    at
        Prevalence of the curve, as for :func:`skewproof.interval`; rates do not depend on it. One
        that is estimated without labels counts as the range of its interval, around the estimate.
    confidence
        Level of the band, in (0, 1).
    simultaneous
        Whether the band contains the points at all cut-offs at once with this confidence, not just
        at each of them.
    groups
        Label of each row's group if rows belong together, such as the patient, as for
        :func:`skewproof.interval`. Samples for a simultaneous band then consist of whole groups.
    rng
        Seed or generator of the samples that determine a simultaneous band.

    Returns
    -------
    Frame with a row for each of at most 200 cut-offs, the highest first: threshold; x, x_low and
    x_high; y, y_low and y_high. x is the false positive rate, or the recall of a precision-recall
    curve; y is the true positive rate, the precision, or the false negative rate of a DET curve.

    Raises
    ------
    ValueError
        If labels, scores or another argument are refused.

    Examples
    --------
    >>> import numpy as np
    >>> from skewproof.curves import curve_bands
    >>> y_true = np.repeat([1, 0], [50, 500])
    >>> y_score = np.random.default_rng(0).normal(2 * y_true)
    >>> bands = curve_bands(y_true, y_score, curve="precision_recall", at="1:100")
    >>> bool(((bands.y_low <= bands.y) & (bands.y <= bands.y_high)).all())
    True
    """
    expect_choice("curve", curve, CURVES)
    expect_confidence("confidence", confidence)
    expect_flag("simultaneous", simultaneous)
    seed = seed_of(rng)
    where = for_other_rates(at, confidence)
    cut_offs = CutOffs.of(*score_counts(y_true, y_score, pos_label=pos_label))
    cut_offs = cut_offs.in_groups(y_true, y_score, pos_label, groups)
    radius = cut_offs.radius(confidence, where, seed) if simultaneous else radius_of(confidence)
    columns: dict[str, Any] = {"threshold": cut_offs.thresholds}
    total = cut_offs.positives + cut_offs.negatives
    rows = cut_offs.rows(where, total, confidence)
    for axis, key in zip("xy", CURVES[curve], strict=True):
        estimates = rows.estimates(of_two_classes(as_metric(key)), radius)
        columns |= {
            axis: estimates.values,
            f"{axis}_low": estimates.low,
            f"{axis}_high": estimates.high,
        }
    return pd.DataFrame(columns)
