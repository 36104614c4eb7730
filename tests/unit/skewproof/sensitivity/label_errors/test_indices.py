from fractions import Fraction

import numpy as np
import pytest
from made_metrics import made
from scipy import integrate

from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.levels import Level
from skewproof.core.scales import bounded
from skewproof.metrics import METRICS
from skewproof.sensitivity.label_errors.indices import (
    RESOLVED,
    half_share_ratios,
    label_error_indices,
)
from skewproof.sensitivity.label_errors.model import GROUPS, with_label_errors
from skewproof.sensitivity.quadrature.exact import exact_indices

KINKED = [METRICS[key] for key in ("optimized_precision", "optimized_precision_i")]
SMOOTH = [bounded(metric) for metric in METRICS.values() if metric not in KINKED]


def shares(metric, negatives, **ranges):
    found = label_error_indices([metric], positives=1, negatives=negatives, **ranges)
    return found.s1[0], found.st[0]


def spread(largest):
    """Compute squared mean and mean square of 1 - 2x for x uniform from 0 to `largest`."""
    return (1 - largest) ** 2, 1 - 2 * largest + 4 * largest**2 / 3


@pytest.mark.parametrize("last", [Level(1, 1), Level(7, 3)], ids=str)
def test_levels_the_wrong_way_round_are_refused(last):
    expected = f"^last = {last}: expected a level with more negatives per positive than first"
    with pytest.raises(ValueError, match=expected):
        half_share_ratios([METRICS["accuracy"]], positives=1, first=Level(1, 1), last=last)


@pytest.mark.parametrize("negatives", [1, 7])
@pytest.mark.slow
def test_accuracy_in_fractions(negatives):
    """Apparent accuracy minus 1/2 is P (2u - 1)(1 - 2b) + N (1 - 2v)(1 - 2a) over 2 (P + N).

    The factors of u and v have mean 0 and variance 1/3.
    """
    first, second = Fraction(1, 10), Fraction(1, 5)
    mean_a, square_a = spread(first)
    mean_b, square_b = spread(second)
    weight = negatives**2
    total = square_b + weight * square_a
    s1 = [mean_b, weight * mean_a, 0, 0, mean_b + weight * mean_a, 0]
    st = [
        square_b,
        weight * square_a,
        weight * (square_a - mean_a),
        square_b - mean_b,
        total,
        total - mean_b - weight * mean_a,
    ]
    found_s1, found_st = shares(
        METRICS["accuracy"],
        negatives,
        largest_false_positive_rate=float(first),
        largest_false_negative_rate=float(second),
    )
    np.testing.assert_allclose(found_s1, [float(x / total) for x in s1], rtol=0, atol=1e-13)
    np.testing.assert_allclose(found_st, [float(x / total) for x in st], rtol=0, atol=1e-13)


def youden_of_the_perfect(negatives, power):
    """Average a power of the perfect classifier's apparent Youden's J, by another quadrature."""

    def value(wrong_negative, wrong_positive):
        labeled_positive = 1 - wrong_negative + negatives * wrong_positive
        labeled_negative = wrong_negative + negatives * (1 - wrong_positive)
        hits, false_alarms = 1 - wrong_negative, wrong_negative
        return (hits / labeled_positive - false_alarms / labeled_negative) ** power

    found, _ = integrate.dblquad(value, 0, 0.1, 0, 0.1, epsabs=1e-14, epsrel=1e-12)
    return found / 0.1**2


@pytest.mark.slow
@pytest.mark.parametrize("negatives", [1, 1000])
def test_balanced_accuracy_by_adaptive_quadrature(negatives):
    """Its apparent value minus 1/2 is (u - v)/2 times the perfect classifier's J."""
    mean, square = (youden_of_the_perfect(negatives, power) for power in (1, 2))
    s1, st = shares(METRICS["balanced_accuracy"], negatives)
    np.testing.assert_allclose(s1[[0, 1]], mean**2 / square / 2, rtol=0, atol=1e-10)
    np.testing.assert_allclose(s1[[2, 3, 5]], 0, rtol=0, atol=1e-10)
    np.testing.assert_allclose(st[5], 1 - mean**2 / square, rtol=0, atol=1e-10)


