"""Comparison of every entry printed in Tables 9 to 11 of van Zyl and Engelbrecht with the computed
one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from skewproof.core.algebra import Array
from skewproof.core.scales import bounded
from skewproof.metrics import METRICS
from skewproof.reporting.templates import render
from skewproof.sensitivity.printed_scores.digits import printed_interval
from skewproof.sensitivity.printed_scores.folds import reproduced
from skewproof.sensitivity.printed_scores.matrices import Score
from skewproof_studies.reporting.printed import agreement_counts, half_unit, printed_cut
from skewproof_studies.van_zyl.real_data.folds import SHUFFLE_CONFIDENCE
from skewproof_studies.van_zyl.real_data.tables import (
    imbalance_ratios,
    printed_characteristics,
    printed_hyperparameters,
)

PLACE = ["table", "row", "column"]
"""Columns that identify an entry in the paper."""

SPREAD_COLUMNS = ["shuffles", "mean", "standard_deviation", "low", "high"]

COMPARISON_COLUMNS = [
    *PLACE,
    "printed",
    "computed",
    "agrees",
    *SPREAD_COLUMNS,
    "pooled",
    "note",
]


def compare_real_world(
    printed: pd.DataFrame,
    *,
    characteristics: pd.DataFrame,
    logistic_regression: Mapping[str, Any],
    means: pd.DataFrame,
    pooled: pd.DataFrame,
    spread: pd.DataFrame,
) -> pd.DataFrame:
    """Compare the paper's Tables 9, 10 and 11 with the computed values.

    Entries of Tables 9 and 10 agree if they are the same. The paper's shuffle is not known. A mean
    of Table 11 agrees if it lies, within its rounding, in the interval that contains one more
    shuffle with probability SHUFFLE_CONFIDENCE.

    Parameters
    ----------
    printed
        Columns table, row (a data set, a hyperparameter, a metric), column, printed (text).
    characteristics
        As for :func:`skewproof_studies.van_zyl.real_data.tables.characteristics_table`.
    logistic_regression
        Options of the logistic regression.
    means, pooled
        Columns dataset, metric, value: means over folds, and values of the pooled matrices.
    spread
        Result of :func:`skewproof_studies.van_zyl.real_data.folds.spread`.

    Returns
    -------
    Frame with one row per printed entry and the columns COMPARISON_COLUMNS; agrees is missing if
    nothing was computed, and note has the known reason for a difference.
    """
    computed = [
        _characteristic_entries(characteristics),
        _hyperparameter_entries(logistic_regression),
        _value_entries(means)[[*PLACE, "value"]].rename(columns={"value": "computed"}),
    ]
    result = printed
    for entries in (
        pd.concat(computed),
        _value_entries(spread)[PLACE + SPREAD_COLUMNS],
        _value_entries(pooled)[[*PLACE, "value"]].rename(columns={"value": "pooled"}),
        _cut_imbalances(characteristics),
    ):
        result = result.merge(entries, how="left", on=PLACE)
    return _judged(result)[COMPARISON_COLUMNS]


def _judged(result: pd.DataFrame) -> pd.DataFrame:
    """Add whether each entry agrees, and a note if the reason for a difference is known."""
    values = pd.to_numeric(result["printed"], errors="coerce")
    rounding = result["printed"].map(half_unit)
    inside = values.between(result["low"] - rounding, result["high"] + rounding)
    printed = result["printed"].astype(object)  # Arrow's text is not comparable with numbers
    same = printed == result["computed"]
    agrees = inside.where(result["table"] == "11", same).astype("boolean")
    cut = ~same & (printed == result["cut"])
    return result.assign(
        agrees=agrees.mask(result["computed"].isna()),
        note=cut.map({True: "its decimals are cut off, not rounded", False: ""}),
    )


def residuals(comparison: pd.DataFrame, means: pd.DataFrame) -> pd.DataFrame:
    """Count the printed values of Table 11 above and below the mean of the shuffles.

    All metrics of a data set come from the same few matrices, so that their residuals are
    correlated.

    Parameters
    ----------
    comparison
        Result of :func:`compare_real_world`.
    means
        Result of :func:`skewproof_studies.van_zyl.real_data.folds.fold_means`; its shuffles from 1
        on give the number of independent measurements.

    Returns
    -------
    Frame with the columns dataset, values, above, below, and independent: the participation ratio
    (Σλ)²/Σλ² of the eigenvalues of the metrics' correlations over shuffles, from 1 (perfectly
    correlated metrics) to the number of metrics (uncorrelated ones).
    """
    values = comparison[comparison["table"] == "11"].dropna(subset="mean")
    rows = []
    for dataset, part in values.groupby("column", sort=False):
        distance = part["printed"].astype(float) - part["mean"]
        others = means[(means["dataset"] == dataset) & (means["shuffle"] > 0)]
        wide = others.pivot(index="shuffle", columns="metric", values="value")
        rows.append(
            {
                "dataset": dataset,
                "values": len(part),
                "above": int((distance > 0).sum()),
                "below": int((distance < 0).sum()),
                "independent": independent_numbers(wide[list(part["row"])].to_numpy()),
            }
        )
    return pd.DataFrame(rows, columns=["dataset", "values", "above", "below", "independent"])


def independent_numbers(values: Array) -> float:
    """Return the participation ratio of the correlations between the columns of (repetitions,
    columns)."""
    moving = values[:, np.ptp(values, axis=0) > 0]
    if not moving.size:
        return float("nan")
    eigenvalues = np.linalg.eigvalsh(np.atleast_2d(np.corrcoef(moving, rowvar=False)))
    return float(eigenvalues.sum() ** 2 / (eigenvalues**2).sum())


def summarize_real_world(
    comparison: pd.DataFrame,
    means: pd.DataFrame,
    notes: tuple[str, ...],
    witnesses: pd.DataFrame,
) -> str:
    """Write the comparison as Markdown: counts for each table and data set, then the disagreements.

    Parameters
    ----------
    comparison, means
        As for :func:`residuals`.
    notes
        Notes on data sets and folds.
    witnesses
        Result of :func:`skewproof_studies.van_zyl.real_data.comparison.check_witnesses`.
    """
    by_dataset = comparison.assign(
        column=comparison["column"].where(comparison["table"] == "11", "")
    )
    counts = agreement_counts(by_dataset, ["table", "column"])
    values = comparison[comparison["table"] == "11"].dropna(subset="low")
    printed = values["printed"].astype(float)
    return render(
        "skewproof_studies.van_zyl",
        "real_world_comparison.md.jinja",
        total=counts.sum(),
        confidence=SHUFFLE_CONFIDENCE,
        counts=counts.reset_index(),
        to_mean=(values["mean"] - printed).abs().mean(),
        to_pooled=(values["pooled"] - printed).abs().mean(),
        residuals=residuals(comparison, means),
        notes=notes,
        witnesses=witnesses,
        disagreements=comparison[~comparison["agrees"].fillna(True)],
    )


def _characteristic_entries(characteristics: pd.DataFrame) -> pd.DataFrame:
    entries = printed_characteristics(characteristics).rename(columns={"dataset": "row"})
    return entries.melt("row", var_name="column", value_name="computed").assign(table="9")


def _hyperparameter_entries(options: Mapping[str, Any]) -> pd.DataFrame:
    entries = pd.DataFrame(printed_hyperparameters(options).items(), columns=["row", "computed"])
    return entries.assign(table="10", column="value")


def _value_entries(values: pd.DataFrame) -> pd.DataFrame:
    """Return numbers by metric and data set as entries of Table 11."""
    return values.rename(columns={"metric": "row", "dataset": "column"}).assign(table="11")


def _cut_imbalances(characteristics: pd.DataFrame) -> pd.DataFrame:
    """Return the imbalances of Table 9 with their decimals cut off."""
    ratios = imbalance_ratios(characteristics)
    return pd.DataFrame(
        {
            "table": "9",
            "row": characteristics["dataset"],
            "column": "imbalance",
            "cut": ratios.map(lambda ratio: f"1:{printed_cut(ratio)}"),
        }
    )


def check_witnesses(printed: pd.DataFrame, witnesses: pd.DataFrame) -> pd.DataFrame:
    """Count the printed means of each data set that the matrices of its folds have exactly.

    Parameters
    ----------
    printed
        Columns table, row (a metric), column (a data set), printed (text).
    witnesses
        Columns dataset, rounding, fold, positives, negatives, tp, fp, a row for each fold.

    Returns
    -------
    Frame with the columns dataset, rounding, "tp, fp", means and reproduced.
    """
    means = printed[printed["table"] == "11"]
    rows = []
    for (dataset, rounding), folds in witnesses.groupby(["dataset", "rounding"]):
        entries = means.loc[means["column"] == dataset, ["row", "printed"]]
        scores = [
            Score(bounded(METRICS[metric]), printed_interval(text, rounding))
            for metric, text in entries.itertuples(index=False)
        ]
        pairs, sizes = (
            folds[columns].to_numpy().T for columns in (["tp", "fp"], ["positives", "negatives"])
        )
        rows.append(
            {
                "dataset": dataset,
                "rounding": rounding,
                "tp, fp": "; ".join(f"{tp}, {fp}" for tp, fp in pairs.T),
                "means": len(scores),
                "reproduced": sum(reproduced(scores, pairs, sizes)),
            }
        )
    return pd.DataFrame(rows)
