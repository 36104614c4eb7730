"""Known values, and laws that hold for every registered metric."""

import re

import numpy as np
import pytest

from known_values import KNOWN_VALUES
from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.scales import bounded
from skewproof.metrics import METRICS


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


def test_array_is_elementwise():
    tp, fp = np.linspace(1, 11, 5)[:, np.newaxis], np.linspace(1, 23, 7)
    together = ConfusionMatrix.from_tp_fp(tp, fp, positives=12, negatives=24)
    alone = ConfusionMatrix.from_tp_fp(tp[3, 0], fp[2], positives=12, negatives=24)
    for key, one in METRICS.items():
        values = one(together)
        assert (values.shape, values.dtype) == ((5, 7), np.float64), key
        assert values[3, 2] == one(alone), key


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


def test_the_adjusted_geometric_mean_is_0_without_hits():
    matrix = at_rates(np.array([0, 1e-9]), 0.5, 10, 99)
    np.testing.assert_allclose(METRICS["adjusted_g_mean"](matrix), [0, 0.495], rtol=1e-4)


def test_a_variant_knows_its_metric():
    variants = {key: one.variant_of for key, one in METRICS.items() if one.variant_of}
    assert variants == {key: key.removesuffix("_i") for key in METRICS if key.endswith("_i")}


def test_names_are_names_and_sources_say_when_or_by_which_equation():
    citation = re.compile(r"\b1[6-9]\d\d\b|\b20\d\d\b|\bEqs?\. \d")
    assert [one.key for one in METRICS.values() if citation.search(one.name)] == []
    assert [one.key for one in METRICS.values() if not citation.search(one.source)] == []


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


def test_perfect_classifier():
    for key, one in METRICS.items():
        for positives, negatives in ((1, 1), (3, 10**6), (10**6, 7)):
            perfect = (positives + 1) / (positives + 2) if key == "laplace" else PERFECT.get(key, 1)
            value = one(at_rates(1, 0, positives, negatives))
            assert value == pytest.approx(perfect, rel=1e-12), key
        assert key == "laplace" or perfect == one.bounds[not one.lower_is_better]


@pytest.mark.parametrize(
    "key", ["cohen_kappa", "cohen_kappa_i", "markedness", "mcc", "mcc_i", "scott_pi", "youden_j"]
)
def test_a_metric_from_minus_1_to_1_is_minus_1_where_all_is_wrong_and_0_for_guesses(key):
    assert METRICS[key](at_rates(0, 1, 30, 30)) == -1
    assert METRICS[key](at_rates(0.5, 0.5, 30, 30)) == 0
    assert METRICS[key].bounds == (-1, 1)
