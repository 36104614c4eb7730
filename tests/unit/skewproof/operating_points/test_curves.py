import mpmath
import numpy as np
import pytest
from scipy import stats

from skewproof.operating_points import BibetaCurve, BinormalCurve, EmpiricalCurve, PowerLawCurve

POSITIONS = np.array([-2.0, -0.3, 0.0, 1.1, 4.0])


@pytest.mark.parametrize(
    ("curve", "positives", "negatives"),
    [
        (BinormalCurve(1.5, 0.7), stats.norm(1.5, 0.7), stats.norm()),
        (PowerLawCurve(0.4), stats.expon(scale=1 / 0.4), stats.expon()),
        (BibetaCurve(positives=(3, 1.5), negatives=(1, 4)), stats.beta(3, 1.5), stats.beta(1, 4)),
    ],
)
def test_rates_are_those_of_the_scores_of_the_classes(curve, positives, negatives):
    u, not_u, v, not_v = np.exp(curve.log_rates(POSITIONS))
    scores = np.array([curve.threshold(position) for position in POSITIONS])
    assert u == pytest.approx(positives.sf(scores), rel=1e-12)
    assert not_u == pytest.approx(positives.cdf(scores), rel=1e-12)
    assert v == pytest.approx(negatives.sf(scores), rel=1e-12)
    assert not_v == pytest.approx(negatives.cdf(scores), rel=1e-12)


@pytest.mark.parametrize(
    "curve",
    [
        BinormalCurve(2),
        BinormalCurve(2, 1 / 0.7),
        BinormalCurve(-1, 0.5),
        PowerLawCurve(0.3),
        BibetaCurve((3, 1.5), (1, 4)),
    ],
)
def test_slopes_are_those_of_the_rates(curve):
    step = 1e-6
    above, below = (np.exp(curve.log_rates(POSITIONS + side * step)) for side in (1, -1))
    slope = (above[0] - below[0]) / (above[2] - below[2])
    assert np.exp(curve.log_slope(POSITIONS)) == pytest.approx(slope, rel=1e-6)


def test_rates_near_a_corner_keep_their_digits():
    with mpmath.workdps(40):
        exact = mpmath.log(mpmath.erfc(30 / mpmath.sqrt(2)) / 2)
    assert float(BinormalCurve(2).log_rates(30.0).fpr) == pytest.approx(float(exact), rel=1e-14)


@pytest.mark.parametrize(
    ("curve", "limits"),
    [
        (BinormalCurve(2), (np.inf, -np.inf)),
        (BinormalCurve(2, 1 / 0.7), (np.inf, np.inf)),
        (BinormalCurve(2, 1 / 0.75), (np.inf, -np.inf)),
        (BinormalCurve(2, 0.5), (-np.inf, -np.inf)),
        (BinormalCurve(0), (0.0, -np.inf)),
        (PowerLawCurve(0.5), (np.inf, 0.0)),
        (PowerLawCurve(0.4), (np.inf, np.inf)),
        (PowerLawCurve(1), (0.0, -np.inf)),
        # (1 - t²)²/(1 - t)² at t = 1
        (BibetaCurve((2, 1), (1, 2)), (np.inf, np.log(4))),
        (BibetaCurve((2, 1), (1, 1)), (np.log(2), -np.inf)),
    ],
)
def test_limits_at_the_start(curve, limits):
    assert [curve.log_at_origin(power) for power in (1, 2)] == pytest.approx(list(limits))


def test_curves_of_scores():
    labels, scores = [1, 1, 0, 1, 0, 0], [0.9, 0.8, 0.7, 0.6, 0.5, 0.4]
    curve = EmpiricalCurve(labels, scores)
    assert curve.thresholds.tolist() == [np.inf, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4]
    assert curve.counts.tp.tolist() == [0, 1, 2, 2, 3, 3, 3]
    hull = EmpiricalCurve(labels, scores, hull=True)
    assert hull.counts.tp.tolist() == [0, 2, 3, 3]
    assert hull.counts.fp.tolist() == [0, 0, 1, 3]
    assert hull.thresholds.tolist() == [np.inf, 0.8, 0.6, 0.4]
    assert repr(curve) == "EmpiricalCurve(3 positives, 3 negatives)"
    assert "convex hull" in repr(hull)


@pytest.mark.parametrize(
    ("make", "named"),
    [
        (lambda: BinormalCurve(31), "mean = 31"),
        (lambda: BibetaCurve((1, 0), (1, 1)), "positives"),
        (lambda: EmpiricalCurve([1, 1], [1, 2]), "both classes"),
    ],
)
def test_what_curves_refuse(make, named):
    with pytest.raises(ValueError, match=named):
        make()
