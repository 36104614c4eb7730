"""Sample sizes for statistics of scores."""

import re
from math import ceil, exp

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.special import expit, logit, ndtri
from scipy.stats import norm, rankdata
from sklearn.linear_model import LogisticRegression

from skewproof import area_interval, decision_curve, probability_scores
from skewproof.planning import plan_scores

ONE = {"auc": 0.8, "at": 0.1}
TWO = {"auc": (0.75, 0.8), "at": 0.1, "correlation": 0.8}


def study(random, rows, areas=(0.8,), prevalence=0.1, correlation=0.0):
    """Draw labels and the probabilities of calibrated models with binormal scores."""
    positive = random.random(rows) < prevalence
    common = random.normal(size=rows)
    probabilities = []
    for area in areas:
        own = random.normal(size=rows)
        normal = np.sqrt(correlation) * common + np.sqrt(1 - correlation) * own
        scores = normal + np.sqrt(2) * norm.ppf(area) * positive
        ratio = norm.pdf(scores, np.sqrt(2) * norm.ppf(area)) / norm.pdf(scores)
        odds = prevalence / (1 - prevalence) * ratio
        probabilities.append(odds / (1 + odds))
    return positive, probabilities


def auc(positive, scores):
    ranks = rankdata(scores)[positive]
    return (ranks.mean() - (ranks.size + 1) / 2) / (positive.size - ranks.size)


def brier(positive, probabilities):
    return np.mean((probabilities - positive) ** 2)


def net_benefit(positive, probabilities):
    called = probabilities >= 0.2
    return np.mean(called & positive) - np.mean(called & ~positive) / 4


VALUES = {"auc": auc, "brier": brier, "net_benefit": net_benefit}


def threshold(what):
    return {"threshold": 0.2} if what == "net_benefit" else {}


def pmvalsampsize_slope(log_odds, width=0.2):
    """Compute the size for the calibration slope as pmvalsampsize 0.1.0 does from draws."""
    weights = np.exp(log_odds) / (1 + np.exp(log_odds)) ** 2
    known = [np.mean(weights * log_odds**power) for power in range(3)]
    error = width / (2 * 1.96)
    return ceil(known[0] / (error**2 * (known[0] * known[2] - known[1] ** 2)))


@pytest.mark.slow
def test_the_documented_calibration_slopes_of_pmvalsampsize_are_draws_around_the_sizes():
    """The help of pmvalsampsize has 4,501 and, for the AUC of 0.8, 16,175."""
    random = np.random.default_rng(0)
    exact = plan_scores("calibration_slope", linear_predictor=(-5, 2.5), width=0.2).total
    drawn = [pmvalsampsize_slope(random.normal(-5, 2.5, 1000)) for _ in range(400)]
    low, high = np.quantile(drawn, [0.05, 0.95])
    assert low < 4501 < high
    assert low < exact < high
    assert exact == 4554
    assert abs(exact / 4501 - 1) < 0.012  # as docs/guide/planning.md says
    assert abs(exact / pmvalsampsize_slope(random.normal(-5, 2.5, 10**6)) - 1) < 0.01
    distance = 2 * ndtri(0.8) ** 2
    drawn = []
    for _ in range(400):
        means = np.where(random.random(10_000) < 0.018, -4.7 + distance, -4.7)
        drawn.append(pmvalsampsize_slope(random.normal(means, np.sqrt(distance))))
    low, high = np.quantile(drawn, [0.05, 0.95])
    exact = plan_scores("calibration_slope", auc=0.8, at=0.018, width=0.2).total
    assert low < 16_175 < high
    assert low < exact < high


def test_the_observed_to_expected_ratio_has_the_size_of_pmvalsampsize_at_its_standard_error():
    """pmvalsampsize raises the standard error by 0.0001 until the interval is at least as wide."""
    error = next(
        step
        for step in np.arange(1, 9999) * 1e-4
        if np.ptp(np.exp([1.96 * step, -1.96 * step])) >= 1
    )
    assert ceil(0.982 / (0.018 * error**2)) == 905
    exact = plan_scores("observed_to_expected", at=0.018, width=1)
    assert exact.total == 906
    se = np.sqrt(0.982 / (0.018 * exact.total))
    assert exact.width == pytest.approx(exp(ndtri(0.975) * se) - exp(-ndtri(0.975) * se))


