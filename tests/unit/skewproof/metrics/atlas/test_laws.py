"""Laws of the atlas about bounds, directions and names, which bad declarations break."""

import itertools
import re
import warnings

import mpmath
import numpy as np
import pytest

from skewproof.core.confusion import CELLS, ConfusionMatrix, matrix_of
from skewproof.metrics.atlas import ATLAS, CATALOG, COMMUNITIES, undefined_cells
from skewproof.metrics.atlas.entry import listed_names
from skewproof.metrics.atlas.undefined import defined_again

LAWS = []
"""Laws that hold for every measure, as functions of its key."""

UNREACHED = {
    "tulloss_s": {0},  # by a double logarithm: 0.08 at 10^49 misses and false alarms for a hit
}
"""Finite bounds that no matrix here comes near, with the reasons."""

UNDIRECTED = {
    "corrected_mcnemar": "infinite for the perfect classifier, and 0 where there is but one error",
}
"""Measures without direction for which the perfect classifier has an extreme value, with the
reasons."""

UNREACHED_BY_COUNTS = {
    "tulloss_s": {0},
    "symmetric_extreme_dependency_score": {0},  # by a logarithm: -0.90 at counts up to 10^6
}
"""Finite bounds that no matrix of whole numbers here comes near."""

SAME = {"cohen_kappa_i", "youden_j"}
"""Keys of the same function, for the reason in Section 4 of the paper."""


def matrices(cells):
    """Select the matrices of one instance or more."""
    cells = np.asarray(cells, dtype=float)
    return matrix_of(cells[cells.sum(axis=1) >= 1].T)


def random_cells(count):
    random = np.random.default_rng(19)
    spread = 10 ** random.uniform(-1, 4, (count, 4))
    whole = random.integers(0, 12, (count, 4))
    return np.where(random.random((count, 1)) < 0.5, spread, whole)


def weighted_cells(count):
    """Draw sums of weights, or 0, of any size."""
    random = np.random.default_rng(20)
    size = 10 ** random.uniform(0, 9, (count, 1))
    return size * random.random((count, 4)) * random.integers(0, 2, (count, 4))


RANDOM = matrices([*random_cells(2000), *weighted_cells(2000)])

UNEQUAL = matrices(
    np.concatenate(
        [
            [*itertools.product([0, 1e-15, 1e-8, 1, 1e8, 1e15], repeat=4)],
            10 ** np.random.default_rng(24).uniform(-15, 15, (3000, 4)),
        ]
    )
)
"""Cells that differ by up to 30 orders of magnitude."""

FEW_BY_CHANCE = [(2 * m * m, m, m, 0) for m in (10, 1000, 10**6)]
"""Tables whose empty cell has half an instance by chance."""

EXTREME = matrices(
    [
        *itertools.product([0, 1e-49, 1e-9, 1, 1e49], repeat=4),
        *itertools.product([0, 0.3, 0.5, 1, 2, 5, 1e6], repeat=4),
        *FEW_BY_CHANCE,
    ]
)

SUMS_NEAR_ONE = matrices(
    np.random.default_rng(21).uniform(1, 1.5, (3000, 1))
    * np.random.default_rng(23).dirichlet(np.ones(4) / 2, 3000)
)
"""Tables of less than two instances, which have less than one pair."""

LARGE_COUNTS = [0, 1, 2, 5, 10**3, 10**6]

WHOLE = matrices(
    [
        *itertools.product(range(9), repeat=4),
        *itertools.product(LARGE_COUNTS, repeat=4),
        *FEW_BY_CHANCE,
    ]
)

SIZES = [(10, 10), (100, 1000), (1000, 50), (30, 7)]
"""Class sizes at which classifiers are compared."""

MORE_SIZES = [*SIZES, (1, 1), (1, 100), (100, 1), (2, 3)]


def values(measure, of):
    with np.errstate(all="ignore"):
        found = measure(of)
    return found[~np.isnan(found)]


def outside(measure):
    """List the values of a measure beyond its bounds."""
    low, high = measure.bounds
    found = np.concatenate([values(measure, RANDOM), values(measure, UNEQUAL)])
    slack = 1e-9 * np.maximum(1, np.abs(np.where(np.isfinite(found), found, 0)))
    return found[(found < low - slack) | (found > high + slack)]


