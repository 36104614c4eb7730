"""Reports on what metrics choose, and on what becomes of their best points."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from skewproof.core.levels import Level
from skewproof.core.metric import Metric
from skewproof.reporting.templates import render
from skewproof_studies.choices.groups import ALIKE, DIFFERENT, SAME, SAME_RATE, UNDECIDED, UNSOUGHT
from skewproof_studies.choices.points import Chosen
from skewproof_studies.choices.tables import curve_table

STAYS, NOTHING, BETWEEN, EVERYTHING = (
    "stays where it is",
    "goes to next to nothing called positive",
    "goes to a point in between",
    "goes to nearly everything called positive",
)
FATES = (NOTHING, BETWEEN, STAYS, EVERYTHING)

HARDLY = 0.01
"""TPR of a limit, or distance of its FPR from 1, below which next to nothing, or nearly everything,
is called positive."""

FATE_COLUMNS = ["metric", "curve", "fate"]


def fates(points: pd.DataFrame, limits: pd.DataFrame) -> pd.DataFrame:
    """Return what happens to the best point of each metric on each curve as positives become rare.

    Parameters
    ----------
    points, limits
        Tables of :class:`~skewproof_studies.choices.points.Chosen`.

    Returns
    -------
    Frame with the columns metric, curve and fate (one of :data:`FATES`), one row for each limit of
    a metric with points. A point stays if the points of all levels and the limit are the same.

    Examples
    --------
    >>> points = pd.DataFrame({"metric": ["f1"] * 2, "curve": "d2", "tpr": [0.9, 0.1], "fpr": 0.01})
    >>> limits = pd.DataFrame({"metric": ["f1"], "curve": "d2", "tpr": [0.0], "fpr": [0.0]})
    >>> fates(points, limits)["fate"].item()
    'goes to next to nothing called positive'
    """
    columns = ["metric", "curve", "tpr", "fpr"]
    ends = pd.concat([points[columns], limits[columns]]).groupby(["metric", "curve"], sort=False)
    low, high = ends.min(), ends.max()
    stays = ((high - low) <= ALIKE * high).all(axis=1)
    rows = [
        (row.metric, row.curve, _fate(row.tpr, row.fpr, stays=stays[row.metric, row.curve]))
        for row in limits.itertuples()
        if row.metric in set(points["metric"])
    ]
    return pd.DataFrame(rows, columns=FATE_COLUMNS)


def _fate(tpr: float, fpr: float, *, stays: bool) -> str:
    if stays:
        return STAYS
    if tpr < HARDLY:
        return NOTHING
    return EVERYTHING if 1 - fpr < HARDLY else BETWEEN


LARGEST_GROUPS = 12
"""Number of groups of metrics that are listed."""


def fate_counts(chosen: Chosen, labels: Mapping[str, str]) -> pd.DataFrame:
    """Count the metrics with each fate on each curve, one row per fate."""
    outcomes = fates(chosen.points, chosen.limits)
    counts = outcomes.groupby(["fate", "curve"]).size().unstack(fill_value=0)
    counts = counts.reindex(index=FATES, columns=list(labels), fill_value=0)
    return counts.rename(columns=labels).rename_axis("as positives become rare").reset_index()


def spreads(chosen: Chosen, labels: Mapping[str, str]) -> list[dict[str, Any]]:
    """Return, per curve, the points with the lowest and highest best TPR at the rarest level."""
    rows = []
    for name, label in labels.items():
        on_curve = chosen.points[chosen.points["curve"] == name]
        if on_curve.empty:
            continue
        level = on_curve["level"].iloc[-1]
        at_level = on_curve[on_curve["level"] == level].sort_values(
            "tpr", key=lambda rates: rates.map("{:.6g}".format).astype(float), kind="stable"
        )
        ends = {"low": at_level.iloc[0], "high": at_level.iloc[-1]}
        rows.append({"label": label, "level": level, **ends})
    return rows


def jump_table(chosen: Chosen, labels: Mapping[str, str]) -> pd.DataFrame:
    """Return the jumps of best points, with the columns metric, curve and jumps at (a level)."""
    jumps = chosen.points.dropna(subset="jumps_at")
    return pd.DataFrame(
        {
            "metric": [f"`{key}`" for key in jumps["metric"]],
            "curve": [labels[name] for name in jumps["curve"]],
            "jumps at": [f"1:{ratio:.6g}" for ratio in jumps["jumps_at"]],
        }
    )


def support_counts(limits: pd.DataFrame) -> dict[str, int]:
    """Count the limits that are proved, computed and reached, and computed but still changing."""
    proved = limits["support"] == "proved"
    moving = limits["reason"].str.startswith("still changing")
    return {
        "limits": len(limits),
        "proved": int(proved.sum()),
        "reached": int((~proved & ~moving).sum()),
        "moving": int((~proved & moving).sum()),
    }


def group_counts(groups: pd.DataFrame) -> dict[str, int]:
    """Count the metrics that choose like another, by the relation of their orderings."""
    sizes = groups.groupby("group").size()
    relations = groups["relation"]
    return {
        "metrics": len(groups),
        "groups": len(sizes),
        "alone": int((sizes == 1).sum()),
        "orderings": int(groups["ordering"].nunique()),
        "unsought": int((groups["evidence"] == UNSOUGHT).sum()),
        **{
            name: int((relations == relation).sum())
            for name, relation in (
                ("same", SAME),
                ("same_rate", SAME_RATE),
                ("other", DIFFERENT),
                ("undecided", UNDECIDED),
            )
        },
    }


def group_rows(groups: pd.DataFrame, largest: int | None = None) -> list[dict[str, Any]]:
    """Return the groups of several metrics, the largest first, split by their orderings.

    Returns
    -------
    One dictionary per group: first (its first metric), size, orderings (lists of keys that are
    proved to order classifiers alike) and apart (the first metric found that orders two classifiers
    in the opposite way to the first, with these classifiers; or None).
    """
    rows = []
    for first, members in groups.groupby("group", sort=False):
        if len(members) == 1:
            continue
        orderings = [list(part["metric"]) for _, part in members.groupby("ordering", sort=False)]
        apart = members[members["relation"] == DIFFERENT]
        rows.append(
            {
                "first": first,
                "size": len(members),
                "orderings": orderings,
                "apart": None if apart.empty else apart.iloc[0][["metric", "evidence"]].to_dict(),
            }
        )
    return sorted(rows, key=lambda row: -row["size"])[:largest]


def missing_table(missing: pd.DataFrame) -> pd.DataFrame:
    """Return the reasons for missing best points, limits or exchange rates, one row per reason."""
    reasons = missing.assign(reason=missing["reason"].map(_without_name))
    parts = reasons.groupby(["what", "curves", "reason"], sort=False)["metric"]
    return pd.DataFrame(
        [
            {
                "what is missing": what,
                "curves": curves,
                "metrics": len(keys),
                "reason": reason.replace("|", "\\|"),
                "which": ", ".join(f"`{key}`" for key in keys),
            }
            for (what, curves, reason), keys in parts
        ]
    )


def _without_name(reason: str) -> str:
    """Remove the metric's name from a reason, so that equal reasons are counted together."""
    head, between, tail = reason.partition(": expected ")
    return f"expected {tail}" if between and head.startswith("metric = ") else reason


