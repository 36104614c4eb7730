import numpy as np
import pytest
from hypothesis import assume, given, strategies as st
from sklearn.metrics import jaccard_score

from skewproof.core.confusion import ConfusionMatrix
from skewproof.metrics.precision_recall import gilbert_ratio
from skewproof.practice.other_outputs.regions import intersection_over_union

masks = st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=30).map(
    lambda pairs: np.array(pairs).T
)


@given(pair=masks)
def test_intersection_over_union(pair):
    true, predicted = pair
    assume((true | predicted).any())
    value = intersection_over_union(true, predicted)
    assert 0 <= value <= 1
    assert value == pytest.approx(jaccard_score(true, predicted))
    matrix = ConfusionMatrix(
        tp=np.sum(true & predicted),
        fp=np.sum(~true & predicted),
        fn=np.sum(true & ~predicted),
        tn=np.sum(~true & ~predicted),
    )
    assert value == pytest.approx(float(gilbert_ratio(matrix)))
    assert intersection_over_union(true[::-1], predicted[::-1]) == value
    assert intersection_over_union(predicted, true) == value


def test_best_and_worst_overlap():
    region = np.zeros((3, 4), dtype=bool)
    region[1:, :2] = True
    assert intersection_over_union(region, region) == 1
    assert intersection_over_union(region, ~region) == 0


@pytest.mark.parametrize(
    ("true", "predicted", "message"),
    [
        ([1, 0], [True, False], "true is of the type int64: expected a boolean mask"),
        ([True], [0.5], "predicted is of the type float64"),
        ([True], [True, False], r"have the shapes \(1,\) and \(2,\): expected one"),
        (np.ma.array([True], mask=[True]), [True], r"true\[0\] is masked: expected a value"),
        ([False], [False], "are empty: expected at least one region"),
        (np.zeros(0, dtype=bool), np.zeros(0, dtype=bool), "are empty"),
    ],
)
def test_bad_masks(true, predicted, message):
    with pytest.raises(ValueError, match=message):
        intersection_over_union(true, predicted)
