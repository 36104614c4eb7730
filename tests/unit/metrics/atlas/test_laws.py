"""Laws of the atlas: bounds, directions and names; and that a bad declaration breaks them."""

import itertools
import warnings
from dataclasses import replace

import numpy as np
import pytest
import sympy

from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.metric import metric
from skewproof.metrics.atlas import ATLAS, CATALOG, COMMUNITIES, Entry, Name, undefined_cells
from skewproof.metrics.atlas.names import listed_names
from skewproof.metrics.atlas.undefined import defined_again

EVERY_MEASURE = pytest.mark.parametrize("key", ATLAS)

UNREACHED = {
    "tulloss_s": {0},  # by a double logarithm: 0.07 at 10^60 misses and false alarms for a hit
}
"""Finite bounds that no matrix here comes near, and why."""

SAME = {"balanced_accuracy", "cohen_kappa_i"}
"""What is the same function under two keys: the paper's Section 4 tells why."""


def matrices(cells):
    """The matrices of one instance or more."""
    cells = np.asarray(cells, dtype=float)
    return ConfusionMatrix(*cells[cells.sum(axis=1) >= 1].T)


def random_cells(count):
    random = np.random.default_rng(19)
    spread = 10 ** random.uniform(-1, 4, (count, 4))
    whole = random.integers(0, 12, (count, 4))
    return np.where(random.random((count, 1)) < 0.5, spread, whole)


def weighted_cells(count):
    """Sums of weights, or 0, of any size."""
    random = np.random.default_rng(20)
    size = 10 ** random.uniform(0, 9, (count, 1))
    return size * random.random((count, 4)) * random.integers(0, 2, (count, 4))


RANDOM = matrices([*random_cells(2000), *weighted_cells(2000)])

EXTREME = matrices(
    [
        *itertools.product([0, 1e-60, 1e-9, 1, 1e60], repeat=4),
        *itertools.product([0, 0.3, 0.5, 1, 2, 5, 1e6], repeat=4),
    ]
)

SIZES = [(10, 10), (100, 1000), (1000, 50), (30, 7)]
"""Class sizes at which classifiers are compared."""


def values(measure, of):
    with np.errstate(all="ignore"):
        found = measure(of)
    return found[~np.isnan(found)]


def outside(measure):
    """Values of a measure beyond its bounds."""
    low, high = measure.bounds
    found = values(measure, RANDOM)
    slack = 1e-9 * np.maximum(1, np.abs(np.where(np.isfinite(found), found, 0)))
    return found[(found < low - slack) | (found > high + slack)]


def unreached(measure):
    """Which finite bounds, 0 the lower and 1 the upper, extreme matrices come nowhere near."""
    low, high = measure.bounds
    width = high - low if np.isfinite(high - low) else 1
    found = values(measure, EXTREME)
    with np.errstate(invalid="ignore"):
        gaps = found.min() - low, high - found.max()
    return {side for side, gap in enumerate(gaps) if np.isfinite(gap) and gap > 0.01 * width}


def classifier(tpr, fpr, positives, negatives):
    return ConfusionMatrix(
        tp=positives * tpr, fp=negatives * fpr, fn=positives * (1 - tpr), tn=negatives * (1 - fpr)
    )


def at_corner(measure, sizes, *, right):
    """The value of the classifier that is always right or always wrong, or next to it."""
    corners = (
        classifier(1 - off if right else off, off if right else 1 - off, *sizes)
        for off in (0, 1e-9)
    )
    found = [float(value) for corner in corners for value in np.atleast_1d(values(measure, corner))]
    return found[0]


def broken_direction(measure, direction):
    """The class sizes at which the perfect classifier is not what a direction says."""
    rates = np.random.default_rng(20).uniform(0.01, 0.99, (2, 500))
    broken = []
    for sizes in SIZES:
        others = values(measure, classifier(*rates, *sizes))
        perfect = at_corner(measure, sizes, right=True)
        slack = 1e-9 * max(1, np.abs(others).max())
        best, least = perfect >= others.max() - slack, perfect <= others.min() + slack
        holds = {
            "higher": best,
            "lower": least,
            "target": not best and not least,
            "association": best
            and np.isclose(at_corner(measure, sizes, right=False), perfect, rtol=1e-6),
            "none": True,
        }
        if not holds[direction]:
            broken.append(sizes)
    return broken


def shared_names(catalog):
    """Names that a community has for more than one measure."""
    owners = {}
    for key, entry in catalog.items():
        for name in entry.names:
            owners.setdefault((name.community, name.name), []).append(key)
    return {name: keys for name, keys in owners.items() if len(keys) > 1}


