import mpmath
import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.special import ndtr

from skewproof import (
    BibetaCurve,
    BinormalCurve,
    EmpiricalCurve,
    PowerLawCurve,
    best_point,
    best_points,
    rare_limit,
)

TWO = BinormalCurve(2)
UPRIGHT = EmpiricalCurve([1, 1, 0, 1, 0, 0], [0.9, 0.8, 0.7, 0.6, 0.5, 0.4])
SLANTED = [0, 1, 1, 0, 0, 1, 0, 0], [8, 7, 6, 5, 4, 3, 2, 1]


@pytest.mark.parametrize("key", ["f1", "f2", "gilbert_ratio", "cohen_kappa", "accuracy"])
@pytest.mark.parametrize("curve", [TWO, BinormalCurve(1, 1 / 0.7), PowerLawCurve(0.7)])
@pytest.mark.slow
def test_what_vanishes(key, curve):
    limit = rare_limit(key, curve)
    assert (limit.tpr, limit.fpr, limit.support) == (0, 0, "proved")
    rates = [best_point(key, curve, at=f"1:{10**power}").tpr for power in (3, 6, 9)]
    assert rates[0] > rates[1] > rates[2]


@pytest.mark.parametrize("curve", [TWO, BinormalCurve(3, 0.8), PowerLawCurve(0.7)])
def test_limits_of_mcc_that_do_not_vanish(curve):
    """The slope of the curve at the limit is (u/v + (1 - u)/(1 - v))/2."""
    limit = rare_limit("mcc", curve)
    u, v = limit.tpr, limit.fpr
    places = curve.places
    place = brentq(lambda place: curve.log_rates(place).fpr - np.log(v), places[0], places[-1])
    slope = np.exp(curve.log_slope(place))
    assert slope == pytest.approx((u / v + (1 - u) / (1 - v)) / 2, rel=1e-6)
    assert limit.support == "proved"
    assert 0 < u < 1


def test_the_limit_of_mcc_is_approached():
    limit = rare_limit("mcc", TWO)
    assert limit.tpr == pytest.approx(0.0883, abs=5e-5)
    assert best_point("mcc", TWO, at="1:1000000000").tpr == pytest.approx(limit.tpr, rel=1e-5)


@pytest.mark.parametrize(
    ("deviation", "vanishes"), [(1 / 0.69, True), (1 / 0.76, False), (1 / 1.4, False)]
)
def test_mcc_vanishes_below_a_deviation_ratio(deviation, vanishes):
    limit = rare_limit("mcc", BinormalCurve(2, deviation))
    assert (limit.tpr == 0) is vanishes
    assert limit.support == "proved"


def test_a_limit_above_0_may_be_less_than_any_float():
    limit = rare_limit("mcc", BinormalCurve(2, 1 / 0.75))
    with mpmath.workdps(120):
        b = mpmath.mpf(3) / 4

        def slope(t):
            """The derivative of log(u²/v), which (u - v)²/(v(1 - v)) is so near the start."""
            u, v = mpmath.ncdf(b * (2 - t)), mpmath.ncdf(-t)
            return mpmath.npdf(t) / v - 2 * b * mpmath.npdf(b * (2 - t)) / u

        tpr = mpmath.ncdf(b * (2 - mpmath.findroot(slope, (16, 19), solver="anderson")))
    assert limit.tpr == pytest.approx(float(tpr), rel=1e-6)
    assert limit.tpr < 1e-30
    for deviation in (1 / 0.72, 1 / 0.708):
        limit = rare_limit("mcc", BinormalCurve(2, deviation))
        assert (limit.tpr, limit.support) == (0, "proved")
        assert "no float" in limit.reason


@pytest.mark.parametrize(
    ("key", "a", "tpr"),
    [("mcc", 0.4, 0), ("mcc", 0.5, 0), ("fowlkes_mallows", 0.4, 0), ("fowlkes_mallows", 0.7, 1)],
)
def test_power_laws(key, a, tpr):
    """MCC vanishes at a = 1/2: u²/v is 1, but (u - v)²/(v(1 - v)) rises to the start."""
    limit = rare_limit(key, PowerLawCurve(a))
    assert (limit.tpr, limit.support) == (tpr, "proved")
    at_1e9 = best_point(key, PowerLawCurve(a), at="1:1000000000").tpr
    assert at_1e9 == pytest.approx(tpr, abs=0.01)


def test_a_measure_whose_limit_tells_no_points_apart_is_computed():
    """u²/v is 1 on the whole curve; values at any finite ratio rise to the end."""
    limit = rare_limit("fowlkes_mallows", PowerLawCurve(0.5))
    assert (limit.tpr, limit.support) == (1, "computed")


