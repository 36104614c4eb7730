import itertools

import numpy as np
import pytest
from scipy import integrate, optimize, stats
from scipy.special import ndtr, ndtri, ndtri_exp

from skewproof.curves.areas import binormal
from skewproof.curves.areas.binormal import INTEGRALS, binormal_area

POPULATIONS = [(1, 1), (2, 1), (1.5, 2), (1, 0.5), (-1, 1.5), (0, 1)]
LEVELS = {"1:1": 1 / 2, "1:1000": 1 / 1001}


def fpr_at(tpr, mean, deviation):
    return ndtr(deviation * ndtri(tpr) - mean)


def precision(tpr, share, mean, deviation):
    return share * tpr / (share * tpr + (1 - share) * fpr_at(tpr, mean, deviation))


def over(function, low, high):
    """Integrate in pieces that are dense at both ends."""
    grid = low + (high - low) * np.array([0, 1e-8, 1e-5, 1e-3, 0.03, 0.5, 0.97, 0.999, 1 - 1e-6, 1])
    pieces = itertools.pairwise(grid)
    return sum(integrate.quad(function, *piece, epsabs=1e-13)[0] for piece in pieces)


@pytest.mark.slow
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("population", POPULATIONS)
def test_areas_are_integrals_over_recall(population, level):
    """Compare with the integrals of precision over recall, and of their gains."""
    share = LEVELS[level]
    mean, deviation = population
    options = {"mean": mean, "deviation": deviation}

    def at(prevalence):
        return over(lambda tpr: precision(tpr, prevalence, *population), 0, 1)

    def gain(number):
        return (number - share) / ((1 - share) * number)

    def slope(tpr):
        """Inverse of the recall gain."""
        return share / ((1 - share) * tpr**2)

    plain, odds = at(share), (1 - share) / share
    least = 1 - odds * np.log1p(1 / odds)
    expected = {
        "average_precision": plain,
        "interpolated_average_precision": plain,
        "normalized_average_precision": (plain - share) / (1 - share),
        "normalized_precision_recall_area": (plain - least) / (1 - least),
        "calibrated_average_precision": at(1 / 2),
        "balanced_average_precision": at(1 / 2),
        "precision_recall_gain_area": over(
            lambda tpr: gain(precision(tpr, share, *population)) * slope(tpr), share, 1
        ),
    }
    for kind, value in expected.items():
        assert binormal_area(kind, level, **options) == pytest.approx(value, abs=1e-8, rel=1e-8)
    calibrated = binormal_area("calibrated_average_precision", "1:1", at="1:1000", **options)
    assert calibrated == pytest.approx(at(1 / 1001), abs=1e-8)


@pytest.mark.parametrize(("mean", "deviation"), POPULATIONS)
def test_areas_under_the_roc_curve(mean, deviation):
    """The share of pairs in the right order, and sklearn's correction of the area to a rate."""
    options = {"mean": mean, "deviation": deviation}
    difference = stats.norm(mean, np.hypot(1, deviation))
    assert binormal_area("auc", "1:7", **options) == pytest.approx(difference.sf(0), abs=1e-14)
    assert binormal_area("partial_auc", "1:7", max_fpr=1, **options) == pytest.approx(
        difference.sf(0), abs=1e-13
    )

    def tpr(fpr):
        return ndtr((mean + ndtri(fpr)) / deviation)

    raw = integrate.quad(tpr, 0, 0.001)[0] + integrate.quad(tpr, 0.001, 0.1)[0]
    expected = 0.5 * (1 + (raw - 0.005) / (0.1 - 0.005))
    assert binormal_area("partial_auc", "1:7", **options) == pytest.approx(expected, abs=1e-8)


def test_the_roc_curve_up_to_a_rate_of_almost_nothing():
    """The mean of the TPR over the FPR there, by trapezoids; the correction is then (1 + it)/2."""
    options = {"mean": 2, "deviation": 2}
    for max_fpr in (1e-30, 1e-300):
        steps = np.linspace(0, 1, 20_001)[1:] ** 2
        logarithms = np.log(max_fpr) + np.log(steps)
        thresholds = -ndtri_exp(logarithms)
        height = integrate.trapezoid(np.append(0, ndtr((2 - thresholds) / 2)), np.append(0, steps))
        value = binormal_area("partial_auc", "1:1", max_fpr=max_fpr, **options)
        assert value == pytest.approx((1 + height) / 2, rel=1e-6)


