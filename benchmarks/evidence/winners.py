"""Measure how often two of five equal classifiers differ; write ``evidence/winners.md``.

The study draws, for each class, the shares of the 2^5 ways in which five classifiers label an
instance. What is added to the counts of the ways decides how often that errs; of two classifiers
the four sums of ways are all that matters, and they are drawn here.
"""

from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from pages import Task
from scipy.special import ndtri

from skewproof.core.algebra import Array
from skewproof.core.confusion import ConfusionMatrix
from skewproof.metrics import get_metric
from skewproof_studies.van_zyl.real_data.flips import ADDED_TO_A_CLASS

METRIC_KEYS = ("f1", "mcc", "f1_i", "g_mean")
CLASSIFIERS = 5
CORRELATION = 0.7
"""Correlation of the normal scores by which two classifiers label an instance."""

REPETITIONS, DRAWS = 1000, 400
CONFIDENCE = 0.95
SEED = 1

WAYS = 2**CLASSIFIERS
WAYS_OF_TWO = 4
BOOTSTRAP = "nothing: bootstrap"


class Case(NamedTuple):
    """Class sizes, and the true and false positive rate of all classifiers."""

    positives: int
    negatives: int
    tpr: float
    fpr: float

    @property
    def name(self) -> str:
        """The heading of its column."""
        return f"{self.positives}:{self.negatives}, {self.tpr} and {self.fpr}"


CASES = (
    Case(5, 50, 0.7, 0.1),
    Case(20, 200, 0.7, 0.1),
    Case(100, 10_000, 0.7, 0.1),
    Case(20, 200, 0.95, 0.01),
)


class Ways(NamedTuple):
    """Labels that two of the classifiers give the instances of a class, of shape (samples, 4)."""

    counts: Array
    """Instances of each way: called positive by none, the second, the first, both."""

    observed: Array
    """Number of observed ways of all classifiers that belong to each of the four."""


def labeled(size: int, rate: float, random: np.random.Generator) -> Ways:
    """Draw the ways for samples of a class that each classifier calls positive equally often."""
    counts, observed = np.empty((2, REPETITIONS, WAYS_OF_TWO))
    for sample in range(REPETITIONS):
        common, own = random.normal(size=(size, 1)), random.normal(size=(size, CLASSIFIERS))
        scores = np.sqrt(CORRELATION) * common + np.sqrt(1 - CORRELATION) * own
        numbers = (scores > ndtri(1 - rate)) @ (2 ** np.arange(CLASSIFIERS)[::-1])
        of_all = np.bincount(numbers, minlength=WAYS).reshape(WAYS_OF_TWO, -1)
        counts[sample], observed[sample] = of_all.sum(axis=1), (of_all > 0).sum(axis=1)
    return Ways(counts, observed)


def drawn_shares(ways: Ways, added: str, random: np.random.Generator) -> Array:
    """Return the shares of the four ways, shape (draws, samples, 4)."""
    if added == BOOTSTRAP:
        size = ways.counts[0].sum()
        return random.multinomial(int(size), ways.counts / size, size=(DRAWS, REPETITIONS)) / size
    gamma = random.standard_gamma(
        ways.counts + ADDED[added](ways), size=(DRAWS, *ways.counts.shape)
    )
    return gamma / gamma.sum(axis=-1, keepdims=True)


ADDED = {
    f"2/2^{CLASSIFIERS} to each way": lambda ways: ADDED_TO_A_CLASS / WAYS_OF_TWO,
    "1/2 to each way": lambda ways: WAYS / WAYS_OF_TWO / 2,
    "1/2 to each observed way": lambda ways: ways.observed / 2,
}
"""Numbers added to the counts of the four ways, by name; the first is the study's."""


def told_apart(case: Case, added: str) -> list[float]:
    """Return the share of samples in which the two are called different, for each metric."""
    random = np.random.default_rng([SEED, CASES.index(case)])
    drawn = [
        drawn_shares(labeled(size, rate, random), added, random)
        for size, rate in ((case.positives, case.tpr), (case.negatives, case.fpr))
    ]
    values = []
    for calls in ([2, 3], [1, 3]):
        tpr, fpr = (np.minimum(shares[..., calls].sum(axis=-1), 1) for shares in drawn)
        matrix = ConfusionMatrix.from_rates(
            tpr, fpr, positives=case.positives, negatives=case.negatives
        )
        values.append([get_metric(key)(matrix) for key in METRIC_KEYS])
    first, second = np.nan_to_num(values)
    better = np.mean((first > second) + (first == second) / 2, axis=1)
    return list(np.mean(np.abs(better - 0.5) > CONFIDENCE / 2, axis=-1))


def spread(case: str) -> dict[str, str]:
    """Return the smallest and largest share over the metrics in each case."""
    row = {"added to the counts": case}
    for classes in CASES:
        found = told_apart(classes, case)
        row[classes.name] = f"{min(found):.3f} to {max(found):.3f}"
    return row


TABLES = {"winners": Task(spread, zip((*ADDED, BOOTSTRAP), strict=True), stored=False)}


def page(shares: pd.DataFrame) -> dict[str, Any]:
    """Return what the page has beside the constants."""
    return {"shares": shares, "rate": 1 - CONFIDENCE}
