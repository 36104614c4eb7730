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
    """Table 9: what each data set is.

    Parameters
    ----------
    characteristics
        Columns dataset, instances, attributes, positives, reference.
    names
        The names of the data sets in words, by their keys.
    notes
        What stands below.
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
    """Table 10: the options of the logistic regression."""
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
    """Table 11: a row a metric, a column a data set, four decimals.

    Parameters
    ----------
    values
        Columns dataset, metric, value.
    caption, notes
        What stands above and below.
    registry
        The metrics by their keys, for their symbols.
    """
    wide = values.pivot(index="metric", columns="dataset", values="value")
    wide = wide.loc[values["metric"].unique(), values["dataset"].unique()].map(printed_value)
    display = wide.rename(columns=dict(zip(wide, _symbols(wide.columns), strict=True)))
    display.insert(0, "Metric", [metric_label(registry[key]) for key in wide.index])
    return Table(caption, wide.rename_axis(columns=None).reset_index(), display, notes=notes)


def fold_notes(
    means: pd.DataFrame, matrices: pd.DataFrame, *, registry: Mapping[str, Metric]
) -> tuple[str, ...]:
    """What to know of means over folds: undefined folds, fits that stopped early.

    Parameters
    ----------
    means
        Fold means of shuffle 0: columns dataset, metric, undefined_folds.
    matrices
        Columns dataset, shuffle, converged.
    registry
        The metrics by their keys, for their symbols.
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
    """Which data sets are left out, for a reader of the table, who has neither log nor folders.

    Parameters
    ----------
    sources
        Columns dataset, file and path, missing where the file is.
    datasets
        The data sets of the config, in the order of the notes; one that is made from another,
        `undersampled`, is left out with it.
    """
    missing = sources[sources["path"].isna()].set_index("dataset")["file"]
    notes = {
        key: f"{key} is left out: its data file, {file}, was not found and could not be downloaded."
        for key, file in missing.items()
    }
    made = {key: one["undersampled"] for key, one in datasets.items() if "undersampled" in one}
    notes |= {
        key: f"{key} is left out: it is made from {whole}, which is missing."
        for key, whole in made.items()
        if whole in notes
    }
    return tuple(notes[key] for key in datasets if key in notes)


def printed_value(value: float) -> str:
    """A value as Table 11 prints it: four decimals."""
    return "undefined" if np.isnan(value) else printed_once(value, decimals=4)


def printed_characteristics(characteristics: pd.DataFrame) -> pd.DataFrame:
    """Table 9's digits: columns dataset, instances, attributes, imbalance (up to two decimals)."""
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
    """How many negatives there are for each positive."""
    return characteristics["instances"] / characteristics["positives"] - 1


def printed_hyperparameters(options: Mapping[str, Any]) -> dict[str, str]:
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