def choices_report(
    chosen: Chosen,
    groups: pd.DataFrame,
    *,
    levels: Sequence[Level],
    positives: int,
    labels: Mapping[str, str],
    registry: Mapping[str, Metric],
    tables: bool,
) -> str:
    """Write the report on what metrics choose as Markdown.

    Parameters
    ----------
    chosen
        The results for each metric.
    groups
        Result of :func:`~skewproof_studies.choices.groups.group_table`.
    levels, positives
        The levels, from balanced classes to rare positives, and the size of the positive class.
    labels
        The curves' parameters by name.
    registry
        The metrics by key.
    tables
        Whether to include the table of each curve and all groups.
    """
    points = chosen.points
    outcomes = fates(points, chosen.limits)
    stay = outcomes[outcomes["fate"] == STAYS].groupby("metric").size()
    return render(
        "skewproof_studies.choices",
        "report.md.jinja",
        levels=[str(level) for level in levels],
        positives=positives,
        labels=labels,
        number=len(registry),
        with_points=points["metric"].nunique(),
        counts=fate_counts(chosen, labels),
        spreads=spreads(chosen, labels),
        staying=[key for key, curves in stay.items() if curves == len(labels)],
        kinds=points.drop_duplicates(["metric", "kind"]).groupby("kind")["metric"].agg(list),
        jumps=jump_table(chosen, labels),
        support=support_counts(chosen.limits),
        tables=[
            curve_table(
                points[points["curve"] == name],
                chosen.limits[chosen.limits["curve"] == name],
                chosen.rates,
                label=label,
                registry=registry,
            )
            for name, label in labels.items()
            if tables and (points["curve"] == name).any()
        ],
        groups=group_rows(groups, None if tables else LARGEST_GROUPS),
        group_counts=group_counts(groups),
        missing=missing_table(chosen.missing),
        failing=chosen.missing["metric"].nunique(),
    )
