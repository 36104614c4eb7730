"""The comparison with the printed tables of van Zyl and Engelbrecht in words and counts."""

from __future__ import annotations

import decimal
from collections.abc import Mapping

import pandas as pd

from skewproof.reporting.templates import render
from skewproof.sensitivity.types import behavior_type
from skewproof_studies.reporting.printed import (
    agreement_counts,
    printed_once,
    printed_twice,
    printed_twice_in_decimals,
)
from skewproof_studies.van_zyl.paper import IMPORTANCE_TABLES, PAPER_ALPHA

KINDS = {
    "score": "scores",
    "ratio": "ratios of two scores",
    "half_width": "half-widths of scores",
    "decision": "p-values, as decisions (Table 5)",
    "importance_type": "types (Table 6)",
    "deviation": "contour deviations other than 0 (Table 7)",
    "zero": "contour deviations of 0 (Table 7)",
    "contour_type": "types (Table 8)",
}
"""The kinds of printed numbers, and what a report calls them."""

_OF_TABLE = {"5": "decision", "6": "importance_type", "7": "deviation", "8": "contour_type"}


def printed_kinds(comparison: pd.DataFrame) -> pd.Series:
    """The kind of each printed number, one of KINDS, by the comparison's index."""
    table, column = comparison["table"], comparison["column"]
    in_appendix = {"tp": "score", "fp": "score", "ratio": "ratio"}
    kind = table.map(_OF_TABLE).fillna(column.map(in_appendix)).fillna("half_width")
    zero = (table == "7") & (pd.to_numeric(comparison["printed"], errors="coerce") == 0)
    return kind.mask(zero, "zero")


def implied_types(comparison: pd.DataFrame) -> Mapping[str, int]:
    """How many printed types follow from the printed numbers of the table before.

    Returns
    -------
    By table, "6" and "8", the number of metrics whose type is what Tables 3 and 4 make of the
    p-values and deviations that are printed.
    """
    counts = {}
    for table, source in (("6", "5"), ("8", "7")):
        numbers = comparison[comparison["table"] == source]
        values = numbers["printed"].astype(float)
        moves = values < PAPER_ALPHA if source == "5" else values > 0
        rows = moves.groupby(numbers["metric"])
        types = {str(metric): str(behavior_type(list(row))) for metric, row in rows}
        printed = comparison[comparison["table"] == table].set_index("metric")["printed"]
        counts[table] = sum(types.get(metric) == kind for metric, kind in printed.items())
    return counts


def scores_met_by_rounding(comparison: pd.DataFrame) -> dict[str, int]:
    """How many printed scores the exact indices meet under each way to round them.

    Returns
    -------
    By the rule: "twice", to three decimals and then to two, as the comparison does; "once"; and
    twice in decimal arithmetic with ties rounded up, "half_up", or to the even digit, "half_even".
    """
    scores = comparison[printed_kinds(comparison) == "score"].dropna(subset="exact")
    rules = {
        "twice": printed_twice,
        "once": printed_once,
        "half_up": lambda value: printed_twice_in_decimals(value, decimal.ROUND_HALF_UP),
        "half_even": lambda value: printed_twice_in_decimals(value, decimal.ROUND_HALF_EVEN),
    }
    return {
        name: int((scores["exact"].map(rule) == scores["printed"]).sum())
        for name, rule in rules.items()
    }


def summarize_comparison(comparison: pd.DataFrame, salib: pd.DataFrame, *, estimator: str) -> str:
    """The comparison as Markdown: what the exact indices give first, then counts, then every
    disagreement.

    Parameters
    ----------
    comparison
        The result of :func:`skewproof_studies.van_zyl.printed.comparison.compare_tables`.
    salib
        The result of :func:`skewproof_studies.van_zyl.salib.agreement.salib_agreement`.
    estimator
        Which estimator the scores are of: "batched" or "salib".
    """
    kinds = printed_kinds(comparison)
    by_kind = agreement_counts(comparison.assign(kind=kinds), ["kind"]).reindex(list(KINDS))
    by_kind = by_kind.fillna(0).astype(int).rename(KINDS).rename_axis("printed are")
    disagreements = comparison[~comparison["agrees"].fillna(True)].drop(
        columns=["agrees", "tolerance", "exact_agrees"]
    )
    exact = comparison[kinds == "score"].dropna(subset="exact")
    missed = exact[~exact["exact_agrees"]][["table", "metric", "column", "printed", "exact"]]
    return render(
        "skewproof_studies.van_zyl",
        "comparison.md.jinja",
        by_kind=by_kind.reset_index(),
        total=by_kind.sum(),
        number=by_kind["printed"].rename({text: kind for kind, text in KINDS.items()}),
        implied=implied_types(comparison),
        counts=_table_counts(comparison),
        left_out=_left_out(comparison),
        exact=len(exact),
        met=scores_met_by_rounding(comparison),
        missed=missed,
        disagreements=disagreements,
        salib=salib,
        places=salib[["metric", "level"]].drop_duplicates().to_dict("records"),
        largest=salib["difference"].abs().max(),
        estimator=estimator,
    )


def _table_counts(comparison: pd.DataFrame) -> pd.DataFrame:
    """The counts of each table, and in the appendix of each of its columns."""
    in_appendix = comparison["table"].isin(IMPORTANCE_TABLES.values())
    by_column = comparison.assign(column=comparison["column"].where(in_appendix, ""))
    counts = agreement_counts(by_column, ["table", "column"])
    counts.loc[("all", ""), :] = counts.sum()
    counts["disagree"] = counts["compared"] - counts["agree"]
    return counts.astype(int).reset_index()


def _left_out(comparison: pd.DataFrame) -> pd.DataFrame:
    """How many numbers of each printed table were not computed, and why."""
    missing = comparison[comparison["agrees"].isna()].rename(columns={"note": "why"})
    groups = missing.groupby(["table", "why"], sort=False)
    return groups.size().rename("printed numbers").reset_index()
