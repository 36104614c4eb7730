"""Tables 5 to 8 and A.12 to A.16 of van Zyl and Engelbrecht in the paper's layout."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import pandas as pd

from skewproof.core.metric import Metric
from skewproof.reporting.templates import render
from skewproof.sensitivity.behavior_types import (
    MIXED,
    behavior_type,
    rejected_by_contours,
    rejected_by_importance,
    type_names,
)
from skewproof_studies.reporting.printed import printed_at_most, printed_once, printed_twice
from skewproof_studies.reporting.table import Table, metric_label
from skewproof_studies.van_zyl.paper import importance_table_name


def all_tables(
    *,
    scores: pd.DataFrame,
    points: pd.DataFrame,
    p_values: pd.DataFrame,
    deviations: pd.DataFrame,
    types: pd.DataFrame,
    alpha: float,
    registry: Mapping[str, Metric],
) -> dict[str, Table]:
    """Return every table of the paper's analysis by its name: "5" to "8", "a12" to "a16" and the
    like.

    Rows follow the order of the metrics in the frames, and columns that of the levels. The registry
    has the metrics' symbols.
    """
    tables = {
        "5": p_value_table(p_values, alpha=alpha, registry=registry),
        "6": importance_type_table(p_values, deviations, types, alpha=alpha, registry=registry),
        "7": deviation_table(deviations, registry=registry),
        "8": contour_type_table(deviations, types, registry=registry),
    }
    for level in scores["level"].unique():
        tables[importance_table_name(level)] = importance_table(
            scores, points, level=level, registry=registry
        )
    return tables


def p_value_table(p_values: pd.DataFrame, *, alpha: float, registry: Mapping[str, Metric]) -> Table:
    """Return Table 5: one row per metric, one column per level, in bold if a difference is not
    significant."""
    data = _levels_wide(p_values, p_values["p"].map(lambda p: printed_once(p, decimals=4)))
    return _levels_table(
        data,
        bold=~rejected_by_importance(p_values, alpha=alpha),
        caption="p-values for importance score comparisons.",
        heading="p",
        notes=(
            "Welch's test uses the half-width of a confidence interval as a standard deviation and"
            " the number of model runs as a sample size, as the paper does. It is not a"
            " valid test of the indices.",
        ),
        registry=registry,
    )


def deviation_table(deviations: pd.DataFrame, *, registry: Mapping[str, Metric]) -> Table:
    """Return Table 7: one row per metric, one column per level, in bold if the surfaces are the
    same."""
    undefined = sorted(deviations["undefined_points"].unique())
    return _levels_table(
        _levels_wide(deviations, deviations["sigma"].map(printed_at_most)),
        bold=~rejected_by_contours(deviations),
        caption="Contour plot cumulative deviation scores, each metric scaled to [0, 1].",
        heading=r"\Sigma",
        notes=(
            "Grid points at which a metric is undefined at a level or at the baseline:"
            f" {undefined[0]} to {undefined[-1]}.",
        ),
        registry=registry,
    )


def importance_numbers(scores: pd.DataFrame) -> pd.DataFrame:
    """Return the numbers of an importance table from the scores of one level.

    Returns
    -------
    Frame indexed by metric, in the order of `scores`, with the columns tp, tp_half_width, fp,
    fp_half_width and ratio = S1(tp)/S1(fp).
    """
    wide = scores.pivot(index="metric", columns="input", values=["s1", "s1_conf"])
    wide = wide.loc[scores["metric"].unique()]
    return pd.DataFrame(
        {
            "tp": wide["s1", "tp"],
            "tp_half_width": wide["s1_conf", "tp"],
            "fp": wide["s1", "fp"],
            "fp_half_width": wide["s1_conf", "fp"],
            "ratio": wide["s1", "tp"] / wide["s1", "fp"],
        }
    )


def importance_table(
    scores: pd.DataFrame, points: pd.DataFrame, *, level: str, registry: Mapping[str, Metric]
) -> Table:
    """Return one of Tables A.12 to A.16: scores with half-widths, and their ratio.

    The paper's columns are swapped. Here each score is under its own input. The ratio, which the
    paper prints as S1(tp)/S1(fp), is labeled accordingly.
    """
    data = importance_numbers(scores[scores["level"] == level]).map(printed_twice)
    display = pd.DataFrame(
        {
            "Metric": _labels(data.index, registry),
            "$t_p$": data["tp"] + " ± " + data["tp_half_width"],
            "$f_p$": data["fp"] + " ± " + data["fp_half_width"],
            r"$\rho\ (f_p : t_p)$": "(1.00 : " + data["ratio"] + ")",
        }
    )
    return Table(
        f"Table of SSA results {level} class imbalance.",
        data.reset_index(),
        display,
        notes=(
            "First-order Sobol' indices with bootstrap half-widths. The paper prints the two"
            " columns swapped; here each score is under its own input. Digits are rounded to"
            " three decimals and then to two, as in the paper.",
            _undefined_samples(points[points["level"] == level], registry),
        ),
    )


def importance_type_table(
    p_values: pd.DataFrame,
    deviations: pd.DataFrame,
    types: pd.DataFrame,
    *,
    alpha: float,
    registry: Mapping[str, Metric],
) -> Table:
    """Return Table 6: types by importance scores, with a note on each metric that Table 8
    contradicts."""
    rejected = rejected_by_importance(p_values, alpha=alpha)
    deviates = rejected_by_contours(deviations)
    notes = {
        metric: _contradiction(rejected.loc[metric], deviates.loc[metric], alpha)
        for metric in rejected.index
        if behavior_type(list(rejected.loc[metric])) != behavior_type(list(deviates.loc[metric]))
    }
    return _type_table(
        types[types["verdict"] == "importance"],
        caption="SSA-based classification of metric behavior.",
        levels=list(rejected.columns),
        notes=notes,
        registry=registry,
    )


def contour_type_table(
    deviations: pd.DataFrame, types: pd.DataFrame, *, registry: Mapping[str, Metric]
) -> Table:
    """Return Table 8: types by contour plots."""
    return _type_table(
        types[types["verdict"] == "contour"],
        caption="Contour plot classification of metric behavior.",
        levels=list(deviations["level"].unique()),
        notes={},
        registry=registry,
    )


def _labels(keys: Iterable[str], registry: Mapping[str, Metric]) -> list[str]:
    return [metric_label(registry[key]) for key in keys]


def _levels_wide(table: pd.DataFrame, printed: pd.Series) -> pd.DataFrame:
    wide = table.assign(printed=printed).pivot(index="metric", columns="level", values="printed")
    return wide.loc[table["metric"].unique(), table["level"].unique()]


def _levels_table(
    data: pd.DataFrame,
    *,
    bold: pd.DataFrame,
    caption: str,
    heading: str,
    notes: tuple[str, ...],
    registry: Mapping[str, Metric],
) -> Table:
    def with_metrics(frame: pd.DataFrame, metrics: object) -> pd.DataFrame:
        columns = {level: f"${heading}_{{({level})}}$" for level in frame.columns}
        frame = frame.rename(columns=columns).rename_axis(columns=None)
        frame.insert(0, "Metric", metrics)
        return frame

    return Table(
        caption,
        data.rename_axis(columns=None).reset_index(),
        with_metrics(data, _labels(data.index, registry)),
        with_metrics(bold, False),
        notes,
    )


def _type_table(
    types: pd.DataFrame,
    *,
    caption: str,
    levels: list[str],
    notes: dict[str, str],
    registry: Mapping[str, Metric],
) -> Table:
    by_type = types["type"].astype(str)
    rows = [str(name) for name in type_names(len(levels))]
    if (by_type == MIXED).any():
        rows.append(MIXED)
    keys = {row: list(types.loc[by_type == row, "metric"]) for row in rows}
    data = pd.DataFrame({"type": rows, "metrics": [" ".join(keys[row]) for row in rows]})
    display = pd.DataFrame(
        {"Type": rows, "Metrics": [", ".join(_labels(keys[row], registry)) for row in rows]}
    )
    if notes:
        noted = [[key for key in keys[row] if key in notes] for row in rows]
        data["note"] = [" ".join(f"{key}: {notes[key]}" for key in row) for row in noted]
        display["Note"] = [
            " ".join(f"{metric_label(registry[key])}: {notes[key]}" for key in row) for row in noted
        ]
    explanation = render(
        "skewproof_studies.van_zyl",
        "type_table_note.txt.jinja",
        levels=levels,
        mixed=MIXED if MIXED in rows else "",
    )
    return Table(caption, data, display, notes=(explanation,))


def _undefined_samples(points: pd.DataFrame, registry: Mapping[str, Metric]) -> str:
    """Write a note on the sample points at which metrics are undefined, and on their treatment."""
    total = points["base_points"].iloc[0]
    touched = points[points["undefined_base_points"] > 0]
    if touched.empty:
        return f"Every metric is defined at each of the {total} base points."
    counts = ", ".join(
        f"{metric_label(registry[key])} at {count}"
        for key, count in zip(touched["metric"], touched["undefined_base_points"], strict=True)
    )
    policy = touched["undefined"].iloc[0]
    action = "they are left out" if policy == "omit" else f"{policy} replaces the values"
    return f"Undefined among the {total} base points: {counts}; {action}."


def _contradiction(rejected: pd.Series, deviates: pd.Series, alpha: float) -> str:
    """Write a note on a metric whose types in Tables 6 and 8 differ."""
    moves = deviates.any()
    return render(
        "skewproof_studies.van_zyl",
        "contradiction.txt.jinja",
        moves=moves,
        alpha=alpha,
        levels=list(rejected.index[deviates & ~rejected if moves else rejected]),
    )
