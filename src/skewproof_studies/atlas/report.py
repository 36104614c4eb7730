"""Report of the atlas: the number of measures, those that are the same, and the effect of
prevalence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from skewproof.core.levels import Level
from skewproof.metrics.atlas.entry import Entry
from skewproof.reporting.templates import render
from skewproof.sensitivity.behavior_types import DIFFERS, SAME, UNDECIDED
from skewproof_studies.atlas.tables import groups, ordering_column, overall_verdicts
from skewproof_studies.reporting.order import rounded

RARE_EVENTS = [
    "symmetric_extremal_dependence_index",
    "extremal_dependence_index",
    "symmetric_extreme_dependency_score",
    "extreme_dependency_score",
    "equitable_threat_score",
    "f1",
    "f1_i",
    "mcc",
    "mcc_i",
]
"""Measures that forecasters made for rare events, and those used in machine learning, with the
normalized variants."""

ORDERS_NONE = "it is constant on classes of given sizes"
"""First words of the evidence for a measure that ties all classifiers and so orders them alike at
all class sizes."""

LARGEST_GROUPS = 12
"""Number of classes of orderings that are listed."""


def class_counts(classes: pd.DataFrame, column: str) -> dict[str, int]:
    """Count the classes of a column and the measures without a class."""
    return {
        "classes": int(classes[column].nunique()),
        "undecided": int(classes[column].isna().sum()),
    }


def same_for_equal_positives(measures: pd.DataFrame) -> list[str]:
    """Return the measures that are proved to be the same at each level only because the number of
    positives is the same, as a P in the proof's formula shows."""
    verdicts = overall_verdicts(measures)
    rows = measures[measures["measure"].isin(verdicts.index[verdicts == SAME])]
    with_positives = rows["evidence"].map(str).str.contains(r"\bP\b")
    return list(rows.loc[with_positives, "measure"].unique())


def kept_orderings(measures: pd.DataFrame) -> list[str]:
    """Return the measures whose values change with prevalence but whose order of classifiers does
    not, without those that tie all classifiers."""
    moved = overall_verdicts(measures)
    ordering = measures.drop_duplicates("measure").set_index("measure")["ordering"]
    kept = moved.index[(moved == DIFFERS) & (ordering[moved.index] == "yes")]
    constant = set(constants(measures))
    return [str(key) for key in kept if key not in constant]


def constants(measures: pd.DataFrame) -> list[str]:
    """Return the measures that have one value for all classifiers at given class sizes."""
    rows = measures[measures["order_evidence"].map(str).str.startswith(ORDERS_NONE)]
    return list(rows["measure"].unique())


def rarest_level(levels: Sequence[str], baseline: str) -> str:
    """Return the level other than the baseline with the most negatives per positive."""
    compared = [level for level in levels if level != baseline]
    return max(compared, key=lambda level: Level.parse(level).negatives(1))


def rare_event_table(measures: pd.DataFrame, level: str) -> pd.DataFrame:
    """Return the numbers of measures for rare events and of those used in machine learning at a
    level."""
    rows = measures[(measures["level"] == level) & measures["measure"].isin(RARE_EVENTS)]
    rows = rows.sort_values("measure", key=lambda keys: keys.map(RARE_EVENTS.index))
    return rows[["measure", "verdict", "ordering", "mean_shift", "s1_tp", "s1_fp", "type"]]


def atlas_report(
    classes: pd.DataFrame,
    measures: pd.DataFrame,
    *,
    levels: Sequence[str],
    baseline: str,
    catalog: Mapping[str, Entry],
) -> str:
    """Write the report as Markdown.

    Parameters
    ----------
    classes, measures
        The results of :func:`skewproof_studies.atlas.tables.class_table` and
        :func:`~skewproof_studies.atlas.tables.measure_table`.
    levels, baseline
        The levels that are compared, and the one that they are compared with.
    catalog
        Catalog entries of the measures.
    """
    keys = list(classes["measure"])
    columns = [column for column in classes if column.startswith("ordering_")]
    by_level = {column.removeprefix("ordering_").replace("_", ":"): column for column in columns}
    compared = [level for level in levels if level != baseline]
    rarest = rarest_level(levels, baseline)
    overall = overall_verdicts(measures)
    ordering = measures.drop_duplicates("measure").set_index("measure")["ordering"]
    return render(
        "skewproof_studies.atlas",
        "report.md.jinja",
        measures=len(keys),
        names=len({(name.community, name.name) for key in keys for name in catalog[key].names}),
        communities=len({name.community for key in keys for name in catalog[key].names}),
        equal=class_counts(classes, "equal"),
        affine=class_counts(classes, "affine"),
        orderings={level: class_counts(classes, by_level[level]) for level in by_level},
        equal_groups=groups(classes, "equal"),
        ordering_groups={
            level: groups(classes, ordering_column(level))[:LARGEST_GROUPS] for level in by_level
        },
        undecided=_undecided(classes, ["equal", "affine", *columns]),
        levels=", ".join(compared),
        last=compared[-1],
        baseline=baseline,
        verdicts=overall.value_counts().to_dict(),
        equal_positives=same_for_equal_positives(measures),
        unclear=list(overall[overall == UNDECIDED].index),
        invariant_orderings=ordering.value_counts().to_dict(),
        unclear_orderings=list(ordering[ordering == UNDECIDED].index),
        constants=constants(measures),
        kept=kept_orderings(measures),
        types=_types(measures),
        rarest=rarest,
        rare_events=rare_event_table(measures, rarest),
        movers=_movers(measures, rarest),
        reasons=_reasons(measures),
        disagreements=[
            {"measure": key, "remark": catalog[key].remark} for key in keys if catalog[key].remark
        ],
    )


def _undecided(classes: pd.DataFrame, columns: Sequence[str]) -> list[dict[str, Any]]:
    undecided = [
        {"sense": column, "measures": list(classes.loc[classes[column].isna(), "measure"])}
        for column in columns
    ]
    return [row for row in undecided if row["measures"]]


def _types(measures: pd.DataFrame) -> pd.DataFrame:
    counts = measures.drop_duplicates("measure")["type"].value_counts().sort_index()
    return counts.rename_axis("type").reset_index(name="measures")


def _movers(measures: pd.DataFrame, level: str) -> pd.DataFrame:
    """Return the measures that change least and most with prevalence, among those that change."""
    rows = measures[(measures["level"] == level) & (measures["verdict"] == DIFFERS)]
    rows = rows.dropna(subset="mean_shift").sort_values("mean_shift", key=rounded, kind="stable")
    return pd.concat([rows.head(5), rows.iloc[5:].tail(5)])[
        ["measure", "mean_shift", "s1_tp", "s1_fp"]
    ]


def _reasons(measures: pd.DataFrame) -> list[dict[str, str]]:
    rows = measures.dropna(subset="reason").drop_duplicates("measure")
    return rows[["measure", "reason"]].to_dict("records")
