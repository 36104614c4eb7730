"""Report and figure of distributions of classifiers: mean shifts and an index at a level."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd
from matplotlib.figure import Figure

from skewproof.core.metric import Metric
from skewproof.reporting.templates import render
from skewproof.sensitivity.behavior_types import SAME
from skewproof_studies.classifiers.config import UNIFORM
from skewproof_studies.classifiers.tables import exchanges_by_distribution
from skewproof_studies.reporting.figures import rows_figure
from skewproof_studies.reporting.order import rounded
from skewproof_studies.reporting.table import metric_label


def classifiers_report(
    words: Mapping[str, str],
    shifts: pd.DataFrame,
    indices: pd.DataFrame,
    invariance: pd.DataFrame,
    *,
    baseline: str,
    registry: Mapping[str, Metric],
) -> str:
    """Write the report on changes of the ranking under other distributions as Markdown.

    Parameters
    ----------
    words
        Description of each distribution, by name.
    shifts, indices
        Results of :func:`~skewproof_studies.classifiers.tables.shift_table` and
        :func:`~skewproof_studies.classifiers.tables.index_table` with a column distribution.
    invariance
        Proofs and counterexamples, with the columns metric, level, verdict.
    baseline, registry
        The level for comparison, and the metrics by key.
    """
    level = shifts["level"].iloc[-1]
    verdicts = invariance[invariance["level"].isin(shifts["level"])].groupby("metric")["verdict"]
    proved = [key for key, every in verdicts.agg(set).items() if every == {SAME}]
    exchanges = exchanges_by_distribution(shifts)
    of_proved = shifts[shifts["metric"].isin(proved)]["mean_shift"]
    at_level = shifts[shifts["level"] == level]
    return render(
        "skewproof_studies.classifiers",
        "report.md.jinja",
        words=pd.DataFrame(words.items(), columns=["name", "classifiers"]),
        level=level,
        baseline=baseline,
        table=_beside_each_other(at_level, registry),
        left_out=bool(at_level["left_out"].any()),
        without=bool(at_level["mean_shift"].isna().any()),
        exchanges=exchanges.astype(object).where(exchanges.notna(), ""),
        proved=[metric_label(registry[key]) for key in proved],
        largest=of_proved.max(),
        unresolved=int(indices["s1"].isna().sum()),
        indices=len(indices),
    )


def _beside_each_other(shifts: pd.DataFrame, registry: Mapping[str, Metric]) -> pd.DataFrame:
    """Return mean shift and rank of each metric, one column per distribution, in the order of the
    first."""
    columns = (shifts["mean_shift"], shifts["rank"], shifts["left_out"])
    texts = shifts.assign(text=[_shift_text(*row) for row in zip(*columns, strict=True)])
    names = list(shifts["distribution"].unique())
    first = shifts[shifts["distribution"] == names[0]].sort_values(
        "mean_shift", key=rounded, kind="stable"
    )
    wide = texts.pivot(index="metric", columns="distribution", values="text")
    wide = wide.loc[first["metric"], names]
    wide.insert(0, "metric", [metric_label(registry[key]) for key in wide.index])
    return wide


def _shift_text(shift: float, rank: int, left_out: int) -> str:
    """Format a shift with its rank, or with the reason for having none."""
    if pd.isna(shift):
        return "undefined"
    return f"{shift:.4f}, {left_out} left out" if left_out else f"{shift:.4f} ({rank})"


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
