from dataclasses import replace
from functools import partial

import mpmath
import numpy as np
import pytest
import sympy
from scipy.optimize import brentq
from scipy.special import ndtr
from whole_html import texts_of

from skewproof import ConfusionMatrix
from skewproof.metrics import METRICS, get_metric, parse_metric
from skewproof.operating_points import (
    BibetaCurve,
    BinormalCurve,
    EmpiricalCurve,
    PowerLawCurve,
    best_point,
    best_points,
    rare_limit,
)

TWO = BinormalCurve(2)
UPRIGHT = [1, 1, 0, 1, 0, 0], [0.9, 0.8, 0.7, 0.6, 0.5, 0.4]
SLANTED = [0, 1, 1, 0, 0, 1, 0, 0], [8, 7, 6, 5, 4, 3, 2, 1]
FINITE = BibetaCurve((2, 1), (1, 1))
"""A curve where u/v rises to 2 at the start, and (u - v)²/(v(1 - v)) is v(1 - v) on u = 2v - v²."""

LIMITS = [
    *((key, TWO, 0, 0) for key in ("f1", "f2", "gilbert_ratio", "cohen_kappa", "accuracy")),
    *((key, TWO, 0, 0) for key in ("laplace", "adjusted_g_mean", "markedness")),
    *((key, TWO, 0, 0) for key in ("scott_pi", "adjusted_f", "p4", "class_balance_accuracy")),
    *((key, TWO, 1, 1) for key in ("hmnc", "precision_recall_mean")),
    *(("f1", curve, 0, 0) for curve in (BinormalCurve(1, 1 / 0.7), PowerLawCurve(0.7), FINITE)),
    # Where a is 1/2, u²/v is 1, but (u - v)²/(v(1 - v)) rises to the start.
    *(("mcc", curve, 0, 0) for curve in (PowerLawCurve(0.4), PowerLawCurve(0.5))),
    ("mcc", BinormalCurve(2, 1 / 0.69), 0, 0),
    ("mcc", FINITE, 0.75, 0.5),
    ("fowlkes_mallows", PowerLawCurve(0.4), 0, 0),
    ("fowlkes_mallows", PowerLawCurve(0.7), 1, 1),
    ("optimized_precision", TWO, ndtr(1), ndtr(-1)),
    # A curve that starts upright keeps its first hits.
    *(
        (key, EmpiricalCurve(*UPRIGHT), 2 / 3, 0)
        for key in ("f1", "mcc", "accuracy", "cohen_kappa", "fowlkes_mallows")
    ),
    ("f1", EmpiricalCurve(*UPRIGHT, hull=True), 2 / 3, 0),
    # The end of the first segment of the hull.
    ("f1", EmpiricalCurve(*SLANTED, hull=True), 2 / 3, 0.2),
    ("accuracy", EmpiricalCurve(*SLANTED), 0, 0),
]


@pytest.mark.parametrize(("key", "curve", "tpr", "fpr"), LIMITS)
@pytest.mark.slow
def test_best_points_approach_the_limit(key, curve, tpr, fpr):
    limit = rare_limit(key, curve)
    assert (limit.tpr, limit.fpr) == (pytest.approx(tpr), pytest.approx(fpr))
    assert limit.support == "proved"
    points = [best_point(key, curve, at=share, total=100 / share) for share in (1e-3, 1e-6, 1e-12)]
    distances = [abs(point.tpr - tpr) + abs(point.fpr - fpr) for point in points]
    assert distances == sorted(distances, reverse=True)
    assert distances[-1] < 0.01


@pytest.mark.parametrize(
    "curve",
    [*(BinormalCurve(2, 1 / b) for b in (1, 0.76, 1.4)), BinormalCurve(3, 0.8), PowerLawCurve(0.7)],
)
@pytest.mark.slow
def test_limits_of_mcc_that_do_not_vanish(curve):
    """The slope of the curve at the limit is (u/v + (1 - u)/(1 - v))/2."""
    limit = rare_limit("mcc", curve)
    u, v = limit.tpr, limit.fpr
    positions = curve.positions
    position = brentq(
        lambda position: curve.log_rates(position).fpr - np.log(v), positions[0], positions[-1]
    )
    slope = np.exp(curve.log_slope(position))
    assert slope == pytest.approx((u / v + (1 - u) / (1 - v)) / 2, rel=1e-6)
    assert limit.support == "proved"
    assert 0 < u < 1