def unreached(measure):
    """Find the finite bounds, 0 lower and 1 upper, that extreme matrices do not come near."""
    low, high = measure.bounds
    width = high - low if np.isfinite(high - low) else 1
    found = values(measure, EXTREME)
    with np.errstate(invalid="ignore"):
        gaps = found.min() - low, high - found.max()
    return {side for side, gap in enumerate(gaps) if np.isfinite(gap) and gap > 0.01 * width}


def classifier(tpr, fpr, positives, negatives):
    cells = positives * tpr, negatives * fpr, positives * (1 - tpr), negatives * (1 - fpr)
    return matrix_of(cells)


def at_corner(measure, sizes, *, right):
    """Evaluate the classifier that is always right or always wrong, or one next to it."""
    corners = (
        classifier(1 - off if right else off, off if right else 1 - off, *sizes)
        for off in (0, 1e-9)
    )
    found = [float(value) for corner in corners for value in np.atleast_1d(values(measure, corner))]
    return found[0]


def as_many_called(sizes):
    """List classifiers that call as many positive as are positive, and some of them wrongly."""
    errors = min(sizes) * np.array([0.1, 0.4, 0.7])
    return matrix_of((sizes[0] - errors, errors, errors, sizes[1] - errors))


def broken_direction(measure, direction):
    """List class sizes at which the perfect classifier contradicts a direction."""
    rates = np.random.default_rng(20).uniform(0.01, 0.99, (2, 500))
    broken = []
    for sizes in SIZES:
        others = values(measure, classifier(*rates, *sizes))
        perfect = at_corner(measure, sizes, right=True)
        slack = 1e-9 * max(1, np.abs(others).max())
        best, least = perfect >= others.max() - slack, perfect <= others.min() + slack
        tied = np.isclose(at_corner(measure, sizes, right=False), perfect, rtol=1e-6)
        by_quantity = np.abs(values(measure, as_many_called(sizes)) - perfect).max() <= slack
        holds = {
            "higher": best and not tied and not by_quantity,
            "lower": least and not tied and not by_quantity,
            "target": not best and not least,
            "association": best and tied,
            "association, lowest": least and tied,
            "quantity": best and by_quantity,
            "quantity, lowest": least and by_quantity,
            "none": True,
        }
        if not holds[direction]:
            broken.append(sizes)
    return broken


def places_of_the_perfect(measure):
    """Return whether the perfect classifier has the highest, and the lowest, value at each of
    several class sizes."""
    some = [0, 1e-3, 0.5, 0.999, 1]
    drawn = np.random.default_rng(22).uniform(0, 1, (300, 2))
    rates = np.array([*itertools.product(some, repeat=2), *drawn]).T
    for sizes in MORE_SIZES:
        others = values(measure, classifier(*rates, *sizes))
        perfect = at_corner(measure, sizes, right=True)
        slack = 1e-9 * max(1, np.abs(others[np.isfinite(others)]).max())
        yield perfect >= others.max() - slack, perfect <= others.min() + slack


def test_names_have_a_community_a_source_and_a_measure_of_their_own():
    assert list(CATALOG) == list(ATLAS)
    assert {row.key for row in listed_names()} <= set(ATLAS)
    names = [name for entry in CATALOG.values() for name in entry.names]
    assert len({(name.community, name.name) for name in names}) == len(names)
    assert {name.community for name in names} == {community.key for community in COMMUNITIES}
    assert all(name.name.strip() and name.source.strip() for name in names)
    citation = re.compile(r"\b1[6-9]\d\d\b|\b20\d\d\b|\bEqs?\. \d|\b\d+\.\d+\.\d+\b")
    assert [name for name in names if citation.search(name.name)] == []


def test_no_two_measures_are_the_same_function():
    found = {}
    for key, measure in ATLAS.items():
        with np.errstate(all="ignore"):
            rounded = [f"{value:.9e}" for value in measure(RANDOM)[:20]]
        found.setdefault(tuple(rounded), set()).add(key)
    assert [keys for keys in found.values() if len(keys) > 1] == [SAME]


def law(function):
    LAWS.append(function)
    return function


@law
def bounds_hold_and_are_reached_and_the_perfect_classifier_is_as_the_direction_says(key):
    measure = ATLAS[key]
    assert outside(measure).size == 0
    assert unreached(measure) == UNREACHED.get(key, set())
    assert broken_direction(measure, measure.direction) == []


@law
def a_measure_without_direction_has_none_at_some_class_sizes_or_one_value_for_all(key):
    if ATLAS[key].direction == "none":
        places = list(places_of_the_perfect(ATLAS[key]))
        assert (key in UNDIRECTED) != ((False, False) in places or set(places) == {(True, True)})


