"""Measure how often the sound tests err and write ``docs/error_rates.md`` with its figure.

Two groups of scrambles of one and the same level differ in nothing, so Welch's test between them
should reject as often as its level says; moved apart by the smallest difference of interest they
are just not equivalent, and the equivalence test should reject as seldom.
"""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import matplotlib
import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from scipy import stats

from skewproof.core.confusion import INPUTS
from skewproof.core.levels import Level
from skewproof.metrics import get_metric
from skewproof.reporting.style import STYLE
from skewproof.sensitivity.replicates import compare_groups, holm, replicated_indices
from skewproof.studies.van_zyl.setting import PAPER_METRICS

DOCS = Path(__file__).parents[1] / "docs"
LEVELS = ["1:1", "1:1000"]
REPETITIONS, REPLICATES, LOG2_SAMPLES = 2000, 8, 6
ALPHA, SMALLEST_DIFFERENCE, SEED = 0.05, 0.2, 1
WORKERS = 2


def repetitions(level: str) -> tuple[np.ndarray, np.ndarray]:
    """P-values of difference and of equivalence, shape (repetitions, metrics, inputs)."""
    groups = replicated_indices(
        [get_metric(key) for key in PAPER_METRICS],
        Level.parse(level),
        100.0,
        log2_samples=LOG2_SAMPLES,
        replicates=REPETITIONS * 2 * REPLICATES,
        seed=SEED,
    ).reshape(REPETITIONS, 2, REPLICATES, len(PAPER_METRICS), len(INPUTS))
    first, second = np.moveaxis(groups, 2, 0).swapaxes(1, 2).swapaxes(0, 1)
    options = {"smallest_difference": SMALLEST_DIFFERENCE, "confidence": 1 - ALPHA}
    apart = compare_groups(first, second + SMALLEST_DIFFERENCE, **options)
    return compare_groups(first, second, **options).p_difference, apart.p_equivalence


def draw(rates: pd.DataFrame, low: float, high: float) -> Figure:
    """Rates of every metric, with the range in which a right rate lies."""
    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(7.2, 5.6), layout="constrained")
        panels = figure.subplots(1, 2, sharex=True, sharey=True)
        keys = list(PAPER_METRICS)
        for axes, kind in zip(panels, ("difference", "equivalence"), strict=True):
            axes.axvspan(low, high, color="0.88", zorder=0)
            axes.axvline(ALPHA, color="0.5", lw=0.8, zorder=0)
            for level, marker, color in zip(LEVELS, "os", ("#0072B2", "#D55E00"), strict=True):
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
    with ProcessPoolExecutor(WORKERS) as pool:
        p_values = dict(zip(LEVELS, pool.map(repetitions, LEVELS), strict=True))
    rates = pd.concat(
        pd.DataFrame(
            {
                "metric": np.repeat(list(PAPER_METRICS), len(INPUTS)),
                "level": level,
                "input": np.tile(INPUTS, len(PAPER_METRICS)),
                "difference": (difference < ALPHA).mean(axis=0).ravel(),
                "equivalence": (equivalence < ALPHA).mean(axis=0).ravel(),
            }
        )
        for level, (difference, equivalence) in p_values.items()
    )
    family = [
        (level, np.mean([holm(one).min() < ALPHA for one in difference]))
        for level, (difference, _) in p_values.items()
    ]
    low, high = stats.binom(REPETITIONS, ALPHA).interval(0.95)
    low, high = low / REPETITIONS, high / REPETITIONS
    draw(rates, low, high).savefig(DOCS / "images/error_rates.png", dpi=150)
    summary = rates.groupby("level", sort=False)[["difference", "equivalence"]]
    table = summary.agg(["min", "median", "max"])
    table.columns = [f"{kind}, {which}" for kind, which in table.columns]
    table["any of the family, Holm"] = [rate for _, rate in family]
    above = rates[(rates["difference"] > high) | (rates["equivalence"] > high)]
    sections = [
        "# Error rates of the sound tests",
        f"Written by `make error-rates`: {REPETITIONS} repetitions with {REPLICATES} scrambles a"
        f" group and 2^{LOG2_SAMPLES} base points each, tests at the level {ALPHA}. Of a test whose"
        f" rate is {ALPHA}, 95 % of such measurements lie between {low:.4f} and {high:.4f}. For"
        " the difference both groups are of one level; for the equivalence they are apart by the"
        f" smallest difference of interest, here {SMALLEST_DIFFERENCE}, where an error is to call"
        " them equivalent. Few scrambles of few points are the hardest case; the study has more of"
        " both, and so can afford a smaller difference.",
        table.reset_index().to_markdown(index=False, floatfmt=".4f"),
        "![Error rates of every metric](images/error_rates.png)",
        f"Above that range are {len(above)} of {2 * len(rates)} rates"
        + (":" if len(above) else "."),
    ]
    if len(above):
        sections.append(above.to_markdown(index=False, floatfmt=".4f"))
    (DOCS / "error_rates.md").write_text("\n\n".join(sections) + "\n")


if __name__ == "__main__":
    main()
