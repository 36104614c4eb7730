"""The explorer's statements about metrics, compared with results from their definitions."""

import math

import numpy as np
import pytest

from skewproof.core.levels import Level
from skewproof.explorer.facts import advice, evidence, facts_of_metrics, index_levels
from skewproof.metrics import METRICS
from skewproof.metrics.atlas import ATLAS
from skewproof.sensitivity.proofs.invariance import SizeInvariance, invariance

KEYS = ["accuracy", "f1", "f1_i", "true_positive_rate", "false_positive_rate", "youden_j"]


@pytest.fixture(scope="module")
def facts():
    return {fact["key"]: fact for fact in facts_of_metrics({key: METRICS[key] for key in KEYS})}


def test_levels_are_the_ends_of_the_slider_and_decades_between():
    levels = index_levels()
    assert (levels[0], levels[-1]) == (math.log10(1 / 1000), math.log10(1_000_000))
    assert set(range(-3, 7)) <= set(levels)


@pytest.mark.slow
def test_indices_of_accuracy(facts):
    # Accuracy is (P u + N (1 - v))/(P + N): the variances of its terms are as P² and N².
    for level, s1_tp, s1_fp in zip(index_levels(), *facts["accuracy"]["indices"], strict=True):
        ratio = 10**level
        assert s1_tp == pytest.approx(1 / (1 + ratio**2), abs=1e-6)
        assert s1_fp == pytest.approx(ratio**2 / (1 + ratio**2), abs=1e-6)


@pytest.mark.slow
def test_indices_that_no_level_changes(facts):
    # J is u - v: both halves.
    assert facts["youden_j"]["indices"] == [[0.5] * len(index_levels())] * 2


@pytest.mark.slow
def test_evidence_can_be_checked_by_hand(facts):
    # With 100 positives and 10,000 negatives, tp = 50, fp = 5000, fn = 50: 100/5150.
    assert facts["f1"]["evidence"] == (
        "With tp/P = 1/2 and fp/N = 1/2 it is 1/2 at 1:1 and 2/103 at 1:100."
    )
    assert facts["f1"]["proofInMath"] is None
    assert facts["f1_i"]["evidence"].startswith("Class sizes cancel")
    assert facts["f1_i"]["proofInMath"].startswith("<math")


@pytest.mark.slow
def test_advice_for_what_moves_has_its_mean_distance(facts):
    middles = (np.arange(400) + 0.5) / 400
    u, v = middles[:, np.newaxis], middles
    balanced, rare = (2 * u / (u + 1 + ratio * v) for ratio in (1, 100))
    distance = np.abs(balanced - rare).mean()
    expected = f"differ by {distance:.2f} between 1:1 and 1:100, on average"
    assert expected in facts["f1"]["advice"]
    assert facts["f1"]["advice"].endswith("; its variant f1_i stays the same.")
    assert "variant" not in facts["accuracy"]["advice"]


@pytest.mark.slow
def test_advice_for_what_stays(facts):
    start = "Values at different imbalances may be compared, since only the two rates enter"
    assert facts["f1_i"]["advice"] == f"{start}."
    assert facts["true_positive_rate"]["advice"] == (
        f"{start}, and of them only that of the positives: report it with one of the negatives,"
        " such as the false positive rate."
    )
    assert "only that of the negatives" in facts["false_positive_rate"]["advice"]


def test_what_is_undecided_is_said():
    shown = SizeInvariance("undecided")
    assert "until a proof is found" in advice(METRICS["f1"], shown, [[None], [None]], None)
    assert evidence(shown) == (
        "Neither a proof that it stays the same nor an example of a change was found."
    )


@pytest.mark.slow
def test_bounds_are_such_as_json_has(facts):
    metric = METRICS["discriminant_power"]
    (fact,) = facts_of_metrics({"discriminant_power": metric})
    assert (fact["low"], fact["high"]) == ("-Infinity", "Infinity")
    assert (facts["youden_j"]["low"], facts["youden_j"]["high"]) == (-1, 1)
    assert invariance(metric, Level(1, 100), Level(1, 1), 100).verdict == fact["verdict"]


@pytest.mark.slow
def test_a_metric_of_which_neither_high_nor_low_values_are_good_has_no_best_point():
    keys = ("frequency_bias", "false_negative_rate")
    collected = facts_of_metrics({key: ATLAS[key] for key in keys})
    found = [(fact["hasBest"], fact["lowerIsBetter"]) for fact in collected]
    assert found == [(False, False), (True, True)]
