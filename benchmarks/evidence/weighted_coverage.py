"""Measure how often the intervals of weighted instances cover.

It writes ``docs/evidence/weighted_coverage.md``. Samples are drawn repeatedly from a population
with known rates, and weighted or sampled with known probabilities.
"""

from collections.abc import Iterator
from itertools import product
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from draws import holds, true_value
from numpy.typing import NDArray
from pages import Task, cells

from skewproof.core.confusion import ConfusionMatrix
from skewproof.intervals.extremes import radius_of
from skewproof.metrics import get_metric
from skewproof.multiclass.against_rest import TWO_CLASSES, matrix_of_two
from skewproof.multiclass.declaration import of_two_classes
from skewproof.slices.slice_table import Slices

METRIC_KEYS = ("f1", "precision", "true_positive_rate", "mcc")
SIZES = ((40, 400), (200, 2000))
"""Mean class sizes of the sample, before any is left out."""
RATES = ((0.7, 0.1), (0.95, 0.01))
KEPT = 0.1
"""Share of the instances of which some are left out that is kept."""
REPETITIONS = 2000
CONFIDENCE = 0.95
SEED = 1

NORMAL = {"log-normal, sigma 0.5": (0.5, 0.5), "log-normal, sigma 1": (1.0, 1.0)}
"""Standard deviations of the logarithm of a positive's and a negative's weight."""
ONE_CLASS = {"log-normal, sigma 1, positives alone": (1.0, 0.0)}
SAMPLED = "a tenth of the negatives, weight 10"
VERIFIED = "a tenth of the negative predictions, weight 10"
SCHEMES = ("all 1", *NORMAL, *ONE_CLASS, SAMPLED, VERIFIED)


class Setting(NamedTuple):
    """A population and the weights of its instances."""

    weights: str
    positives: int
    negatives: int
    tpr: float
    fpr: float


class Sample(NamedTuple):
    """True classes, predictions and weights, each of the shape (n,)."""

    true: NDArray[np.bool_]
    called: NDArray[np.bool_]
    weights: NDArray[np.float64]


def drawn(setting: Setting, random: np.random.Generator) -> Sample:
    """Draw a sample from a population and weigh it."""
    size = setting.positives + setting.negatives
    true = random.random(size) < setting.positives / size
    called = random.random(size) < np.where(true, setting.tpr, setting.fpr)
    if setting.weights in (SAMPLED, VERIFIED):
        surely = true if setting.weights == SAMPLED else called
        kept = surely | (random.random(size) < KEPT)
        return Sample(true[kept], called[kept], np.where(surely, 1.0, 1 / KEPT)[kept])
    spread = np.where(true, *(NORMAL | ONE_CLASS).get(setting.weights, (0.0, 0.0)))
    weights = np.exp(spread * random.standard_normal(size) - spread**2 / 2)
    return Sample(true, called, weights)


def slices_of(matrices: list[ConfusionMatrix]) -> Slices:
    """Return matrices of both classes as slices, to compute their intervals at once."""
    weighted = [matrix_of_two(one) for one in matrices]
    sizes, worth = (
        np.array([matrix.class_sizes for matrix in some])
        for some in (weighted, [matrix.effective_counts for matrix in weighted])
    )
    return Slices(
        pd.DataFrame(index=range(len(matrices))),
        TWO_CLASSES,
        np.array([matrix.counts for matrix in weighted]),
        sizes**2 / worth,
        np.zeros(len(matrices)),
    )


def covered(setting: Setting, seed: int) -> Iterator[dict[str, object]]:
    """Measure how often the intervals of each metric contain its value in the population.

    Weights are divided by their mean; those of samples of which some instances were left out are
    whole numbers, and taken as counts as well.
    """
    random = np.random.default_rng([SEED, seed])
    samples = [drawn(setting, random) for _ in range(REPETITIONS)]
    by_scale = {"weights": [one.weights / one.weights.mean() for one in samples]}
    if setting.weights in (SAMPLED, VERIFIED):
        by_scale["counts"] = [one.weights for one in samples]
    share = setting.positives / (setting.positives + setting.negatives)
    for taken_as, weights in by_scale.items():
        matrices = [
            ConfusionMatrix.from_labels(one.true, one.called, sample_weight=of_one)
            for one, of_one in zip(samples, weights, strict=True)
        ]
        slices = slices_of([one for one in matrices if min(one.positives, one.negatives) > 0])
        for key in METRIC_KEYS:
            metric = get_metric(key)
            found = slices.observed("sampled").estimates(
                of_two_classes(metric), radius_of(CONFIDENCE)
            )
            value = true_value(key, setting.tpr, setting.fpr, share)
            contained = holds(found.low, found.high, value)
            row = {"taken_as": taken_as, "metric": key, "samples": len(contained)}
            yield row | {"coverage": contained.mean()}


SETTINGS = [Setting(kind, *sizes, *rates) for kind, sizes, rates in product(SCHEMES, SIZES, RATES)]
TABLES = {
    "weighted_coverage": Task(covered, zip(SETTINGS, range(len(SETTINGS)), strict=True), "%.6g")
}


def page(frame: pd.DataFrame) -> dict[str, Any]:
    """Return what the page has beside the constants."""
    as_weights = frame[frame["taken_as"] == "weights"]
    verified = as_weights["weights"] == VERIFIED
    of_verified = as_weights[verified].groupby("metric")["coverage"].min()
    return {
        "smallest": as_weights[~verified]["coverage"].min(),
        "recall": of_verified["true_positive_rate"],
        "counted": frame[frame["taken_as"] == "counts"]["coverage"].min(),
        "tables": {
            taken_as: cells(some, ["weights", "metric"], "{least:.3f}, {mean:.3f}")
            .loc[some["weights"].unique(), list(METRIC_KEYS)]
            .reset_index()
            for taken_as, some in frame.groupby("taken_as")
        },
    }
