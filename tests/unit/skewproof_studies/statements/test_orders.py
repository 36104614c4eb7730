"""Turning points by bisection on metrics of exact cells, and by SymPy."""

import numpy as np
import pytest
import sympy
from scipy.stats import norm
from sklearn.metrics import average_precision_score

from skewproof_studies.statements.orders import (
    LOSSES,
    ONE,
    OTHER,
    average_precisions,
    turning_ratio,
    turning_ratio_of_areas,
)

u, v, r = sympy.symbols("u v r", positive=True)
TP, FP, FN, TN = u, r * v, 1 - u, r * (1 - v)
CHANCE = (TP + FP + r * (FN + TN)) / (1 + r) ** 2
METRICS = {
    "precision": TP / (TP + FP),
    "balanced accuracy": (u + 1 - v) / 2,
    "accuracy": (TP + TN) / (1 + r),
    "F1": 2 * TP / (2 * TP + FP + FN),
    "F2": 5 * TP / (5 * TP + FP + 4 * FN),
    "kappa": ((TP + TN) / (1 + r) - CHANCE) / (1 - CHANCE),
    "MCC": (TP * TN - FP * FN) / sympy.sqrt((TP + FP) * (TP + FN) * (TN + FP) * (TN + FN)),
}
"""Compute from the cells of one positive and r negatives."""


def as_number(metric):
    return sympy.lambdify((u, v, r), metric, "numpy")


@pytest.mark.parametrize("loss", LOSSES, ids=lambda loss: loss.name)
@pytest.mark.slow
def test_a_metric_ranks_by_its_loss_and_turns_once_at_most(loss):
    """Over pairs of classifiers and a range of ratios, by the metric's own values."""
    metric = as_number(METRICS[loss.name])
    random = np.random.default_rng(0)
    ratios = np.geomspace(1e-4, 1e4, 4001)
    turned = 0
    for _ in range(200):
        rates = np.sort(random.random((2, 2)), axis=1)[:, ::-1].tolist()
        fixed, growing = zip(*(loss.parts(*one) for one in rates), strict=True)
        values = [metric(*one, ratios) * np.ones_like(ratios) for one in rates]
        losses = [one + ratios * other for one, other in zip(fixed, growing, strict=True)]
        better = np.sign(values[0] - values[1])
        clear = np.abs(values[0] - values[1]) > 1e-9
        assert (better == np.sign(losses[1] - losses[0]))[clear].all()
        changes = np.flatnonzero(np.diff(better[clear]))
        assert changes.size <= 1
        expected = turning_ratio(loss, *rates)
        if changes.size:
            turned += 1
            at = ratios[clear][changes[0] : changes[0] + 2]
            assert at[0] * 0.99 <= expected <= at[1] * 1.01
    assert (turned == 0) == (loss.name in ("precision", "balanced accuracy"))


@pytest.mark.slow
def test_where_the_two_classifiers_turn(decision):
    table = decision("order_reversed").table.set_index("metric")["order changes at"]
    ratios = np.geomspace(1, 100, 200001)
    for name, metric in METRICS.items():
        first, second = (as_number(metric)(*one, ratios) + 0 * ratios for one in (ONE, OTHER))
        changes = np.flatnonzero(np.diff(np.sign(first - second)))
        if not changes.size:
            assert table[name] == "never"
        else:
            assert table[name] == f"1:{ratios[changes[0]]:.3g}"


@pytest.mark.slow
def test_average_precisions_by_another_integral():
    """∫ precision d(TPR) by a sum over thresholds, and scikit-learn on a sample."""
    thresholds = np.linspace(30, -30, 300_001)
    turning = turning_ratio_of_areas()
    for ratio in (1.0, turning, 1000.0):
        found = []
        for mean, deviation in ((2.0, 1.0), (2.6, 2.0)):
            tpr, fpr = norm.sf(thresholds, mean, deviation), norm.sf(thresholds)
            precision = tpr / (tpr + ratio * fpr)
            found.append((np.diff(tpr) * (precision[1:] + precision[:-1]) / 2).sum())
        assert found == pytest.approx(average_precisions(ratio), abs=1e-6)
        if ratio == turning:
            assert found[0] == pytest.approx(found[1], abs=1e-6)
    random = np.random.default_rng(0)
    labels = np.repeat([1, 0], [20000, 20000])
    for (mean, deviation), expected in zip(
        ((2, 1), (2.6, 2)), average_precisions(1.0), strict=True
    ):
        scores = np.concatenate([random.normal(mean, deviation, 20000), random.normal(size=20000)])
        assert average_precision_score(labels, scores) == pytest.approx(expected, abs=0.01)


@pytest.mark.slow
def test_identities_of_the_computed_text():
    fixed, growing = {loss.name: loss.parts(u, v) for loss in LOSSES}["F1"]
    assert sympy.simplify(2 / METRICS["F1"] - 1 - fixed - r * growing) == 0
    fixed, growing = {loss.name: loss.parts(u, v) for loss in LOSSES}["kappa"]
    in_kappa = (1 + 1 / r) / 2 * (fixed + r * growing)
    assert sympy.simplify(1 / METRICS["kappa"] - 1 - in_kappa) == 0
    fixed, growing = {loss.name: loss.parts(u, v) for loss in LOSSES}["MCC"]
    in_mcc = (1 + 1 / r) * (fixed + r * growing)
    assert sympy.simplify(1 / METRICS["MCC"] ** 2 - 1 - in_mcc) == 0
    share, called = 1 / (1 + r), (u + r * v) / (1 + r)
    within = share * u * (1 - u) + (1 - share) * v * (1 - v)
    between = share * (1 - share) * (u - v) ** 2
    assert sympy.simplify(called * (1 - called) - within - between) == 0
    assert sympy.simplify(between / (within + between) - METRICS["MCC"] ** 2) == 0
