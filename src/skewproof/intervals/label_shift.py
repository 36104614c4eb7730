"""Tests whether unlabeled instances can be a mixture of the classes of a labeled reference.

docs/evidence/unlabeled_coverage.md measures what the tests detect.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from scipy import optimize
from scipy.special import chdtrc

from skewproof.core.algebra import Array
from skewproof.core.arguments import expect
from skewproof.intervals.deviations import PRIOR
from skewproof.intervals.joint_fit import JointFit, fit_jointly
from skewproof.prevalence.prevalence import EstimatedClasses, Prevalence
from skewproof.prevalence.score_bins import BINS_A_SIDE, ScoreBins, bins_around
from skewproof.reporting.summary import Summary

REFUSED, WARNED = 0.01, 0.05
"""p-values of the check of fit below which scores are refused, and below which a remark warns."""

FEW, CLOSE = 50, 0.1
"""Number of instances of a class, and p-value, below which the check of fit draws samples."""

REPLICATES = 499
"""Number of these samples."""

ROUNDING = 1e-9
"""Difference of two p-values that are equal but for rounding."""

FEWEST_BINS = 3
"""Least number of bins that leaves the check of fit a degree of freedom."""

DEPENDENT = "rows depend on each other, as several rows of a person do"
"""Another reason of a bad fit, since the check takes rows as independent."""

SAME_ROWS = (
    "The counts of the unlabeled instances are those of the reference: they may be the same rows,"
    " which tell nothing new."
)
"""Remark on unlabeled instances with the counts of the reference."""

SEED = 0

LIKE_POSITIVES = 0.01
"""Share of the negatives that score like positives in the example of a remark."""

NONE = 1e-5
"""Largest prevalence that counts as 0, since a search for the likeliest stops slightly above."""


class Fit(NamedTuple):
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

    def __repr__(self) -> str:
        return self.summary().to_text().rstrip()

    def _repr_html_(self) -> str:
        return self.summary().to_html()


def check_fit(at: Prevalence) -> Fit:
    """Test whether scores of unlabeled instances can be a mixture of those of both classes.

    The statistic is twice the logarithm of a ratio: the largest likelihood of the counts in bins of
    both classes and of the unlabeled instances, divided by the largest one under which the third
    distribution is a mixture of the others. It has bins - 2 degrees of freedom. If a class has few
    instances and the p-value is small, it is at least the share of samples from the fitted
    distributions with as large a statistic. A change is never detected if the unlabeled scores are
    still a mixture of the two distributions, for example if some negatives now score exactly like
    positives.

    For any number of classes, the statistic is the smallest of d' V^-1 d over all prevalences. Here
    d has the shares of the unlabeled instances in bins of every predicted class, less those of the
    mixture, and V is its covariance. Degrees of freedom are the bins less the classes whose
    prevalence is above 0 where the fit is best. Counts of predicted classes alone have no bin to
    spare, and are not checked here.

    Raises
    ------
    ValueError
        If `at` does not come from scores, or there are fewer than three bins.

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
    if at.class_estimate is not None:
        expect(at.class_estimate.by_scores, "at", at, "Prevalence.from_scores")
        return fit_of_classes(at.class_estimate)
    bins = None if at.estimate is None else at.estimate.bins
    expect(bins is not None, "at", at, "Prevalence.from_scores")
    assert bins is not None
    enough = len(bins.positives) >= FEWEST_BINS
    expect(enough, "at", at, f"scores that fall into at least {FEWEST_BINS} bins")
    return fit_of_bins(bins)


@lru_cache(maxsize=64)
def fit_of_bins(bins: ScoreBins) -> Fit:
    """Test the fit as :func:`check_fit` does, for scores in three bins or more."""
    counts = [np.array([some], dtype=np.float64) for some in bins.counts]
    fit, degrees = fit_jointly(*counts), len(bins.positives) - 2
    statistic = float(fit.ratio[0])
    p = float(chdtrc(degrees, statistic))
    if p < CLOSE and min(sum(bins.positives), sum(bins.negatives)) < FEW:
        p = _p_of_few(bins, fit, p)
    return Fit(statistic, degrees, p)


def _p_of_few(bins: ScoreBins, fitted: JointFit, p: float) -> float:
    """Compute the share of samples from the fitted distributions with as small a p-value.

    Their bins are found anew, because the scores of few instances determine where bins begin, and
    because counts are then less variable than in fixed bins. A score is uniform within a bin, which
    makes no difference to ranks if both classes are so.
    """
    random = np.random.default_rng(SEED)
    ends = np.arange(len(bins.positives) + 1)
    first, second, mixture = (np.append(0, distribution[0].cumsum()) for distribution in fitted[:3])
    sizes = [sum(some) for some in bins.counts]
    positive = np.repeat([True, False], sizes[:2])
    drawn = np.zeros((3, REPLICATES, 2 * BINS_A_SIDE))
    degrees = np.zeros(REPLICATES)
    for replicate in range(REPLICATES):
        sides = zip(sizes, (first, second), strict=False)
        scores = [np.interp(random.random(size), below, ends) for size, below in sides]
        known = bins_around(bins.below, np.concatenate(scores), positive)
        shares = np.diff(np.interp(known.edges, ends, mixture), prepend=0, append=1)
        rows = known._replace(unlabeled=tuple(random.multinomial(sizes[2], shares))).counts
        drawn[:, replicate, : len(shares)] = rows
        degrees[replicate] = len(shares) - 2
    ratios = fit_jointly(*drawn).ratio
    as_small = np.count_nonzero(chdtrc(degrees, ratios) <= p + ROUNDING)
    return (1 + as_small) / (1 + REPLICATES)


def refuse_other_scores(fit: Fit) -> None:
    """Refuse scores that a change of the prevalence alone cannot explain.

    Raises
    ------
    ValueError
        If the p-value of the fit is below 0.01.
    """
    if fit.p < REFUSED:
        raise ValueError(
            "the scores are not a mixture of those of the reference's two classes (chi-square"
            f" {fit.statistic:.1f} with {fit.degrees} degrees of freedom, p = {fit.p:.2g}): more"
            f" than the prevalence has changed, or {DEPENDENT}"
        )


@lru_cache(maxsize=32)
def fit_of_classes(at: EstimatedClasses) -> Fit:
    """Check the fit as :func:`skewproof.check_fit` does, for any number of classes.

    Degrees of freedom are the cells less the classes whose prevalence is above 0 where the fit is
    best (the conditional test of Wollan and Dykstra 1986). Without scores there are as many cells
    as classes. Nothing is then left to check unless a prevalence is 0, and the p-value is NaN.
    """
    bins = at.bins
    classes = len(bins.classes)
    counts = np.array([*bins.labeled, bins.unlabeled], dtype=np.float64).reshape(classes + 1, -1)
    start = np.array(list(at.shares.values()))
    if counts.shape[1] == classes and np.all(start > NONE):
        return Fit(0.0, 0, float("nan"))
    sizes = counts.sum(axis=1)
    observed = counts / sizes[:, np.newaxis]
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
