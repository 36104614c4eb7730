"""Intervals of measures of any number of classes, compared with searches by the definition."""

import itertools

import numpy as np
import pytest
from scipy import optimize, special, stats

from skewproof import MulticlassConfusionMatrix, Prevalence, interval
from skewproof.intervals import class_rows
from skewproof.intervals.class_rows import (
    ClassRows,
    ConditionalBinomials,
    PairedRows,
    hits_first,
    pairs_of_hits_first,
    with_derivatives,
)
from skewproof.multiclass import MEASURES
from skewproof.multiclass.against_rest import TWO_CLASSES

Z = stats.norm.ppf(0.975)

COUNTS = np.array([[80, 15, 5], [3, 10, 2], [0, 10, 40]], dtype=float)
NAMES = ["cat", "dog", "owl"]
PETS = MulticlassConfusionMatrix(COUNTS, labels=NAMES)
STATED = {"cat": 0.2, "dog": 0.5, "owl": 0.3}


def quantile(hits, misses, deviation):
    """Compute the proportion at a deviation by SciPy, or the observed one at an edge."""
    if hits == 0 and misses == 0:
        return special.betaincinv(0.5, 0.5, special.ndtr(deviation))
    if hits == 0 and deviation <= 0:
        return 0.0
    if misses == 0 and deviation >= 0:
        return 1.0
    return special.betaincinv(hits + 0.5, misses + 0.5, special.ndtr(deviation))


def split(counts, deviations):
    """Compute shares of cells in their order, each among itself and the later ones."""
    shares, rest = [], 1.0
    for position, deviation in enumerate(deviations):
        share = quantile(counts[position], sum(counts[position + 1 :]), deviation)
        shares.append(rest * share)
        rest *= 1 - share
    return [*shares, rest]


def macro_f1_of(matrix):
    """Average 2 m_ii/(n_i + k_i), by hand."""
    classes = range(len(matrix))
    return np.mean([2 * matrix[i, i] / (matrix[i].sum() + matrix[:, i].sum()) for i in classes])


def by_definition(counts, deviations, sizes=None, sampled=None):
    """Build the matrix of rows and class sizes at deviations: hits first, then by class size."""
    classes = len(counts)
    commonest = sorted(range(classes), key=lambda i: -counts[i].sum())
    deviations, matrix = list(deviations), np.zeros((classes, classes))
    for row in range(classes):
        order = [row, *(other_class for other_class in commonest if other_class != row)]
        row_deviations = [deviations.pop(0) for _ in range(classes - 1)]
        matrix[row, order] = split(counts[row, order], row_deviations)
    if sizes is None:
        sampled, sizes = counts.sum(axis=1) if sampled is None else sampled, np.zeros(classes)
        order = np.argsort(-sampled)
        sizes[order] = split(sampled[order], deviations)
    return matrix * np.asarray(sizes)[:, np.newaxis]


def extreme(value, dimensions, sign):
    """Maximize sign times a function over the ball, from several starts."""
    ball = {"type": "ineq", "fun": lambda x: Z**2 - x @ x}
    starts = np.random.default_rng(0).normal(0, 0.5, (4, dimensions))
    searches = [
        optimize.minimize(lambda x: -sign * value(x), start, method="SLSQP", constraints=[ball])
        for start in starts
    ]
    return sign * max(-search.fun for search in searches if search.success)


@pytest.mark.parametrize(
    ("at", "options"),
    [
        ("population", {}),
        ("test set", {"sizes": COUNTS.sum(axis=1)}),
        (STATED, {"sizes": list(STATED.values())}),
        (Prevalence.sampled({"cat": 9, "dog": 2, "owl": 5}), {"sampled": np.array([9, 2, 5])}),
    ],
)
@pytest.mark.slow
def test_ends_are_the_extremes_over_the_ball(at, options):
    dimensions = 6 if "sizes" in options else 8
    estimate = interval("macro_f1", PETS, at=at)
    for end, sign in ((estimate.low, -1), (estimate.high, 1)):
        sought = extreme(
            lambda x: macro_f1_of(by_definition(COUNTS, x, **options)), dimensions, sign
        )
        assert end == pytest.approx(sought, abs=1e-3 * (estimate.high - estimate.low))


