"""What a random ranking scores in the mean.

Without ties an area is a sum over the positives, and the term of the k-th of them depends on how
many negatives j are ranked above it alone. Over all rankings j has a negative hypergeometric
distribution, so that the mean is a sum over k and j.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from skewproof.core.algebra import Array
from skewproof.core.arguments import expect, expect_whole
from skewproof.core.levels import Level
from skewproof.practice.curves.areas.area import Area, check_options, entry_of
from skewproof.practice.curves.areas.precision_recall import (
    average_precision,
    balanced_average_precision,
    calibrated_average_precision,
    interpolated_average_precision,
    normalized_average_precision,
    normalized_precision_recall_area,
    precision_recall_gain_area,
)
from skewproof.practice.curves.areas.roc import auc, checked_max_fpr, partial_auc

MOST = 10**6
"""Instances of a class."""

MOST_PAIRS = 10**8
"""Pairs of a positive and a number of negatives."""


def chance_area(area: Area, positives: int, negatives: int, **options: Any) -> float:
    """The mean of an area over all rankings of so many positives and negatives, without ties.

    It is exact but for rounding, of at most 1e-13 in all that was tested. It is what a classifier
    scores in the mean that ranks at random. A whole population that is ranked so has the same AUC,
    and less of the other areas, but for :func:`skewproof.precision_recall_gain_area`, of which it
    has more where positives are rare.

    Parameters
    ----------
    area
        A function of labels and scores, one of those that :func:`skewproof.area_interval` takes,
        but :func:`skewproof.h_measure`.
    positives, negatives
        Their numbers, at least 1; each at most 10^6, and their product at most 10^8.
    **options
        Of the area, such as ``max_fpr``; ``ties`` and ``hull`` are not taken.

    Raises
    ------
    ValueError
        If `area` is not one of these, or a number is out of its range.

    Examples
    --------
    Constant scores have the prevalence as average precision, here 1/11; of few positives a random
    ranking has more in the mean:

    >>> from skewproof import average_precision, chance_area
    >>> [round(chance_area(average_precision, n, 10 * n), 3) for n in (1, 5, 50)]
    [0.275, 0.151, 0.101]
    """
    term = entry_of(area, TERMS)
    check_options(area, term, options)
    positives = expect_whole("positives", positives, 1, MOST)
    negatives = expect_whole("negatives", negatives, 1, MOST)
    pairs = positives * negatives
    expect(pairs <= MOST_PAIRS, "positives * negatives", pairs, f"at most {MOST_PAIRS}")
    return term(positives, negatives, **options)


def _mean(positives: int, negatives: int, term: Callable[[int, Array], Array]) -> float:
    """Sum over the positives of a term's mean over the negatives above."""
    above = np.arange(negatives + 1.0)
    more, left = above[1:], above[:0:-1]
    weights = np.empty(negatives + 1)
    means = []
    for place in range(1, positives + 1):
        # By how much a number above is more probable than one less: it falls, and passes 1 once.
        ratios = (1 + (place - 1) / more) / (1 + (positives - place) / left)
        likeliest = int(np.count_nonzero(ratios > 1))
        weights[likeliest] = 1
        np.cumprod(ratios[likeliest:], out=weights[likeliest + 1 :])
        weights[:likeliest] = np.cumprod(1 / ratios[:likeliest][::-1])[::-1]
        means.append(float(weights @ term(place, above) / weights.sum()))
    return float(np.sum(means))


def _auc(positives: int, negatives: int) -> float:
    return 0.5


def _partial_auc(positives: int, negatives: int, max_fpr: float = 0.1) -> float:
    max_fpr = checked_max_fpr(max_fpr)
    limit = max_fpr * negatives

    def term(place: int, above: Array) -> Array:
        return np.maximum(limit - above, 0) / (positives * negatives)

    found = _mean(positives, negatives, term)
    return (1 + (found - max_fpr**2 / 2) / (max_fpr - max_fpr**2 / 2)) / 2


def _average_precision(positives: int, negatives: int) -> float:
    return _steps(positives, negatives, 1.0)


def _calibrated_average_precision(
    positives: int, negatives: int, target: str | Level = "1:1"
) -> float:
    share = Level.given(target, "target").prevalence
    return _steps(positives, negatives, positives / negatives * (1 - share) / share)


def _balanced_average_precision(positives: int, negatives: int) -> float:
    return _steps(positives, negatives, positives / negatives)


def _steps(positives: int, negatives: int, weight: float) -> float:
    """Mean average precision, where a negative counts as so many."""

    def term(place: int, above: Array) -> Array:
        return place / (place + weight * above) / positives

    return _mean(positives, negatives, term)


def _normalized(positives: int, negatives: int) -> float:
    share = positives / (positives + negatives)
    return (_average_precision(positives, negatives) - share) / (1 - share)


def _interpolated(positives: int, negatives: int) -> float:
    def term(place: int, above: Array) -> Array:
        """Integral of t/(t + above) over t from place - 1 to place."""
        growth = np.divide(1.0, place - 1 + above, out=np.zeros_like(above), where=above > 0)
        return (1 - above * np.log1p(growth)) / positives

    return _mean(positives, negatives, term)


def _normalized_interpolated(positives: int, negatives: int) -> float:
    odds = negatives / positives
    least = 1 - odds * np.log1p(1 / odds)
    return float((_interpolated(positives, negatives) - least) / (1 - least))


def _gains(positives: int, negatives: int) -> float:
    odds = positives / negatives
    first = positives * positives / (positives + negatives)

    def term(place: int, above: Array) -> Array:
        """Integral of 1 - odds * above/t over the recall gain, whose derivative is odds * P/t^2."""
        low, high = max(place - 1, first), max(place, first)
        width = 1 / low - 1 / high
        return odds * positives * width * (1 - odds * above * (1 / low + 1 / high) / 2)

    return _mean(positives, negatives, term)


TERMS: dict[Area, Callable[..., float]] = {
    auc: _auc,
    partial_auc: _partial_auc,
    average_precision: _average_precision,
    interpolated_average_precision: _interpolated,
    normalized_average_precision: _normalized,
    normalized_precision_recall_area: _normalized_interpolated,
    calibrated_average_precision: _calibrated_average_precision,
    balanced_average_precision: _balanced_average_precision,
    precision_recall_gain_area: _gains,
}
"""How the mean of each area is summed."""