@pytest.mark.slow
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


@pytest.mark.slow
def test_a_measure_whose_limit_tells_no_points_apart_is_computed():
    """u²/v is 1 on the whole curve; values at any finite ratio rise to the end."""
    limit = rare_limit("fowlkes_mallows", PowerLawCurve(0.5))
    assert (limit.tpr, limit.support) == (1, "computed")


@pytest.mark.slow
def test_f1_ends_inside_where_the_first_slope_is_0():
    limit = rare_limit("f1", BinormalCurve(2, 0.5))
    thresholds = np.linspace(1, 6, 500_001)
    u, v = ndtr((2 - thresholds) / 0.5), ndtr(-thresholds)
    assert limit.tpr == pytest.approx(u[np.argmax(u / v)], rel=1e-4)
    assert best_point("f1", BinormalCurve(2, 0.5), at="1:1000000000").tpr == pytest.approx(
        limit.tpr, rel=1e-4
    )


def mean_of_precision_and_recall(u, v, not_u, not_v, r):
    return (u / (u + r * v) + u) / 2


def mcc_f1(u, v, not_u, not_v, r):
    called, spared = u + r * v, not_u + r * not_v
    mcc = r * (u * not_v - v * not_u) / mpmath.sqrt(r * called * spared)
    f1 = 2 * u / (u + 1 + r * v)
    return 1 - mpmath.sqrt(((1 - f1) ** 2 + ((1 - mcc) / 2) ** 2) / 2)


def p4(u, v, not_u, not_v, r):
    return 4 / (1 + r * v / u + 1 / u + 1 / not_v + 1 + not_u / (r * not_v))


def class_balance_accuracy(u, v, not_u, not_v, r):
    return (u / max(1, u + r * v) + r * not_v / max(r, r * not_v + not_u)) / 2


@pytest.mark.parametrize(
    ("key", "function", "end"),
    [
        ("p4", p4, 0),
        ("class_balance_accuracy", class_balance_accuracy, 0),
        ("precision_recall_mean", mean_of_precision_and_recall, 1),
        ("mcc_f1", mcc_f1, 0),
    ],
)
@pytest.mark.slow
def test_limits_on_a_curve_where_the_ratio_of_squares_has_no_bound(key, function, end):
    """Compare with the highest of 561 values with 60 digits: u is near its limit at 1:10^16, and
    nearer than at 1:10^6, where the mean of precision and recall still calls next to nothing."""
    limit = rare_limit(key, BinormalCurve(2, 1.5))
    assert (limit.tpr, limit.fpr, limit.support) == (end, end, "proved")
    with mpmath.workdps(60):
        apart = []
        for r in (mpmath.mpf(10) ** 6, mpmath.mpf(10) ** 16):
            points = [
                tuple(map(mpmath.ncdf, ((2 - t) / 1.5, -t, (t - 2) / 1.5, t)))
                for t in (mpmath.mpf(step) / 20 for step in range(-280, 281))
            ]
            best = max(points, key=lambda point, r=r: function(*point, r))
            apart.append(abs(best[0] - end))
    assert apart[1] < 1e-4
    assert apart[1] < apart[0]


@pytest.mark.parametrize("a", [0.4, 0.35])
@pytest.mark.slow
def test_everything_is_called_where_the_ratio_of_cubes_vanishes(a):
    """With u = v^a, u³/v vanishes if a > 1/3: no point with u <= 1/2 has a mean above (1 + π)/2."""
    limit = rare_limit("precision_recall_root_mean", PowerLawCurve(a))
    assert (limit.tpr, limit.fpr, limit.support) == (1, 1, "proved")
    with mpmath.workdps(60):
        r, exponent = mpmath.mpf(10) ** 60, 1 / mpmath.mpf(a)
        rates = [mpmath.mpf(10) ** (-mpmath.mpf(step) / 5) / 2 for step in range(3000)]
        highest = max((u / (u + r * u**exponent) + u) / 2 for u in rates)
        assert highest < (1 + 1 / (1 + r)) / 2


def test_the_bound_of_class_balance_accuracy():
    v, u = np.random.default_rng(5).uniform(0.01, 1, (2, 5000))
    r, measure = 1e4, get_metric("class_balance_accuracy")
    values = measure(ConfusionMatrix.from_rates(u, v, positives=1, negatives=r))
    assert (values <= (1 - v + 1 / (r * v)) / 2 + 1e-15).all()
    nothing = measure(ConfusionMatrix(tp=0, fp=0, fn=1, tn=r))
    assert float(nothing) == pytest.approx(r / (r + 1) / 2)


