"""Measure how often intervals from labels of some rows cover, beside those of others.

It writes ``docs/evidence/labels_coverage.md``. Rows are drawn from a population, a classifier or a
judge calls each of them, and some are labeled: at random, or all alarms and a random sample of the
rest. Beside the package's intervals stand those from labeled rows alone, prediction-powered
inference with power tuning (Angelopoulos, Duchi and Zrnic 2023), the correction of Rogan and Gladen
with the interval of Lee et al. 2026 (arXiv 2511.21140), and percentiles of a bootstrap.
"""

from itertools import product
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from draws import holds
from pages import Task
from scipy.special import ndtri

from skewproof.core.algebra import Array
from skewproof.core.confusion import ConfusionMatrix
from skewproof.intervals.class_rows import ClassRows
from skewproof.intervals.extremes import radius_of
from skewproof.metrics import get_metric
from skewproof.multiclass.against_rest import TWO_CLASSES
from skewproof.multiclass.declaration import of_two_classes
from skewproof.prevalence.prevalence import Prevalence
from skewproof.unlabeled.labeled_strata import LabeledStrata, stratified_estimates

SHARES = (0.01, 0.05, 0.2, 0.6)
SIZES = ((1000, 50), (1000, 200), (10_000, 100), (10_000, 400))
"""Numbers of rows, and of labels."""
JUDGES = ((0.9, 0.05), (0.7, 0.2))
"""True and false positive rates."""
SYSTEMS = ((0.7, 0.02), (0.8, 0.05))
"""Rates of two classifiers, whose calls are independent given the truth."""
VERDICTS = ((0.9, 0.1), (0.8, 0.2))
"""Rates of a judge for each of two systems."""
GAIN, ALIKE = 1.2, 0.8
"""Share of positives of the second judged system over that of the first, and the share of rows in
which its truth is copied from the first before it gains."""
KEYS = ("prevalence", "recall", "specificity", "f1", "mcc")
COMPARED = ("recall", "precision", "f1")
DESIGNS = ("random", "all alarms")
PAIR_DESIGNS = ("random", "by pair")
ENOUGH = 5
"""Labels that each stratum is expected to have at least."""
RESAMPLES = 400
REPETITIONS = 1000
CONFIDENCE = 0.95
SEED = 46
Z = ndtri((1 + CONFIDENCE) / 2)


class Setting(NamedTuple):
    """A population, and the labels that are drawn from its sample."""

    share: float
    rows: int
    labels: int
    design: str
    rates: tuple[float, float] = SYSTEMS[0]


class Sample(NamedTuple):
    """Counts of many samples, shapes (samples, cells) and (samples, cells, truths)."""

    sizes: Array
    labels: Array


def settings() -> list[Setting]:
    """List all settings of one system."""
    cells = product(SHARES, SIZES, DESIGNS, JUDGES)
    return [Setting(share, *sizes, design, rates) for share, sizes, design, rates in cells]


def pair_settings() -> list[Setting]:
    """List all settings of two systems."""
    cells = product(SHARES, SIZES, PAIR_DESIGNS)
    return [Setting(share, *sizes, design) for share, sizes, design in cells]


