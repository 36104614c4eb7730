"""Statements about resampling, recomputed from counts, sums and samples."""

import math
from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import norm
from sklearn.metrics import roc_auc_score

from skewproof_studies.statements.resampling import (
    LEARNED,
    LOWERED,
    RAISED,
    RATIO,
    WAYS,
    cutoff_of_undersampling,
    expected_area,
    gain_in_f1,
    population_area,
    regressions,
    turning_ratios,
    variance_factor,
)


@pytest.mark.parametrize(("positives", "negatives"), [(1, 9), (50, 1), (7, 700)])
@pytest.mark.parametrize("kept", [Fraction(1, 10), Fraction(1, 2)])
def test_probabilities_after_undersampling_are_shares_of_what_is_left(positives, negatives, kept):
    """Instances that look alike, of which a share of the negatives is kept."""
    before = Fraction(positives, positives + negatives)
    after = positives / (positives + kept * negatives)
    for cutoff in (Fraction(1, 2), Fraction(1, 5), after):
        moved = cutoff_of_undersampling(kept, cutoff)
        assert (before >= moved) == (after >= cutoff)
    ratio = Fraction(negatives, positives)
    assert cutoff_of_undersampling(1 / ratio, Fraction(1, 2)) == before


def f1_by_density(probability, ratio, mean):
    """Compute F1 of calling instances of at least this probability, by sums over scores."""
    scores = np.arange(-9, 9 + mean, 1e-3)
    positive, negative = norm.pdf(scores - mean) * 1e-3, ratio * norm.pdf(scores) * 1e-3
    called = positive / (positive + negative) >= probability
    tp, fp = positive[called].sum(), negative[called].sum()
    return 2 * tp / (1 + tp + fp)


@pytest.mark.parametrize("ratio", [2, 10, 100, 1000, 10_000])
@pytest.mark.slow
def test_f1_before_and_after_undersampling(decision, ratio):
    result = decision("undersampling_is_a_cutoff")
    before, after, best = map(float, result.table.set_index("level").loc[f"1:{ratio:,}"])
    assert before == pytest.approx(f1_by_density(0.5, ratio, 2), abs=3e-4)
    assert after == pytest.approx(f1_by_density(1 / (1 + ratio), ratio, 2), abs=3e-4)
    thresholds = np.linspace(-3, 9, 120_001)
    tpr = norm.sf(thresholds - 2)
    values = 2 * tpr / (1 + tpr + ratio * norm.sf(thresholds))
    assert best == pytest.approx(values.max(), abs=6e-5)
    assert best >= max(before, after)


@pytest.mark.parametrize("mean", [1, 2, 3])
@pytest.mark.slow
def test_gains_change_their_sign_where_they_are_said_to(mean):
    """Compare on another grid of levels."""
    ratios = np.geomspace(1.1, 9e4, 400)
    tpr = norm.sf([np.log(ratios) / mean - mean / 2, np.full(400, -mean / 2)])
    fpr = norm.sf([np.log(ratios) / mean + mean / 2, np.full(400, mean / 2)])
    plain, moved = 2 * tpr / (1 + tpr + ratios * fpr)
    places = np.flatnonzero(np.diff(np.sign(moved - plain)))
    turns = turning_ratios(mean)
    assert len(turns) == len(places) == {1: 0, 2: 2, 3: 1}[mean]
    for place, turn in zip(places, turns, strict=True):
        assert ratios[place] < turn < ratios[place + 1]
        assert gain_in_f1(turn, mean) == pytest.approx(0, abs=1e-9)


def newton(features, truth, weights):
    """Fit the coefficients of a logistic regression, the intercept first."""
    design = np.column_stack([np.ones(len(truth)), features])
    found = np.zeros(design.shape[1])
    for _ in range(60):
        probability = 1 / (1 + np.exp(-design @ found))
        slope = design.T @ (weights * (truth - probability))
        curvature = (design * (weights * probability * (1 - probability))[:, None]).T @ design
        found = found + np.linalg.solve(curvature, slope)
    return found


