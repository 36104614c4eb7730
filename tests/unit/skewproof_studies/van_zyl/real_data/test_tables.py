from pathlib import Path

import pandas as pd

from skewproof.core.formulas.metrics import parse_metric
from skewproof.metrics import METRICS
from skewproof_studies.reporting.table import to_latex, to_markdown
from skewproof_studies.van_zyl.real_data.tables import (
    characteristics_table,
    fold_notes,
    hyperparameter_table,
    missing_notes,
    value_table,
)
from written import check_written

REGISTRY = METRICS.extended([parse_metric("tp/P", key="mine")])
OPTIONS = {"max_iter": 100, "tol": 1e-4, "C": 1.0}

CHARACTERISTICS = pd.DataFrame(
    {
        "dataset": ["D2", "D4"],
        "instances": [7200, 41188],
        "attributes": [21, 62],
        "positives": [534, 4640],
        "reference": ["someone", "someone else"],
    }
)


def values_of(values):
    return value_table(values, caption="Real world dataset.", notes=("A note.",), registry=REGISTRY)


def test_tables_and_notes():
    nine = characteristics_table(CHARACTERISTICS, {"D2": "Thyroid", "D4": "Bank"})
    values = pd.DataFrame(
        {"dataset": ["D2", "mine"], "metric": "f1", "value": [0.30024, float("nan")]}
    )
    tables = {
        "nine": nine,
        "ten": hyperparameter_table(OPTIONS),
        "eleven": values_of(values),
        "own_metric": values_of(values.assign(metric="mine")),
        "no_data_set": characteristics_table(CHARACTERISTICS.iloc[:0], {}),
        "no_value": values_of(values.iloc[:0]),
    }
    means = pd.DataFrame(
        {"dataset": "D2", "metric": ["f1", "mcc", "mine"], "undefined_folds": [0, 2, 1]}
    )
    matrices = pd.DataFrame(
        {"dataset": ["D2", "D2", "D4"], "shuffle": [0, 1, 0], "converged": [False, False, True]}
    )
    sources = pd.DataFrame(
        {
            "dataset": ["D5", "D2", "D1"],
            "file": ["census.npz", "thyroid.csv", "fraud.npz"],
            "path": [None, "data/file", None],
        }
    )
    datasets = {"D1": {}, "D2": {}, "D5": {}, "D6": {"undersampled": "D5"}}
    datasets["D7"] = {"undersampled": "D2"}
    check_written(
        Path(__file__).with_name("tables.txt"),
        **{name: f"{to_markdown(table)}\n{to_latex(table)}" for name, table in tables.items()},
        folds="\n".join(fold_notes(means, matrices, registry=REGISTRY)) + "\n",
        missing="\n".join(missing_notes(sources, datasets)) + "\n",
    )
