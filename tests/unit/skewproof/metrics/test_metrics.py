"""Known values, and laws that hold for every registered metric."""

import re

import numpy as np
import pytest
import sympy
from hypothesis import given, strategies as st

from known_values import INVARIANT, KNOWN_VALUES
from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.formulas.symbolic import formula
from skewproof.core.metric import metric
from skewproof.core.normalize import normalized
from skewproof.core.scales import bounded
from skewproof.metrics import METRICS
from skewproof.metrics.precision_recall import f_beta

SIZE_DEPENDENT = {"adjusted_g_mean", "laplace"}

PERFECT = {
    "balanced_error_rate": 0,
    "diagnostic_odds_ratio": np.inf,
    "discriminant_power": np.inf,
    "error_rate": 0,
    "false_discovery_rate": 0,
    "false_negative_rate": 0,
    "false_omission_rate": 0,
    "false_positive_rate": 0,
    "negative_likelihood_ratio": 0,
    "positive_likelihood_ratio": np.inf,
}
"""Scores of the perfect classifier that are not 1."""

SLIGHT = {"adjusted_g_mean": 1e-4}
"""Effects of the class sizes that are smaller than usual."""

EVERY_METRIC = pytest.mark.parametrize("key", sorted(METRICS))

rates = st.floats(0.001, 0.999)
sizes = st.integers(1, 10**6)


def at_rates(tpr, fpr, positives, negatives):
    return ConfusionMatrix.from_tp_fp(
        tpr * positives, fpr * negatives, positives=positives, negatives=negatives
    )


def test_known_values():
    matrix = ConfusionMatrix(tp=9, fp=4, fn=3, tn=20)
    found = {key: float(one(matrix)) for key, one in METRICS.items()}
    forgotten = sorted(set(found) - set(KNOWN_VALUES))
    assert not forgotten, f"add the values of {forgotten} to tests/known_values.py"
    assert found == pytest.approx(KNOWN_VALUES, rel=1e-15)


@EVERY_METRIC
@given(tpr=rates, fpr=rates, positives=sizes, negatives=sizes)
@pytest.mark.slow
def test_range(key, tpr, fpr, positives, negatives):
    low, high = METRICS[key].bounds
    value = METRICS[key](at_rates(tpr, fpr, positives, negatives))
    assert low - 1e-15 <= value <= high + 1e-15
    assert -1e-15 <= bounded(METRICS[key])(at_rates(tpr, fpr, positives, negatives)) <= 1 + 1e-15


@EVERY_METRIC
@given(positives=sizes, negatives=sizes)
@pytest.mark.slow
def test_perfect_classifier(key, positives, negatives):
    expected = (positives + 1) / (positives + 2) if key == "laplace" else PERFECT.get(key, 1)
    value = METRICS[key](at_rates(1, 0, positives, negatives))
    assert value == pytest.approx(expected, rel=1e-12)
    low, high = METRICS[key].bounds
    if key != "laplace":
        assert expected == (low if METRICS[key].lower_is_better else high)


@EVERY_METRIC
@given(tpr=rates, fpr=rates, positives=sizes, negatives=sizes)
@pytest.mark.slow
def test_no_classifier_is_better_than_the_perfect_nor_worse_than_the_one_always_wrong(
    key, tpr, fpr, positives, negatives
):
    sign = -1 if METRICS[key].lower_is_better else 1
    some, perfect, worst = (
        sign * bounded(METRICS[key])(at_rates(*point, positives, negatives))
        for point in ((tpr, fpr), (1, 0), (0, 1))
    )
    assert some <= perfect + 1e-12
    assert not some < worst - 1e-12  # undefined where all are wrong, for some


@pytest.mark.parametrize(
    "key", ["cohen_kappa", "cohen_kappa_i", "markedness", "mcc", "mcc_i", "scott_pi", "youden_j"]
)
def test_a_metric_from_minus_1_to_1_is_minus_1_where_all_is_wrong_and_0_for_guesses(key):
    assert METRICS[key](at_rates(0, 1, 30, 30)) == -1
    assert METRICS[key](at_rates(0.5, 0.5, 30, 30)) == 0
    assert METRICS[key].bounds == (-1, 1)


