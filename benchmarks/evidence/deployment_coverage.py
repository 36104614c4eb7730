"""Measure how often intervals hold at another prevalence than the test set's.

It writes ``docs/evidence/deployment_coverage.md`` and the table of all settings. At a stated
prevalence all counts that are likely are gone through, so that coverage is exact; where the
prevalence is not sure, or the test set is a random sample, counts are drawn repeatedly.
"""

from collections.abc import Iterable, Iterator
from itertools import product
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from draws import holds, true_value
from numpy.typing import NDArray
from pages import COVERAGE, ENOUGH, Task
from scipy import stats

from skewproof.intervals.class_rows import ClassRows
from skewproof.intervals.extremes import radius_of
from skewproof.metrics import get_metric
from skewproof.multiclass.against_rest import TWO_CLASSES
from skewproof.multiclass.declaration import of_two_classes
from skewproof.prevalence.prevalence import Prevalence

METRIC_KEYS = ("f1", "precision", "negative_predictive_value", "mcc", "f1_i")
SIZES = ((5, 50), (20, 200), (50, 50), (50, 500), (200, 200), (500, 500), (30, 3000))
TPRS = (0.6, 0.8, 0.95)
FPRS = (0.001, 0.01, 0.1)
PREVALENCES = (0.001, 0.01, 0.5)
CONFIDENCE = 0.95
ROUNDING = 1e-12
LEFT_OUT = 1e-7
"""Probability of the counts of a class, on either side, that are left out."""

SAMPLES = ((3, 300), (12, 4000), (40, 400))
"""Expected count and size of another sample that shows the prevalence."""
BELIEFS = ((2, 200), (5, 45))
RANGES = ((0.001, 0.01), (0.01, 0.5))
UNSURE_SIZES = ((20, 200), (50, 500), (30, 3000))
UNSURE_RATES = ((0.6, 0.01), (0.8, 0.1), (0.95, 0.01))
POPULATIONS = ((200, 0.1), (1000, 0.05), (2000, 0.02), (10_000, 0.01), (400, 0.5))
"""Sizes of random test sets, and the prevalence of the population they are drawn from."""
REPETITIONS = 2000
RANGE_REPETITIONS = 400
"""Repetitions for a range of prevalences, whose envelope takes a hundred times as long."""
SEED = 28

Tables = NDArray[np.float64]
"""Counts tp, fp, fn, tn in rows."""


class Setting(NamedTuple):
    """A classifier and the class sizes on which it is tested."""

    positives: int
    negatives: int
    tpr: float
    fpr: float


def likely_tables(setting: Setting) -> tuple[Tables, NDArray[np.float64]]:
    """Return all likely counts with their probabilities."""
    sizes, rates = setting[:2], setting[2:]
    ranges = [
        np.arange(stats.binom.ppf(LEFT_OUT, size, rate), stats.binom.isf(LEFT_OUT, size, rate) + 1)
        for size, rate in zip(sizes, rates, strict=True)
    ]
    tp, fp = (grid.ravel() for grid in np.meshgrid(*ranges, indexing="ij"))
    probability = stats.binom.pmf(tp, sizes[0], rates[0]) * stats.binom.pmf(fp, sizes[1], rates[1])
    return np.array([tp, fp, sizes[0] - tp, sizes[1] - fp]), probability


def drawn_tables(setting: Setting, random: np.random.Generator) -> Tables:
    """Draw the counts of one test per repetition."""
    tp = random.binomial(setting.positives, setting.tpr, REPETITIONS)
    fp = random.binomial(setting.negatives, setting.fpr, REPETITIONS)
    return np.array([tp, fp, setting.positives - tp, setting.negatives - fp], dtype=np.float64)


def ends(key: str, tables: Tables, at: Prevalence, shares: Tables | None = None) -> Tables:
    """Return the ends of the intervals, with a row for each end.

    Shares are the counts of another sample, positive and negative, for each table: with the
    prevalence of a "population" they take the place of the test set's own.
    """
    tp, fp, fn, tn = tables
    own = np.array([tp + fn, fp + tn]) if shares is None else shares
    counts = np.stack([tp, fn, fp, tn], axis=-1).reshape(-1, 2, 2)
    rows = ClassRows.at(counts, at, TWO_CLASSES, sampled=own.T)
    found = rows.estimates(of_two_classes(get_metric(key)), radius_of(CONFIDENCE))
    return np.array([found.low, found.high])


