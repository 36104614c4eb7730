"""Figures 3, 4 and 5 of Mullick et al. from the repeated experiment, with standard errors."""

from __future__ import annotations

from collections.abc import Mapping

import matplotlib
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from skewproof.reporting.style import COLORS, MARKERS
from skewproof_studies.mullick.paper import (
    FIGURE_4A,
    FIGURE_4B,
    FIGURE_5,
    MULTICLASS_NAMES,
    TWO_CLASS_NAMES,
)
from skewproof_studies.reporting.figures import styled_figure

SHARE_OF_PLACE = 0.7
"""Share of a problem's width over which its measures are placed side by side."""

MEANING_OF_BARS = "bars: ± one standard error over runs"


def problem_labels(sizes: pd.DataFrame) -> dict[str, str]:
    """Return the label below each problem: its key and imbalance ratio.

    Parameters
    ----------
    sizes
        Result of :func:`skewproof_studies.mullick.experiment.report.size_table`.
    """
    names, ratios = sizes["problem"], sizes["IR"]
    return {
        name: f"{name.replace('_', ' ')}\nIR {ratio:.3g}"
        for name, ratio in zip(names, ratios, strict=True)
    }


def figure_3(variability: pd.DataFrame, labels: Mapping[str, str]) -> Figure:
    """Draw how much the six metrics of two classes change with the ratio of the test set.

    Parameters
    ----------
    variability
        Result of :func:`skewproof_studies.mullick.experiment.statistics.variability`.
    labels
        Result of :func:`problem_labels`, in the order of the problems in the figure.

    Returns
    -------
    Figure with one place per problem and one marker per measure; bars show one standard error over
    runs.
    """
    table = variability[variability["classes"] == 2].rename(columns={"sd": "value"})
    with styled_figure((7.5, 3.2)) as (figure, axes):
        _draw(axes, table, TWO_CLASS_NAMES, labels)
        axes.set_ylabel("standard deviation over test sets")
        axes.set_title(
            f"Two classes: deviation over five ratios of the test set ({MEANING_OF_BARS})"
        )
    return figure


def figure_4(variability: pd.DataFrame, labels: Mapping[str, str]) -> Figure:
    """Draw how much measures of more classes change, as is (a) and relative to the smallest
    deviation (b).

    Parameters
    ----------
    variability, labels
        As for :func:`figure_3`.
    """
    table = variability[variability["classes"] > 2]
    normalized = {"normalized_sd": "value", "normalized_error": "standard_error"}
    with styled_figure((7.5, 5.4), 2, 1) as (figure, (upper, lower)):
        names = {key: MULTICLASS_NAMES[key] for key in FIGURE_4A}
        _draw(upper, table.rename(columns={"sd": "value"}), names, labels)
        upper.set_ylabel("standard deviation over test sets")
        upper.set_title(f"(a) More classes: deviation over five test sets ({MEANING_OF_BARS})")
        names = {key: MULTICLASS_NAMES[key] for key in FIGURE_4B}
        shown = table.drop(columns="standard_error").rename(columns=normalized)
        _draw(lower, shown, names, labels)
        lower.set_ylabel("multiple of the index's smallest deviation")
        lower.set_title("(b) Normalized standard deviation")
    return figure


def figure_5(minima: pd.DataFrame, labels: Mapping[str, str]) -> Figure:
    """Draw the smallest mean of five measures on the problems of more than two classes.

    Parameters
    ----------
    minima
        Result of :func:`skewproof_studies.mullick.experiment.statistics.minima`.
    labels
        As for :func:`figure_3`.
    """
    table = minima[minima["classes"] > 2].rename(columns={"minimum": "value"})
    with styled_figure((7.5, 3.2)) as (figure, axes):
        _draw(axes, table, {key: MULTICLASS_NAMES[key] for key in FIGURE_5}, labels)
        axes.set_ylabel("smallest mean performance")
        axes.set_title(f"The smallest mean over test sets and classifiers ({MEANING_OF_BARS})")
    return figure


def _draw(
    axes: Axes, table: pd.DataFrame, names: Mapping[str, str], labels: Mapping[str, str]
) -> None:
    problems = [problem for problem in labels if problem in set(table["problem"])]
    colors = matplotlib.colormaps[COLORS](np.linspace(0, 0.95, len(names)))
    steps = np.linspace(-SHARE_OF_PLACE / 2, SHARE_OF_PLACE / 2, len(names))
    for (key, name), color, marker, step in zip(
        names.items(), colors, MARKERS, steps, strict=False
    ):
        rows = table[table["index"] == key].set_index("problem").loc[problems]
        axes.errorbar(
            np.arange(len(problems)) + step,
            rows["value"],
            yerr=rows["standard_error"],
            label=name,
            ls="none",
            marker=marker,
            ms=4.5,
            color=color,
            mec="black",
            mew=0.4,
            ecolor="black",
            elinewidth=0.7,
            capsize=1.5,
        )
    for border in np.arange(1, len(problems)) - 0.5:
        axes.axvline(border, color="0.85", lw=0.6, zorder=0)
    axes.set_xlim(-0.5, max(len(problems), 1) - 0.5)
    axes.set_xticks(range(len(problems)), [labels[name] for name in problems], rotation=45)
    axes.tick_params(axis="x", length=0)
    axes.legend(loc="upper left", bbox_to_anchor=(1, 1), frameon=False)
