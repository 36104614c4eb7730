"""The threshold probabilities that metrics imply."""

from fractions import Fraction

import numpy as np
import pytest

from skewproof import ConfusionMatrix, Prevalence
from skewproof.decisions import implied_thresholds

MATRIX = ConfusionMatrix(tp=80, fp=100, fn=20, tn=900)
ROUNDED = 1e-12


def by_hand(share):
    """Compute thresholds by closed forms, at the rates .8 and .1."""
    tp, fp = share * Fraction(8, 10), (1 - share) * Fraction(1, 10)
    fn, tn = share - tp, 1 - share - fp
    precision, omission = tp / (tp + fp), fn / (fn + tn)
    chance = share * (tp + fp) + (1 - share) * (fn + tn)
    kappa = (tp + tn - chance) / (1 - chance)
    return {
        "accuracy": Fraction(1, 2),
        "balanced_accuracy": share,
        "f1": tp / (2 * tp + fp + fn),
        "mcc": (precision + omission) / 2,
        "cohen_kappa": (1 - kappa) * share + kappa / 2,
    }


@pytest.mark.parametrize(
    ("at", "share"),
    [
        ("population", Fraction(1, 11)),
        ("test set", Fraction(1, 11)),
        ("1:1000", Fraction(1, 1001)),
        ("10/2000", Fraction(1, 200)),
        (Prevalence.believed(2, 98), Fraction(1, 50)),
    ],
)
@pytest.mark.slow
def test_thresholds_are_those_of_closed_forms(at, share):
    expected = by_hand(share)
    frame = implied_thresholds(MATRIX, metrics=list(expected), at=at)
    assert frame["metric"].tolist() == list(expected)
    thresholds = list(map(float, expected.values()))
    assert frame["threshold"].to_numpy() == pytest.approx(thresholds, rel=ROUNDED)
    odds = [(1 - threshold) / threshold for threshold in expected.values()]
    assert frame["hit_is_worth"].to_numpy() == pytest.approx(list(map(float, odds)), rel=ROUNDED)
    assert (frame["remark"] == "").all()


@pytest.mark.slow
def test_a_remark_says_what_no_threshold_means():
    rare = ConfusionMatrix(tp=20, fp=10, fn=80, tn=990)
    metrics = ["true_positive_rate", "true_negative_rate", "iba"]
    frame = implied_thresholds(rare, metrics=metrics)
    assert frame["threshold"][:2].tolist() == [0, 1]
    assert np.isnan(frame["threshold"][2:]).all()
    assert frame["remark"].tolist() == [
        "ignores false alarms",
        "ignores hits",
        "rewards a false alarm, or punishes a hit",
    ]


@pytest.mark.slow
def test_a_kink_has_no_threshold():
    even = ConfusionMatrix(tp=80, fp=200, fn=20, tn=800)
    row = implied_thresholds(even, metrics="optimized_precision").iloc[0]
    assert np.isnan(row["threshold"])
    assert row["remark"] == "has no exchange rate here"


@pytest.mark.parametrize(
    ("matrix", "given", "message"),
    [
        ([[1, 2], [3, 4]], {}, "expected a ConfusionMatrix"),
        (ConfusionMatrix(tp=[1, 2], fp=1, fn=1, tn=1), {}, r"matrix.shape = \(2,\): expected one"),
        (ConfusionMatrix(tp=0, fp=1, fn=0, tn=1), {}, "expected instances of both classes"),
        (MATRIX, {"at": "rarely"}, "at = 'rarely': expected a prevalence"),
        (MATRIX, {"metrics": "laplace", "at": "1:9"}, "total = None: expected the number of"),
    ],
)
def test_bad_input_is_refused(matrix, given, message):
    with pytest.raises(ValueError, match=message):
        implied_thresholds(matrix, **{"metrics": "f1"} | given)
