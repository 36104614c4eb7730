"""Figure of the parts of the variance of measures under wrong labels."""

from __future__ import annotations

import matplotlib
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from skewproof.reporting.style import COLORS
from skewproof_studies.atlas.label_errors import wide_shares
from skewproof_studies.reporting.figures import note_figure, styled_figure

PARTS = {
    "tpr": ("true positive rate alone", 0.0, ""),
    "fpr": ("false positive rate alone", 0.4, ""),
    "rates": ("both rates together", 0.65, "...."),
    "both": ("classifier and labels together", 0.85, "////"),
    "labels": ("labels alone", 1.0, ""),
}
"""Parts of the variance with their labels, places on the color scale and hatches."""

BAR_INCHES = 0.14
"""Height of a measure's bar, in inches."""


def label_errors_figure(table: pd.DataFrame, first: str, last: str) -> Figure:
    """Draw the parts of each measure's variance at two levels as bars.

    Parameters
    ----------
    table
        Result of :func:`skewproof_studies.atlas.label_errors.share_table` for both levels, and
        possibly others.
    first, last
        The levels. Measures are ordered by the labels' total share at the last. If no measure has
        shares at both levels, the figure says so.
    """
    wide = [wide_shares(table, level) for level in (first, last)]
    order = [key for key in wide[1].index if key in wide[0].index]
    if not order:
        return note_figure(
            f"No measure has shares under wrong labels both at {first} and at {last}."
        )
    with styled_figure((8.4, 1.2 + BAR_INCHES * len(order)), 1, 2, sharey=True) as (figure, axes):
        for panel, parts, level in zip(axes, wide, (first, last), strict=True):
            _bars(panel, parts.loc[order])
            panel.set(title=level, xlabel="share of the variance")
        axes[0].set_yticks(range(len(order)), order, fontsize=6.5)
        axes[0].invert_yaxis()
        figure.legend(
            *axes[0].get_legend_handles_labels(),
            loc="outside upper center",
            ncols=3,
            frameon=False,
            fontsize=7,
        )
    return figure


def _bars(axes: Axes, parts: pd.DataFrame) -> None:
    left = pd.Series(0.0, index=parts.index)
    for name, (words, color, hatch) in PARTS.items():
        # Quadrature errors can make a part slightly negative; such a part has no width.
        width = parts[name].clip(lower=0)
        axes.barh(
            range(len(parts)),
            width,
            left=left,
            height=0.8,
            color=matplotlib.colormaps[COLORS](color),
            hatch=hatch,
            edgecolor="black",
            linewidth=0.3,
            label=words,
        )
        left += width
    axes.set(xlim=(0, 1), ylim=(-0.6, len(parts) - 0.4))
