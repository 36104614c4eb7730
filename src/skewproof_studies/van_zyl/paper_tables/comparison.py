"""Comparison of every number printed in the tables of van Zyl and Engelbrecht with the computed
one.

The comparison is first made as a table, and then summarized in counts and words.
"""

from __future__ import annotations

import decimal
from collections.abc import Mapping

import pandas as pd

from skewproof.reporting.templates import render
from skewproof.sensitivity.behavior_types import behavior_type
from skewproof_studies.reporting.printed import (
    agreement_counts,
    printed_at_most,
    printed_once,
    printed_twice,
    printed_twice_in_decimals,
    tolerance_once,
    tolerance_twice,
)
from skewproof_studies.van_zyl.paper import BASELINE, IMPORTANCE_TABLES, PAPER_ALPHA
from skewproof_studies.van_zyl.paper_tables.tables import importance_numbers

COMPARISON_COLUMNS = [
    "table",
    "metric",
    "column",
    "printed",
    "computed",
    "agrees",
    "tolerance",
    "note",
    "exact",
    "exact_agrees",
]

ZERO_SIGMA = 1e-9
"""Largest sum over the paper's 10 000 grid points that agrees with a printed Sigma of 0.0."""

_OTHER_HEADING = {
    "tp": "fp",
    "fp": "tp",
    "tp_half_width": "fp_half_width",
    "fp_half_width": "tp_half_width",
}
"""Headings of the columns that have each input's scores, since the paper's appendix swaps them."""

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
"""Kinds of printed numbers, with their names in a report."""

_OF_TABLE = {"5": "decision", "6": "importance_type", "7": "deviation", "8": "contour_type"}


def compare_tables(
    printed: pd.DataFrame,
    remarks: pd.DataFrame,
    *,
    scores: pd.DataFrame,
    p_values: pd.DataFrame,
    deviations: pd.DataFrame,
    types: pd.DataFrame,
    exact: pd.DataFrame,
    baseline: str,
    alpha: float,
) -> pd.DataFrame:
    """Compare the paper's Tables 5 to 8 and A.12 to A.16 with the computed values.

    Parameters
    ----------
    printed
        Printed digits as text, under the headings of the paper: columns table, metric, column,
        printed.
    remarks
        Known facts about single printed entries: columns table, metric, remark.
    scores, p_values, deviations, types
        The computed values.
    exact
        Exact indices with the columns metric, level, input, s1.
    baseline, alpha
        Baseline and significance level of the p-values, deviations and types.

    Returns
    -------
    Frame with one row per printed number and the columns table, metric, column (in the appendix
    that of the input to which the number belongs), printed, computed, agrees (missing if nothing
    was computed), tolerance (the largest distance that the paper's rounding allows; missing for
    decisions and types), note (a remark, the distance of a score, or the reason why nothing was
    computed), exact (the score or ratio of scores without sampling error; missing for other
    numbers), exact_agrees.
    """
    in_appendix = printed["table"].isin(IMPORTANCE_TABLES.values())
    swapped_back = printed["column"].replace(_OTHER_HEADING)
    printed = printed.assign(column=printed["column"].mask(in_appendix, swapped_back))

    same_levels = _levels(p_values) == _levels(printed[printed["table"] == "5"], "column")
    computed = [_score_numbers(scores)]
    if baseline == BASELINE:
        computed += [_level_numbers("5", p_values, "p"), _level_numbers("7", deviations, "sigma")]
        if same_levels:
            computed.append(_type_numbers(types))
    result = printed.merge(pd.concat(computed), how="left", on=["table", "metric", "column"])
    result = result.merge(_exact_numbers(exact), how="left", on=["table", "metric", "column"])
    result = result.merge(remarks, how="left", on=["table", "metric"])
    parts = [_judge(rows, alpha) for _, rows in result.groupby("table", sort=False)]
    judged = pd.concat(parts)
    missing = judged["computed"].isna()
    reasons = _reasons(
        judged[missing],
        levels=_levels(scores),
        compared=_levels(p_values),
        metrics=set(p_values["metric"]),
        baseline=baseline,
        same_levels=same_levels,
    )
    return judged.assign(note=judged["note"].mask(missing, reasons))[COMPARISON_COLUMNS]