def stated(setting: Setting) -> Iterator[dict[str, object]]:
    """Return the exact coverage at stated prevalences, a row for each metric and prevalence."""
    tables, probability = likely_tables(setting)
    for key, share in product(METRIC_KEYS, PREVALENCES):
        low, high = ends(key, tables, Prevalence.given(share))
        inside = holds(low, high, true_value(key, setting.tpr, setting.fpr, share), ROUNDING)
        yield {
            "metric": key,
            "prevalence": share,
            "coverage": float(probability @ inside),
            "width": float(probability @ (high - low)),
        }


def unsure(setting: Setting) -> Iterator[dict[str, object]]:
    """Measure the coverage at uncertain prevalences by draws."""
    random = np.random.default_rng([SEED, setting.positives, setting.negatives])

    def true(key: str, shares: Iterable[float]) -> Tables:
        return np.array([true_value(key, setting.tpr, setting.fpr, share) for share in shares])

    for key in METRIC_KEYS:
        tables, found = drawn_tables(setting, random), []
        for count, size in SAMPLES:
            counts = random.binomial(size, count / size, REPETITIONS)
            shares = np.array([counts, size - counts], dtype=np.float64)
            both = ends(key, tables, Prevalence.given("population"), shares)
            at = Prevalence.sampled(count, size)
            found.append(("sampled", at, holds(*both, *true(key, [count / size]), ROUNDING)))
        for belief in BELIEFS:
            at, drawn = Prevalence.believed(*belief), random.beta(*belief, REPETITIONS)
            inside = holds(*ends(key, tables, at), true(key, drawn), ROUNDING)
            found.append(("believed", at, inside))
        for span in RANGES:
            at = Prevalence.between(*span)
            both = ends(key, tables[:, :RANGE_REPETITIONS], at)
            for value in true(key, (span[0], at.share, span[1])):
                found.append(("between", at, holds(*both, value, ROUNDING)))
        for kind, at, inside in found:
            coverage = float(inside.mean())
            yield {"kind": kind, "at": str(at), "metric": key, "coverage": coverage}


def sampled_test_set(instances: int, prevalence: float) -> Iterator[dict[str, object]]:
    """Measure the coverage of the default for random test sets that have both classes."""
    random = np.random.default_rng([SEED, instances])
    for (tpr, fpr), key in product(UNSURE_RATES, METRIC_KEYS):
        positives = random.binomial(instances, prevalence, REPETITIONS)
        positives = positives[(positives > 0) & (positives < instances)]
        tp, fp = random.binomial(positives, tpr), random.binomial(instances - positives, fpr)
        tables = np.array([tp, fp, positives - tp, instances - positives - fp], dtype=np.float64)
        value = true_value(key, tpr, fpr, prevalence)
        row = {"tpr": tpr, "fpr": fpr, "metric": key}
        for word in ("population", "test set"):
            inside = holds(*ends(key, tables, Prevalence.given(word)), value, ROUNDING)
            yield row | {"at": word, "coverage": float(inside.mean())}


COLUMNS = COVERAGE | ENOUGH
EVERY = product(SIZES, product(TPRS, FPRS))
TABLES = {
    "deployment_coverage": Task(
        stated, ((Setting(*sizes, *rates),) for sizes, rates in EVERY), "%.5f", ()
    ),
    "unsure": Task(
        unsure,
        ((Setting(*sizes, *rates),) for sizes, rates in product(UNSURE_SIZES, UNSURE_RATES)),
        stored=False,
    ),
    "population": Task(sampled_test_set, POPULATIONS, stored=False),
}


def page(exact: pd.DataFrame, drawn: pd.DataFrame, population: pd.DataFrame) -> dict[str, Any]:
    """Return what the page has beside the constants."""
    return {"exact": exact, "drawn": drawn, "population": population}
