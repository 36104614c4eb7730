"""Measure how often the watch raises an alarm, with and without a change, and what it says then.

It writes ``docs/evidence/watch_power.md``. Counts of periods are drawn repeatedly for a
classifier with known rates. They are scanned as :func:`skewproof.watch_drift` does it, at the same
level for each rate.
"""

from collections.abc import Iterable, Iterator
from itertools import product
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from draws import holds
from numpy.typing import NDArray
from pages import Task
from scipy.special import expit, logit

from skewproof.slices.over_time.change_points import (
    CONFIDENCE,
    Course,
    Scan,
    alarmed,
    largest_differences,
    normal_scores,
    scan,
)
from skewproof.slices.over_time.dependence import AUTOCORRELATIONS
from skewproof.slices.over_time.watched import level_of_each

ALPHA = 0.05
LEVEL = level_of_each(ALPHA, 2)
PERIODS = 12
TPR, FPR = 0.8, 0.02
SIZES = ((20, 980), (50, 2450), (100, 4900), (200, 9800), (1000, 49_000))
"""Positives and negatives of a period."""
USUAL = SIZES[2]
SWING_PERIODS, SWING_SIZE, SWING = 24, 2000, (0.005, 0.1)
"""Periods whose prevalence swings between two values, twice in all."""
REPETITIONS = 2000
CHANGE_REPETITIONS = 500
VARYING = ((0.02, 100), (0.02, 300), (0.02, 1000), (0.05, 100), (0.05, 1000))
"""Standard deviations of the true positive rate between periods, and positives of a period."""
MONTHS, MONTHLY = 24, 300
"""Periods, and positives of a period, where periods depend on each other."""
DEPENDENT_REPETITIONS = 500
DEPENDENT = (
    *((0.0, 0.0, MONTHLY), (0.3, 0.2, MONTHLY), (0.5, 0.2, MONTHLY), (0.5, 0.3, MONTHLY)),
    *((0.8, 0.3, MONTHLY), (0.9, 0.3, MONTHLY), (0.8, 0.3, 100), (0.8, 0.3, 1000)),
)
"""Autocorrelations and standard deviations of the logit of the true positive rate, and positives of
a period."""
FALL = -1.0
"""Change of the logit of the true positive rate from the first to the last period."""
FIRST_LOOK = 3
REFERENCE_PERIODS = 6
SEED = 29

Counts = NDArray[np.float64]


class Case(NamedTuple):
    """A change of a classifier after some periods, and its end."""

    tpr: float = TPR
    fpr: float = FPR
    after: int = PERIODS // 2
    until: int = PERIODS
    sizes: tuple[int, int] = USUAL
    reference: tuple[int, int] | None = None

    @property
    def name(self) -> str:
        """Return the rate that changes."""
        return "tpr" if self.tpr != TPR else "fpr"

    @property
    def rates(self) -> tuple[float, float]:
        """Return this rate before and after the change."""
        return {"tpr": (TPR, self.tpr), "fpr": (FPR, self.fpr)}[self.name]


REQUIRED = Case(tpr=0.7)
CASES = (
    *(Case(tpr=0.7, after=after) for after in (3, 6, 9)),
    *(Case(fpr=0.025, after=after) for after in (3, 6, 9)),
    *(Case(tpr=0.88, after=after) for after in (3, 6, 9)),
    *(Case(tpr=0.7, sizes=sizes) for sizes in SIZES if sizes != USUAL),
    Case(tpr=0.7, reference=(1000, 49_000)),
)
PASSING = (
    Case(tpr=0.6, until=7),
    Case(tpr=0.6, until=10),
    Case(tpr=0.4, until=7),
    Case(tpr=0.4, until=10),
    Case(tpr=0.6, until=7, sizes=SIZES[-1]),
    Case(tpr=0.6, until=10, sizes=SIZES[-1]),
)


def draw(
    sizes: NDArray[np.int_], rates: Counts, random: np.random.Generator, number: int
) -> Counts:
    """Draw the hits of many years, of the shape (years, periods)."""
    return random.binomial(sizes, np.broadcast_to(rates, (number, len(sizes)))).astype(float)


def raised(hits: Counts, sizes: NDArray[np.int_], *plan: int | None) -> NDArray[np.bool_]:
    """Return the years with an alarm, after a reference of a period or of a stated number."""
    reference, *planned = plan or (1,)
    return alarmed(hits, sizes.astype(float), reference, LEVEL, *planned)


