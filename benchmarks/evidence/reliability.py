"""Measure how often intervals cover and comparisons err, and write ``docs/evidence/coverage.md``.

Labels or counts are drawn from classifiers with known rates, repeatedly and given to the
functions that a reader would call: the true value is known, and so whether an interval has it.
"""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor
from functools import cache
from typing import Literal, NamedTuple

import matplotlib
import numpy as np
import pandas as pd
import slice_intervals
from matplotlib.figure import Figure
from numpy.typing import NDArray
from pages import markdown, standard_error, write_page, write_table
from scipy import optimize, stats

from skewproof.core.confusion import ConfusionMatrix, matrix_of
from skewproof.intervals.class_rows import Estimates, PairedRows
from skewproof.intervals.extremes import radius_of
from skewproof.intervals.metric_interval import interval
from skewproof.metrics import get_metric
from skewproof.multiclass.against_rest import TWO_CLASSES
from skewproof.multiclass.declaration import of_two_classes
from skewproof.prevalence.prevalence import Prevalence
from skewproof.reporting.style import BLUE, GREEN, STYLE, VERMILION

METRIC_KEYS = ("f1", "mcc", "f1_i", "g_mean")
SIZES = ((5, 50), (20, 200), (100, 10_000))
REPETITIONS = {(5, 50): 4000, (20, 200): 4000, (100, 10_000): 1000}
"""Repetitions by class sizes, fewer where each takes longer."""
CONFIDENCE = 0.95
SEED = 1
PROCESSES = 2


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


def true_value(key: str, rates: Rates, sizes: tuple[int, int]) -> float:
    """Return the metric at the true rates."""
    matrix = ConfusionMatrix.from_rates(*rates, positives=sizes[0], negatives=sizes[1])
    return float(get_metric(key)(matrix))


def drawn_sizes(
    sizes: tuple[int, int], at: Where, random: np.random.Generator
) -> NDArray[np.int64]:
    """Return class sizes of every repetition, fixed or from a population, as (repetitions, 2)."""
    if at == "test set":
        return np.tile(sizes, (REPETITIONS[sizes], 1))
    positives = random.binomial(sum(sizes), sizes[0] / sum(sizes), REPETITIONS[sizes])
    return np.stack([positives, sum(sizes) - positives], axis=1)


def coverage(sizes: tuple[int, int], rates: Rates, drawn: Where, meant: Where) -> pd.DataFrame:
    """Measure how often intervals contain the true value, with a row for each metric.

    Parameters
    ----------
    sizes, rates
        Class sizes, or those expected of a sample of the population; the classifier.
    drawn
        "test set" for samples of these sizes, "population" for samples of the population.
    meant
        The value that the intervals are for.
    """
    random = np.random.default_rng([SEED, *sizes, CLASSIFIERS.index(rates)])
    counts = drawn_sizes(sizes, drawn, random)
    hits, false = (random.binomial(size, rate) for size, rate in zip(counts.T, rates, strict=True))
    kept = counts.all(axis=1)
    tables = np.stack([hits, false, counts[:, 0] - hits, counts[:, 1] - false], axis=1)[kept]
    unique, times = np.unique(tables, axis=0, return_counts=True)
    rows = []
    for key in METRIC_KEYS:
        found = [
            interval(
                get_metric(key),
                matrix_of(table.tolist()),
                at=meant,
                confidence=CONFIDENCE,
            )
            for table in unique
        ]
        value = true_value(key, rates, sizes)
        covered = np.array([one.low <= value <= one.high for one in found])
        share = float(np.average(covered, weights=times))
        error = standard_error(share, int(kept.sum()))
        rows.append((_name(sizes), *rates, key, drawn, meant, share, error))
    names = ["sizes", "tpr", "fpr", "metric", "drawn", "at", "coverage", "standard error"]
    return pd.DataFrame(rows, columns=names)


def _name(sizes: tuple[int, int]) -> str:
    return "{}:{}".format(*sizes)


