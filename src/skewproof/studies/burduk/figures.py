"""Burduk's heat maps, and where his claim on HMNC holds."""

from __future__ import annotations

from collections.abc import Mapping

import matplotlib
import numpy as np
import pandas as pd
from matplotlib.colors import ListedColormap
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from skewproof.core.confusion import ConfusionMatrix
from skewproof.metrics import get_metric
from skewproof.reporting.contour_plot import BANDS, LINE_COLORS, LINES
from skewproof.reporting.style import COLORS, STYLE, VERMILION
from skewproof.studies.burduk.tables import COMPARED_METRICS, imbalance_ratio

KINDS_OF_REACTION = {
    "less to the majority and more to the minority": 0.95,
    "only less to the majority": 0.65,
    "only more to the minority": 0.35,
    "neither": 0.05,
}
"""What may hold of HMNC against all six other metrics, by place on the color scale."""


def heat_map_figure(*, positives: float, negatives: float, grid: int = 201) -> Figure:
    """Every metric over all TP and TN on one color scale, MCC and kappa scaled to [0, 1].

    Figures 1 to 3 for 1000 positives and 10, 100 and 250 negatives.
    """
    u, v = np.linspace(0, 1, grid), np.linspace(0, 1, grid)[:, np.newaxis]
    matrix = ConfusionMatrix.from_rates(u, 1 - v, positives=positives, negatives=negatives)
    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(9, 5), layout="constrained")
        panels = figure.subplots(2, 4, sharex=True, sharey=True).ravel()
        for axes, key in zip(panels, COMPARED_METRICS, strict=False):
            metric = get_metric(key)
            values = np.ma.masked_invalid(metric(matrix))
            place = (positives * u, negatives * v.ravel(), values)
            filled = axes.contourf(*place, levels=BANDS, cmap=COLORS, vmin=0, vmax=1)
            filled.set_edgecolor("face")
            axes.contour(*place, levels=LINES, colors=LINE_COLORS, linewidths=0.5)
            axes.set_title(f"${metric.symbol}$")
            axes.set_box_aspect(1)
        panels[-1].set_axis_off()
        for axes in panels[3:7]:
            axes.tick_params(labelbottom=True)
        scale = panels[-1].inset_axes((0.2, 0, 0.07, 1))
        figure.colorbar(filled, cax=scale, ticks=LINES[1::2], label="MCC and κ scaled to [0, 1]")
        figure.supxlabel("TP (count, majority class)", fontsize=8)
        figure.supylabel("TN (count, minority class)", fontsize=8)
        figure.suptitle(f"IR = {imbalance_ratio(positives, negatives):g}", fontsize=10)
    return figure


def claim_figure(reactions: Mapping[float, pd.DataFrame]) -> Figure:
    """Where HMNC reacts less to the majority and more to the minority than all six others.

    Parameters
    ----------
    reactions
        By the imbalance ratio, the result of :func:`skewproof.studies.burduk.claim.reactions`.
    """
    scale = matplotlib.colormaps[COLORS]
    colors = [scale(place) for place in KINDS_OF_REACTION.values()]
    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(2.6 * len(reactions), 4.2), layout="constrained")
        panels = figure.subplots(1, len(reactions), sharey=True, squeeze=False)[0]
        for axes, (ratio, table) in zip(panels, reactions.items(), strict=True):
            held = table.groupby(["v", "u"])[["less_majority", "more_minority"]].all()
            kind = (2 * ~held["less_majority"] + ~held["more_minority"]).unstack("u")
            axes.pcolormesh(
                kind.columns, kind.index, kind, cmap=ListedColormap(colors), vmin=-0.5, vmax=3.5
            )
            axes.axvline(ratio, color="white", lw=1.2, ls="--")
            line = np.array([0, 1])
            axes.plot(np.sqrt(ratio) * line, line, color=VERMILION, lw=1.6)
            axes.set(title=f"IR = {ratio:g}", xlim=(0, 1), ylim=(0, 1))
            axes.set_box_aspect(1)
        panels[0].set_ylabel("v = TN/N (minority class)")
        for axes in panels:
            axes.set_xlabel("u = TP/P (majority class)")
        explained = {
            kind: Patch(color=color) for kind, color in zip(KINDS_OF_REACTION, colors, strict=True)
        }
        border, alike = panels[0].lines
        explained |= {
            "u = IR, his border": border,
            "u = v √IR, where HMNC reacts alike to both": alike,
        }
        figure.legend(
            list(explained.values()),
            list(explained),
            title="Compared with all six other metrics, HMNC reacts",
            loc="outside lower center",
            ncols=2,
            facecolor="0.75",
            framealpha=1,
        )
    return figure
