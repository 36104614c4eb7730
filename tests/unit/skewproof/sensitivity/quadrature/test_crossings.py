"""Kinks and where lines cross them, by hand."""

import numpy as np
import pytest

from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.formulas.metrics import ParsedFormula, unnamed_metric
from skewproof.core.metric import Metric
from skewproof.metrics import METRICS
from skewproof.sensitivity.quadrature import crossings as module
from skewproof.sensitivity.quadrature.crossings import Lines, crossing_changes, crossings, rates_at
from skewproof.sensitivity.quadrature.kinked_surface import (
    MOST_OPERATIONS,
    KinkedSurface,
    NotResolvedError,
    has_kink_at_equal_rates,
)

U, V = np.random.default_rng(0).random((2, 40))
RATES = U, 1 - U, V, 1 - V


def surface(formula, negatives=1000.0):
    if isinstance(formula, str):
        return KinkedSurface(
            unnamed_metric("own", formula, ParsedFormula(formula)), 100.0, negatives
        )
    return KinkedSurface(Metric("own", "o", "own", "here", formula), 100.0, negatives)


def logit(rate):
    return np.log(rate / (1 - np.asarray(rate)))


def along(formula, outer, fixed):
    """Find crossings of lines at some outer rates."""
    fixed = np.asarray(fixed)
    return crossings(surface(formula), Lines(np.full(fixed.size, outer), logit(fixed)))


@pytest.mark.slow
def test_recorded_operations_give_the_values_of_the_metric():
    matrix = ConfusionMatrix(tp=100 * U, fn=100 * (1 - U), fp=1000 * V, tn=1000 * (1 - V))
    for key, metric in METRICS.items():
        one = surface(metric.formula)
        if key == "adjusted_f":  # it makes a matrix of its own, in which nothing is recorded
            assert one.number_of_kinks == 0
        else:
            found = one.values(RATES)
            np.testing.assert_allclose(found, metric.formula(matrix), rtol=1e-9, err_msg=key)


def _with_assignment(c):
    value = c.tpr * 1
    value[c.fpr > 0.4] = 0.5
    return value


@pytest.mark.parametrize(
    ("formula", "zeros"),
    [
        ("min(tp/P, tn/N)", [U - (1 - V)]),
        ("abs(tp/P - fp/N)", [U - V]),
        ("max(0, 1 - 3*abs(fp/N - 0.4))", [V - 0.4, 1 - 3 * abs(V - 0.4)]),
        ("(tp/P - 0.3)**2 + tp/P**3", [U - 0.3]),
        ("(tp/P - 0.3)*(tp/P - 0.3)", [U - 0.3]),
        ("min(tp/P, tn/N)/max(tp/P, tn/N)", [U - (1 - V)]),
        (lambda c: np.where(c.rates.tp > 0.3, c.tnr, c.tpr), [U - 0.3]),
        (lambda c: np.clip(c.tpr, 0.2, 0.6), [U - 0.2, U - 0.6]),
        (lambda c: np.sum(np.stack([abs(c.tpr - c.fpr), c.tnr]), axis=0), [U - V]),
        (lambda c: np.max(np.stack([c.tpr, c.tnr]), axis=0), [U - (1 - V)]),
        (_with_assignment, [V - 0.4]),
        ("tp/(tp + fp)", []),
        ("min(P, N)/(P + N)*tp/P", []),
    ],
)
@pytest.mark.slow
def test_kinks_are_noted(formula, zeros):
    found = surface(formula).kinks(RATES)
    np.testing.assert_allclose(found.zeros, np.reshape(zeros, (-1, U.size)), atol=1e-12)
    np.testing.assert_array_equal(found.signs, np.sign(np.reshape(zeros, (-1, U.size))))


def test_a_kink_in_a_metric_that_is_not_all_seen_is_refused():
    with pytest.raises(NotResolvedError, match="some of its operations can't be recorded"):
        surface(lambda c: abs(c.tpr - c.fpr) + np.asarray(c.tpr))


