"""Ratios at which the rarest class has half of a fair share."""

from fractions import Fraction
from math import log, sqrt

import numpy as np
import pytest

from skewproof.multiclass.crossings import (
    CrossingSearch,
    crossings,
    exchange_sample,
    last_digit,
    weight_in_closed_form,
)
from skewproof.multiclass.declaration import Measure
from skewproof.multiclass.lookup import MEASURES
from skewproof.multiclass.sensitivity import class_sizes

SEARCH = CrossingSearch(largest=1000, log2_scan=5, log2_samples=6, scrambles=8, seed=1)


def crossings_of(key, classes, shape):
    return crossings([MEASURES[key]], classes, shape, SEARCH)[key]


def row_variances_of_auroc_ova(sizes):
    """Compute Eq. 13 up to common factors: the gain of predicting class i as class j."""
    total = sum(sizes)
    for i, size in enumerate(sizes):
        gains = [1 if i == j else -size / (total - other) for j, other in enumerate(sizes)]
        # A row uniform on the simplex has the covariance (delta_jk/C - 1/C^2)/(C + 1).
        yield sum(gain * gain for gain in gains) - sum(gains) ** 2 / len(sizes)


@pytest.mark.parametrize(("classes", "expected"), [(3, sqrt(Fraction(5, 2))), (10, sqrt(3))])
@pytest.mark.slow
def test_accuracy_falls_by_hand(classes, expected):
    # Of a step with s small classes the weight is C/(s + (C - s)·r²).
    (found,) = crossings_of("accuracy", classes, "step")
    assert found.ratio == pytest.approx(expected, rel=1e-9)
    assert (found.error, found.falls) == (0, True)


@pytest.mark.parametrize(
    ("shape", "printed"), [("step", 9.20), ("linear", 12.76), ("long tail", 23.59)]
)
@pytest.mark.slow
def test_auroc_ova_falls_where_its_definition_says(shape, printed):
    (found,) = crossings_of("auroc_ova", 3, shape)
    assert found.ratio == pytest.approx(printed, abs=0.005)
    variances = list(row_variances_of_auroc_ova(list(class_sizes(3, shape, found.ratio))))
    assert 3 * variances[0] / sum(variances) == pytest.approx(1 / 2, rel=1e-9)


@pytest.mark.parametrize("key", ["acsa", "g_mean", "auroc_ovo"])
@pytest.mark.slow
def test_what_satisfies_condition_1_never_crosses(key):
    assert crossings_of(key, 3, "step") == []


@pytest.mark.slow
def test_a_closed_form_at_equal_sizes_alone_is_none():
    # At equal sizes chance agreement is constant, so that kappa is linear there.
    assert weight_in_closed_form(MEASURES["cohen_kappa"], np.ones(3)) is not None
    assert all(crossing.error > 0 for crossing in crossings_of("cohen_kappa", 3, "step"))


@pytest.mark.slow
def test_a_weight_that_falls_and_rises_again_crosses_twice():
    def formula(matrix):
        # The weight of the first recall is 0 if the second class is 10 times the first.
        sizes = matrix.class_sizes
        place = np.log(sizes[..., 1] / sizes[..., 0]) / log(10) - 1
        return place * matrix.recalls[..., 0] + matrix.recalls[..., 1]

    measure = Measure("dip", "d", "dip", "here", formula)
    found = crossings([measure], 2, "step", SEARCH)["dip"]
    # The weight 2·p²/(1 + p²) is one half at p = ±sqrt(1/3).
    expected = [10 ** (1 - sqrt(1 / 3)), 10 ** (1 + sqrt(1 / 3))]
    assert [one.ratio for one in found] == pytest.approx(expected, rel=1e-9)
    assert [one.falls for one in found] == [True, False]


def test_sampled_weights_are_those_in_closed_form():
    sizes = np.array([1.0, 2, 4])
    sample = exchange_sample(3, log2_samples=11, seed=[1])
    for key in ("accuracy", "auroc_ova"):
        measure = MEASURES[key]
        exact = weight_in_closed_form(measure, sizes)
        # The squared change of a linear measure is a sum of the control variates.
        assert sample.weight_of_the_rarest(measure, sizes) == pytest.approx(exact, rel=1e-9)
    g_mean = sample.weight_of_the_rarest(MEASURES["g_mean"], sizes)
    assert g_mean == pytest.approx(1, abs=0.02)


def test_a_sample_too_small_for_control_variates_counts_all_alike():
    sample = exchange_sample(4, log2_samples=4, seed=[1])
    np.testing.assert_array_equal(sample.weights, np.full((4, 16), 1 / 16))


@pytest.mark.slow
def test_a_sampled_crossing_is_near_that_in_closed_form():
    def formula(matrix):
        accuracy = MEASURES["accuracy"](matrix)
        return accuracy + 1e-7 * accuracy**3

    almost = Measure("almost", "a", "almost accuracy", "here", formula)
    (found,) = crossings([almost], 3, "step", SEARCH)["almost"]
    assert found.error > 0
    assert abs(found.ratio - sqrt(5 / 2)) < 5 * found.error + 1e-5


def test_the_unit_of_the_third_digit():
    assert [last_digit(ratio) for ratio in (1.0, 9.99, 10, 138)] == pytest.approx(
        [0.01, 0.01, 0.1, 1]
    )
