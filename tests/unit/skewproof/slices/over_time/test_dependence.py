"""Likelihoods by SciPy's densities and a fit by least squares, and gains of simulated courses."""

import numpy as np
import pytest
from scipy import linalg, stats

from skewproof.slices.over_time.dependence import (
    AUTOCORRELATIONS,
    STRONG,
    VARIANCES,
    gain_by_dependence,
    likelihoods,
)

pytestmark = pytest.mark.slow

SIZES = np.array([4.0, 9.0, 3.0, 6.0, 5.0])


def best_density(values, columns, *, dependent):
    """Maximize the density over coefficients, and over deviations beside chance."""
    covariances = [np.diag(1 / SIZES)]
    if dependent:
        covariances += [
            np.diag(1 / SIZES)
            + variance * np.mean(1 / SIZES) * linalg.toeplitz(autocorrelation ** np.arange(5))
            for autocorrelation in AUTOCORRELATIONS
            for variance in VARIANCES
        ]
    design = np.column_stack([np.ones(5), *columns])
    densities = []
    for covariance in covariances:
        root = linalg.cholesky(covariance, lower=True)
        white = [linalg.solve_triangular(root, array, lower=True) for array in (design, values)]
        fitted = design @ linalg.lstsq(*white)[0]
        densities.append(stats.multivariate_normal(fitted, covariance).logpdf(values))
    return max(densities)


@pytest.mark.parametrize("dependent", [False, True])
@pytest.mark.parametrize("reference", [1, 2])
def test_likelihoods_are_those_of_fitted_normal_courses(reference, dependent):
    random = np.random.default_rng(1)
    places = np.arange(5)
    courses = np.concatenate([random.normal(size=(2, 5)), [[0, 0.1, 0, 3, 3.1]]])
    likely = likelihoods(courses, SIZES, reference, (2, 4), dependent=dependent)
    for number, values in enumerate(courses):
        steps = [
            best_density(values, [places >= date], dependent=dependent)
            for date in range(reference, 5)
        ]
        trend = np.maximum(places - (reference - 1), 0)
        expected = [
            best_density(values, [], dependent=dependent),
            max(steps),
            best_density(values, [trend], dependent=dependent),
            best_density(values, [places >= 2, places >= 4], dependent=dependent),
        ]
        ours = [some[number] for some in (likely.constant, likely.step, likely.trend, likely.steps)]
        assert np.array(ours) - 2.5 * np.log(2 * np.pi) == pytest.approx(expected)


def test_gains_of_dependent_courses_exceed_the_bound_as_often_as_stated():
    """Draw courses from a joint normal distribution."""
    correlations = linalg.toeplitz(AUTOCORRELATIONS[-1] ** np.arange(12))
    law = stats.multivariate_normal(np.zeros(12), STRONG * correlations + np.eye(12), seed=3)
    known = likelihoods(law.rvs(2000), np.ones(12))
    exceeding = (known.change - known.constant > gain_by_dependence(12, 1, 0.1)).sum()
    assert stats.binom(2000, 0.1).ppf(0.001) <= exceeding <= stats.binom(2000, 0.1).ppf(0.999)
