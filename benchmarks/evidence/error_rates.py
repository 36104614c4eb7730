"""Measure how often the valid tests err; write ``docs/evidence/error_rates.md`` and its table.

Two groups of scrambles of one and the same level differ in nothing, so Welch's test between them
should reject as often as its level says; moved apart by the smallest difference of interest they
are just not equivalent, and the equivalence test should reject as seldom.
"""

from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
from draws import likely_range
from matplotlib.figure import Figure
from pages import Task

from figures import Panel, rates_figure
from skewproof.core.confusion import INPUTS
from skewproof.core.levels import Level
from skewproof.metrics import get_metric
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


def draw(rates: pd.DataFrame) -> Figure:
    """Draw the rates of every metric, with the range in which a correct rate lies."""
    figure = rates_figure(
        [
            Panel(rates, kind, ALPHA, right_range(), f"rejections of the test of {kind}")
            for kind in ("difference", "equivalence")
        ],
        {key: f"${get_metric(key).symbol}$" for key in PAPER_METRICS},
        ("level", EXAMINED_LEVELS),
        ("input", {name: f"${name[0]}_{name[1]}$" for name in INPUTS}),
        height=5.6,
        shared=True,
    )
    figure.axes[0].set_xlim(left=0)
    return figure


SHARES = ("difference", "equivalence", "family")
TABLES = {
    "error_rates": Task(rates_at, zip(EXAMINED_LEVELS, strict=True), "%.5f", SHARES, REPETITIONS)
}


def page(rates: pd.DataFrame) -> dict[str, Any]:
    """Return what the page has beside the constants."""
    right, each = right_range(), rates.drop(columns="family")
    return {
        "right": right,
        "summarized": summary(rates),
        "number": 2 * len(rates),
        "above": each[(each[["difference", "equivalence"]] > right[1]).any(axis=1)],
    }
