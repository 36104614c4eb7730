"""Measure how often intervals hold at another prevalence than the test set's.

It writes ``docs/evidence/deployment_coverage.md`` and the table of all settings. At a stated
prevalence all counts that are likely are gone through, so that coverage is exact; where the
prevalence is not sure, or the test set is a random sample, counts are drawn repeatedly.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from pages import markdown, standard_error, write_page, write_table
from scipy import stats

from skewproof.core.confusion import ConfusionMatrix
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
PROCESSES = 2

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


def true_value(key: str, setting: Setting, prevalence: float) -> float:
    """Return the metric of the classifier itself."""
    matrix = ConfusionMatrix.from_rates(
        setting.tpr, setting.fpr, positives=prevalence, negatives=1 - prevalence
    )
    return float(get_metric(key)(matrix))


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


def covered(found: Tables, value: float | Tables) -> NDArray[np.bool_]:
    """Mark intervals that contain the value; ends that differ from it by rounding alone count."""
    low, high = found
    slack = 1e-12
    return (low - slack <= value) & (value <= high + slack)


def stated(setting: Setting) -> pd.DataFrame:
    """Return the exact coverage at stated prevalences, a row for each metric and prevalence."""
    tables, probability = likely_tables(setting)
    rows = []
    for key, share in itertools.product(METRIC_KEYS, PREVALENCES):
        found = ends(key, tables, Prevalence.given(share))
        inside = covered(found, true_value(key, setting, share))
        row = {"metric": key, "prevalence": share, "coverage": float(probability @ inside)}
        width = float(probability @ (found[1] - found[0]))
        rows.append(setting._asdict() | row | {"width": width})
    return pd.DataFrame(rows)


def unsure(setting: Setting) -> pd.DataFrame:
    """Measure the coverage at uncertain prevalences by draws."""
    random = np.random.default_rng([SEED, setting.positives, setting.negatives])
    rows = []

    def add(kind: str, text: str, key: str, inside: NDArray[np.bool_]) -> None:
        row = {"kind": kind, "at": text, "metric": key, "coverage": float(inside.mean())}
        rows.append(setting._asdict() | row)

    for key in METRIC_KEYS:
        tables = drawn_tables(setting, random)
        for count, size in SAMPLES:
            counts = random.binomial(size, count / size, REPETITIONS)
            shares = np.array([counts, size - counts], dtype=np.float64)
            found = ends(key, tables, Prevalence.given("population"), shares)
            inside = covered(found, true_value(key, setting, count / size))
            add("sampled", str(Prevalence.sampled(count, size)), key, inside)
        for belief in BELIEFS:
            at = Prevalence.believed(*belief)
            drawn = random.beta(*belief, REPETITIONS)
            values = np.array([true_value(key, setting, share) for share in drawn])
            add("believed", str(at), key, covered(ends(key, tables, at), values))
        for span in RANGES:
            at = Prevalence.between(*span)
            found = ends(key, tables[:, :RANGE_REPETITIONS], at)
            for share in (span[0], at.share, span[1]):
                inside = covered(found, true_value(key, setting, share))
                add("between", str(at), key, inside)
    return pd.DataFrame(rows)


def sampled_test_set(population: tuple[int, float]) -> pd.DataFrame:
    """Measure the coverage of the default for random test sets that have both classes."""
    size, prevalence = population
    random = np.random.default_rng([SEED, size])
    rows = []
    for (tpr, fpr), key in itertools.product(UNSURE_RATES, METRIC_KEYS):
        positives = random.binomial(size, prevalence, REPETITIONS)
        positives = positives[(positives > 0) & (positives < size)]
        tp, fp = random.binomial(positives, tpr), random.binomial(size - positives, fpr)
        tables = np.array([tp, fp, positives - tp, size - positives - fp], dtype=np.float64)
        value = true_value(key, Setting(0, 0, tpr, fpr), prevalence)
        row = {"instances": size, "prevalence": prevalence, "tpr": tpr, "fpr": fpr, "metric": key}
        for word in ("population", "test set"):
            inside = covered(ends(key, tables, Prevalence.given(word)), value)
            rows.append(row | {"at": word, "coverage": float(inside.mean())})
    return pd.DataFrame(rows)


def summary(frame: pd.DataFrame, by: list[str]) -> pd.DataFrame:
    """Return the number, smallest and mean coverage of settings, and the share with .93 or more."""
    groups = frame.astype(dict.fromkeys(by, str)).groupby(by, sort=False)["coverage"]
    found = groups.agg(["size", "min", "mean"])
    found["at least .93"] = groups.agg(lambda some: float(np.mean(some >= 0.93)))
    return found.rename(columns={"size": "settings"}).reset_index()


def settings() -> Iterable[Setting]:
    """Yield all settings at stated prevalences."""
    for sizes, tpr, fpr in itertools.product(SIZES, TPRS, FPRS):
        yield Setting(*sizes, tpr, fpr)


def measure() -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    """Return the coverage at stated prevalences, at uncertain ones, and in the population."""
    unsure_settings = [
        Setting(*sizes, *rates) for sizes, rates in itertools.product(UNSURE_SIZES, UNSURE_RATES)
    ]
    with ProcessPoolExecutor(PROCESSES) as pool:
        frames = [
            pd.concat(pool.map(function, some), ignore_index=True)
            for function, some in (
                (stated, settings()),
                (unsure, unsure_settings),
                (sampled_test_set, POPULATIONS),
            )
        ]
    return frames[0], frames[1], frames[2]


def main() -> None:
    exact, drawn, population = measure()
    write_table("deployment_coverage", exact, repetitions=REPETITIONS)
    meant = population[population["at"] == "population"]
    mistaken = population[population["at"] == "test set"]
    write_page(
        "deployment_coverage",
        sizes=", ".join("{}:{}".format(*one) for one in SIZES),
        tprs=TPRS,
        fprs=FPRS,
        prevalences=PREVALENCES,
        metrics=", ".join(f"`{key}`" for key in METRIC_KEYS),
        confidence=CONFIDENCE,
        repetitions=REPETITIONS,
        range_repetitions=RANGE_REPETITIONS,
        settings=len(exact),
        least=exact["coverage"].min(),
        mean=exact["coverage"].mean(),
        share=float(np.mean(exact["coverage"] >= 0.93)),
        by_metric=markdown(summary(exact, ["metric"])),
        by_prevalence=markdown(summary(exact, ["prevalence"])),
        worst=markdown(exact.nsmallest(5, "coverage").drop(columns="width")),
        by_kind=markdown(summary(drawn, ["kind", "at"])),
        by_kind_and_metric=markdown(summary(drawn, ["kind", "metric"])),
        errors=[standard_error(CONFIDENCE, number) for number in (REPETITIONS, RANGE_REPETITIONS)],
        unsure_sizes=", ".join("{}:{}".format(*one) for one in UNSURE_SIZES),
        unsure_rates=UNSURE_RATES,
        populations=POPULATIONS,
        meant=markdown(summary(meant, ["metric"])),
        mistaken=markdown(summary(mistaken, ["metric"])),
    )


if __name__ == "__main__":
    main()
