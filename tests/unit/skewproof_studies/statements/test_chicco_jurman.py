"""Chicco and Jurman's matrices and simulations, recomputed from the definitions."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import beta
from sklearn.metrics import (
    accuracy_score,
    cohen_kappa_score,
    f1_score,
    matthews_corrcoef,
)

from skewproof_studies.statements.chicco_jurman import (
    CASES,
    COMMON,
    EXTREMES,
    ORDERS,
    RARE,
    RARE_WORTH,
    Cells,
    guaranteed,
    judged,
    judged_groups,
    least_area,
    share_against,
    useful_between,
)

FOUR = (f1_score, accuracy_score, matthews_corrcoef)


def labels(cells):
    true = np.repeat([1, 0, 1, 0], cells)
    called = np.repeat([1, 1, 0, 0], cells)
    return true, called


@pytest.mark.parametrize("name", CASES)
@pytest.mark.slow
def test_a_case_is_useful_between_its_ends_and_nowhere_else(name):
    """Gains over both trivial classifiers, for many worths of a hit."""
    tp, fp, fn, tn = CASES[name]
    low, high = useful_between(CASES[name])
    found = [
        tp - fp / worth > max(0, tp + fn - (fp + tn) / worth)
        for worth in (Fraction(k, 97) for k in range(1, 3000))
    ]
    expected = [low < Fraction(k, 97) < high for k in range(1, 3000)]
    assert found == expected
    assert any(found) == (matthews_corrcoef(*labels(CASES[name])) > 0)


@pytest.mark.slow
def test_markedness_is_the_length_of_the_useful_range_of_probabilities():
    for tp, fp, fn, tn in itertools.product(range(1, 8), repeat=4):
        low, high = useful_between(Cells(tp, fp, fn, tn))
        acting = 1 / (1 + high), 1 / (1 + low)
        _, _, ppv, npv = basic_rates(tp, fp, fn, tn)
        assert acting == (1 - npv, ppv)
        assert high / low == Fraction(tp * tn, fp * fn)
        assert acting[1] - acting[0] == ppv + npv - 1


def test_mcc_prefers_the_classifier_with_more_mistakes():
    first, second = ([metric(*labels(one)) for metric in FOUR] for one in COMMON)
    assert first[0] > second[0]
    assert first[1] > second[1]
    assert first[2] < second[2]
    assert max(10, 90) > 21 > 9  # calling everything, calling nothing, and the two classifiers
    assert [sum(np.not_equal(*labels(one))) for one in COMMON] == [9, 21]


@pytest.mark.slow
def test_mcc_prefers_the_classifier_that_gains_less_with_rare_positives():
    first, second = ([metric(*labels(one)) for metric in FOUR] for one in RARE)
    assert all(a < b for a, b in zip(first, second, strict=True))
    gains = [one.tp - Fraction(one.fp, RARE_WORTH) for one in RARE]
    assert gains[0] > gains[1] > max(0, 100 - Fraction(10_000, RARE_WORTH))


def basic_rates(tp, fp, fn, tn):
    return (
        Fraction(tp, tp + fn),
        Fraction(tn, tn + fp),
        Fraction(tp, tp + fp),
        Fraction(tn, tn + fn),
    )


@pytest.mark.slow
def test_no_matrix_of_few_instances_is_below_a_guarantee():
    """MCC is compared by its square, and the bounds are monotone in the value."""
    for tp, fp, fn, tn in itertools.product(range(1, 7), range(7), range(7), range(1, 7)):
        tpr, tnr, ppv, npv = rates = basic_rates(tp, fp, fn, tn)
        product = (tpr + tnr - 1) * (ppv + npv - 1)
        if tp * tn > fp * fn:
            assert min(rates) >= product
            informedness, markedness = tpr + tnr - 1, ppv + npv - 1
            each, other = guaranteed("informedness", informedness)
            assert (min(tpr, tnr) >= each[0]) & (max(ppv, npv) >= other)
            each, other = guaranteed("markedness", markedness)
            assert (min(ppv, npv) >= each[0]) & (max(tpr, tnr) >= other)
            each, other = guaranteed("balanced accuracy", (tpr + tnr) / 2)
            assert (min(tpr, tnr) >= each[0]) & (max(ppv, npv) >= other)
        (bound, _), _ = guaranteed("F1", Fraction(2 * tp, 2 * tp + fp + fn))
        assert min(tpr, ppv) >= bound
        share = Fraction(tp + tn, tp + fp + fn + tn)
        if share > Fraction(1, 2):
            (of_rate, of_value), _ = guaranteed("accuracy", share)
            pair = (tpr, ppv) if tp + fn >= fp + tn else (tnr, npv)
            assert (pair[0] >= of_rate) & (pair[1] >= of_value)


def test_the_guarantees_are_approached():
    nine = Fraction(9, 10)
    rare = Fraction(10**12)
    # MCC: no false alarm and rare positives; its square is informedness times markedness.
    tpr = Fraction(81, 100)
    square = tpr * (rare / (rare + 1 - tpr))
    assert guaranteed("MCC", nine)[0] == (tpr,) * 4
    assert 0 < nine**2 - square < Fraction(1, 10**11)
    # Equal rates at 1:1, and a rate of 1 beside the other.
    equal = basic_rates(95, 5, 5, 95)
    assert guaranteed("informedness", nine)[1] == max(equal[2:])
    assert guaranteed("markedness", nine)[1] == max(equal[:2])
    assert guaranteed("informedness", nine)[0][0] == min(basic_rates(9, 0, 1, 10)[:2])
    assert guaranteed("markedness", nine)[0][0] == min(basic_rates(9, 1, 0, 10)[2:])
    assert guaranteed("balanced accuracy", nine) == ((Fraction(8, 10),) * 2, nine)
    # F1 of .9 with a recall of 1; accuracy of .9 with one kind of mistake.
    low = guaranteed("F1", nine)[0][0]
    assert 2 * low / (low + 1) == nine
    misses, false_alarms = basic_rates(4, 0, 1, 5), basic_rates(5, 1, 0, 4)
    assert guaranteed("accuracy", nine)[0] == (misses[0], false_alarms[2])
    # The other predictive value of a high informedness has no bound.
    assert basic_rates(95, 5 * 10**9, 5, 95 * 10**9)[2] < Fraction(1, 10**6)


def value_of(metric, tp, fp, fn, tn):
    tpr, tnr, ppv, npv = basic_rates(tp, fp, fn, tn)
    square = (tpr + tnr - 1) * (ppv + npv - 1)
    return {
        "MCC": math.copysign(1, tp * tn - fp * fn) * square,
        "accuracy": tp + tn,
        "balanced accuracy": tpr + tnr,
        "markedness": ppv + npv,
        "F1": 2 / (1 / tpr + 1 / ppv) if tp else 0,
    }[metric]


@pytest.mark.parametrize("metric", ORDERS)
@pytest.mark.parametrize("worth", [1, 3])
@pytest.mark.slow
def test_shares_of_pairs_are_counted(metric, worth):
    """Pair by pair in fractions, on 3 positives and 9 negatives."""
    cells = [
        (tp, fp, 3 - tp, 9 - fp)
        for tp, fp in itertools.product(range(4), range(10))
        if 0 < tp + fp < 12
    ]
    values = [(value_of(metric, *one), worth * one[0] - one[1]) for one in cells]
    pairs = [(a, b) for a, b in itertools.combinations(values, 2) if a[1] != b[1]]
    against = [(a, b) for a, b in pairs if (a[0] - b[0]) * (a[1] - b[1]) < 0]
    assert share_against(metric, 3, 9, worth) == Fraction(len(against), len(pairs))


@pytest.mark.parametrize("scores", EXTREMES)
@pytest.mark.slow
def test_scores_of_the_simulation_are_integrals(scores):
    share = float(scores.prevalence)
    first, second, negative = (beta(*one) for one in scores[:3])
    nodes = (np.arange(200_000) + 0.5) / 200_000
    densities = 0.7 * first.pdf(nodes) + 0.3 * second.pdf(nodes)
    brier = share * np.mean((1 - nodes) ** 2 * densities)
    brier += (1 - share) * np.mean(nodes**2 * negative.pdf(nodes))
    tpr = 0.7 * first.sf(0.5) + 0.3 * second.sf(0.5)
    cells = (share * tpr, (1 - share) * negative.sf(0.5))
    weights = [cells[0], cells[1], share - cells[0], 1 - share - cells[1]]
    true, called = [1, 0, 1, 0], [1, 1, 0, 0]
    found = judged(scores)
    assert float(found.brier) == pytest.approx(brier, abs=1e-8)
    assert float(found.skill) == pytest.approx(1 - brier / (share - share**2), abs=1e-6)
    assert found.mcc == pytest.approx(matthews_corrcoef(true, called, sample_weight=weights))
    assert found.kappa == pytest.approx(cohen_kappa_score(true, called, sample_weight=weights))
    assert max(found.skill, found.mcc) < 0
    first = judged(EXTREMES[0])
    assert abs(1 - float(found.brier) - found.mcc) <= abs(1 - float(first.brier) - first.mcc)


def test_the_rival_has_the_worse_forecast_and_the_higher_mcc():
    """Two thousand instances, one by one."""
    truth = np.repeat([1, 0, 1, 0, 1, 0], [90, 10, 80, 120, 17, 1683])
    calibrated = np.repeat([0.9, 0.4, 0.01], [100, 200, 1700])
    inflated = np.repeat([0.9, 0.6, 0.01], [100, 200, 1700])
    briers = [np.mean((forecast - truth) ** 2) for forecast in (calibrated, inflated)]
    values = [matthews_corrcoef(truth, forecast >= 0.5) for forecast in (calibrated, inflated)]
    assert briers[0] < briers[1]
    assert values[0] < values[1]
    for second, *expected in zip((Fraction(4, 10), Fraction(6, 10)), briers, values, strict=True):
        found = judged_groups((Fraction(9, 10), second, Fraction(1, 100)))
        assert [float(one) for one in found] == pytest.approx(expected)


def test_an_mcc_bounds_the_area():
    """The curve through one point with the least area is a staircase."""
    random = np.random.default_rng(3)
    for tpr, fpr, log_ratio in random.uniform([0, 0, -4], [1, 1, 4], (2000, 3)):
        if tpr <= fpr:
            continue
        ratio = math.exp(log_ratio)
        called = tpr + ratio * fpr
        value = (tpr - fpr) * ratio / math.sqrt(ratio * called * (1 + ratio - called))
        least, least_concave = least_area(value)
        assert tpr * (1 - fpr) >= least - 1e-12
        assert (1 + tpr - fpr) / 2 >= least_concave - 1e-12
    assert least_area(Fraction(9, 10)) == (Fraction(81, 100), Fraction(181, 200))


@pytest.mark.slow
def test_the_best_mcc_falls_as_positives_become_rare(decision):
    result = decision("mcc_should_replace_auc")
    cutoffs = np.linspace(-2, 8, 200_001)
    normal_tail = np.vectorize(math.erfc)
    tpr, fpr = (normal_tail((cutoffs - mean) / math.sqrt(2)) / 2 for mean in (2, 0))
    for level, shown, _ in result.table.itertuples(index=False):
        ratio = int(level.split(":")[1].replace(",", ""))
        called = tpr + ratio * fpr
        values = (tpr - fpr) * ratio / np.sqrt(ratio * called * (1 + ratio - called))
        assert shown == f"{values.max():.3f}"


def test_kappa_is_nearer_to_zero_than_mcc():
    for tp, fp, fn, tn in itertools.product(range(1, 7), repeat=4):
        difference = tp * tn - fp * fn
        first, second = (tp + fn) * (fn + tn), (fp + tn) * (tp + fp)
        kappa = Fraction(2 * difference, first + second)
        square = Fraction(difference**2, first * second)
        assert kappa**2 <= square
        assert (kappa**2 == square) == (fp == fn or difference == 0)
