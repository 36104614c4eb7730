import itertools
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from scipy.stats import spearmanr

from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.formulas.metrics import parse_metric
from skewproof.metrics import METRICS
from skewproof_studies.van_zyl.verdicts.orderings import (
    DrawnClassifiers,
    count_orderings,
    invariant_metrics,
    opposite_pair,
    orderings,
    rising_function,
    shared_orderings,
)

pytestmark = pytest.mark.slow

SOME = ["balanced_accuracy", "g_mean", "f1_i", "gilbert_ratio_i", "optimized_precision_i"]


@pytest.fixture(scope="module")
def table():
    return orderings(SOME, registry=METRICS, seed=1).set_index("metric")


def test_metrics_that_are_functions_of_each_other_share_an_ordering(table):
    assert table["ordering"].to_list() == [1, 2, 3, 3, 4]
    assert table.loc["gilbert_ratio_i", "like"] == "f1_i"
    assert count_orderings(table) == 4
    assert shared_orderings(table.reset_index()) == [["f1_i", "gilbert_ratio_i"]]
    # Balanced accuracy by u - v and G-mean by u(1 - v), in fractions.
    pair = table.loc["g_mean", "evidence"].removeprefix("against balanced_accuracy: ")
    (u, v), (s, t) = (map(Fraction, point.strip("()").split(", ")) for point in pair.split(" and "))
    assert ((u - v) - (s - t)) * (u * (1 - v) - s * (1 - t)) < 0


def test_classes_are_those_of_rank_correlations(table):
    """A rank correlation of exactly 1 on random matrices, and only then."""
    u, v = np.random.default_rng(4).random((2, 3000))
    matrix = ConfusionMatrix.from_rates(u, v, positives=1.0, negatives=1.0)
    for one, other in itertools.combinations(SOME, 2):
        alike = table.loc[one, "ordering"] == table.loc[other, "ordering"]
        rank = spearmanr(METRICS[one](matrix), METRICS[other](matrix)).statistic
        assert (rank > 1 - 1e-12) == alike


@pytest.mark.parametrize(
    ("one", "other", "slopes"),
    [
        ("tp/P - fp/N", "tp/P - fp/N + 1", "both rise with u, not with v"),
        ("tn/N", "(tn/N)**2", "their slopes have one sign each"),
    ],
)
def test_the_proof_says_which_way_the_slopes_are_only_where_it_is_known(one, other, slopes):
    metrics = parse_metric(one, key="one"), parse_metric(other, key="other")
    assert rising_function(*metrics) == f"the Jacobian of one and other is 0; {slopes}"


def test_metrics_that_are_the_same_at_every_level_are_taken():
    table = pd.DataFrame(
        [("f1", "1:2", "differs"), ("f1", "1:10", "same"), ("f1_i", "1:2", "same")],
        columns=["metric", "level", "verdict"],
    )
    assert invariant_metrics(table) == ["f1_i"]


def test_a_falling_function_is_another_ordering_unless_lower_is_better():
    pair = METRICS["true_positive_rate"], METRICS["false_negative_rate"]
    assert rising_function(*pair) is not None
    assert opposite_pair(*pair, DrawnClassifiers.drawn(1)) is None
    texts = {"rising": "tp/P", "falling": "fn/P", "one": "(tp/P - fp/N)**2"}
    registry = {key: parse_metric(text, key=key) for key, text in texts.items()}
    assert rising_function(registry["rising"], registry["falling"]) is None
    found = orderings(["rising", "falling"], registry=registry, seed=1)
    assert found["ordering"].to_list() == [1, 2]
    # Two that order alike, but their slopes have no sign.
    registry["other"] = parse_metric("abs(tp/P - fp/N)", key="other")
    found = orderings(["one", "other"], registry=registry, seed=1)
    assert found["ordering"].isna().to_list() == [False, True]
    assert found.loc[1, "evidence"] == "against one: neither shown"
