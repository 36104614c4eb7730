"""Measure how often intervals of parts hold between slices of many classes, and blame falsely.

For ``docs/evidence/coverage.md``. Two slices are drawn time and again from known populations.
"""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor
from itertools import product
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from skewproof.practice.slices.changes import explain_change

MEASURE_KEYS = ("macro_f1", "accuracy", "mcc")
CLASSES = (3, 5, 10)
INSTANCES_A_CLASS = (30, 200)
"""Mean size of a class."""
REPETITIONS = 1000
SEED = 1
SLICES = 10
"""Slices that are compared with one reference, of which none differs."""
PROCESSES = 2
LARGE = 1e9
"""Instances of a sample that stands for its population."""
ALPHA = 0.05
PARTS = ("difference", "prevalence_part", "classifier_part")
WORSE = 0.15
"""What the recall of a class loses where the classifier changes."""


class Population(NamedTuple):
    """What a slice is drawn from."""

    size: int
    shares: NDArray[np.float64]
    rates: NDArray[np.float64]


class Setting(NamedTuple):
    """Two populations, of which prevalences differ, or rates, or both."""

    classes: int
    instances_a_class: int
    moves: str


SETTINGS = tuple(
    Setting(*one)
    for one in product(CLASSES, INSTANCES_A_CLASS, ("neither", "prevalence", "classifier", "both"))
)


def rates_of(recalls: NDArray[np.float64], random: np.random.Generator) -> NDArray[np.float64]:
    """Rates with given recalls, misses being spread over the other classes at random."""
    classes = len(recalls)
    rates = np.zeros((classes, classes))
    for place, recall in enumerate(recalls):
        others = np.arange(classes) != place
        rates[place, others] = (1 - recall) * random.dirichlet(np.ones(classes - 1))
        rates[place, place] = recall
    return rates


def populations(setting: Setting) -> tuple[Population, Population]:
    """The slice's and its reference's: shares from even to those of a power law."""
    random = np.random.default_rng([SEED, SETTINGS.index(setting)])
    classes = setting.classes
    power = 1 / np.arange(1, classes + 1)
    skewed, even = power / power.sum(), np.full(classes, 1 / classes)
    recalls = random.uniform(0.6, 0.95, classes)
    rates = rates_of(recalls, random)
    here_shares = skewed if setting.moves in ("prevalence", "both") else even
    here_rates = rates
    if setting.moves in ("classifier", "both"):
        here_rates = rates.copy()
        lost = WORSE * rates[0, 0]
        here_rates[0, 0] -= lost
        here_rates[0, 1:] += lost / (classes - 1)
    size = classes * setting.instances_a_class
    return Population(size, here_shares, here_rates), Population(size, even, rates)


def drawn(population: Population, number: int, random: np.random.Generator) -> NDArray[np.float64]:
    """Matrices of samples of a population, of the shape (number, classes, classes)."""
    cells = (population.shares[:, np.newaxis] * population.rates).ravel()
    counts = random.multinomial(population.size, cells / cells.sum(), number)
    return counts.reshape(number, *population.rates.shape).astype(float)


def as_frame(matrices: NDArray[np.float64], name: str) -> pd.DataFrame:
    """Counts of pairs, as of ``count_slices``."""
    places = np.indices(matrices.shape).reshape(3, -1)
    names = ("repetition", "true", "predicted")
    return pd.DataFrame(dict(zip(names, places, strict=True))).assign(
        slice=name, count=matrices.ravel()
    )


def true_parts(key: str, pair: tuple[Population, Population]) -> pd.Series:
    """Difference and parts between the populations themselves."""
    frames = [
        as_frame(LARGE * (one.shares[:, np.newaxis] * one.rates)[np.newaxis], name)
        for one, name in zip(pair, ("here", "there"), strict=True)
    ]
    return explain_change(pd.concat(frames), metrics=[key], reference={"slice": "there"}).iloc[0]


def found_of(setting: Setting, key: str, repetitions: int) -> dict[str, object]:
    """How often the intervals have the true parts, and how often the classifier is blamed."""
    pair = populations(setting)
    random = np.random.default_rng([SEED, SETTINGS.index(setting), MEASURE_KEYS.index(key)])
    frames = [
        as_frame(drawn(one, repetitions, random), name)
        for one, name in zip(pair, ("here", "there"), strict=True)
    ]
    found = explain_change(pd.concat(frames), metrics=[key], reference={"slice": "there"})
    found = found[found["difference"].notna()]
    true = true_parts(key, pair)
    row: dict[str, object] = setting._asdict() | {"metric": key, "repetitions": len(found)}
    for part in PARTS:
        low, high = found[f"{part}_low"], found[f"{part}_high"]
        # What is 0 in the populations is so but for rounding.
        close = 1e-9
        row[part] = ((low <= true[part] + close) & (true[part] - close <= high)).mean()
    row["classifier told"] = (found["classifier_p"] < ALPHA).mean()
    return row


def moved_falsely(setting: Setting, repetitions: int, slices: int) -> dict[str, object]:
    """How often any of many slices is said to have a recall that moved, where none has."""
    here, there = populations(setting)
    random = np.random.default_rng([SEED, SETTINGS.index(setting), len(MEASURE_KEYS)])
    told = []
    for _ in range(repetitions):
        frames = [as_frame(drawn(here, slices, random), "here")]
        reference = drawn(there, 1, random)
        frames.append(as_frame(np.repeat(reference, slices, axis=0), "there"))
        found = explain_change(pd.concat(frames), metrics="accuracy", reference={"slice": "there"})
        told.append(found["moved_class"].notna().any())
    return setting._asdict() | {"slices": slices, "told": float(np.mean(told))}


def measure(repetitions: int = REPETITIONS) -> dict[str, pd.DataFrame]:
    """Coverage and blame of each setting and measure, and recalls that are falsely said to move."""
    with ProcessPoolExecutor(PROCESSES) as pool:
        parts = [
            pool.submit(found_of, setting, key, repetitions)
            for setting in SETTINGS
            for key in MEASURE_KEYS
        ]
        moved = [
            pool.submit(moved_falsely, setting, repetitions // SLICES, SLICES)
            for setting in SETTINGS
            if setting.moves in ("neither", "prevalence")
        ]
        return {
            "parts": pd.DataFrame([job.result() for job in parts]),
            "moved": pd.DataFrame([job.result() for job in moved]),
        }
