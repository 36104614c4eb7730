import numpy as np
import pytest
from sklearn.metrics import confusion_matrix as sklearn_matrix

from skewproof_studies.tharwat.examples import (
    THREE_CLASS_MATRIX,
    THREE_CLASSES,
    compare_with_printed,
    computed_examples,
    possible_examples,
)


@pytest.fixture(scope="module")
def numbers():
    return computed_examples()


@pytest.mark.slow
def test_every_printed_number_comes_out_once_but_two(comparison, printed, numbers):
    assert len(comparison) == 74 + 21 * 9 - 1
    others = comparison[~comparison["agrees"]].set_index("item")
    assert set(others.index) == {"OP", "negatives at 1000:10000"}
    assert others["remark"].notna().all()
    assert comparison.loc[comparison["agrees"], "remark"].isna().all()
    table = printed["printed"]
    assert not table.duplicated(["section", "item"]).any()
    assert set(zip(table["section"], table["item"], strict=True)) <= set(numbers)
    wrong = compare_with_printed(
        table.assign(printed="0.123"), printed["table_1"].head(0), printed["remarks"]
    )
    assert not wrong["agrees"].any()
    # The odd OP comes from a rounded accuracy.
    exact = numbers["2.9.1 imbalanced", "OP"]
    assert exact == pytest.approx(870 / 1100 - 0.1 / 1.5)
    assert (round(exact, 3), round(0.79 - 0.1 / 1.5, 3)) == (0.724, 0.723)


def test_the_classes_are_those_of_scikit_learn(numbers):
    true = np.repeat(THREE_CLASSES, 100)
    rows = THREE_CLASS_MATRIX.counts.astype(int)
    predicted = np.concatenate([np.repeat(THREE_CLASSES, counts) for counts in rows])
    for name in THREE_CLASSES:
        (tn, fp), (fn, tp) = sklearn_matrix(true == name, predicted == name)
        for cell, count in {"TP": tp, "FP": fp, "FN": fn, "TN": tn}.items():
            assert numbers["2.9.2", f"{cell} of {name}"] == count


@pytest.mark.slow
def test_examples_that_a_matrix_can_have(printed):
    table = possible_examples(printed["printed"]).set_index("scores of")
    # 0.645 to 0.655 of all are right, and 0.705 to 0.715 of those called positive.
    tp, fp = np.indices((1001, 1001))
    right, called = tp + 1000 - fp, 1000 * tp
    fits = (right >= 1290) & (right <= 1310)
    fits &= (705 * (tp + fp) <= called) & (called <= 715 * (tp + fp)) & (tp + fp > 0)
    assert table["matrices"]["3, 1000:1000"] == fits.sum()
    assert (table.drop(index="2.9.1 imbalanced")["matrices"] > 0).all()
    # It was computed from the accuracy after rounding.
    assert table["possible without"]["2.9.1 imbalanced"] == "optimized_precision"