@pytest.mark.slow
def test_what_the_proofs_state_of_formulas():
    u, v, r, positives = sympy.symbols("u v r P", positive=True)
    negatives = r * positives
    cells = ConfusionMatrix(
        tp=positives * u, fp=negatives * v, fn=positives * (1 - u), tn=negatives * (1 - v)
    )
    limit = {
        key: sympy.limit(sympy.cancel(METRICS[key](cells)), r, sympy.oo)
        for key in ("scott_pi", "laplace", "markedness", "accuracy", "precision_recall_mean")
    }
    assert sympy.simplify(limit["scott_pi"] + v / (2 - v)) == 0
    assert (limit["laplace"], limit["markedness"]) == (0, 0)
    assert sympy.expand(limit["accuracy"] - (1 - v)) == 0
    assert limit["precision_recall_mean"] == u / 2
    assert sympy.simplify(METRICS["accuracy"](cells) - (1 - v) - (u + v - 1) / (1 + r)) == 0
    hits = 1 / u + 1 / (r * (1 - v))
    assert sympy.simplify(METRICS["hmnc"](cells) * hits * r / (1 + r)) == 1
    inverse = 2 + r * v / u + 1 / u + 1 / (1 - v) + (1 - u) / (r * (1 - v))
    assert sympy.simplify(get_metric("p4")(cells) * inverse) == 4
    square = sympy.cancel(METRICS["adjusted_f"](cells) ** 2)
    f2_limit, g = 5 * u / v, 5 * (1 - v) / (5 - 4 * v)
    assert sympy.simplify(sympy.limit(r * square, r, sympy.oo) - f2_limit * g) == 0
    nothing = ConfusionMatrix(tp=sympy.S.Zero, fp=sympy.S.Zero, fn=positives, tn=negatives)
    assert sympy.limit(METRICS["scott_pi"](nothing), r, sympy.oo) == 0
    assert sympy.simplify(METRICS["laplace"](nothing)) == sympy.Rational(1, 2)
    # The false omission rate is below the prevalence by at most u/(1 + r).
    omitted = METRICS["false_omission_rate"](cells)
    room = u / (1 + r) - (1 / (1 + r) - omitted)
    a, b = sympy.symbols("a b", positive=True)
    shares = {u: 1 / (1 + a), v: 1 / (1 + b)}
    assert sympy.factor(room.subs(shares)).is_positive


@pytest.mark.slow
def test_a_supremum_that_is_not_attained():
    point, limit = best_point("markedness", TWO, at=1e-6), rare_limit("markedness", TWO)
    assert (point.kind, point.value) == ("supremum", pytest.approx(1 - 1e-6, abs=1e-12))
    assert "not attained" in limit.reason
    steep = rare_limit("markedness", BinormalCurve(2, 1.6))
    assert (steep.tpr, steep.support) == (0, "proved")
    assert "not attained" not in steep.reason
    assert "supremum" in rare_limit("precision", TWO).reason
    assert "supremum" not in rare_limit("youden_j", TWO).reason


@pytest.mark.parametrize(
    ("key", "curve"),
    [
        ("precision_recall_mean", PowerLawCurve(0.3)),
        ("mcc_f1", PowerLawCurve(0.5)),
        ("markedness", BibetaCurve((2, 1), (1, 1))),
        ("scott_pi", EmpiricalCurve(*SLANTED)),
        ("adjusted_f", BibetaCurve((2, 1), (1, 1))),
        ("(tp/P + tp/(tp + fp))/2", TWO),
    ],
)
@pytest.mark.slow
def test_what_is_not_proved_says_so(key, curve):
    """A condition of a theorem fails, or the metric is not a registered one."""
    limit = rare_limit(key, curve)
    assert limit.support == "computed"
    assert "1:10^15" in limit.reason


@pytest.mark.slow
def test_the_mean_of_precision_and_recall_may_call_nothing():
    """u²/v is unbounded on TPR = FPR^(1/4): near the start the mean passes that of all called."""
    point = best_point("precision_recall_mean", PowerLawCurve(0.25), at=1e-9)
    fpr = 1e-9**2.2
    value = (fpr**0.25 / (fpr**0.25 + 1e9 * fpr) + fpr**0.25) / 2
    assert point.value >= value > (1 + 1e-9) / 2
    assert point.tpr < 0.1


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


