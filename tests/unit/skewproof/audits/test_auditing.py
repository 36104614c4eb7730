import dataclasses
import re

import numpy as np
import pytest
from scipy.stats import spearmanr

from skewproof.audits.auditing import (
    audit,
    identities,
    nearest_metrics,
    undefined_edges,
)
from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.formulas.metrics import FormulaError, parse_metric
from skewproof.core.levels import Level
from skewproof.core.metric import Metric
from skewproof.metrics import METRICS
from skewproof.metrics.atlas import ATLAS
from skewproof.sensitivity.ranges.ranges import normalized_range


@pytest.mark.slow
def test_ranges():
    assert normalized_range(METRICS["laplace"]) == (pytest.approx(1 / 3), pytest.approx(2 / 3))
    assert audit("tp/P - fp/N").low == -1
    # u (1 - u) is largest inside the square.
    assert audit("tp*fn/P**2").high == 0.25
    card = audit("(2*tp/P - 1)**2 + fp/N")
    assert (card.low, card.high) == (0, 2)


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


@pytest.mark.slow
def test_an_identity_of_small_matrices_is_not_listed_and_one_without_a_proof_says_so():
    assert identities(parse_metric("min(2*tp/(2*tp + fp + fn), 20000/(tp + 1))")) == []
    assert audit("max(1000, fp)").identities == []
    equal, _ = identities(parse_metric("tp/P + (exp(fp/N)**2 - 1)/(exp(fp/N) + 1) - exp(fp/N) + 1"))
    assert equal.startswith("equals true_positive_rate on the 300 matrices tried")
    assert equal.endswith("10^12; not proved")


@pytest.mark.slow
def test_kinks_are_resolved():
    assert audit("max(tp/P, tn/N)").indices[0]["s1_tp"] == pytest.approx(0.4)
    assert audit("abs(tp/P - fp/N)").indices[0]["s1_tp"] == pytest.approx(0.1)


@pytest.mark.slow
def test_the_figure_is_scaled():
    figure = audit("tp/P - fp/N").plot()
    titles = [axes.get_title() for axes in figure.axes if axes.get_title()]
    assert titles == ["1:1", "1:2", "1:10", "1:100", "1:1000"]


@pytest.mark.slow
@pytest.mark.parametrize("key", ["50%", "a$b", "\\x{"])
def test_a_card_with_any_key_is_shown(key):
    assert "<img" in audit("tp/P - fp/N", key=key)._repr_html_()


@pytest.mark.slow
def test_nothing_depends_on_chance():
    assert audit("tp/(tp + fp)") == audit("tp/(tp + fp)")
    assert np.isfinite([row["sigma"] for row in audit("tp/(tp + fp)").sigma]).all()


@pytest.mark.slow
def test_a_key_a_formula_and_a_metric_are_taken():
    by_key = audit("f1")
    assert by_key == audit(METRICS["f1"])
    formula = audit("2*tp/(2*tp + fn + fp)", key="f1")
    assert (formula.sigma, formula.indices) == (by_key.sigma, by_key.indices)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("at", "levels"),
    [
        ("1:5000", "1:1 1:2 1:10 1:100 1:1000 1:5000"),
        (0.003, "1:1 1:2 1:10 1:100 3:997 1:1000"),
        (0.75, "1:1 3:1 1:2 1:10 1:100 1:1000"),
        (Level(1, 100), "1:1 1:2 1:10 1:100 1:1000"),
        ("1:1", "1:1 1:2 1:10 1:100 1:1000"),
    ],
)
def test_a_prevalence_joins_the_levels_in_their_order(at, levels):
    card, usual = audit("f1", at=at), audit("f1")
    assert card.levels == levels.split()
    assert [row["level"] for row in card.indices] == card.levels
    assert [row["level"] for row in card.sigma] == card.levels[1:]
    assert [row["level"] for row in card.invariance] == card.levels[1:]
    for name in ("indices", "sigma", "invariance"):
        known = [row for row in getattr(card, name) if row["level"] in usual.levels]
        assert known == getattr(usual, name)
    titles = [axes.get_title() for axes in card.plot().axes]
    assert list(filter(None, titles)) == card.levels


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
    assert card.there == (
        "At 1:5 the true positives alone explain 0.2% of its variance over all classifiers, and the"
        " false positives alone explain 99.8%. The same rates give values that differ from those at"
        " 1:1 by 0.002 on average, scaled to [0, 1]."
    )
    assert card.verdict.startswith("Imbalance changes it, as at 1:5: -200 at 1:1 and -1200 here")
    assert audit("tp - 5*fp", at="1:5000").low == -5 * 500_000


