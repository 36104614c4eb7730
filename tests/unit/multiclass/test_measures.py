"""Measures of many classes against other libraries, each other, and their laws."""

import contextlib
import io

import numpy as np
import pytest
from hypothesis import given, strategies as st
from hypothesis.extra.numpy import arrays
from imblearn.metrics import geometric_mean_score
from sklearn import metrics as sklearn_metrics

from skewproof.metrics import get_metric
from skewproof.multiclass import MEASURES, get_measure
from skewproof.multiclass.matrix import MulticlassConfusionMatrix
from skewproof.multiclass.measures import f_beta_of_macro_averages, macro_f_beta

SATISFY_CONDITION_1 = {"g_mean", "acsa", "auroc_ovo", "maurpc_ova"}

SKLEARN = {
    "acsa": sklearn_metrics.balanced_accuracy_score,
    "accuracy": sklearn_metrics.accuracy_score,
    "mcc": sklearn_metrics.matthews_corrcoef,
    "cohen_kappa": sklearn_metrics.cohen_kappa_score,
    "linear_weighted_kappa": lambda t, p: sklearn_metrics.cohen_kappa_score(t, p, weights="linear"),
    "quadratic_weighted_kappa": lambda t, p: sklearn_metrics.cohen_kappa_score(
        t, p, weights="quadratic"
    ),
    "macro_f1": lambda t, p: sklearn_metrics.f1_score(t, p, average="macro"),
}

matrices = st.integers(2, 5).flatmap(
    lambda classes: arrays(float, (classes, classes), elements=st.integers(1, 50))
)


def labels(counts):
    """True and predicted labels with these counts."""
    true, predicted = np.indices(counts.shape)
    repeats = counts.astype(int).ravel()
    return np.repeat(true.ravel(), repeats), np.repeat(predicted.ravel(), repeats)


def value(key, counts):
    return float(get_measure(key)(MulticlassConfusionMatrix(counts)))


def random_counts(classes, size=30):
    return np.random.default_rng(classes).integers(1, 30, (size, classes, classes))