@EVERY_MEASURE
def test_bounds_hold_and_are_reached_and_the_perfect_classifier_is_as_the_direction_says(key):
    measure, entry = ATLAS[key], CATALOG[key]
    assert outside(measure).size == 0
    assert unreached(measure) == UNREACHED.get(key, set())
    assert broken_direction(measure, entry.direction) == []
    assert measure.lower_is_better == (entry.direction == "lower")


@EVERY_MEASURE
def test_no_value_comes_with_a_warning(key):
    cells = np.array(list(itertools.product([0, 3, 7], repeat=4))[1:])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ATLAS[key](matrices(cells))


def test_every_measure_has_an_entry():
    assert list(CATALOG) == list(ATLAS)


def test_names_are_listed_of_measures_that_there_are():
    assert set(listed_names()) <= set(ATLAS)


def test_no_community_has_one_name_for_two_measures():
    assert shared_names(CATALOG) == {}


def test_every_name_is_of_a_listed_community_and_has_a_source():
    names = [name for entry in CATALOG.values() for name in entry.names]
    assert {name.community for name in names} == {community.key for community in COMMUNITIES}
    assert all(name.name.strip() and name.source.strip() for name in names)


def test_no_two_measures_are_the_same_function():
    found = {}
    for key, measure in ATLAS.items():
        with np.errstate(all="ignore"):
            rounded = [f"{value:.9e}" for value in measure(RANDOM)[:20]]
        found.setdefault(tuple(rounded), set()).add(key)
    assert [keys for keys in found.values() if len(keys) > 1] == [SAME]


@EVERY_MEASURE
@pytest.mark.slow
def test_symbols_give_what_numbers_do(key):
    cells = {"tp": 9, "fp": 4, "fn": 3, "tn": 20}
    exact = ATLAS[key](ConfusionMatrix(**{name: sympy.Integer(n) for name, n in cells.items()}))
    value = float(ATLAS[key](ConfusionMatrix(**cells)))
    assert float(exact) == pytest.approx(value, rel=1e-12, abs=1e-12)


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


@EVERY_MEASURE
def test_a_measure_is_undefined_where_the_listed_cells_are_0_and_nowhere_else(key):
    smallest, again = undefined_cells(ATLAS[key]), defined_again(ATLAS[key])
    for zeros in itertools.product([True, False], repeat=4):
        if all(zeros):
            continue
        counts = np.where(zeros, 0, [[19, 41, 31, 8], [6, 9, 4, 13]])
        expected = {
            cell for cell, zero in zip(("tp", "fp", "fn", "tn"), zeros, strict=True) if zero
        }
        listed = any(cells <= expected for cells in smallest) and expected not in again
        with np.errstate(all="ignore"):
            assert listed == (not np.isfinite(ATLAS[key](ConfusionMatrix(*counts.T))).any())


def test_where_a_measure_has_a_value_again():
    assert defined_again(ATLAS["precision"]) == ()
    for key in ("adjusted_g_mean", "adjusted_g_mean_of_shares"):
        assert defined_again(ATLAS[key]) == ({"tp", "fp", "tn"},)
    for key in ("modified_likelihood_ratio_statistic", "cross_entropy", "divergence_of_shares"):
        assert {"fp", "fn", "tn"} in defined_again(ATLAS[key])


@metric(symbol="x", name="bad", source="nowhere")
def lift_as_a_share(c):
    return c.tp * c.total / c.positives / c.predicted_positives


@metric(symbol="x", name="bad", source="nowhere", bounds=(-1, 1))
def accuracy_from_below(c):
    return (c.tp + c.tn) / c.total


def test_a_value_outside_the_bounds_breaks_the_law():
    assert outside(lift_as_a_share).size > 0


def test_infinity_breaks_finite_bounds():
    infinite = replace(ATLAS["positive_likelihood_ratio"], bounds=(0, 1000))
    assert np.isinf(outside(infinite)).any()


def test_a_bound_that_is_never_reached_breaks_the_law():
    assert unreached(accuracy_from_below) == {0}


@pytest.mark.parametrize(
    ("key", "wrong"),
    [
        ("accuracy", "lower"),
        ("error_rate", "higher"),
        ("frequency_bias", "higher"),
        ("youden_j", "association"),
        ("chi_squared", "target"),
    ],
)
def test_a_wrong_direction_breaks_the_law(key, wrong):
    assert broken_direction(ATLAS[key], wrong) != []


def test_a_name_that_two_have_breaks_the_law():
    taken = CATALOG["lift"].names[0]
    planted = {"lift": CATALOG["lift"], "other": Entry((Name(*taken[:2], "x"),), "", "higher")}
    assert shared_names(planted) == {taken[:2]: ["lift", "other"]}


def test_a_measure_under_a_second_key_is_seen():
    twice = replace(ATLAS["lift"], key="twice")
    with np.errstate(all="ignore"):
        np.testing.assert_array_equal(twice(RANDOM), ATLAS["lift"](RANDOM))
