"""Every number printed in the tables of van Zyl and Engelbrecht beside the computed one."""

from __future__ import annotations

import pandas as pd

from skewproof_studies.reporting.printed import (
    printed_at_most,
    printed_once,
    printed_twice,
    tolerance_once,
    tolerance_twice,
)
from skewproof_studies.van_zyl.paper import BASELINE, IMPORTANCE_TABLES
from skewproof_studies.van_zyl.printed.tables import importance_numbers

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
"""Sum over the paper's 10 000 grid points up to which a printed Sigma of 0.0 is met."""

_OTHER_HEADING = {
    "tp": "fp",
    "fp": "tp",
    "tp_half_width": "fp_half_width",
    "fp_half_width": "tp_half_width",
}
"""The paper's appendix prints the scores of each input under the other one."""


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
    """Compare the paper's Tables 5 to 8 and A.12 to A.16 with what was computed.

    Parameters
    ----------
    printed
        The printed digits as text, under the headings under which they stand in the paper:
        columns table, metric, column, printed.
    remarks
        What is known of single printed entries: columns table, metric, remark.
    scores, p_values, deviations, types
        The computed values.
    exact
        The exact indices: columns metric, level, input, s1.
    baseline, alpha
        What the p-values, deviations and types were made with.

    Returns
    -------
    Frame with a row for each printed number and the columns table, metric, column (in the
    appendix that of the input to which the number belongs), printed, computed, agrees (missing
    where nothing was computed), tolerance (the largest distance that the paper's rounding allows;
    missing where a decision or a type is compared), note (a remark, how far off a score is, or why
    nothing was computed), exact (the score or ratio of scores without sampling error; missing
    elsewhere), exact_agrees.
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
    """Judge the numbers of one table by the rule of that table."""
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
    """Why nothing was computed beside each of some printed numbers: of a whole table, if so."""
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
    """How far each number of an appendix table is from print, beside the half-widths."""
    numbers = rows.set_index(["metric", "column"])["computed"]
    notes = []
    for row in rows.itertuples():
        note = f"off by {printed_once(abs(row.computed - float(row.printed)), decimals=4)}"
        if row.column in ("tp", "fp"):
            half_width = numbers[row.metric, f"{row.column}_half_width"]
            note += f", own half-width {printed_once(half_width, decimals=4)}"
        notes.append(note)
    return pd.Series(notes, rows.index)
