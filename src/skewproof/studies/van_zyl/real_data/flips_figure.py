"""Which classifier wins on each data set, under each metric and its normalized variant."""

from __future__ import annotations

from typing import Any

import matplotlib
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch, Rectangle

from skewproof.metrics import get_metric
from skewproof.reporting.style import COLORS, FRAME, STYLE

FRAMED: dict[str, Any] = {"fill": False, "edgecolor": FRAME, "lw": 1.6}


def ranking_flips_figure(flips: pd.DataFrame) -> Figure:
    """Winners by color with their confidence; framed where a metric and its variant disagree.

    Parameters
    ----------
    flips
        The results of :func:`skewproof.studies.van_zyl.real_data.flips.ranking_flips` with a column dataset; none is
        needed.

    Returns
    -------
    Figure with a row a metric; a data set has two columns, the metric's winner and that of its
    variant, and metrics without a variant fill both.
    """
    modified = set(flips["modified"].dropna())
    rows = flips[~flips["metric"].isin(modified)]
    metrics, datasets = list(rows["metric"].unique()), list(rows["dataset"].unique())
    winners = list(dict.fromkeys([*rows["winner"], *rows["modified_winner"].dropna()]))
    shades = matplotlib.colormaps[COLORS](np.linspace(0.95, 0.1, max(len(winners), 1)))
    colors = dict(zip(winners, shades, strict=False))
    with matplotlib.rc_context(STYLE):
        size = (2.2 + 1.1 * max(len(datasets), 4), 1.6 + 0.22 * len(metrics))
        figure = Figure(figsize=size, layout="constrained")
        axes = figure.subplots()
        for row in rows.itertuples():
            left, top = datasets.index(row.dataset), metrics.index(row.metric)
            both = isinstance(row.modified_winner, str)
            width = 0.46 if both else 0.92
            _cell(axes, left, top, width, colors[row.winner], row.confidence)
            if both:
                _cell(
                    axes,
                    left + width,
                    top,
                    width,
                    colors[row.modified_winner],
                    row.modified_confidence,
                )
                if row.flips:
                    axes.add_patch(Rectangle((left, top), 0.92, 0.9, **FRAMED))
        axes.set(xlim=(-0.05, max(len(datasets), 1)), ylim=(max(len(metrics), 1), -0.15))
        axes.set_xticks(np.arange(len(datasets)) + 0.46, datasets)
        variants = dict(zip(rows["metric"], rows["modified"], strict=True))
        axes.set_yticks(
            np.arange(len(metrics)) + 0.45, [_label(key, variants[key]) for key in metrics]
        )
        axes.tick_params(length=0)
        axes.spines[:].set_visible(False)
        axes.set_title("The best of five classifiers, and how many of 100 resamples agree")
        keys = [Patch(color=colors[name], label=name.replace("_", " ")) for name in winners]
        keys.append(Patch(**FRAMED, label="framed: the variant picks another"))
        figure.legend(handles=keys, loc="outside lower center", ncols=2, frameon=False)
    return figure


def _cell(
    axes: Axes, left: float, top: float, width: float, color: tuple[float, ...], share: float
) -> None:
    axes.add_patch(Rectangle((left, top), width, 0.9, facecolor=color, edgecolor="white", lw=0.8))
    dark = np.dot(color[:3], [0.3, 0.6, 0.1]) < 0.5
    axes.text(
        left + width / 2,
        top + 0.47,
        f"{100 * share:.0f}",
        ha="center",
        va="center",
        fontsize=6,
        color="white" if dark else "black",
    )


def _label(key: str, modified: str | None) -> str:
    label = f"${get_metric(key).symbol}$"
    return f"{label} | ${get_metric(modified).symbol}$" if isinstance(modified, str) else label