def sampled(joint: Array, setting: Setting, random: np.random.Generator) -> Sample:
    """Draw rows from probabilities (cells, truths), and label some of them.

    The first cell holds the rows that nobody calls.
    """
    cells, truths = joint.shape
    drawn = random.multinomial(setting.rows, joint.ravel(), REPETITIONS)
    counts = drawn.reshape(REPETITIONS, cells, truths)
    sizes = counts.sum(axis=-1)
    if setting.design == "random":
        flat = [random.multivariate_hypergeometric(row, setting.labels) for row in drawn]
        return Sample(sizes.astype(float), np.reshape(flat, counts.shape).astype(float))
    if setting.design == "all alarms":
        numbers = sizes.copy()
        numbers[:, 0] = np.minimum(sizes[:, 0], setting.labels)
    else:
        numbers = np.minimum(sizes, setting.labels // cells)
        numbers[:, 0] += np.minimum(
            sizes[:, 0] - numbers[:, 0], setting.labels - numbers.sum(axis=1)
        )
    labels = [
        [random.multivariate_hypergeometric(*cell) for cell in zip(row, number, strict=True)]
        for row, number in zip(counts, numbers, strict=True)
    ]
    return Sample(sizes.astype(float), np.array(labels, dtype=float))


def value_of(key: str, tp: Array, fp: Array, fn: Array, tn: Array) -> Array:
    """Compute a metric of probabilities or counts."""
    if key == "prevalence":
        return (tp + fn) / (tp + fp + fn + tn)
    return np.asarray(get_metric(key)(ConfusionMatrix(tp=tp, fp=fp, fn=fn, tn=tn)))


def measured(seed: int, setting: Setting) -> list[dict[str, Any]]:
    """Measure the intervals of one system in a setting."""
    tpr, fpr = setting.rates
    share = setting.share
    joint = np.array(
        [[share * (1 - tpr), (1 - share) * (1 - fpr)], [share * tpr, (1 - share) * fpr]]
    )
    random = np.random.default_rng([SEED, seed])
    sample = sampled(joint, setting, random)
    block = LabeledStrata(np.array([[False, True]]), sample.sizes, sample.labels, False)
    least = sample.labels.sum(axis=-1).mean(axis=0).min()
    resampled = bootstrap(sample, setting, random)
    rows = []
    for key in KEYS:
        truth = float(value_of(key, *joint[1], *joint[0]))
        ends = stratified_estimates(get_metric(key), [block], CONFIDENCE)
        methods = {
            "strata": (ends.low, ends.high),
            "labels alone": alone(key, sample),
            "bootstrap": percentiles(key, resampled),
        }
        if key == "prevalence" and setting.design == "random":
            methods["prediction-powered"] = prediction_powered(sample)
            methods["Rogan-Gladen"] = rogan_gladen(sample)
        rows += [
            {"metric": key, "truth": truth, "least_labels": least, "method": method}
            | covered(*ends, truth)
            for method, ends in methods.items()
        ]
    return rows


def covered(low: Array, high: Array, truth: float) -> dict[str, float]:
    """Return the share of intervals that hold the truth, and their mean width.

    Intervals that are undefined do not hold it.
    """
    width = high - low
    defined = np.isfinite(width)
    mean = float(width[defined].mean()) if defined.any() else np.nan
    return {
        "coverage": float(holds(low, high, truth, 1e-12).mean()),
        "width": mean,
        "samples": len(low),
    }


def alone(key: str, sample: Sample) -> tuple[Array, Array]:
    """Return intervals from labeled rows alone: Wilson's, or the package's of their matrix."""
    missed, called = sample.labels[:, 0], sample.labels[:, 1]
    counts = {
        "prevalence": (called[:, 0] + missed[:, 0], sample.labels.sum(axis=(1, 2))),
        "recall": (called[:, 0], called[:, 0] + missed[:, 0]),
        "specificity": (missed[:, 1], called[:, 1] + missed[:, 1]),
    }
    if key in counts:
        hits, size = counts[key]
        with np.errstate(invalid="ignore"):
            center = (hits + Z**2 / 2) / (size + Z**2)
            half = Z * np.sqrt(hits * (size - hits) / size + Z**2 / 4) / (size + Z**2)
        return np.where(size > 0, center - half, 0), np.where(size > 0, center + half, 1)
    matrices = np.stack([sample.labels[:, ::-1, truth] for truth in (0, 1)], axis=1)
    low, high = np.zeros(len(matrices)), np.ones(len(matrices))
    if key == "mcc":
        low -= 1
    usable = (matrices.sum(axis=-1) > 0).all(axis=1)
    rows = ClassRows.at(matrices[usable], Prevalence.given("population"), TWO_CLASSES)
    ends = rows.estimates(of_two_classes(get_metric(key)), radius_of(CONFIDENCE))
    low[usable], high[usable] = ends.low, ends.high
    return low, high


def prediction_powered(sample: Sample) -> tuple[Array, Array]:
    """Return intervals of the share of positives with the tuned weight of the verdicts."""
    labels = sample.labels.sum(axis=(1, 2))
    others = sample.sizes.sum(axis=1) - labels
    truth = sample.labels[:, :, 0].sum(axis=1) / labels
    verdict = sample.labels[:, 1].sum(axis=1) / labels
    both = sample.labels[:, 1, 0] / labels
    elsewhere = (sample.sizes[:, 1] - sample.labels[:, 1].sum(axis=1)) / others
    every = sample.sizes[:, 1] / sample.sizes.sum(axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        weight = (both - truth * verdict) / ((1 + labels / others) * every * (1 - every))
    weight = np.nan_to_num(np.clip(weight, 0, 1))
    center = weight * elsewhere + truth - weight * verdict
    residual = truth * (1 - truth) + weight**2 * verdict * (1 - verdict)
    residual -= 2 * weight * (both - truth * verdict)
    variance = weight**2 * elsewhere * (1 - elsewhere) / others + residual / labels
    half = Z * np.sqrt(np.maximum(variance, 0))
    return center - half, center + half


def rogan_gladen(sample: Sample) -> tuple[Array, Array]:
    """Return the intervals of Lee et al. 2026; from 0 to 1 if a class has no labels."""
    positives, negatives = sample.labels.sum(axis=1).T
    total = sample.sizes.sum(axis=1) + Z**2
    seen = (sample.sizes[:, 1] + Z**2 / 2) / total
    tpr = (sample.labels[:, 1, 0] + 1) / (positives + 2)
    tnr = (sample.labels[:, 0, 1] + 1) / (negatives + 2)
    of_tpr, of_tnr = tpr * (1 - tpr) / (positives + 2), tnr * (1 - tnr) / (negatives + 2)
    informed = tpr + tnr - 1
    share = (seen + tnr - 1) / informed
    center = share + 2 * Z**2 * (share * of_tpr - (1 - share) * of_tnr)
    variance = seen * (1 - seen) / total + (1 - share) ** 2 * of_tnr + share**2 * of_tpr
    half = Z * np.sqrt(variance) / abs(informed)
    known = (positives > 0) & (negatives > 0) & (informed > 0)
    low, high = (np.clip(end, 0, 1) for end in (center - half, center + half))
    return np.where(known, low, 0), np.where(known, high, 1)


def bootstrap(
    sample: Sample, setting: Setting, random: np.random.Generator
) -> tuple[Array, Array, Array, Array]:
    """Resample rows, labeled and unlabeled, and return the estimated cells (samples, resamples)."""
    unlabeled = sample.sizes - sample.labels.sum(axis=-1)
    every = np.concatenate([sample.labels.reshape(len(unlabeled), -1), unlabeled], axis=1)
    chances = every / setting.rows
    counts = random.multinomial(setting.rows, chances[:, np.newaxis], (len(chances), RESAMPLES))
    labels = counts[..., :4].reshape(*counts.shape[:2], 2, 2)
    labeled = labels.sum(axis=-1)
    with np.errstate(invalid="ignore"):
        shares = labels / labeled[..., np.newaxis]
    cells = (labeled + counts[..., 4:])[..., np.newaxis] * shares
    return cells[..., 1, 0], cells[..., 1, 1], cells[..., 0, 0], cells[..., 0, 1]


def percentiles(key: str, cells: tuple[Array, Array, Array, Array]) -> tuple[Array, Array]:
    """Return percentiles of resampled metrics, without undefined ones."""
    values = value_of(key, *cells)
    none = np.isnan(values).all(axis=1)
    values = np.where(none[:, np.newaxis], 0, values)
    low, high = np.nanquantile(values, [(1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2], axis=1)
    return np.where(none, np.nan, low), np.where(none, np.nan, high)


def differences(seed: int, setting: Setting) -> list[dict[str, Any]]:
    """Measure the intervals of two classifiers, and of two judged systems."""
    random = np.random.default_rng([SEED, 1, seed])
    called = np.array([[False, False, True, True], [False, True, False, True]])
    share, (first, second) = setting.share, SYSTEMS
    joint = np.stack(
        [
            chance * pairs(first[truth], second[truth])
            for truth, chance in enumerate((share, 1 - share))
        ],
        axis=-1,
    )
    matrices = [(*joint[by].sum(axis=0), *joint[~by].sum(axis=0)) for by in called]
    truths = {
        key: float(value_of(key, *matrices[1]) - value_of(key, *matrices[0])) for key in COMPARED
    }
    rows = pair_rows(setting, "one truth", called, joint, truths, random)
    judged = judged_pairs(share)
    gain = float(judged[:, [0, 2]].sum() - judged[:, [0, 1]].sum())
    return rows + pair_rows(setting, "a truth each", called, judged, {"prevalence": gain}, random)


def pairs(first: float, second: float) -> Array:
    """Return the probabilities of neither, the second, the first and both of two events."""
    return np.array(
        [(1 - first) * (1 - second), (1 - first) * second, first * (1 - second), first * second]
    )


def judged_pairs(share: float) -> Array:
    """Return probabilities of verdicts (rows) and truths (both, first, second, neither)."""
    gained = (GAIN - ALIKE) * share / (1 - ALIKE * share)
    chances = np.array(
        [
            share * (ALIKE + (1 - ALIKE) * gained),
            share * (1 - ALIKE) * (1 - gained),
            (1 - share) * gained,
            (1 - share) * (1 - gained),
        ]
    )
    by_truth = [
        pairs(VERDICTS[0][1 - first], VERDICTS[1][1 - second])
        for first, second in product((1, 0), repeat=2)
    ]
    return chances * np.stack(by_truth, axis=-1)


def pair_rows(
    setting: Setting,
    truth: str,
    called: Array,
    joint: Array,
    values: dict[str, float],
    random: np.random.Generator,
) -> list[dict[str, Any]]:
    """Measure differences in several metrics."""
    sample = sampled(joint, setting, random)
    ends = {}
    for key in values:
        # Pairs that nobody is in differ by sample, and a stratum must have rows.
        ends[key] = np.full((2, REPETITIONS), np.nan)
        for there in np.unique(sample.sizes > 0, axis=0):
            same = ((sample.sizes > 0) == there).all(axis=1)
            block = LabeledStrata(
                called[:, there], sample.sizes[same][:, there], sample.labels[same][:, there], False
            )
            found = stratified_estimates(get_metric(key), [block], CONFIDENCE)
            ends[key][:, same] = found.low, found.high
    least = sample.labels.sum(axis=-1).mean(axis=0).min()
    return [
        {"truths": truth, "metric": key, "truth": value, "least_labels": least}
        | covered(*ends[key], value)
        for key, value in values.items()
    ]


SUMMARY = {
    "settings": ("coverage", "size"),
    "mean": ("coverage", "mean"),
    "least": ("coverage", "min"),
    "width": ("width", "mean"),
}
"""Columns of the summaries."""


TABLES = {
    "labels_coverage": Task(measured, enumerate(settings())),
    "labels_differences": Task(differences, enumerate(pair_settings())),
}


def page(coverage: pd.DataFrame, pair: pd.DataFrame) -> dict[str, Any]:
    """Return what the page has beside the constants."""
    for frame in (coverage, pair):
        frame["enough"] = np.where(frame["least_labels"] >= ENOUGH, "yes", "no")
    at_random = coverage[(coverage["design"] == "random") & (coverage["metric"] == "prevalence")]
    strata = coverage[coverage["method"] == "strata"]
    wide = at_random.pivot_table(
        index=["share", "rows", "labels", "rates"], columns="method", values="width"
    )
    widths = wide.div(wide["labels alone"], axis=0).groupby("share").mean()
    return {
        "coverage": coverage,
        "at_random": at_random,
        "strata": strata,
        "widths": widths.reset_index(),
        "pair": pair,
        "several": pd.concat([strata, pair]).query("enough == 'yes'"),
    }
