"""Measure how often the valid tests err; write ``docs/evidence/error_rates.md`` and its table.

Two groups of scrambles of one and the same level differ in nothing, so Welch's test between them
should reject as often as its level says; moved apart by the smallest difference of interest they
are just not equivalent, and the equivalence test should reject as seldom.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import matplotlib
import numpy as np
import pandas as pd
from draws import likely_range
from matplotlib.figure import Figure
from pages import Task, measured_tables, write_page, write_table

from skewproof.core.confusion import INPUTS
from skewproof.core.levels import Level
from skewproof.metrics import get_metric
from skewproof.reporting.style import BLUE, STYLE, VERMILION
from skewproof.sensitivity.sampling.adjustment import holm
from skewproof.sensitivity.sampling.replicates import compare_groups, replicated_indices
from skewproof_studies.van_zyl.paper import PAPER_METRICS

EXAMINED_LEVELS = ("1:1", "1:1000")
REPETITIONS = 2000
SCRAMBLES_OF_A_GROUP = 8
LOG2_SAMPLES = 6
ALPHA = 0.05
SMALLEST_DIFFERENCE = 0.2
SEED = 1


def rates_at(level: str) -> Iterator[dict[str, object]]:
    """Repeat both tests between two groups of scrambles, and return how often either rejects.

    Each row also has how often any of the family is called different.
    """
    scrambles = replicated_indices(
        [get_metric(key) for key in PAPER_METRICS],
        Level.parse(level),
        100.0,
        log2_samples=LOG2_SAMPLES,
        replicates=REPETITIONS * 2 * SCRAMBLES_OF_A_GROUP,
        seed=SEED,
    )
    shape = (REPETITIONS, 2, SCRAMBLES_OF_A_GROUP, *scrambles.shape[1:])
    first, second = np.moveaxis(scrambles.reshape(shape), (1, 2), (0, 1))
    options = {"smallest_difference": SMALLEST_DIFFERENCE, "confidence": 1 - ALPHA}
    p_values = compare_groups(first, second, **options).p_difference
    apart = compare_groups(first, second + SMALLEST_DIFFERENCE, **options).p_equivalence
    rates = ((one < ALPHA).mean(axis=0).ravel() for one in (p_values, apart))
    family = np.mean([holm(of_one).min() < ALPHA for of_one in p_values])
    names = product(PAPER_METRICS, INPUTS)
    for (metric, name), difference, equivalence in zip(names, *rates, strict=True):
        yield {
            "metric": metric,
            "level": level,
            "input": name,
            "difference": difference,
            "equivalence": equivalence,
            "family": family,
        }


def summary(rates: pd.DataFrame) -> pd.DataFrame:
    """Return the smallest, median and largest rate at each level, and that of the whole family."""
    by_level = rates.groupby("level", sort=False)
    table = by_level[["difference", "equivalence"]].agg(["min", "median", "max"])
    table.columns = [f"{kind}, {which}" for kind, which in table.columns]
    return table.assign(**{"any of the family, Holm": by_level["family"].first()}).reset_index()


def right_range() -> tuple[float, float]:
    """Return the range of measured rates of a test whose true rate is ALPHA."""
    return likely_range(ALPHA, REPETITIONS)


def draw(rates: pd.DataFrame, right: tuple[float, float]) -> Figure:
    """Draw the rates of every metric, with the range in which a correct rate lies."""
    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(7.2, 5.6), layout="constrained")
        panels = figure.subplots(1, 2, sharex=True, sharey=True)
        keys = list(PAPER_METRICS)
        for axes, kind in zip(panels, ("difference", "equivalence"), strict=True):
            axes.axvspan(*right, color="0.88", zorder=0)
            axes.axvline(ALPHA, color="0.5", lw=0.8, zorder=0)
            for level, marker, color in zip(EXAMINED_LEVELS, "os", (BLUE, VERMILION), strict=True):
                for name, fill in zip(INPUTS, ("full", "none"), strict=True):
                    rows = rates.query("level == @level and input == @name").set_index("metric")
                    axes.plot(
                        rows.loc[keys, kind],
                        range(len(keys)),
                        ls="none",
                        marker=marker,
                        ms=4,
                        color=color,
                        fillstyle=fill,
                        label=f"{level}, ${name[0]}_{name[1]}$",
                    )
            axes.set_xlabel(f"rejections of the test of {kind}")
        panels[0].set_xlim(left=0)
        panels[0].set_yticks(range(len(keys)), [f"${get_metric(key).symbol}$" for key in keys])
        panels[0].invert_yaxis()
        handles, labels = panels[0].get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside upper center", ncols=4, frameon=False)
    return figure


def main() -> None:
    """Measure both levels, and write their table and the page."""
    (found,) = measured_tables(
        __doc__, {"rates": Task(rates_at, zip(EXAMINED_LEVELS, strict=True), stored=False)}
    )
    rates, right = found.drop(columns="family"), right_range()
    write_table("error_rates", rates)
    write_page(
        "error_rates",
        globals(),
        right=right,
        summarized=summary(found),
        number=2 * len(rates),
        above=rates[(rates[["difference", "equivalence"]] > right[1]).any(axis=1)],
    )


if __name__ == "__main__":
    main()
