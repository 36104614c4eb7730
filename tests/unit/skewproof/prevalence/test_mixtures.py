import numpy as np
import pytest
from scipy import optimize

from skewproof.prevalence.mixtures import mixing_shares, mixing_slopes

SHAPES = [(2, 2), (3, 3), (5, 5), (3, 6), (5, 10)]


def drawn(classes, cells, samples=8):
    """Draw parts, and wholes of which many are not a mixture of the parts."""
    random = np.random.default_rng([classes, cells])
    parts = random.dirichlet(np.ones(cells), (samples, classes))
    return parts, random.dirichlet(np.full(cells, 2.0), samples), random


@pytest.mark.parametrize(("classes", "cells"), SHAPES)
@pytest.mark.slow
def test_shares_have_the_largest_likelihood(classes, cells):
    parts, wholes, _ = drawn(classes, cells)
    for part, whole, estimated in zip(parts, wholes, mixing_shares(parts, wholes), strict=True):
        expected = optimize.minimize(
            lambda shares, part=part, whole=whole: -whole @ np.log(shares @ part),
            np.full(classes, 1 / classes),
            bounds=[(0, 1)] * classes,
            constraints={"type": "eq", "fun": lambda shares: shares.sum() - 1},
            method="SLSQP",
            options={"ftol": 1e-14},
        )
        assert estimated == pytest.approx(expected.x, abs=2e-6)
        assert estimated.sum() == pytest.approx(1, abs=1e-12)
        assert estimated.min() >= 0


@pytest.mark.parametrize(("classes", "cells"), SHAPES)
def test_the_shares_of_a_mixture_are_found_again(classes, cells):
    parts, _, random = drawn(classes, cells)
    shares = random.dirichlet(np.ones(classes), len(parts))
    shares[0] = np.eye(classes)[0]
    wholes = np.einsum("sk,skc->sc", shares, parts)
    estimated = mixing_shares(parts, wholes)
    assert estimated[1:] == pytest.approx(shares[1:], abs=1e-8)
    # The likelihood is flat there: its slope is 0 at shares of 0.
    assert estimated[0] == pytest.approx(shares[0], abs=1e-5)


@pytest.mark.parametrize(("classes", "cells"), SHAPES)
def test_slopes_are_differences_where_all_shares_are_above_0(classes, cells):
    parts, _, random = drawn(classes, cells)
    shares = random.dirichlet(np.full(classes, 5.0), len(parts))
    wholes = np.einsum("sk,skc->sc", shares, parts)
    by_share = random.normal(size=shares.shape)
    by_part, by_whole = mixing_slopes(parts, wholes, shares, by_share)
    step, ways = 1e-6, []
    for table in (parts, wholes):
        way = random.normal(size=table.shape) * table
        ways.append(way - way.mean(axis=-1, keepdims=True))
    ahead, back = (
        mixing_shares(parts + sign * step * ways[0], wholes + sign * step * ways[1])
        for sign in (1, -1)
    )
    expected = ((ahead - back) * by_share).sum(axis=-1) / (2 * step)
    change = (by_part * ways[0]).sum(axis=(-1, -2)) + (by_whole * ways[1]).sum(axis=-1)
    assert change == pytest.approx(expected, rel=1e-5, abs=1e-5)


def test_a_share_of_0_still_has_a_slope_that_leads_to_it():
    """A larger third share needs a larger third cell of the whole."""
    parts = np.array([[0.8, 0.1, 0.1], [0.1, 0.8, 0.1], [0.1, 0.1, 0.8]])
    whole = np.array([0.55, 0.4, 0.05])
    shares = mixing_shares(parts, whole)
    assert shares[2] == pytest.approx(0, abs=1e-6)
    _, by_whole = mixing_slopes(parts, whole, shares, np.array([0.0, 0.0, 1.0]))
    assert by_whole[2] > max(by_whole[:2])


def test_equal_parts_share_alike():
    """Rates that do not determine the shares do not stop the search."""
    parts = np.array([[0.5, 0.3, 0.2], [0.5, 0.3, 0.2], [0.1, 0.1, 0.8]])
    shares = mixing_shares(parts, np.array([0.3, 0.2, 0.5]))
    assert shares @ parts == pytest.approx([0.3, 0.2, 0.5], abs=1e-6)
