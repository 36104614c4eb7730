"""Measure how often intervals cover and comparisons err, and write ``docs/evidence/coverage.md``.

Labels or counts are drawn from classifiers with known rates, repeatedly and given to the
functions that a reader would call: the true value is known, and so whether an interval has it.
"""

from collections.abc import Iterator
from functools import cache
from itertools import product
from typing import Any, Literal, NamedTuple

import numpy as np
import pandas as pd
import slice_intervals
from draws import holds, likely_range, share_of, true_value
from matplotlib.figure import Figure
from numpy.typing import NDArray
from pages import Task, markdown, ratio, standard_error
from scipy import optimize

from figures import Panel, rates_figure
from skewproof.core.confusion import matrix_of
from skewproof.intervals.class_rows import Estimates, PairedRows
from skewproof.intervals.extremes import radius_of
from skewproof.intervals.metric_interval import interval
from skewproof.metrics import get_metric
from skewproof.multiclass.against_rest import TWO_CLASSES
from skewproof.multiclass.declaration import of_two_classes
from skewproof.prevalence.prevalence import Prevalence

METRIC_KEYS = ("f1", "mcc", "f1_i", "g_mean")
SIZES = ((5, 50), (20, 200), (100, 10_000))
REPETITIONS = {(5, 50): 4000, (20, 200): 4000, (100, 10_000): 1000}
"""Repetitions by class sizes, fewer where each takes longer."""
CONFIDENCE = 0.95
SEED = 1


Where = Literal["test set", "population"]
"""Class sizes that are fixed, or drawn from a population."""


class Rates(NamedTuple):
    """Rates of a classifier."""

    tpr: float
    fpr: float


class Pair(NamedTuple):
    """Two models, and how often the second gives the first one's answer, whatever that is."""

    name: str
    first: Rates
    second: Rates | None
    """None for one of another true positive rate, and the false positive rate that leaves the
    metric as it is."""
    copied: float = 0.0


CLASSIFIERS = (Rates(0.7, 0.1), Rates(0.95, 0.01))
OTHER_TPR = 0.85
POWER_COLUMNS = [
    *("sizes", "second model", "metric", "difference"),
    *("rejected", "standard error", "width"),
]
ALIKE = (
    Pair("same rates", CLASSIFIERS[0], CLASSIFIERS[0]),
    Pair("same rates, half of the answers copied", CLASSIFIERS[0], CLASSIFIERS[0], copied=0.5),
    Pair("same rates, few errors", CLASSIFIERS[1], CLASSIFIERS[1]),
    Pair("only the metric the same", CLASSIFIERS[0], None),
)
DIFFERENT = tuple(
    Pair(f"true positive rate {tpr}", CLASSIFIERS[0], Rates(tpr, CLASSIFIERS[0].fpr))
    for tpr in (0.85, 0.95)
)


def value_of(key: str, rates: Rates, sizes: tuple[int, int]) -> float:
    """Return the metric at the true rates."""
    return true_value(key, *rates, sizes[0] / sum(sizes))


def drawn_sizes(
    sizes: tuple[int, int], at: Where, random: np.random.Generator
) -> NDArray[np.int64]:
    """Return class sizes of every repetition, fixed or from a population, as (repetitions, 2)."""
    if at == "test set":
        return np.tile(sizes, (REPETITIONS[sizes], 1))
    positives = random.binomial(sum(sizes), sizes[0] / sum(sizes), REPETITIONS[sizes])
    return np.stack([positives, sum(sizes) - positives], axis=1)


