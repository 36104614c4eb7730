"""Extremes and distances over balls of deviations, compared with other searches."""

import numpy as np
import pytest
from scipy import optimize, stats

from skewproof.core.confusion import ConfusionMatrix
from skewproof.intervals.class_rows import ClassRows
from skewproof.intervals.extremes import Proportions, distance_to_zero, extremes
from skewproof.intervals.parts import Change
from skewproof.metrics import METRICS
from skewproof.multiclass.against_rest import TWO_CLASSES
from skewproof.multiclass.declaration import of_two_classes
from skewproof.prevalence.prevalence import Prevalence

Z = stats.norm.ppf(0.975)

MATRICES = np.array(
    [
        *((40, 30, 10, 170), (14, 20, 6, 180), (80, 300, 20, 99_700), (10, 90, 10, 90)),
        *((5, 0, 0, 50), (5, 3, 0, 47), (0, 5, 3, 45), (1, 0, 9, 90), (3, 0, 2, 50)),
        *((0, 0, 3, 50), (5, 5, 5, 5), (2, 1, 1, 2), (0, 90, 1, 10), (1, 0, 9, 1), (7, 1, 3, 0)),
    ],
    dtype=float,
)
"""tp, fp, fn, tn; with kinks near, counts of 0, and classifiers that are worse than chance."""


def one(*counts):
    """Make proportions of one slice, from a pair of hits and misses each."""
    hits, misses = np.array(counts, dtype=float).T
    return Proportions(hits[:, np.newaxis], misses[:, np.newaxis])


def at(function):
    """Make a function that takes no numbers of slices."""
    return lambda proportions, rows: function(proportions)


def disc():
    """List points of the unit disc, dense on its edge."""
    edge, inside = np.linspace(0, 2 * np.pi, 5001), np.linspace(0, 2 * np.pi, 181)[:-1]
    radii = np.linspace(0, 1, 31)[:-1, np.newaxis]
    return np.concatenate(
        [
            [np.cos(edge), np.sin(edge)],
            [(radii * np.cos(inside)).ravel(), (radii * np.sin(inside)).ravel()],
        ],
        axis=1,
    )


