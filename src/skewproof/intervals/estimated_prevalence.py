"""Prevalence and metrics of instances without labels.

Under label shift the distribution of scores within each class stays the same, and only the
prevalence changes. The share of instances called positive, or the distribution of their scores,
then determines the prevalence and, with the rates of a labeled reference, any metric.
docs/evidence/unlabeled_coverage.md measures the coverage of the intervals, and what the checks
detect.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from skewproof.core.algebra import Array
from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.metric import Metric
from skewproof.intervals.class_rows import check_observed
from skewproof.intervals.deviations import PRIOR
from skewproof.intervals.estimates import Interval, in_digits_of_width, percent
from skewproof.intervals.extremes import Extremes, Function, Proportions, Rows, extremes, radius_of
from skewproof.intervals.label_shift import (
    LIKE_POSITIVES,
    SAME_ROWS,
    SEED,
    WARNED,
    check_fit,
    refuse_other_scores,
)
from skewproof.prevalence.mixtures import mixing_share, share_behind
from skewproof.prevalence.prevalence import RAREST, Estimated

DRAWS = 4000
"""Number of draws, of which a hundred are beyond each end at a confidence of 0.95."""

CAUTION = (
    "No check can confirm the estimate: negatives that score like positives are counted as"
    " prevalence, and positives that have become harder to detect are not (in a simulation, 98 % of"
    " such months fit, and 11 % of their intervals hold). Label some of the instances called"
    " positive."
)
"""Caution on every estimate without labels, with numbers of docs/evidence/unlabeled_coverage.md."""


def prevalence_interval(
    at: Estimated, confidence: float, tpr_change: float = 0.0, fpr_change: float = 0.0
) -> Interval:
    """Compute the interval of :func:`skewproof.estimate_prevalence` for two classes."""
    changes = tpr_change, fpr_change
    if any(changes):
        at = replace(at, bins=None)
    low, high = _checked_ends(at, confidence, *changes)
    value = at.share
    remark = _remark(at, low, high, confidence)
    if any(changes):
        remark = (
            f"The true positive rate may have changed by up to {changes[0]:g}, and the false"
            f" positive rate by up to {changes[1]:g}. {remark}"
        )
    ends = min(low, value), max(high, value)
    return Interval("prevalence", value, *ends, False, float(confidence), at, remark)


def interval_without_labels(
    metric: Metric, at: Estimated, *, confidence: float, total: float | None = None
) -> Interval:
    """Compute an interval for a metric of unlabeled instances, or of their population.

    From calls it has the extremes over the ball of deviations of both rates and of the share called
    positive. From scores, and for exactly the unlabeled instances, it has the quantiles of draws:
    see :func:`draw_rates`.

    Raises
    ------
    ValueError
        As :func:`skewproof.estimate_prevalence`.
    """
    known = prevalence_interval(at, confidence)
    reference, size = at.reference, float(at.total if total is None else total)
    rates = np.array([[float(reference.tpr)], [float(reference.fpr)]])
    here, row = np.array([size]), np.array([0])
    value = float(metric_of_proportions(metric, here, np.array([at.share]))(rates, row)[0])
    if at.bins is None and not at.of_instances:
        ends = _over_ball(metric_behind_calls(metric, size), at, confidence)
        low, high, undefined = (float(end[0]) for end in ends)
    else:
        values = metric(drawn_matrix(at, size))
        defined = values[~np.isnan(values)]
        tails = (1 - confidence) / 2, (1 + confidence) / 2
        low, high = np.quantile(defined, tails) if defined.size else (np.nan, np.nan)
        undefined = defined.size < values.size
    low, high = float(np.fmin(low, value)), float(np.fmax(high, value))
    remark = _remark(at, known.low, known.high, confidence, metric, (value, low, high))
    return Interval(metric.key, value, low, high, bool(undefined), float(confidence), at, remark)


def _over_ball(function: Function, at: Estimated, confidence: float) -> Extremes:
    """Find extremes over the share called positive and the reference's rates."""
    matrix, called, total = at.reference, at.called, at.total
    hits = np.array([[called], [float(matrix.tp)], [float(matrix.fp)]])
    misses = np.array([[total - called], [float(matrix.fn)], [float(matrix.tn)]])
    return extremes(function, Proportions(hits, misses), radius_of(confidence))


