"""Tests whether unlabeled instances can be a mixture of the classes of a labeled reference.

docs/evidence/unlabeled_coverage.md measures what the tests detect.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from scipy import optimize
from scipy.special import chdtrc, expit, xlogy

from skewproof.core.algebra import Array
from skewproof.core.arguments import expect
from skewproof.intervals.deviations import PRIOR
from skewproof.prevalence.mixtures import mixing_shares
from skewproof.prevalence.prediction_bins import MOST_CELLS, PredictionBins, binned
from skewproof.prevalence.prevalence import Prevalence
from skewproof.reporting.summary import Summarized, Summary

REFUSED, WARNED = 0.01, 0.05
"""p-values of the check of fit below which scores are refused, and below which a remark warns."""

FEW, CLOSE = 50, 0.1
"""Number of instances of a class, and p-value, below which the check of fit draws samples."""

REPLICATES = 499
"""Number of these samples."""

ROUNDING = 1e-9
"""Difference of two p-values that are equal but for rounding."""

DEPENDENT = "rows depend on each other, as several rows of a person do"
"""Another reason of a bad fit, since the check takes rows as independent."""

SEED = 0

NONE = 1e-5
"""Largest prevalence that counts as 0, since a search for the likeliest stops slightly above."""


PARTS = np.concatenate([[0], expit(np.linspace(-8, 8, 9)), [1]])
"""Ends of the parts of [0, 1] that are each searched for the share of a class."""

HALVINGS = 30
"""Number of halvings of each part."""


@dataclass(frozen=True, repr=False)
class Fit(Summarized):
    """Chi-square test that unlabeled scores are a mixture of those of the classes."""

    statistic: float
    """Smallest chi-square over all prevalences."""

    degrees: int
    """Its degrees of freedom."""

    p: float
    """Probability of as large a statistic under label shift."""

    def summary(self) -> Summary:
        """Return the summary of the test."""
        verdict = "Nothing contradicts a mixture of the reference's classes."
        if math.isnan(self.p):
            verdict = "As many cells as prevalences leave nothing to test."
        elif self.p < REFUSED:
            verdict = "They are not a mixture of the reference's classes: estimates are refused."
        elif self.p < WARNED:
            verdict = "They fit a mixture of the reference's classes badly."
        facts = [
            ("Chi-square", f"{self.statistic:.4g} with {self.degrees} degrees of freedom"),
            ("p-value", f"{self.p:.2g}"),
        ]
        return Summary("Fit of the unlabeled instances", verdict=verdict, facts=facts)


def check_fit(at: Prevalence) -> Fit:
    """Test whether scores of unlabeled instances can be a mixture of those of the classes.

    For a single score of two classes the statistic is twice the logarithm of a ratio: the largest
    likelihood of the counts in bins of both classes and of the unlabeled instances, divided by the
    largest one under which the third distribution is a mixture of the others. It has bins - 2
    degrees of freedom. If a class has few
    instances and the p-value is small, it is at least the share of samples from the fitted
    distributions with as large a statistic. A change is never detected if the unlabeled scores are
    still a mixture of the two distributions, for example if some negatives now score exactly like
    positives.

    For scores of each class, the statistic is the smallest of d' V^-1 d over all prevalences. Here
    d has the shares of the unlabeled instances in bins of every predicted class, less those of the
    mixture, and V is its covariance. Degrees of freedom are the bins less the classes whose
    prevalence is above 0 where the fit is best. If there are as many bins as classes with such a
    prevalence, nothing is left to test, and the p-value is NaN.

    Raises
    ------
    ValueError
        If `at` does not come from scores.

    Examples
    --------
    >>> import numpy as np
    >>> from skewproof import Prevalence, check_fit
    >>> random = np.random.default_rng(0)
    >>> true = np.repeat([1, 0], [200, 2000])
    >>> scores = random.normal(size=2200) + 2 * true
    >>> at = Prevalence.from_scores(true, scores, random.normal(size=5000) + 3, threshold=1.5)
    >>> check_fit(at).p < 1e-6
    True
    """
    expect(isinstance(at, Prevalence), "at", at, "Prevalence.from_scores")
    estimate = at.estimate
    expect(bool(estimate and estimate.bins.cuts), "at", at, "Prevalence.from_scores")
    assert estimate is not None
    return fit_of(estimate.bins)


@lru_cache(maxsize=64)
def fit_of(bins: PredictionBins) -> Fit:
    """Test the fit as :func:`check_fit` does, with or without scores.

    Without scores there are as many cells as classes. Nothing is then left to test unless a
    prevalence is 0.
    """
    # With five positives and 500 negatives, _fit_of_classes refuses in .05 instead of .01.
    if bins.threshold is None or len(bins.edges) < 2:
        return _fit_of_classes(bins)
    fit, degrees = fit_jointly(*bins.rising[:, np.newaxis]), len(bins.edges) - 1
    statistic = float(fit.ratio[0])
    p = float(chdtrc(degrees, statistic))
    if p < CLOSE and bins.matrix.sum(axis=1).min() < FEW:
        p = _p_of_few(bins, fit, p)
    return Fit(statistic, degrees, p)


def _p_of_few(bins: PredictionBins, fitted: JointFit, p: float) -> float:
    """Compute the share of samples from the fitted distributions with as small a p-value.

    Their bins are found anew, because the scores of few instances determine where bins begin, and
    because counts are then less variable than in fixed bins. A score is uniform within a bin, which
    makes no difference to ranks if both classes are so.
    """
    random = np.random.default_rng(SEED)
    ends = np.arange(len(bins.edges) + 2)
    first, second, mixture = (np.append(0, distribution[0].cumsum()) for distribution in fitted[:3])
    sizes = bins.rising.sum(axis=1).astype(int).tolist()
    codes, threshold = np.repeat([0, 1], sizes[:2]), len(bins.labeled[0][1])
    drawn = np.zeros((3, REPLICATES, MOST_CELLS))
    degrees = np.zeros(REPLICATES)
    for replicate in range(REPLICATES):
        sides = zip(sizes, (first, second), strict=False)
        scores = np.concatenate([np.interp(random.random(size), cdf, ends) for size, cdf in sides])
        predicted = np.where(scores >= threshold, 0, 1)
        known = binned(bins.classes, codes, predicted, scores, threshold)
        shares = np.diff(np.interp(known.edges, ends, mixture), prepend=0, append=1)
        unlabeled = random.multinomial(sizes[2], shares).tolist()
        drawn[:, replicate, : len(shares)] = known.with_counts(unlabeled).rising
        degrees[replicate] = len(shares) - 2
    ratios = fit_jointly(*drawn).ratio
    as_small = np.count_nonzero(chdtrc(degrees, ratios) <= p + ROUNDING)
    return (1 + as_small) / (1 + REPLICATES)


def refuse_other_predictions(fit: Fit) -> None:
    """Refuse predictions that a change of the prevalences alone cannot explain.

    Raises
    ------
    ValueError
        If the p-value of the fit is below 0.01.
    """
    if fit.p < REFUSED:
        raise ValueError(
            "the predictions are not a mixture of those of the reference's classes (chi-square"
            f" {fit.statistic:.1f} with {fit.degrees} degrees of freedom, p = {fit.p:.2g}): more"
            f" than the prevalences have changed, or {DEPENDENT}"
        )


def _fit_of_classes(bins: PredictionBins) -> Fit:
    """Test the fit by the distance of the unlabeled instances from the nearest mixture.

    Degrees of freedom are the cells less the classes whose prevalence is above 0 where the fit is
    best (the conditional test of Wollan and Dykstra 1986).
    """
    counts = np.array([*bins.cells, bins.unlabeled_cells])
    sizes = counts.sum(axis=1)
    observed = counts / sizes[:, np.newaxis]
    start = mixing_shares(observed[:-1], observed[-1])
    classes = len(start)
    if counts.shape[1] == classes and np.all(start > NONE):
        return Fit(0.0, 0, float("nan"))
    smoothed = counts + PRIOR
    smoothed /= smoothed.sum(axis=1, keepdims=True)
    spread = np.array([_covariance(row) for row in smoothed[:-1]]) / sizes[:-1, None, None]

    def statistic(shares: Array) -> float:
        distance = (observed[-1] - shares @ observed[:-1])[:-1]
        mixed = _covariance(shares @ smoothed[:-1]) / sizes[-1]
        variance = mixed + np.tensordot(shares**2, spread, axes=1)
        return float(distance @ np.linalg.solve(variance, distance))

    best = optimize.minimize(
        statistic,
        start,
        method="SLSQP",
        bounds=[(0, 1)] * classes,
        constraints={"type": "eq", "fun": lambda shares: shares.sum() - 1},
    )
    degrees = counts.shape[1] - int(np.sum(best.x > NONE))
    smallest = float(best.fun)
    p = float(chdtrc(degrees, smallest)) if degrees else float("nan")
    return Fit(smallest, degrees, p)


def _covariance(shares: Array) -> Array:
    """Compute the covariance of the bin of a single draw, without the last bin."""
    kept = shares[:-1]
    return np.diag(kept) - np.outer(kept, kept)


class JointFit(NamedTuple):
    """Shares with the largest likelihood of the counts of two classes and of their mixture."""

    first: Array
    """The distribution of the first class, (samples, cells)."""

    second: Array
    """The distribution of the second class, (samples, cells)."""

    mixture: Array
    """The distribution of the mixture, (samples, cells)."""

    ratio: Array
    """Twice the logarithm of the ratio of the likelihood without this restriction, (samples,)."""


def fit_jointly(first: Array, second: Array, mixed: Array) -> JointFit:
    """Fit the distributions of two classes and their mixture to counts of all three.

    Where the likelihood is largest, a share p of the first class and q of the second in a cell
    satisfy A p + B q = the count of the cell in all three samples. A and B are the instances of
    both classes, with those in the mixture. Given its share of the first class, p is the root of a
    quadratic equation. The likelihood rises with this share where the sum of all p is above 1.
    Since it may have several maxima, each part of [0, 1] is searched for one.

    Parameters
    ----------
    first, second, mixed
        Counts of instances, (samples, cells).

    Examples
    --------
    >>> import numpy as np
    >>> counts = np.array([[[30, 10]], [[20, 80]], [[200, 300]]])
    >>> round(abs(float(fit_jointly(*counts).ratio[0])), 6)
    0.0
    """
    counts = [np.asarray(some, dtype=np.float64) for some in (first, second, mixed)]
    low, high = (
        np.tile(ends[:, np.newaxis, np.newaxis], (1, len(counts[0]), 1))
        for ends in (PARTS[:-1], PARTS[1:])
    )
    for _ in range(HALVINGS):
        share = (low + high) / 2
        rising = _classes_at(share, *counts)[0].sum(axis=-1, keepdims=True) > 1
        low, high = np.where(rising, share, low), np.where(rising, high, share)
    first_shares, second_shares = (
        some / some.sum(axis=-1, keepdims=True) for some in _classes_at(share, *counts)
    )
    fitted = first_shares, second_shares, share * first_shares + (1 - share) * second_shares
    logs = sum(
        xlogy(some, shares).sum(axis=-1) for some, shares in zip(counts, fitted, strict=True)
    )
    best = np.asarray(logs).argmax(axis=0), np.arange(len(counts[0]))
    free = sum(xlogy(some, some / some.sum(axis=-1, keepdims=True)).sum(axis=-1) for some in counts)
    first_shares, second_shares, mixture = (shares[best] for shares in fitted)
    return JointFit(first_shares, second_shares, mixture, 2 * (free - np.asarray(logs)[best]))


def _classes_at(share: Array, first: Array, second: Array, mixed: Array) -> tuple[Array, Array]:
    """Solve for the shares of both classes in each cell at a share of the first in the mixture."""
    ones, others, whole = (some.sum(axis=-1, keepdims=True) for some in (first, second, mixed))
    total = first + second + mixed
    ones, others = ones + share * whole, others + (1 - share) * whole
    slope, constant = share - (1 - share) * ones / others, (1 - share) * total / others
    middle = ones * constant - first * slope - share * mixed
    root = np.sqrt(np.maximum(middle**2 + 4 * ones * slope * first * constant, 0))
    falling = middle < 0
    above = np.where(falling, root - middle, 2 * first * constant)
    below = np.where(falling, 2 * ones * slope, middle + root)
    part = np.divide(above, below, out=np.zeros_like(above), where=below > 0)
    return part, np.maximum(total - ones * part, 0) / others
