"""Measure how often changes between slices of many classes are attributed correctly.

It writes ``docs/evidence/multiclass_slices.md``. Two slices are drawn repeatedly from known
populations, and periods of a classifier that does not change.
"""

from itertools import product
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from draws import holds, uneven_rates
from numpy.typing import NDArray
from pages import Task, markdown, standard_error

from skewproof.slices.changes import explain_change
from skewproof.slices.over_time.change_points import alarmed
from skewproof.slices.over_time.watched import level_of_each

MEASURE_KEYS = ("macro_f1", "accuracy", "mcc")
CLASSES = (3, 5, 10)
INSTANCES_A_CLASS = (30, 200)
"""Mean size of a class."""
REPETITIONS = {3: 300, 5: 150, 10: 100}
"""Repetitions of a setting and measure by the number of classes, fewer where each takes longer."""
FAMILY_REPETITIONS = {3: 150, 5: 100, 10: 75}
"""Repetitions of several slices beside one reference."""
SLICES = 10
"""Slices that are compared with one reference and do not differ from it."""
YEAR_REPETITIONS = 5000
PERIODS = 12
SEED = 1
LARGE = 1e9
"""Instances of a sample that stands for its population."""
ALPHA = 0.05
PARTS = ("difference", "prevalence_part", "classifier_part")
P_VALUES = {"difference": "p", "classifier": "classifier_p"}
WORSE = 0.15
"""The loss in recall of a class if the classifier changes."""


class Population(NamedTuple):
    """A population that a slice is drawn from."""

    size: int
    shares: NDArray[np.float64]
    rates: NDArray[np.float64]


class Setting(NamedTuple):
    """Two populations whose prevalences, rates, both or neither differ."""

    classes: int
    instances_a_class: int
    changes: str


SETTINGS = tuple(
    Setting(*one)
    for one in product(CLASSES, INSTANCES_A_CLASS, ("neither", "prevalence", "classifier", "both"))
)
STILL = tuple(one for one in SETTINGS if one.changes in ("neither", "prevalence"))
"""Settings in which the classifier does not change."""


def populations(setting: Setting) -> tuple[Population, Population]:
    """Return the populations of the slice and its reference; shares are even or a power law."""
    random = np.random.default_rng([SEED, SETTINGS.index(setting)])
    classes = setting.classes
    power = 1 / np.arange(1, classes + 1)
    skewed, even = power / power.sum(), np.full(classes, 1 / classes)
    recalls = random.uniform(0.6, 0.95, classes)
    rates = uneven_rates(recalls, 1.0, random)
    here_shares = skewed if setting.changes in ("prevalence", "both") else even
    here_rates = rates
    if setting.changes in ("classifier", "both"):
        here_rates = rates.copy()
        lost = WORSE * rates[0, 0]
        here_rates[0, 0] -= lost
        here_rates[0, 1:] += lost / (classes - 1)
    size = classes * setting.instances_a_class
    return Population(size, here_shares, here_rates), Population(size, even, rates)


def drawn(population: Population, number: int, random: np.random.Generator) -> NDArray[np.float64]:
    """Return the matrices of samples of a population, of the shape (number, classes, classes)."""
    cells = (population.shares[:, np.newaxis] * population.rates).ravel()
    counts = random.multinomial(population.size, cells / cells.sum(), number)
    return counts.reshape(number, *population.rates.shape).astype(float)


def as_frame(matrices: NDArray[np.float64], name: str) -> pd.DataFrame:
    """Return counts of pairs, as ``count_slices`` does."""
    places = np.indices(matrices.shape).reshape(3, -1)
    names = ("repetition", "true", "predicted")
    return pd.DataFrame(dict(zip(names, places, strict=True))).assign(
        slice=name, count=matrices.ravel()
    )


def compared(here: NDArray[np.float64], there: NDArray[np.float64], key: str) -> pd.DataFrame:
    """Explain the changes between many pairs of matrices."""
    counts = pd.concat([as_frame(here, "here"), as_frame(there, "there")])
    return explain_change(counts, metrics=key, reference={"slice": "there"})


def parts_found(setting: Setting, metric: str) -> dict[str, object]:
    """Measure how often intervals contain the true parts, and how often a change is reported."""
    pair = populations(setting)
    random = np.random.default_rng([SEED, SETTINGS.index(setting), MEASURE_KEYS.index(metric)])
    found = compared(*(drawn(one, REPETITIONS[setting.classes], random) for one in pair), metric)
    found = found[found["difference"].notna()]
    whole = (LARGE * (one.shares[:, np.newaxis] * one.rates)[np.newaxis] for one in pair)
    true = compared(*whole, metric).iloc[0]
    # What is 0 in the populations is so but for rounding.
    held = {
        part: holds(found[f"{part}_low"], found[f"{part}_high"], true[part], 1e-9).mean()
        for part in PARTS
    }
    told = {f"{name}_told": (found[p] < ALPHA).mean() for name, p in P_VALUES.items()}
    return {"repetitions": len(found)} | held | told