def metric_behind_calls(metric: Metric, size: float) -> Function:
    """Return a metric as a function of the share called positive and both rates."""

    def of_proportions(proportions: Array, rows: Rows) -> Array:
        called, tpr, fpr = proportions
        share = share_behind(called, tpr, fpr)
        function = metric_of_proportions(metric, np.full(rows.max() + 1, size), None)
        return function(np.array([share, tpr, fpr]), rows)

    return of_proportions


def metric_of_proportions(metric: Metric, sizes: Array, share: Array | None) -> Function:
    """Return a metric of slices as a function of both rates and, unless given, the prevalence."""

    def of_proportions(proportions: Array, rows: Rows) -> Array:
        *varied, tpr, fpr = proportions
        fixed = share[rows] if share is not None else varied[0]
        prevalence = np.clip(fixed, RAREST, 1 - RAREST)
        positives, negatives = sizes[rows] * prevalence, sizes[rows] * (1 - prevalence)
        return metric(
            ConfusionMatrix.from_rates(tpr, fpr, positives=positives, negatives=negatives)
        )

    return of_proportions


class DrawnRates(NamedTuple):
    """Rates and prevalence in draws, in arrays of the shape (draws,)."""

    prevalence: Array
    tpr: Array
    fpr: Array
    called: Array
    """The share called positive."""


@lru_cache(maxsize=8)
def draw_rates(at: Estimated, draws: int = DRAWS, seed: int = SEED) -> DrawnRates:
    """Draw rates from their posterior, with the prevalence that follows from each draw.

    The share above the cut-off has Jeffreys' prior Beta(1/2, 1/2) in each of the three samples.
    With scores, the bins on either side of it have the prior Dirichlet(1/2, ...), and the
    prevalence of a draw is that of the largest likelihood.
    """
    random = np.random.default_rng(seed)
    if at.bins is None:
        matrix, called, total = at.reference, at.called, at.total
        shares = [
            random.beta(float(hits) + PRIOR, float(misses) + PRIOR, draws)
            for hits, misses in (
                (matrix.tp, matrix.fn),
                (matrix.fp, matrix.tn),
                (called, total - called),
            )
        ]
        tpr, fpr, share = shares
        return DrawnRates(share_behind(share, tpr, fpr), tpr, fpr, share)
    below, _ = at.bins.halves
    bins = [
        _drawn_bins(np.array(counts), at.bins.below, draws, random) for counts in at.bins.counts
    ]
    above = [1 - some[:, below].sum(axis=1) for some in bins]
    return DrawnRates(mixing_share(*bins), *above)


def _drawn_bins(counts: Array, below: int, draws: int, random: np.random.Generator) -> Array:
    """Draw shares of the bins, (draws, bins): that of each side first, and then those within it."""
    above = random.beta(counts[below:].sum() + PRIOR, counts[:below].sum() + PRIOR, draws)
    return np.concatenate(
        [
            (1 - above)[:, np.newaxis] * random.dirichlet(counts[:below] + PRIOR, draws),
            above[:, np.newaxis] * random.dirichlet(counts[below:] + PRIOR, draws),
        ],
        axis=1,
    )


def drawn_matrix(at: Estimated, size: float, draws: int = DRAWS) -> ConfusionMatrix:
    """Draw matrices of the population, or of the unlabeled instances themselves."""
    drawn = draw_rates(at, draws)
    share = np.clip(drawn.prevalence, 1e-12, 1 - 1e-12)
    positives, negatives = size * share, size * (1 - share)
    tpr, fpr = drawn.tpr, drawn.fpr
    if not at.of_instances:
        return ConfusionMatrix.from_rates(tpr, fpr, positives=positives, negatives=negatives)
    random = np.random.default_rng(SEED + 1)
    called, total = at.called, at.total
    ppv = share * tpr / (share * tpr + (1 - share) * fpr)
    missed = share * (1 - tpr) / (share * (1 - tpr) + (1 - share) * (1 - fpr))
    tp, fn = random.binomial(called, ppv), random.binomial(total - called, missed)
    return ConfusionMatrix(tp=tp, fp=called - tp, fn=fn, tn=total - called - fn)


