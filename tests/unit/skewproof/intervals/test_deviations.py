"""Proportions at a deviation, by SciPy's and mpmath's own distributions."""

import mpmath
import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy import stats

from skewproof.intervals.deviations import (
    FARTHEST,
    QuantileTable,
    nearby,
    posterior_quantile,
)

counts = st.integers(0, 10_000)


@given(hits=counts, misses=counts, deviation=st.floats(-5, 5))
def test_a_deviation_is_the_normal_quantile_of_a_posterior_probability(hits, misses, deviation):
    if not hits + misses:
        return
    share = float(nearby(np.array(hits), np.array(misses), np.array(deviation)).proportions)
    if hits == 0 and deviation <= 0:
        assert share == 0
    elif misses == 0 and deviation >= 0:
        assert share == 1
    else:
        posterior = stats.beta(hits + 0.5, misses + 0.5)
        # Near 1 floats are too coarse for the probability below.
        near = posterior.cdf(share + np.array([-4e-16, 4e-16]))
        expected = stats.norm.cdf(deviation)
        assert near[0] * (1 - 1e-9) <= expected <= near[1] * (1 + 1e-9)


@pytest.mark.parametrize("deviation", [-3.0, -0.5, 0.0, 2.0])
def test_slopes_are_differences(deviation):
    hits, misses = np.array([3.0, 40, 0, 9]), np.array([7.0, 4000, 30, 0])
    near = nearby(hits, misses, np.full(4, deviation))
    beyond = ((hits == 0) & (deviation <= 0)) | ((misses == 0) & (deviation >= 0))
    position = np.where(beyond, 0.0, deviation)
    step = 1e-5
    ahead, behind = (posterior_quantile(hits, misses, position + side * step) for side in (1, -1))
    np.testing.assert_allclose(near.slopes, (ahead - behind) / (2 * step), rtol=1e-6)
    assert (near.proportions[beyond] == np.array([0, 0, 0, 1])[beyond]).all()


def test_far_away_is_inside_all_the_same():
    far = posterior_quantile(np.array([0.0, 5]), np.array([5.0, 0]), np.array([-40.0, 40]))
    assert 0 < far[0] < far[1] < 1


amounts = st.one_of(st.integers(0, 10**6), st.floats(0, 1e6))


@given(hits=amounts, misses=amounts, deviation=st.floats(-FARTHEST, FARTHEST))
def test_the_table_is_within_a_hundred_thousandth_of_a_deviation(hits, misses, deviation):
    """Compare with SciPy's quantiles of the tail on the deviation's side."""
    table = QuantileTable.build(np.array([[float(hits)]]), np.array([[float(misses)]]))
    nearby_there = table.inside(np.full((1, 1, 1), deviation), np.array([0])).proportions.item()

    def quantile(at):
        posterior = stats.beta(hits + 0.5, misses + 0.5)
        if at > 0:
            return posterior.isf(stats.norm.sf(at))
        return posterior.ppf(stats.norm.cdf(at))

    # Near 1 floats are too coarse for more.
    assert nearby_there >= quantile(deviation - 1e-5) * (1 - 1e-12) - 2e-16
    assert nearby_there <= quantile(deviation + 1e-5) * (1 + 1e-12) + 2e-16


def test_the_table_has_edges_and_slopes_as_without_it():
    hits, misses = np.array([[3.0, 40, 0, 9, 0.2]]), np.array([[7.0, 4000, 30, 0, 1e6]])
    table = QuantileTable.build(hits, misses)
    deviations = np.linspace(-6, 6, 49)[np.newaxis, :, np.newaxis] * np.ones(5)
    nearby_there = table.nearby(deviations, np.arange(5))
    expected = nearby(hits[:, np.newaxis], misses[:, np.newaxis], deviations)
    np.testing.assert_allclose(nearby_there.proportions, expected.proportions, rtol=1e-4)
    np.testing.assert_allclose(nearby_there.slopes, expected.slopes, rtol=1e-3, atol=1e-15)
    for edge in (0, 1):
        np.testing.assert_array_equal(
            nearby_there.proportions == edge, expected.proportions == edge
        )
    some = table.nearby(deviations[..., [3, 1]], np.array([3, 1]))
    np.testing.assert_array_equal(some.proportions, nearby_there.proportions[..., [3, 1]])


@pytest.mark.parametrize("counts", [(3, 1_000_000), (40, 12), (0, 5), (7, 0)])
@pytest.mark.parametrize("deviation", [6.0, 8.5])
def test_a_quantile_far_above_the_median_has_the_probability_beyond(counts, deviation):
    """Compare with mpmath, as floats next to 1 lack the digits of this probability."""
    hits, misses = counts
    share = float(posterior_quantile(np.array(hits), np.array(misses), np.array(deviation)))
    with mpmath.workdps(60):
        a, b = hits + mpmath.mpf(1) / 2, misses + mpmath.mpf(1) / 2
        beyond = mpmath.betainc(a, b, mpmath.mpf(share), 1, regularized=True)
        expected = mpmath.ncdf(-mpmath.mpf(deviation))
        if share < 1 - 1e-6:
            assert float(beyond / expected) == pytest.approx(1, rel=1e-6)
        else:
            assert beyond < 2 * expected or share == 1 - np.finfo(float).epsneg
