import mpmath
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import integrate
from scipy.special import ndtr, ndtri

from skewproof.core.levels import Level
from skewproof.metrics.agreement import mcc
from skewproof.metrics.precision_recall import f1
from skewproof.studies.tharwat.binormal import (
    AREAS,
    REACH,
    SUBRANGES,
    Binormal,
    area_study,
    mcc_f1_of_scores,
    population_curves,
    sampled_areas,
)

LEVELS = [Level.parse(text) for text in ("1:1", "1:10", "1:1000", "7:3")]
separations = st.floats(0, 4)
prevalences = st.floats(1e-4, 1 - 1e-4)


@settings(deadline=None)
@given(separation=separations)
def test_roc_area_is_the_integral_of_the_curve(separation):
    tolerance = 1e-8

    def curve(fpr):
        return ndtr(ndtri(fpr) + separation)

    area, _ = integrate.quad(curve, 0, 1, limit=200, epsabs=tolerance)
    model = Binormal(separation, 0.3)
    assert model.roc_area().value == pytest.approx(area, abs=tolerance)
    assert model.det_area().value == pytest.approx(1 - area, abs=tolerance)


@settings(deadline=None)
@given(separation=separations, prevalence=prevalences)
def test_both_error_rates_are_the_equal_error_rate_between_the_means(separation, prevalence):
    model = Binormal(separation, prevalence)
    matrix = model.matrix(separation / 2)
    assert matrix.fpr == pytest.approx(model.equal_error_rate().value, rel=1e-9)
    assert matrix.fnr == pytest.approx(model.equal_error_rate().value, rel=1e-9)


@pytest.mark.parametrize(("separation", "prevalence"), [(1.5, 0.5), (1.5, 0.001), (3, 0.01)])
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


@settings(deadline=None)
@given(prevalence=prevalences)
def test_chance(prevalence):
    model = Binormal(0, prevalence)
    assert model.roc_area().value == 0.5
    assert model.equal_error_rate().value == 0.5
    area = model.pr_area()
    assert abs(area.value - prevalence) <= area.error + 1e-15


@pytest.mark.parametrize("prevalence", [0.5, 0.05])
def test_mcc_f1_by_its_definition_on_a_dense_grid(prevalence):
    model, number = Binormal(1.5, prevalence), 1_000_001
    thresholds = np.linspace(1.5 + REACH, -REACH, number)
    matrix = model.matrix(thresholds)
    x, mass = mcc(matrix), model.density(thresholds)
    distances = np.hypot(x - 1, f1(matrix) - 1)
    place = np.clip((x - 0.5) / (x.max() - 0.5) * SUBRANGES, 0, SUBRANGES - 1).astype(int)
    place += SUBRANGES * (np.arange(number) > x.argmax())
    means = np.bincount(place, mass * distances) / np.bincount(place, mass)
    # A point of the grid on the wrong side of an edge moves a mean by its part of the spread.
    grouped = pd.Series(distances).groupby(place)
    tolerance = float(((grouped.max() - grouped.min()) * 2 / grouped.count()).max())
    assert tolerance < 1e-4
    expected = 1 - means.mean() / np.sqrt(2)
    assert model.mcc_f1_area().value == pytest.approx(expected, abs=tolerance)


def test_the_mcc_f1_of_samples_tends_to_that_of_the_population():
    exact = Binormal(1.5, 0.5).mcc_f1_area().value
    random, gaps = np.random.default_rng(0), []
    for size in (100, 3000, 100_000):
        true = np.repeat([1, 0], size)
        scores = random.standard_normal(true.size) + 1.5 * true
        gaps.append(abs(mcc_f1_of_scores(true, scores) - exact))
    assert gaps[0] > 3 * gaps[1] > 9 * gaps[2]


@settings(max_examples=20, deadline=None)
@given(separation=st.floats(0.5, 3), prevalence=st.floats(0.001, 0.9))
def test_areas_lie_between_0_and_1_and_a_better_classifier_has_better_ones(separation, prevalence):
    worse, better = Binormal(separation, prevalence), Binormal(separation + 0.5, prevalence)
    for name, (population, _) in AREAS.items():
        first, second = population(worse).value, population(better).value
        assert 0 <= first <= 1
        assert second < first if name in ("det", "equal_error_rate") else second > first


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


@pytest.fixture(scope="module")
def study():
    return area_study(1.5, LEVELS, LEVELS[0], positives=50, replicates=20, seed=1)


def test_which_areas_move(study):
    moving = study[study["level"] != "1:1"].groupby("area")["moves"]
    still = {"roc", "det", "equal_error_rate"}
    assert set(moving.any()[moving.any()].index) == set(AREAS) - still
    assert moving.all().sum() == len(AREAS) - len(still)
    assert (study.loc[study["level"] == "1:1", ["shift", "sampled_shift"]] == 0).all().all()


def test_samples_of_unbiased_areas_are_where_they_should_be(study):
    """AUC is unbiased: 4 standard errors, with 20 samples, are left once in a thousand times."""
    rows = study[study["area"].isin(["roc", "det"])]
    apart = (rows["sampled"] - rows["exact"]).abs()
    assert (apart < 4 * rows["standard_error"]).all()


def test_a_level_has_its_own_seed():
    options = {"positives": 20, "replicates": 3}
    once, again = (sampled_areas(1.5, LEVELS[1], seed=1, **options) for _ in range(2))
    pd.testing.assert_frame_equal(once, again)
    assert not once.equals(sampled_areas(1.5, LEVELS[1], seed=2, **options))


@pytest.mark.parametrize(
    ("separation", "prevalence", "message"),
    [
        (-1, 0.5, "separation = -1: expected a finite number >= 0"),
        (float("nan"), 0.5, "separation = nan: expected"),
        (1, 0, "prevalence = 0: expected a number between 0 and 1"),
        (1, float("nan"), "prevalence = nan: expected"),
    ],
)
def test_bad_parameters_are_refused(separation, prevalence, message):
    with pytest.raises(ValueError, match=message):
        Binormal(separation, prevalence)
