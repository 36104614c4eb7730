"""Figure of each metric's mean shift and of an index at a level, under every distribution."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd
from matplotlib.figure import Figure

from skewproof.core.metric import Metric
from skewproof_studies.classifiers.config import UNIFORM
from skewproof_studies.reporting.figures import rows_figure
from skewproof_studies.reporting.order import rounded


def distributions_figure(
    shifts: pd.DataFrame, indices: pd.DataFrame, *, level: str, registry: Mapping[str, Metric]
) -> Figure:
    """Draw the mean shift and first-order index of every metric at a level, one mark per
    distribution.

    Parameters
    ----------
    shifts, indices
        Results of :func:`~skewproof_studies.classifiers.tables.shift_table` and
        :func:`~skewproof_studies.classifiers.tables.index_table` with a column distribution.
    level
        The level. Metrics are ordered by their shifts there under the uniform distribution, the
        most robust at the top.
    registry
        The metrics by key, for their symbols.
    """
    names = list(shifts["distribution"].unique())
    wide = shifts[shifts["level"] == level].pivot(
        index="metric", columns="distribution", values="mean_shift"
    )
    wide = wide.loc[wide[UNIFORM].sort_values(key=rounded, kind="stable").index, names]
    at_level = indices[indices["level"] == level]
    # The second of the two inputs: fp, or the threshold of a binormal family.
    second = at_level.groupby(["metric", "distribution"])["s1"].last().unstack()
    panels = {
        f"mean shift at {level}, scaled to [0, 1]": wide,
        f"S1 of fp, or of the threshold, at {level}": second.reindex_like(wide),
    }
    return rows_figure(panels, colors=(0.05, 0.9), registry=registry)
