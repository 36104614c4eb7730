"""Tables 9 to 11 of van Zyl and Engelbrecht in the paper's layout."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from skewproof.core.metric import Metric
from skewproof_studies.reporting.printed import printed_once, printed_short
from skewproof_studies.reporting.table import Table, metric_label, plain


def characteristics_table(
    characteristics: pd.DataFrame, names: Mapping[str, str], *, notes: tuple[str, ...] = ()
) -> Table:
    """Return Table 9: the characteristics of each data set.

    Parameters
    ----------
    characteristics
        Columns dataset, instances, attributes, positives, reference.
    names
        Names of the data sets in words, by key.
    notes
        Notes below the table.
    """
    data = printed_characteristics(characteristics).assign(
        description=characteristics["dataset"].map(names).to_numpy(),
        reference=characteristics["reference"].to_numpy(),
    )
    display = pd.DataFrame(
        {
            "Name": _symbols(data["dataset"]),
            "Instances": data["instances"],
            "Attributes": data["attributes"],
            "Imbalance": [f"({ratio})" for ratio in data["imbalance"]],
            "Description": data["description"].map(plain),
            "Reference": data["reference"].map(plain),
        }
    )
    return Table("Real-world dataset characteristics.", data, display, notes=notes)


def hyperparameter_table(logistic_regression: Mapping[str, Any]) -> Table:
    """Return Table 10: the options of the logistic regression."""
    data = pd.DataFrame(
        printed_hyperparameters(logistic_regression).items(), columns=["hyperparameter", "value"]
    )
    display = data.rename(columns=str.capitalize)
    return Table("LR hyperparameters.", data, display)


def value_table(
    values: pd.DataFrame,
    *,
    caption: str,
    notes: tuple[str, ...],
    registry: Mapping[str, Metric],
) -> Table:
    """Return Table 11: one row per metric, one column per data set, four decimals.

    Parameters
    ----------
    values
        Columns dataset, metric, value.
    caption, notes
        Caption above and notes below the table.
    registry
        The metrics by key, for their symbols.
    """
    wide = values.pivot(index="metric", columns="dataset", values="value")
    wide = wide.loc[values["metric"].unique(), values["dataset"].unique()].map(printed_value)
    display = wide.rename(columns=dict(zip(wide, _symbols(wide.columns), strict=True)))
    display.insert(0, "Metric", [metric_label(registry[key]) for key in wide.index])
    return Table(caption, wide.rename_axis(columns=None).reset_index(), display, notes=notes)


def fold_notes(
    means: pd.DataFrame, matrices: pd.DataFrame, *, registry: Mapping[str, Metric]
) -> tuple[str, ...]:
    """Write notes on means over folds: undefined folds, fits that stopped early.

    Parameters
    ----------
    means
        Fold means of shuffle 0: columns dataset, metric, undefined_folds.
    matrices
        Columns dataset, shuffle, converged.
    registry
        The metrics by key, for their symbols.
    """
    undefined = means[means["undefined_folds"] > 0]
    notes = [
        f"{metric_label(registry[row.metric])} is undefined in {row.undefined_folds} folds of"
        f" {row.dataset}; the mean is over the others."
        for row in undefined.itertuples()
    ]
    early = matrices[(matrices["shuffle"] == 0) & ~matrices["converged"]]
    notes += [
        f"On {dataset} the fit stopped at its last iteration in {len(rows)} folds."
        for dataset, rows in early.groupby("dataset")
    ]
    return tuple(notes)


def missing_notes(
    sources: pd.DataFrame, datasets: Mapping[str, Mapping[str, Any]]
) -> tuple[str, ...]:
    """Write notes on the data sets that are left out, for readers without the log and the folders.

    Parameters
    ----------
    sources
        Columns dataset, file and path, which is missing if the file is.
    datasets
        Data sets of the configuration, in the order of the notes. One that is `undersampled` from
        another is left out with it.
    """
    missing = sources[sources["path"].isna()].set_index("dataset")["file"]
    notes = {
        key: f"{key} is left out: its data file, {file}, was not found and could not be downloaded."
        for key, file in missing.items()
    }
    made = {key: data["undersampled"] for key, data in datasets.items() if "undersampled" in data}
    notes |= {
        key: f"{key} is left out: it is made from {whole}, which is missing."
        for key, whole in made.items()
        if whole in notes
    }
    return tuple(notes[key] for key in datasets if key in notes)


def printed_value(value: float) -> str:
    """Format a value as in Table 11, with four decimals."""
    return "undefined" if np.isnan(value) else printed_once(value, decimals=4)


def printed_characteristics(characteristics: pd.DataFrame) -> pd.DataFrame:
    """Return Table 9's digits with the columns dataset, instances, attributes, imbalance (up to two
    decimals)."""
    ratios = imbalance_ratios(characteristics)
    return pd.DataFrame(
        {
            "dataset": characteristics["dataset"],
            "instances": characteristics["instances"].astype(str),
            "attributes": characteristics["attributes"].astype(str),
            "imbalance": ratios.map(lambda ratio: f"1:{printed_short(ratio)}"),
        }
    )


def imbalance_ratios(characteristics: pd.DataFrame) -> pd.Series:
    """Return the number of negatives per positive."""
    return characteristics["instances"] / characteristics["positives"] - 1


def printed_hyperparameters(options: Mapping[str, Any]) -> dict[str, str]:
    """Return Table 10's entries; options that the configuration omits are scikit-learn's
    defaults."""
    return {
        "optimizer": "L-BFGS",
        "iterations": str(options["max_iter"]),
        "regularization": "L2",
        "stopping tolerance": f"{options['tol']:g}",
        "regularization strength": str(float(options["C"])),
    }


def _symbols(names: pd.Series | pd.Index) -> list[str]:
    """Return names of data sets; those like D1 are set as in the paper."""
    return [f"${name[0]}_{{{name[1:]}}}$" if name[1:].isdigit() else name for name in names]