@pytest.mark.parametrize("key", SKLEARN)
@pytest.mark.parametrize("classes", [2, 3, 7])
def test_scikit_learn_has_the_same_values(key, classes):
    counts = random_counts(classes)
    values = get_measure(key)(MulticlassConfusionMatrix(counts))
    expected = [SKLEARN[key](*labels(one)) for one in counts]
    np.testing.assert_allclose(values, expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize("classes", [2, 3, 7])
def test_imbalanced_learn_has_the_same_geometric_mean(classes):
    counts = random_counts(classes)
    values = get_measure("g_mean")(MulticlassConfusionMatrix(counts))
    expected = [geometric_mean_score(*labels(one)) for one in counts]
    np.testing.assert_allclose(values, expected, rtol=1e-12)


@pytest.mark.parametrize("classes", [2, 3, 5])
def test_pycm_has_the_same_values(classes):
    with contextlib.redirect_stdout(io.StringIO()):
        from pycm import ConfusionMatrix as Pycm

    for counts in random_counts(classes, 20):
        true, predicted = labels(counts)
        other = Pycm(actual_vector=true, predict_vector=predicted)
        for key, expected in (
            ("cohen_kappa", other.Kappa),
            ("kappa_n", other.S),
            ("mcc", other.Overall_MCC),
            ("accuracy", other.Overall_ACC),
            ("average_accuracy", other.ACC_Macro),
            ("macro_f1", other.F1_Macro),
            ("acsa", other.TPR_Macro),
        ):
            assert value(key, counts) == pytest.approx(expected, abs=1e-12), key


def test_every_declared_measure_is_compared_with_another_library_or_a_law():
    by_law = {"auroc_ovo", "auroc_ova", "nauroc_ova", "aurpc_ova", "maurpc_ova"}
    by_law |= {"f1_of_macro_averages", "kappa_n", "average_accuracy", "g_mean"}
    assert set(MEASURES) == by_law | set(SKLEARN)


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


@given(matrices)
def test_lemma_2(counts):
    classes = len(counts)
    linear = classes * value("acsa", counts) + classes - 2
    assert value("auroc_ovo", counts) == pytest.approx(linear / (2 * (classes - 1)), rel=1e-12)


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
        assert value(key, counts) == pytest.approx(2 * of_two(key) - 1, abs=1e-12)


@given(matrices)
def test_a_perfect_classifier_scores_1(counts):
    for key in MEASURES:
        assert value(key, np.diag(np.diag(counts))) == pytest.approx(1), key


@given(matrices)
def test_at_most_1(counts):
    for key in MEASURES:
        assert value(key, counts) <= 1 + 1e-12, key


@given(counts=matrices, seed=st.integers(0, 100))
def test_the_order_of_the_classes_matters_only_where_it_is_declared(counts, seed):
    order = np.random.default_rng(seed).permutation(len(counts))
    for key, measure in MEASURES.items():
        if not measure.ordered_classes:
            changed = value(key, counts[order][:, order])
            assert changed == pytest.approx(value(key, counts), abs=1e-12), key


def test_ordered_classes_are_declared_where_their_order_matters():
    counts = np.array([[5, 4, 0], [1, 9, 1], [0, 2, 7]])
    order = [1, 0, 2]
    for key, measure in MEASURES.items():
        change = abs(value(key, counts[order][:, order]) - value(key, counts))
        assert (change > 0.01) == measure.ordered_classes, key


@given(matrices)
def test_a_declared_power_of_the_recalls_makes_the_measure(counts):
    products = {key: one.recall_power for key, one in MEASURES.items() if one.recall_power}
    assert set(products) == {"g_mean"}
    for key, power in products.items():
        recalls = MulticlassConfusionMatrix(counts).recalls
        expected = np.prod(recalls ** float(power(len(counts))))
        assert value(key, counts) == pytest.approx(expected, rel=1e-12), key


@given(counts=matrices, factor=st.floats(0.01, 1000))
def test_twice_as_much_of_everything_changes_nothing(counts, factor):
    for key in MEASURES:
        assert value(key, factor * counts) == pytest.approx(value(key, counts), abs=1e-9), key


@given(counts=matrices, data=st.data())
def test_condition_1_holds_for_four(counts, data):
    factors = data.draw(arrays(float, len(counts), elements=st.floats(0.001, 1000)))
    for key in SATISFY_CONDITION_1:
        scaled = value(key, factors[:, np.newaxis] * counts)
        assert scaled == pytest.approx(value(key, counts), abs=1e-9), key


@pytest.mark.parametrize("key", sorted(set(MEASURES) - SATISFY_CONDITION_1))
def test_condition_1_does_not_hold_for_the_others(key):
    counts = np.array([[8, 1, 1], [8, 1, 1], [1, 0, 9.0]])
    assert abs(value(key, counts * [[1], [10], [100]]) - value(key, counts)) > 0.01


@pytest.mark.parametrize("key", sorted(MEASURES))
def test_batches_are_elementwise(key):
    counts = random_counts(4, 6).reshape(2, 3, 4, 4)
    values = get_measure(key)(MulticlassConfusionMatrix(counts))
    assert values.shape == (2, 3)
    # A matrix product of other shape may round the last bit otherwise.
    assert values[1, 2] == pytest.approx(value(key, counts[1, 2]), rel=1e-14)


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


def test_f_beta():
    counts = random_counts(4, 1)[0]
    matrix = MulticlassConfusionMatrix(counts)
    expected = sklearn_metrics.fbeta_score(*labels(counts), beta=2, average="macro")
    assert macro_f_beta(matrix, 2) == pytest.approx(expected)
    precision = sklearn_metrics.precision_score(*labels(counts), average="macro")
    recall = sklearn_metrics.recall_score(*labels(counts), average="macro")
    averaged = 5 * precision * recall / (4 * precision + recall)
    assert f_beta_of_macro_averages(matrix, 2) == pytest.approx(averaged)
    assert get_measure("macro_f1")(matrix) != pytest.approx(
        get_measure("f1_of_macro_averages")(matrix)
    )


def test_micro_f_beta_is_accuracy():
    counts = random_counts(4, 1)[0]
    for beta in (0.5, 2):
        micro = sklearn_metrics.fbeta_score(*labels(counts), beta=beta, average="micro")
        assert value("accuracy", counts) == pytest.approx(micro)
