"""The reports on what metrics choose."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from skewproof.core.levels import Level
from skewproof.core.metric import Metric
from skewproof.reporting.templates import render
from skewproof_studies.choices.fates import FATES, STAYS, fates
from skewproof_studies.choices.groups import DIFFERENT, SAME, SAME_RATE, UNDECIDED, UNSOUGHT
from skewproof_studies.choices.points import Chosen
from skewproof_studies.choices.tables import curve_table, shown

LARGEST_GROUPS = 12
"""Groups of measures that are listed."""


def fate_counts(chosen: Chosen, labels: Mapping[str, str]) -> pd.DataFrame:
    """How many metrics each fate has on each curve, with a row a fate."""
    found = fates(chosen.points, chosen.limits)
    counts = found.groupby(["fate", "curve"]).size().unstack(fill_value=0)
    counts = counts.reindex(index=FATES, columns=list(labels), fill_value=0)
    return counts.rename(columns=labels).rename_axis("as positives become rare").reset_index()


def spread_sentences(chosen: Chosen, labels: Mapping[str, str]) -> list[str]:
    """The metrics that find least and most at the rarest level, a sentence a curve."""
    sentences = []
    for name, label in labels.items():
        own = chosen.points[chosen.points["curve"] == name]
        if own.empty:
            continue
        level = own["level"].iloc[-1]
        there = own[own["level"] == level].sort_values("tpr", kind="stable")
        low, high = there.iloc[0], there.iloc[-1]
        sentences.append(
            f"On {label} at {level} the best TPR goes from {shown(low['tpr'])} (`{low['metric']}`)"
            f" to {shown(high['tpr'])} (`{high['metric']}`)."
        )
    return sentences


def jump_table(chosen: Chosen, labels: Mapping[str, str]) -> pd.DataFrame:
    """Where best points jump: columns metric, curve, negatives for each positive."""
    jumps = chosen.points.dropna(subset="jumps_at")
    return pd.DataFrame(
        {
            "metric": [f"`{key}`" for key in jumps["metric"]],
            "curve": [labels[name] for name in jumps["curve"]],
            "jumps at": [f"1:{ratio:.6g}" for ratio in jumps["jumps_at"]],
        }
    )


def support_counts(limits: pd.DataFrame) -> dict[str, int]:
    """How many limits are proved, computed and reached, and computed and still moving."""
    proved = limits["support"] == "proved"
    moving = limits["reason"].str.startswith("still moving")
    return {
        "limits": len(limits),
        "proved": int(proved.sum()),
        "reached": int((~proved & ~moving).sum()),
        "moving": int((~proved & moving).sum()),
    }


def group_counts(groups: pd.DataFrame) -> dict[str, int]:
    """How many metrics choose like another, and what is known of their orderings."""
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
    """The groups of several metrics, the largest first, each by its orderings.

    Returns
    -------
    A dictionary for each group: first (its first metric), size, orderings (lists of keys that are
    proved to order classifiers alike) and apart (the first two classifiers found, with the metric
    that orders them the other way round than the first; or None).
    """
    rows = []
    for first, own in groups.groupby("group", sort=False):
        if len(own) == 1:
            continue
        orderings = [list(part["metric"]) for _, part in own.groupby("ordering", sort=False)]
        apart = own[own["relation"] == DIFFERENT]
        rows.append(
            {
                "first": first,
                "size": len(own),
                "orderings": orderings,
                "apart": None if apart.empty else apart.iloc[0][["metric", "evidence"]].to_dict(),
            }
        )
    return sorted(rows, key=lambda row: -row["size"])[:largest]


def missing_table(missing: pd.DataFrame) -> pd.DataFrame:
    """Why metrics have no best points, no limit or no exchange rate: a row a reason."""
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
    """A reason without the metric that it names, so that equal ones are counted together."""
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
    """What metrics choose, as Markdown.

    Parameters
    ----------
    chosen
        What each metric chooses.
    groups
        Of :func:`~skewproof_studies.choices.groups.group_table`.
    levels, positives
        The levels, from balanced classes to rare positives, and the size of the positive class.
    labels
        The curves' parameters by their names.
    registry
        The metrics by their keys.
    tables
        Whether the table of each curve is in the report, and all groups are.
    """
    points = chosen.points
    found = fates(points, chosen.limits)
    stay = found[found["fate"] == STAYS].groupby("metric").size()
    return render(
        "skewproof_studies.choices",
        "report.md.jinja",
        levels=[str(level) for level in levels],
        positives=positives,
        labels=labels,
        number=len(registry),
        with_points=points["metric"].nunique(),
        counts=fate_counts(chosen, labels),
        spreads=spread_sentences(chosen, labels),
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
