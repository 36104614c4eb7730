"""Saito and Rehmsmeier's simulation, recomputed from scores and sums."""

import math
from fractions import Fraction
from functools import partial

import numpy as np
import pytest
from scipy.stats import beta
from sklearn.metrics import average_precision_score, roc_auc_score

from skewproof_studies.statements.curves_under_imbalance import (
    early_value,
    fpr_through,
    late_value,
    precision_recall_area,
    turning_ratio,
    value_through,
)

UNIFORM = beta(1, 1)


def quantiles(scores, number):
    return scores.ppf((np.arange(number) + 0.5) / number)


def areas(positive, negative, ratio, number=4000):
    """Compute both areas of evenly spread scores of the two distributions."""
    score = np.concatenate([quantiles(positive, number), quantiles(negative, number)])
    true = np.repeat([1, 0], number)
    weight = np.repeat([1, ratio], number)
    roc_area = roc_auc_score(true, score)
    return roc_area, average_precision_score(true, score, sample_weight=weight)


@pytest.mark.slow
@pytest.mark.parametrize("ratio", [1, 10, 100])
def test_areas_are_those_of_the_simulated_scores(decision, ratio):
    result = decision("roc_misleads_under_imbalance")
    row = result.table.set_index("level").loc[f"1:{ratio}"]
    early = areas(UNIFORM, beta(1, 4), ratio)
    late = areas(beta(4, 1), UNIFORM, ratio)
    for roc_area, pr_area, column in ((*early, "PR area, early"), (*late, "PR area, late")):
        assert roc_area == pytest.approx(float(row["ROC area of both"]), abs=1e-3)
        assert pr_area == pytest.approx(float(row[column]), abs=2e-3)


def test_the_area_under_the_early_curve_has_a_closed_form(decision):
    """The integral of 1/(1 + 10 u^3), by partial fractions."""
    a = 10 ** (1 / 3)
    logarithm = math.log((1 + a) ** 2 / (1 - a + a * a)) / 6
    arc = (math.atan((2 * a - 1) / math.sqrt(3)) + math.pi / 6) / math.sqrt(3)
    result = decision("roc_misleads_under_imbalance")
    shown = result.table.set_index("level").loc["1:10", "PR area, early"]
    assert shown == f"{(logarithm + arc) / a:.3f}"


@pytest.mark.parametrize("slope", [0.02, 0.3, 0.9, 1.0, 1.1, 3.0, 40.0])
@pytest.mark.slow
def test_gains_are_the_best_over_all_cut_offs(slope):
    cutoffs = np.linspace(0, 1, 20_001)
    early_scores = UNIFORM.sf(cutoffs) - slope * beta(1, 4).sf(cutoffs)
    late_scores = beta(4, 1).sf(cutoffs) - slope * UNIFORM.sf(cutoffs)
    assert early_value(slope) == pytest.approx(early_scores.max(), abs=1e-6)
    assert late_value(slope) == pytest.approx(late_scores.max(), abs=1e-6)


def test_the_early_curve_wins_where_a_hit_is_worth_less_than_the_ratio():
    for slope in np.geomspace(1e-4, 1e4, 161):
        difference = early_value(slope) - late_value(slope)
        assert np.sign(round(difference, 12)) == np.sign(round(math.log(slope), 12))


def test_precision_recall_areas_prefer_a_less_useful_classifier():
    """Exact areas: precision is constant up to the point, and u/(a + bu) after it."""
    found = []
    for tpr, fpr in ((Fraction(3, 10), Fraction(1, 1000)), (Fraction(6, 10), Fraction(1, 20))):
        slope = (1 - fpr) / (1 - tpr)
        a, b = float(100 * (fpr - slope * tpr)), float(1 + 100 * slope)
        rest = float(1 - tpr) / b - a / b**2 * math.log((a + b) / (a + b * float(tpr)))
        area = float(tpr**2 / (tpr + 100 * fpr)) + rest
        gain = max(0, tpr - fpr * 5, 1 - 5)  # a hit is worth a fifth of the negatives
        point = float(tpr), float(fpr)
        assert precision_recall_area(partial(fpr_through, point), 100) == pytest.approx(area)
        assert value_through(point, 100, 20) == pytest.approx(float(gain))
        found.append((area, (1 + tpr - fpr) / 2, gain))
    (area, roc_area, gain), (other_area, other_roc_area, other_gain) = found
    assert (area > other_area, roc_area < other_roc_area, gain < other_gain) == (True,) * 3


@pytest.mark.slow
def test_crossing_curves_change_places(decision):
    turn = turning_ratio()
    at_turn = [
        areas(beta(8, 1), UNIFORM, turn, 20_000)[1],
        areas(UNIFORM, beta(1, 4), turn, 20_000)[1],
    ]
    assert at_turn[0] == pytest.approx(at_turn[1], abs=5e-4)
    result = decision("precision_recall_predicts_performance")
    for ratio in (1, 10):
        row = result.table.set_index("level").loc[f"1:{ratio}"].astype(float)
        late = areas(beta(8, 1), UNIFORM, ratio)[1]
        assert row.iloc[1] == pytest.approx(late, abs=2e-3)
        assert (row.iloc[1] > row.iloc[0]) == (ratio == 1)