def least_loss(cost, share, mean, deviation):
    """Find the best threshold on a grid, refined around it."""

    def loss(threshold):
        fpr, fnr = ndtr(-threshold), ndtr((threshold - mean) / deviation)
        return cost * (1 - share) * fpr + (1 - cost) * share * fnr

    grid = np.linspace(-12, 12, 400)
    best = grid[np.argmin(loss(grid))]
    near = optimize.minimize_scalar(loss, bounds=(best - 0.1, best + 0.1), method="bounded")
    return min(near.fun, cost * (1 - share), (1 - cost) * share)


@pytest.mark.slow
@pytest.mark.parametrize("costs", [(2, 2), "prior", (1, 5)])
@pytest.mark.parametrize(("population", "level"), [((1.5, 2), "1:1"), ((1, 0.5), "1:1000")])
def test_h_measure_by_its_definition(population, level, costs):
    share = LEVELS[level]
    shapes = (1 + share, 2 - share) if costs == "prior" else costs
    density = stats.beta(*shapes).pdf
    nodes, weights = np.polynomial.legendre.leggauss(120)
    loss = constant = 0.0
    for low, high in ((0, share), (share, 0.02 + share), (0.02 + share, 1)):
        for node, weight in zip(low + (high - low) * (nodes + 1) / 2, weights, strict=True):
            mass = weight * (high - low) / 2 * density(node)
            loss += mass * least_loss(node, share, *population)
            constant += mass * min(node * (1 - share), (1 - node) * share)
    mean, deviation = population
    value = binormal_area("h_measure", level, mean=mean, deviation=deviation, costs=costs)
    assert value == pytest.approx(1 - loss / constant, abs=2e-5)


def test_h_measure_of_scores_that_rank_no_better():
    assert binormal_area("h_measure", "1:10", mean=0) == 0
    assert binormal_area("h_measure", "1:10", mean=-2) == pytest.approx(0, abs=1e-12)
    assert 0 < binormal_area("h_measure", "1:10", mean=-0.5, deviation=3) < 1


@pytest.mark.slow
@pytest.mark.parametrize("kind", INTEGRALS)
def test_half_the_panels_width_changes_nothing(kind, monkeypatch):
    """Check also the ends of the accepted range, and values below 0."""
    cases = [
        (level, mean, deviation)
        for level in ("1:1", "1:1000", "1:1000000000", "1000:1")
        for mean, deviation in ((1, 1), (8, 1 / 30), (0, 30), (30, 30), (-30, 1), (-1, 1.5))
    ]

    def values():
        return [binormal_area(kind, level, mean=m, deviation=d) for level, m, d in cases]

    before = values()
    monkeypatch.setattr(binormal, "PANEL", binormal.PANEL / 2)
    np.testing.assert_allclose(values(), before, rtol=1e-10, atol=1e-10)


@pytest.mark.parametrize("kind", INTEGRALS)
def test_at_another_prevalence_it_is_another_population(kind):
    options = {"mean": 1.5, "deviation": 1.2}
    value = binormal_area(kind, "1:7", at="1:1000", **options)
    there = {"at": "population"} if kind == "calibrated_average_precision" else {}
    assert value == pytest.approx(binormal_area(kind, "1:1000", **there, **options), rel=1e-12)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"mean": 31}, "mean = 31: expected a number from -30 to 30"),
        ({"mean": 1, "deviation": 0}, "deviation = 0: expected a number from 0.0333333 to 30"),
        ({"mean": 1, "level": "2:2"}, "level = '2:2': expected lowest terms"),
        ({"mean": 1, "at": "2:2"}, "at = '2:2': expected lowest terms"),
        ({"mean": 1, "kind": max}, "kind = <built-in function max>: expected one of auc"),
        ({"mean": 1, "max_fpr": 0.1}, "max_fpr = 0.1: expected no option with auc"),
        ({"mean": 1, "max_fpr": 2, "kind": "partial_auc"}, "max_fpr = 2: expected a number above"),
    ],
)
def test_what_is_refused(options, message):
    with pytest.raises(ValueError, match=message):
        binormal_area(**{"kind": "auc", "level": "1:1"} | options)