@pytest.mark.parametrize("shares", [RAISED, LOWERED])
@pytest.mark.slow
def test_balancing_moves_the_area_of_a_model_that_cannot_be_right(shares):
    corners = np.array([(0, 0), (1, 0), (0, 1), (1, 1)])
    areas = []
    for ratio in (100, 1):
        weights = np.array([*shares[0], *(ratio * share for share in shares[1])], dtype=float)
        found = newton(np.vstack([corners] * 2), np.repeat([1, 0], 4), weights)
        scores = corners @ found[1:]
        area = sum(
            Fraction(first * second, 100) * (Fraction(1, 2) if one == other else one > other)
            for first, one in zip(shares[0], scores, strict=True)
            for second, other in zip(shares[1], scores, strict=True)
        )
        assert population_area(shares, ratio) == pytest.approx(float(area))
        areas.append(area)
    assert (areas[1] > areas[0]) == (shares is RAISED)


@pytest.mark.slow
def test_a_regression_after_undersampling_is_one_with_a_moved_cut_off():
    """Fitted by Newton's method, and judged on a sample."""
    random = np.random.default_rng(11)
    shift = np.full(5, 2 / math.sqrt(5))

    def drawn(positives, negatives):
        truth = np.repeat([1, 0], [positives, negatives])
        return random.normal(size=(len(truth), 5)) + np.outer(truth, shift), truth

    features, truth = drawn(200, 4000)
    kept = np.arange(400)  # the first negatives are as random as any
    everything = newton(features, truth, np.ones(4200))
    balanced = newton(features[kept], truth[kept], np.ones(400))
    seen, label = drawn(50_000, 50_000)
    odds = [one[0] + seen @ one[1:] for one in (everything, balanced)]
    called = [odds[0] >= 0, odds[1] >= 0, odds[0] >= -math.log(RATIO)]
    found = regressions()
    for way, call, score in zip(WAYS, called, (odds[0], odds[1], odds[0]), strict=False):
        assert roc_auc_score(label, score) == pytest.approx(found.loc[way, "area"], abs=0.01)
        assert call[label == 1].mean() == pytest.approx(found.loc[way, "tpr"], abs=0.05)
        assert call[label == 0].mean() == pytest.approx(found.loc[way, "fpr"], abs=0.03)


@pytest.mark.slow
def test_undersampling_gains_nothing_over_a_threshold():
    found = regressions()
    assert found.loc[WAYS[0], "area"] >= found.loc[WAYS[1], "area"]
    assert found.loc[WAYS[1], "tpr"] == pytest.approx(found.loc[WAYS[2], "tpr"], abs=0.02)
    assert found.loc[WAYS[3], "f1"] > found.loc[list(WAYS[:3]), "f1"].max()
    precision = found["tpr"] / (found["tpr"] + RATIO * found["fpr"])
    values = 2 / (1 / precision + 1 / found["tpr"])
    assert found["f1"].to_numpy() == pytest.approx(values.to_numpy(), abs=0.01)


@pytest.mark.parametrize(("positives", "negatives"), [(561, 561), (102, 1020), (22, 22)])
@pytest.mark.slow
def test_areas_of_discriminants_are_those_of_drawn_training_sets(positives, negatives):
    random = np.random.default_rng(positives)
    mean = np.zeros(LEARNED)
    mean[0] = 2
    areas = []
    for _ in range(60):
        first = random.normal(size=(positives, LEARNED)) + mean
        second = random.normal(size=(negatives, LEARNED))
        weights = first.mean(axis=0) - second.mean(axis=0)
        apart = weights @ mean / np.linalg.norm(weights)
        areas.append(norm.cdf(apart / math.sqrt(2)))
    error = np.std(areas) / math.sqrt(len(areas))
    assert expected_area(positives, negatives) == pytest.approx(np.mean(areas), abs=4 * error)


def test_balanced_training_is_best_of_a_given_number_and_throwing_away_is_not(decision):
    total = 1122
    variances = [
        Fraction(1, positives) + Fraction(1, total - positives) for positives in range(1, total)
    ]
    assert variances.index(min(variances)) + 1 == total // 2
    growth = Fraction(2, 22) / (Fraction(1, 22) + Fraction(1, 1100))
    assert growth == Fraction(2 * 50, 1 + 50)
    assert variance_factor(22, 22) / variance_factor(22, 1100) == pytest.approx(float(growth))
    areas = [float(area) for area in decision("balanced_training_for_area").table["mean area"]]
    assert areas == sorted(areas, reverse=True)
    assert expected_area(22, 22) < expected_area(22, 1100)
