"""Best cut-off of a metric, with an interval that holds although the same data chose it.

docs/evidence/best_threshold.md measures its coverage.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from skewproof.core.algebra import Array
from skewproof.core.arguments import expect, expect_confidence, seed_of
from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.metric import Metric
from skewproof.curves.bands import CutOffs
from skewproof.curves.counts import score_counts
from skewproof.decisions.promised_threshold import check_ranking
from skewproof.intervals.class_rows import check_total
from skewproof.intervals.estimates import Estimate, Grouping
from skewproof.metrics.lookup import as_metric
from skewproof.multiclass.declaration import of_two_classes
from skewproof.operating_points.demands import expect_best_point
from skewproof.prevalence.prevalence import At, Prevalence
from skewproof.reporting.summary import Summary


@dataclass(frozen=True, repr=False)
class BestThreshold(Estimate):
    """Best cut-off of a metric, with estimates of the metric there.

    Examples
    --------
    >>> import numpy as np
    >>> from skewproof import best_threshold
    >>> y_true = np.repeat([1, 0], [100, 1000])
    >>> y_score = np.random.default_rng(0).normal(2 * y_true)
    >>> best = best_threshold("f1", y_true, y_score, at="1:100")
    >>> best.low < best.value - best.optimism < best.value < best.high
    True
    """

    metric: str
    """The metric's key."""

    threshold: float
    """Instances with at least this score are called positive."""

    value: float
    """The metric at this cut-off in the sample, which is too good since the same data chose it."""

    low: float
    high: float
    """Ends of an interval for the metric at this cut-off, which accounts for the choice."""

    optimism: float
    """Average amount by which the value is too good, estimated from samples drawn from this one;
    the estimate tends to be too small."""

    thresholds: tuple[float, float]
    """The lowest and the highest cut-off that the data do not distinguish from the best one."""

    confidence: float

    at: Prevalence
    """Prevalence of the metric."""

    band: pd.DataFrame = field(repr=False, compare=False)
    """All compared cut-offs: threshold, value, low, high, and may_be_best."""

    grouping: Grouping | None = None
    """The groups of rows that belong together; None if all rows are independent."""

    @property
    def _choice(self) -> str:
        low, high = self.thresholds
        return (
            f"The best cut-off is {self.threshold:.4g}; cut-offs from {low:.4g} to {high:.4g} could"
            f" be as good. Optimism: {abs(self.optimism):.2g}."
        )

    def __str__(self) -> str:
        return f"{super().__str__()}. {self._choice}"

    def summary(self) -> Summary:
        """Return the summary of the cut-off."""
        return Summary(self._with_ends, paragraphs=[f"{self._terms}.", self._choice])


def best_threshold(
    metric: str | Metric,
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    at: At = "population",
    total: float | None = None,
    confidence: float = 0.95,
    groups: ArrayLike | None = None,
    pos_label: Any = 1,
    rng: int | np.random.Generator = 0,
) -> BestThreshold:
    """Find the cut-off at which a metric is best, with an interval that accounts for the choice.

    The band of the metric over all cut-offs holds at all of them at once, and therefore at the
    chosen one, however it was chosen. A cut-off may be the best if the upper end of its band
    reaches the highest lower end: with the stated confidence the truly best cut-off is among these.

    Parameters
    ----------
    metric
        The metric, as for :func:`skewproof.interval`; if lower values are better, the lowest value
        is sought.
    y_true, y_score, pos_label
        As for :func:`skewproof.curves.threshold_matrices`, with the same errors.
    at, total
        Prevalence of the metric and number of instances, as for :func:`skewproof.interval`.
    confidence
        Level of the band, in (0, 1).
    groups
        Label of each row's group if rows belong together, such as the patient, as for
        :func:`skewproof.interval`. Samples then consist of whole groups.
    rng
        Seed or generator of the samples that are drawn from the observed rates.

    Returns
    -------
    The best of at most 200 cut-offs, with its interval.

    Raises
    ------
    KeyError, FormulaError
        If the metric is not known.
    ValueError
        If labels or scores are refused, all scores are equal, or negatives have higher scores than
        positives; if good values of the metric are neither high nor low, or it is undefined at all
        cut-offs; or if another argument is refused.

    Examples
    --------
    >>> import numpy as np
    >>> from skewproof import best_threshold
    >>> y_true = np.repeat([1, 0], [100, 1000])
    >>> y_score = np.random.default_rng(0).normal(2 * y_true)
    >>> best = best_threshold("f1", y_true, y_score, at="1:100")
    >>> low, high = best.thresholds
    >>> low < best.threshold < high
    True
    """
    chosen = as_metric(metric)
    expect_best_point(chosen)
    expect_confidence("confidence", confidence)
    seed = seed_of(rng)
    where = Prevalence.given(at).for_two_classes().for_any_rates()
    check_total(chosen, where, total)
    counts, scores = score_counts(y_true, y_score, pos_label=pos_label)
    check_ranking(counts, scores)
    cut_offs = CutOffs.of(counts, scores).in_groups(y_true, y_score, pos_label, groups)
    instances = cut_offs.positives + cut_offs.negatives if total is None else float(total)
    radius = cut_offs.radius(confidence, where, seed)
    rows = cut_offs.rows(where, instances, confidence)
    estimates = rows.estimates(of_two_classes(chosen), radius)
    sign = -1 if chosen.lower_is_better else 1
    values = np.where(np.isnan(estimates.values), -np.inf, sign * estimates.values)
    expect(
        bool(np.isfinite(values).any()), "metric", chosen.key, "a metric that is defined somewhere"
    )
    number = int(values.argmax())
    low, high = estimates.low, estimates.high
    worst, best = (low, high) if sign > 0 else (-high, -low)
    may_be_best = best >= np.nanmax(worst)
    among = cut_offs.thresholds[may_be_best]
    band = {"threshold": cut_offs.thresholds, "value": estimates.values, "low": low}
    band |= {"high": high, "may_be_best": may_be_best}
    grouping = None
    if cut_offs.by_group is not None:
        effect = float(rows.design_effects(of_two_classes(chosen))[number])
        grouping = Grouping(len(cut_offs.by_group[0]), counts.positives + counts.negatives, effect)
    return BestThreshold(
        metric=chosen.key,
        threshold=float(cut_offs.thresholds[number]),
        value=float(estimates.values[number]),
        low=float(low[number]),
        high=float(high[number]),
        optimism=_optimism(chosen, cut_offs, where, instances, seed),
        thresholds=(float(among.min()), float(among.max())),
        confidence=float(confidence),
        at=where,
        band=pd.DataFrame(band),
        grouping=grouping,
    )


def _optimism(
    metric: Metric, cut_offs: CutOffs, at: Prevalence, instances: float, seed: int
) -> float:
    """Return the mean excess of a sample's best value over the true value at its cut-off.

    The samples are drawn from the observed rates.
    """
    observed = cut_offs.positives / (cut_offs.positives + cut_offs.negatives)
    share = at.share if at.elsewhere else observed
    there = {"positives": instances * share, "negatives": instances * (1 - share)}
    values, expected = (
        metric(
            ConfusionMatrix.from_rates(tp / cut_offs.positives, fp / cut_offs.negatives, **there)
        )
        for tp, fp in (cut_offs.drawn(seed), (cut_offs.tp, cut_offs.fp))
    )
    sign = -1 if metric.lower_is_better else 1
    ranked = np.where(np.isnan(values) | np.isnan(expected), -np.inf, sign * values)
    places = ranked.argmax(axis=1)
    gains: Array = values[np.arange(len(values)), places] - expected[places]
    return float(np.mean(gains))