@pytest.mark.slow
@pytest.mark.parametrize("key", ["acsa", "macro_f1"])
def test_intervals_of_four_instances_a_class_cover(key):
    """All 3,375 matrices with four instances in each of three classes, with probabilities."""
    rows = np.array([row for row in itertools.product(range(5), repeat=3) if sum(row) == 4])
    counts = rows[np.array(list(itertools.product(range(len(rows)), repeat=3)))].astype(float)
    rows = ClassRows.at(counts, Prevalence.given("test set"), range(3))
    span = rows.estimates(MEASURES[key], Z)
    for recall in (0.5, 0.7, 0.9):
        rates = np.full((3, 3), (1 - recall) / 2) + (recall - (1 - recall) / 2) * np.eye(3)
        likely = np.prod(
            [stats.multinomial(4, rates[row]).pmf(counts[:, row].astype(int)) for row in range(3)],
            axis=0,
        )
        assert likely.sum() == pytest.approx(1)
        # With recalls and errors alike, each average is the recall.
        covered = (span.low <= recall + 1e-12) & (recall - 1e-12 <= span.high)
        assert likely[covered].sum() > 0.93


def test_small_shares_keep_their_digits():
    """A share of 1e-12 as a difference from 1 would have four digits."""
    counts = np.array([[[3.0, 1e12], [1e12, 7.0]]])
    rows = ConditionalBinomials(counts, hits_first(counts))
    shares = rows.shares(rows.proportions.observed, np.arange(1))
    assert [shares[0, 0, 0], shares[0, 1, 1]] == pytest.approx([3e-12, 7e-12], rel=1e-11)


@pytest.mark.parametrize("counts", [[30.0, 4], [40.0, 9, 2]])
def test_the_first_share_that_is_drawn_has_its_beta_distribution(counts):
    """The commonest class has Jeffreys' prior against all others together."""
    row = np.array(counts)[np.newaxis, np.newaxis]
    rows = ConditionalBinomials(row, np.arange(len(counts))[np.newaxis, np.newaxis])
    drawn = rows.draw(4000, np.random.default_rng(0))
    assert drawn.shape == (4000, 1, 1, len(counts))
    np.testing.assert_allclose(drawn.sum(axis=-1), 1)
    expected = stats.beta(counts[0] + 1 / 2, sum(counts[1:]) + 1 / 2)
    assert stats.kstest(drawn[:, 0, 0, 0], expected.cdf).pvalue > 0.01


def differences(function, proportions, slices):
    """Differentiate a function by its proportions, with central differences."""
    step = 1e-6
    slopes = []
    for position in range(len(proportions)):
        ends = []
        for sign in (1, -1):
            moved = proportions.copy()
            moved[position] += sign * step
            ends.append(function(moved, slices))
        slopes.append((ends[0] - ends[1]) / (2 * step))
    return np.array(slopes)


@pytest.mark.parametrize(
    ("classes", "at"),
    [
        (3, "population"),
        (3, "test set"),
        (3, {0: 0.2, 1: 0.5, 2: 0.3}),
        (2, "population"),
        (2, "test set"),
        (2, "1:50"),
        (2, "30/400"),
        (2, "beta(2, 50)"),
    ],
)
@pytest.mark.parametrize("key", ["macro_f1", "mcc", "g_mean", "quadratic_weighted_kappa"])
@pytest.mark.parametrize("kind", [ClassRows, PairedRows])
@pytest.mark.slow
def test_gradients_are_differences(kind, key, classes, at):
    random = np.random.default_rng(2)
    cells = {ClassRows: classes, PairedRows: classes**2}[kind]
    counts = random.integers(1, 20, (1, classes, cells)).astype(float)
    names = range(3) if classes == 3 else TWO_CLASSES
    matrix_rows = kind.at(counts, Prevalence.given(at), names)
    slices = matrix_rows.proportions.slices
    proportions = matrix_rows.proportions.observed[:, np.newaxis]
    function = matrix_rows.value(MEASURES[key])
    values, slopes = matrix_rows.gradient(MEASURES[key])(proportions, slices)
    np.testing.assert_allclose(values, function(proportions, slices))
    # The derivatives are differences over 1e-5 of a cell.
    np.testing.assert_allclose(
        slopes, differences(function, proportions, slices), rtol=1e-4, atol=5e-5
    )


