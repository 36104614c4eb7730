"""Statements about comparisons of metrics, recomputed from the definitions."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import norm
from sklearn.metrics import balanced_accuracy_score, cohen_kappa_score, f1_score, matthews_corrcoef

from skewproof_studies.statements.comparisons import (
    BALANCE_WINS,
    CAREFUL,
    EAGER,
    LUQUE,
    LUQUE_RATIOS,
    MCC_WINS,
    PRICED,
    REGIONS,
    STRICT,
    biases,
    calibrated_f1,
    calibrated_formula,
    calibrated_mcc_squared,
    constant_exchange,
    gain,
    overtaking_ratio,
    turning_reference,
    turning_worth,
)


def cells(rates, positives, negatives):
    """Return tp, fp, fn and tn."""
    tpr, fpr = rates
    return positives * tpr, negatives * fpr, positives * (1 - tpr), negatives * (1 - fpr)


def of_labels(metric, rates, ratio):
    """Compute a metric of scikit-learn on four weighted instances."""
    weights = [float(cell) for cell in cells(rates, 1, ratio)]
    return metric([1, 0, 1, 0], [1, 1, 0, 0], sample_weight=weights)


@pytest.mark.slow
def test_balanced_accuracy_chooses_the_middle_and_many_alarms(decision):
    cutoffs = np.linspace(-3, 6, 90_001)
    tpr, fpr = norm.sf(cutoffs - 2), norm.sf(cutoffs)
    for value in (tpr - fpr, np.sqrt(tpr * (1 - fpr))):
        assert cutoffs[np.argmax(value)] == pytest.approx(1, abs=1e-3)
    result = decision("balanced_accuracy_selects")
    u, v = norm.sf(-1), norm.sf(1)
    for worth, of_balanced, best, best_tpr in result.table.itertuples(index=False):
        alarms = 1000 / float(worth)
        gains = tpr - fpr * alarms
        assert of_balanced == f"{u - v * alarms:.3f}"
        assert best == f"{gains.max():.3f}"
        assert float(best_tpr) == pytest.approx(tpr[np.argmax(gains)], abs=1e-3)


@pytest.mark.slow
def test_the_eager_classifier_is_right_above_a_worth():
    turn = turning_worth(EAGER, STRICT, 1000)
    assert turn == 330
    for worth in (1, 20, 329, 331, 5000):
        # Counted among 10 positives and 10,000 negatives.
        counts = [cells(one, 10, 10_000) for one in (EAGER, STRICT)]
        net = [tp - Fraction(fp, worth) for tp, fp, _, _ in counts]
        assert [gain(one, 1000, worth) * 10 for one in (EAGER, STRICT)] == net
        assert (net[0] > net[1]) == (worth > turn)


def test_calibrated_values_and_where_they_change_places(decision):
    turn = turning_reference(EAGER, CAREFUL)
    assert calibrated_f1(EAGER, turn) == calibrated_f1(CAREFUL, turn)
    assert turn == Fraction(100, 17)
    result = decision("calibration_removes_prevalence")
    for level, *shown in result.table.itertuples(index=False):
        ratio = int(level.split(":")[1])
        values = [of_labels(f1_score, one, ratio) for one in (EAGER, CAREFUL)]
        assert shown == [f"{value:.3f}" for value in values]
        assert (values[0] > values[1]) == (ratio < turn)


def plain_values(tpr, tnr, ratio):
    """Compute Luque's metrics on a scale from 0 to 1."""
    tp, fn, tn, fp = tpr, 1 - tpr, ratio * tnr, ratio * (1 - tnr)
    ppv, npv = tp / (tp + fp), tn / (tn + fn)
    root = np.sqrt((tp + fp) * (tn + fn) * ratio)
    return {
        **{"TPR": tpr, "TNR": tnr, "precision": ppv, "NPV": npv},
        **{"accuracy": (tp + tn) / (1 + ratio), "F1": 2 / (1 / ppv + 1 / tpr)},
        **{"G-mean": np.sqrt(tpr * tnr), "MCC": ((tp * tn - fp * fn) / root + 1) / 2},
        **{"informedness": (tpr + tnr) / 2, "markedness": (ppv + npv) / 2},
    }


