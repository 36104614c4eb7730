"""Compare verdicts on printed scores with mlscorecheck.

It writes ``docs/images/printed_scores_agreement.csv``, which ``printed_scores.py`` puts on its
page. mlscorecheck is no dependency; in an environment of its own, beside the package::

    pip install . mlscorecheck==1.0.3
    python benchmarks/evidence/measure.py printed_scores_mlscorecheck
"""

import logging
import random
from collections import Counter
from fractions import Fraction

import numpy as np
from mlscorecheck.check.binary import check_1_testset_no_kfold
from pages import Task
from printed_scores import read

from skewproof.sensitivity.printed_scores.digits import printed_interval
from skewproof.sensitivity.printed_scores.matrices import find_matrices
from true_prints import SCORES, decimal, drawn_matrix, rounded, with_changed_digit

REPETITIONS = 2000
NAMES = dict(zip(SCORES, ["acc", "sens", "spec", "ppv", "f1", "bacc", "gm", "mcc"], strict=True))
"""Names in mlscorecheck."""


def agreement():
    """Compare with mlscorecheck on true matrices, of which up to two digits are changed."""
    logging.disable(logging.CRITICAL)
    draw, verdicts, missed = random.Random(1), Counter(), 0
    while sum(verdicts.values()) < REPETITIONS:
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
    return {
        "refuted by both": verdicts[True, True],
        "by neither": verdicts[False, False],
        "only here": verdicts[True, False],
        "where the matrix of mlscorecheck misses a digit": missed,
        "only there": verdicts[False, True],
    }


def is_printed(value, text):
    """Return whether a score, a fraction or a decimal number, may be printed as a text."""
    low, high = map(decimal, printed_interval(text)[:2])
    number = decimal(value) if isinstance(value, Fraction) else value
    return number is not None and low <= number <= high


TABLES = {"printed_scores_agreement": Task(agreement, [()], shares=())}