def sphere(number=15_000):
    """Draw random points on the unit sphere, and half as many inside."""
    points = np.random.default_rng(1).normal(size=(3, number + number // 2))
    points /= np.sqrt((points**2).sum(axis=0))
    points[:, number:] *= np.random.default_rng(2).random(number // 2) ** (1 / 2)
    return points


def by_definition(hits, misses, deviations):
    """Compute the posterior's quantile by SciPy, or the observed proportion at an edge."""
    shares = stats.beta(hits + 0.5, misses + 0.5).ppf(stats.norm.cdf(deviations))
    shares = np.where((hits == 0) & (deviations <= 0), 0, shares)
    return np.where((misses == 0) & (deviations >= 0), 1, shares)


@pytest.fixture(scope="module")
def matrices_near():
    """Values at all points of the disc, and the observed one, by matrix and confidence."""
    matrices = {}
    for confidence in (0.95, 0.999):
        x, y = stats.norm.ppf((1 + confidence) / 2) * disc()
        for number, (tp, fp, fn, tn) in enumerate(MATRICES):
            tpr = np.append(by_definition(tp, fn, x), tp / (tp + fn))
            fpr = np.append(by_definition(fp, tn, y), fp / (fp + tn))
            matrices[confidence, number] = ConfusionMatrix.from_rates(
                tpr, fpr, positives=tp + fn, negatives=fp + tn
            )
    return matrices


def missed(ends, values):
    """Compute the search's error at either end as a share of the width; 0 if that is infinite."""
    with np.errstate(invalid="ignore"):
        low, high = np.fmin.reduce(values), np.fmax.reduce(values)
        shares = np.array([ends[0] - low, high - ends[1]]) / (high - low)
    return shares if np.isfinite(shares).all() else np.zeros(2)


@pytest.mark.parametrize(("confidence", "largest"), [(0.95, 1e-3), (0.999, 5e-3)])
@pytest.mark.parametrize("key", sorted(METRICS))
@pytest.mark.slow
def test_no_value_of_a_dense_grid_is_beyond_the_extremes(matrices_near, key, confidence, largest):
    """The search may miss 0.1 % of the width, or 0.5 % with few instances and high confidence."""
    tp, fp, fn, tn = MATRICES.T
    ends = extremes(
        lambda rates, rows: METRICS[key](
            ConfusionMatrix.from_rates(*rates, positives=(tp + fn)[rows], negatives=(fp + tn)[rows])
        ),
        Proportions(np.array([tp, fp]), np.array([fn, tn])),
        stats.norm.ppf((1 + confidence) / 2),
    )
    for number in range(len(MATRICES)):
        values = METRICS[key](matrices_near[confidence, number])
        shares = missed((ends.low[number], ends.high[number]), values)
        # The grid has misses of its own.
        assert (shares > -2e-3).all()
        assert (shares < largest).all()
        assert ends.undefined[number] or not np.isnan(values).any()


@pytest.fixture(scope="module")
def proportions_near():
    """Counts of prevalence, tpr and fpr, and proportions at many points of the ball."""
    nearby_shares = []
    for tp, fp, fn, tn in MATRICES[:11]:
        counts = ((tp + fn, fp + tn), (tp, fn), (fp, tn))
        shares = [
            np.append(by_definition(*pair, x), pair[0] / sum(pair))
            for pair, x in zip(counts, Z * sphere(), strict=True)
        ]
        nearby_shares.append((counts, shares))
    return nearby_shares


@pytest.mark.parametrize(
    "key", ["f1", "precision", "laplace", "hmnc", "optimized_precision", "optimized_precision_i"]
)
@pytest.mark.slow
def test_no_value_of_many_in_the_ball_is_beyond_the_extremes(proportions_near, key):
    """The prevalence is a third dimension."""
    for counts, shares in proportions_near:

        def value(proportions, rows=None, sizes=counts[0]):
            share, tpr, fpr = proportions
            return METRICS[key](
                ConfusionMatrix.from_rates(
                    tpr, fpr, positives=sum(sizes) * share, negatives=sum(sizes) * (1 - share)
                )
            )

        ends = extremes(value, one(*counts), Z)
        assert (missed((ends.low[0], ends.high[0]), value(shares)) < 2e-3).all()


@pytest.mark.parametrize("counts", [(3, 7), (0, 20), (20, 0), (5, 10**6)])
def test_of_one_proportion_the_interval_is_that_of_jeffreys(counts):
    ends = extremes(at(lambda shares: shares[0]), one(counts), Z)
    expected = list(stats.beta(counts[0] + 0.5, counts[1] + 0.5).interval(0.95))
    expected[0] *= counts[0] > 0
    expected[1] = expected[1] if counts[1] else 1
    assert [ends.low[0], ends.high[0]] == pytest.approx(expected, rel=1e-12)


@pytest.mark.slow
def test_an_extreme_inside_the_ball_and_one_on_a_ridge():
    """The first is 0 at shares that are all near; the second grows along x = y alone."""
    proportions = one((30, 70), (40, 60))
    near = extremes(at(lambda p: (p[0] - 0.31) ** 2 + (p[1] - 0.41) ** 2), proportions, Z)
    assert near.low[0] == pytest.approx(0, abs=1e-6)
    ridge = extremes(at(lambda p: p[0] + p[1] - 20 * abs(p[0] - p[1] + 0.1)), proportions, Z)
    posterior = stats.beta(np.array([30.5, 40.5]), np.array([70.5, 60.5]))

    def beyond(share):
        return (stats.norm.ppf(posterior.cdf([share, share + 0.1])) ** 2).sum() - Z**2

    share = optimize.brentq(beyond, 0.31, 0.45)
    assert ridge.high[0] == pytest.approx(2 * share + 0.1, abs=1e-3)


@pytest.mark.slow
def test_slices_are_told_apart_by_their_numbers():
    """A function of the slice's own number, where one of them has a kink and the others do not."""
    hits = np.array([[30.0, 40, 50], [20, 20, 20]])
    proportions = Proportions(hits, 100 - hits)
    factor = np.array([0.0, 5, 0])

    def function(shares, rows):
        return shares[0] + rows - factor[rows] * abs(shares[0] - shares[1] - 0.2)

    ends = extremes(function, proportions, Z)
    for number in range(3):
        alone = Proportions(hits[:, [number]], 100 - hits[:, [number]])
        expected = extremes(
            lambda shares, rows, number=number: function(shares, rows + number), alone, Z
        )
        assert [ends.low[number], ends.high[number]] == pytest.approx(
            [expected.low[0], expected.high[0]], abs=1e-5
        )


def change_of(key, here, there):
    """Return the change of a metric of two classes between counts of the shape (slices, 2, 2)."""
    rows = (
        ClassRows.at(side, Prevalence.given("population"), TWO_CLASSES) for side in (here, there)
    )
    return Change(of_two_classes(METRICS[key]), *rows, {"tpr": [0], "fpr": [1]})


def test_a_search_goes_as_far_as_the_table():
    far, farther = (extremes(at(lambda shares: shares[0]), one((30, 70)), r) for r in (9, 20))
    assert (far.low[0], far.high[0]) == (farther.low[0], farther.high[0])
    assert distance_to_zero(at(lambda shares: shares[0] - 1e-30), one((30, 70)))[0] == (
        pytest.approx(9, rel=1e-3)
    )


@pytest.mark.parametrize("limit", [0.05, 0.2, 0.5, 0.6])
@pytest.mark.slow
def test_the_distance_to_a_proportion_is_its_deviation(limit):
    distance = distance_to_zero(at(lambda shares: shares[0] - limit), one((30, 70)))
    expected = stats.norm.ppf(stats.beta(30.5, 70.5).cdf(limit))
    assert distance[0] == pytest.approx(abs(expected), rel=1e-6)


@pytest.mark.parametrize("key", ["f1", "optimized_precision_i"])
@pytest.mark.slow
def test_an_interval_at_the_distance_ends_at_zero(key):
    """0 is outside the interval just below the p-value's radius, and inside above it."""
    random = np.random.default_rng(3)
    sizes = random.integers(200, 2000, (2, 60))
    positives = random.binomial(sizes, 0.1) + 1
    tp, fp = random.binomial(positives, 0.7), random.binomial(sizes - positives, 0.1)
    cells = [tp, positives - tp, fp, sizes - positives - fp]
    change = change_of(key, *np.stack(cells, axis=-1).reshape(2, 60, 2, 2).astype(float))
    difference, gradient = change.difference, change.gradient(*change.causes)
    distance = distance_to_zero(difference, change.proportions, gradient)
    near, far = (
        extremes(difference, change.proportions, factor * distance, gradient)
        for factor in (0.99, 1.01)
    )
    assert ((near.low > 0) | (near.high < 0)).all()
    assert ((far.low < 0) & (far.high > 0)).all()


@pytest.mark.slow
def test_what_is_zero_or_on_both_sides_is_at_no_distance():
    proportions = one((5, 0), (12, 7))
    # All of 5 were counted: 1 is observed, and the posterior's median is less than 0.97.
    assert distance_to_zero(at(lambda shares: shares[0] - 0.97), proportions)[0] == 0
    assert distance_to_zero(at(lambda shares: 0 * shares[0]), proportions)[0] == 0


@pytest.mark.slow
def test_what_is_undefined_is_said():
    proportions = one((5, 5))
    ends = extremes(at(lambda shares: shares[0] * np.nan), proportions, Z)
    assert np.isnan([ends.low[0], ends.high[0]]).all()
    assert ends.undefined[0]
    assert np.isnan(distance_to_zero(at(lambda shares: shares[0] * np.nan), proportions)[0])
    half = extremes(at(lambda shares: np.where(shares[0] < 0.5, np.nan, shares[0])), proportions, Z)
    assert (half.low[0], half.high[0]) == pytest.approx(
        (0.5, stats.beta(5.5, 5.5).ppf(0.975)), abs=1e-4
    )
    assert half.undefined[0]
    assert not extremes(at(lambda shares: shares[0]), proportions, Z).undefined[0]


def test_infinite_values_are_extremes_like_others():
    low = at(lambda shares: np.where(shares[0] < 0.4, -np.inf, shares[0]))
    ends = extremes(low, one((5, 5)), Z)
    assert ends.low[0] == -np.inf
    assert ends.high[0] == pytest.approx(stats.beta(5.5, 5.5).ppf(0.975))
    everywhere = extremes(at(lambda shares: np.full_like(shares[0], -np.inf)), one((5, 5)), Z)
    assert (everywhere.low[0], everywhere.high[0]) == (-np.inf, -np.inf)


@pytest.mark.parametrize("dimensions", [2, 20, 200])
@pytest.mark.slow
def test_a_linear_function_has_its_extremes_along_its_gradient(dimensions):
    """Many instances have nearly normal quantiles, in few and many dimensions."""
    random = np.random.default_rng(dimensions)
    hits = random.integers(40_000, 60_000, (dimensions, 1)).astype(float)
    weights = random.normal(size=(dimensions, 1, 1))
    observed = Proportions(hits, 100_000 - hits)

    def value(proportions, rows):
        return (
            (weights[:, 0] * proportions.reshape(dimensions, -1))
            .sum(axis=0)
            .reshape(proportions.shape[1:])
        )

    def gradient(proportions, rows):
        return value(proportions, rows), np.broadcast_to(weights, proportions.shape)

    errors = np.sqrt(observed.observed * (1 - observed.observed) / 100_000)
    half_width = Z * np.sqrt(((weights[:, 0] * errors) ** 2).sum())
    middle = value(observed.observed, observed.slices)
    for ends in (extremes(value, observed, Z), extremes(value, observed, Z, gradient)):
        np.testing.assert_allclose(ends.high - middle, half_width, rtol=1e-3)
        np.testing.assert_allclose(middle - ends.low, half_width, rtol=1e-3)


def test_a_kink_between_many_proportions_is_found():
    """The smallest of 30 proportions is lowest where the one with the lowest end is moved alone."""
    misses = np.full((30, 1), 500.0)
    misses[17] = 20
    hits = np.full((30, 1), 500.0)
    hits[17] = 22

    def smallest(proportions, rows):
        return proportions.min(axis=0)

    ends = extremes(smallest, Proportions(hits, misses), Z)
    assert ends.low[0] == pytest.approx(by_definition(22, 20, -Z))
