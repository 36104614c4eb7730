"""How far a level moves each metric, and an index of it there, under every distribution."""

from __future__ import annotations

from collections.abc import Mapping

import matplotlib
import pandas as pd
from matplotlib.figure import Figure

from skewproof.core.metric import Metric
from skewproof.reporting.style import STYLE
from skewproof_studies.classifiers.config import UNIFORM
from skewproof_studies.reporting.metric_rows import draw_rows
from skewproof_studies.reporting.table import metric_label


def distributions_figure(
    shifts: pd.DataFrame, indices: pd.DataFrame, *, level: str, registry: Mapping[str, Metric]
) -> Figure:
    """Mean shift and first-order index of every metric at a level, a mark a distribution.

    Parameters
    ----------
    shifts, indices
        Results of :func:`~skewproof_studies.classifiers.tables.shift_table` and
        :func:`~skewproof_studies.classifiers.tables.index_table` with a column distribution.
    level
        The level. Metrics are in the order of their shifts there under the uniform distribution,
        the most robust on top.
    registry
        The metrics by their keys, for their symbols.
    """
    names = list(shifts["distribution"].unique())
    wide = shifts[shifts["level"] == level].pivot(
        index="metric", columns="distribution", values="mean_shift"
    )
    wide = wide.loc[wide[UNIFORM].sort_values(kind="stable").index, names]
    there = indices[indices["level"] == level]
    # Of the two inputs the second: fp, and the threshold of a binormal family.
    second = there.groupby(["metric", "distribution"])["s1"].last().unstack()
    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(7.2, 1.2 + 0.2 * len(wide)), layout="constrained")
        panels = figure.subplots(1, 2, sharey=True)
        for axes, values in zip(panels, (wide, second), strict=True):
            draw_rows(axes, values.reindex(index=wide.index, columns=names), colors=(0.05, 0.9))
        panels[0].set_yticks(range(len(wide)), [metric_label(registry[key]) for key in wide.index])
        panels[0].set_ylim(len(wide) - 0.5, -0.5)
        panels[0].set_xlabel(f"mean shift at {level}, scaled to [0, 1]")
        panels[1].set_xlabel(f"S1 of fp, or of the threshold, at {level}")
        handles, labels = panels[0].get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside upper center", ncols=len(labels), frameon=False)
    return figure
