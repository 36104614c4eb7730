"""Two tables of the atlas: classes, with one row per measure, and the effect of prevalence, with
one row per measure and level."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from skewproof.core.metric import Metric
from skewproof.metrics.atlas.entry import Entry
from skewproof.sensitivity.behavior_types import DIFFERS, SAME, UNDECIDED

FIRST_COLUMNS = [
    *("measure", "name", "sources", "verdict", "ordering"),
    *("mean_shift", "s1_tp", "s1_fp", "level"),
]
"""First columns of the table of the effect of prevalence, in reading order."""


def measure_table(
    rows: pd.DataFrame, registry: Mapping[str, Metric], catalog: Mapping[str, Entry]
) -> pd.DataFrame:
    """Return the effect of prevalence on each measure, in the registry's order.

    Parameters
    ----------
    rows
        Rows of :func:`skewproof_studies.atlas.prevalence.measure_rows` for all measures, in any
        order.
    registry, catalog
        The measures and their catalog entries, by key.

    Returns
    -------
    Frame with the columns :data:`FIRST_COLUMNS` and the others of the rows.
    """
    positions = {key: number for number, key in enumerate(registry)}
    ordered = rows.sort_values("measure", key=lambda keys: keys.map(positions), kind="stable")
    ordered = ordered.rename(columns={"order_invariant": "ordering"}).assign(
        name=ordered["measure"].map(lambda key: registry[key].name),
        sources=ordered["measure"].map(lambda key: sources(catalog[key])),
    )
    others = [column for column in ordered if column not in FIRST_COLUMNS]
    return ordered[[*FIRST_COLUMNS, *others]].reset_index(drop=True)


def sources(entry: Entry) -> str:
    """Join a measure's names with their communities and sources on one line."""
    return "; ".join(f"{name.name} ({name.community}: {name.source})" for name in entry.names)


def ordering_column(level: str) -> str:
    """Return the name of the column of the classes of orderings at a level such as "1:100"."""
    return f"ordering_{level.replace(':', '_')}"


def overall_verdicts(measures: pd.DataFrame) -> pd.Series:
    """Return one verdict per measure: "differs" if it differs at some level, "same" if it is proved
    the same at each level, otherwise "undecided"."""

    def overall(verdicts: pd.Series) -> str:
        known = verdicts.dropna()
        if (known == DIFFERS).any():
            return DIFFERS
        return SAME if (known == SAME).all() else UNDECIDED

    return measures.groupby("measure", sort=False)["verdict"].agg(overall)


def class_table(
    functions: pd.DataFrame, orderings: Mapping[str, pd.DataFrame], measures: pd.DataFrame
) -> pd.DataFrame:
    """Return the class of each measure in every sense, named by its first measure.

    Parameters
    ----------
    functions
        Columns measure, equal, affine.
    orderings
        Columns measure and class, by level.
    measures
        Result of :func:`measure_table`.

    Returns
    -------
    Frame with the columns measure, equal, affine, one column per level (:func:`ordering_column`),
    order_invariant ("yes", "no" or "undecided"), and verdict (:func:`overall_verdicts`); a class is
    missing if it is undecided.
    """
    table = functions.copy()
    for level, rows in orderings.items():
        table[ordering_column(level)] = table["measure"].map(rows.set_index("measure")["class"])
    invariant = measures.drop_duplicates("measure").set_index("measure")["ordering"]
    return table.assign(
        order_invariant=table["measure"].map(invariant),
        verdict=table["measure"].map(overall_verdicts(measures)),
    )


def groups(classes: pd.DataFrame, column: str) -> list[list[str]]:
    """Return the classes of a column that have several measures, the largest first."""
    members = [list(part["measure"]) for _, part in classes.groupby(column, sort=False)]
    return sorted((group for group in members if len(group) > 1), key=len, reverse=True)