def second_model(pair: Pair, key: str, sizes: tuple[int, int]) -> Rates:
    """Return the second model's rates."""
    if pair.second is not None:
        return pair.second
    aim = true_value(key, pair.first, sizes)
    fpr = optimize.brentq(lambda fpr: true_value(key, Rates(OTHER_TPR, fpr), sizes) - aim, 0, 0.9)
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


def rejections(pair: Pair, sizes: tuple[int, int], at: Where) -> pd.DataFrame:
    """Measure how often 0 is outside the interval and the true difference inside, by metric."""
    rows = []
    for key in METRIC_KEYS:
        found = compared(key, pair, sizes, at)
        values = [
            true_value(key, one, sizes) for one in (pair.first, second_model(pair, key, sizes))
        ]
        # Equal by construction, up to the root that was found.
        difference = 0.0 if pair in ALIKE else values[1] - values[0]
        rejected = float(np.mean((found.low > 0) | (found.high < 0)))
        error = standard_error(rejected, len(found.low))
        covered = np.mean((found.low <= difference) & (difference <= found.high))
        width = np.median(found.high - found.low)
        rows.append((_name(sizes), pair.name, key, at, rejected, error, covered, width, difference))
    names = ["sizes", "second model", "metric", "at", "rejected", "standard error"]
    return pd.DataFrame(rows, columns=[*names, "covered", "width", "difference"])


@cache
def right_range(rate: float, sizes: str) -> tuple[float, float]:
    """Return the range of 95 % of the rates measured at a size if this is the true rate."""
    repetitions = {_name(each): number for each, number in REPETITIONS.items()}[sizes]
    low, high = stats.binom(repetitions, rate).interval(0.95)
    return low / repetitions, high / repetitions


def outside(frame: pd.DataFrame, column: str, rate: float, *, above: bool) -> int:
    """Count the measured rates above, or below, the range that a true rate gives."""
    ends = np.array([right_range(rate, sizes) for sizes in frame["sizes"]])
    rates = frame[column].to_numpy()
    return int((rates > ends[:, 1]).sum() if above else (rates < ends[:, 0]).sum())


def draw(covered: pd.DataFrame, rejected: pd.DataFrame) -> Figure:
    """Draw coverage of intervals and rejections of comparisons, a mark per metric and case."""
    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(7.2, 3.4), layout="constrained")
        panels = figure.subplots(1, 2)
        columns = (("coverage", CONFIDENCE), ("rejected", 1 - CONFIDENCE))
        for axes, frame, (column, rate) in zip(panels, (covered, rejected), columns, strict=True):
            axes.axvspan(*right_range(rate, _name(SIZES[-1])), color="0.88", zorder=0)
            axes.axvline(rate, color="0.5", lw=0.8, zorder=0)
            for place, (sizes, color, marker) in enumerate(
                zip(map(_name, SIZES), (BLUE, VERMILION, GREEN), "osD", strict=True)
            ):
                for at, fill in (("test set", "full"), ("population", "none")):
                    rows = frame[(frame["sizes"] == sizes) & (frame["at"] == at)]
                    heights = rows["metric"].map(METRIC_KEYS.index) + (place - 1) / 5
                    axes.plot(
                        rows[column],
                        heights,
                        ls="none",
                        marker=marker,
                        ms=4,
                        color=color,
                        fillstyle=fill,
                        label=f"{sizes}, {at}",
                    )
            axes.set_yticks(range(len(METRIC_KEYS)), METRIC_KEYS)
            axes.invert_yaxis()
        panels[0].set_xlabel("intervals that contain the true value")
        panels[1].set_xlabel("equal models that are called different")
        panels[1].set_xlim(left=-0.002)
        handles, labels = panels[0].get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside upper center", ncols=3, frameon=False)
    return figure


def spread(
    frame: pd.DataFrame, column: str, by: list[str], which: tuple[str, ...] = ("min", "max")
) -> pd.DataFrame:
    """Return statistics of a column in each group, and the largest of its standard errors."""
    groups = frame.groupby(by, sort=False)
    found = groups[column].agg(list(which))
    if "standard error" in frame:
        found["standard error"] = groups["standard error"].max()
    return found.reset_index()


