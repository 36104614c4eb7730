"""Measure how often printed scores of true matrices, and of ones with a changed digit, are refuted.

``python benchmarks/evidence/printed_scores.py single 10000``, ``folds 300`` and ``agreement 2000``.
The last one compares with mlscorecheck, in an environment that has both (no lock has it).
``table_11 20`` starts the annealing as many times at most for the means of D2 in Table 11 of van
Zyl and Engelbrecht, rounded once.
"""

from __future__ import annotations

import csv
import logging
import random
import sys
from collections import Counter
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[2] / "tests"))
from skewproof.metrics import METRICS, bounded
from skewproof.sensitivity.printed_scores.digits import printed_interval
from skewproof.sensitivity.printed_scores.folds import decide_means, stratified
from skewproof.sensitivity.printed_scores.matrices import Score, find_matrices
from true_prints import (
    SCORES,
    WAYS,
    drawn_matrix,
    drawn_scores,
    matrices_by_hand,
    mean,
    rounded,
    with_changed_digit,
)

LARGEST = 5000
"""Largest size of a class."""

NAMES = dict(zip(SCORES, ["acc", "sens", "spec", "ppv", "f1", "bacc", "gm", "mcc"], strict=True))
"""Names in mlscorecheck."""


def read(scores, way):
    return [Score(METRICS[key], printed_interval(text, way)) for key, text in scores.items()]


def single(trials):
    """Count true matrices that are refuted, and those with a changed digit, by the number of
    scores."""
    draw, refuted, changed = random.Random(7), 0, Counter()
    for trial in range(trials):
        matrix, way = drawn_matrix(draw, LARGEST), WAYS[trial % len(WAYS)]
        sizes = np.array([[matrix[0] + matrix[2]], [matrix[1] + matrix[3]]])
        scores = drawn_scores(draw, matrix, way)
        refuted += not find_matrices(read(scores, way), sizes, first=True).number
        other = with_changed_digit(draw, scores)
        impossible = not find_matrices(read(other, way), sizes, first=True).number
        changed[len(scores), impossible] += 1
    print(f"{trials} matrices: {refuted} refuted")
    for number in range(1, 5):
        some = changed[number, True] + changed[number, False]
        print(f"{number} scores, one digit changed: {changed[number, True]} of {some} refuted")
    print(f"in all {sum(n for (_, is_), n in changed.items() if is_)} of {trials} refuted")


def folds(trials):
    """Count the verdicts for means over true folds, and with a changed digit."""
    draw, true, changed = random.Random(7), Counter(), Counter()
    for trial in range(trials):
        way, number = WAYS[trial % len(WAYS)], draw.choice([5, 10])
        sizes = stratified([draw.randint(30, 200), draw.randint(30, 400)], number)
        tp = [round(p * draw.betavariate(4, 2)) for p in sizes[0]]
        fp = [round(n * draw.betavariate(1, 6)) for n in sizes[1]]
        matrices = [
            (t, f, int(p) - t, int(n) - f) for t, f, p, n in zip(tp, fp, *sizes, strict=True)
        ]
        keys = ["accuracy", "true_positive_rate", "f1", "mcc"]
        means = {key: mean(key, matrices) for key in keys}
        scores = {key: rounded(x, 3, way) for key, x in means.items() if x is not None}
        true[str(decide_means(read(scores, way), sizes, restarts=10).possible)] += 1
        other = with_changed_digit(draw, scores)
        changed[str(decide_means(read(other, way), sizes, restarts=10).possible)] += 1
    print(f"{trials} sets of folds: {dict(true)}; with a changed digit: {dict(changed)}")


def agreement(trials):
    """Compare with mlscorecheck on true matrices, of which up to two digits are changed."""
    from mlscorecheck.check.binary import check_1_testset_no_kfold  # its own environment

    logging.disable(logging.CRITICAL)
    draw, verdicts, wrong = random.Random(1), Counter(), 0
    while sum(verdicts.values()) < trials:
        matrix, digits = drawn_matrix(draw, 2000), draw.randint(2, 4)
        sizes = matrix[0] + matrix[2], matrix[1] + matrix[3]
        known = {key: score(*matrix) for key, score in SCORES.items()}
        keys = draw.sample([key for key, value in known.items() if value is not None], 3)
        scores = {key: rounded(known[key], digits, "half up") for key in keys}
        for _ in range(draw.randint(0, 2)):
            scores = with_changed_digit(draw, scores)
        result = check_1_testset_no_kfold(
            testset={"p": sizes[0], "n": sizes[1]},
            scores={NAMES[key]: float(text) for key, text in scores.items()},
            eps=0.5 * 10.0**-digits,
        )
        found = find_matrices(read(scores, "half up"), np.array(sizes)[:, np.newaxis], first=True)
        refuted = not found.number, bool(result["inconsistency"])
        verdicts[refuted] += 1
        if refuted[0] != refuted[1] and sizes[0] * sizes[1] < 100_000:
            ends = {key: printed_interval(text)[:2] for key, text in scores.items()}
            wrong += bool(matrices_by_hand(ends, *sizes)) == refuted[0]
    print(f"refuted here and by mlscorecheck: {dict(verdicts)}; {wrong} wrong here by all pairs")


def table_11(restarts):
    """Print whether the means of van Zyl and Engelbrecht's Table 11 on D2 are possible."""
    path = Path(__file__).parents[2] / "resources/van_zyl/printed_real_world.csv"
    with path.open() as file:
        rows = [
            row for row in csv.DictReader(file) if (row["table"], row["column"]) == ("11", "D2")
        ]
    scores = [Score(bounded(METRICS[row["row"]]), printed_interval(row["printed"])) for row in rows]
    print(decide_means(scores, stratified([534, 6666], 5), restarts=restarts))


if __name__ == "__main__":
    {"single": single, "folds": folds, "agreement": agreement, "table_11": table_11}[sys.argv[1]](
        int(sys.argv[2])
    )
