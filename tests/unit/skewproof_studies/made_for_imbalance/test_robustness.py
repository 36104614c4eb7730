"""Remains of measures, with limits that were derived by hand."""

import pytest
import sympy

from skewproof.core.metric import metric as declared
from skewproof.metrics import get_metric
from skewproof.operating_points.rarity import RareLimit
from skewproof_studies.made_for_imbalance.robustness import (
    CURVES,
    EXACTLY,
    IN_THE_LIMIT,
    LOST,
    NOT_EVERYWHERE,
    Kept,
    best_limits,
    kept_choice,
    kept_value,
    limit_formula,
    reversed_share,
    three_kinds,
)

U, V = sympy.symbols("u v", positive=True)
TENTH = sympy.Rational(1, 10)

LIMITS = {
    "f1": 0,
    "mcc": 0,
    "p4": 0,
    "precision": 0,
    "accuracy": 1 - V,
    "weighted_accuracy(w=0.9)": 1 - V,
    "sokal_sneath_iii": (1 - V) / V,
    "precision_recall_mean": U / 2,
    "precision_i": U / (U + V),
    "robust_f": U * TENTH / (TENTH + V),
    "robust_f(d0=1, beta=2)": U / (1 + V),
    "robust_mcc(d=0.1)": (U - V) * sympy.sqrt(TENTH / (TENTH + V * (1 - V))),
    "general_robust_f": (U + 1) * TENTH / (2 * (TENTH + V)),
}


@pytest.mark.parametrize(("text", "limit"), LIMITS.items())
@pytest.mark.slow
def test_the_limit_of_a_value(text, limit):
    difference = limit_formula(get_metric(text)) - limit
    points = [{U: sympy.Rational(a, 13), V: sympy.Rational(b, 13)} for a, b in [(2, 1), (9, 5)]]
    assert all(abs(sympy.N(difference.subs(point), 30)) < 1e-25 for point in points)


@pytest.mark.parametrize(
    ("text", "kept", "known", "evidence"),
    [
        ("balanced_accuracy", EXACTLY, "proved", "it is u/2 - v/2 + 1/2"),
        ("robust_f", IN_THE_LIMIT, "proved", "it tends to u/(10*v + 1)"),
        ("robust_mcc(d=0)", LOST, "proved", "it tends to 0, which ignores u and v"),
        ("f1", LOST, "proved", "it tends to 0, which ignores u and v"),
        ("accuracy", LOST, "proved", "it tends to 1 - v, which ignores u"),
        ("precision_recall_mean", LOST, "proved", "it tends to u/2, which ignores v"),
        ("class_balance_accuracy", LOST, "computed", "it tends to a function, which ignores u"),
        ("normalized_expected_cost", LOST, "computed", "it has no finite limit"),
    ],
)
@pytest.mark.slow
def test_a_value_is_kept_or_lost(text, kept, known, evidence):
    assert kept_value(get_metric(text)) == Kept(kept, known, evidence)


@declared(symbol="h", name="hit or miss", source="an example")
def hit_or_miss(c):
    """Compute what tends to u·v where v > 0, and to u·(v + 1) where nothing but hits is called."""
    return c.tpr * c.fpr + c.tpr * c.ppv


def test_a_limit_that_is_not_uniform_does_not_keep_the_value():
    found = kept_value(hit_or_miss)
    assert (found.kept, found.known) == (LOST, "computed")
    assert found.evidence.endswith("but not uniformly")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "value", "order", "choice"),
    [
        ("f1", LOST, LOST, LOST),
        ("mcc", LOST, LOST, LOST),
        ("precision", LOST, EXACTLY, EXACTLY),
        ("robust_mcc(d=0.05)", IN_THE_LIMIT, IN_THE_LIMIT, IN_THE_LIMIT),
        ("optimized_precision", IN_THE_LIMIT, IN_THE_LIMIT, IN_THE_LIMIT),
        ("g_mean", EXACTLY, EXACTLY, EXACTLY),
    ],
)
def test_three_kinds(text, value, order, choice):
    """Precision orders classifiers by u/v at each prevalence, while its value tends to 0."""
    measure = get_metric(text)
    found = three_kinds(measure, best_limits(measure))
    assert [found[kind].kept for kind in ("value", "order", "choice")] == [value, order, choice]


def test_a_choice_that_only_one_curve_keeps_is_lost_with_a_remark():
    ends = RareLimit(0.09, 0.0004, "proved", ""), RareLimit(0.0, 0.0, "computed", "")
    found = kept_choice(Kept(LOST, "computed", ""), dict(zip(CURVES, ends, strict=True)))
    assert (found.kept, found.known) == (LOST, "computed")
    assert found.evidence.startswith(f"{NOT_EVERYWHERE}equal deviations: TPR 0.09, FPR 0.0004;")
    both = dict.fromkeys(CURVES, ends[0])
    assert kept_choice(Kept(LOST, "", ""), both)[:2] == (IN_THE_LIMIT, "proved")
    everything = dict.fromkeys(CURVES, RareLimit(1.0, 0.995, "proved", ""))
    assert kept_choice(Kept(LOST, "", ""), everything).kept == LOST


def test_the_share_of_pairs_that_change_order():
    """Accuracy tends to 1 - v: of two independent uniform pairs the orders by u - v and by -v are
    opposite with the probability 1/4, and those of functions of the rates never are."""
    assert reversed_share(get_metric("accuracy")) == pytest.approx(1 / 4, abs=0.02)
    assert reversed_share(get_metric("g_mean")) == 0