def test_optimized_precision_has_the_range_that_the_paper_maps_from():
    """Without hits and with few correct rejections it is the accuracy minus 1: -1 is a limit."""
    for key in ("optimized_precision", "optimized_precision_i"):
        assert METRICS[key].bounds == (-1, 1)
        assert METRICS[key](at_rates(0, 1 - 1e-9, 10, 20)) == pytest.approx(-1, abs=1e-8)
        assert np.isnan(METRICS[key](at_rates(0, 1, 10, 20)))


@pytest.mark.parametrize("key", sorted(set(METRICS) - SIZE_DEPENDENT))
@given(tpr=rates, fpr=rates, positives=sizes, negatives=sizes, factor=st.integers(2, 1000))
@pytest.mark.slow
def test_twice_as_much_of_everything_changes_nothing(key, tpr, fpr, positives, negatives, factor):
    once = METRICS[key](at_rates(tpr, fpr, positives, negatives))
    more = METRICS[key](at_rates(tpr, fpr, factor * positives, factor * negatives))
    assert more == pytest.approx(once, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("key", sorted(INVARIANT))
@given(tpr=rates, fpr=rates, positives=sizes, negatives=sizes)
@pytest.mark.slow
def test_invariant_metrics_do_not_see_the_class_sizes(key, tpr, fpr, positives, negatives):
    balanced = METRICS[key](at_rates(tpr, fpr, 1, 1))
    assert METRICS[key](at_rates(tpr, fpr, positives, negatives)) == pytest.approx(
        balanced, rel=1e-9, abs=1e-9
    )


def test_the_others_do():
    balanced, imbalanced = at_rates(0.8, 0.3, 100, 100), at_rates(0.8, 0.3, 100, 1000)
    for key in set(METRICS) - INVARIANT:
        shift = abs(METRICS[key](balanced) - METRICS[key](imbalanced))
        assert shift > SLIGHT.get(key, 0.01), key


def test_array_is_elementwise():
    tp, fp = np.linspace(1, 11, 5)[:, np.newaxis], np.linspace(1, 23, 7)
    together = ConfusionMatrix.from_tp_fp(tp, fp, positives=12, negatives=24)
    alone = ConfusionMatrix.from_tp_fp(tp[3, 0], fp[2], positives=12, negatives=24)
    for key, one in METRICS.items():
        values = one(together)
        assert (values.shape, values.dtype) == ((5, 7), np.float64), key
        assert values[3, 2] == one(alone), key


@pytest.mark.parametrize(
    "key", sorted(key for key in METRICS if key.endswith("_i") and key != "laplace_i")
)
def test_normalized_metric_is_the_metric_when_classes_are_balanced(key):
    matrix = at_rates(
        np.linspace(0.05, 0.95, 10)[:, np.newaxis], np.linspace(0.1, 0.9, 9), 100, 100
    )
    original = METRICS[key.removesuffix("_i")]
    np.testing.assert_allclose(METRICS[key](matrix), original(matrix), rtol=1e-14)


@pytest.mark.slow
def test_normalized_kappa_is_youden_j():
    difference = formula(METRICS["cohen_kappa_i"]) - formula(METRICS["youden_j"])
    assert sympy.simplify(difference) == 0


@pytest.mark.slow
def test_normalized_f1_is_a_function_of_the_normalized_gilbert_ratio():
    v_i = formula(METRICS["gilbert_ratio_i"])
    assert sympy.simplify(formula(METRICS["f1_i"]) - 2 * v_i / (1 + v_i)) == 0


@given(tpr=rates, fpr=rates, positives=sizes, negatives=sizes)
def test_normalized_f1_is_the_f1_of_siblini_et_al_calibrated_to_one_half(
    tpr, fpr, positives, negatives
):
    matrix = at_rates(tpr, fpr, positives, negatives)
    ratio_of_classes = positives / negatives
    precision = matrix.tp / (matrix.tp + ratio_of_classes * matrix.fp)
    calibrated = 2 * precision * tpr / (precision + tpr)
    assert METRICS["f1_i"](matrix) == pytest.approx(calibrated, abs=1e-9)


@pytest.mark.parametrize(
    ("key", "undefined"),
    [
        ("mcc", ["nothing positive", "everything positive"]),
        ("markedness", ["nothing positive", "everything positive"]),
        ("fowlkes_mallows", ["nothing positive"]),
        ("optimized_precision", ["all wrong"]),
        ("sensitivity_specificity_harmonic_mean", ["all wrong"]),
        ("accuracy", []),
        ("f1", []),
        ("laplace", []),
        ("adjusted_g_mean", []),
        ("adjusted_f", []),
        ("false_discovery_rate", ["nothing positive"]),
        ("positive_likelihood_ratio", ["nothing positive"]),
        ("negative_likelihood_ratio", ["everything positive"]),
        ("diagnostic_odds_ratio", ["nothing positive", "everything positive"]),
        ("discriminant_power", ["nothing positive", "everything positive"]),
    ],
)
@pytest.mark.slow
def test_where_a_metric_is_undefined(key, undefined):
    corners = {"nothing positive": (0, 0), "everything positive": (1, 1), "all wrong": (0, 1)}
    found = [
        name
        for name, (tpr, fpr) in corners.items()
        if np.isnan(METRICS[key](at_rates(tpr, fpr, 10, 20)))
    ]
    assert found == undefined


def test_where_a_metric_is_infinite():
    only_hits = at_rates(0.5, 0, 10, 20)
    assert METRICS["positive_likelihood_ratio"](only_hits) == np.inf
    assert METRICS["negative_likelihood_ratio"](at_rates(0.5, 1, 10, 20)) == np.inf
    for key, low in (("diagnostic_odds_ratio", 0), ("discriminant_power", -np.inf)):
        assert METRICS[key](only_hits) == np.inf
        assert METRICS[key](at_rates(0, 0.5, 10, 20)) == low
        assert bounded(METRICS[key])(only_hits) == 1
        assert bounded(METRICS[key])(at_rates(0, 0.5, 10, 20)) == 0


@given(tpr=rates, fpr=rates, positives=sizes, negatives=sizes, beta=st.floats(0.01, 100))
def test_f_beta_is_the_weighted_harmonic_mean(tpr, fpr, positives, negatives, beta):
    matrix = at_rates(tpr, fpr, positives, negatives)
    by_means = (1 + beta**2) / (1 / matrix.ppv + beta**2 / matrix.tpr)
    assert f_beta(matrix, beta) == pytest.approx(by_means, rel=1e-9)
    assert f_beta(matrix, 1) == pytest.approx(METRICS["f1"](matrix), rel=1e-12)


@pytest.mark.parametrize("beta", [0, -1, np.inf, np.nan])
def test_a_bad_beta_is_refused(beta):
    with pytest.raises(ValueError, match="expected a finite number above 0"):
        f_beta(at_rates(0.5, 0.5, 10, 10), beta)


def test_the_adjusted_geometric_mean_is_0_without_hits():
    matrix = at_rates(np.array([0, 1e-9]), 0.5, 10, 99)
    np.testing.assert_allclose(METRICS["adjusted_g_mean"](matrix), [0, 0.495], rtol=1e-4)


@metric(symbol="F", name="another", source="nowhere")
def f1(c):
    return c.tp


@pytest.mark.parametrize("second", [f1, normalized(METRICS["mcc"])], ids=["f1", "mcc_i"])
def test_a_key_is_declared_once(second):
    with pytest.raises(
        ValueError, match=f"key = '{second.key}': expected a key that no other metric"
    ):
        METRICS.extended([second])


def test_a_variant_knows_its_metric():
    variants = {key: one.variant_of for key, one in METRICS.items() if one.variant_of}
    assert variants == {key: key.removesuffix("_i") for key in METRICS if key.endswith("_i")}


def test_names_are_names_and_sources_say_when_or_by_which_equation():
    citation = re.compile(r"\b1[6-9]\d\d\b|\b20\d\d\b|\bEqs?\. \d")
    assert [one.key for one in METRICS.values() if citation.search(one.name)] == []
    assert [one.key for one in METRICS.values() if not citation.search(one.source)] == []