def moved_falsely(setting: Setting) -> dict[str, object]:
    """Measure how often a recall is falsely said to have changed in any of many slices."""
    here, there = populations(setting)
    random = np.random.default_rng([SEED, SETTINGS.index(setting), len(MEASURE_KEYS)])
    told = []
    for _ in range(FAMILY_REPETITIONS[setting.classes]):
        slices, reference = drawn(here, SLICES, random), drawn(there, 1, random)
        found = compared(slices, np.repeat(reference, SLICES, axis=0), "accuracy")
        told.append(found["moved_class"].notna().any())
    return {"repetitions": len(told), "told": float(np.mean(told))}


def false_alarms(setting: Setting) -> dict[str, object]:
    """Return the number of years in which any recall raises an alarm, although none changes.

    If prevalence changes, the shares of the classes go from even ones to those of a power law in
    the middle of the year, and back.
    """
    here, there = populations(setting)
    weight = (1 - np.cos(2 * np.pi * np.arange(PERIODS) / PERIODS)) / 2
    shares = there.shares + weight[:, np.newaxis] * (here.shares - there.shares)
    sizes = (there.size * shares).round().astype(int)
    level = level_of_each(ALPHA, setting.classes)
    random = np.random.default_rng([SEED, SETTINGS.index(setting), len(MEASURE_KEYS) + 1])
    alarms = np.zeros((YEAR_REPETITIONS, setting.classes), dtype=bool)
    for place, recall in enumerate(np.diagonal(there.rates)):
        hits = random.binomial(sizes[:, place], recall, (YEAR_REPETITIONS, PERIODS)).astype(float)
        alarms[:, place] = alarmed(hits, sizes[:, place].astype(float), 1, level)
    return {"repetitions": YEAR_REPETITIONS, "alarms": float(alarms.any(axis=1).mean())}


def spread(frame: pd.DataFrame, column: str, rate: float, by: list[str]) -> str:
    """Return the smallest, mean and largest share of the settings, and standard errors, as a table.

    The standard errors are those of one setting and of the mean, if the true rate of each setting
    is the one that is given.
    """
    groups = frame.groupby(by, sort=False)
    found = groups[column].agg(["size", "min", "mean", "max"])
    for name, which in (("s.e. of one", "min"), ("s.e. of the mean", "sum")):
        number = groups["repetitions"].agg(which)
        found[name] = number.map(lambda one: standard_error(rate, one))
    return markdown(found.rename(columns={"size": "settings"}).reset_index())


TOLD = tuple(f"{name}_told" for name in P_VALUES)
TABLES = {
    "multiclass_slices": Task(
        parts_found, product(SETTINGS, MEASURE_KEYS), "%.6g", (*PARTS, *TOLD), "repetitions"
    ),
    "moved": Task(moved_falsely, zip(STILL, strict=True), stored=False),
    "alarms": Task(false_alarms, zip(STILL, strict=True), stored=False),
}


def page(parts: pd.DataFrame, moved: pd.DataFrame, alarms: pd.DataFrame) -> dict[str, Any]:
    """Return what the page has beside the constants."""
    names = [*Setting._fields, "metric", "repetitions"]
    coverage = parts.melt(names, PARTS, var_name="part", value_name="coverage")
    coverage["part"] = coverage["part"].str.replace("_", " ")
    is_still = parts["changes"].isin({one.changes for one in STILL})
    still = parts[is_still]
    changed = parts[~is_still].rename(columns={"instances_a_class": "instances a class"})
    powers = changed.groupby(["classes", "instances a class"])["classifier_told"]
    equal = still[still["changes"] == "neither"]
    return {
        "all_parts": coverage["coverage"],
        "coverage": spread(coverage, "coverage", 1 - ALPHA, ["part", "classes"]),
        "differences": spread(equal, "difference_told", ALPHA, ["classes"]),
        "blame": spread(still, "classifier_told", ALPHA, ["classes", "changes"]),
        "most_blame": still["classifier_told"].max(),
        "power": powers.agg(["min", "mean", "max"]).reset_index(),
        "moved": spread(moved, "told", ALPHA, ["classes"]),
        "alarms": spread(alarms, "alarms", ALPHA, ["classes", "changes"]),
        "most_alarms": alarms["alarms"].max(),
    }