def _checked_ends(
    at: Estimated, confidence: float, tpr_change: float = 0.0, fpr_change: float = 0.0
) -> tuple[float, float]:
    """Compute the ends of the prevalence's interval; refuse what label shift cannot explain.

    Both rates may have changed. A higher rate of either kind implies a lower prevalence.
    """
    reference = at.reference
    check_observed(reference, "the reference")

    def behind(sign: int) -> Extremes:
        def changed(shares: Array, _: Rows) -> Array:
            called, tpr, fpr = shares
            rates = tpr + sign * tpr_change, fpr + sign * fpr_change
            return share_behind(called, *(np.clip(rate, 0, 1) for rate in rates))

        return _over_ball(changed, at, confidence)

    gap = _over_ball(lambda shares, _: shares[1] - shares[2], at, confidence)
    if gap.low[0] <= tpr_change + fpr_change:
        raise ValueError(
            f"the reference has a true positive rate of {float(reference.tpr):.3g} and a false"
            f" positive rate of {float(reference.fpr):.3g}: the cut-off does not separate the"
            f" classes{' after such changes' * (tpr_change + fpr_change > 0)}, so that calls say"
            " nothing about prevalence"
        )
    called = at.called / at.total
    low, high = float(behind(1).low[0]), float(behind(-1).high[0])
    if high == 0 or low == 1:
        rate = reference.fpr if high == 0 else reference.tpr
        side, which = ("below the false", rate) if high == 0 else ("above the true", rate)
        raise ValueError(
            f"{called:.3g} of the unlabeled instances are called positive, {side} positive rate of"
            f" {float(which):.3g} in the reference by more than chance: the rates have changed"
        )
    if at.bins is None:
        return low, high
    refuse_other_scores(check_fit(at))
    shares = draw_rates(at).prevalence
    tails = (1 - confidence) / 2, (1 + confidence) / 2
    low, high = np.quantile(shares, tails)
    return float(low), float(high)


def _remark(
    at: Estimated,
    low: float,
    high: float,
    confidence: float,
    metric: Metric | None = None,
    values: tuple[float, float, float] | None = None,
) -> str:
    """State the cautions on an estimate without labels."""
    sentences = []
    if low <= 1e-9:
        most = in_digits_of_width(at.share, low, high)[2]
        also = ""
        if metric is not None and values is not None:
            also = f"; {metric.key} is at most {in_digits_of_width(*values)[2]}"
        sentences.append(f"Prevalence cannot be distinguished from 0: it is at most {most}{also}.")
    if at.bins is not None:
        fit = check_fit(at)
        if fit.p < WARNED:
            sentences.append(
                f"The scores fit a mixture of both classes badly (p = {fit.p:.2g}): something"
                " other than the prevalence may have changed."
            )
    if _is_reference(at):
        sentences.append(SAME_ROWS)
    sentences.append(CAUTION)
    sentences.append(_if_negatives_score_like_positives(at, metric))
    return " ".join(sentences)


def _is_reference(at: Estimated) -> bool:
    """Return whether the unlabeled instances have the counts of the reference."""
    if at.bins is not None:
        both = zip(at.bins.positives, at.bins.negatives, strict=True)
        return at.bins.unlabeled == tuple(map(sum, both))
    matrix = at.reference
    return (at.called, at.total) == (matrix.tp + matrix.fp, matrix.total)


def _if_negatives_score_like_positives(at: Estimated, metric: Metric | None) -> str:
    """State the estimates if a hundredth of the negatives scored like positives."""
    reference = at.reference
    tpr, fpr = float(reference.tpr), float(reference.fpr)
    share = max(0.0, (at.share - LIKE_POSITIVES) / (1 - LIKE_POSITIVES))
    there = (1 - LIKE_POSITIVES) * fpr + LIKE_POSITIVES * tpr
    clause = f"the prevalence would be {share:.3g}"
    if metric is not None:
        sizes, shares = np.array([float(at.total)]), np.array([share])
        function = metric_of_proportions(metric, sizes, shares)
        value = float(function(np.array([[tpr], [there]]), np.array([0]))[0])
        clause += f" and {metric.key} {round(value, 9):.3g}"
    return f"If {percent(LIKE_POSITIVES)} of the negatives scored like positives, {clause}."
