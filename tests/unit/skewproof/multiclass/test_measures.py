"""Measures of many classes by hand, against each other, and their laws."""

from math import sqrt
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, strategies as st
from hypothesis.extra.numpy import arrays

from skewproof.metrics import get_metric
from skewproof.multiclass.lookup import MEASURES, as_measure, as_measures
from skewproof.multiclass.matrix import MulticlassConfusionMatrix
from written import check_written, refusals

COUNTS = np.array([[5, 2, 1], [1, 6, 3], [0, 2, 10]])
RECALLS = (5 / 8, 6 / 10, 10 / 12)
PRECISIONS = (5 / 6, 6 / 10, 10 / 14)
COLUMNS_OF_RATES = (5 / 8 + 1 / 10, 2 / 8 + 6 / 10 + 2 / 12, 1 / 8 + 3 / 10 + 10 / 12)
MEAN_RECALL, MEAN_PRECISION = sum(RECALLS) / 3, sum(PRECISIONS) / 3
OVA = (sum(RECALLS) + (21 / 22 + 16 / 20 + 14 / 18)) / 6

KNOWN_VALUES = {
    "g_mean": (5 / 8 * 6 / 10 * 10 / 12) ** (1 / 3),
    "acsa": MEAN_RECALL,
    "auroc_ovo": (3 * MEAN_RECALL + 1) / 4,
    "auroc_ova": OVA,
    "nauroc_ova": (6 * OVA - 1) / 5,
    "aurpc_ova": (MEAN_RECALL + MEAN_PRECISION) / 2,
    "maurpc_ova": (
        sum(recall / column for recall, column in zip(RECALLS, COLUMNS_OF_RATES, strict=True)) / 3
        + MEAN_RECALL
    )
    / 2,
    "accuracy": 21 / 30,
    "average_accuracy": (26 / 30 + 22 / 30 + 24 / 30) / 3,
    "mcc": (21 * 30 - 316) / sqrt((30**2 - 308) * (30**2 - 332)),
    "cohen_kappa": (21 * 30 - 316) / (30**2 - 316),
    "kappa_n": (21 / 30 - 1 / 3) / (1 - 1 / 3),
    "linear_weighted_kappa": 1 - 10 * 30 / 768,
    "quadratic_weighted_kappa": 1 - 12 * 30 / 1136,
    "macro_f1": (10 / 14 + 12 / 20 + 20 / 26) / 3,
    "f1_of_macro_averages": 2 * MEAN_PRECISION * MEAN_RECALL / (MEAN_PRECISION + MEAN_RECALL),
}
"""Values of COUNTS, with 8, 10 and 12 instances of which 6, 10 and 14 are predicted."""

matrices = st.integers(2, 5).flatmap(
    lambda classes: arrays(float, (classes, classes), elements=st.integers(1, 50))
)


def value(key, counts):
    return float(MEASURES[key](MulticlassConfusionMatrix(counts)))


def random_counts(classes, size=30):
    return np.random.default_rng(classes).integers(1, 30, (size, classes, classes))


def test_known_values():
    found = {key: value(key, COUNTS) for key in MEASURES}
    assert found == pytest.approx(KNOWN_VALUES, rel=1e-12)


@given(matrices)
def test_a_perfect_classifier_scores_1_and_no_other_more(counts):
    for key in MEASURES:
        assert value(key, np.diag(np.diag(counts))) == pytest.approx(1), key
        assert value(key, counts) <= 1 + 1e-12, key


@given(matrices)
def test_definitions_written_out(counts):
    classes, sizes, taken = len(counts), counts.sum(axis=1), counts.sum(axis=0)
    total = counts.sum()
    ovo = ova = aurpc = maurpc = 0.0
    for i in range(classes):
        recall = counts[i, i] / sizes[i]
        others = [j for j in range(classes) if j != i]
        ovo += 1 + recall - sum(counts[j, i] / sizes[j] for j in others) / (classes - 1)
        ova += 1 + recall - (taken[i] - counts[i, i]) / (total - sizes[i])
        aurpc += counts[i, i] / taken[i] + recall
        maurpc += recall / sum(counts[j, i] / sizes[j] for j in range(classes)) + recall
    expected = {
        "auroc_ovo": ovo / (2 * classes),
        "auroc_ova": ova / (2 * classes),
        "aurpc_ova": aurpc / (2 * classes),
        "maurpc_ova": maurpc / (2 * classes),
    }
    for key, number in expected.items():
        assert value(key, counts) == pytest.approx(number, rel=1e-12), key


