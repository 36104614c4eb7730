"""How sure an area is: an interval from labels and scores.

How often it covers is measured: docs/guide/areas.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from skewproof.core.algebra import Array
from skewproof.core.arguments import expect, expect_seed, expect_whole
from skewproof.core.labels import checked_numbers
from skewproof.core.levels import Level
from skewproof.practice.curves.areas.area import Area, check_options as check_area_options, entry_of
from skewproof.practice.curves.areas.h_measure import h_measure
from skewproof.practice.curves.areas.precision_recall import (
    above_prevalence,
    at_prevalence,
    average_precision,
    average_precision_within,
    balanced_average_precision,
    calibrated_average_precision,
    interpolated_average_precision,
    normalized_average_precision,
    normalized_precision_recall_area,
    precision_recall_gain_area,
)
from skewproof.practice.curves.areas.roc import auc, partial_auc
from skewproof.practice.curves.counts import ScoreCounts, score_counts
from skewproof.practice.intervals.deviations import PRIOR
from skewproof.practice.intervals.metric_interval import Interval
from skewproof.practice.intervals.model_comparison import MOST_DRAWS

DEFAULT_DRAWS = 2000
"""Draws of which fifty are beyond each end at a confidence of 0.95."""

BLOCK = 2**21
"""Numbers that are drawn at a time."""


def _normalized(counts: ScoreCounts, last: Array) -> Array:
    return above_prevalence(average_precision_within(counts, last), counts)


def _calibrated(counts: ScoreCounts, last: Array, *, target: str | Level = "1:1") -> Array:
    return average_precision_within(at_prevalence(counts, Level.given(target, "target")), last)


def _balanced(counts: ScoreCounts, last: Array) -> Array:
    return _calibrated(counts, last)


CURVES: dict[Area, Callable[..., Array]] = {
    area: area.of_counts
    for area in (
        auc,
        partial_auc,
        interpolated_average_precision,
        normalized_precision_recall_area,
        precision_recall_gain_area,
        h_measure,
    )
}
"""What is computed of drawn curves: each rises with the ROC curve."""

STEPS: dict[Area, Callable[..., Array]] = {
    average_precision: average_precision_within,
    normalized_average_precision: _normalized,
    calibrated_average_precision: _calibrated,
    balanced_average_precision: _balanced,
}
"""What is computed of drawn curves and of the last part of each step, its last positive. The steps
themselves, where positives are few, have a larger mean than the population's area, since each
positive is among those that make it precise."""

DRAWN = CURVES | STEPS


def area_interval(
    area: Area,
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    pos_label: Any = 1,
    sample_weight: ArrayLike | None = None,
    prevalence: Prevalence = "given",
    confidence: float = 0.95,
    draws: int = DEFAULT_DRAWS,
    seed: int = 0,
    **options: Any,
) -> Interval:
    """An interval for an area, given labels and scores of independent instances.

    It is for the population's area, of a classifier whose scores in each class are a sample.
    Curves are drawn by giving the instances of each class random weights (the Bayesian bootstrap;
    Rubin 1981). For the lower end there are further a positive with half a weight that is ranked
    below all and a negative with half a weight that is ranked above all; for the upper end it is
    the other way round. So no curve is taken to be known where no instance was seen, and of an area
    of 1 the interval is not 1 alone. Of an average precision the steps of tied scores are drawn,
    in each of which the last positive alone is interpolated. The ends are quantiles, and the
    observed value is never outside. The lower end of the H-measure is moved down by twice what the
    drawn curves have more in the mean than the observed one: a sample's convex hull is above the
    population's by chance, and that of a drawn curve once more.

    Parameters
    ----------
    area
        One of the functions :func:`skewproof.auc`, :func:`skewproof.partial_auc`,
        :func:`skewproof.average_precision`, :func:`skewproof.interpolated_average_precision`,
        :func:`skewproof.normalized_average_precision`,
        :func:`skewproof.normalized_precision_recall_area`,
        :func:`skewproof.calibrated_average_precision`,
        :func:`skewproof.balanced_average_precision`,
        :func:`skewproof.precision_recall_gain_area` and :func:`skewproof.h_measure`. The MCC-F1
        score is none of them: it depends on how many thresholds there are, and where.
    y_true, y_score, pos_label, sample_weight
        As for :func:`skewproof.threshold_matrices`, which says what it refuses.
    prevalence
        Whether the area is meant at the prevalence of this sample, "given", or at that of the
        population from which the instances were drawn, "estimated", which is then drawn too.
    confidence
        Level of the interval, in (0, 1).
    draws, seed
        Number of draws for each end, at most ten million, and their seed, a whole number of at
        least 0. A draw takes about as long as the area, without sorting.
    **options
        Of the area, such as ``max_fpr``. No ``hull`` is taken: intervals of its area were seen not
        to hold where scores rank at random.

    Returns
    -------
    The value with its interval; `undefined` is False, for areas of both classes are defined.

    Raises
    ------
    ValueError
        If `area` is not one of these, or another argument is refused.

    Examples
    --------
    Of five positives, all ranked above fifty negatives:

    >>> from skewproof import area_interval, auc
    >>> found = area_interval(auc, [1] * 5 + [0] * 50, list(range(55, 0, -1)))
    >>> found.value, round(found.low, 1), found.high
    (1.0, 0.6, 1.0)
    """
    check_options(prevalence, confidence)
    drawn = entry_of(area, DRAWN)
    check_area_options(area, drawn, options)
    hull = options.get("hull", False)
    expect(hull is False, "hull", hull, "False in an interval")
    draws, seed = expect_whole("draws", draws, 1, MOST_DRAWS), expect_seed(seed)
    value = area(y_true, y_score, pos_label=pos_label, sample_weight=sample_weight, **options)
    counts = score_counts(y_true, y_score, pos_label=pos_label, sample_weight=sample_weight)[0]
    sizes = _effective_sizes(y_true, pos_label, counts, sample_weight)
    together = _positives_at_scores(y_true, y_score, pos_label, sample_weight)
    counts, last = _corners(counts, together)
    arguments = (last,) if area in STEPS else ()
    random = np.random.default_rng(seed)

    def drawn_areas(above: float, below: float) -> Array:
        curves = _draws(counts, sizes, (above, below), prevalence, draws, random)
        return np.concatenate([drawn(some, *arguments, **options) for some in curves])

    tail = (1 - confidence) / 2
    low = float(np.quantile(drawn_areas(0.0, PRIOR), tail))
    high = float(np.quantile(drawn_areas(PRIOR, 0.0), 1 - tail))
    if area is h_measure:
        # Its convex hull is above the population's by chance, and of a drawn curve once more.
        low = max(0.0, low - 2 * (float(drawn_areas(0.0, 0.0).mean()) - value))
    return Interval(
        area.__name__,
        value,
        min(low, value),
        min(max(high, value), 1.0),
        undefined=False,
        confidence=float(confidence),
        prevalence=prevalence,
    )


def _effective_sizes(
    y_true: ArrayLike, pos_label: Any, counts: ScoreCounts, sample_weight: ArrayLike | None
) -> tuple[float, float]:
    """How many instances of each class the weights are worth, (sum w)^2/(sum w^2) (Kish 1965)."""
    if sample_weight is None:
        return counts.positives, counts.negatives
    weights = checked_numbers(sample_weight, "sample_weight").astype(np.float64)
    positive = np.asarray(y_true) == pos_label
    of_classes = (part / part.max() for part in (weights[positive], weights[~positive]))
    positives, negatives = (float(part.sum() ** 2 / (part**2).sum()) for part in of_classes)
    return positives, negatives


def _positives_at_scores(
    y_true: ArrayLike, y_score: ArrayLike, pos_label: Any, sample_weight: ArrayLike | None
) -> Array:
    """Number of positives at each score, whatever their weights, shape (thresholds,)."""
    if sample_weight is not None:
        sample_weight = np.sign(checked_numbers(sample_weight, "sample_weight"))
    counts = score_counts(y_true, y_score, pos_label=pos_label, sample_weight=sample_weight)[0]
    return np.diff(counts.tp)


def _draws(
    counts: ScoreCounts,
    sizes: tuple[float, float],
    priors: tuple[float, float],
    prevalence: Prevalence,
    draws: int,
    random: np.random.Generator,
) -> Iterator[ScoreCounts]:
    """Curves, some at a time, with weights of positives above and below all that was seen.

    Negatives have the same weights, but where positives have them above theirs are below.
    """
    totals = counts.positives, counts.negatives
    steps = [
        np.diff(part) * (size / total)
        for part, size, total in zip(counts, sizes, totals, strict=True)
    ]
    shapes = [np.concatenate([[priors[0]], steps[0], [priors[1]]])]
    shapes.append(np.concatenate([[priors[1]], steps[1], [priors[0]]]))
    rows = max(1, BLOCK // shapes[0].size)
    for start in range(0, draws, rows):
        number = min(rows, draws - start)
        drawn = [random.standard_gamma(shape, (number, shape.size)) for shape in shapes]
        sums = [
            np.concatenate([np.zeros((number, 1)), np.cumsum(part, axis=1)], axis=1)
            for part in drawn
        ]
        for part, size, total in zip(sums, sizes, totals, strict=True):
            # What is drawn of a whole class is a draw of its size, and independent of its shares.
            part *= total / (part[:, -1:] if prevalence == "given" else size)
        yield ScoreCounts(*sums)


def _corners(counts: ScoreCounts, together: Array) -> tuple[ScoreCounts, Array]:
    """The points at which the ROC curve turns, and those between which several positives are tied.

    The other array has the share of one positive in each step, and 1 in those of single positives,
    before the first point and after the last one, shape (points + 1,).
    """
    falls = np.diff(counts.fp) > 0
    kind = np.where(together > 1, 3, 2 * (together > 0) + falls)
    turns = np.flatnonzero((kind[1:] != kind[:-1]) | (kind[1:] == 3)) + 1
    starts = np.append(0, turns)
    kept = np.append(starts, counts.tp.size - 1)
    of_one = 1 / np.where(kind[starts] == 3, together[starts], 1)
    last = np.concatenate([[1.0], of_one, [1.0]])
    return ScoreCounts(counts.tp[kept], counts.fp[kept]), last