def _levels(table: pd.DataFrame, column: str = "level") -> list[str]:
    return list(table[column].unique())


def _score_numbers(scores: pd.DataFrame) -> pd.DataFrame:
    numbers = [pd.DataFrame(columns=["table", "metric", "column", "computed"])]
    for level, rows in scores.groupby("level"):
        if level in IMPORTANCE_TABLES:
            wide = importance_numbers(rows).reset_index().assign(table=IMPORTANCE_TABLES[level])
            numbers.append(wide.melt(["table", "metric"], var_name="column", value_name="computed"))
    return pd.concat(numbers)


def _exact_numbers(exact: pd.DataFrame) -> pd.DataFrame:
    wide = exact.pivot(index=["level", "metric"], columns="input", values="s1")
    wide = wide.assign(ratio=wide["tp"] / wide["fp"]).rename(IMPORTANCE_TABLES, level="level")
    long = wide.melt(ignore_index=False, var_name="column", value_name="exact").reset_index()
    return long.rename(columns={"level": "table"})


def _level_numbers(name: str, table: pd.DataFrame, value: str) -> pd.DataFrame:
    columns = {"level": "column", value: "computed"}
    return table.rename(columns=columns)[["metric", *columns.values()]].assign(table=name)


def _type_numbers(types: pd.DataFrame) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "table": types["verdict"].map({"importance": "6", "contour": "8"}),
            "metric": types["metric"],
            "column": "type",
            "computed": types["type"].astype(str),
        }
    )


def _judge(rows: pd.DataFrame, alpha: float) -> pd.DataFrame:
    """Compare the numbers of one table by the rule of that table."""
    table, computed, printed = rows["table"].iloc[0], rows["computed"], rows["printed"]
    tolerance: float | pd.Series = float("nan")
    notes = rows["remark"].fillna("")
    if table == "5":
        agrees = (computed < alpha) == (printed.astype(float) < alpha)
    elif table in ("6", "8"):
        agrees = computed == printed
    elif table == "7":
        zero = printed.astype(float) == 0
        agrees = (computed.map(printed_at_most) == printed) & ~(zero & (computed >= ZERO_SIGMA))
        tolerance = zero.map({True: ZERO_SIGMA, False: tolerance_once()})
    else:
        agrees = computed.map(printed_twice) == printed
        tolerance = tolerance_twice()
        notes = notes.mask(~agrees, _distances(rows))
    missing = computed.isna()
    exact_agrees = (rows["exact"].map(printed_twice) == printed).astype("boolean")
    return rows.assign(
        exact_agrees=exact_agrees.mask(rows["exact"].isna()),
        agrees=agrees.astype("boolean").mask(missing),
        tolerance=tolerance,
        note=notes,
    )


def _reasons(
    missing: pd.DataFrame,
    *,
    levels: list[str],
    compared: list[str],
    metrics: set[str],
    baseline: str,
    same_levels: bool,
) -> pd.Series:
    """Return the reason why each of some printed numbers was not computed; reasons for a whole
    table come first."""
    level_of = {table: level for level, table in IMPORTANCE_TABLES.items()}
    reasons = []
    for row in missing.itertuples():
        level = level_of.get(row.table, row.column)
        if row.table not in level_of and baseline != BASELINE:
            reason = f"this study compares with {baseline}, the paper with {BASELINE}"
        elif row.column == "type" and not same_levels:
            reason = f"this study's types are of other levels: {', '.join(compared)}"
        elif row.column != "type" and level not in levels:
            reason = f"{level} is not among this study's levels"
        elif row.metric not in metrics:
            reason = "not one of this study's metrics"
        else:
            reason = "undefined here"
        reasons.append(reason)
    return pd.Series(reasons, missing.index, dtype=str)


