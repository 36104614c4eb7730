"""What imbalance does to measures of clusterings and rankings: a report and a figure."""

from __future__ import annotations

import matplotlib
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from skewproof.reporting.style import COLORS, MARKERS, STYLE
from skewproof.studies.survey.catalog import load_catalog
from skewproof.studies.survey.ranking_imbalance import RankingModel

FAR = 4
"""Standard errors of a sampled index beyond which it is named."""

PARTS = {"quality": 0.15, "both together": 0.55, "share": 0.9}
"""Parts of the variance of a ranking's measure, with their places on the color scale."""


def survey_report(
    cluster_indices: pd.DataFrame,
    cluster_shifts: pd.DataFrame,
    ranking_indices: pd.DataFrame,
    ranking_shifts: pd.DataFrame,
    *,
    model: RankingModel,
) -> str:
    """Both studies as Markdown.

    Parameters
    ----------
    cluster_indices, cluster_shifts
        The results of :mod:`skewproof.studies.survey.cluster_imbalance`.
    ranking_indices, ranking_shifts
        The results of :mod:`skewproof.studies.survey.ranking_imbalance`.
    model
        The lists that the latter are of.
    """
    parts = [
        "# Do measures of clusterings and rankings suffer from imbalance?",
        *_cluster_parts(cluster_indices, cluster_shifts),
        *_ranking_parts(ranking_indices, ranking_shifts, model),
    ]
    return "\n\n".join(parts) + "\n"


def _cluster_parts(indices: pd.DataFrame, shifts: pd.DataFrame) -> list[str]:
    small = indices[indices["input"] == "smaller"]
    last = small[small["level"] == small["level"].iloc[-1]].set_index("measure")["st"].sort_values()
    listed = ", ".join(f"{load_catalog()[key].name} {value:.2g}" for key, value in last.items())
    return [
        "## Clusterings",
        "Two clusters, of each of which a share from 0 to 1/2 is put with the other. The mean of"
        " each measure over all shares, and its mean distance from the first level:",
        _by_level(shifts, "mean"),
        _by_level(shifts, "mean_shift"),
        "Total index of the errors in the smaller cluster, the share of the variance that they have"
        " a part in:",
        _by_level(small, "st"),
        f"At {small['level'].iloc[-1]}, from the least to the most: {listed}.",
        f"All these numbers are exact, by quadrature. {_sampled(indices, 'cluster_indices.csv')}",
    ]


def _ranking_parts(indices: pd.DataFrame, shifts: pd.DataFrame, model: RankingModel) -> list[str]:
    share = indices.loc[indices["input"] == "share", "s1"]
    return [
        "## Rankings",
        f"Lists of {model.items} items on average with binormal scores, k = {model.k}. The mean of"
        " each measure over all AUC from 1/2 to 1, and its mean distance from the first level:",
        _by_level(shifts, "mean"),
        _by_level(shifts, "mean_shift"),
        "R@k is at most k over the number of relevant items, which is what moves it. A random order"
        " (AUC 1/2) scores:",
        _by_level(shifts, "random"),
        "Shares of the variance over all qualities (AUC) and shares of relevant items:",
        indices[["measure", "input", "s1", "st"]].to_markdown(index=False, floatfmt=".3f"),
        f"The share of relevant items alone explains from {share.min():.2f} to {share.max():.2f} of"
        " the variance.",
        "All these numbers are exact for lists of Poisson length, by quadrature."
        f" {_sampled(indices, 'ranking_indices.csv')}",
    ]


def _sampled(table: pd.DataFrame, name: str) -> str:
    """How the sampled indices compare with the exact ones."""
    far = []
    for kind in ("s1", "st"):
        distances = (table[f"sampled_{kind}"] - table[kind]).abs()
        rows = table[distances > FAR * table[f"{kind}_standard_error"]]
        far += [
            " ".join([one.measure, *([one.level] if "level" in table else []), one.input, kind])
            for one in rows.itertuples()
        ]
    text = (
        f"Of the {2 * len(table)} sampled indices beside them in `{name}`"
        f" {2 * len(table) - len(far)} are within {FAR} standard errors"
    )
    if not far:
        return f"{text}."
    others = "the other is" if len(far) == 1 else "the others are"
    return (
        f"{text}; {others} {', '.join(far)}. Standard errors are estimates themselves, and"
        " too small where few points meet the strip in which a measure varies, as of purity under"
        " strong imbalance."
    )


def _by_level(table: pd.DataFrame, column: str) -> str:
    wide = table.pivot(index="measure", columns="level", values=column)
    wide = wide.loc[table["measure"].unique(), table["level"].unique()]
    shown = wide.map(lambda value: f"{value:.4g}").reset_index()
    return shown.to_markdown(index=False, disable_numparse=True)


def survey_figure(
    cluster_indices: pd.DataFrame,
    cluster_shifts: pd.DataFrame,
    ranking_indices: pd.DataFrame,
    ranking_shifts: pd.DataFrame,
) -> Figure:
    """How far imbalance moves each measure, and whose errors, or what else, it measures.

    Parameters
    ----------
    cluster_indices, cluster_shifts, ranking_indices, ranking_shifts
        As for :func:`report`.
    """
    small = cluster_indices[cluster_indices["input"] == "smaller"]
    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(8.4, 6), layout="constrained")
        (moved, seen), (ranked, parts) = figure.subplots(2, 2)
        _lines(moved, cluster_shifts, "mean_shift")
        moved.set(title="Clusterings", ylabel="mean shift", xlabel="sizes of the two clusters")
        _lines(seen, small, "st")
        seen.set(
            title="Errors in the smaller cluster",
            ylabel="total index",
            yscale="log",
            xlabel="sizes of the two clusters",
        )
        _lines(ranked, ranking_shifts, "mean_shift")
        ranked.set(title="Rankings", ylabel="mean shift", xlabel="relevant to irrelevant items")
        for axes in (moved, seen, ranked):
            axes.legend(fontsize=7, frameon=False)
        _bars(parts, ranking_indices)
    return figure


def _lines(axes: Axes, table: pd.DataFrame, column: str) -> None:
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
            label=load_catalog()[key].name.split(" (")[0],
        )
    axes.set_xticks(range(len(levels)), levels)


def _bars(axes: Axes, indices: pd.DataFrame) -> None:
    wide = indices.pivot(index="measure", columns="input", values="s1")
    wide = wide.loc[indices["measure"].unique()]
    wide["both together"] = 1 - wide["quality"] - wide["share"]
    names = [load_catalog()[key].name.split(" (")[0].replace(" ", "\n") for key in wide.index]
    bottom = np.zeros(len(wide))
    for part, place in PARTS.items():
        together = part == "both together"
        axes.bar(
            range(len(wide)),
            wide[part],
            bottom=bottom,
            color=matplotlib.colormaps[COLORS](place),
            hatch="//" if together else "",
            edgecolor="black",
            linewidth=0.5,
            label=part if together else f"the {part} alone",
        )
        bottom += wide[part].to_numpy()
    axes.set_xticks(range(len(wide)), names, fontsize=6)
    axes.set(ylim=(0, 1.2), yticks=np.linspace(0, 1, 6), ylabel="share of the variance")
    axes.set_title("Quality of the ranking, or share of relevant items?")
    axes.legend(
        ncols=3, fontsize=6.5, frameon=False, loc="upper center", columnspacing=1, handlelength=1.5
    )