def measure() -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    """Return coverage, rejections of equal models, and rejections of different ones."""
    kinds: list[tuple[Where, Where]] = [
        ("test set", "test set"),
        ("population", "population"),
        ("population", "test set"),
    ]
    wheres: tuple[Where, ...] = ("test set", "population")
    with ProcessPoolExecutor(PROCESSES) as pool:
        covered = [
            pool.submit(coverage, sizes, rates, *kind)
            for kind in kinds
            for sizes in SIZES
            for rates in CLASSIFIERS
        ]
        alike, different = (
            [
                pool.submit(rejections, pair, sizes, at)
                for at in wheres
                for sizes in SIZES
                for pair in pairs
                if at == "test set" or not pair.copied
            ]
            for pairs in (ALIKE, DIFFERENT)
        )
        frames = [pd.concat([job.result() for job in jobs]) for jobs in (covered, alike, different)]
    return frames[0], frames[1], frames[2]


def slice_sections() -> dict[str, object]:
    """Return the page's values on a grid of classifiers, of parts and of families."""
    found = slice_intervals.measure()
    parts = found["parts"]
    pairs = pd.DataFrame(
        [
            {"pair": number}
            | {
                f"{name} {which}": value
                for which, population in zip(("here", "there"), pair, strict=True)
                for name, value in population._asdict().items()
            }
            for number, pair in enumerate(slice_intervals.PAIRS, 1)
        ]
    )
    return {
        "grid": slice_intervals.GRID,
        "most_confident": max(slice_intervals.CONFIDENCES),
        "exact": found["exact"].to_markdown(index=False, floatfmt=("", "", "g", ".4f", ".4f")),
        "metrics": ", ".join(f"`{key}`" for key in slice_intervals.METRIC_KEYS),
        "part_repetitions": slice_intervals.REPETITIONS,
        "pairs": pairs.to_markdown(index=False),
        "parts": markdown(spread(parts, "coverage", ["pair", "part"])),
        "number_of_parts": len(parts),
        "parts_below": int((parts["coverage"] < 0.93).sum()),
        "slices": slice_intervals.SLICES,
        "families": slice_intervals.FAMILIES,
        "family_range": np.array(stats.binom(slice_intervals.FAMILIES, 0.05).interval(0.95))
        / slice_intervals.FAMILIES,
        "family_errors": markdown(found["families"]),
    }


def main() -> None:
    covered, alike, different = measure()
    as_meant = covered[covered["drawn"] == covered["at"]]
    mistaken = covered[covered["drawn"] != covered["at"]]
    for name, frame in (("coverage", as_meant), ("rejections", alike)):
        write_table(name, frame)
    by = ["at", "sizes", "metric"]
    write_page(
        "coverage",
        **slice_sections(),
        repetitions={_name(sizes): number for sizes, number in REPETITIONS.items()},
        confidence=CONFIDENCE,
        classifiers=CLASSIFIERS,
        other_tpr=OTHER_TPR,
        low={name: right_range(CONFIDENCE, name) for name in map(_name, SIZES)},
        high={name: right_range(1 - CONFIDENCE, name) for name in map(_name, SIZES)},
        coverage=markdown(spread(as_meant, "coverage", by)),
        mistaken=markdown(spread(mistaken, "coverage", ["sizes", "metric"])),
        alike=markdown(
            spread(
                alike,
                "rejected",
                ["at", "sizes", "second model"],
                ("min", "median", "max"),
            )
        ),
        above=outside(alike, "rejected", 1 - CONFIDENCE, above=True),
        below=outside(as_meant, "coverage", CONFIDENCE, above=False),
        compared=len(alike),
        intervals=len(as_meant),
        covered=markdown(
            spread(
                pd.concat([alike, different]).drop(columns="standard error"),
                "covered",
                ["at", "sizes"],
            )
        ),
        power=markdown(different.loc[different["at"] == "test set", POWER_COLUMNS]),
    )


if __name__ == "__main__":
    main()
