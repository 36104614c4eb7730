import dataclasses
import re

import numpy as np
import pytest
from scipy.stats import spearmanr

from skewproof.audits.auditing import (
    _identity_in_words,
    _values_between,
    audit,
    identities,
    nearest_metrics,
    undefined_edges,
)
from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.formulas.metrics import FormulaError, parse_metric
from skewproof.core.levels import DEFAULT_LEVELS, Level
from skewproof.core.metric import Metric
from skewproof.metrics import METRICS
from skewproof.metrics.atlas import ATLAS
from skewproof.sensitivity.proofs.linear_identities import LinearIdentity


@pytest.mark.slow
def test_the_normalized_formula_is_that_of_the_paper():
    """Eq. 46: L_i = 3 (rates' Laplace estimate) - 1."""
    assert audit("(tp + 1)/(tp + fp + 2)").normalized_latex == (
        r"\frac{3 \left(\Phi_{t_p} + 1\right)}{\Phi_{f_p} + \Phi_{t_p} + 2} - 1"
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("tp/P", []),
        ("tp/(tp + fp)", ["tp = 0 and fp = 0"]),
        ("(tp/(tp+fp) + tn/(tn+fn))/2", ["tp = 0 and fp = 0", "tp = P and fp = N"]),
        ("tp/P + 0*fp/fp", ["fp = 0"]),
    ],
)
def test_where_it_is_undefined(text, expected):
    assert undefined_edges(parse_metric(text, key="own")) == expected


@pytest.mark.parametrize("text", ["tp/P - 2*fp/N", "max(tp/P, 0.5) - min(fp/N, 0.3)"])
@pytest.mark.slow
def test_nearest_metrics_have_the_largest_rank_correlations(text):
    """Compare on the matrices of the card; the second has many equal values."""
    random = np.random.default_rng(0)
    sizes = 10 ** random.uniform(0, 4, (2, 500))
    tp, fp = random.random((2, 500)) * sizes
    matrices = ConfusionMatrix(tp=tp, fp=fp, fn=sizes[0] - tp, tn=sizes[1] - fp)
    values = parse_metric(text)(matrices)
    expected = {
        key: spearmanr(values, metric(matrices)).statistic for key, metric in METRICS.items()
    }
    nearest = nearest_metrics(parse_metric(text), number=len(METRICS))
    assert {row["metric"]: row["rank_correlation"] for row in nearest} == pytest.approx(expected)
    sizes = [abs(row["rank_correlation"]) for row in nearest]
    assert sizes == sorted(sizes, reverse=True)


def test_identities_are_found():
    assert identities(METRICS["cohen_kappa_i"]) == [
        "equals 2·balanced_accuracy -1",
        "equals youden_j",
        "equals -2·balanced_error_rate +1",
    ]
    youden = identities(parse_metric("tp/P + tn/N - 1", key="own"))
    assert "equals 2·balanced_accuracy -1" in youden
    assert identities(parse_metric("tp/P*tn", key="own")) == []


def test_an_identity_without_a_proof_says_so():
    words = _identity_in_words(LinearIdentity(1, 0, proved=False), "f1")
    assert words.startswith("equals f1 on the 300 matrices tried")
    assert words.endswith("10^12; not proved")


@pytest.mark.slow
def test_a_card_with_any_key_is_shown():
    assert "<img" in audit("tp/P - fp/N", key="50% a$b \\x{")._repr_html_()


@pytest.fixture(scope="module")
def f1():
    return audit("f1")


@pytest.mark.slow
def test_a_key_a_name_a_metric_and_a_formula_are_taken(f1):
    assert audit(METRICS["f1"]) == audit("F1 score") == f1
    formula = audit("2*tp/(2*tp + fn + fp)", key="f1")
    assert (formula.sigma, formula.indices) == (f1.sigma, f1.indices)
    assert audit("tp").formula == "tp"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("at", "levels"),
    [
        (0.003, "1:1 1:2 1:10 1:100 3:997 1:1000"),
        ("3:1", "1:1 3:1 1:2 1:10 1:100 1:1000"),
        (Level(1, 100), "1:1 1:2 1:10 1:100 1:1000"),
    ],
)
def test_a_prevalence_joins_the_levels_in_their_order(f1, at, levels):
    card = audit("f1", at=at)
    assert card.levels == levels.split()
    assert [row["level"] for row in card.indices] == card.levels
    assert [row["level"] for row in card.sigma] == card.levels[1:]
    assert [row["level"] for row in card.invariance] == card.levels[1:]
    for name in ("indices", "sigma", "invariance"):
        known = [row for row in getattr(card, name) if row["level"] in f1.levels]
        assert known == getattr(f1, name)
    titles = [axes.get_title() for axes in card.plot().axes]
    assert list(filter(None, titles)) == card.levels


