"""Likelihoods of changes of a rate in periods that depend on each other.

A rate that depends on that of the period before drifts away and comes back. On its way it looks
like a lasting change. Each model here therefore has, beside chance, normal deviations whose
correlation falls geometrically with the distance of periods. Their variance and correlation are
fitted to each model by maximum likelihood.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from skewproof.core.algebra import Array

AUTOCORRELATIONS = (0.0, 0.2, 0.4, 0.6, 0.8)
"""Autocorrelations of successive periods. Beyond the last one a lasting change cannot be told from
a deviation that lasts."""

VARIANCES = tuple(4.0**power for power in range(-1, 11))
"""Variances of the deviations, relative to the mean variance by chance."""

STRONG = 64.0
"""Variance of deviations beside which chance is negligible."""

MOST_COURSES = 20_000
"""Most simulated courses from which a bound is computed."""

MOST_PAIRS = 1e8
"""Most pairs of periods of all courses; many periods allow fewer courses."""

SEED = 2
"""Seed, so that bounds are the same at each call."""


@dataclass(frozen=True)
class Likelihoods:
    """Logarithms of the largest likelihoods of models, shape (courses,)."""

    constant: Array
    """No change."""
    step: Array
    """A change from one period to the next, at the best date."""
    trend: Array
    """A steady rise or fall."""
    steps: Array
    """Changes at given dates."""

    @property
    def change(self) -> Array:
        """The larger one of a step and a trend."""
        return np.maximum(self.step, self.trend)


def likelihoods(
    values: Array,
    sizes: Array,
    reference: int = 1,
    dates: tuple[int, ...] = (),
    *,
    dependent: bool = True,
) -> Likelihoods:
    """Compute the likelihoods of changes, up to a common constant.

    Parameters
    ----------
    values
        Values of the shape (courses, periods), whose variances by chance are 1 / size.
    sizes
        Sizes above 0, shape (periods,).
    reference
        Number of periods at the beginning among which there is no change.
    dates
        First periods of each new rate, for `steps`.
    dependent
        Allow for deviations beside chance; otherwise there is chance alone.
    """
    periods = np.arange(len(sizes))
    steps = periods[:, np.newaxis] >= np.arange(reference, len(sizes))
    trend = np.maximum(periods - (reference - 1), 0)
    single = np.column_stack([steps, trend]).astype(float)
    together = (periods[:, np.newaxis] >= np.array(dates, dtype=int)).astype(float)
    largest = np.full((4, len(values)), -np.inf)
    for precision, logarithm in _precisions(sizes, dependent=dependent):
        of_one = precision.sum(axis=-1, keepdims=True)
        # The mean is fitted, too.
        left = precision - of_one * of_one.swapaxes(1, 2) / of_one.sum(axis=1, keepdims=True)
        weighted = values @ left
        constant = -((weighted * values).sum(axis=-1) + logarithm[:, np.newaxis]) / 2
        norms = (single * (left @ single)).sum(axis=1)
        gains = (weighted @ single) ** 2 / norms[:, np.newaxis] / 2
        of_all = (weighted @ together).swapaxes(1, 2)
        solved = np.linalg.solve(together.T @ left @ together, of_all)
        of_models = [
            constant,
            constant + gains[..., :-1].max(axis=-1),
            constant + gains[..., -1],
            constant + (of_all * solved).sum(axis=1) / 2,
        ]
        np.maximum(largest, np.max(of_models, axis=1), out=largest)
    return Likelihoods(*largest)


def _precisions(sizes: Array, *, dependent: bool) -> Iterator[tuple[Array, Array]]:
    """Return stacks of inverse covariance matrices, with logarithms of the determinants."""
    yield np.diag(sizes)[np.newaxis], -np.log(sizes).sum(keepdims=True)
    if not dependent:
        return
    periods = np.arange(len(sizes))
    variances = np.mean(1 / sizes) * np.array(VARIANCES)[:, np.newaxis, np.newaxis]
    for autocorrelation in AUTOCORRELATIONS:
        correlations = autocorrelation ** abs(periods[:, np.newaxis] - periods)
        covariances = np.diag(1 / sizes) + variances * correlations
        yield np.linalg.inv(covariances), np.linalg.slogdet(covariances)[1]


@lru_cache(maxsize=1024)
def gain_by_dependence(periods: int, reference: int, level: float) -> float:
    """Compute the gain in likelihood that courses without a change exceed with a probability.

    The courses have the largest of the autocorrelations, and deviations beside which chance is
    negligible, so that the sizes do not matter. A level below that of one simulated course has the
    largest gain of all.
    """
    random = np.random.default_rng(SEED)
    number = int(min(MOST_COURSES, MOST_PAIRS / periods**2))
    noise = random.normal(size=(number, periods))
    autocorrelation = AUTOCORRELATIONS[-1]
    noise[:, 1:] *= np.sqrt(1 - autocorrelation**2)
    for period in range(1, periods):
        noise[:, period] += autocorrelation * noise[:, period - 1]
    values = np.sqrt(STRONG) * noise + random.normal(size=noise.shape)
    known = likelihoods(values, np.ones(periods), reference)
    return float(np.quantile(known.change - known.constant, 1 - level, method="higher"))
