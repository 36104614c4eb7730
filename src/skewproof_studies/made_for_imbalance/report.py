"""Report of the study, and a picture of the three kinds of robustness, one row per measure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd
from matplotlib.figure import Figure

from skewproof.core.metric import Metric
from skewproof.reporting.templates import render
from skewproof_studies.made_for_imbalance.parameters import FPR, RARE, TPR
from skewproof_studies.made_for_imbalance.robustness import (
    EXACTLY,
    IN_THE_LIMIT,
    KINDS,
    LOST,
    NOT_EVERYWHERE,
)
from skewproof_studies.reporting.figures import styled_figure

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


SHOWN = (
    *("accuracy", "f1", "p4", "mcc", "precision"),
    *("optimized_precision", "robust_f", "robust_mcc", "precision_i", "balanced_accuracy"),
)
"""Measures of the picture."""

SHADES = {EXACTLY: "#2a788e", IN_THE_LIMIT: "#7ad151", LOST: "0.9"}

ON_SOME = "on some curves"


def kinds_figure(
    kinds: pd.DataFrame, registry: Mapping[str, Metric], keys: Sequence[str] = SHOWN
) -> Figure:
    """Draw what remains of the value, the order and the choice of some measures.

    Parameters
    ----------
    kinds
        Columns measure, kind, kept and evidence.
    registry, keys
        The measures by key, and those to draw.
    """
    shown = kinds["kept"].mask(kinds["evidence"].str.startswith(NOT_EVERYWHERE), ON_SOME)
    wide = kinds.assign(shown=shown).pivot(index="measure", columns="kind", values="shown")
    kept = wide.loc[list(keys), list(KINDS)]
    with styled_figure((6, 0.6 + 0.3 * len(keys))) as (figure, axes):
        for row, texts in enumerate(kept.to_numpy()):
            for column, text in enumerate(texts):
                axes.barh(row, 0.96, 0.9, column - 0.48, color=SHADES.get(text, "0.9"))
                color = "white" if text == EXACTLY else "black"
                axes.text(column, row, text, ha="center", va="center", fontsize=7, color=color)
        axes.set_yticks(range(len(keys)), [registry[key].name for key in keys])
        axes.set_xticks(range(len(KINDS)), KINDS)
        axes.tick_params(length=0, labeltop=True, labelbottom=False)
        axes.invert_yaxis()
        axes.set_xlim(-0.5, len(KINDS) - 0.5)
        for spine in axes.spines.values():
            spine.set_visible(False)
    return figure
