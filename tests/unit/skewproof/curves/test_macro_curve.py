"""The curve of macro precision over macro recall."""

import numpy as np
import pytest
from sklearn.metrics import average_precision_score, precision_score, recall_score

from skewproof.curves.macro_curve import (
    area_under_macro_curve,
    macro_curve,
)

MEMBERSHIP = np.eye(3, dtype=int)[[0, 0, 1, 2, 2, 2, 1]]
SCORES = np.random.default_rng(3).integers(0, 6, (7, 3))


@pytest.mark.slow
def test_points_are_averages_of_classes_at_one_threshold():
    curve = macro_curve(MEMBERSHIP, SCORES)
    np.testing.assert_array_equal(curve.thresholds, np.unique(SCORES)[::-1])
    assert "thresholds=[" in repr(curve)
    for threshold, precision, recall in zip(*curve, strict=True):
        predicted = (threshold <= SCORES).astype(int)
        rows = [
            precision_score(member, label)
            for member, label in zip(MEMBERSHIP.T, predicted.T, strict=True)
            if label.any()
        ]
        assert precision == pytest.approx(np.mean(rows))
        assert recall == pytest.approx(recall_score(MEMBERSHIP, predicted, average="macro"))


def test_one_class_has_the_average_precision():
    for member, scores in zip(MEMBERSHIP.T, SCORES.T, strict=True):
        area = area_under_macro_curve(member[:, np.newaxis], scores[:, np.newaxis])
        assert area == pytest.approx(average_precision_score(member, scores))


@pytest.mark.parametrize(
    ("membership", "scores", "message"),
    [
        ([1, 0], [1, 0], r"shapes \(2,\) and \(2,\): expected \(instances, classes\) for both"),
        ([[1, 0]], [[1]], "expected .instances, classes. for both"),
        ([[2, 1]], [[1, 1]], "expected a membership of 0 or 1 and finite scores"),
        ([[1, 1]], [[np.nan, 1]], "expected a membership of 0 or 1 and finite scores"),
        ([[1, 0]], [[1, 1]], "class 1 has no instance: expected at least one"),
    ],
)
def test_bad_input(membership, scores, message):
    with pytest.raises(ValueError, match=message):
        macro_curve(membership, scores)
