import numpy as np
import pytest
from sklearn.metrics import f1_score

from skewproof.metrics import METRICS
from skewproof_studies.van_zyl.real_data.cutoffs import (
    HeldOut,
    best_cutoff,
    moved_flips,
    moved_labels,
)
from skewproof_studies.van_zyl.real_data.flips import label_ways, ranking_flips

RANDOM = np.random.default_rng(3)
POSITIVE = np.repeat([True, False], [60, 540])
FOLD = np.arange(600) % 3


def scored(separation, shift):
    """Make scores that grow with the class; a shift moves all of them."""
    logits = RANDOM.normal(size=600) + separation * POSITIVE + shift
    return 1 / (1 + np.exp(-logits))


HELD = HeldOut(POSITIVE, FOLD, {"shy": scored(2.5, -4.0), "bold": scored(1.0, 0.0)})
METRICS_SEEN = ["f1", "f1_i", "accuracy"]


def test_the_best_cut_off_is_that_of_a_search():
    positive, scores = POSITIVE[40:100], HELD.scores["shy"][40:100]
    found = best_cutoff(METRICS["f1"], positive, scores)

    def value(cutoff):
        called = scores >= cutoff
        return 2 * (called & positive).sum() / (called.sum() + positive.sum())

    assert value(found) == max(map(value, scores)) > value(0.5)
    assert value(found) == f1_score(positive, scores >= found)
    scores = HELD.scores["shy"]
    by_errors, by_hits = (
        best_cutoff(METRICS[key], POSITIVE, scores) for key in ("error_rate", "accuracy")
    )
    assert by_errors == by_hits
    assert np.isnan(best_cutoff(METRICS["markedness"], POSITIVE, np.full(600, 0.3)))


def test_an_instance_has_no_part_in_the_cut_off_that_labels_it():
    labels = moved_labels(METRICS["f1"], HELD)["shy"]
    own = FOLD == 1
    cutoff = best_cutoff(METRICS["f1"], POSITIVE[~own], HELD.scores["shy"][~own])
    np.testing.assert_array_equal(labels[own], HELD.scores["shy"][own] >= cutoff)
    turned = HELD._replace(positive=np.where(own, ~POSITIVE, POSITIVE))
    np.testing.assert_array_equal(moved_labels(METRICS["f1"], turned)["shy"][own], labels[own])


@pytest.mark.slow
def test_a_shy_classifier_wins_once_its_cut_off_moves():
    """It calls few positive at one half: recall counts for more under F_i than under F1."""
    options = {"draws": 300, "seed": 1, "registry": METRICS}
    ways = label_ways(POSITIVE, {name: own > 0.5 for name, own in HELD.scores.items()})
    usual = ranking_flips(ways, METRICS_SEEN, **options).set_index("metric")
    moved = moved_flips(HELD, METRICS_SEEN, **options).set_index("metric")
    assert list(usual) == list(moved)
    assert usual.loc["f1_i", "winner"] == "bold"
    assert moved.loc["f1_i", "winner"] == "shy"
    assert not moved.loc["f1", "flips"]
