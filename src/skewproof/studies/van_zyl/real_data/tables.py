"""Tables 9 to 11 in the paper's layout, and their printed numbers beside the computed ones."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from skewproof.reporting.table import Table, metric_label
from skewproof.studies.van_zyl.real_data.folds import CONFIDENCE

HALF_UNIT = 0.00005
"""Half a unit of the last of four printed decimals."""

COMPARISON = ["table", "row", "column", "printed", "computed", "agrees"]
COMPARISON += ["shuffles", "mean", "standard_deviation", "low", "high", "pooled", "note"]


def characteristics_table(characteristics: pd.DataFrame, names: Mapping[str, str]) -> Table:
    """Table 9: what each data set is.

    Parameters
    ----------
    characteristics
        Columns dataset, instances, attributes, positives, reference.
    names
        The names of the data sets in words, by their keys.
    """
    data = _printed_characteristics(characteristics).assign(
        description=characteristics["dataset"].map(names).to_numpy(),
        reference=characteristics["reference"].to_numpy(),
    )
    display = pd.DataFrame(
        {
            "Name": _symbols(data["dataset"]),
            "Instances": data["instances"],
            "Attributes": data["attributes"],
            "Imbalance": [f"({ratio})" for ratio in data["imbalance"]],
            "Description": data["description"],
            "Reference": data["reference"],
        }
    )
    return Table("Real-world dataset characteristics.", data, display)


def hyperparameter_table(logistic_regression: Mapping[str, Any]) -> Table:
    """Table 10: the options of the logistic regression."""
    data = pd.DataFrame(
        _hyperparameters(logistic_regression).items(), columns=["hyperparameter", "value"]
    )
    display = data.rename(columns=str.capitalize)
    return Table("LR hyperparameters.", data, display)


def value_table(values: pd.DataFrame, *, caption: str, notes: tuple[str, ...]) -> Table:
    """Table 11: a row a metric, a column a data set, four decimals.

    Parameters
    ----------
    values
        Columns dataset, metric, value.
    caption, notes
        What stands above and below.
    """
    wide = _wide(values).map(printed_value)
    display = wide.rename(columns=dict(zip(wide, _symbols(wide.columns), strict=True)))
    display.insert(0, "Metric", wide.index.map(metric_label))
    return Table(caption, wide.rename_axis(columns=None).reset_index(), display, notes=notes)


def fold_notes(means: pd.DataFrame, matrices: pd.DataFrame) -> tuple[str, ...]:
    """What to know of means over folds: undefined folds, fits that stopped early.

    Parameters
    ----------
    means
        Fold means of shuffle 0: columns dataset, metric, undefined_folds.
    matrices
        Columns dataset, shuffle, converged.
    """
    undefined = means[means["undefined_folds"] > 0]
    notes = [
        f"{metric_label(row.metric)} is undefined in {row.undefined_folds} folds of"
        f" {row.dataset}; the mean is over the others."
        for row in undefined.itertuples()
    ]
    early = matrices[(matrices["shuffle"] == 0) & ~matrices["converged"]]
    notes += [
        f"On {dataset} the fit stopped at its last iteration in {len(rows)} folds."
        for dataset, rows in early.groupby("dataset")
    ]
    return tuple(notes)


def missing_notes(sources: pd.DataFrame) -> tuple[str, ...]:
    """Which data sets are left out, and why.

    Parameters
    ----------
    sources
        Columns dataset, path (missing where the file is) and reason.
    """
    missing = sources[sources["path"].isna()]
    return tuple(f"{row.dataset} is left out. {row.reason}" for row in missing.itertuples())


def printed_value(value: float) -> str:
    """A value as Table 11 prints it: four decimals."""
    return f"{value:.4f}" if not np.isnan(value) else "undefined"


def compare_real_world(
    printed: pd.DataFrame,
    *,
    characteristics: pd.DataFrame,
    logistic_regression: Mapping[str, Any],
    means: pd.DataFrame,
    pooled: pd.DataFrame,
    spread: pd.DataFrame,
) -> pd.DataFrame:
    """Compare the paper's Tables 9, 10 and 11 with what was computed.

    Entries of Tables 9 and 10 agree if they are the same. How the paper shuffled is not known: a
    mean of Table 11 agrees if it lies, within its rounding, in the interval in which one more
    shuffle falls with probability CONFIDENCE.

    Parameters
    ----------
    printed
        Columns table, row (a data set, a hyperparameter, a metric), column, printed (text).
    characteristics
        As for :func:`characteristics_table`.
    logistic_regression
        The options of the logistic regression.
    means, pooled
        Columns dataset, metric, value: means over folds, and values of the matrices added up.
    spread
        The result of :func:`skewproof.studies.van_zyl.real_data.folds.spread`.

    Returns
    -------
    Frame with a row for each printed entry and the columns COMPARISON; agrees is missing where
    nothing was computed, note says what is known of an entry that differs.
    """
    known = _printed_characteristics(characteristics).melt(
        "dataset", var_name="column", value_name="computed"
    )
    options = _hyperparameters(logistic_regression).items()
    entries = [
        known.rename(columns={"dataset": "row"}).assign(table="9"),
        pd.DataFrame(options, columns=["row", "computed"]).assign(table="10", column="value"),
        _entries(means, "computed"),
    ]
    keys = ["table", "row", "column"]
    result = printed.merge(pd.concat(entries), how="left", on=keys)
    columns = ["shuffles", "mean", "standard_deviation", "low", "high"]
    names = {"metric": "row", "dataset": "column"}
    result = result.merge(
        spread.rename(columns=names).assign(table="11")[keys + columns], how="left", on=keys
    )
    result = result.merge(_entries(pooled, "pooled"), how="left", on=keys)
    values = pd.to_numeric(result["printed"], errors="coerce")
    inside = values.between(result["low"] - HALF_UNIT, result["high"] + HALF_UNIT)
    same = result["printed"] == result["computed"]
    agrees = inside.where(result["table"] == "11", same).astype("boolean")
    cut = result["printed"] == result.merge(_cut_imbalances(characteristics), "left", keys)["cut"]
    note = (~same & cut).map({True: "its decimals are cut off, not rounded", False: ""})
    return result.assign(agrees=agrees.mask(result["computed"].isna()), note=note)[COMPARISON]


def summarize_real_world(comparison: pd.DataFrame, notes: tuple[str, ...]) -> str:
    """The comparison as Markdown: counts for each table and data set, then what disagrees."""
    column = comparison["column"].where(comparison["table"] == "11", "")
    kinds = comparison.assign(
        column=column,
        compared=comparison["agrees"].notna(),
        agree=comparison["agrees"].fillna(False),
    ).groupby(["table", "column"], sort=False)
    counts = kinds[["compared", "agree"]].sum().astype(int)
    counts.insert(0, "printed", kinds.size())
    total = counts.sum()
    values = comparison[comparison["table"] == "11"].dropna(subset="low")
    printed = values["printed"].astype(float)
    to_pooled = (values["pooled"] - printed).abs().mean()
    to_mean = (values["mean"] - printed).abs().mean()
    disagreements = comparison[~comparison["agrees"].fillna(True)]
    sections = [
        "# Tables 9 to 11, printed and computed",
        f"Of {total['printed']} printed entries {total['compared']} were computed, and"
        f" {total['agree']} of those agree. The paper's shuffle is not known, so a value of Table"
        f" 11 agrees if it lies in the interval that holds one more shuffle with probability"
        f" {CONFIDENCE:g}, given the spread over the others: of values that come from such a"
        f" shuffle, {1 - CONFIDENCE:.0%} are expected outside.",
        counts.reset_index().to_markdown(index=False),
        f"Mean distance of a printed value from the mean of the shuffles: {to_mean:.4f}; from the"
        f" value of the pooled predictions: {to_pooled:.4f}. The paper averages over folds.",
        *notes,
        "## Disagreements",
        disagreements.to_markdown(index=False, disable_numparse=True)
        if len(disagreements)
        else "None.",
    ]
    return "\n\n".join(sections) + "\n"


def _printed_characteristics(characteristics: pd.DataFrame) -> pd.DataFrame:
    """Table 9's digits; the imbalance has at most two decimals."""
    return pd.DataFrame(
        {
            "dataset": characteristics["dataset"],
            "instances": characteristics["instances"].astype(str),
            "attributes": characteristics["attributes"].astype(str),
            "imbalance": _imbalances(characteristics).map(lambda ratio: f"1:{round(ratio, 2):g}"),
        }
    )