def coverage(
    sizes: tuple[int, int], rates: Rates, drawn: Where, at: Where
) -> Iterator[dict[str, object]]:
    """Measure how often intervals contain the true value, with a row for each metric.

    Parameters
    ----------
    sizes, rates
        Class sizes, or those expected of a sample of the population; the classifier.
    drawn
        "test set" for samples of these sizes, "population" for samples of the population.
    at
        The value that the intervals are for.
    """
    random = np.random.default_rng([SEED, *sizes, CLASSIFIERS.index(rates)])
    counts = drawn_sizes(sizes, drawn, random)
    hits, false = (random.binomial(size, rate) for size, rate in zip(counts.T, rates, strict=True))
    kept = counts.all(axis=1)
    tables = np.stack([hits, false, counts[:, 0] - hits, counts[:, 1] - false], axis=1)[kept]
    unique, times = np.unique(tables, axis=0, return_counts=True)
    for key in METRIC_KEYS:
        found = [
            interval(get_metric(key), matrix_of(table.tolist()), at=at, confidence=CONFIDENCE)
            for table in unique
        ]
        value = value_of(key, rates, sizes)
        share = float(np.average([one.low <= value <= one.high for one in found], weights=times))
        yield {
            "metric": key,
            "coverage": share,
            "standard error": standard_error(share, int(kept.sum())),
            "samples": int(kept.sum()),
        }


def second_model(pair: Pair, key: str, sizes: tuple[int, int]) -> Rates:
    """Return the second model's rates."""
    if pair.second is not None:
        return pair.second
    aim = value_of(key, pair.first, sizes)
    fpr = optimize.brentq(lambda fpr: value_of(key, Rates(OTHER_TPR, fpr), sizes) - aim, 0, 0.9)
    return Rates(OTHER_TPR, fpr)


def compared(key: str, pair: Pair, sizes: tuple[int, int], at: Where) -> Estimates:
    """Compare models on labels drawn anew each time; samples that lack a class are left out."""
    random = np.random.default_rng([SEED, *sizes, (ALIKE + DIFFERENT).index(pair)])
    second = second_model(pair, key, sizes)
    drawn = np.array([some for some in drawn_sizes(sizes, at, random) if some.all()])
    # The pairs of answers: both positive, the first, the second, and neither.
    pairs = [
        random.multinomial(
            drawn[:, row],
            [
                first * (pair.copied + (1 - pair.copied) * other),
                first * (1 - pair.copied) * (1 - other),
                (1 - first) * (1 - pair.copied) * other,
                (1 - first) * (pair.copied + (1 - pair.copied) * (1 - other)),
            ],
        )
        for row, (first, other) in enumerate(zip(pair.first, second, strict=True))
    ]
    rows = PairedRows.at(np.stack(pairs, axis=1) * 1.0, Prevalence.given(at), TWO_CLASSES)
    return rows.estimates(of_two_classes(get_metric(key)), radius_of(CONFIDENCE))


def rejections(case: Pair, sizes: tuple[int, int], at: Where) -> Iterator[dict[str, object]]:
    """Measure how often 0 is outside the interval and the true difference inside, by metric."""
    for key in METRIC_KEYS:
        found = compared(key, case, sizes, at)
        second = second_model(case, key, sizes)
        difference = value_of(key, second, sizes) - value_of(key, case.first, sizes)
        if case in ALIKE:  # equal by construction, up to the root that was found
            difference = 0.0
        rejected = share_of("rejected", (found.low > 0) | (found.high < 0))
        yield {
            "second model": case.name,
            "metric": key,
            "rejected": rejected["rejected"],
            "standard error": rejected["standard_error"],
            "covered": holds(found.low, found.high, difference).mean(),
            "width": np.median(found.high - found.low),
            "difference": difference,
            "samples": len(found.low),
        }


@cache
def right_range(rate: float, sizes: str) -> tuple[float, float]:
    """Return the range of 95 % of the rates measured at a size if this is the true rate."""
    return likely_range(rate, {ratio(each): number for each, number in REPETITIONS.items()}[sizes])


def outside(frame: pd.DataFrame, column: str, rate: float, *, above: bool) -> int:
    """Count the measured rates above, or below, the range that a true rate gives."""
    ends = np.array([right_range(rate, sizes) for sizes in frame["sizes"]])
    rates = frame[column].to_numpy()
    return int((rates > ends[:, 1]).sum() if above else (rates < ends[:, 0]).sum())