def test_f1_ends_inside_where_the_first_slope_is_0():
    limit = rare_limit("f1", BinormalCurve(2, 0.5))
    thresholds = np.linspace(1, 6, 500_001)
    u, v = ndtr((2 - thresholds) / 0.5), ndtr(-thresholds)
    assert limit.tpr == pytest.approx(u[np.argmax(u / v)], rel=1e-4)
    assert best_point("f1", BinormalCurve(2, 0.5), at="1:1000000000").tpr == pytest.approx(
        limit.tpr, rel=1e-4
    )


@pytest.mark.parametrize("key", ["f1", "mcc", "accuracy", "cohen_kappa", "fowlkes_mallows"])
@pytest.mark.parametrize("hull", [False, True])
def test_a_curve_that_starts_upright_keeps_its_first_hits(key, hull):
    curve = EmpiricalCurve(UPRIGHT.y_true, UPRIGHT.y_score, hull=hull)
    limit = rare_limit(key, curve)
    assert (limit.tpr, limit.fpr, limit.support) == (pytest.approx(2 / 3), 0, "proved")
    assert best_point(key, curve, at="1:1000000000").tpr == pytest.approx(2 / 3)


def test_f1_goes_to_the_end_of_the_first_segment_of_a_hull():
    limit = rare_limit("f1", EmpiricalCurve(*SLANTED, hull=True))
    assert (limit.tpr, limit.fpr, limit.support) == (pytest.approx(2 / 3), 0.2, "proved")
    far = best_point("f1", EmpiricalCurve(*SLANTED, hull=True), at="1:1000000000")
    assert (far.tpr, far.fpr) == (limit.tpr, limit.fpr)
    assert rare_limit("accuracy", EmpiricalCurve(*SLANTED)).tpr == 0


@pytest.mark.slow
def test_what_orders_by_rates_stays():
    for key in ("youden_j", "f1_i", "precision", "g_mean"):
        limit = rare_limit(key, TWO)
        assert limit.support == "proved"
        assert limit.tpr == pytest.approx(best_point(key, TWO, at="1:1000").tpr, rel=1e-9)
    assert "rates alone" in rare_limit("precision", TWO).reason


@pytest.mark.slow
def test_what_is_not_proved_says_so():
    limit = rare_limit("precision_recall_mean", TWO)
    assert (round(limit.tpr, 6), limit.support) == (1, "computed")
    assert "1:10^15" in limit.reason
    assert rare_limit("scott_pi", TWO).support == "computed"


@pytest.mark.slow
def test_a_metric_below_chance_is_not_taken_for_the_one_above():
    """Its square has MCC's exchange rate, and falls with more hits below chance."""
    square = "(tp*tn - fp*fn)**2/((tp+fp)*P*N*(tn+fn))"
    assert rare_limit(square, TWO).support == "computed"


@pytest.mark.slow
def test_the_way_with_imbalance():
    frame = best_points("mcc", TWO, ["1:1", "1:1000", "1:1000000"])
    assert frame["level"].tolist() == ["1:1", "1:1000", "1:1000000"]
    assert frame["tpr"].tolist() == pytest.approx([0.8413, 0.1421, 0.0884], abs=5e-5)
    assert frame["jumps_at"].isna().all()


@pytest.mark.parametrize(
    ("key", "mean", "levels"),
    [
        ("mcc_f1", 1, ["1:89130", "1:94410"]),
        ("precision_recall_mean", 3, ["1:1000", "1:3000"]),
    ],
)
@pytest.mark.slow
def test_a_jump_is_where_two_maxima_are_equal(key, mean, levels):
    curve = BinormalCurve(mean)
    jump = best_points(key, curve, levels)["jumps_at"].iloc[1]
    low, high = (int(level.partition(":")[2]) for level in levels)
    assert low < jump < high
    point = best_point(key, curve, at=1 / (1 + jump))
    assert point.value == pytest.approx(point.others[0].value, abs=1e-8)
    assert abs(point.tpr - point.others[0].tpr) > 0.1


def test_bibeta_with_a_finite_first_slope():
    """u/v rises to 2 at the start, and (u - v)²/(v(1 - v)) is v(1 - v) on u = 2v - v²."""
    curve = BibetaCurve((2, 1), (1, 1))
    f1, mcc = rare_limit("f1", curve), rare_limit("mcc", curve)
    assert (f1.tpr, f1.support) == (0, "proved")
    assert (mcc.tpr, mcc.fpr) == (pytest.approx(0.75), pytest.approx(0.5))