@given(arrays(float, (2, 2), elements=st.integers(1, 50)))
def test_for_two_classes_they_are_the_metrics_of_two(counts):
    def of_two(key):
        return float(get_metric(key)(MulticlassConfusionMatrix(counts).pair))

    assert value("g_mean", counts) == pytest.approx(of_two("g_mean"))
    for key in ("acsa", "auroc_ovo", "auroc_ova", "nauroc_ova"):
        assert value(key, counts) == pytest.approx(of_two("balanced_accuracy"))
    assert value("accuracy", counts) == pytest.approx(of_two("accuracy"))
    assert value("average_accuracy", counts) == pytest.approx(of_two("accuracy"))
    for key in ("mcc", "cohen_kappa"):
        assert value(key, counts) == pytest.approx(of_two(key), abs=1e-12)


def test_ordered_classes_are_declared_where_their_order_matters():
    counts = np.array([[5, 4, 0], [1, 9, 1], [0, 2, 7]])
    order = [1, 0, 2]
    for key, measure in MEASURES.items():
        change = abs(value(key, counts[order][:, order]) - value(key, counts))
        assert (change > 0.01) == measure.ordered_classes, key


@given(counts=matrices, factor=st.floats(0.01, 1000))
def test_twice_as_much_of_everything_changes_nothing(counts, factor):
    for key in MEASURES:
        assert value(key, factor * counts) == pytest.approx(value(key, counts), abs=1e-9), key


@pytest.mark.parametrize("key", sorted(MEASURES))
@pytest.mark.slow
def test_batches_are_elementwise(key):
    counts = random_counts(4, 6).reshape(2, 3, 4, 4)
    values = MEASURES[key](MulticlassConfusionMatrix(counts))
    assert values.shape == (2, 3)
    # A matrix product of other shape may round the last bit otherwise.
    assert values[1, 2] == pytest.approx(value(key, counts[1, 2]), rel=1e-14)


@pytest.mark.slow
def test_a_thousand_classes():
    counts = np.random.default_rng(1).random((1000, 1000)) + 999 * np.eye(1000)
    for key in MEASURES:
        assert 0 < value(key, counts) < 1, key


def test_continuous_counts_round_to_no_negative_ones():
    rates = np.random.default_rng(1).dirichlet(np.ones(6), (500, 6))
    matrix = MulticlassConfusionMatrix(0.1 * rates)
    for key, measure in MEASURES.items():
        assert np.isfinite(measure(matrix)).all(), key


def test_a_class_that_is_never_predicted_is_undefined_where_precision_enters():
    counts = [[5, 5, 0], [1, 9, 0], [2, 8, 0]]
    undefined = {key for key in MEASURES if np.isnan(value(key, counts))}
    assert undefined == {"aurpc_ova", "maurpc_ova", "f1_of_macro_averages"}


@pytest.mark.parametrize(
    ("word", "key"),
    [("macro_f1", "macro_f1"), ("Macro F1", "macro_f1"), ("ACSA", "acsa"), ("mcc", "mcc")],
)
def test_measures_are_found_by_keys_and_names(word, key):
    assert as_measure(word) is MEASURES[key]
    assert as_measure(MEASURES[key]) is MEASURES[key]


def test_what_is_no_measure_is_refused():
    written = refusals(as_measure, ["f1", "acccuracy", 3], (KeyError, ValueError))
    check_written(Path(__file__).with_name("no_measures.txt"), words=written)


def test_several_measures_are_each_taken_once():
    assert [one.key for one in as_measures(["mcc", "Macro F1", "macro_f1"])] == ["mcc", "macro_f1"]
    assert as_measures("acsa") == [MEASURES["acsa"]]
    for none in ([], 3):
        with pytest.raises(ValueError, match=r"^metrics = "):
            as_measures(none)