@law
def infinite_bounds_are_approached(key):
    """Check large values; a logarithm reaches only some dozens at counts up to 1e49."""
    low, high = ATLAS[key].bounds
    found = np.concatenate([values(ATLAS[key], of) for of in (EXTREME, SUMS_NEAR_ONE)])
    near = found.min() < -40, found.max() > 40
    assert not {side for side, end in enumerate((low, high)) if np.isinf(end) and not near[side]}


@law
def bounds_hold_of_whole_counts_and_are_reached(key):
    low, high = bounds = ATLAS[key].bounds_of_counts or ATLAS[key].bounds
    found = values(ATLAS[key], WHOLE)
    slack = 1e-9 * np.abs(found[np.isfinite(found)]).max()
    assert found.min() >= low - slack
    assert found.max() <= high + slack
    width = high - low if np.isfinite(high - low) else 1
    far = set()
    for side, extreme in enumerate((found.min(), found.max())):
        if np.isinf(bounds[side]):
            assert abs(extreme) > 5
        elif abs(extreme - bounds[side]) > 0.01 * width:
            far.add(side)
    assert far == UNREACHED_BY_COUNTS.get(key, set())


@law
def no_value_comes_with_a_warning(key):
    cells = np.array(list(itertools.product([0, 3, 7], repeat=4))[1:])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ATLAS[key](matrices(cells))


def entropy(*cells):
    total = sum(cells)
    return -sum(cell / total * mpmath.log(cell / total, 2) for cell in cells)


UNCERTAINTY = {
    "mutual_information": lambda shared, truth, calls, both: shared,
    "uncertainty_of_truth": lambda shared, truth, calls, both: shared / truth,
    "uncertainty_of_calls": lambda shared, truth, calls, both: shared / calls,
    "symmetric_uncertainty": lambda shared, truth, calls, both: 2 * shared / (truth + calls),
    "normalized_information_joint": lambda shared, truth, calls, both: shared / both,
}


@pytest.mark.parametrize("key", UNCERTAINTY)
@pytest.mark.slow
def test_shares_of_entropies_have_their_digits_whatever_the_cells(key):
    """Values agree with 60 digits at ratios of cells up to 10^30, and next to independence."""
    random = np.random.default_rng(25)
    nearly = np.outer(10 ** random.uniform(0, 5, 20), [1, 2, 3, 6]) * (
        1 + 1e-6 * random.random((20, 4))
    )
    cells = np.concatenate([10 ** random.uniform(-15, 15, (40, 4)), nearly])
    expected = []
    with mpmath.workdps(60):
        for row in cells.tolist():
            tp, fp, fn, tn = map(mpmath.mpf, row)
            truth, calls = entropy(tp + fn, fp + tn), entropy(tp + fp, fn + tn)
            both = entropy(tp, fp, fn, tn)
            shared = truth + calls - both
            expected.append(float(UNCERTAINTY[key](shared, truth, calls, both)))
    found = ATLAS[key](matrix_of(cells.T))
    assert found == pytest.approx(expected, rel=1e-9, abs=1e-14)


def gilbert_wells(tp, fp, fn, tn):
    """Compute the definition with mpmath's number of digits."""
    cells, n = (tp, fp, fn, tn), tp + fp + fn + tn
    sums = (tp + fp, tp + fn, fp + tn, fn + tn)
    product = mpmath.fprod(sums)
    factorials = sum(mpmath.loggamma(cell + 1) for cell in (n, *cells))
    factorials -= sum(mpmath.loggamma(part + 1) for part in sums)
    return mpmath.log(n**3 / (2 * mpmath.pi * product)) + 2 * factorials


