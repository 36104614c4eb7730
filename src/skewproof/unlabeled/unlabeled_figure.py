"""Figure of prevalence and metrics of slices without labels."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd

from skewproof.core.arguments import expect_columns
from skewproof.core.data.label_texts import slice_name
from skewproof.reporting.style import BLUE, VERMILION, literal, new_figure
from skewproof.slices.pictures import LONGEST_NAME

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def plot_estimates(estimates: pd.DataFrame) -> Figure:
    """Draw prevalence and metrics of each slice with their intervals.

    Parameters
    ----------
    estimates
        Frame of :func:`skewproof.score_unlabeled`, or of
        :func:`skewproof.unlabeled.check_estimates`, whose labeled values are then also marked.

    Returns
    -------
    Figure with a panel for the prevalence and one below for each metric. Refused slices are marked
    "refused".

    Raises
    ------
    MissingExtraError
        If Matplotlib is not installed.

    Examples
    --------
    >>> import pandas as pd
    >>> from skewproof import score_unlabeled
    >>> from skewproof.unlabeled import plot_estimates
    >>> labeled = pd.DataFrame({"y": [1] * 100 + [0] * 900, "p": [1] * 80 + [0] * 911 + [1] * 9})
    >>> production = pd.DataFrame({"p": [1] * 90 + [0] * 1910, "month": ["May", "June"] * 1000})
    >>> estimates = score_unlabeled(production, labeled, y_true="y", y_pred="p", by="month")
    >>> [axes.get_ylabel() for axes in plot_estimates(estimates).axes]
    ['prevalence', 'f1', 'precision']
    """
    columns = ["metric", "value", "low", "high"]
    expect_columns("estimates", estimates, columns, "score_unlabeled")
    keys = list(estimates.columns[: estimates.columns.get_loc("metric")])
    metrics = list(dict.fromkeys(estimates["metric"]))
    slices = len(estimates) // len(metrics)
    width = max(4.0, 1.5 + 0.4 * slices)
    with new_figure(width, 1.2 + 1.6 * len(metrics)) as figure:
        panels = figure.subplots(len(metrics), 1, sharex=True, squeeze=False)[:, 0]
        for axes, metric in zip(panels, metrics, strict=True):
            rows = estimates[estimates["metric"] == metric].reset_index(drop=True)
            known = rows[rows["value"].notna()]
            errors = [known["value"] - known["low"], known["high"] - known["value"]]
            axes.errorbar(known.index, known["value"], errors, fmt="o", color=BLUE, ms=4, lw=1)
            for position in rows.index.difference(known.index):
                axes.text(
                    position,
                    0.5,
                    "refused",
                    transform=axes.get_xaxis_transform(),
                    rotation=90,
                    ha="center",
                    va="center",
                )
            if "labeled_value" in rows:
                axes.plot(
                    rows.index, rows["labeled_value"], "x", color=VERMILION, label="by labels"
                )
                axes.legend(frameon=False)
            axes.set_ylabel(literal(str(metric)))
            if axes.dataLim.y0 >= 0:
                axes.set_ylim(bottom=0)
        names = [literal(slice_name(row)[:LONGEST_NAME]) for row in rows[keys].to_numpy()]
        panels[-1].set_xticks(rows.index, names, rotation=90 if slices > 4 else 0)
        panels[-1].set_xlim(-0.5, slices - 0.5)
    return figure