@pytest.mark.slow
def test_labels_make_half_of_balanced_accuracy_where_they_are_found_to():
    (found,) = half_share_ratios(
        [METRICS["balanced_accuracy"]], positives=1, first=Level(1, 1), last=Level(1, 1000)
    )
    (crossing,) = found
    ratio = crossing.negatives_per_positive
    mean, square = (youden_of_the_perfect(ratio, power) for power in (1, 2))
    assert 1 - mean**2 / square == pytest.approx(1 / 2, abs=1e-9)


@pytest.mark.slow
def test_no_crossing_where_labels_stay_below_half_or_nothing_is_known():
    unbounded = METRICS["positive_likelihood_ratio"]
    found = half_share_ratios(
        [METRICS["accuracy"], unbounded], positives=1, first=Level(1, 1), last=Level(1, 1000)
    )
    assert found == [[], []]


NO_ERRORS = {"largest_false_positive_rate": 0, "largest_false_negative_rate": 0}


@pytest.mark.slow
def test_without_errors_of_the_labels_two_inputs_are_left():
    four = label_error_indices(SMOOTH, positives=100, negatives=1e5, **NO_ERRORS)
    two = exact_indices(SMOOTH, positives=100, negatives=1e5)
    np.testing.assert_allclose(four.s1[:, :2], two.s1, rtol=0, atol=1e-10)
    np.testing.assert_allclose(four.st[:, :2], two.st, rtol=0, atol=1e-10)
    np.testing.assert_allclose(four.s1[:, 4], 1, rtol=0, atol=1e-10)
    np.testing.assert_allclose(four.st[:, [2, 3, 5]], 0, rtol=0, atol=1e-10)


@pytest.mark.slow
def test_a_kink_where_the_labels_errors_are_equal():
    """The larger apparent class has the share (1 + |a - b|)/2: a tenth of it is either rate's."""
    larger = made(lambda c: np.maximum(c.positives, c.negatives) / c.total)
    found = label_error_indices([larger], positives=1, negatives=1)
    expected = [[0, 0, 0.1, 0.1, 0, 1], [0, 0, 0.9, 0.9, 0, 1]]
    distance = np.abs(np.array([found.s1[0], found.st[0]]) - expected).max()
    assert distance <= found.error[0]


@pytest.mark.slow
def test_a_kink_costs_no_more_than_the_error_says():
    four = label_error_indices(KINKED, positives=100, negatives=1000, **NO_ERRORS)
    two = exact_indices(KINKED, positives=100, negatives=1000)
    distances = np.abs(four.s1[:, :2] - two.s1).max(axis=1)
    assert (distances <= four.error).all()
    assert (four.error <= RESOLVED).all()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("formula", "reason"),
    [
        (lambda c: 0 * c.tp + 0.3, "no finite variance"),
        (lambda c: np.where(c.tpr > 0.3, c.tnr, np.nan), "no finite variance"),
        (lambda c: c.tpr / c.fpr**2, "error estimate"),
    ],
)
def test_what_is_not_resolved_says_why(formula, reason, caplog):
    found = label_error_indices([made(formula)], positives=1, negatives=1)
    assert np.isnan(found.s1).all()
    assert np.isnan(found.st).all()
    assert f"<lambda> is not resolved under wrong labels: {reason}" in caplog.text


@pytest.mark.parametrize(("key", "negatives"), [("f1", 1000), ("mcc", 50)])
@pytest.mark.slow
def test_labels_and_classifier_by_nested_monte_carlo(key, negatives):
    """Var E(f | labels) / Var f from pairs that share one group and have the other drawn anew."""
    random = np.random.default_rng(8)
    draws = 400_000
    classifiers, labels = random.random((2, 2, draws)), 0.1 * random.random((2, 2, draws))

    def values(classifier, label):
        matrix = ConfusionMatrix.from_rates(*classifier, positives=1, negatives=negatives)
        return METRICS[key](
            with_label_errors(matrix, false_positive_rate=label[0], false_negative_rate=label[1])
        )

    base = values(classifiers[0], labels[0])
    same_classifier = values(classifiers[0], labels[1])
    same_labels = values(classifiers[1], labels[0])
    s1, st = shares(METRICS[key], negatives)
    for other, group in ((same_classifier, "classifier"), (same_labels, "labels")):
        product = (base - base.mean()) * (other - base.mean()) / base.var()
        error = product.std() / np.sqrt(draws)
        place = list(GROUPS).index(group)
        assert s1[place] == pytest.approx(product.mean(), abs=4 * error)
        assert st[-1 if group == "classifier" else -2] == pytest.approx(
            1 - product.mean(), abs=4 * error
        )
