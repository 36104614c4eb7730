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


def test_tables_for_the_eye():
    nine = to_markdown(characteristics_table(CHARACTERISTICS, {"D2": "Thyroid", "D4": "Bank"}))
    assert "| $D_{2}$ | 7200        | 21           | (1:12.48)" in nine
    assert "0.0001" in to_latex(hyperparameter_table(OPTIONS))
    values = pd.DataFrame(
        {"dataset": ["D2", "mine"], "metric": "f1", "value": [0.30024, float("nan")]}
    )
    eleven = values_of(values)
    assert eleven.data.to_dict("records") == [{"metric": "f1", "D2": "0.3002", "mine": "undefined"}]
    assert "A note." in to_markdown(eleven)
    assert list(eleven.display) == ["Metric", "$D_{2}$", "mine"]
    own = values_of(values.assign(metric="mine"))
    assert own.display["Metric"].to_list() == [f"${REGISTRY['mine'].symbol}$"]
    for empty in (characteristics_table(CHARACTERISTICS.iloc[:0], {}), values_of(values.iloc[:0])):
        assert to_markdown(empty)
        assert to_latex(empty)


def test_notes_say_what_is_undefined_or_unfinished():
    means = pd.DataFrame(
        {"dataset": "D2", "metric": ["f1", "mcc", "mine"], "undefined_folds": [0, 2, 1]}
    )
    matrices = pd.DataFrame(
        {"dataset": ["D2", "D2", "D4"], "shuffle": [0, 1, 0], "converged": [False, False, True]}
    )
    *undefined, early = fold_notes(means, matrices, registry=REGISTRY)
    for part in ("MCC", "2 folds of D2", f"${REGISTRY['mine'].symbol}$"):
        assert part in " ".join(undefined)
    assert early == "On D2 the fit stopped at its last iteration in 1 folds."


def test_what_is_missing_is_said_without_a_folder_or_an_exception():
    sources = pd.DataFrame(
        {
            "dataset": ["D5", "D2", "D1"],
            "file": ["census.npz", "thyroid.csv", "fraud.npz"],
            "path": [None, "data/file", None],
        }
    )
    datasets = {"D1": {}, "D2": {}, "D5": {}, "D6": {"undersampled": "D5"}}
    datasets["D7"] = {"undersampled": "D2"}
    assert missing_notes(sources, datasets) == (
        "D1 is left out: its data file, fraud.npz, was not found and could not be downloaded.",
        "D5 is left out: its data file, census.npz, was not found and could not be downloaded.",
        "D6 is left out: it is made from D5, which is missing.",
    )
