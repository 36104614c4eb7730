"""Summary and figure of the winners at the usual cut-off and at tuned ones, with confidences."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import matplotlib
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch, Rectangle

from skewproof.core.levels import Level
from skewproof.core.metric import Metric
from skewproof.reporting.style import COLORS, FRAME
from skewproof.reporting.templates import render
from skewproof_studies.reporting.figures import styled_figure
from skewproof_studies.reporting.table import metric_label
from skewproof_studies.van_zyl.real_data.folds import DEFAULT_CUTOFF
from skewproof_studies.van_zyl.verdicts.false_alarms import false_alarms_at, prevalence_caveat

RAREST = Level(1, 1000)
"""Level at which the cost of false alarms is shown, the most extreme one of the paper."""


def summarize_flips(
    flips: pd.DataFrame, moved: pd.DataFrame, *, registry: Mapping[str, Metric]
) -> str:
    """Write the summary of the flips as Markdown.

    Parameters
    ----------
    flips, moved
        Results of :func:`skewproof_studies.van_zyl.real_data.flips.ranking_flips` and
        :func:`skewproof_studies.van_zyl.real_data.cutoffs.moved_flips`, with a column dataset.
    registry
        The metrics by key.
    """
    pairs = {"at the usual cut-off": flips, "with tuned cut-offs": moved}
    with_variant = {name: table.dropna(subset="modified") for name, table in pairs.items()}
    counts = pd.DataFrame(
        {
            name: table.groupby("dataset", sort=False)["flips"].agg(
                lambda values: f"{int(values.sum())} of {len(values)}"
            )
            for name, table in with_variant.items()
        }
    )
    return render(
        "skewproof_studies.van_zyl",
        "ranking_flips.md.jinja",
        cutoff=DEFAULT_CUTOFF,
        counts=counts.rename_axis("data set").reset_index(),
        tables={name: _shown(table) for name, table in with_variant.items()},
        caveat=prevalence_caveat(false_alarms_at(RAREST, [], registry=registry)),
    )


def _shown(table: pd.DataFrame) -> pd.DataFrame:
    """Return one row per metric with a variant: both winners, whether they differ, and the
    confidences."""
    return pd.DataFrame(
        {
            "data set": table["dataset"],
            "metric": table["metric"],
            "best": table["winner"],
            "confidence": table["confidence"],
            "variant": table["modified"],
            "best by the variant": table["modified_winner"],
            "its confidence": table["modified_confidence"],
            "flips": table["flips"].map({True: "yes", False: "no"}),
            "confidence in that": table["flip_confidence"],
        }
    )


FRAMED: dict[str, Any] = {"fill": False, "edgecolor": FRAME, "lw": 1.6}

WIDTH, HEIGHT = 0.92, 0.9
"""Size of both cells of a metric on a data set; the rest of 1 is the gap to the next cell."""

Color = tuple[float, ...]


def ranking_flips_figure(flips: pd.DataFrame, *, registry: Mapping[str, Metric]) -> Figure:
    """Draw winners by color with their confidence, framed if a metric and its variant disagree.

    Parameters
    ----------
    flips
        Results of :func:`skewproof_studies.van_zyl.real_data.flips.ranking_flips` with a column
        dataset; the frame may be empty.
    registry
        The metrics by key, for their symbols.

    Returns
    -------
    Figure with one row per metric. Each data set has two columns, for the winner under the metric
    and under its variant; a metric without a variant fills both.
    """
    variants = set(flips["modified"].dropna())
    rows = flips[~flips["metric"].isin(variants)]
    metrics, datasets = list(rows["metric"].unique()), list(rows["dataset"].unique())
    winners = list(dict.fromkeys([*rows["winner"], *rows["modified_winner"].dropna()]))
    shades = matplotlib.colormaps[COLORS](np.linspace(0.95, 0.1, max(len(winners), 1)))
    colors = dict(zip(winners, shades, strict=False))
    size = (2.2 + 1.1 * max(len(datasets), 4), 1.6 + 0.22 * len(metrics))
    with styled_figure(size) as (figure, axes):
        for row in rows.itertuples():
            _draw_winners(axes, datasets.index(row.dataset), metrics.index(row.metric), row, colors)
        axes.set(xlim=(-0.05, max(len(datasets), 1)), ylim=(max(len(metrics), 1), -0.15))
        axes.set_xticks(np.arange(len(datasets)) + WIDTH / 2, datasets)
        variant_of = dict(zip(rows["metric"], rows["modified"], strict=True))
        axes.set_yticks(
            np.arange(len(metrics)) + HEIGHT / 2,
            [_label(key, variant_of[key], registry) for key in metrics],
        )
        axes.tick_params(length=0)
        axes.spines[:].set_visible(False)
        axes.set_title("The best of five classifiers, and how many of 100 draws agree")
        keys = [Patch(color=colors[name], label=name.replace("_", " ")) for name in winners]
        keys.append(Patch(**FRAMED, label="framed: the variant chooses another"))
        figure.legend(handles=keys, loc="outside lower center", ncols=2, frameon=False)
    return figure


def _draw_winners(
    axes: Axes, left: float, top: float, row: Any, colors: Mapping[str, Color]
) -> None:
    """Draw a row of the table: the winner under a metric, and next to it that under its variant."""
    if not isinstance(row.modified_winner, str):
        _cell(axes, left, top, WIDTH, colors[row.winner], row.confidence)
        return
    half = WIDTH / 2
    _cell(axes, left, top, half, colors[row.winner], row.confidence)
    _cell(axes, left + half, top, half, colors[row.modified_winner], row.modified_confidence)
    if row.flips:
        axes.add_patch(Rectangle((left, top), WIDTH, HEIGHT, **FRAMED))


def _cell(axes: Axes, left: float, top: float, width: float, color: Color, share: float) -> None:
    frame = Rectangle((left, top), width, HEIGHT, facecolor=color, edgecolor="white", lw=0.8)
    axes.add_patch(frame)
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


def _label(key: str, variant: str | None, registry: Mapping[str, Metric]) -> str:
    keys = [key, variant] if isinstance(variant, str) else [key]
    return " | ".join(metric_label(registry[key]) for key in keys)