def test_the_lower_bound_of_gilbert_and_wells_is_a_limit_that_nothing_is_below():
    low, _ = ATLAS["gilbert_wells"].bounds
    with mpmath.workdps(50):
        limit = [gilbert_wells(*map(mpmath.mpf, (2 * m * m, m, m, 0))) for m in (10**4, 10**8)]
        assert [float(value) - low for value in limit] == pytest.approx([1.5e-4, 1.5e-8], rel=0.01)
        random = np.random.default_rng(26)
        rows = 10 ** random.uniform(0, 12, (200, 4)) * random.integers(0, 2, (200, 4))
        rows = rows[((rows[:, [0, 0, 1, 2]] + rows[:, [1, 2, 3, 3]]) > 0).all(axis=1)]
        exact = [float(gilbert_wells(*map(mpmath.mpf, row))) for row in rows.tolist()]
        found = ATLAS["gilbert_wells"](matrix_of(rows.T))
    assert found == pytest.approx(exact, rel=1e-9, abs=1e-9)
    assert min(exact) >= low
    # Next to the limit: two large cells, their product over the table's size near 1/2, and noise.
    m, shares = 10 ** random.uniform(1, 6, (2, 2000)), random.normal(1, 0.3, 2000)
    near = np.array([2 * m[0] * m[1] * abs(shares), *m, random.exponential(0.1, 2000)])
    for table in (near, near * [[1], [1], [1], [0]]):
        assert ATLAS["gilbert_wells"](matrix_of(table)).min() >= low - 1e-12


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        ("precision", [{"tp", "fp"}]),
        ("accuracy", []),
        ("symmetric_extremal_dependence_index", [{"tp"}, {"fp"}, {"fn"}, {"tn"}]),
        ("lift", [{"tp", "fp"}, {"tp", "fn"}]),
        ("conviction", [{"fp"}]),
        ("log_odds_ratio", [{"tp"}, {"fp"}, {"fn"}, {"tn"}]),
        ("frequency_bias", [{"tp", "fn"}]),
    ],
)
def test_where_a_measure_has_no_value(key, expected):
    assert sorted(map(sorted, undefined_cells(ATLAS[key]))) == sorted(map(sorted, expected))


@law
def a_measure_is_undefined_where_the_listed_cells_are_0_and_nowhere_else(key):
    smallest, again = undefined_cells(ATLAS[key]), defined_again(ATLAS[key])
    for zeros in itertools.product([True, False], repeat=4):
        if all(zeros):
            continue
        counts = np.where(zeros, 0, [[19, 41, 31, 8], [6, 9, 4, 13]])
        expected = {cell for cell, zero in zip(CELLS, zeros, strict=True) if zero}
        listed = any(cells <= expected for cells in smallest) and expected not in again
        with np.errstate(all="ignore"):
            assert listed == (not np.isfinite(ATLAS[key](matrix_of(counts.T))).any())


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
@pytest.mark.slow
def test_every_measure_keeps_the_law(law):
    broken = {}
    for key in ATLAS:
        try:
            law(key)
        except AssertionError as error:
            broken[key] = str(error)
    assert broken == {}


def test_baulieu_xii_is_lowest_for_the_perfect_classifier_of_two_positives_or_more():
    """All matrices of whole counts up to 7 are tried; with one positive the perfect one is 0/0, and
    the others are 1 or more."""
    for positives, negatives in itertools.product(range(1, 8), range(8)):
        rows = itertools.product(range(positives + 1), range(negatives + 1))
        tp, fp = np.array(list(rows)).T
        found = ATLAS["baulieu_xii"](
            ConfusionMatrix(tp=tp, fp=fp, fn=positives - tp, tn=negatives - fp)
        )
        perfect = (tp == positives) & (fp == 0)
        if positives == 1:
            assert np.isnan(found[perfect]).all()
            assert (found[~perfect] >= 1).all()
        else:
            assert found[perfect] == 0
            assert (found[~perfect] > 0).all()


def test_abbotts_formula_is_of_the_exposed_and_those_who_are_not():
    """1 minus the survival of the treated over that of the controls: calls are the treatment."""
    killed_treated, treated, killed_controls, controls = 13, 20, 5, 50
    abbott = 1 - ((treated - killed_treated) / treated) / ((controls - killed_controls) / controls)
    table = ConfusionMatrix(
        tp=killed_treated,
        fp=treated - killed_treated,
        fn=killed_controls,
        tn=controls - killed_controls,
    )
    (key,) = (key for key in CATALOG if any("Abbott" in one.name for one in CATALOG[key].names))
    assert float(ATLAS[key](table)) == pytest.approx(abbott, rel=1e-14)


def test_where_a_measure_has_a_value_again():
    assert defined_again(ATLAS["precision"]) == ()
    for key in ("adjusted_g_mean", "adjusted_g_mean_of_shares"):
        assert defined_again(ATLAS[key]) == ({"tp", "fp", "tn"},)
    for key in ("modified_likelihood_ratio_statistic", "cross_entropy", "divergence_of_shares"):
        assert {"fp", "fn", "tn"} in defined_again(ATLAS[key])
