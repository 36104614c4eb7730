"""The search for confusion matrices whose scores print as given."""

import random
from fractions import Fraction
from itertools import chain

import numpy as np
import pytest

from skewproof.metrics import METRICS, get_metric, parse_metric
from skewproof.sensitivity.printed_scores import matrices
from skewproof.sensitivity.printed_scores.digits import PrintedInterval, printed_interval
from skewproof.sensitivity.printed_scores.matrices import (
    Score,
    find_matrices,
)
from true_prints import (
    WAYS,
    drawn_matrix,
    drawn_scores,
    matrices_by_hand,
    with_changed_digit,
)


def search(scores, positives, negatives, rounding="half up", **options):
    read = [Score(METRICS[key], printed_interval(text, rounding)) for key, text in scores.items()]
    return find_matrices(read, np.array([[positives], [negatives]]), **options)


def pairs(found):
    parts = [zip(part.tp.tolist(), part.fp.tolist(), strict=True) for part in found.parts()]
    return set(chain.from_iterable(parts))


@pytest.mark.parametrize(
    "scores",
    [
        {"accuracy": "0.90"},
        {"accuracy": "0.9", "f1": "0.8"},
        {"precision": "0.75"},
        {"precision": "1.0", "true_positive_rate": "0.5"},
        {"mcc": "0.60"},
        {"mcc": "0.00"},
        {"mcc": "-0.05", "true_negative_rate": "0.5"},
        {"g_mean": "0.50"},
        {"g_mean": "0.0", "balanced_accuracy": "0.4"},
        {"f1": "0", "accuracy": "0.6"},
    ],
)
@pytest.mark.parametrize(
    ("sizes", "rounding"),
    [
        *(((20, 40), way) for way in ("half up", "truncated", "twice")),
        ((30, 9), "any"),
        ((1, 1), "half even"),
    ],
)
def test_all_pairs_tried_by_hand(scores, sizes, rounding):
    intervals = {key: printed_interval(text, rounding)[:2] for key, text in scores.items()}
    expected = matrices_by_hand(intervals, *sizes)
    found = search(scores, *sizes, rounding)
    assert found.number == len(pairs(found))
    assert pairs(found) == expected
    assert (search(scores, *sizes, rounding, first=True).number > 0) == bool(expected)


@pytest.mark.slow
def test_true_matrices_are_possible_and_changed_digits_often_are_not():
    draw = random.Random(0)
    refuted = 0
    for trial in range(60):
        matrix, way = drawn_matrix(draw, 3000), WAYS[trial % 4]
        tp, fp, fn, tn = matrix
        scores = drawn_scores(draw, matrix, way)
        for rounding in {way, "any"} if trial < 20 else {way}:
            found = search(scores, tp + fn, fp + tn, rounding)
            inside = (
                (found.boxes[0] <= tp)
                & (tp <= found.boxes[1])
                & (found.boxes[2] <= fp)
                & (fp <= found.boxes[3])
            )
            assert inside.sum() == 1, (matrix, scores, rounding)
        changed = with_changed_digit(draw, scores)
        refuted += not search(changed, tp + fn, fp + tn, way, first=True).number
    assert 15 < refuted < 55


def test_large_boxes_are_counted_without_a_list():
    found = search({"true_positive_rate": "0.5"}, 492, 284_315)
    # 0.45 to 0.55 of 492 are 222 to 270 true positives, beside any number of false ones.
    assert found.number == 49 * 284_316
    assert found.bounds == {
        "tp": (222, 270),
        "fp": (0, 284_315),
        "fn": (222, 270),
        "tn": (0, 284_315),
    }
    assert found.boxes.shape[1] < 5000


def test_an_irrational_score_near_the_end_of_an_interval():
    """MCC is 1/sqrt(3) with one false positive and no other error, and with one false negative."""
    metric = get_metric("mcc")
    value = Fraction("0.5773502691896257645091487805")
    for distance, number in ((Fraction(1, 10**15), 0), (Fraction(-1, 10**15), 2)):
        end = value - distance
        score = Score(metric, PrintedInterval(end - Fraction(1, 10**6), end, Fraction(1)))
        assert find_matrices([score], np.array([[2], [2]])).number == number


def test_an_infinite_step_within_a_finite_score():
    score = Score(parse_metric("min(3, tn/fp)"), printed_interval("3"))
    found = find_matrices([score], np.array([[1], [10]]))
    # 2.5 to 3 and no false positive, where tn/fp is infinite: fp = 0, 1, 2 of 10.
    assert {fp for _, fp in pairs(found)} == {0, 1, 2}


def test_undefined_scores_do_not_print():
    found = search({"precision": "0.50"}, 2, 2)
    assert pairs(found) == {(1, 1), (2, 2)}
    assert search({"precision": "0-1"}, 2, 2).number == 8


def test_parts_of_many_matrices_are_all_matrices():
    found = search({"accuracy": "0.8"}, 30, 70)
    parts = [np.array([part.tp, part.fp]) for part in found.parts(at_once=7)]
    assert all(part.shape[1] <= 7 for part in parts)
    of_parts = np.concatenate(parts, axis=1).T.tolist()
    assert len(of_parts) == found.number
    assert set(map(tuple, of_parts)) == pairs(found)


def test_a_search_has_a_limit(monkeypatch):
    monkeypatch.setattr(matrices, "MOST_BOXES", 10)
    with pytest.raises(ValueError, match="more than 10 boxes to examine': expected"):
        search({"accuracy": "0.8"}, 30, 70)
