"""Metrics under other distributions of classifiers, compared with mpmath, draws and proofs."""

import math
from statistics import NormalDist

import numpy as np
import pytest
from mpmath import mp

from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.levels import Level
from skewproof.core.scales import bounded
from skewproof.metrics import METRICS
from skewproof.sensitivity.behavior_types import SAME
from skewproof.sensitivity.classifiers import Classifiers
from skewproof.sensitivity.proofs.invariance import invariance
from skewproof.sensitivity.quadrature.exact import exact_indices
from skewproof.sensitivity.surfaces.shift import mean_shift

DRAWS = 50_000
FAMILIES = {
    "box": Classifiers.box(tpr=(0.5, 1), fpr=(0, 0.1)),
    "beta": Classifiers.beta(tpr=(8, 2), fpr=(1, 9)),
    "binormal": Classifiers.binormal(auc=(0.7, 0.95), threshold=(1, 0.5)),
}
LEVEL, BALANCED = Level(1, 1000), Level(1, 1)


def f1(u, v, ratio):
    return 2 * u / (u + 1 + ratio * v)


def mcc(u, v, ratio):
    predicted = (u + ratio * v) * (1 - u + ratio * (1 - v))
    return (1 + (u * (1 - v) - v * (1 - u)) * mp.sqrt(ratio / predicted)) / 2


@pytest.mark.parametrize(("formula", "ratio"), [(f1, 1000), (mcc, 10)])
def test_a_beta_pair_beside_mpmath(formula, ratio):
    """The densities of Beta(8, 2) and Beta(1, 9) are 72 u^7 (1 - u) and 9 (1 - v)^8."""
    with mp.workdps(18):

        def density(u):
            return 72 * u**7 * (1 - u)

        def other_density(v):
            return 9 * (1 - v) ** 8

        def over_v(u, power):
            return mp.quad(lambda v: other_density(v) * formula(u, v, ratio) ** power, [0, 1])

        def over_u(v):
            return mp.quad(lambda u: density(u) * formula(u, v, ratio), [0, 1])

        mean = mp.quad(lambda u: density(u) * over_v(u, 1), [0, 1])
        variance = mp.quad(lambda u: density(u) * over_v(u, 2), [0, 1]) - mean**2
        of_u = mp.quad(lambda u: density(u) * over_v(u, 1) ** 2, [0, 1]) - mean**2
        of_v = mp.quad(lambda v: other_density(v) * over_u(v) ** 2, [0, 1]) - mean**2
        expected = [float(part) for part in (of_u / variance, of_v / variance, mean, variance)]
    found = exact_indices(
        [bounded(METRICS[formula.__name__])],
        positives=100,
        negatives=100 * ratio,
        classifiers=FAMILIES["beta"],
    )
    np.testing.assert_allclose(
        [*found.s1[0], found.mean[0], found.variance[0]], expected, rtol=0, atol=1e-12
    )


def drawn_rates(name):
    """Draw rates with NumPy's generators, by the description of a family."""
    generator = np.random.default_rng(20)
    if name == "box":
        return generator.uniform(0.5, 1, DRAWS), generator.uniform(0, 0.1, DRAWS)
    if name == "beta":
        return generator.beta(8, 2, DRAWS), generator.beta(1, 9, DRAWS)
    normal = NormalDist()
    area, threshold = generator.uniform(0.7, 0.95, DRAWS), generator.normal(1, 0.5, DRAWS)
    separation = math.sqrt(2) * np.vectorize(normal.inv_cdf)(area)
    cdf = np.vectorize(normal.cdf)
    return cdf(separation - threshold), cdf(-threshold)


@pytest.mark.parametrize("name", FAMILIES)
def test_mean_and_shift_of_every_metric_beside_draws(name):
    """The limit, 4.5 standard errors, is exceeded by one of the 300 numbers once in 500 draws."""
    tpr, fpr = drawn_rates(name)
    matrices = [
        ConfusionMatrix.from_rates(tpr, fpr, positives=100, negatives=level.negatives(100))
        for level in (LEVEL, BALANCED)
    ]
    for metric in map(bounded, METRICS.values()):
        values, at_baseline = (np.broadcast_to(metric(one), tpr.shape) for one in matrices)
        found = exact_indices(
            [metric], positives=100, negatives=100_000, classifiers=FAMILIES[name]
        )
        shift = mean_shift(metric, LEVEL, BALANCED, 100, classifiers=FAMILIES[name])
        for sample, expected, error in (
            (values, found.mean[0], found.moment_error[0]),
            (np.abs(values - at_baseline), shift.mean, shift.error_estimate),
        ):
            standard_error = sample.std() / math.sqrt(DRAWS)
            distance = abs(sample.mean() - expected)
            assert distance <= 4.5 * standard_error + error + 1e-12, metric.key


def test_what_is_proved_not_to_move_does_not_under_any_distribution():
    proved = [
        metric
        for metric in METRICS.values()
        if invariance(metric, LEVEL, BALANCED, 100).verdict == SAME
    ]
    assert len(proved) > 10
    for metric in map(bounded, proved):
        for family in FAMILIES.values():
            shift = mean_shift(metric, LEVEL, BALANCED, 100, classifiers=family)
            assert shift.mean < 1e-13, metric.key
