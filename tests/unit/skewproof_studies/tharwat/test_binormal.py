import mpmath
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, strategies as st
from scipy import integrate
from scipy.special import ndtr, ndtri

from skewproof.core.levels import Level
from skewproof.metrics.agreement import mcc
from skewproof.metrics.precision_recall import f1
from skewproof_studies.tharwat.binormal import (
    MCC_SUBRANGES,
    THRESHOLD_REACH,
    Binormal,
    population_curves,
)

separations = st.floats(0, 4)
prevalences = st.floats(1e-4, 1 - 1e-4)


@given(separation=separations)
def test_roc_area_is_the_integral_of_the_curve(separation):
    tolerance = 1e-8

    def curve(fpr):
        return ndtr(ndtri(fpr) + separation)

    area, _ = integrate.quad(curve, 0, 1, limit=200, epsabs=tolerance)
    model = Binormal(separation, 0.3)
    assert model.roc_area().value == pytest.approx(area, abs=tolerance)
    assert model.det_area().value == pytest.approx(1 - area, abs=tolerance)


@given(separation=separations, prevalence=prevalences)
def test_both_error_rates_are_the_equal_error_rate_between_the_means(separation, prevalence):
    model = Binormal(separation, prevalence)
    matrix = model.matrix(separation / 2)
    assert matrix.fpr == pytest.approx(model.equal_error_rate().value, rel=1e-9)
    assert matrix.fnr == pytest.approx(model.equal_error_rate().value, rel=1e-9)
    by_chance = Binormal(0, prevalence)
    assert by_chance.roc_area().value == by_chance.equal_error_rate().value == 0.5
    area = by_chance.pr_area()
    assert abs(area.value - prevalence) <= area.error + 1e-15


@pytest.mark.parametrize(("separation", "prevalence"), [(1.5, 0.5), (1.5, 0.001), (3, 0.01)])
@pytest.mark.slow
def test_pr_area_is_the_integral_over_recall_at_20_digits(separation, prevalence):
    with mpmath.workdps(20):
        share, apart = mpmath.mpf(prevalence), mpmath.mpf(separation)

        def precision(threshold):
            tp = share * mpmath.ncdf(apart - threshold)
            return tp / (tp + (1 - share) * mpmath.ncdf(-threshold))

        def by_recall(threshold):
            return precision(threshold) * mpmath.npdf(threshold, apart, 1)

        expected = mpmath.quad(by_recall, mpmath.linspace(apart - 12, apart + 12, 13))
    area = Binormal(separation, prevalence).pr_area()
    assert abs(area.value - float(expected)) <= area.error
    assert area.error < 1e-9


@pytest.mark.parametrize("prevalence", [0.5, 0.05])
@pytest.mark.slow
def test_mcc_f1_by_its_definition_on_a_dense_grid(prevalence):
    model, number = Binormal(1.5, prevalence), 300_001
    thresholds = np.linspace(1.5 + THRESHOLD_REACH, -THRESHOLD_REACH, number)
    matrix = model.matrix(thresholds)
    x, mass = (mcc(matrix) + 1) / 2, model.density(thresholds)
    distances = np.hypot(x - 1, f1(matrix) - 1)
    place = np.clip((x - 0.5) / (x.max() - 0.5) * MCC_SUBRANGES, 0, MCC_SUBRANGES - 1).astype(int)
    place += MCC_SUBRANGES * (np.arange(number) > x.argmax())
    means = np.bincount(place, mass * distances) / np.bincount(place, mass)
    # A point of the grid on the wrong side of an edge moves a mean by its part of the spread.
    grouped = pd.Series(distances).groupby(place)
    tolerance = float(((grouped.max() - grouped.min()) * 2 / grouped.count()).max())
    assert tolerance < 1e-4
    expected = 1 - means.mean() / np.sqrt(2)
    assert model.mcc_f1_area().value == pytest.approx(expected, abs=tolerance)


def test_curves_are_those_of_the_matrix():
    level = Level(1, 10)
    curves = population_curves(1.5, level, points=7)
    assert (np.diff(curves["threshold"]) < 0).all()
    # The DET curve of a binormal classifier is a straight line (its use of normal deviates).
    np.testing.assert_allclose(curves["far_deviate"] + curves["frr_deviate"], -1.5, atol=1e-9)
    share = 1 / 11
    precision = share * curves["tpr"] / (share * curves["tpr"] + (1 - share) * curves["fpr"])
    np.testing.assert_allclose(curves["precision"], precision, rtol=1e-12)
    other = population_curves(1.5, Level(1, 1000), points=7)
    same = ["fpr", "tpr", "far_deviate", "frr_deviate"]
    np.testing.assert_allclose(curves[same], other[same], rtol=1e-9)
    assert np.abs(curves["precision"] - other["precision"]).max() > 0.1
