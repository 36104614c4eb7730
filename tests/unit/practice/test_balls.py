"""Matrices at a deviation, and extremes over balls, from their definitions."""

import numpy as np
import pytest
from scipy import stats

from skewproof.core.confusion import ConfusionMatrix
from skewproof.metrics import METRICS
from skewproof.practice.balls import deviating, extremes


def test_no_deviation_is_the_medians_and_what_is_observed_at_an_edge():
    matrix = ConfusionMatrix(tp=9, fp=0, fn=3, tn=20)
    tpr = stats.beta(9.5, 3.5).median()
    near = deviating(matrix, [np.zeros(1)] * 2)
    found = [float(count[0]) for count in (near.tp, near.fp, near.fn, near.tn)]
    assert found == pytest.approx([12 * tpr, 0, 12 * (1 - tpr), 20], rel=1e-14)
    positives = 32 * stats.beta(12.5, 20.5).median()
    near = deviating(matrix, [np.zeros(1)] * 3)
    found = [float(count[0]) for count in (near.tp, near.fp, near.fn, near.tn)]
    expected = [positives * tpr, 0, positives * (1 - tpr), 32 - positives]
    assert found == pytest.approx(expected, rel=1e-14)


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        (lambda x: x[0] + 2 * x[1], (-np.sqrt(5), np.sqrt(5))),
        (lambda x: (x[0] - 0.3) ** 2 + (x[1] + 0.1) ** 2, (0, (1 + np.sqrt(0.1)) ** 2)),
        (lambda x: -abs(x[0] - x[1]), (-np.sqrt(2), 0)),
        (lambda x: np.where(x[0] < 0, np.nan, x[0]), (0, 1)),
        (lambda x: np.where(x[0] > 0.5, np.inf, x[1]), (-1, np.inf)),
    ],
)
def test_extremes_over_the_disc(function, expected):
    found = extremes(function, dimensions=2)
    assert (found.low, found.high) == pytest.approx(expected, abs=1e-7)


def test_extremes_over_the_ball():
    found = extremes(lambda x: x[0] - 2 * x[1] + 2 * x[2], dimensions=3)
    assert (found.low, found.high) == pytest.approx((-3, 3), abs=1e-7)
    inside = extremes(lambda x: sum((axis - 0.2) ** 2 for axis in x), dimensions=3)
    assert (inside.low, inside.high) == pytest.approx((0, (1 + np.sqrt(0.12)) ** 2), abs=1e-7)


def test_what_is_undefined_everywhere_has_no_extremes():
    found = extremes(lambda x: np.full_like(x[0], np.nan), dimensions=2)
    assert np.isnan([found.low, found.high]).all()
    assert found.undefined
    assert not extremes(lambda x: x[0], dimensions=2).undefined


@pytest.mark.parametrize("key", ["f1", "mcc", "g_mean", "optimized_precision", "hmnc"])
@pytest.mark.slow
def test_extremes_of_a_metric_are_those_of_all_rates_that_near(key):
    """Every rate of a dense grid whose deviations, by SciPy's distributions, are within z."""
    matrix, z = ConfusionMatrix(tp=14, fp=20, fn=6, tn=180), 1.96
    rates = np.linspace(0.0005, 0.9995, 1000)
    squares = [
        stats.norm.ppf(stats.beta(hits + 0.5, misses + 0.5).cdf(rates)) ** 2
        for hits, misses in ((14, 6), (20, 180))
    ]
    near = squares[0][:, np.newaxis] + squares[1] <= z**2
    at_rates = ConfusionMatrix.from_rates(
        rates[:, np.newaxis], rates, positives=20.0, negatives=200.0
    )
    values = METRICS[key](at_rates)
    steps = max(
        abs(np.diff(values[near.any(1)][:, near.any(0)], axis=axis)).max() for axis in (0, 1)
    )
    found = extremes(
        lambda ball: METRICS[key](deviating(matrix, [z * axis for axis in ball])), dimensions=2
    )
    assert values[near].min() - 2 * steps <= found.low <= values[near].min()
    assert values[near].max() <= found.high <= values[near].max() + 2 * steps
