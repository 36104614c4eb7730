"""Limits of best points by 40-digit arithmetic at levels of which no float is asked."""

import itertools

import mpmath
import numpy as np
import pytest
from scipy.stats import norm

from skewproof.operating_points import rare_limit
from skewproof_studies.statements.limits import (
    curves,
    robust_class_kept,
    robust_threshold_bounded,
)

pytestmark = pytest.mark.slow

ROOT_HALF = mpmath.mpf(1) / 2


def binormal(deviation):
    """Compute TPR and FPR at a threshold of normal scores 2 apart."""

    def rates(threshold):
        return mpmath.ncdf((2 - threshold) / deviation), mpmath.ncdf(-threshold)

    return rates


def points_of(deviation, number):
    """Compute many points of such a curve in floats."""
    thresholds = np.linspace(-3, 6, number)
    return norm.cdf((2 - thresholds) / deviation), norm.cdf(-thresholds)


def power(exponent):
    def rates(place):
        fpr = mpmath.exp(-place)
        return fpr**exponent, fpr

    return rates


def f1(u, v, r):
    return 2 * u / (1 + u + r * v)


def mcc(u, v, r):
    """Compute from the cells of one positive and r negatives."""
    tp, fp, fn, tn = u, r * v, 1 - u, r * (1 - v)
    return (tp * tn - fp * fn) / mpmath.sqrt((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn))


def best_tpr(metric, rates, ratio, low, high):
    """Find the TPR at the highest value on a grid, narrowed by a golden section."""
    with mpmath.workdps(40):
        ratio = mpmath.mpf(ratio)
        step = (mpmath.mpf(high) - low) / 80
        places = [low + step * i for i in range(81)]
        values = [metric(*rates(place), ratio) for place in places]
        top = values.index(max(values))
        left, right = places[max(top - 1, 0)], places[min(top + 1, 80)]
        golden = (mpmath.sqrt(5) - 1) / 2
        for _ in range(40):
            one, two = right - golden * (right - left), left + golden * (right - left)
            if metric(*rates(one), ratio) < metric(*rates(two), ratio):
                left = one
            else:
                right = two
        return float(rates((left + right) / 2)[0])


DECIDED = {
    "normal scores 2 apart, equal deviations": (binormal(1), -1, 19),
    "the same, deviation 1.5 of positives": (binormal(mpmath.mpf("1.5")), -1, 19),
    "*u* = *v*^(1/4)": (power(ROOT_HALF / 2), 1, 90),
    "*u* = *v*^(1/2)": (power(ROOT_HALF), 1, 90),
    "*u* = *v*^(3/4)": (power(3 * ROOT_HALF / 2), 1, 90),
}


@pytest.mark.parametrize("name", DECIDED)
@pytest.mark.parametrize(("key", "metric"), [("f1", f1), ("mcc", mcc)])
def test_best_points_come_to_the_limit(decision, name, key, metric):
    """Best TPRs at ever rarer positives fall below every bound, or settle at a positive limit."""
    rates, low, high = DECIDED[name]
    limit = rare_limit(key, curves()[name])
    assert limit.support == "proved"
    first, last = (best_tpr(metric, rates, 10**power, low, high) for power in (8, 16))
    if limit.tpr == 0:
        assert last < first / 3
    else:
        assert first == pytest.approx(limit.tpr, rel=1e-3)
        assert last == pytest.approx(limit.tpr, rel=1e-6)
    table = decision("rare_class_ignored").table.set_index("ROC curve")
    label = {"f1": "F1", "mcc": "MCC"}[key]
    assert float(table.loc[name, f"limit of {label}"]) == pytest.approx(limit.tpr, rel=1e-3)
    shown = float(table.loc[name, f"{label} at 1:1,000"])
    assert shown == pytest.approx(best_tpr(metric, rates, 1000, low, high), abs=6e-5)


def test_a_straight_start_is_kept(decision):
    """Random decisions between the three scores, on a fine grid of both segments."""
    shown = decision("rare_class_ignored").table.set_index("ROC curve")
    corners = [(0.0, 0.0), (0.5, 0.1), (0.8, 0.4), (1.0, 1.0)]
    points = [
        (one[0] + (two[0] - one[0]) * i / 500, one[1] + (two[1] - one[1]) * i / 500)
        for one, two in itertools.pairwise(corners)
        for i in range(1, 501)
    ][:-1]
    for metric, label in ((f1, "F1"), (mcc, "MCC")):
        best = max(points, key=lambda point: metric(*point, mpmath.mpf(10) ** 12))
        assert best == (0.5, 0.1)
        assert float(shown.loc["three score values, straight start", f"limit of {label}"]) == 0.5