def test_the_auc_is_near_the_size_of_newcombe_in_pmvalsampsize():
    """Newcombe (2006) assumes exponential scores and classes of the same size in the fractions."""

    def width(size, area=0.8, prevalence=0.018):
        half = size / 2 - 1
        fractions = half * (1 - area) / (2 - area) + half * area / (1 + area)
        variance = area * (1 - area) * (1 + fractions) / (size**2 * prevalence * (1 - prevalence))
        return 2 * 1.96 * np.sqrt(variance)

    newcombe = next(size for size in range(2, 10**4) if width(size) <= 0.1)
    assert newcombe == 4252
    size = plan_scores("auc", auc=0.8, at=0.018, width=0.1).total
    assert size == 4230  # as docs/guide/planning.md says
    assert abs(size / newcombe - 1) < 0.02


@pytest.mark.parametrize("what", VALUES)
@pytest.mark.slow
def test_values_and_widths_are_those_of_simulated_studies(what):
    random = np.random.default_rng(1)
    one = plan_scores(what, **ONE, **threshold(what), total=2000)
    two = plan_scores(what, **TWO, **threshold(what), total=2000)
    values, differences = [], []
    for _ in range(400):
        positive, (first, second) = study(random, 2000, TWO["auc"], correlation=0.8)
        before, after = VALUES[what](positive, first), VALUES[what](positive, second)
        values.append(after)
        differences.append(after - before)
    for plan, drawn in ((one, values), (two, differences)):
        error = np.std(drawn, ddof=1)
        assert abs(np.mean(drawn) - plan.value) < 4 * error / 20
        assert abs(plan.width / (2 * ndtri(0.975) * error) - 1) < 4 / np.sqrt(800)
    powered = np.mean(np.abs(differences) > two.width / 2)
    assert abs(powered - two.power) < 4 * np.sqrt(0.25 / 400)


@pytest.mark.slow
def test_the_power_is_that_of_the_given_size_and_the_width_that_of_the_found_one():
    for what in VALUES:
        found = plan_scores(what, **TWO, **threshold(what), power=0.8)
        fewer = plan_scores(what, **TWO, **threshold(what), total=found.total - 1)
        assert found.power >= 0.8 > fewer.power
        narrow = plan_scores(what, **ONE, **threshold(what), width=0.05)
        wider = plan_scores(what, **ONE, **threshold(what), total=narrow.total - 1)
        assert narrow.width <= 0.05 < wider.width


def test_log_odds_of_the_population_agree_with_those_of_the_classes():
    """The mixture of both classes is nearly normal if the AUC is near 1/2."""
    area, prevalence = 0.55, 0.3
    variance = 2 * ndtri(area) ** 2
    mean = logit(prevalence) + (2 * prevalence - 1) * variance / 2
    deviation = np.sqrt(variance + prevalence * (1 - prevalence) * variance**2)
    for what in ("auc", "brier", "net_benefit", "calibration_slope", "calibration_intercept"):
        size = {"total": 1000, **threshold(what)}
        of_classes = plan_scores(what, auc=area, at=prevalence, **size)
        of_all = plan_scores(what, linear_predictor=(mean, deviation), **size)
        assert of_all.width == pytest.approx(of_classes.width, rel=0.01)
        assert of_all.value == pytest.approx(of_classes.value, abs=0.005)