def naive_alarms(
    hits: list[Counts], sizes: tuple[NDArray[np.int_], ...], random: np.random.Generator
) -> NDArray[np.bool_]:
    """Return whether F1 of a period is three standard deviations from that of all periods together.

    The standard deviation is that of samples of a period's size with the rates and the prevalence
    of all periods, as in monitoring that ignores the prevalence.
    """
    tp, fp = hits
    positives, negatives = (int(of.sum()) for of in sizes)
    cells = np.array(
        [positives * TPR, negatives * FPR, positives * (1 - TPR), negatives * (1 - FPR)]
    )
    period = (positives + negatives) // len(sizes[0])
    samples = random.multinomial(period, cells / cells.sum(), REPETITIONS)
    spread = np.std(f1(samples[:, 0], samples[:, 1], samples[:, 0] + samples[:, 2]))
    whole = f1(tp.sum(axis=1), fp.sum(axis=1), positives)
    deviations = abs(f1(tp, fp, sizes[0]) - whole[:, None]).max(axis=1)
    return np.asarray(deviations > 3 * spread)


def f1(tp: Counts, fp: Counts, positives: NDArray[np.int_] | int) -> Counts:
    """Return F1 from the counts called positive and the size of the positive class."""
    return np.asarray(2 * tp / (tp + fp + positives))


Year = tuple[str, tuple[NDArray[np.int_], NDArray[np.int_]]]


def years() -> Iterator[Year]:
    """Yield the class sizes of years: always the same, and with a prevalence that swings."""
    for positives, negatives in SIZES:
        sizes = np.full(PERIODS, positives), np.full(PERIODS, negatives)
        yield f"{positives} : {negatives}", sizes
    swing = np.sin(4 * np.pi * np.arange(SWING_PERIODS) / SWING_PERIODS)
    low, high = np.log(SWING)
    swinging = np.exp((low + high) / 2 + (high - low) / 2 * swing) * SWING_SIZE
    swinging = swinging.round().astype(int)
    yield "swinging", (swinging, SWING_SIZE - swinging)


def without_change(seed: int, case: Year) -> dict[str, object]:
    """Measure how often there is an alarm if the classifier does not change."""
    name, sizes = case
    random = np.random.default_rng([SEED, 0, seed])
    hits = [draw(of, rate, random, REPETITIONS) for of, rate in zip(sizes, (TPR, FPR), strict=True)]
    tpr, fpr = (raised(some, of) for some, of in zip(hits, sizes, strict=True))
    return {
        "positives : negatives": name,
        "periods": len(sizes[0]),
        "any alarm": np.mean(tpr | fpr),
        "TPR": np.mean(tpr),
        "FPR": np.mean(fpr),
        "a band that ignores prevalence": np.mean(naive_alarms(hits, sizes, random)),
    }


def varying_rates(
    deviation: float, number: int, random: np.random.Generator, periods: int = PERIODS
) -> Counts:
    """Draw true positive rates that vary between periods, of the shape (years, periods)."""
    return np.clip(random.normal(TPR, deviation, (number, periods)), 0, 1)


def plain_alarms(hits: Counts, sizes: Counts) -> NDArray[np.bool_]:
    """Return alarms of a scan whose bound ignores the dispersion."""
    random = np.random.default_rng([SEED, 9])
    by_chance = largest_differences(random.normal(size=(20_000, len(sizes) - 1)), sizes)
    bound = np.quantile(by_chance.max(axis=-1), 1 - LEVEL)
    return largest_differences(normal_scores(hits, sizes), sizes).max(axis=-1) > bound


def varying(seed: int, case: tuple[float, int]) -> dict[str, object]:
    """Measure how often there is an alarm if the rate varies about the same mean."""
    deviation, positives = case
    random = np.random.default_rng([SEED, 1, seed])
    sizes, negatives = np.full(PERIODS, positives), np.full(PERIODS, 49 * positives)
    hits = draw(sizes, varying_rates(deviation, REPETITIONS, random), random, REPETITIONS)
    tpr, fpr = raised(hits, sizes), raised(draw(negatives, FPR, random, REPETITIONS), negatives)
    courses = [Course(row, sizes.astype(float)) for row in hits[:CHANGE_REPETITIONS]]
    return {
        "sd": deviation,
        "positives": positives,
        "any alarm": np.mean(tpr | fpr),
        "TPR": np.mean(tpr),
        "said to vary": np.mean([scan(course, LEVEL).dispersion > 1 for course in courses]),
        "TPR, bound without dispersion": np.mean(plain_alarms(hits, sizes.astype(float))),
    }


