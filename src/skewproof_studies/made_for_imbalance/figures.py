"""Picture of the three kinds of robustness, one row per measure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd
from matplotlib.figure import Figure

from skewproof.core.metric import Metric
from skewproof_studies.made_for_imbalance.robustness import (
    EXACTLY,
    IN_THE_LIMIT,
    KINDS,
    LOST,
    NOT_EVERYWHERE,
)
from skewproof_studies.reporting.figures import styled_figure

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