def draw(covered: pd.DataFrame, rejected: pd.DataFrame) -> Figure:
    """Draw coverage of intervals and rejections of comparisons, a mark per metric and case."""
    columns = (
        (covered, "coverage", CONFIDENCE, "intervals that contain the true value"),
        (rejected, "rejected", 1 - CONFIDENCE, "equal models that are called different"),
    )
    figure = rates_figure(
        [
            Panel(frame, column, rate, right_range(rate, ratio(SIZES[-1])), label)
            for frame, column, rate, label in columns
        ],
        {key: key for key in METRIC_KEYS},
        ("sizes", [ratio(sizes) for sizes in SIZES]),
        ("at", {at: at for at in ("test set", "population")}),
        height=3.4,
        shared=False,
    )
    figure.axes[1].set_xlim(left=-0.002)
    return figure


def spread(
    frame: pd.DataFrame, column: str, by: list[str], which: tuple[str, ...] = ("min", "max")
) -> str:
    """Return statistics of a column in each group, and the largest of its standard errors."""
    groups = frame.groupby(by, sort=False)
    found = groups[column].agg(list(which))
    if "standard error" in frame:
        found["standard error"] = groups["standard error"].max()
    return markdown(found.reset_index())


def pairs_of_populations() -> pd.DataFrame:
    """Return the pairs that slices are drawn from, a row for each."""
    return pd.DataFrame(
        [
            {"pair": number}
            | {f"{name} here": value for name, value in here._asdict().items()}
            | {f"{name} there": value for name, value in there._asdict().items()}
            for number, (here, there) in enumerate(slice_intervals.PAIRS, 1)
        ]
    )


def cases(pairs: tuple[Pair, ...]) -> Iterator[tuple[Pair, tuple[int, int], Where]]:
    """Yield the settings of comparisons; copied answers are drawn for test sets alone."""
    for at, sizes, pair in product(("test set", "population"), SIZES, pairs):
        if at == "test set" or not pair.copied:
            yield pair, sizes, at


PAGE = "coverage"
AS_MEANT = (("test set", "test set"), ("population", "population"))
MISTAKEN = (("population", "test set"),)


def classifiers(
    kinds: tuple[tuple[Where, Where], ...],
) -> Iterator[tuple[tuple[int, int], Rates, Where, Where]]:
    """Yield the settings of single classifiers."""
    for kind, sizes, rates in product(kinds, SIZES, CLASSIFIERS):
        yield sizes, rates, *kind


TABLES = slice_intervals.TABLES | {
    "coverage": Task(coverage, classifiers(AS_MEANT), "%.5f"),
    "mistaken": Task(coverage, classifiers(MISTAKEN), stored=False),
    "rejections": Task(rejections, cases(ALIKE), "%.5f", ("rejected", "covered")),
    "different": Task(rejections, cases(DIFFERENT), stored=False),
}


def page(
    exact: pd.DataFrame,
    parts: pd.DataFrame,
    families: pd.DataFrame,
    as_meant: pd.DataFrame,
    mistaken: pd.DataFrame,
    alike: pd.DataFrame,
    different: pd.DataFrame,
) -> dict[str, Any]:
    """Return what the page has beside the constants."""
    both = pd.concat([alike, different]).drop(columns="standard error")
    return {
        "slices": slice_intervals,
        "right_range": right_range,
        "exact": exact.to_markdown(index=False, floatfmt=("", "", "g", ".4f", ".4f")),
        "pairs": markdown(pairs_of_populations(), "g"),
        "parts": parts,
        "by_part": spread(parts, "coverage", ["pair", "part"]),
        "family_range": likely_range(0.05, slice_intervals.FAMILY_REPETITIONS),
        "family_errors": markdown(families),
        "coverage": spread(as_meant, "coverage", ["at", "sizes", "metric"]),
        "mistaken": spread(mistaken, "coverage", ["sizes", "metric"]),
        "alike": spread(
            alike, "rejected", ["at", "sizes", "second model"], ("min", "median", "max")
        ),
        "above": outside(alike, "rejected", 1 - CONFIDENCE, above=True),
        "below": outside(as_meant, "coverage", CONFIDENCE, above=False),
        "compared": len(alike),
        "intervals": len(as_meant),
        "covered": spread(both, "covered", ["at", "sizes"]),
        "power": markdown(different.loc[different["at"] == "test set", POWER_COLUMNS]),
    }