@pytest.mark.slow
def test_the_calibration_is_that_of_fitted_logistic_regressions():
    random = np.random.default_rng(2)
    slope, intercept = (
        plan_scores(what, auc=0.8, at=0.3, total=1000)
        for what in ("calibration_slope", "calibration_intercept")
    )
    slopes, shifts = [], []
    for _ in range(200):
        positive, (probabilities,) = study(random, 1000, prevalence=0.3)
        odds = logit(probabilities)
        fitted = LogisticRegression(C=np.inf).fit(odds[:, np.newaxis], positive)
        slopes.append(fitted.coef_.item())

        def excess(shift, odds=odds, positive=positive):
            return np.sum(expit(shift + odds) - positive)

        shifts.append(brentq(excess, -3, 3))
    for plan, drawn in ((slope, slopes), (intercept, shifts)):
        assert abs(plan.width / (2 * ndtri(0.975) * np.std(drawn, ddof=1)) - 1) < 4 / np.sqrt(400)


@pytest.mark.slow
def test_planned_widths_are_those_of_the_intervals_that_the_plan_names():
    """The bootstrap of the slope is wider than its asymptotic variance, by less than a sixth."""
    random = np.random.default_rng(3)
    whats = (*VALUES, "calibration_slope", "calibration_intercept")
    plans = {what: plan_scores(what, **ONE, **threshold(what), total=2000) for what in whats}
    widths = {what: [] for what in whats}
    for _ in range(12):
        positive, (probabilities,) = study(random, 2000)
        found = area_interval("auc", positive, probabilities)
        widths["auc"].append(found.high - found.low)
        curve = decision_curve(positive, probabilities, thresholds=[0.2]).iloc[0]
        widths["net_benefit"].append(curve["net_benefit_high"] - curve["net_benefit_low"])
        keys = ["brier", "calibration_slope", "calibration_intercept"]
        scores = probability_scores(positive, probabilities, scores=keys)
        for key, row in zip(keys, scores.itertuples(), strict=True):
            widths[key].append(row.high - row.low)
    for what, drawn in widths.items():
        ratio = np.mean(drawn) / plans[what].width
        assert 0.94 < ratio < (1.16 if what == "calibration_slope" else 1.06)


@pytest.mark.parametrize(
    ("what", "wrong", "message"),
    [
        ("f1", {}, "what = 'f1': expected"),
        ("auc", {"auc": 0.8, "width": 0.1}, "at = None: expected a stated prevalence"),
        ("auc", {"auc": 0.8, "at": "0.1..0.2", "width": 0.1}, "at = '0.1..0.2': expected"),
        ("auc", {**ONE, "auc": 0.5, "width": 0.1}, "auc = 0.5: expected"),
        ("auc", {**ONE, "auc": (0.7, 0.8, 0.9), "width": 0.1}, "expected an area, or a pair"),
        ("auc", ONE, "expected width or total for a model"),
        ("auc", {**ONE, "power": 0.8}, "expected width or total for a model"),
        ("auc", {**TWO, "width": 0.1}, "expected power or total for two models"),
        ("auc", {**ONE, "width": 0.1, "total": 100}, "expected width or total for a model"),
        ("auc", {**ONE, "width": 0.1, "correlation": 0.5}, "correlation = 0.5: expected 0"),
        ("auc", {**TWO, "auc": (0.8, 0.8), "power": 0.8}, "expected two areas that differ"),
        ("auc", {**ONE, "width": 0.1, "threshold": 0.2}, "threshold = 0.2: expected None for auc"),
        ("auc", {**ONE, "width": 1e-6}, "more than 1,000,000,000 instances are needed"),
        ("auc", {**ONE, "total": 19}, "total = 19: expected"),
        ("net_benefit", {**ONE, "width": 0.1}, "threshold = None: expected"),
        ("calibration_slope", {**TWO, "total": 99}, "expected one area for calibration_slope"),
        ("brier", {**ONE, "linear_predictor": (0, 1), "width": 0.1}, "auc = 0.8: expected None"),
        ("brier", {"linear_predictor": (0,), "width": 0.1}, "expected a mean and a deviation"),
        ("brier", {"linear_predictor": (0, 0), "width": 0.1}, "linear_predictor = 0: expected"),
    ],
)
def test_refusals(what, wrong, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        plan_scores(what, **wrong)
