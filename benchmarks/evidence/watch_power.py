"""Measure how often the watch raises an alarm, with and without a change, and what it says then.

It writes ``docs/evidence/watch_power.md``. Counts of periods are drawn repeatedly for a
classifier with known rates. They are scanned as :func:`skewproof.watch_drift` does it, at the same
level for each rate.
"""

from __future__ import annotations

import itertools
from concurrent.futures import ProcessPoolExecutor
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from pages import write_page
from scipy.special import expit, logit

from skewproof.slices.over_time.change_points import (
    CONFIDENCE,
    ChangePoint,
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
PROCESSES = 2

Counts = NDArray[np.float64]


class Case(NamedTuple):
    """A change of a classifier after some periods, and its end."""

    tpr: float = TPR
    fpr: float = FPR
    after: int = PERIODS // 2
    until: int = PERIODS
    sizes: tuple[int, int] = USUAL
    reference: tuple[int, int] | None = None


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


def share(years: NDArray[np.bool_]) -> float:
    return float(years.mean())


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


def without_change() -> pd.DataFrame:
    """Measure how often there is an alarm if the classifier does not change."""
    swing = np.sin(4 * np.pi * np.arange(SWING_PERIODS) / SWING_PERIODS)
    low, high = np.log(SWING)
    positives = np.exp((low + high) / 2 + (high - low) / 2 * swing) * SWING_SIZE
    swinging = positives.round().astype(int)
    years = {f"{p} : {n}": (np.full(PERIODS, p), np.full(PERIODS, n)) for p, n in SIZES}
    years["swinging"] = (swinging, SWING_SIZE - swinging)
    rows = []
    for place, (name, sizes) in enumerate(years.items()):
        random = np.random.default_rng([SEED, 0, place])
        hits = [
            draw(of, rate, random, REPETITIONS) for of, rate in zip(sizes, (TPR, FPR), strict=True)
        ]
        alarms = [
            alarmed(some, of.astype(float), 1, LEVEL) for some, of in zip(hits, sizes, strict=True)
        ]
        both = alarms[0] | alarms[1]
        rows.append(
            {
                "positives : negatives": name,
                "periods": len(sizes[0]),
                "any alarm": share(both),
                "TPR": share(alarms[0]),
                "FPR": share(alarms[1]),
                "a band that ignores prevalence": share(naive_alarms(hits, sizes, random)),
            }
        )
    return pd.DataFrame(rows)


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


def varying() -> pd.DataFrame:
    """Measure how often there is an alarm if the rate varies about the same mean."""
    rows = []
    for place, (deviation, positives) in enumerate(VARYING):
        random = np.random.default_rng([SEED, 1, place])
        sizes, negatives = np.full(PERIODS, positives), np.full(PERIODS, 49 * positives)
        hits = draw(sizes, varying_rates(deviation, REPETITIONS, random), random, REPETITIONS)
        of_fpr = draw(negatives, FPR, random, REPETITIONS)
        tpr = alarmed(hits, sizes.astype(float), 1, LEVEL)
        fpr = alarmed(of_fpr, negatives.astype(float), 1, LEVEL)
        said = [
            scan(Course(row, sizes.astype(float)), LEVEL).dispersion > 1
            for row in hits[:CHANGE_REPETITIONS]
        ]
        rows.append(
            {
                "sd": deviation,
                "positives": positives,
                "any alarm": share(tpr | fpr),
                "TPR": share(tpr),
                "said to vary": float(np.mean(said)),
                "TPR, bound without dispersion": share(plain_alarms(hits, sizes.astype(float))),
            }
        )
    return pd.DataFrame(rows)


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
    name = "tpr" if case.tpr != TPR else "fpr"
    before, after = (TPR, case.tpr) if name == "tpr" else (FPR, case.fpr)
    row = {"change": f"{name.upper()} {before:g} to {after:g}", "after": case.after}
    return row | {"positives : negatives": "{} : {}".format(*case.sizes)}


def with_change() -> pd.DataFrame:
    """Measure how often and how soon a change is found, and how often its intervals hold."""
    rows = []
    for place, case in enumerate(CASES):
        courses = changed(case, np.random.default_rng([SEED, 2, place]))
        found = {
            name: [scan(course, LEVEL).changes for course in some] for name, some in courses.items()
        }
        name = "tpr" if case.tpr != TPR else "fpr"
        rates = {"tpr": (TPR, case.tpr), "fpr": (FPR, case.fpr)}[name]
        first = case.after + (case.reference is not None)
        dated = [changes[0] for changes in found[name] if changes]
        # An alarm before the change is no delay.
        after = [one for one in dated if one.alarm >= first]
        either = [bool(a or b) for a, b in zip(*found.values(), strict=True)]
        rows.append(
            described(case)
            | {
                "reference": "{} : {}".format(*case.reference) if case.reference else "",
                "any alarm": float(np.mean(either)),
                "this rate": len(dated) / CHANGE_REPETITIONS,
                "periods until then": int(np.median([one.alarm - first + 1 for one in after])),
                "date covered": float(np.mean([one.first <= first <= one.last for one in dated])),
                "region": float(np.mean([one.last - one.first + 1 for one in dated])),
                "before covered": covered(dated, "before", rates[0]),
                "after covered": covered(dated, "after", rates[1]),
            }
        )
    return pd.DataFrame(rows)


def covered(changes: list[ChangePoint], side: str, rate: float) -> float:
    """Return how often the interval of a rate contains it."""
    intervals = [getattr(change, side) for change in changes]
    return float(np.mean([one.low <= rate <= one.high for one in intervals]))


def passing() -> pd.DataFrame:
    """Measure how often a change that goes back is found, as it ends and at the end of the year."""
    rows = []
    for place, case in enumerate(PASSING):
        courses = changed(case, np.random.default_rng([SEED, 3, place]))["tpr"]
        hits, sizes = np.array([one.hits for one in courses]), courses[0].sizes
        rows.append(
            described(case)
            | {
                "lasts": case.until - case.after,
                "alarm while it lasts": share(
                    alarmed(hits[:, : case.until], sizes[: case.until], 1, LEVEL)
                ),
                "at the end of the year": share(alarmed(hits, sizes, 1, LEVEL)),
            }
        )
    return pd.DataFrame(rows)


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


def depending() -> pd.DataFrame:
    """Measure how often there is an alarm if periods depend on each other, without a change."""
    rows = []
    for place, (autocorrelation, deviation, positives) in enumerate(DEPENDENT):
        random = np.random.default_rng([SEED, 5, place])
        logits = logit(TPR) + dependent_logits(autocorrelation, deviation, MONTHS, random)
        tpr = scanned(logits, positives, random)
        negatives = np.full(MONTHS, 49 * positives)
        of_fpr = draw(negatives, FPR, random, DEPENDENT_REPETITIONS)
        fpr = alarmed(of_fpr, negatives.astype(float), 1, LEVEL)
        changes = np.array([bool(one.changes) for one in tpr])
        withheld = np.array([one.dependent for one in tpr])
        rows.append(
            {
                "autocorrelation": autocorrelation,
                "sd of the logit": deviation,
                "positives": positives,
                "any alarm": share(changes | fpr),
                "TPR": share(changes),
                "TPR, withheld": share(withheld),
            }
        )
    return pd.DataFrame(rows)


def shapes() -> pd.DataFrame:
    """Measure how often a sudden and a steady change are found, and called gradual."""
    rows = []
    for place, shape in enumerate(SHAPES):
        random = np.random.default_rng([SEED, 6, place])
        noise = dependent_logits(0, shape.deviation, shape.periods, random)
        found = scanned(shape.logits() + noise, shape.positives, random)
        told = [one.changes for one in found if one.changes]
        rows.append(
            {
                "change": shape.change,
                "periods": shape.periods,
                "positives": shape.positives,
                "sd of the logit": shape.deviation,
                "alarm": len(told) / DEPENDENT_REPETITIONS,
                "withheld": float(np.mean([one.dependent for one in found])),
                "one gradual change": float(np.mean([some[0].gradual for some in told])),
                "one sudden change": float(
                    np.mean([len(some) == 1 and not some[0].gradual for some in told])
                ),
            }
        )
    return pd.DataFrame(rows)


def monthly_looks() -> pd.DataFrame:
    """Measure how often any of the looks at a growing year raises an alarm without any change."""
    rows = []
    for place, (positives, deviation, reference) in enumerate(
        itertools.product((100, 1000), (0.0, 0.02), (1, REFERENCE_PERIODS))
    ):
        random = np.random.default_rng([SEED, 4, place])
        periods = PERIODS + reference - 1
        sizes, negatives = np.full(periods, positives), np.full(periods, 49 * positives)
        rates = varying_rates(deviation, REPETITIONS, random, periods)
        hits = draw(sizes, rates, random, REPETITIONS)
        of_fpr = draw(negatives, FPR, random, REPETITIONS)
        last_look, any_look, planned = (
            np.any(
                [
                    alarmed(some[:, :last], of[:last].astype(float), reference, LEVEL, plan)
                    for some, of in ((hits, sizes), (of_fpr, negatives))
                    for last in looks
                ],
                axis=0,
            )
            for looks, plan in (
                ([periods], None),
                (range(FIRST_LOOK + reference - 1, periods + 1), None),
                (range(FIRST_LOOK + reference - 1, periods + 1), PERIODS),
            )
        )
        rows.append(
            {
                "positives": positives,
                "sd": deviation,
                "periods of reference": reference,
                "last look": share(last_look),
                "any look": share(any_look),
                "any look, planned": share(planned),
            }
        )
    return pd.DataFrame(rows)


def markdown(frame: pd.DataFrame) -> str:
    """Return the table in Markdown."""
    whole = frame.select_dtypes("int").columns
    return frame.astype(dict.fromkeys(whole, str)).to_markdown(index=False, floatfmt=".3f")


def main() -> None:
    measures = (
        *(with_change, without_change, varying, depending),
        *(shapes, passing, monthly_looks),
    )
    with ProcessPoolExecutor(PROCESSES) as pool:
        jobs = {one.__name__: pool.submit(one) for one in measures}
        found = {name: job.result() for name, job in jobs.items()}
    changes, size = found["with_change"], found["without_change"]
    write_page(
        "watch_power",
        alpha=ALPHA,
        level=LEVEL,
        tpr=TPR,
        fpr=FPR,
        periods=PERIODS,
        usual=USUAL,
        repetitions=REPETITIONS,
        change_repetitions=CHANGE_REPETITIONS,
        confidence=CONFIDENCE,
        swing=SWING,
        swing_size=SWING_SIZE,
        largest_size=size["any alarm"].max(),
        power=changes.loc[CASES.index(REQUIRED), "any alarm"],
        size=markdown(size),
        varying=markdown(found["varying"]),
        changes=markdown(changes),
        passing=markdown(found["passing"]),
        looks=markdown(found["monthly_looks"]),
        months=MONTHS,
        dependent_repetitions=DEPENDENT_REPETITIONS,
        largest_autocorrelation=AUTOCORRELATIONS[-1],
        fall=-FALL,
        required=REQUIRED.tpr,
        depending=markdown(found["depending"]),
        shapes=markdown(found["shapes"]),
        first_look=FIRST_LOOK,
    )


if __name__ == "__main__":
    main()
