"""Exact values of metrics at single matrices."""

from fractions import Fraction

import pytest

from known_values import KNOWN_VALUES
from skewproof.metrics import METRICS, parse_metric
from skewproof.sensitivity.printed_scores.exact_values import as_interval, exact_value, is_within
from skewproof.sensitivity.quadrature.computational_graph import (
    NotTracedError,
    traced_at_all_sizes,
)


def exact(formula, tp, fp, fn, tn):
    graph = traced_at_all_sizes(parse_metric(formula))
    return exact_value(graph, (tp, fp, fn, tn, tp + fn, fp + tn))


@pytest.mark.parametrize(
    ("formula", "value"),
    [
        ("tp/(tp + 0.1*fp)", Fraction(30, 31)),
        ("sqrt(tp/(fp + 2*fn + 5*tn))", Fraction(3, 4)),
        ("(tp/(fp + 2*fn + 5*tn))**0.5", Fraction(3, 4)),
        ("min(tp, fp) - max(fn, tn)*abs(fn - tp)", Fraction(-17)),
        ("-(tp**-2)", Fraction(-1, 81)),
        ("+tp - sqrt(tn + tn)**4", Fraction(5)),
    ],
)
def test_fractions(formula, value):
    result = exact(formula, 9, 3, 4, 1)
    if isinstance(result, Fraction):
        assert result == value
    else:
        assert result.a <= as_interval(value).b
        assert result.b >= as_interval(value).a
        assert result.delta < 1e-45


@pytest.mark.parametrize(
    ("formula", "digits"),
    [
        ("sqrt(2*tn)", "1.41421356237309504880168872420969807856967187537694"),
        ("(2*tn)**0.25", "1.18920711500272106671749997056047591529297209246381"),
        ("log(2*tn)", "0.69314718055994530941723212145817656807550013436025"),
        ("exp(tn)", "2.71828182845904523536028747135266249775724709369995"),
        ("max(tn/9, sqrt(2*tn))", "1.41421356237309504880168872420969807856967187537694"),
    ],
)
def test_irrational_numbers_are_enclosed(formula, digits):
    result = exact(formula, 9, 3, 4, 1)
    number = Fraction(digits)
    assert is_within(result, number - Fraction(1, 10**45), number + Fraction(1, 10**45))
    assert not is_within(result, number + Fraction(1, 10**45), Fraction(10))
    assert not is_within(result, Fraction(-10), number - Fraction(1, 10**45))


@pytest.mark.parametrize("formula", ["tp/(tn - 1)", "sqrt(fn - tp)", "log(tn - 2)"])
def test_undefined_steps(formula):
    with pytest.raises((ArithmeticError, ValueError)):
        exact(formula, 9, 3, 4, 1)


def test_registered_metrics_at_their_known_matrix():
    compared = 0
    for key, metric in METRICS.items():
        try:
            graph = traced_at_all_sizes(metric)
            value = exact_value(graph, (9, 4, 3, 20, 12, 24))
        except (NotTracedError, KeyError):
            continue
        expected = KNOWN_VALUES[key]
        assert float(as_interval(value).mid) == pytest.approx(float(expected), rel=1e-12), key
        compared += 1
    assert compared >= len(METRICS) - 3


def test_a_constant_that_was_rounded_is_an_interval():
    value = exact("tn*(1/3)", 9, 3, 4, 1)
    third = Fraction(1, 3)
    assert is_within(value, third, third)
    assert not is_within(value, third + Fraction(1, 10**13), Fraction(1))
