"""The order in which cut-offs are tested."""

import numpy as np
import pytest

from skewproof.curves.counts import score_counts
from skewproof.decisions.requirements import parsed_requirements
from skewproof.decisions.sequences import (
    JointTest,
    Sample,
    begin,
    first_called,
    follow,
    paths,
    way,
)
from skewproof.prevalence.prevalence import Prevalence

RANDOM = np.random.default_rng(0)
TRUE = np.repeat([1, 0], [100, 1000])
SCORES = RANDOM.normal(2.5 * TRUE)


def joint(require, at="1:10", total=1.0, true=TRUE, scores=SCORES):
    sample = Sample(*score_counts(true, scores), Prevalence.given(at), total)
    return JointTest.of(parsed_requirements(require), sample)


def paths_of(test):
    return paths(test, *begin(test, None, 0.1))


@pytest.mark.parametrize(
    ("require", "more", "fewer", "at_end"),
    [
        ("precision >= 0.5", True, False, False),
        ("alarms <= 0.1", True, False, True),
        ("fpr <= 0.1", True, False, True),
        ("accuracy >= 0.9", True, False, True),
        ("recall >= 0.9", False, True, True),
        ("npv >= 0.95", False, True, False),
        ("f1 >= 0.5", True, True, False),
        (["recall >= 0.5", "precision >= 0.5"], True, True, False),
    ],
)
@pytest.mark.slow
def test_the_way_is_that_of_the_requirements(require, more, fewer, at_end):
    assert way(joint(require)) == (more, fewer, at_end)


@pytest.mark.parametrize("start", [None, 40, "everywhere"])
@pytest.mark.parametrize("require", ["precision >= 0.5", "recall >= 0.5", "f1 >= 0.5"])
@pytest.mark.slow
def test_labels_do_not_change_the_order(require, start):
    shuffled = RANDOM.permutation(TRUE)
    tests = [joint(require, true=true) for true in (TRUE, shuffled)]
    first, second = (paths(test, *begin(test, start, 0.1)) for test in tests)
    assert sum(path.level * (len(path.places) if not path.whole else 1) for path in first) == (
        pytest.approx(0.1)
    )
    for path, other in zip(first, second, strict=True):
        assert path.places.tolist() == other.places.tolist()


def test_ever_more_or_ever_fewer_instances_are_called_positive():
    (down,) = paths_of(joint("fpr <= 0.1"))
    assert down.places[0] == 1
    assert down.places[-1] == 1100
    assert np.all(np.diff(down.places) > 0)
    (up,) = paths_of(joint("recall >= 0.9"))
    assert up.places[0] == 1100
    assert up.places[-1] == 1
    assert np.all(np.diff(up.places) < 0)
    more, fewer = paths_of(joint("f1 >= 0.5"))
    assert 1 < more.places[0] == fewer.places[0] < 1100


def test_tied_scores_are_called_together():
    test = joint("precision >= 0.5", scores=np.round(SCORES))
    (path,) = paths_of(test)
    assert len(path.places) <= len(test.sample.scores)
    called = [np.count_nonzero(np.round(SCORES) >= score) for score in test.sample.scores]
    assert test.sample.called[path.places].tolist() == [
        called[number - 1] for number in path.places
    ]


def test_a_path_ends_where_a_cut_off_fails():
    test = joint("precision >= 0.5", at="1:100")
    (path,) = paths_of(test)
    tested = follow(path, test)
    assert tested.passed[:-1].all()
    assert not tested.passed[-1]
    assert 0 < len(tested.places) < len(path.places)
    tp, fp = (part[tested.places] for part in test.sample.counts)
    assert tested.p_values == pytest.approx(test.p_values(tp, fp))


def test_several_requirements_are_tested_as_the_worst_of_them():
    both = joint(["recall >= 0.5", "precision >= 0.5"])
    tp, fp = np.array([60.0, 80]), np.array([5.0, 50])
    each = [joint(require).p_values(tp, fp) for require in ("recall >= 0.5", "precision >= 0.5")]
    assert both.p_values(tp, fp) == pytest.approx(np.maximum(*each))


def test_requirements_over_a_range_hold_at_both_ends():
    test = joint("precision >= 0.5", at="0.01..0.2")
    assert bool(test.met(0.5, 0.004))
    assert not bool(test.met(0.5, 0.01))
    hardest_at_the_upper_end = joint("npv >= 0.9", at="0.01..0.2")
    assert bool(hardest_at_the_upper_end.met(0.7, 0.1))
    assert not bool(hardest_at_the_upper_end.met(0.2, 0.1))


@pytest.mark.parametrize("require", ["precision >= 0.5", "npv >= 0.999"])
@pytest.mark.parametrize("positives", [3, 5, 100])
def test_the_first_cut_off_can_pass_whenever_any_can(require, positives):
    """All calls right is the best that there is; some classifier has that at the first cut-off."""
    true = np.repeat([1, 0], [positives, 500])
    test = joint(require, at="1:30", true=true, scores=SCORES[: positives + 500])
    for level in (1e-6, 1e-3, 0.05, 0.3):
        best = np.array([float(positives)]), np.array([0.0])
        called = first_called(test, level)
        tp = min(called, float(positives))
        first = test.p_values(np.array([tp]), np.array([called - tp]))[0]
        if test.p_values(*best)[0] <= level:
            assert first <= level
        assert 1 <= called <= positives + 500


@pytest.mark.slow
def test_p_values_that_pass_are_at_most_the_level():
    test = joint(["recall >= 0.5", "precision >= 0.5"], at="4/100")
    tp, fp = RANDOM.integers(30, 100, 60).astype(float), RANDOM.integers(0, 40, 60).astype(float)
    p_values = test.p_values(tp, fp)
    for level in (0.01, 0.1, 0.9):
        assert 0 < test.passed(tp, fp, level).sum() < 60
        assert test.passed(tp, fp, level).tolist() == (p_values <= level).tolist()


def test_what_no_classifier_meets_is_known():
    assert joint(["alarms <= 100", "recall >= 0.9"], at="1:1000", total=50_000).possible
    assert not joint(["alarms <= 10", "recall >= 0.9"], at="1:1000", total=50_000).possible
