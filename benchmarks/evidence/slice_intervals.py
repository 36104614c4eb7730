"""Measure how often intervals of values, differences and parts hold.

For ``docs/evidence/coverage.md``.

Of one matrix all counts that are likely are gone through, so that coverage is exact; of two slices
they are drawn repeatedly.
"""

from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

import numpy as np
import pandas as pd
from draws import holds
from pages import Task
from scipy import stats
from scipy.special import ndtri

from skewproof.core.confusion import ConfusionMatrix
from skewproof.intervals.extremes import Proportions, extremes
from skewproof.metrics import get_metric
from skewproof.slices.changes import explain_change

METRIC_KEYS = ("f1", "mcc", "f1_i", "g_mean")
SIZES = ((5, 50), (20, 200), (100, 10_000))
CONFIDENCES = (0.95, 0.999)
"""Confidences; each of 50 intervals needs the second for 0.95 together."""
LEFT_OUT = 1e-9
"""Probability of the counts that are left out."""
GRID = 25
"""True rates of each kind, of which coverage is found at all pairs."""
REPETITIONS = 2000
SLICES = 50
FAMILY_REPETITIONS = 1000
SEED = 1
CLASSES = ("positive", "negative")
PARTS = ("difference", "prevalence_part", "part_of_positive", "part_of_negative", "classifier_part")


class Population(NamedTuple):
    """A number of instances, and the population that they are drawn from."""

    size: int
    prevalence: float
    tpr: float
    fpr: float


SAME, RARE = Population(1000, 0.05, 0.7, 0.1), Population(220, 0.09, 0.7, 0.1)
PAIRS = (
    (SAME, SAME),
    (RARE, RARE),
    (RARE._replace(size=55), RARE),
    (Population(2000, 0.02, 0.8, 0.05), Population(2000, 0.08, 0.8, 0.05)),
    (Population(2000, 0.02, 0.6, 0.05), Population(2000, 0.08, 0.8, 0.02)),
    (Population(10_000, 0.01, 0.95, 0.01), Population(10_000, 0.002, 0.95, 0.01)),
)


def exact_coverage(sizes: tuple[int, int], metric: str, confidence: float) -> dict[str, object]:
    """Return the smallest and the mean coverage over a grid of true rates, class sizes given."""
    function, (positives, negatives) = get_metric(metric), sizes
    tprs = np.linspace(0.1, 0.98, GRID)
    fprs = np.geomspace(0.005, 0.5, GRID) if negatives < 1000 else np.geomspace(0.002, 0.05, GRID)
    most = int(stats.binom.isf(LEFT_OUT, negatives, fprs[-1]))
    counts = np.array(np.meshgrid(np.arange(positives + 1), np.arange(most + 1), indexing="ij"))
    hits = counts.reshape(2, -1).astype(float)
    totals = np.array([[positives], [negatives]])

    def value(rates: np.ndarray, _: np.ndarray) -> np.ndarray:
        return function(
            ConfusionMatrix.from_rates(*rates, positives=positives, negatives=negatives)
        )

    found = extremes(value, Proportions(hits, totals - hits), float(ndtri((1 + confidence) / 2)))
    low, high = (end.reshape(counts.shape[1:]) for end in (found.low, found.high))
    covered = []
    for tpr in tprs:
        by_tp = stats.binom.pmf(np.arange(positives + 1), positives, tpr)
        for fpr in fprs:
            true = value(np.array([[tpr], [fpr]]), np.array([0]))[0]
            by_fp = stats.binom.pmf(np.arange(most + 1), negatives, fpr)
            covered.append(by_tp @ ((low <= true) & (true <= high)) @ by_fp)
    return {"min": min(covered), "mean": float(np.mean(covered))}


def drawn(population: Population, number: int, random: np.random.Generator) -> pd.DataFrame:
    """Draw the counts of samples of a population."""
    positives = random.binomial(population.size, population.prevalence, number)
    negatives = population.size - positives
    tp, fp = random.binomial(positives, population.tpr), random.binomial(negatives, population.fpr)
    counts = {"tp": tp, "fp": fp, "fn": positives - tp, "tn": negatives - fp}
    return pd.DataFrame(counts).assign(repetition=range(number))


def true_parts(key: str, pair: tuple[Population, Population]) -> pd.Series:
    """Return difference and parts between two populations, with a thousand million of each.

    Sizes are of no account to the metrics here.
    """
    whole = []
    for one in pair:
        positives, negatives = 1e9 * one.prevalence, 1e9 * (1 - one.prevalence)
        tp, fp = positives * one.tpr, negatives * one.fpr
        whole.append({"tp": tp, "fp": fp, "fn": positives - tp, "tn": negatives - fp})
    counts = pd.DataFrame(whole).assign(slice=["here", "there"])
    changes = explain_change(counts, metrics=[key], reference={"slice": "there"}, classes=CLASSES)
    return changes.iloc[0][list(PARTS)]


def parts_coverage(case: tuple[Population, Population], metric: str) -> Iterator[dict[str, object]]:
    """Measure how often intervals contain the true part and p is below 0.05, by part."""
    random = np.random.default_rng([SEED, PAIRS.index(case), METRIC_KEYS.index(metric)])
    sides = [drawn(population, REPETITIONS, random) for population in case]
    counts = pd.concat(sides, keys=["here", "there"], names=["slice"]).reset_index("slice")
    found = explain_change(counts, metrics=[metric], reference={"slice": "there"}, classes=CLASSES)
    found = found[found["difference"].notna()]
    true = true_parts(metric, case)
    for part in PARTS:
        # What is 0 by proof has intervals of no width.
        inside = holds(found[f"{part}_low"], found[f"{part}_high"], true[part], 1e-9)
        yield {"pair": PAIRS.index(case) + 1, "part": part, "coverage": inside.mean()}


def family_errors(metric: str) -> dict[str, object]:
    """Measure how often any of 50 slices of one population is called different from a reference."""
    random = np.random.default_rng([SEED, METRIC_KEYS.index(metric)])
    slices = drawn(SAME._replace(size=400), FAMILY_REPETITIONS * SLICES, random)
    slices["family"] = np.repeat(range(FAMILY_REPETITIONS), SLICES)
    slices["slice"] = np.tile(range(1, SLICES + 1), FAMILY_REPETITIONS)
    reference = drawn(SAME._replace(size=100_000), FAMILY_REPETITIONS, random)
    counts = pd.concat([slices, reference.assign(family=range(FAMILY_REPETITIONS), slice=0)])
    counts = counts.drop(columns="repetition")
    found = explain_change(counts, metrics=[metric], reference={"slice": 0})
    # By Holm's method any is told from the reference where the smallest p is below 0.05/50.
    smallest = found.groupby("family")[["p", "classifier_p"]].min()
    return (smallest * SLICES < 0.05).mean().to_dict()


TABLES = {
    "exact": Task(
        exact_coverage,
        ((*cell, confidence) for confidence, *cell in product(CONFIDENCES, SIZES, METRIC_KEYS)),
        stored=False,
    ),
    "parts": Task(parts_coverage, product(PAIRS, METRIC_KEYS), stored=False),
    "families": Task(family_errors, zip(METRIC_KEYS, strict=True), stored=False),
}