def robust_f(u, v, r):
    """Compute the weighted mean by Holzmann and Klar's definition, with d0 = 1/10."""
    tp, fp, n = u, r * v, 1 + r
    return (n / 10 + 2) * tp / (n / 10 + 1 + tp + fp)


def robust_mcc(u, v, r):
    prevalence = 1 / (1 + r)
    called = prevalence * u + (1 - prevalence) * v
    of_truth, of_calls = prevalence * (1 - prevalence), called * (1 - called)
    covariance = of_truth * (u - v)
    return (
        mpmath.sqrt(of_truth + ROOT_HALF / 5)
        * covariance
        / (of_truth * mpmath.sqrt(of_calls + ROOT_HALF / 5))
    )


def test_robust_measures_keep_a_rate_above_the_bounds_of_all_points():
    table = {row[0]: row[1:] for row in robust_class_kept().rows}
    for deviation, name in (
        (1, "normal scores 2 apart, equal deviations"),
        (1.5, "the same, deviation 1.5 of positives"),
    ):
        rates = binormal(deviation)
        u, v = points_of(deviation, 4001)
        of_f = 0.1 * u / (0.1 + v)
        bounds = of_f.max(), ((u - v) * np.sqrt(0.1 / (0.1 + v * (1 - v)))).max()
        found = table[name]
        for column, (metric, bound) in enumerate(zip((robust_f, robust_mcc), bounds, strict=True)):
            limit, shown = found[2 * column : 2 * column + 2]
            assert best_tpr(metric, rates, 1e9, -1, 5) == pytest.approx(limit, rel=1e-5)
            assert shown == pytest.approx(bound, rel=1e-5)
            assert limit > bound


def test_the_density_ratio_of_the_best_cut_off_is_bounded():
    """The ratio of N(2, 1) to N(0, 1) at a threshold t is exp(2t - 2)."""
    for constant, of_f, bound_f, of_mcc, bound_mcc in robust_threshold_bounded().rows:
        assert of_f < bound_f == pytest.approx(1 / constant)
        assert of_mcc < bound_mcc == pytest.approx(1 + 1 / (2 * constant))
        if constant == 0.1:
            for metric, ratio in ((robust_f, of_f), (robust_mcc, of_mcc)):
                tpr = best_tpr(metric, binormal(1), 1e9, -1, 5)
                threshold = 2 - norm.ppf(tpr)
                assert np.exp(2 * threshold - 2) == pytest.approx(ratio, rel=1e-4)


def test_the_border_is_not_an_infinite_supremum():
    """u²/v is 1 throughout on u = √v, MCC²/π has its supremum 1 at the start alone, and the best
    TPR is near to √(π/2), which tends to 0."""
    with mpmath.workdps(60):
        for power_of_ten in (8, 12, 16):
            ratio = mpmath.mpf(10) ** power_of_ten
            best = best_tpr(mcc, power(ROOT_HALF), ratio, 1, 90)
            assert best == pytest.approx(float(mpmath.sqrt(1 / ratio / 2)), rel=2e-3)
        for v in (mpmath.mpf(10) ** -one for one in range(1, 20)):
            g = (mpmath.sqrt(v) - v) ** 2 / (v * (1 - v))
            assert g == pytest.approx((1 - mpmath.sqrt(v)) / (1 + mpmath.sqrt(v)))
            assert g < 1


def test_finite_second_moments_are_those_below_root_two():
    """The logarithm of the integral of LR² over the negatives, on growing ranges."""

    def log_moment(deviation, end):
        x = np.linspace(-end, end, 20 * end + 1)
        log_ratio = x**2 / 2 - ((x - 2) / deviation) ** 2 / 2 - np.log(deviation)
        return np.logaddexp.reduce(2 * log_ratio - x**2 / 2)

    assert log_moment(1.4, 400) == pytest.approx(log_moment(1.4, 800), rel=1e-12)
    assert log_moment(2**0.5, 800) > log_moment(2**0.5, 400) + 100
    assert log_moment(1.43, 800) > log_moment(1.43, 400) + 100


@pytest.mark.parametrize("deviation", [1, 1.5])
@pytest.mark.parametrize("ratio", [1, 30, 1e4])
def test_the_bounds_hold_at_every_prevalence(deviation, ratio):
    """The bounds are those of the text, with q in place of v."""
    rates, prevalence = binormal(deviation), 1 / (1 + ratio)
    u, v = points_of(deviation, 901)
    q = prevalence * u + (1 - prevalence) * v
    of_f = (u * (0.1 + prevalence) / (0.1 + prevalence + q)).max()
    of_mcc = ((u - v) * np.sqrt(0.1 / (0.1 + q * (1 - q)))).max()
    assert best_tpr(robust_f, rates, ratio, -1, 5) >= of_f
    assert best_tpr(robust_mcc, rates, ratio, -1, 5) >= of_mcc
