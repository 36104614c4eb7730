"""Kinks and where lines cross them, by hand."""

import numpy as np
import pytest

from skewproof.core.formulas import ParsedFormula, unnamed_metric
from skewproof.core.metric import Metric
from skewproof.metrics import METRICS
from skewproof.sensitivity.kinks import MOST_OPERATIONS, NotResolvedError, Surface
from skewproof.sensitivity.lines import Lines, rates
from skewproof.sensitivity.piecewise import events

U, V = np.random.default_rng(0).random((2, 40))


def surface(formula, negatives=1000.0):
    if isinstance(formula, str):
        return Surface(unnamed_metric("own", formula, ParsedFormula(formula)), 100.0, negatives)
    return Surface(Metric("own", "o", "own", "here", formula), 100.0, negatives)


def logit(rate):
    return np.log(rate / (1 - np.asarray(rate)))


@pytest.mark.parametrize("key", sorted(METRICS))
def test_noting_kinks_leaves_the_values(key):
    one = Surface(METRICS[key], 100.0, 1000.0)
    noted = one.kinks(U, 1 - U, V, 1 - V).values
    np.testing.assert_allclose(noted, one.values(U, 1 - U, V, 1 - V), rtol=1e-12)


@pytest.mark.parametrize(
    ("formula", "zeros"),
    [
        ("min(tp/P, tn/N)", [U - (1 - V)]),
        ("abs(tp/P - fp/N)", [U - V]),
        ("max(0, 1 - 3*abs(fp/N - 0.4))", [V - 0.4, 3 * abs(V - 0.4) - 1]),
        ("(tp/P - 0.3)**2 + tp/P**3", [U - 0.3]),
        ("(tp/P - 0.3)*(tp/P - 0.3)", [U - 0.3]),
        (lambda c: np.where(c.rates.tp > 0.3, c.tnr, c.tpr), [U - 0.3]),
        (lambda c: np.clip(c.tpr, 0.2, 0.6), [U - 0.2, U - 0.6]),
        (lambda c: np.sum(np.stack([abs(c.tpr - c.fpr), c.tnr]), axis=0), [U - V]),
        (lambda c: np.max(np.stack([c.tpr, c.tnr]), axis=0), [U - (1 - V)]),
        ("tp/(tp + fp)", []),
        ("min(P, N)/(P + N)*tp/P", []),
    ],
)
def test_kinks_are_noted(formula, zeros):
    found = surface(formula).kinks(U, 1 - U, V, 1 - V)
    np.testing.assert_allclose(found.zeros, np.reshape(zeros, (-1, U.size)), atol=1e-12)
    np.testing.assert_array_equal(found.signs, np.sign(np.reshape(zeros, (-1, U.size))))


def test_a_difference_that_is_rounding_has_no_sign():
    found = surface("abs(tp/P + fn/P - 1)").kinks(U, 1 - U, V, 1 - V)
    assert (found.signs == 0).all()


def test_crossings_of_two_kinks():
    """tpr = tnr at v = 1 - u, and tp + fp = P at 10 v = 1 - u: ppv and tpr are equal there."""
    lines = Lines(surface("abs(tp/P - tn/N) + min(tp/(tp + fp), tp/P)"), 0)
    u = np.array([1e-6, 0.2, 0.5, 0.999])
    found = lines.crossings(logit(u))
    places, complements = rates(found.places)
    np.testing.assert_allclose(places, np.column_stack([(1 - u) / 10, 1 - u]), rtol=1e-12)
    np.testing.assert_allclose(complements[0], [1 - places[0, 0], u[0]], rtol=1e-9)
    assert found.labels.tolist() == [[1, 0]] * 4
    assert len(set(found.signatures())) == 1


def test_crossings_of_a_peak_between_two_places():
    """The argument of the maximum is positive within 0.001 of 0.1619 only."""
    lines = Lines(surface("max(0, 1 - 1000*abs(fp/N - 0.1619))"), 0)
    places, _ = rates(lines.crossings(logit([0.1, 0.7])).places)
    np.testing.assert_allclose(places, [[0.1609, 0.1619, 0.1629]] * 2, rtol=1e-12)


@pytest.mark.parametrize("outer", [0, 1])
@pytest.mark.slow
def test_a_closed_kink(outer):
    """16 u (1 - u) v (1 - v) = 0.999: a line at 1/2 crosses it twice, one at 0.4 does not, and it
    ends where 4 u (1 - u) = 0.999."""
    lines = Lines(surface("max(0, 16*tp*fn*fp*tn/(P*P*N*N) - 0.999)"), outer)
    reach = np.sqrt(0.001) / 2
    places, _ = rates(lines.crossings(logit([0.4, 0.5])).places)
    np.testing.assert_allclose(places, [[1, 1], [0.5 - reach, 0.5 + reach]], rtol=1e-12)
    np.testing.assert_allclose(rates(events(lines))[0], [0.5 - reach, 0.5 + reach], atol=1e-8)


def test_where_a_kink_leaves_the_square_is_an_event():
    """tp + fp = P leaves at v = 1/10, beyond which no u lies on it."""
    lines = Lines(surface("min(tp/(tp + fp), tp/P)"), 1)
    np.testing.assert_allclose(rates(events(lines))[0], [0.1], atol=1e-8)


def test_a_kink_along_a_line_is_an_event_of_the_other_direction():
    lines = [Lines(surface("max(tp/P - 0.9, 0)"), outer) for outer in (0, 1)]
    np.testing.assert_allclose(rates(events(lines[0]))[0], [0.9], atol=1e-8)
    assert events(lines[1]).size == 0
    assert all(one.are_cut() for one in lines)


def test_a_smooth_metric_is_not_cut():
    lines = Lines(Surface(METRICS["mcc_f1"], 100.0, 1000.0), 0)
    assert lines.surface.number_of_kinks() == 2
    assert not lines.are_cut()


def test_the_budget_ends():
    one = surface("abs(tp/P - tn/N)")
    one.spent = MOST_OPERATIONS
    with pytest.raises(NotResolvedError, match="too many pieces"):
        one.kinks(U, 1 - U, V, 1 - V)