def changed(case: Case, random: np.random.Generator) -> dict[str, list[Course]]:
    """Draw courses of both rates in many years."""
    later = (np.arange(PERIODS) >= case.after) & (np.arange(PERIODS) < case.until)
    courses = {}
    for place, (name, first, rate) in enumerate((("tpr", TPR, case.tpr), ("fpr", FPR, case.fpr))):
        sizes, rates = np.full(PERIODS, case.sizes[place]), np.where(later, rate, first)
        if case.reference is not None:
            sizes = np.append(case.reference[place], sizes)
            rates = np.append(first, rates)
        hits = draw(sizes, rates, random, CHANGE_REPETITIONS)
        courses[name] = [Course(row, sizes.astype(float)) for row in hits]
    return courses


def described(case: Case) -> dict[str, object]:
    """Return the columns that describe the case."""
    before, after = case.rates
    row = {"change": f"{case.name.upper()} {before:g} to {after:g}", "after": case.after}
    return row | {"positives : negatives": "{} : {}".format(*case.sizes)}


def with_change(seed: int, case: Case) -> dict[str, object]:
    """Measure how often and how soon a change is found, and how often its intervals hold."""
    courses = changed(case, np.random.default_rng([SEED, 2, seed]))
    found = {
        name: [scan(course, LEVEL).changes for course in some] for name, some in courses.items()
    }
    first = case.after + (case.reference is not None)
    dated = [changes[0] for changes in found[case.name] if changes]
    # An alarm before the change is no delay.
    delays = [one.alarm - first + 1 for one in dated if one.alarm >= first]
    either = [bool(a or b) for a, b in zip(*found.values(), strict=True)]
    return described(case) | {
        "reference": "{} : {}".format(*case.reference) if case.reference else "",
        "any alarm": np.mean(either),
        "this rate": len(dated) / CHANGE_REPETITIONS,
        "periods until then": int(np.median(delays)) if delays else None,
        "date covered": np.mean([holds(one.first, one.last, first) for one in dated]),
        "region": np.mean([one.last - one.first + 1 for one in dated]),
        "before covered": covered([one.before for one in dated], case.rates[0]),
        "after covered": covered([one.after for one in dated], case.rates[1]),
    }


def covered(intervals: list[Any], rate: float) -> float:
    """Return how often the interval of a rate contains it."""
    return float(np.mean([holds(one.low, one.high, rate) for one in intervals]))


def passing(seed: int, case: Case) -> dict[str, object]:
    """Measure how often a change that goes back is found, as it ends and at the end of the year."""
    courses = changed(case, np.random.default_rng([SEED, 3, seed]))["tpr"]
    hits, sizes = np.array([one.hits for one in courses]), courses[0].sizes
    return described(case) | {
        "lasts": case.until - case.after,
        "alarm while it lasts": np.mean(raised(hits[:, : case.until], sizes[: case.until])),
        "at the end of the year": np.mean(raised(hits, sizes)),
    }


class Shape(NamedTuple):
    """A course of the logit of the true positive rate."""

    change: str
    periods: int
    positives: int
    deviation: float = 0.0

    def logits(self) -> Counts:
        """Return the expected logits."""
        elapsed = np.arange(self.periods) / (self.periods - 1)
        change = FALL * elapsed if self.change == STEADY else STEP * (elapsed > 0.5)
        return np.asarray(logit(TPR) + change)


STEP = float(logit(REQUIRED.tpr) - logit(TPR))
STEADY, SUDDEN = "steady", "sudden"
SHAPES = (
    *(Shape(STEADY, MONTHS, positives) for positives in (100, MONTHLY, 1000)),
    Shape(STEADY, PERIODS, 100),
    Shape(STEADY, MONTHS, MONTHLY, 0.2),
    *(Shape(SUDDEN, MONTHS, positives) for positives in (100, MONTHLY, 1000)),
    Shape(SUDDEN, PERIODS, 100),
    Shape(SUDDEN, MONTHS, MONTHLY, 0.2),
)


def dependent_logits(
    autocorrelation: float, deviation: float, periods: int, random: np.random.Generator
) -> Counts:
    """Draw deviations that depend on those of the period before, of the shape (years, periods)."""
    noise = random.normal(size=(DEPENDENT_REPETITIONS, periods))
    noise[:, 1:] *= np.sqrt(1 - autocorrelation**2)
    for place in range(1, periods):
        noise[:, place] += autocorrelation * noise[:, place - 1]
    return np.asarray(deviation * noise)


