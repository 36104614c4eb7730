"""Report of the study."""

from __future__ import annotations

import pandas as pd

from skewproof.reporting.templates import render
from skewproof_studies.made_for_imbalance.parameters import FPR, RARE, TPR
from skewproof_studies.made_for_imbalance.robustness import KINDS

LIMIT_COLUMNS = ["1:1", "1:1000", "1:1000000", "limit"]


def imbalance_report(
    kinds: pd.DataFrame,
    points: pd.DataFrame,
    levels: pd.DataFrame,
    costs: pd.DataFrame,
    calls: pd.DataFrame,
    worths: pd.DataFrame,
) -> str:
    """Write the report, whose tables are those of the study's files."""
    kept = kinds.pivot(index="measure", columns="kind", values="kept")
    known = kinds.pivot(index="measure", columns="kind", values="known")
    order = kinds["measure"].unique()
    table = (kept + ", " + known).loc[order, list(KINDS)].reset_index()
    evidence = kinds[kinds["kind"] != "order"][["measure", "kind", "evidence"]]
    curve = points["curve"].iloc[0]
    paths = points[points["curve"] == curve].pivot(index="measure", columns="level", values="tpr")
    rates = levels.pivot(index="measure", columns="level", values="exchange_over_ratio")
    ends = levels.groupby("measure", sort=False)
    behavior = ends[["type", "s1_tp"]].first().assign(s1_tp_rarest=ends["s1_tp"].last())
    return render(
        "skewproof_studies.made_for_imbalance",
        "report.md.jinja",
        counts=kinds.groupby(["kind", "kept"]).size().unstack(fill_value=0).loc[list(KINDS)],
        kinds=table,
        evidence=evidence,
        curve=curve,
        paths=paths.loc[order, LIMIT_COLUMNS].reset_index(),
        rates=rates.loc[order, LIMIT_COLUMNS[:-1]].reset_index(),
        behavior=behavior.reset_index(),
        costs=costs,
        calls=calls,
        worths=worths,
        at=f"TPR {TPR}, FPR {FPR} and {RARE}",
    )