def shifts(tpr, tnr, ratio):
    """Compute how far each metric moves from its value at 1:1."""
    there, balanced = plain_values(tpr, tnr, ratio), plain_values(tpr, tnr, 1)
    return {name: np.abs(there[name] - balanced[name]) for name in there}


@pytest.mark.parametrize("region", REGIONS)
@pytest.mark.parametrize("ratio", LUQUE_RATIOS)
@pytest.mark.slow
def test_biases_are_mean_shifts(region, ratio):
    """Compare with drawn classifiers, within four standard errors."""
    drawn = np.random.default_rng(ratio).uniform(REGIONS[region], 1, (4000, 2))
    found = shifts(*drawn.T, ratio)
    for name in LUQUE.values():
        error = np.std(found[name]) / math.sqrt(len(drawn))
        mean = pytest.approx(np.mean(found[name]), abs=4 * error + 1e-9)
        assert biases().loc[name, (region, ratio)] == mean
    closed = (ratio - 1) / (6 * (ratio + 1))
    assert biases().loc["accuracy", ("all", ratio)] == pytest.approx(closed, rel=1e-4)


@pytest.mark.slow
def test_the_ranking_by_bias_depends_on_the_classifiers():
    found = biases()
    moved = found.drop(index=["TPR", "TNR", "G-mean", "informedness"])
    assert found.drop(index=moved.index).to_numpy().max() < 1e-12
    assert moved["all"].idxmin().tolist() == ["MCC", "MCC"]
    good = moved["both rates above .9"]
    assert (good.loc["accuracy"] < good.loc["MCC"]).all()


@pytest.mark.slow
def test_mcc_has_the_smallest_bias_at_levels_up_to_the_turn():
    places = (np.arange(300) + 0.5) / 300
    rates = np.meshgrid(places, places)
    for ratio in np.geomspace(1.1, 0.95 * overtaking_ratio(), 8):
        means = {name: shift.mean() for name, shift in shifts(*rates, ratio).items()}
        assert min((mean, name) for name, mean in means.items() if mean > 1e-9)[1] == "MCC"


@pytest.mark.slow
def test_accuracy_overtakes_mcc_where_positives_are_very_rare():
    turn = overtaking_ratio()
    drawn = np.random.default_rng(5).uniform(0, 1, (20_000, 2))
    signs = []
    for ratio in (turn / 4, turn * 4):
        found = shifts(*drawn.T, ratio)
        differences = found["MCC"] - found["accuracy"]
        signs.append(differences.mean() / (differences.std() / math.sqrt(len(drawn))))
    assert signs[0] < -3
    assert signs[1] > 3


@pytest.mark.parametrize(
    ("key", "metric"),
    [
        ("balanced_accuracy", balanced_accuracy_score),
        ("accuracy", balanced_accuracy_score),
        ("cohen_kappa", cohen_kappa_score),
        ("mcc", matthews_corrcoef),
        ("f1", f1_score),
    ],
)
@pytest.mark.slow
def test_formulas_at_one_to_one(key, metric):
    formula = calibrated_formula(key)
    for rates in (EAGER, CAREFUL, BALANCE_WINS, (0.3, 0.7)):
        values = dict(zip("uv", map(float, rates), strict=True))
        found = formula.subs({symbol: values[symbol.name] for symbol in formula.free_symbols})
        assert float(found) == pytest.approx(of_labels(metric, rates, 1))


@pytest.mark.slow
def test_macro_recall_and_a_calibrated_mcc_differ_in_order():
    recalls = [of_labels(balanced_accuracy_score, one, 1) for one in (BALANCE_WINS, MCC_WINS)]
    values = [of_labels(matthews_corrcoef, one, 1) for one in (BALANCE_WINS, MCC_WINS)]
    assert recalls[0] > recalls[1]
    assert values[0] < values[1]
    for one, value in zip((BALANCE_WINS, MCC_WINS), values, strict=True):
        assert float(calibrated_mcc_squared(one)) == pytest.approx(value**2)


