"""Figure of the effect of imbalance on measures of clusterings and rankings."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping

import matplotlib
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from skewproof.audits.choosing.catalog import load_catalog
from skewproof.reporting.style import COLORS, MARKERS
from skewproof_studies.reporting.figures import styled_figure

VARIANCE_PARTS = {"quality": 0.15, "both together": 0.55, "share": 0.9}
"""Parts of the variance of a ranking measure, with their places on the color scale."""

LABEL_CHARACTERS = 64
"""Largest number of characters in a line below the bars."""


def imbalance_figure(
    cluster_indices: pd.DataFrame,
    cluster_shifts: pd.DataFrame,
    ranking_indices: pd.DataFrame,
    ranking_shifts: pd.DataFrame,
) -> Figure:
    """Draw how much imbalance changes each measure, and which inputs explain its variance.

    Parameters
    ----------
    cluster_indices, cluster_shifts, ranking_indices, ranking_shifts
        As for :func:`skewproof_studies.survey.report.survey_report`.
    """
    of_smaller = cluster_indices[cluster_indices["input"] == "smaller"]
    names = {key: entry.short_name for key, entry in load_catalog().items()}
    with styled_figure((8.4, 6), 2, 2) as (figure, ((moved, seen), (ranked, parts))):
        _lines(moved, cluster_shifts, "mean_shift", names)
        sizes = "ratio of the sizes of the two clusters"
        moved.set(title="Clusterings of infinite size", ylabel="mean shift", xlabel=sizes)
        _lines(seen, of_smaller, "st", names)
        seen.set(
            title="Errors in the smaller cluster",
            ylabel="total index",
            yscale="log",
            xlabel=sizes,
        )
        _lines(ranked, ranking_shifts, "mean_shift", names)
        ranked.set(
            title="Rankings", ylabel="mean shift", xlabel="ratio of relevant to irrelevant items"
        )
        for axes in (moved, seen, ranked):
            axes.legend(fontsize=7, frameon=False)
        _bars(parts, ranking_indices, names)
    return figure


def _lines(axes: Axes, table: pd.DataFrame, column: str, names: Mapping[str, str]) -> None:
    levels, measures = table["level"].unique(), table["measure"].unique()
    colors = matplotlib.colormaps[COLORS](np.linspace(0, 0.85, len(measures)))
    for key, color, marker in zip(measures, colors, MARKERS, strict=False):
        values = table.loc[table["measure"] == key].set_index("level")[column]
        axes.plot(
            range(len(levels)),
            values.reindex(levels),
            color=color,
            marker=marker,
            mec="black",
            mew=0.4,
            label=names[key],
        )
    axes.set_xticks(range(len(levels)), levels)


def variance_conditions(indices: pd.DataFrame) -> str:
    """Describe the distribution for which the variance shares of ranking measures hold.

    Parameters
    ----------
    indices
        Result of :func:`skewproof_studies.survey.ranking_imbalance.ranking_sensitivity`.
    """
    first, last = indices["from_level"].iloc[0], indices["to_level"].iloc[0]
    return (
        f"AUC uniform from 1/2 to 1, odds of relevance independent of it and log-uniform from"
        f" {first} to {last}"
    )


def _bars(axes: Axes, indices: pd.DataFrame, names: Mapping[str, str]) -> None:
    wide = indices.pivot(index="measure", columns="input", values="s1")
    wide = wide.loc[indices["measure"].unique()]
    wide["both together"] = 1 - wide["quality"] - wide["share"]
    labels = [names[key].replace(" ", "\n") for key in wide.index]
    bottom = np.zeros(len(wide))
    for part, shade in VARIANCE_PARTS.items():
        together = part == "both together"
        axes.bar(
            range(len(wide)),
            wide[part],
            bottom=bottom,
            color=matplotlib.colormaps[COLORS](shade),
            hatch="//" if together else "",
            edgecolor="black",
            linewidth=0.5,
            label=part if together else f"the {part} alone",
        )
        bottom += wide[part].to_numpy()
    axes.set_xticks(range(len(wide)), labels, fontsize=6)
    axes.set(ylim=(0, 1.2), yticks=np.linspace(0, 1, 6), ylabel="share of the variance")
    axes.set_title("Quality of the ranking, or share of relevant items?")
    axes.set_xlabel(textwrap.fill(variance_conditions(indices), LABEL_CHARACTERS), fontsize=7)
    axes.legend(
        ncols=3, fontsize=6.5, frameon=False, loc="upper center", columnspacing=1, handlelength=1.5
    )