def _cut_imbalances(characteristics: pd.DataFrame) -> pd.DataFrame:
    ratios = np.floor(_imbalances(characteristics) * 100) / 100
    return pd.DataFrame(
        {
            "table": "9",
            "row": characteristics["dataset"],
            "column": "imbalance",
            "cut": ratios.map(lambda ratio: f"1:{ratio:g}"),
        }
    )


def _imbalances(characteristics: pd.DataFrame) -> pd.Series:
    return characteristics["instances"] / characteristics["positives"] - 1


def _hyperparameters(options: Mapping[str, Any]) -> dict[str, str]:
    """Table 10's entries; what the config does not say is scikit-learn's default."""
    return {
        "optimizer": "L-BFGS",
        "iterations": str(options["max_iter"]),
        "regularization": "L2",
        "stopping tolerance": f"{options['tol']:g}",
        "regularization strength": str(float(options["C"])),
    }


def _symbols(names: pd.Series | pd.Index) -> list[str]:
    """Names of data sets, those like D1 as the paper sets them."""
    return [f"${name[0]}_{{{name[1:]}}}$" if name[1:].isdigit() else name for name in names]


def _wide(values: pd.DataFrame) -> pd.DataFrame:
    wide = values.pivot(index="metric", columns="dataset", values="value")
    return wide.loc[values["metric"].unique(), values["dataset"].unique()]


def _entries(values: pd.DataFrame, name: str) -> pd.DataFrame:
    names = {"metric": "row", "dataset": "column", "value": name}
    return values.rename(columns=names)[["row", "column", name]].assign(table="11")
