"""The report on distributions of classifiers."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from skewproof.core.metric import Metric
from skewproof.reporting.templates import render
from skewproof.sensitivity.behavior_types import SAME
from skewproof_studies.classifiers.tables import exchanges_by_distribution
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
    """What other classifiers change in the ranking, and what they cannot, as Markdown.

    Parameters
    ----------
    words
        What each distribution is, by its name.
    shifts, indices
        Results of :func:`~skewproof_studies.classifiers.tables.shift_table` and
        :func:`~skewproof_studies.classifiers.tables.index_table` with a column distribution.
    invariance
        Proofs and counterexamples: columns metric, level, verdict.
    baseline, registry
        The level compared with, and the metrics by their keys.
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
    """Mean shift and rank of each metric, a column a distribution, in the first one's order."""
    columns = (shifts["mean_shift"], shifts["rank"], shifts["left_out"])
    texts = shifts.assign(text=[_shift_text(*one) for one in zip(*columns, strict=True)])
    names = list(shifts["distribution"].unique())
    first = shifts[shifts["distribution"] == names[0]].sort_values("mean_shift", kind="stable")
    wide = texts.pivot(index="metric", columns="distribution", values="text")
    wide = wide.loc[first["metric"], names]
    wide.insert(0, "metric", [metric_label(registry[key]) for key in wide.index])
    return wide


def _shift_text(shift: float, rank: int, left_out: int) -> str:
    """A shift with its rank, or with why it has none."""
    if pd.isna(shift):
        return "undefined"
    return f"{shift:.4f}, {left_out} left out" if left_out else f"{shift:.4f} ({rank})"
