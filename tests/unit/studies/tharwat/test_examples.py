from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import confusion_matrix as sklearn_matrix
from sklearn.metrics import roc_auc_score

from skewproof.reporting.table import to_markdown
from skewproof.studies.tharwat.examples import (
    CLASSES,
    LABELS,
    SCORES,
    class_matrices,
    compare_examples,
    computed_examples,
    example_areas,
    examples_report,
    half_unit,
    table_1,
    table_of_thresholds,
)
from skewproof.studies.tharwat.iris import iris_experiment, iris_results

RESOURCES = Path(__file__).parents[4] / "resources/tharwat"


def read(name):
    return pd.read_csv(RESOURCES / f"{name}.csv", dtype=str)


@pytest.fixture(scope="module")
def comparison():
    return compare_examples(read("printed"), read("table_1"), read("remarks"))


@pytest.fixture(scope="module")
def experiment():
    return iris_experiment(folds=5, seed=1)


def test_every_printed_number_comes_out_but_two(comparison):
    assert len(comparison) == 74 + 21 * 9 - 1
    others = comparison[~comparison["agrees"]].set_index("item")
    assert set(others.index) == {"OP", "negatives at 1000:10000"}
    assert others["remark"].notna().all()
    assert comparison.loc[comparison["agrees"], "remark"].isna().all()


def test_the_odd_op_comes_from_a_rounded_accuracy():
    exact = computed_examples()["2.9.1 imbalanced", "OP"]
    assert exact == pytest.approx(870 / 1100 - 0.1 / 1.5)
    assert round(exact, 3) == 0.724
    assert round(0.79 - 0.1 / 1.5, 3) == 0.723


def test_every_printed_number_is_computed_once():
    printed = read("printed")
    assert not printed.duplicated(["section", "item"]).any()
    assert set(zip(printed["section"], printed["item"], strict=True)) <= set(computed_examples())


def test_a_wrong_digit_is_found():
    printed = read("printed").assign(printed="0.123")
    assert not compare_examples(printed, read("table_1").head(0), read("remarks"))["agrees"].any()


def test_half_a_unit_of_the_last_digit():
    assert [half_unit(text) for text in ("10", "0.5", "0.20")] == [0.5, 0.05, 0.005]


def test_the_classes_are_those_of_scikit_learn():
    true = np.repeat(list(CLASSES), 100)
    called = np.concatenate([np.repeat(list(CLASSES), counts) for counts in CLASSES.values()])
    for name, matrix in class_matrices().items():
        (tn, fp), (fn, tp) = sklearn_matrix(true == name, called == name)
        assert [matrix.tp, matrix.fp, matrix.fn, matrix.tn] == [tp, fp, fn, tn]


def test_table_1_by_its_definition():
    for row in table_1().itertuples():
        called = row.threshold <= SCORES
        assert np.sum(called & (LABELS == 1)) == row.TP
        assert np.sum(called & (LABELS == 0)) == row.FP
    assert np.isnan(table_1()["PPV"].iloc[0])


def test_areas_of_the_example():
    areas = example_areas()
    assert areas["AUC"] == pytest.approx(0.68)
    assert areas["AUC"] == pytest.approx(roc_auc_score(LABELS, SCORES))
    assert areas["equal error rate"] == 0.4


def test_table_for_the_eye():
    text = to_markdown(table_of_thresholds())
    assert r"| $t_{1}$ = $\infty$ | 0 " in text
    assert table_of_thresholds().data["PPV"].iloc[8] == "0.63"


def test_no_iris_sample_is_scored_by_a_machine_that_saw_it(experiment):
    results = iris_results(experiment).set_index("class")
    counts = results.loc[experiment.classes, ["tp", "fp", "fn", "tn"]]
    assert (counts.sum(axis=1) == 150).all()
    assert counts["fp"].sum() == counts["fn"].sum()
    # Setosa is linearly separable from the others; they are not from each other.
    assert results.loc["setosa", "auc"] == 1
    assert 0.9 < results.loc["all", "Acc"] < 1
    weighted = results.loc[experiment.classes, "auc"].mean()  # classes of one size
    assert results.loc["all", "auc"] == pytest.approx(weighted)


def test_the_seed_decides_on_the_folds(experiment):
    np.testing.assert_array_equal(iris_experiment(folds=5, seed=1).scores, experiment.scores)
    assert (iris_experiment(folds=5, seed=2).scores != experiment.scores).any()


def test_the_report(comparison, experiment):
    text = examples_report(comparison, iris_results(experiment))
    assert "Of 262 printed numbers 260 agree to the last digit." in text
    assert "| 2.9.1 imbalanced | OP " in text
    assert "| setosa     |" in text
