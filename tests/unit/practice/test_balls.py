"""Rates at a deviation, and extremes over balls, from their definitions."""

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy import stats

from skewproof.core.confusion import ConfusionMatrix
from skewproof.metrics import METRICS
from skewproof.practice.score_balls import deviating, extremes, rates_at

counts = st.integers(0, 10_000)


@given(hits=counts, misses=counts, deviation=st.floats(-4, 4))
@pytest.mark.slow
def test_rates_lie_at_their_deviation(hits, misses, deviation):
    """By definition (rate - k/n)/sqrt(rate(1 - rate)/n), but where 0 or 1 is nearer than it."""
    if not hits + misses:
        return
    rate, other = (float(one) for one in rates_at(hits, misses, np.array(deviation)))
    number = hits + misses
    assert 0 <= rate <= 1
    assert 0 <= other <= 1
    assert rate + other == pytest.approx(1, abs=4e-16)
    if hits == 0 and deviation <= 0:
        assert (rate, other) == pytest.approx((0, 1), abs=4e-16)
    elif misses == 0 and deviation >= 0:
        assert (rate, other) == pytest.approx((1, 0), abs=4e-16)
    else:
        # Times the standard error, for near 0 it divides what rounding left.
        error = np.sqrt(rate * other / number)
        assert rate - hits / number == pytest.approx(deviation * error, abs=1e-15)


@pytest.mark.parametrize(("hits", "misses"), [(40, 10), (0, 7), (7, 0), (1, 10**6)])
def test_both_ends_are_wilson_s_interval(hits, misses):
    z = stats.norm.ppf(0.975)
    ends = rates_at(hits, misses, np.array([-z, z]))[0]
    wilson = stats.binomtest(hits, hits + misses).proportion_ci(method="wilson")
    np.testing.assert_allclose(ends, [wilson.low, wilson.high], rtol=1e-12, atol=1e-16)


def test_no_deviation_is_the_matrix_itself():
    matrix = ConfusionMatrix(tp=9, fp=0, fn=3, tn=20)
    for number in (2, 3):
        same = deviating(matrix, [np.zeros(1)] * number)
        found = [float(count[0]) for count in (same.tp, same.fp, same.fn, same.tn)]
        assert found == pytest.approx([9, 0, 3, 20], rel=1e-15)
        assert same.fp == 0


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
    """Every rate of a dense grid whose deviations, by definition, are within z."""
    matrix, z = ConfusionMatrix(tp=14, fp=20, fn=6, tn=180), 1.96
    rates = np.linspace(0.0005, 0.9995, 1000)
    squares = [
        (rates - rate) ** 2 / (rates * (1 - rates) / number)
        for rate, number in ((14 / 20, 20), (20 / 200, 200))
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
