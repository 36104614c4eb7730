"""Mean of an area over random rankings.

Without ties an area is a sum over the positives, and the term of the k-th positive depends only on
the number j of negatives ranked above it. Over all rankings j has a negative hypergeometric
distribution, so that the mean is a sum over k and j.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from skewproof.core.algebra import Array
from skewproof.core.arguments import expect, expect_whole
from skewproof.curves.areas.area import function_of, prevalence_of
from skewproof.curves.areas.precision_recall import above_prevalence, above_worst
from skewproof.curves.areas.roc import checked_max_fpr
from skewproof.curves.counts import weight_of_negatives
from skewproof.prevalence.prevalence import At

MOST = 10**6
"""Most instances of a class."""

MOST_PAIRS = 10**8
"""Most pairs of a positive and a number of negatives."""


def chance_area(
    kind: str, positives: int, negatives: int, *, at: At | None = None, **options: Any
) -> float:
    """Compute the mean of an area over all rankings of given numbers of instances, without ties.

    This is the mean score of a classifier that ranks at random. It is exact except for rounding, of
    at most 1e-13 in all tests. A whole population that is ranked at random has the same AUC, and
    lower values of the other areas, except "precision_recall_gain_area", which is higher there if
    positives are rare.

    Parameters
    ----------
    kind
        The area, a kind that :func:`skewproof.curves.area` takes, except "h_measure".
    positives, negatives
        Numbers of instances, at least 1; each at most 10^6, and their product at most 10^8.
    at
        Prevalence of the area, as for :func:`skewproof.interval`: by default that of these numbers,
        and 1:1 for "calibrated_average_precision".
    **options
        Options of the area, such as ``max_fpr``; ``ties`` and ``hull`` are refused.

    Raises
    ------
    ValueError
        If `kind` is not one of these, or a number is out of its range.

    Examples
    --------
    The average precision of constant scores is the prevalence, here 1/11. A random ranking of few
    positives has a higher mean:

    >>> from skewproof.curves import chance_area
    >>> [round(chance_area("average_precision", n, 10 * n), 3) for n in (1, 5, 50)]
    [0.275, 0.151, 0.101]
    """
    mean = function_of(kind, MEANS, options)
    positives = expect_whole("positives", positives, 1, MOST)
    negatives = expect_whole("negatives", negatives, 1, MOST)
    pairs = positives * negatives
    expect(pairs <= MOST_PAIRS, "positives * negatives", pairs, f"at most {MOST_PAIRS}")
    weight = weight_of_negatives(positives, negatives, prevalence_of(kind, at))
    return mean(positives, negatives, weight, **options)


def _mean(positives: int, negatives: int, term: Callable[[int, Array], Array]) -> float:
    """Sum over the positives the mean of a term over the number of negatives above."""
    above = np.arange(negatives + 1.0)
    more, left = above[1:], above[:0:-1]
    weights = np.empty(negatives + 1)
    means = []
    for rank in range(1, positives + 1):
        # Ratio of the probabilities of a number above and of one less: it falls, and passes 1 once.
        ratios = (1 + (rank - 1) / more) / (1 + (positives - rank) / left)
        likeliest = int(np.count_nonzero(ratios > 1))
        weights[likeliest] = 1
        np.cumprod(ratios[likeliest:], out=weights[likeliest + 1 :])
        weights[:likeliest] = np.cumprod(1 / ratios[:likeliest][::-1])[::-1]
        means.append(float(weights @ term(rank, above) / weights.sum()))
    return float(np.sum(means))


def _auc(positives: int, negatives: int, weight: float) -> float:
    return 0.5


def _partial_auc(positives: int, negatives: int, weight: float, max_fpr: float = 0.1) -> float:
    max_fpr = checked_max_fpr(max_fpr)
    limit = max_fpr * negatives

    def term(rank: int, above: Array) -> Array:
        return np.maximum(limit - above, 0) / (positives * negatives)

    area = _mean(positives, negatives, term)
    return (1 + (area - max_fpr**2 / 2) / (max_fpr - max_fpr**2 / 2)) / 2


def _average_precision(positives: int, negatives: int, weight: float) -> float:
    def term(rank: int, above: Array) -> Array:
        return rank / (rank + weight * above) / positives

    return _mean(positives, negatives, term)


def _balanced_average_precision(positives: int, negatives: int, weight: float) -> float:
    return _average_precision(positives, negatives, positives / negatives)


def _normalized(positives: int, negatives: int, weight: float) -> float:
    share = positives / (positives + weight * negatives)
    return float(above_prevalence(_average_precision(positives, negatives, weight), share))


def _interpolated(positives: int, negatives: int, weight: float) -> float:
    def term(rank: int, above: Array) -> Array:
        """Integrate t/(t + fp) over t from rank - 1 to rank."""
        fp = weight * above
        growth = np.divide(1.0, rank - 1 + fp, out=np.zeros_like(fp), where=fp > 0)
        return (1 - fp * np.log1p(growth)) / positives

    return _mean(positives, negatives, term)


def _normalized_interpolated(positives: int, negatives: int, weight: float) -> float:
    odds = weight * negatives / positives
    return float(above_worst(_interpolated(positives, negatives, weight), odds))


def _gains(positives: int, negatives: int, weight: float) -> float:
    odds = positives / (weight * negatives)
    first = positives * positives / (positives + weight * negatives)

    def term(rank: int, above: Array) -> Array:
        """Integrate 1 - odds * fp/t over the recall gain, whose derivative is odds * P/t^2."""
        low, high = max(rank - 1, first), max(rank, first)
        width = 1 / low - 1 / high
        return odds * positives * width * (1 - odds * weight * above * (1 / low + 1 / high) / 2)

    return _mean(positives, negatives, term)


MEANS: dict[str, Callable[..., float]] = {
    "auc": _auc,
    "partial_auc": _partial_auc,
    "average_precision": _average_precision,
    "interpolated_average_precision": _interpolated,
    "normalized_average_precision": _normalized,
    "normalized_precision_recall_area": _normalized_interpolated,
    "calibrated_average_precision": _average_precision,
    "balanced_average_precision": _balanced_average_precision,
    "precision_recall_gain_area": _gains,
}
"""Function that sums the mean of each area, given how many positives a negative counts as."""
