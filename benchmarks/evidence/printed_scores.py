"""Measure how often printed scores of true matrices, and of ones with a changed digit, are refuted.

The comparison with mlscorecheck on the page is measured where mlscorecheck is installed, by
``printed_scores_mlscorecheck.py`` beside this file.
"""

import random
import sys
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import numpy as np
import pandas as pd
from pages import Task, read_table

sys.path.insert(0, str(Path(__file__).parents[2] / "tests"))
from skewproof.metrics import METRICS
from skewproof.sensitivity.printed_scores.digits import printed_interval
from skewproof.sensitivity.printed_scores.folds import decide_means, stratified
from skewproof.sensitivity.printed_scores.matrices import Score, find_matrices
from true_prints import (
    WAYS,
    drawn_matrix,
    drawn_scores,
    mean,
    rounded,
    with_changed_digit,
)

LARGEST = 5000
"""Largest size of a class."""
SINGLE_REPETITIONS, FOLDS_REPETITIONS = 10_000, 300


def read(scores, way):
    return [Score(METRICS[key], printed_interval(text, way)) for key, text in scores.items()]


def single():
    """Count true matrices that are refuted, and those with a changed digit, by the number of
    scores."""
    draw, asked = random.Random(7), []
    for trial in range(SINGLE_REPETITIONS):
        matrix, way = drawn_matrix(draw, LARGEST), WAYS[trial % len(WAYS)]
        sizes = np.array([[matrix[0] + matrix[2]], [matrix[1] + matrix[3]]])
        scores = drawn_scores(draw, matrix, way)
        asked.append((scores, with_changed_digit(draw, scores), way, sizes))
    with ProcessPoolExecutor() as processes:
        found = pd.DataFrame(processes.map(refutations, asked, chunksize=20))
    names = ["scores", "true and refuted", "changed and refuted"]
    by_number = found.set_axis(names, axis=1).groupby("scores")
    table = by_number.sum()
    table.insert(0, "matrices", by_number.size())
    return table.reset_index().to_dict("records")


def refutations(asked):
    """Return the number of scores, and whether they are refuted as printed and after a change."""
    *prints, way, sizes = asked
    return len(prints[0]), *(
        not find_matrices(read(scores, way), sizes, first=True).number for scores in prints
    )


def decided(asked):
    """Return the name of means over folds, and whether they are possible."""
    name, scores, way, sizes = asked
    return name, decide_means(read(scores, way), sizes).possible


def folds():
    """Count the verdicts for means over true folds, and with a changed digit."""
    draw, asked = random.Random(7), []
    for trial in range(FOLDS_REPETITIONS):
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
        for name, some in (("true", scores), ("changed", with_changed_digit(draw, scores))):
            asked.append((name, some, way, sizes))
    with ProcessPoolExecutor() as processes:
        verdicts = Counter(processes.map(decided, asked))
    for name in ("true", "changed"):
        yield {
            "means": name,
            "possible": verdicts[name, True],
            "impossible": verdicts[name, False],
            "not decided": verdicts[name, None],
        }


TABLES = {
    "printed_scores_single": Task(single, [()], shares=()),
    "printed_scores_folds": Task(folds, [()], shares=()),
}


def page(single, folds):
    """Return what the page has beside the constants."""
    return {
        "single": single,
        "folds": folds,
        "matrices": single["matrices"].sum(),
        "refuted": single["true and refuted"].sum(),
        "agreements": read_table("printed_scores_agreement"),
    }
