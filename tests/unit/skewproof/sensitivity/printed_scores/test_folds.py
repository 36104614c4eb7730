"""Means of scores over folds."""

import csv
import random
from fractions import Fraction
from itertools import product
from pathlib import Path
from statistics import pstdev, stdev

import numpy as np
import pytest

from skewproof.metrics import METRICS, bounded
from skewproof.sensitivity.printed_scores import folds as module
from skewproof.sensitivity.printed_scores.digits import (
    PrintedInterval,
    printed_interval,
    printed_over_folds,
)
from skewproof.sensitivity.printed_scores.folds import decide_means, reproduced, stratified
from skewproof.sensitivity.printed_scores.matrices import Score
from true_prints import SCORES, WAYS, decimal, mean, rounded

PRINTED = Path(__file__).parents[5] / "resources/van_zyl/printed_real_world.csv"


def read(scores, rounding="half up"):
    return [Score(METRICS[key], printed_interval(text, rounding)) for key, text in scores.items()]


def drawn_folds(draw):
    """Draw matrices of stratified folds."""
    positives, negatives, number = draw.randint(15, 60), draw.randint(15, 90), draw.randint(2, 5)
    sizes = stratified([positives, negatives], number).T.tolist()
    found = []
    for p, n in sorted(sizes):
        tp, fp = round(p * draw.betavariate(4, 2)), round(n * draw.betavariate(1, 4))
        found.append((tp, fp, p - tp, n - fp))
    return found


def drawn_means(draw, matrices, way):
    keys = draw.sample([key for key in SCORES if mean(key, matrices) is not None], 3)
    return {key: rounded(mean(key, matrices), 3, way) for key in keys}


def sizes_of(matrices):
    return np.array([(tp + fn, fp + tn) for tp, fp, fn, tn in matrices]).T


def of_table_11(dataset, rounding):
    with PRINTED.open() as file:
        rows = [
            row for row in csv.DictReader(file) if (row["table"], row["column"]) == ("11", dataset)
        ]
    assert len(rows) == 24
    return [
        Score(bounded(METRICS[row["row"]]), printed_interval(row["printed"], rounding))
        for row in rows
    ]


def test_stratified_folds_are_those_of_scikit_learn():
    from sklearn.model_selection import StratifiedKFold

    for positives, negatives, number in [(7, 11, 5), (534, 6666, 5), (13, 8, 3), (20, 40, 4)]:
        y = np.repeat([0, 1], [negatives, positives])
        parts = StratifiedKFold(number).split(y, y)
        expected = sorted((int(y[test].sum()), int((1 - y[test]).sum())) for _, test in parts)
        found = stratified([positives, negatives], number)
        assert sorted(map(tuple, found.T.tolist())) == expected


@pytest.mark.slow
def test_all_ways_tried_by_hand():
    sizes = [(3, 3), (3, 4)]
    whole = [
        [(tp, fp, p - tp, n - fp) for tp in range(p + 1) for fp in range(n + 1)] for p, n in sizes
    ]
    decided = []
    for texts in [("0.71", "0.67"), ("0.72", "0.66"), ("0.70", "0.50"), ("0.50", "0.83")]:
        scores = dict(zip(("accuracy", "f1"), texts, strict=True))
        intervals = {key: printed_interval(text)[:2] for key, text in scores.items()}
        expected = any(
            all(
                (value := mean(key, both)) is not None and decimal(low) <= value <= decimal(high)
                for key, (low, high) in intervals.items()
            )
            for both in product(*whole)
        )
        verdict = decide_means(read(scores), np.array(sizes).T, restarts=3)
        assert verdict.possible == expected, scores
        decided.append(expected)
    assert set(decided) == {True, False}


def prints(values, text, ddof):
    """Return whether fractions have a mean, deviation and range, by their definitions."""
    mean_of, deviation, least, most = (Fraction(part) for part in text)
    half, number = Fraction(1, 200), len(values)
    middle = sum(values) / number
    variance = sum((value - middle) ** 2 for value in values) / (number - ddof)
    return (
        abs(middle - mean_of) <= half
        and max(deviation - half, 0) ** 2 <= variance <= (deviation + half) ** 2
        and abs(min(values) - least) <= half
        and abs(max(values) - most) <= half
    )