@pytest.mark.slow
@pytest.mark.parametrize("scale", ["1e-12", "1e12"])
def test_a_metric_of_another_scale_is_the_same_one(scale):
    card, scaled = audit("tp/P - fp/N"), audit(f"{scale}*(tp/P - fp/N)")
    factor = float(scale)
    assert (scaled.low, scaled.high) == pytest.approx((-factor, factor), rel=1e-9)
    assert scaled.type == card.type
    for row, other in zip(scaled.sigma, card.sigma, strict=True):
        assert row["sigma"] == pytest.approx(other["sigma"], abs=1e-9)
    assert [row["verdict"] for row in scaled.invariance] == ["same"] * 4
    assert f"equals {factor:.6g}·youden_j" in scaled.identities
    # On no scale it is a function of what it does not depend on.
    assert identities(parse_metric(f"{scale}*tp*tn")) == []


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


@pytest.mark.slow
def test_the_range_is_the_declared_one_where_corners_are_undefined():
    """The normal quantile is infinite at rates of 0 and 1, which rounding makes of rates near."""
    card = audit("normal_area")
    assert (card.low, card.high) == ATLAS["normal_area"].bounds


@pytest.mark.slow
def test_a_name_gives_the_card_of_its_metric():
    assert audit("F1 score") == audit("f1")
    assert audit("tp").formula == "tp"


UNKNOWN = "is neither the key or name of a metric nor"
ALONE = "depends on the class sizes alone"
NO_METRIC = r"metric = .*: expected a metric, its key or name"
FAILS = "worst_rate is a function that fails on SymPy's symbols"
STATED = "expected a stated prevalence, such as 0.001"


def worst(function):
    return Metric("worst_rate", "w", "worst rate", "an example", function, bounds=(0, 1))


@pytest.mark.parametrize(
    ("metric", "fault", "message"),
    [
        ("mccc", KeyError, f"'mccc' {UNKNOWN} .*; did you mean 'mcc'?"),
        ("xyzzy", KeyError, f"'xyzzy' {UNKNOWN} a formula in tp, fp, fn, tn, P, N"),
        ("x" * 5000, KeyError, r"\(5002 characters\) is neither the key"),
        (5, ValueError, NO_METRIC),
        (None, ValueError, NO_METRIC),
        (["f1"], ValueError, NO_METRIC),
        (
            dataclasses.replace(parse_metric("tp/P - fp/N", key="own"), bounds=(0.0, 1.0)),
            ValueError,
            "own has values from -1 to 1: expected values within its bounds",
        ),
        ("tp/(tp+fp)*k", FormulaError, "character 12, 'k': expected one of tp, fp, fn, tn, P, N"),
        ("tpp/P", FormulaError, "character 1, 'tpp': expected one of tp, .*did you mean 'tp'?"),
        ("", FormulaError, "the formula is empty"),
        (worst(lambda c: np.fmin(c.tpr, c.tnr)), FormulaError, FAILS),
        (worst(lambda c: c.tpr if c.tpr < c.tnr else c.tnr), FormulaError, FAILS),
        ("tp/fp", FormulaError, "is unbounded above at 1:1, near tp/P = 1 and fp/N = 3.41e-22"),
        ("log(tp/P)", FormulaError, "metric is unbounded below at 1:1"),
        ("sqrt(tp/P - fp/N)", FormulaError, "metric is undefined inside the square"),
        ("1e-12*tp/fp", FormulaError, "metric is unbounded above at 1:1"),
        ("P", FormulaError, f"'P' {ALONE}"),
        ("tp + fn", FormulaError, rf"'tp \+ fn' {ALONE}"),
        ("P/(P + N)", FormulaError, ALONE),
    ],
)
@pytest.mark.slow
def test_metrics_without_a_card(metric, fault, message):
    with pytest.raises(fault, match=message):
        audit(metric)


@pytest.mark.parametrize(
    ("at", "message"),
    [
        (2, "at = 2: expected a prevalence above 0 and below 1, such as 0.02 for 2 %"),
        ("12/4000", f"at = '12/4000': {STATED}"),
        ("population", f"at = 'population': {STATED}"),
        (0.0123456789012, 'at = 0.0123456789012: expected a level such as "1:1000", or a preval'),
    ],
)
def test_what_is_no_prevalence_for_a_card(at, message):
    with pytest.raises(ValueError, match=f"^{re.escape(message)}"):
        audit("f1", at=at)