def test_a_difference_that_is_rounding_has_no_sign():
    found = surface("abs(tp/P + fn/P - 1)").kinks(RATES)
    assert (found.signs == 0).all()


def test_a_kink_under_a_minimum_is_used_where_the_minimum_passes_it_on():
    one = surface("min(abs(tp/P - 0.5), fp/N)")
    used = one.used(RATES)
    np.testing.assert_array_equal(used, [abs(U - 0.5) < V, np.ones(U.size, dtype=bool)])


def test_crossings_of_two_kinks():
    """tpr = tnr at v = 1 - u, and tp + fp = P at 10 v = 1 - u: ppv and tpr are equal there."""
    u = np.array([1e-6, 0.2, 0.5, 0.999])
    found = along("abs(tp/P - tn/N) + min(tp/(tp + fp), tp/P)", 0, u)
    places, complements = rates_at(found.logits)
    np.testing.assert_allclose(places, np.column_stack([(1 - u) / 10, 1 - u]), rtol=1e-8)
    np.testing.assert_allclose(complements[0], [1 - places[0, 0], u[0]], rtol=1e-5)
    assert found.labels.tolist() == [[1, 0]] * 4
    assert len(set(found.signatures())) == 1


@pytest.mark.parametrize("outer", [0, 1])
@pytest.mark.slow
def test_a_closed_kink(outer):
    """16 u (1 - u) v (1 - v) = 0.999: a line at 1/2 crosses it twice, one at 0.4 does not, and it
    ends where 4 u (1 - u) = 0.999."""
    text = "max(0, 16*tp*fn*fp*tn/(P*P*N*N) - 0.999)"
    reach = np.sqrt(0.001) / 2
    places, _ = rates_at(along(text, outer, [0.4, 0.5]).logits)
    np.testing.assert_allclose(places, [[1, 1], [0.5 - reach, 0.5 + reach]], rtol=1e-9)
    ends = rates_at(crossing_changes(surface(text))[outer])[0]
    np.testing.assert_allclose(ends, [0.5 - reach, 0.5 + reach], atol=1e-6)


@pytest.mark.slow
def test_where_a_kink_leaves_the_square_is_an_event():
    """tp + fp = P leaves at v = 1/10, beyond which no u lies on it."""
    found = crossing_changes(surface("min(tp/(tp + fp), tp/P)"))[1]
    np.testing.assert_allclose(rates_at(found)[0], [0.1], atol=1e-6)


def test_where_a_kink_crosses_itself_is_an_event():
    """ppv and the mean of both rates are equal at u = v and at u = 1 - v, if P = N."""
    for found in crossing_changes(surface("min((tp/P + tn/N)/2, tp/(tp + fp))", negatives=100.0)):
        np.testing.assert_allclose(rates_at(found)[0], [0.5], atol=1e-5)


def test_a_smooth_metric_is_not_cut():
    one = KinkedSurface(METRICS["mcc_f1"], 100.0, 1000.0)
    assert one.number_of_kinks == 2
    assert crossing_changes(one) is None


@pytest.mark.slow
def test_which_metrics_have_a_kink_at_equal_rates():
    found = {key for key, metric in METRICS.items() if has_kink_at_equal_rates(metric)}
    assert found == {"optimized_precision", "optimized_precision_i"}
    for text, expected in {
        "abs(tp/P - tn/N)": True,
        "max(tp*N, tn*P)/(P*N)": True,
        "abs(tp/P - fp/N)": False,
    }.items():
        metric = unnamed_metric("own", text, ParsedFormula(text))
        assert has_kink_at_equal_rates(metric) is expected, text


def test_the_budget_ends(monkeypatch):
    one = surface("abs(tp/P - tn/N)")
    one.spent = MOST_OPERATIONS
    with pytest.raises(NotResolvedError, match="too many pieces"):
        one.kinks(RATES)
    monkeypatch.setattr(module, "MOST_CHANGES", 0)
    with pytest.raises(NotResolvedError, match="its kinks meet in more than 0 places"):
        crossing_changes(surface("max(0, 16*tp*fn*fp*tn/(P*P*N*N) - 0.999)"))