def scanned(logits: Counts, positives: int, random: np.random.Generator) -> list[Scan]:
    """Scan courses with these logits of the true positive rate."""
    hits = random.binomial(positives, expit(logits)).astype(float)
    sizes = np.full(logits.shape[-1], float(positives))
    return [scan(Course(row, sizes), LEVEL) for row in hits]


def depending(seed: int, case: tuple[float, float, int]) -> dict[str, object]:
    """Measure how often there is an alarm if periods depend on each other, without a change."""
    autocorrelation, deviation, positives = case
    random = np.random.default_rng([SEED, 5, seed])
    logits = logit(TPR) + dependent_logits(autocorrelation, deviation, MONTHS, random)
    tpr = scanned(logits, positives, random)
    negatives = np.full(MONTHS, 49 * positives)
    fpr = raised(draw(negatives, FPR, random, DEPENDENT_REPETITIONS), negatives)
    changes = np.array([bool(one.changes) for one in tpr])
    return {
        "autocorrelation": autocorrelation,
        "sd of the logit": deviation,
        "positives": positives,
        "any alarm": np.mean(changes | fpr),
        "TPR": np.mean(changes),
        "TPR, withheld": np.mean([one.dependent for one in tpr]),
    }


def shapes(seed: int, case: Shape) -> dict[str, object]:
    """Measure how often a sudden and a steady change are found, and called gradual."""
    random = np.random.default_rng([SEED, 6, seed])
    noise = dependent_logits(0, case.deviation, case.periods, random)
    found = scanned(case.logits() + noise, case.positives, random)
    told = [one.changes for one in found if one.changes]
    gradual = np.array([some[0].gradual for some in told], dtype=bool)
    single = np.array([len(some) == 1 for some in told], dtype=bool)
    return {
        "change": case.change,
        "periods": case.periods,
        "positives": case.positives,
        "sd of the logit": case.deviation,
        "alarm": len(told) / DEPENDENT_REPETITIONS,
        "withheld": np.mean([one.dependent for one in found]),
        "one gradual change": gradual.mean(),
        "one sudden change": np.mean(~gradual & single),
    }


def monthly_looks(seed: int, case: tuple[int, float, int]) -> dict[str, object]:
    """Measure how often any of the looks at a growing year raises an alarm without any change."""
    positives, deviation, reference = case
    random = np.random.default_rng([SEED, 4, seed])
    periods = PERIODS + reference - 1
    sizes, negatives = np.full(periods, positives), np.full(periods, 49 * positives)
    rates = varying_rates(deviation, REPETITIONS, random, periods)
    hits = draw(sizes, rates, random, REPETITIONS)
    both = (hits, sizes), (draw(negatives, FPR, random, REPETITIONS), negatives)
    every = range(FIRST_LOOK + reference - 1, periods + 1)

    def alarms(looks: Iterable[int], plan: int | None = None) -> float:
        found = [
            raised(some[:, :last], of[:last], reference, plan)
            for some, of in both
            for last in looks
        ]
        return float(np.mean(np.any(found, axis=0)))

    return {
        "positives": positives,
        "sd": deviation,
        "periods of reference": reference,
        "last look": alarms([periods]),
        "any look": alarms(every),
        "any look, planned": alarms(every, PERIODS),
    }


MEASURED = {
    "changes": (with_change, CASES),
    "size": (without_change, years()),
    "varying": (varying, VARYING),
    "depending": (depending, DEPENDENT),
    "shapes": (shapes, SHAPES),
    "passing": (passing, PASSING),
    "looks": (monthly_looks, product((100, 1000), (0.0, 0.02), (1, REFERENCE_PERIODS))),
}
TABLES = {
    name: Task(function, enumerate(settings), stored=False)
    for name, (function, settings) in MEASURED.items()
}


def page(changes: pd.DataFrame, *others: pd.DataFrame) -> dict[str, Any]:
    """Return what the page has beside the constants."""
    return {
        "power": changes.loc[CASES.index(REQUIRED), "any alarm"],
        "autocorrelations": AUTOCORRELATIONS,
        "confidence": CONFIDENCE,
        **dict(zip(TABLES, (changes, *others), strict=True)),
    }