def _distances(rows: pd.DataFrame) -> pd.Series:
    """Describe the distance of each number of an appendix table from the printed one, with the
    half-widths."""
    numbers = rows.set_index(["metric", "column"])["computed"]
    notes = []
    for row in rows.itertuples():
        note = f"off by {printed_once(abs(row.computed - float(row.printed)), decimals=4)}"
        if row.column in ("tp", "fp"):
            half_width = numbers[row.metric, f"{row.column}_half_width"]
            note += f", own half-width {printed_once(half_width, decimals=4)}"
        notes.append(note)
    return pd.Series(notes, rows.index)


def printed_kinds(comparison: pd.DataFrame) -> pd.Series:
    """Return the kind of each printed number, one of KINDS, by the comparison's index."""
    table, column = comparison["table"], comparison["column"]
    in_appendix = {"tp": "score", "fp": "score", "ratio": "ratio"}
    kind = table.map(_OF_TABLE).fillna(column.map(in_appendix)).fillna("half_width")
    zero = (table == "7") & (pd.to_numeric(comparison["printed"], errors="coerce") == 0)
    return kind.mask(zero, "zero")


def implied_types(comparison: pd.DataFrame) -> Mapping[str, int]:
    """Count the printed types that follow from the printed numbers of the table before.

    Returns
    -------
    By table ("6" and "8"), the number of metrics whose type follows by Tables 3 and 4 from the
    printed p-values and deviations.
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
    """Count the printed scores that agree with the exact indices under each rounding rule.

    Returns
    -------
    Counts by rule: "twice", to three decimals and then to two, as in the comparison; "once"; and
    twice in decimal arithmetic with ties rounded up ("half_up") or to the even digit ("half_even").
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


def summarize_comparison(comparison: pd.DataFrame, salib: pd.DataFrame) -> str:
    """Write the comparison as Markdown: first the exact indices, then counts, then every
    disagreement.

    Parameters
    ----------
    comparison
        Result of :func:`compare_tables`.
    salib
        Result of :func:`skewproof_studies.van_zyl.salib.agreement.salib_agreement`.
    """
    kinds = printed_kinds(comparison)
    by_kind = agreement_counts(comparison.assign(kind=kinds), ["kind"]).reindex(list(KINDS))
    by_kind = by_kind.fillna(0).astype(int).rename(KINDS).rename_axis("printed are")
    disagreements = comparison[~comparison["agrees"].fillna(True)].drop(
        columns=["agrees", "tolerance", "exact_agrees"]
    )
    exact = comparison[kinds == "score"].dropna(subset="exact")
    missed = exact[~exact["exact_agrees"]][["table", "metric", "column", "printed", "exact"]]
    half_widths = salib[salib["quantity"] == "s1_conf"]
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
        indices=salib[salib["quantity"] == "s1"],
        half_widths=half_widths,
        rows=half_widths[["metric", "level"]].drop_duplicates().to_dict("records"),
        largest=salib["difference"].abs().max(),
    )


def _table_counts(comparison: pd.DataFrame) -> pd.DataFrame:
    """Return the counts of each table, and in the appendix of each column."""
    in_appendix = comparison["table"].isin(IMPORTANCE_TABLES.values())
    by_column = comparison.assign(column=comparison["column"].where(in_appendix, ""))
    counts = agreement_counts(by_column, ["table", "column"])
    counts.loc[("all", ""), :] = counts.sum()
    counts["disagree"] = counts["compared"] - counts["agree"]
    return counts.astype(int).reset_index()


def _left_out(comparison: pd.DataFrame) -> pd.DataFrame:
    """Count the numbers of each printed table that were not computed, by reason."""
    missing = comparison[comparison["agrees"].isna()].rename(columns={"note": "why"})
    groups = missing.groupby(["table", "why"], sort=False)
    return groups.size().rename("printed numbers").reset_index()
