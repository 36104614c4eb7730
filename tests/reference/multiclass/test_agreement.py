"""Measures compared with scikit-learn's, imbalanced-learn's and pycm's, one slow matrix at a
time."""

import contextlib
import io
from functools import partial

import numpy as np
import pytest
from imblearn.metrics import geometric_mean_score
from sklearn import metrics as sklearn_metrics

from skewproof.multiclass.lookup import MEASURES
from skewproof.multiclass.matrix import MulticlassConfusionMatrix
from skewproof.multiclass.measures import f_beta_of_macro_averages, macro_f_beta

SKLEARN = {
    "acsa": sklearn_metrics.balanced_accuracy_score,
    "accuracy": sklearn_metrics.accuracy_score,
    "mcc": sklearn_metrics.matthews_corrcoef,
    "cohen_kappa": sklearn_metrics.cohen_kappa_score,
    "linear_weighted_kappa": partial(sklearn_metrics.cohen_kappa_score, weights="linear"),
    "quadratic_weighted_kappa": partial(sklearn_metrics.cohen_kappa_score, weights="quadratic"),
    "macro_f1": partial(sklearn_metrics.f1_score, average="macro"),
    "g_mean": geometric_mean_score,
}


def labels(counts):
    """Make true and predicted labels with these counts."""
    true, predicted = np.indices(counts.shape)
    repeats = counts.astype(int).ravel()
    return np.repeat(true.ravel(), repeats), np.repeat(predicted.ravel(), repeats)


def random_counts(classes, size=200):
    return np.random.default_rng(classes).integers(1, 30, (size, classes, classes))


@pytest.mark.parametrize("key", SKLEARN)
@pytest.mark.parametrize("classes", [2, 3, 7])
def test_scikit_learn_and_imbalanced_learn_have_the_same_values(key, classes):
    counts = random_counts(classes)
    values = MEASURES[key](MulticlassConfusionMatrix(counts))
    expected = [SKLEARN[key](*labels(one)) for one in counts]
    np.testing.assert_allclose(values, expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize("classes", [2, 3, 5])
def test_pycm_has_the_same_values(classes):
    with contextlib.redirect_stdout(io.StringIO()):
        from pycm import ConfusionMatrix as Pycm

    for counts in random_counts(classes, 20):
        true, predicted = labels(counts)
        other, matrix = Pycm(true, predicted), MulticlassConfusionMatrix(counts)
        for key, expected in (
            ("cohen_kappa", other.Kappa),
            ("kappa_n", other.S),
            ("mcc", other.Overall_MCC),
            ("accuracy", other.Overall_ACC),
            ("average_accuracy", other.ACC_Macro),
            ("macro_f1", other.F1_Macro),
            ("acsa", other.TPR_Macro),
        ):
            assert float(MEASURES[key](matrix)) == pytest.approx(expected, abs=1e-12), key


def test_f_beta():
    counts = random_counts(4, 1)[0]
    matrix = MulticlassConfusionMatrix(counts)
    expected = sklearn_metrics.fbeta_score(*labels(counts), beta=2, average="macro")
    assert macro_f_beta(matrix, 2) == pytest.approx(expected)
    precision = sklearn_metrics.precision_score(*labels(counts), average="macro")
    recall = sklearn_metrics.recall_score(*labels(counts), average="macro")
    averaged = 5 * precision * recall / (4 * precision + recall)
    assert f_beta_of_macro_averages(matrix, 2) == pytest.approx(averaged)
    assert MEASURES["macro_f1"](matrix) != pytest.approx(MEASURES["f1_of_macro_averages"](matrix))
    for beta in (0.5, 2):
        micro = sklearn_metrics.fbeta_score(*labels(counts), beta=beta, average="micro")
        assert float(MEASURES["accuracy"](matrix)) == pytest.approx(micro)
    # Every declared measure is compared with another library or a law.
    by_law = {"auroc_ovo", "auroc_ova", "nauroc_ova", "aurpc_ova", "maurpc_ova"}
    by_law |= {"f1_of_macro_averages", "kappa_n", "average_accuracy"}
    assert set(MEASURES) == by_law | set(SKLEARN)