@pytest.mark.slow
def test_deviations_and_ranges_tried_by_hand():
    draw, sizes = random.Random(0), [(2, 3), (2, 3), (3, 3)]
    accuracies = [[Fraction(k, p + n) for k in range(p + n + 1)] for p, n in sizes]
    texts = []
    for _ in range(8):
        values = [draw.choice(some) for some in accuracies]
        spread = stdev(values) if draw.random() < 0.5 else pstdev(values)
        moved = draw.choice([0, 0, 0.01, -0.01])
        numbers = sum(values) / 3, spread + moved, min(values), max(values)
        texts.append([f"{float(number):.2f}" for number in numbers])
    decided = []
    for text in texts:
        expected = any(
            prints(values, text, ddof) for values in product(*accuracies) for ddof in (0, 1)
        )
        mean_of, deviation, least, most = text
        parts = printed_over_folds(f"{mean_of} ± {deviation} (range {least}-{most})")
        verdict = decide_means([Score(METRICS["accuracy"], *parts)], np.array(sizes).T, restarts=10)
        assert verdict.possible == expected, text
        decided.append(expected)
    assert set(decided) == {True, False}


@pytest.mark.slow
def test_means_of_true_folds_are_never_impossible():
    draw, possible = random.Random(0), 0
    for trial in range(6):
        matrices, way = drawn_folds(draw), WAYS[trial % 4]
        scores = drawn_means(draw, matrices, way)
        verdict = decide_means(read(scores, way), sizes_of(matrices), restarts=5)
        assert verdict.possible is not False, (matrices, scores, way)
        if verdict.possible:
            tp, fp = verdict.witness
            p, n = sizes_of(matrices)
            found = list(zip(tp, fp, p - tp, n - fp, strict=True))
            found = [tuple(map(int, matrix)) for matrix in found]
            for key, text in scores.items():
                low, high = printed_interval(text, way)[:2]
                assert decimal(low) <= mean(key, found) <= decimal(high)
            possible += 1
    assert possible >= 4


ABOVE_ITS_PARTS = {"f1": "0.70", "precision": "0.60", "true_positive_rate": "0.60"}
"""F1 is at most the mean of precision and recall in every fold, and so are the means."""


@pytest.mark.parametrize(
    ("scores", "sizes", "proof"),
    [
        (ABOVE_ITS_PARTS, [40, 60], "weights of the scores"),
        # Recalls of five folds of two positives have a mean of tenths.
        ({"true_positive_rate": "0.41"}, [10, 20], "an integer program"),
    ],
)
def test_means_that_are_proved_impossible(scores, sizes, proof):
    verdict = decide_means(read(scores), stratified(sizes, 5), restarts=1)
    assert (verdict.possible, verdict.proof) == (False, proof)


def test_large_folds_without_a_witness_are_not_decided(monkeypatch):
    monkeypatch.setattr(module, "MOST_VALUES", 10)
    verdict = decide_means(read(ABOVE_ITS_PARTS), stratified([40, 60], 5), restarts=1, steps=5)
    assert verdict == (None, None, "")


@pytest.mark.parametrize(("above", "possible"), [(0, True), (Fraction(1, 10**12), False)])
def test_the_largest_possible_mean_is_the_end_of_an_interval(above, possible):
    # No recall is above 1, to the last digits of a float.
    printed = PrintedInterval(1 + above, 1 + Fraction(1, 10**9), Fraction(1, 10**9))
    recall = Score(METRICS["true_positive_rate"], printed)
    verdict = decide_means([recall], stratified([40, 60], 5), restarts=1)
    assert verdict.possible == possible
    assert verdict.proof == ("" if possible else "weights of the scores")


@pytest.mark.parametrize(
    ("dataset", "positives", "total", "pairs", "rounding"),
    [
        ("D1", 492, 284807, [(60, 16), (57, 11), (56, 9), (67, 7), (61, 12)], "half up"),
        ("D2", 534, 7200, [(20, 0), (12, 2), (18, 0), (23, 1), (23, 3)], "twice"),
    ],
)
@pytest.mark.slow
def test_known_folds_of_table_11(dataset, positives, total, pairs, rounding):
    """All 24 means come out, for some order of the folds."""
    sizes = np.unique(stratified([positives, total - positives], 5), axis=1, return_counts=True)
    sizes = np.repeat(*sizes, axis=1)
    scores = of_table_11(dataset, rounding)
    orders = [np.roll(np.array(pairs).T, shift, axis=1) for shift in range(5)]
    assert any(all(reproduced(scores, order, sizes)) for order in orders)
    wrong = np.array(pairs).T + np.array([[1], [0]])
    assert not all(reproduced(scores, wrong, sizes))


@pytest.mark.slow
def test_means_of_table_11_that_are_impossible_if_rounded_once():
    verdict = decide_means(of_table_11("D2", "half up"), stratified([534, 6666], 5), restarts=1)
    assert (verdict.possible, verdict.proof) == (False, "an integer program")
