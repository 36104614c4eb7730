"""Effect of wrong labels on measures: the variance due to labels and to the classifier by level."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from skewproof.core.formulas.metrics import FormulaError
from skewproof.core.levels import Level
from skewproof.core.metric import Metric
from skewproof.core.scales import bounded
from skewproof.reporting.templates import render
from skewproof.sensitivity.label_errors.indices import (
    RESOLVED,
    STEPS_PER_DECADE,
    half_share_ratios,
    label_error_indices,
)
from skewproof.sensitivity.label_errors.model import GROUPS
from skewproof.sensitivity.label_errors.samples import sampled_label_error_indices
from skewproof.sensitivity.ranges.ranges import with_bounds
from skewproof_studies.reporting.order import rounded

SHARE_TYPES = dict.fromkeys(("measure", "level", "input"), str) | dict.fromkeys(
    (
        *("s1", "st", "error", "s1_sampled", "s1_standard_error"),
        *("st_sampled", "st_standard_error"),
    ),
    float,
)
"""Types of the columns of a table with samples, which a file without rows does not show."""

CROSSING_TYPES = {"measure": str, "negatives_per_positive": float, "error": float}
"""Types of the columns of a table of crossings."""

FAR_IN_STANDARD_ERRORS = 4
"""Number of standard errors between a sampled share and the exact one from which it counts as
far."""

LOG = logging.getLogger(__name__)


def scaled(metrics: Sequence[Metric]) -> list[Metric]:
    """Scale metrics to [0, 1], without those whose bounds are neither declared nor found."""
    scaled_metrics = []
    for metric in metrics:
        try:
            scaled_metrics.append(bounded(with_bounds(metric)))
        except (FormulaError, ValueError) as error:
            LOG.warning("%s has no shares under wrong labels: %s", metric.key, error)
    return scaled_metrics


def share_table(
    metrics: Sequence[Metric], level: Level, positives: float, **ranges: float
) -> pd.DataFrame:
    """Return exact shares of measures at a level.

    Parameters
    ----------
    metrics, positives, ranges
        As for :func:`skewproof.sensitivity.label_errors.indices.label_error_indices`.
    level
        Imbalance level.

    Returns
    -------
    Frame with the columns measure, level, input (an input or a group of them), s1, st and error. It
    has the measures whose shares are resolved, in their order.
    """
    indices = label_error_indices(
        metrics, positives=positives, negatives=level.negatives(positives), **ranges
    )
    table = pd.DataFrame(
        {
            "measure": np.repeat([metric.key for metric in metrics], len(GROUPS)),
            "level": str(level),
            "input": np.tile(list(GROUPS), len(metrics)),
            "s1": indices.s1.ravel(),
            "st": indices.st.ravel(),
            "error": np.repeat(indices.error, len(GROUPS)),
        }
    )
    return table[table["s1"].notna()].reset_index(drop=True)


def with_samples(
    table: pd.DataFrame, metrics: Sequence[Metric], level: Level, positives: float, **options: Any
) -> pd.DataFrame:
    """Add sampled shares and their standard errors to a table of exact shares.

    Parameters
    ----------
    table
        Result of :func:`share_table`.
    metrics
        The measures of the table, and possibly others.
    level, positives, options
        As for :func:`skewproof.sensitivity.label_errors.samples.sampled_label_error_indices`.
    """
    kept = set(table["measure"])
    sampled = sampled_label_error_indices(
        [metric for metric in metrics if metric.key in kept], level, positives, **options
    )
    return table.assign(
        **{
            f"{name}_{column}": part.ravel()
            for name, replicated in zip(("s1", "st"), sampled, strict=True)
            for column, part in zip(("sampled", "standard_error"), replicated, strict=True)
        }
    )


def half_share_table(
    metrics: Sequence[Metric], positives: float, first: Level, last: Level, **ranges: float
) -> pd.DataFrame:
    """Find the levels between two levels at which the labels' total share passes one half.

    Parameters
    ----------
    metrics, positives, first, last, ranges
        As for :func:`skewproof.sensitivity.label_errors.indices.half_share_ratios`.

    Returns
    -------
    Frame with the columns measure, negatives_per_positive and error (the distance of the share from
    one half by a finer rule), one row per crossing, in ascending order.
    """
    by_metric = half_share_ratios(metrics, positives=positives, first=first, last=last, **ranges)
    rows = [
        (metric.key, *crossing)
        for metric, crossings in zip(metrics, by_metric, strict=True)
        for crossing in crossings
    ]
    table = pd.DataFrame(rows, columns=list(CROSSING_TYPES)).astype(CROSSING_TYPES)
    order = rounded(table["negatives_per_positive"]).sort_values(kind="stable").index
    return table.loc[order].reset_index(drop=True)


def wide_shares(table: pd.DataFrame, level: str) -> pd.DataFrame:
    """Split each measure's variance at a level into parts, sorted by the labels' total share.

    Parameters
    ----------
    table
        Result of :func:`share_table` for any levels.
    level
        The level.

    Returns
    -------
    Frame indexed by measure with parts that add up to 1: tpr and fpr (alone), rates (interaction of
    both), labels (alone) and both (interaction of classifier and labels). The column labels_total
    is in descending order.
    """
    at_level = table[table["level"] == level]
    s1 = at_level.pivot(index="measure", columns="input", values="s1").reindex(
        index=at_level["measure"].unique(), columns=list(GROUPS)
    )
    parts = pd.DataFrame(
        {
            "tpr": s1["tpr"],
            "fpr": s1["fpr"],
            "rates": s1["classifier"] - s1["tpr"] - s1["fpr"],
            "labels": s1["labels"],
            "both": 1 - s1["classifier"] - s1["labels"],
            "labels_total": 1 - s1["classifier"],
        }
    )
    falling = rounded(parts["labels_total"]).sort_values(ascending=False, kind="stable")
    return parts.loc[falling.index]


def label_error_report(
    table: pd.DataFrame,
    crossings: pd.DataFrame,
    *,
    levels: Sequence[str],
    largest_false_positive_rate: float,
    largest_false_negative_rate: float,
) -> str:
    """Write the report on the effect of wrong labels as Markdown.

    Parameters
    ----------
    table
        Result of :func:`with_samples` for all levels.
    crossings
        Result of :func:`half_share_table`.
    levels
        The levels, two or more, in ascending order of negatives per positive.
    largest_false_positive_rate, largest_false_negative_rate
        The ranges with which both tables were computed.
    """
    first, last = (wide_shares(table, level) for level in (levels[0], levels[-1]))
    shown = last[["labels_total", "labels", "both", "tpr", "fpr", "rates"]]
    shown = shown.assign(at_first=first["labels_total"]).round(4) + 0.0  # no -0
    more = last[last["labels"] > last["tpr"] + last["fpr"] + last["rates"]]
    distances = np.concatenate(
        [
            (table[f"{name}_sampled"] - table[name]).abs()
            - FAR_IN_STANDARD_ERRORS * table[f"{name}_standard_error"]
            - table["error"]
            for name in ("s1", "st")
        ]
    )
    return render(
        "skewproof_studies.atlas",
        "label_errors.md.jinja",
        ranges=(largest_false_positive_rate, largest_false_negative_rate),
        first=levels[0],
        last=levels[-1],
        measures=len(last),
        over_half=(last["labels_total"] > 1 / 2).sum(),
        more_than_classifier=rounded(more["labels"])
        .sort_values(ascending=False, kind="stable")
        .to_dict(),
        most_at_first=next(iter(first["labels_total"].items()), None),
        recall=last.loc["true_positive_rate"] if "true_positive_rate" in last.index else None,
        crossings=_named_levels(crossings),
        unresolved=not (crossings["error"] <= RESOLVED).all(),
        resolved=RESOLVED,
        steps=STEPS_PER_DECADE,
        shares=shown.reset_index(),
        sampled=len(distances),
        far=int((distances > 1e-12).sum()),
        standard_errors=FAR_IN_STANDARD_ERRORS,
        largest_error=table["error"].max(),
    )


def _named_levels(crossings: pd.DataFrame) -> pd.DataFrame:
    """Return measures with levels such as "1:51.51" and a remark at those that are not resolved."""
    columns = crossings["negatives_per_positive"], crossings["error"]
    levels = [
        f"1:{ratio:.4g}{'' if error <= RESOLVED else ' (not resolved)'}"
        for ratio, error in zip(*columns, strict=True)
    ]
    return crossings[["measure"]].assign(level=levels)