def test_what_stays_and_what_moves(decision):
    metrics = {balanced_accuracy_score: True, f1_score: False, matthews_corrcoef: False}
    for metric, stays in metrics.items():
        values = [of_labels(metric, EAGER, ratio) for ratio in (1, 10, 1000)]
        assert np.allclose(values, values[0]) == stays
    table = decision("rates_compare_data_sets").table
    said = {"yes": "same", "no": "differs"}
    assert [said[one] for one in table.iloc[:, 1]] == table.iloc[:, 2].tolist()


def numerical_exchange(key, rates, ratio=10):
    """Compare with finite differences of scikit-learn's metrics, if it has the metric."""
    metric = {"f1": f1_score, "mcc": matthews_corrcoef, "cohen_kappa": cohen_kappa_score}[key]
    tpr, fpr = map(float, rates)
    step = 1e-6
    by_hit = of_labels(metric, (tpr + step, fpr), ratio) - of_labels(metric, (tpr, fpr), ratio)
    by_alarm = of_labels(metric, (tpr, fpr + step), ratio) - of_labels(metric, (tpr, fpr), ratio)
    return ratio * by_hit / -by_alarm


@pytest.mark.slow
@pytest.mark.parametrize("key", PRICED)
def test_exchange_rates_are_constant_or_not(key):
    constant = constant_exchange(key)
    if key in ("f1", "mcc", "cohen_kappa"):
        values = [numerical_exchange(key, rates) for rates in ((0.9, 0.1), (0.5, 0.05))]
        assert abs(values[0] - values[1]) > 0.1
        assert constant is None
    elif key in ("accuracy", "balanced_accuracy", "youden_j", "cohen_kappa_i"):
        assert str(constant) == ("1" if key == "accuracy" else "N/P")
    else:
        assert constant is None


def test_calibrated_precision_is_the_same_in_data_of_any_prevalence():
    """Its definition by Siblini: tp over tp and fp weighted by the ratio of the ratios."""
    for rates, positives, negatives in itertools.product(
        (EAGER, STRICT, CAREFUL), (10, 500), (70, 90_000)
    ):
        tp, fp, _, _ = cells(rates, positives, negatives)
        weight = Fraction(3 * positives, negatives)  # a reference of 1:3
        assert tp / (tp + weight * fp) == rates[0] / (rates[0] + 3 * rates[1])


def signed_squares(tp, fp, fn, tn):
    """Compute accuracy, macro recall, kappa, MCC·|MCC| and F1, or None if undefined."""
    positives, negatives, called, spared = tp + fn, fp + tn, tp + fp, fn + tn
    difference = tp * tn - fp * fn
    mcc, kappa = positives * negatives * called * spared, positives * spared + negatives * called
    return [
        Fraction(tp + tn, positives + negatives),
        Fraction(tp, positives) + Fraction(tn, negatives) if positives and negatives else None,
        Fraction(2 * difference, kappa) if kappa else None,
        Fraction(difference * abs(difference), mcc) if mcc else None,
        Fraction(2 * tp, positives + called) if positives + called else None,
    ]


@pytest.mark.slow
def test_only_kappa_rises_with_a_mistake():
    raised = set()
    for total in range(1, 10):
        for tp, fp, fn in itertools.product(range(total + 1), repeat=3):
            tn = total - tp - fp - fn
            if tn < 0:
                continue
            before = signed_squares(tp, fp, fn, tn)
            after_hit = signed_squares(tp + 1, fp, fn, tn)
            after_alarm = signed_squares(tp, fp + 1, fn, tn)
            for place, value in enumerate(before):
                if value is None:
                    continue
                assert after_hit[place] is None or after_hit[place] >= value
                if after_alarm[place] is not None and after_alarm[place] > value:
                    raised.add(place)
                    assert value < 0
    assert raised == {2}
    assert signed_squares(0, 1, 1, 0)[2] == -1
    assert signed_squares(0, 2, 1, 0)[2] == Fraction(-4, 5)