@pytest.mark.slow
def test_a_metric_of_another_scale_is_the_same_one():
    card, scaled = audit("tp/P - fp/N"), audit("1e-12*(tp/P - fp/N)")
    assert (scaled.low, scaled.high) == pytest.approx((-1e-12, 1e-12), rel=1e-9)
    assert scaled.type == card.type
    for row, other in zip(scaled.sigma, card.sigma, strict=True):
        assert row["sigma"] == pytest.approx(other["sigma"], abs=1e-9)
    assert [row["verdict"] for row in scaled.invariance] == ["same"] * 4
    assert "equals 1e-12·youden_j" in scaled.identities
    # On no scale it is a function of what it does not depend on.
    assert identities(parse_metric("1e-12*tp*tn")) == []


UNKNOWN = "is neither the key or name of a metric nor"


def worst(function):
    return Metric("worst_rate", "w", "worst rate", "an example", function, bounds=(0, 1))


@pytest.mark.parametrize(
    ("metric", "fault", "message"),
    [
        ("mccc", KeyError, f"'mccc' {UNKNOWN} .*; did you mean 'mcc'?"),
        ("x" * 5000, KeyError, r"\(5002 characters\) is neither the key"),
        (5, ValueError, r"metric = .*: expected a metric, its key or name"),
        (
            dataclasses.replace(parse_metric("tp/P - fp/N", key="own"), bounds=(0.0, 1.0)),
            ValueError,
            "own has values from -1 to 1: expected values within its bounds",
        ),
        ("tp/(tp+fp)*k", FormulaError, "character 12, 'k': expected one of tp, fp, fn, tn, P, N"),
        (
            worst(lambda c: np.fmin(c.tpr, c.tnr)),
            FormulaError,
            "worst_rate is a function that fails on SymPy's symbols",
        ),
        (
            worst(lambda c: c.tpr if c.tpr < c.tnr else c.tnr),
            FormulaError,
            "worst_rate is a function that fails on SymPy's symbols",
        ),
        ("tp/fp", FormulaError, "is unbounded above at 1:1, near tp/P = 1 and fp/N = 3.41e-22"),
        ("sqrt(tp/P - fp/N)", FormulaError, "metric is undefined inside the square"),
        ("P", FormulaError, "'P' depends on the class sizes alone"),
    ],
)
def test_metrics_without_a_card(metric, fault, message):
    with pytest.raises(fault, match=message):
        audit(metric)


@pytest.mark.slow
def test_what_is_said_of_a_stated_prevalence_is_so_there():
    """The variance parts of tp - 5 fp at 1:5, and its mean shift: by hand.

    With 100 positives and 500 negatives tp has the variance 100²/12, 5 fp 2500²/12. From 1:1 to
    1:5 the metric changes by 2000 v, and its range goes from -500,000 to 100.
    """
    card = audit("tp - 5*fp", at="1:5")
    assert card.at == "1:5"
    (index,) = [row for row in card.indices if row["level"] == "1:5"]
    assert index["s1_tp"] == pytest.approx(1 / 626)
    (row,) = [row for row in card.sigma if row["level"] == "1:5"]
    assert row["mean_shift"] == pytest.approx(1000 / 500_100)
    assert audit("tp - 5*fp", at="1:5000").low == -5 * 500_000


@pytest.mark.slow
def test_a_metric_that_is_constant_for_one_positive_is_not_rescaled():
    assert audit("tp*(P - 1)").normalized_latex == "0"


@pytest.mark.slow
def test_a_formula_too_deep_for_sympy_is_refused(monkeypatch):
    def too_deep(metric):
        raise RecursionError

    monkeypatch.setattr("skewproof.audits.auditing.printed_formula", too_deep)
    with pytest.raises(FormulaError, match="'tp/P' is nested too deeply for SymPy"):
        audit("tp/P")


def test_the_range_is_the_declared_one_where_corners_are_undefined():
    """The normal quantile is infinite at rates of 0 and 1, which rounding makes of rates near."""
    metric = ATLAS["normal_area"]
    assert _values_between(metric, DEFAULT_LEVELS) == (*metric.bounds, "declared")


def test_a_prevalence_with_many_digits_is_no_level():
    message = 'at = 0.0123456789012: expected a level such as "1:1000", or a preval'
    with pytest.raises(ValueError, match=f"^{re.escape(message)}"):
        audit("f1", at=0.0123456789012)