def test_derivatives_in_parts_are_the_same(monkeypatch):
    random = np.random.default_rng(3)
    rates, sizes = random.dirichlet(np.ones(4), (2, 4)), random.random((2, 4))
    whole = with_derivatives(MEASURES["mcc"], rates, sizes)
    monkeypatch.setattr(class_rows, "MOST_CELLS", 1)
    for derivative, other in zip(
        whole, with_derivatives(MEASURES["mcc"], rates, sizes), strict=True
    ):
        np.testing.assert_allclose(derivative, other)


def test_hits_come_first_and_the_commonest_other_class_next():
    assert hits_first(COUNTS[np.newaxis])[0].tolist() == [[0, 2, 1], [1, 0, 2], [2, 0, 1]]


def test_both_hits_come_first_then_one_then_none():
    """Pairs of two classes, of which the second is the commoner: (0, 0), (0, 1), (1, 0), (1, 1)."""
    pairs = np.array([[[4, 1, 1, 1], [0, 2, 3, 9]]], dtype=float)
    assert pairs_of_hits_first(pairs)[0].tolist() == [[0, 1, 2, 3], [3, 1, 2, 0]]


def ends(estimate):
    return estimate.low, estimate.high


LACKING = MulticlassConfusionMatrix([[40, 6, 4], [5, 20, 5], [0, 0, 0]], NAMES)


def test_accuracy_is_known_without_a_row_of_one_class():
    """The value for these class sizes is that of the other two, with hits and misses."""
    two = MulticlassConfusionMatrix([[40, 10], [10, 20]])
    for at in ("test set", "population"):
        estimate = interval("accuracy", LACKING, at=at)
        assert estimate.value == interval("accuracy", two, at=at).value == 60 / 80
        assert estimate.remark == ""
        assert not estimate.undefined
    assert ends(interval("accuracy", LACKING, at="test set")) == pytest.approx(
        ends(interval("accuracy", two, at="test set")), abs=1e-6
    )
    # In the population the class may be 1 in 30, all of them missed.
    assert interval("accuracy", LACKING).low < interval("accuracy", two).low
    assert interval("accuracy", LACKING, total=1000).value == pytest.approx(60 / 80)
    counted = Prevalence.sampled({"cat": 30, "dog": 50})
    there = interval("accuracy", LACKING, at=counted)
    assert there.value == pytest.approx(0.3 / 0.8 * 0.8 + 0.5 / 0.8 * 2 / 3)
    assert there.low < there.value < there.high


@pytest.mark.parametrize(
    ("key", "at"),
    [
        ("acsa", "population"),
        ("accuracy", STATED),
        ("accuracy", Prevalence.believed({"cat": 30, "dog": 50, "owl": 1})),
    ],
)
def test_what_depends_on_a_class_without_a_row_is_undefined(key, at):
    estimate = interval(key, LACKING, at=at)
    assert np.isnan([estimate.value, *ends(estimate)]).all()
    assert estimate.undefined
    assert estimate.remark == "No instance of the class 'owl' was observed: its rates are unknown."


def test_all_classes_without_a_row_are_named():
    matrix = MulticlassConfusionMatrix([[0, 0, 0], [5, 20, 5], [0, 0, 0]], NAMES)
    assert interval("accuracy", matrix, at="test set").value == 20 / 30
    assert "the classes 'cat', 'owl'" in interval("acsa", matrix).remark


@pytest.mark.slow
def test_intervals_of_accuracy_cover_where_samples_lack_a_class():
    """95 % are covered in 80 samples, a third of which lack a class."""
    random, covered, lacking = np.random.default_rng(0), 0, 0
    shares, rates = [0.7, 0.28, 0.02], [[0.9, 0.07, 0.03], [0.2, 0.75, 0.05], [0.3, 0.4, 0.3]]
    for _ in range(80):
        sizes = random.multinomial(60, shares)
        rows = [random.multinomial(size, row) for size, row in zip(sizes, rates, strict=True)]
        estimate = interval("accuracy", MulticlassConfusionMatrix(rows))
        covered += estimate.low <= np.dot(shares, np.diag(rates)) <= estimate.high
        lacking += sizes.min() == 0
    assert covered >= stats.binom(80, 0.95).ppf(0.001)
    assert 16 < lacking < 40
