"""Burduk's heat maps, and figures of the regions in which his claim on HMNC holds."""

from __future__ import annotations

from collections.abc import Mapping

import matplotlib
import numpy as np
import pandas as pd
import sympy
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.colors import ListedColormap, to_rgba
from matplotlib.figure import Figure, SubFigure
from matplotlib.patches import Patch

from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.scales import bounded
from skewproof.metrics import get_metric
from skewproof.plot.level_contours import BANDS, LINE_COLORS, LINES
from skewproof.reporting.style import COLORS, STYLE, VERMILION
from skewproof_studies.burduk.tables import COMPARED_METRICS, HMNC, imbalance_ratio
from skewproof_studies.burduk.theorem_and_slopes import SCALES, N, P, V, turning_line
from skewproof_studies.reporting.figures import styled_figure

KINDS_OF_REACTION = {
    "less to the majority and more to the minority": 0.95,
    "only less to the majority": 0.65,
    "only more to the minority": 0.35,
    "neither": 0.05,
}
"""Possible outcomes of comparing HMNC with all six other metrics, by place on the color scale."""


def heat_map_figure(*, positives: float, negatives: float, grid: int = 201) -> Figure:
    """Draw every metric over all TP and TN on one color scale, with MCC and kappa scaled to [0, 1].

    These are Figures 1 to 3 for 1000 positives and 10, 100 and 250 negatives.
    """
    u, v = np.linspace(0, 1, grid), np.linspace(0, 1, grid)[:, np.newaxis]
    matrix = ConfusionMatrix.from_rates(u, 1 - v, positives=positives, negatives=negatives)
    with styled_figure((9, 5), 2, 4, sharex=True, sharey=True) as (figure, panels):
        for axes, key in zip(panels.flat, COMPARED_METRICS, strict=False):
            metric = bounded(get_metric(key))
            values = np.ma.masked_invalid(metric(matrix))
            surface = (positives * u, negatives * v.ravel(), values)
            filled = axes.contourf(*surface, levels=BANDS, cmap=COLORS, vmin=0, vmax=1)
            filled.set_edgecolor("face")
            axes.contour(*surface, levels=LINES, colors=LINE_COLORS, linewidths=0.5)
            axes.set_title(f"${metric.symbol}$")
            axes.set_box_aspect(1)
        panels[1, 3].set_axis_off()
        for axes in panels.flat[3:7]:
            axes.tick_params(labelbottom=True)
        scale = panels[1, 3].inset_axes((0.2, 0, 0.07, 1))
        figure.colorbar(filled, cax=scale, ticks=LINES[1::2], label="value in [0, 1]")
        figure.supxlabel("TP (count, majority class)", fontsize=8)
        figure.supylabel("TN (count, minority class)", fontsize=8)
        figure.suptitle(f"IR = {imbalance_ratio(positives, negatives):g}", fontsize=10)
    return figure


def claim_figure(reactions: Mapping[float, pd.DataFrame]) -> Figure:
    """Draw the regions in which HMNC reacts to the majority less than the other metrics, or less
    than to the minority.

    The upper panels compare HMNC with the six others, for the majority and the minority; the result
    is the same by rates and by counts. The lower panels show HMNC by itself on both scales, with u
    on a logarithmic axis.

    Parameters
    ----------
    reactions
        Results of :func:`skewproof_studies.burduk.claim.reactions` by imbalance ratio.
    """
    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(2.6 * len(reactions), 7.6), layout="constrained")
        parts = figure.subfigures(2, 1, squeeze=False)
        above, below = parts[:, 0]
        compared = above.subplots(1, len(reactions), sharey=True, squeeze=False)[0]
        alone = below.subplots(1, len(reactions), sharey=True, squeeze=False)[0]
        for axes, (ratio, table) in zip(compared, reactions.items(), strict=True):
            explained = _draw_comparison(axes, ratio, table)
        for axes, ratio in zip(alone, reactions, strict=True):
            explained_alone = _draw_alone(axes, ratio)
        for axes in (compared[0], alone[0]):
            axes.set_ylabel("v = TN/N (minority class)")
        _explain(above, explained, "Compared with all six other metrics, HMNC reacts")
        _explain(
            below,
            explained_alone,
            "Compared with the minority class, HMNC by itself reacts to the majority",
        )
    return figure


def _explain(part: SubFigure, explained: Mapping[str, Artist], title: str) -> None:
    part.legend(
        list(explained.values()),
        list(explained),
        title=title,
        loc="outside lower center",
        ncols=2,
        facecolor="0.75",
        framealpha=1,
    )


def _draw_comparison(axes: Axes, ratio: float, table: pd.DataFrame) -> dict[str, Artist]:
    """Draw where the claim on HMNC and the other metrics holds, and return the artists by label."""
    scale = matplotlib.colormaps[COLORS]
    colors = {kind: scale(shade) for kind, shade in KINDS_OF_REACTION.items()}
    held = table.groupby(["v", "u"])[["less_majority", "more_minority"]].all()
    kind = (2 * ~held["less_majority"] + ~held["more_minority"]).unstack("u")
    shades = ListedColormap(list(colors.values()))
    axes.pcolormesh(kind.columns, kind.index, kind, cmap=shades, vmin=-0.5, vmax=3.5)
    border = axes.axvline(ratio, color="white", lw=1.2, ls="--")
    axes.set(title=f"IR = {ratio:g}", xlabel="u = TP/P (majority class)", xlim=(0, 1), ylim=(0, 1))
    axes.set_box_aspect(1)
    patches = {kind: Patch(color=color) for kind, color in colors.items()}
    return {**patches, "u = IR, Burduk's border": border}


def _draw_alone(axes: Axes, ratio: float) -> dict[str, Artist]:
    """Draw which class HMNC reacts to more on each scale, and return the artists by label."""
    v = np.linspace(0, 1, 201)
    sizes = {P: 1, N: sympy.Rational(str(ratio))}
    lines = {scale: float(turning_line(HMNC, scale).subs({V: 1, **sizes})) * v for scale in SCALES}
    left = np.full_like(v, ratio / 30)
    edges = [left, np.maximum(lines["counts"], left), np.maximum(lines["rates"], left), 1 + 0 * v]
    colors = [matplotlib.colormaps[COLORS](shade) for shade in (0.05, 0.5, 0.95)]
    for start, stop, color in zip(edges, edges[1:], colors, strict=False):
        axes.fill_betweenx(v, start, stop, color=color, lw=0)
    kinds = ("more by rates and by counts", "less by counts alone", "less by rates and by counts")
    explained: dict[str, Artist] = {
        kind: Patch(color=to_rgba(color)) for kind, color in zip(kinds, colors, strict=True)
    }
    style = {
        "rates": ("u = v √IR, equal by rates", "-"),
        "counts": ("TP = TN, equal by counts", ":"),
    }
    explained["u = IR, Burduk's border"] = axes.axvline(ratio, color="white", lw=1.2, ls="--")
    for scale, (label, dashes) in style.items():
        (explained[label],) = axes.plot(lines[scale], v, color=VERMILION, lw=1.6, ls=dashes)
    axes.set_xscale("log")
    axes.set(xlabel="u = TP/P (majority class)", xlim=(left[0], 1), ylim=(0, 1))
    axes.set_box_aspect(1)
    return explained
