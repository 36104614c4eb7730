import re

import numpy as np
import pytest
from sklearn.metrics import average_precision_score

from skewproof.core.levels import Level
from skewproof.curves.areas.area import AREAS, area
from skewproof.prevalence.prevalence import Prevalence


@pytest.mark.parametrize(
    ("kind", "options", "message"),
    [
        ("h_mesure", {}, "'h_mesure': expected one of .*, h_measure; did you mean 'h_measure'"),
        ("PR", {}, "kind = 'PR': expected one of auc, partial_auc, .*, h_measure$"),
        (["auc"], {}, r"kind = \['auc'\]: expected one of auc"),
        ("auc", {"max_fpr": 0.1}, r"max_fpr = 0\.1: expected ties with auc"),
        ("average_precision", {"ties": 1}, "ties = 1: expected no option with average_precision"),
        ("auc", {"ties": None}, "ties = None: expected one of 'expected', 'optimistic'"),
    ],
)
def test_other_kinds_and_options_are_refused(kind, options, message):
    with pytest.raises(ValueError, match=message):
        area(kind, [1, 0], [0.1, 0.2], **options)


def test_the_table_of_the_documentation_has_the_kinds_in_their_order():
    table = area.__doc__.partition("The functions in")[0]
    assert re.findall(r'^ +"(\w+)"', table, flags=re.MULTILINE) == list(AREAS)


def scored():
    """Make six positives and nine negatives, some with equal scores."""
    random = np.random.default_rng(3)
    true = np.repeat([1, 0], [6, 9])
    return true, random.normal(true).round(1)


@pytest.mark.parametrize("kind", AREAS)
@pytest.mark.parametrize(("level", "times"), [("1:6", (1, 4)), ("2:1", (3, 1)), ("2:3", (1, 1))])
@pytest.mark.slow
def test_at_another_prevalence_an_area_is_that_of_repeated_instances(kind, level, times):
    true, scores = scored()
    again = np.where(true, *times)
    repeated = {"y_true": np.repeat(true, again), "y_score": np.repeat(scores, again)}
    expected = area(
        kind, **repeated, at=level if kind == "calibrated_average_precision" else "test set"
    )
    assert area(kind, true, scores, at=level) == pytest.approx(expected, abs=1e-13)


@pytest.mark.parametrize(
    ("at", "odds"),
    [
        (Level(1, 1000), 1000),
        ("12/4000", 3988 / 12),
        (Prevalence.sampled(3, 4), 1 / 3),
        ("beta(2, 500)", 250),
        ("0.1..0.5", 3),
        ("population", 9 / 6),
    ],
)
@pytest.mark.slow
def test_average_precision_at_every_kind_is_scikit_learn_s_with_weights_of_the_classes(at, odds):
    """Negatives weigh so much that the classes have the prevalence; of a range it is the middle."""
    true, scores = scored()
    weights = np.where(true, 1, odds * 6 / 9)
    expected = average_precision_score(true, scores, sample_weight=weights)
    assert area("average_precision", true, scores, at=at) == pytest.approx(expected, rel=1e-12)
    assert area("calibrated_average_precision", true, scores, at=at) == pytest.approx(
        expected, rel=1e-12
    )


def test_weights_of_instances_and_the_prevalence_are_two_things():
    """Weights matter within a class, but their sums by class do not."""
    true, scores = scored()
    weights = np.arange(1, 16)
    of_class = np.where(true, weights[true == 1].sum(), weights[true == 0].sum())
    expected = average_precision_score(
        true, scores, sample_weight=weights / of_class * np.where(true, 1, 100)
    )
    value = area("average_precision", true, scores, sample_weight=weights, at="1:100")
    assert value == pytest.approx(expected, rel=1e-12)


def test_where_nobody_was_positive_the_limit_of_rare_positives_is_taken():
    """Four of five positives are above all negatives, where precision stays 1, and one is not."""
    true, scores = [1, 1, 1, 1, 0, 1], [6, 5, 4, 3, 2, 1]
    value = area("average_precision", true, scores, at=Prevalence.sampled(0, 100))
    assert value == pytest.approx(4 / 5, abs=1e-11)