def test_a_limit_shows_its_reason():
    limit = rare_limit("f1", BinormalCurve(2))
    assert "TPR 0 and FPR 0, proved." in repr(limit)
    assert "Reason: u/v has no bound near the start of the curve" in repr(limit)
    assert limit.reason in texts_of(limit._repr_html_())
    nowhere = replace(limit, tpr=np.nan, fpr=np.nan, support="computed")
    assert "No point is best." in repr(nowhere)


@pytest.mark.parametrize(
    ("formula", "direction", "support"),
    [
        ("tp*fp", "higher", "computed"),
        ("tp*fp", "lower", "computed"),
        ("tp + tn", "lower", "computed"),
        ("tp + tn", "higher", "proved"),
        ("fp", "lower", "proved"),
        ("fn + 10*fp", "lower", "proved"),
    ],
)
def test_limits_are_proved_only_where_hits_are_rewarded_and_alarms_are_not(
    formula, direction, support
):
    metric = replace(parse_metric(formula), direction=direction)
    assert rare_limit(metric, TWO).support == support


def rate_above(threshold, mean):
    return mpmath.ncdf(mean - threshold)


def slope_of_robust_mcc(d, u, v):
    return 1 + (u - v) * (1 - 2 * v) / (2 * (d + v * (1 - v)))


@pytest.mark.parametrize(
    ("text", "slope", "tpr", "fpr"),
    [
        ("robust_f(d0=0.01)", lambda u, v: u / (0.01 + v), 0.3179, 0.00669),
        ("robust_f(d0=0.05)", lambda u, v: u / (0.05 + v), 0.5142, 0.02475),
        ("robust_f", lambda u, v: u / (0.1 + v), 0.6078, 0.04213),
        ("robust_f(d0=1, beta=3)", lambda u, v: u / (1 + v), 0.8764, 0.19961),
        ("robust_mcc(d=0.01)", partial(slope_of_robust_mcc, 0.01), 0.4704, 0.01902),
        ("robust_mcc(d=0.05)", partial(slope_of_robust_mcc, 0.05), 0.6329, 0.04840),
        ("robust_mcc(d=0.1)", partial(slope_of_robust_mcc, 0.1), 0.6957, 0.06837),
        ("robust_mcc(d=0.5)", partial(slope_of_robust_mcc, 0.5), 0.7948, 0.11963),
        ("general_robust_f(c=0.5)", lambda u, v: (u + 0.5) / (0.1 + v), None, None),
    ],
)
@pytest.mark.slow
def test_robust_measures_end_where_the_slope_of_the_curve_is_that_of_their_limit(
    text, slope, tpr, fpr
):
    """The curve of N(2, 1) against N(0, 1) has the slope exp(2t - 2) at the threshold t."""

    def excess(t):
        return float(mpmath.exp(2 * t - 2) - slope(rate_above(t, 2), rate_above(t, 0)))

    threshold = brentq(excess, 0, 6, xtol=1e-14)
    u, v = float(rate_above(threshold, 2)), float(rate_above(threshold, 0))
    limit = rare_limit(text, TWO)
    assert (limit.tpr, limit.fpr) == pytest.approx((u, v), abs=1e-9)
    assert limit.support == "proved"
    if tpr is not None:
        assert (round(u, 4), round(v, 5)) == (tpr, fpr)
    near = best_point(text, TWO, at="1:10000000")
    assert (near.tpr, near.fpr) == pytest.approx((u, v), abs=1e-4)


def test_robust_measures_tend_to_their_limits_uniformly():
    """The differences are those on the whole square at 1:10^8."""
    u, v = np.meshgrid(*[np.r_[0, np.geomspace(1e-9, 1, 200)]] * 2)
    matrix = ConfusionMatrix.from_rates(u, v, positives=1, negatives=1e8)
    for text, limit in (
        ("robust_f(d0=0.05)", 0.05 * u / (0.05 + v)),
        ("general_robust_f(c=2)", 0.1 * (u + 2) / (3 * (0.1 + v))),
        ("robust_mcc(d=0.05)", (u - v) * np.sqrt(0.05 / (0.05 + v * (1 - v)))),
    ):
        assert np.abs(get_metric(text)(matrix) - limit).max() < 1e-6


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
