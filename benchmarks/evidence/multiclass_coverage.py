"""Measure how often intervals of many classes cover, and write ``multiclass_coverage.md``.

Matrices are drawn from classifiers with known rates, repeatedly. Their intervals are those of
``interval`` and ``compare``, found for all matrices of a setting at once.
"""

from collections.abc import Iterator
from itertools import product
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from draws import holds, uneven_rates
from pages import COVERAGE, ENOUGH, Task

from skewproof.core.algebra import Array
from skewproof.intervals.class_rows import ClassRows, PairedRows
from skewproof.intervals.extremes import radius_of
from skewproof.multiclass.lookup import MEASURES
from skewproof.multiclass.matrix import MulticlassConfusionMatrix
from skewproof.prevalence.prevalence import Prevalence

CLASSES = (3, 5, 10)
REPETITIONS = {3: 600, 5: 400, 10: 200}
"""Repetitions of a setting by the number of classes, fewer where each takes longer."""
PAIRED_REPETITIONS = {3: 400, 5: 200, 10: 60}
MEASURE_KEYS = ("macro_f1", "accuracy", "mcc")
PAIRED_MEASURE = "macro_f1"
KINDS = ("population", "test set", "stated", "sampled")
PAIRED_KINDS = ("population", "stated")
SAMPLE = 200
"""Size of the other sample of "sampled"."""
CONFIDENCE = 0.95
ROUNDING = 1e-12
RADIUS = radius_of(CONFIDENCE)
SEED = 1

SIZES = {
    "10 each": lambda classes: np.full(classes, 10),
    "30 each": lambda classes: np.full(classes, 30),
    "100 each": lambda classes: np.full(classes, 100),
    "10 to 1,000": lambda classes: np.geomspace(10, 1000, classes).round().astype(int),
    "10, the others 200": lambda classes: np.append(10, np.full(classes - 1, 200)),
}
"""Class sizes of test sets, by name."""

CLASSIFIERS = {"even": (0.8, 0.8, 5.0), "uneven": (0.6, 0.95, 0.3)}
"""Recall of the first and the last class, and how evenly the misses of a class are spread: the
parameter of a Dirichlet distribution."""

MODELS = {"equal, independent": (0.0, 0.0), "equal, half alike": (0.0, 0.5), "better": (0.05, 0.5)}
"""The gain in recall of the second model, and the share of answers that are the same for both by
construction."""


class Setting(NamedTuple):
    """A simulated setting."""

    classes: int
    sizes: str
    classifier: str
    at: str
    model: str = ""
    """The second model, where two are compared."""


def settings() -> Iterator[Setting]:
    """Return all settings, those of single classifiers first."""
    for key in product(CLASSES, SIZES, CLASSIFIERS, KINDS):
        yield Setting(*key)
    for key in product(CLASSES, SIZES, CLASSIFIERS, PAIRED_KINDS, MODELS):
        yield Setting(*key)


def simulate(setting: Setting) -> Iterator[dict[str, object]]:
    """Measure how often intervals of a setting cover, with a row for each measure."""
    repetitions = (PAIRED_REPETITIONS if setting.model else REPETITIONS)[setting.classes]
    random = np.random.default_rng([SEED, *map(ord, "".join(map(str, setting)))])
    first, last, evenness = CLASSIFIERS[setting.classifier]
    rates = uneven_rates(np.linspace(first, last, setting.classes), evenness, random)
    sizes = SIZES[setting.sizes](setting.classes)
    own = sizes / sizes.sum()
    shares = random.dirichlet(np.full(setting.classes, 2.0))
    shares = shares if setting.at in ("stated", "sampled") else own
    if setting.model:
        answers = answers_of(rates, *MODELS[setting.model])
        counts = drawn(answers.reshape(setting.classes, -1), sizes, setting, repetitions, random)
        first, second = answers.sum(axis=2), answers.sum(axis=1)
    else:
        counts = drawn(rates, sizes, setting, repetitions, random)
    seen = random.multinomial(SAMPLE, shares, size=repetitions)
    for key in [PAIRED_MEASURE] if setting.model else MEASURE_KEYS:
        measure = MEASURES[key]

        def true(rates: Array, measure=measure) -> float:
            return float(measure(MulticlassConfusionMatrix.from_rates(rates, shares)))

        value = true(second) - true(first) if setting.model else true(rates)
        low, high = ends(setting, counts, shares, seen, key)
        yield {
            "measure": key,
            "value": value,
            "coverage": float(holds(low, high, value, ROUNDING).mean()),
            "below": float((high < value).mean()),
            "above": float((low > value).mean()),
            "width": float(np.mean(high - low)),
            "repetitions": repetitions,
        }


def ends(setting: Setting, counts: Array, shares: Array, seen: Array, key: str) -> Array:
    """Return the low and the high ends of many matrices, in two rows."""
    kind, labels = PairedRows if setting.model else ClassRows, range(setting.classes)
    if setting.at == "sampled":  # a sample of its own for each matrix
        of = kind.at(counts, Prevalence.given("population"), labels, sampled=seen.astype(float))
    else:
        stated = dict(enumerate(shares.tolist()))
        at = Prevalence.given(stated if setting.at == "stated" else setting.at)
        of = kind.at(counts, at, labels)
    found = of.estimates(MEASURES[key], RADIUS)
    return np.array([found.low, found.high])


def answers_of(rates: Array, better: float, alike: float) -> Array:
    """Return shares of the pairs of answers of two models, (classes, first's, second's)."""
    recalls = np.diagonal(rates)
    factor = (1 - np.minimum(recalls + better, 0.99)) / (1 - recalls)
    second = rates * factor[:, np.newaxis]
    np.fill_diagonal(second, 1 - factor * (1 - recalls))
    common = alike * np.minimum(rates, second)
    rest = 1 - common.sum(axis=1)
    apart = (rates - common)[:, :, np.newaxis] * (second - common)[:, np.newaxis, :]
    both = common[:, :, np.newaxis] * np.eye(len(rates))
    return both + apart / rest[:, np.newaxis, np.newaxis]


def drawn(
    shares: Array, sizes: Array, setting: Setting, repetitions: int, random: np.random.Generator
) -> Array:
    """Draw counts of many test sets, (repetitions, classes, cells); those without a class are drawn
    again."""
    every = np.repeat(sizes[np.newaxis], repetitions, axis=0)
    while setting.at == "population":
        every = random.multinomial(sizes.sum(), sizes / sizes.sum(), size=2 * repetitions)
        every = every[every.min(axis=1) > 0][:repetitions]
        if len(every) == repetitions:
            break
    return random.multinomial(every, shares).astype(float)


COLUMNS = COVERAGE | ENOUGH | {"mean width": ("width", "mean")}
TABLES = {
    "multiclass_coverage": Task(
        simulate, zip(settings(), strict=True), "%.6g", samples="repetitions"
    )
}


def page(frame: pd.DataFrame) -> dict[str, Any]:
    """Return what the page has beside the constants."""
    single = frame["model"].isna()
    alike = frame[frame["model"].str.startswith("equal", na=False)]
    errors = 1 - alike["coverage"]
    return {
        "single": frame[single],
        "paired": frame[~single],
        "errors": errors.groupby(alike["classes"]).agg(["mean", "max"]).reset_index(),
        "mean_error": errors.mean(),
    }
