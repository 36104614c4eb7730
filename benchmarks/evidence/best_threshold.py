"""Measure how often the interval of ``best_threshold`` covers, and write
``docs/evidence/best_threshold.md`` and ``docs/images/best_threshold.csv``.

Scores are normal in each class, so that the metric at every cut-off is known. The true value is
that at the cut-off which was chosen, and the truly best cut-off is looked for among all numbers.
"""

from itertools import product
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from draws import labels
from pages import Task
from scipy.optimize import minimize_scalar
from scipy.special import ndtr

from skewproof import ConfusionMatrix, best_threshold, interval
from skewproof.prevalence.prevalence import Prevalence

CONFIDENCE = 0.95
LEAST = 0.9
"""The page is not written if a setting has a lower coverage."""

METRIC_KEYS = ("f1", "mcc", "balanced_accuracy")
REPETITIONS = 200
SEED = 31
PLACES = np.linspace(-5, 8, 1301)
"""Cut-offs beside one of which the truly best one lies."""

SAMPLES = [
    (20, 20, "test set", 1.5),
    (20, 180, "population", 2.0),
    (20, 180, "0.01", 2.5),
    (20, 1980, "test set", 2.5),
    (50, 150, "0.05", 1.0),
    (100, 100, "0.1", 2.0),
    (100, 900, "0.5", 1.5),
    (100, 900, "0.01", 2.5),
    (100, 9900, "population", 2.5),
    (500, 500, "test set", 1.0),
    (500, 4500, "0.01", 3.0),
]
"""Numbers of positives and negatives, where the metric is wanted, and how far the scores of
positives lie above those of negatives, in standard deviations."""


class Setting(NamedTuple):
    """A metric, and samples of a kind."""

    metric: str
    positives: int
    negatives: int
    at: str
    distance: float

    @property
    def share(self) -> float:
        """Return the prevalence at which the metric is wanted."""
        at = Prevalence.given(self.at)
        return at.share if at.elsewhere else self.positives / (self.positives + self.negatives)

    def true(self, threshold: Any) -> Any:
        """Return the metric at a cut-off, by formulas of this file's own."""
        tpr, fpr = ndtr(self.distance - threshold), ndtr(-threshold)
        tp, fp = self.share * tpr, (1 - self.share) * fpr
        fn, tn = self.share - tp, 1 - self.share - fp
        if self.metric == "f1":
            return 2 * tp / (2 * tp + fp + fn)
        if self.metric == "mcc":
            return (tp * tn - fp * fn) / np.sqrt((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn))
        return (tpr + 1 - fpr) / 2

    @property
    def best(self) -> float:
        """Return the truly best cut-off."""
        near = PLACES[np.argmax(self.true(PLACES))]
        bounds = (near - 0.01, near + 0.01)
        return float(
            minimize_scalar(lambda one: -self.true(one), bounds=bounds, method="bounded").x
        )


def measured(setting: Setting) -> dict[str, Any]:
    """Return a row of the table."""
    random = np.random.default_rng([SEED, *map(ord, "".join(map(str, setting)))])
    best = setting.best
    samples = []
    for _ in range(REPETITIONS):
        true = labels((setting.positives, setting.negatives), random, setting.at)
        scores = random.normal(setting.distance * true)
        found = best_threshold(setting.metric, true, scores, at=setting.at, confidence=CONFIDENCE)
        matrix = ConfusionMatrix.from_labels(true, (scores >= found.threshold).astype(int))
        naive = interval(setting.metric, matrix, at=setting.at, confidence=CONFIDENCE)
        there = float(setting.true(found.threshold))
        lowest, highest = found.thresholds
        samples.append(
            {
                "covered": found.low <= there <= found.high,
                "naive_covered": naive.low <= there <= naive.high,
                "width": found.high - found.low,
                "naive_width": naive.high - naive.low,
                "best_among": lowest <= best <= highest,
                "optimism": found.value - there,
                "said_optimism": found.optimism,
                "loss": float(setting.true(best)) - there,
                "range": highest - lowest,
            }
        )
    means = pd.DataFrame(samples).astype(float).mean()
    return means.to_dict() | {"ratio": means["width"] / means["naive_width"]}


TABLES = {
    "best_threshold": Task(
        measured,
        ((Setting(key, *sample),) for sample, key in product(SAMPLES, METRIC_KEYS)),
        "%.5f",
        ("covered", "naive_covered", "best_among"),
        REPETITIONS,
    )
}


def check(found: pd.DataFrame) -> None:
    """Raise AssertionError if the interval covers too seldom somewhere."""
    if (found["covered"] < LEAST).any():
        raise AssertionError(found[found["covered"] < LEAST].to_string())


def page(found: pd.DataFrame) -> dict[str, Any]:
    """Return what the page has beside the constants."""
    return {"found": found}
