"""Measure how often printed scores of true matrices, and of ones with a changed digit, are refuted.

``python benchmarks/evidence/printed_scores.py single 10000``, ``folds 300`` and ``agreement 2000``
write tables, from which ``page 0`` writes ``docs/evidence/printed_scores.md``. The third compares
with mlscorecheck, in an environment that has both (no lock has it). ``table_11 20`` starts the
annealing as many times at most for the means of D2 in Table 11 of van Zyl and Engelbrecht, rounded
once.
"""

from __future__ import annotations

import csv
import logging
import random
import sys
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from fractions import Fraction
from pathlib import Path

import numpy as np
import pandas as pd
from pages import markdown, read_table, write_page, write_table

sys.path.insert(0, str(Path(__file__).parents[2] / "tests"))
from skewproof.metrics import METRICS, bounded
from skewproof.sensitivity.printed_scores.digits import printed_interval
from skewproof.sensitivity.printed_scores.folds import decide_means, stratified
from skewproof.sensitivity.printed_scores.matrices import Score, find_matrices
from true_prints import (
    SCORES,
    WAYS,
    decimal,
    drawn_matrix,
    drawn_scores,
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
    draw, asked = random.Random(7), []
    for trial in range(trials):
        matrix, way = drawn_matrix(draw, LARGEST), WAYS[trial % len(WAYS)]
        sizes = np.array([[matrix[0] + matrix[2]], [matrix[1] + matrix[3]]])
        scores = drawn_scores(draw, matrix, way)
        asked.append((scores, with_changed_digit(draw, scores), way, sizes))
    refuted = Counter()
    with ProcessPoolExecutor() as processes:
        for number, true, changed in processes.map(refutations, asked, chunksize=20):
            refuted[number, "matrices"] += 1
            refuted[number, "true and refuted"] += true
            refuted[number, "changed and refuted"] += changed
    columns = ["matrices", "true and refuted", "changed and refuted"]
    rows = [
        {"scores": scores} | {name: refuted[scores, name] for name in columns}
        for scores in range(1, 5)
    ]
    write_table("printed_scores_single", pd.DataFrame(rows))


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


def folds(trials):
    """Count the verdicts for means over true folds, and with a changed digit."""
    draw, asked = random.Random(7), []
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
        for name, some in (("true", scores), ("changed", with_changed_digit(draw, scores))):
            asked.append((name, some, way, sizes))
    with ProcessPoolExecutor() as processes:
        verdicts = Counter(processes.map(decided, asked))
    rows = [
        {
            "means": name,
            "possible": verdicts[name, True],
            "impossible": verdicts[name, False],
            "not decided": verdicts[name, None],
        }
        for name in ("true", "changed")
    ]
    write_table("printed_scores_folds", pd.DataFrame(rows))


def agreement(trials):
    """Compare with mlscorecheck on true matrices, of which up to two digits are changed."""
    from mlscorecheck.check.binary import check_1_testset_no_kfold  # its own environment

    logging.disable(logging.CRITICAL)
    draw, verdicts, missed = random.Random(1), Counter(), 0
    while sum(verdicts.values()) < trials:
        matrix, digits = drawn_matrix(draw, 2000), draw.randint(2, 4)
        positives, negatives = matrix[0] + matrix[2], matrix[1] + matrix[3]
        known = {key: score(*matrix) for key, score in SCORES.items()}
        keys = draw.sample([key for key, value in known.items() if value is not None], 3)
        scores = {key: rounded(known[key], digits, "half up") for key in keys}
        for _ in range(draw.randint(0, 2)):
            scores = with_changed_digit(draw, scores)
        result = check_1_testset_no_kfold(
            testset={"p": positives, "n": negatives},
            scores={NAMES[key]: float(text) for key, text in scores.items()},
            eps=0.5 * 10.0**-digits,
        )
        sizes = np.array([[positives], [negatives]])
        here = not find_matrices(read(scores, "half up"), sizes, first=True).number
        there = bool(result["inconsistency"])
        verdicts[here, there] += 1
        if here and not there:
            tp, tn = result["evidence"]["tp"], result["evidence"]["tn"]
            theirs = {key: SCORES[key](tp, negatives - tn, positives - tp, tn) for key in scores}
            missed += not all(is_printed(theirs[key], text) for key, text in scores.items())
    row = {
        "refuted by both": verdicts[True, True],
        "by neither": verdicts[False, False],
        "only here": verdicts[True, False],
        "where the matrix of mlscorecheck misses a digit": missed,
        "only there": verdicts[False, True],
    }
    write_table("printed_scores_agreement", pd.DataFrame([row]))


def is_printed(value, text):
    """Return whether a score, a fraction or a decimal number, may be printed as a text."""
    low, high = map(decimal, printed_interval(text)[:2])
    number = decimal(value) if isinstance(value, Fraction) else value
    return number is not None and low <= number <= high


def table_11(restarts):
    """Print whether the means of van Zyl and Engelbrecht's Table 11 on D2 are possible."""
    path = Path(__file__).parents[2] / "resources/van_zyl/printed_real_world.csv"
    with path.open() as file:
        rows = [
            row for row in csv.DictReader(file) if (row["table"], row["column"]) == ("11", "D2")
        ]
    scores = [Score(bounded(METRICS[row["row"]]), printed_interval(row["printed"])) for row in rows]
    print(decide_means(scores, stratified([534, 6666], 5), restarts=restarts))


def page(_):
    """Write the page of the tables."""
    names = ("single", "folds", "agreement")
    tables = {name: read_table(f"printed_scores_{name}") for name in names}
    write_page(
        "printed_scores",
        largest=LARGEST,
        tables={name: markdown(table) for name, table in tables.items()},
        matrices=tables["single"]["matrices"].sum(),
        refuted=tables["single"]["true and refuted"].sum(),
        agreement=tables["agreement"].iloc[0],
    )


if __name__ == "__main__":
    tasks = (single, folds, agreement, table_11, page)
    {task.__name__: task for task in tasks}[sys.argv[1]](int(sys.argv[2]))
