"""Metrics beside scikit-learn's, imbalanced-learn's and pycm's. Slow: a matrix at a time."""

import numpy as np
import pytest
from imblearn.metrics import geometric_mean_score, make_index_balanced_accuracy
from pycm import ConfusionMatrix as PycmMatrix
from sklearn import metrics as sklearn_metrics
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from skewproof.metrics import METRICS
from skewproof.practice.scoring import get_scorer


def labels(tp, fp, fn, tn):
    true = np.repeat([1, 0, 1, 0], [tp, fp, fn, tn])
    return true, np.repeat([1, 1, 0, 0], [tp, fp, fn, tn])


def random_counts(number):
    """Small counts with many zeros, and large ones."""
    random = np.random.default_rng(0)
    small = random.integers(0, 4, (number // 2, 4))
    large = random.integers(0, 200, (number - number // 2, 4))
    return [row for row in np.concatenate([small, large]) if row.sum()]


EDGES = [
    row
    for row in np.indices((3, 3, 3, 3)).reshape(4, -1).T
    if row.sum() and (row[[0, 1]].sum() * row[[0, 2]].sum() * row[[1, 3]].sum() == 0)
]


UNBOUNDED = {"LR+": np.inf, "LR-": np.nan}  # all that it takes
IMBLEARN_IBA = make_index_balanced_accuracy(alpha=1, squared=True)(geometric_mean_score)

SKLEARN = {
    "accuracy": sklearn_metrics.accuracy_score,
    "f1": lambda t, p: sklearn_metrics.f1_score(t, p, zero_division=0.0),
    "gilbert_ratio": lambda t, p: sklearn_metrics.jaccard_score(t, p, zero_division=0.0),
    "mcc": lambda t, p: (sklearn_metrics.matthews_corrcoef(t, p) + 1) / 2,
    "cohen_kappa": lambda t, p: (sklearn_metrics.cohen_kappa_score(t, p) + 1) / 2,
    "balanced_accuracy": sklearn_metrics.balanced_accuracy_score,
    "fowlkes_mallows": lambda t, p: np.sqrt(
        sklearn_metrics.precision_score(t, p, zero_division=0.0)
        * sklearn_metrics.recall_score(t, p, zero_division=0.0)
    ),
    "precision_recall_mean": lambda t, p: (
        (sklearn_metrics.precision_score(t, p) + sklearn_metrics.recall_score(t, p)) / 2
    ),
    "g_mean": lambda t, p: geometric_mean_score(t, p, average="binary"),
    "iba": lambda t, p: IMBLEARN_IBA(t, p, average="binary"),
    "error_rate": sklearn_metrics.zero_one_loss,
    "true_positive_rate": sklearn_metrics.recall_score,
    "true_negative_rate": lambda t, p: sklearn_metrics.recall_score(t, p, pos_label=0),
    "negative_predictive_value": lambda t, p: sklearn_metrics.precision_score(t, p, pos_label=0),
    "positive_likelihood_ratio": lambda t, p: sklearn_metrics.class_likelihood_ratios(
        t, p, replace_undefined_by=UNBOUNDED
    )[0],
    "negative_likelihood_ratio": lambda t, p: sklearn_metrics.class_likelihood_ratios(
        t, p, replace_undefined_by=UNBOUNDED
    )[1],
    "f2": lambda t, p: sklearn_metrics.fbeta_score(t, p, beta=2, zero_division=0.0),
    "f0_5": lambda t, p: sklearn_metrics.fbeta_score(t, p, beta=0.5, zero_division=0.0),
}


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.UndefinedMetricWarning")
@pytest.mark.parametrize("key", SKLEARN)
def test_agreement_with_scikit_learn_and_imbalanced_learn(key):
    compared = 0
    for counts in random_counts(2000):
        true, predicted = labels(*counts)
        own = METRICS[key].score(true, predicted, undefined=np.nan)
        if np.isfinite(own):
            assert SKLEARN[key](true, predicted) == pytest.approx(own, abs=1e-12), counts
            compared += 1
    assert compared > 1500


CONVENTIONS = {
    # What the other library gives where ours divides 0 by 0, as docs/scoring.md says.
    "cohen_kappa": np.nan,
    "g_mean": 0.0,
    "iba": 0.0,
    "mcc": 0.5,
    "f1": 0.0,
    "gilbert_ratio": 0.0,
    "fowlkes_mallows": 0.0,
}


@pytest.mark.filterwarnings("ignore:A single label was found")
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.UndefinedMetricWarning")
@pytest.mark.parametrize("key", CONVENTIONS)
def test_conventions_of_scikit_learn_on_empty_margins(key):
    undefined = 0
    for counts in EDGES:
        true, predicted = labels(*counts)
        own = METRICS[key].score(true, predicted, undefined=np.nan)
        other = SKLEARN[key](true, predicted)
        if np.isfinite(own):
            assert other == pytest.approx(own, abs=1e-12), counts
        else:
            np.testing.assert_equal(float(other), CONVENTIONS[key], str(counts))
            undefined += 1
    assert undefined


PYCM = {
    "accuracy": lambda m: m.ACC[1],
    "f1": lambda m: m.F1[1],
    "mcc": lambda m: (m.MCC[1] + 1) / 2,
    "markedness": lambda m: (m.MK[1] + 1) / 2,
    "g_mean": lambda m: m.GM[1],
    "fowlkes_mallows": lambda m: m.G[1],
    "gilbert_ratio": lambda m: m.J[1],
    "optimized_precision": lambda m: (m.OP[1] + 1) / 2,
    "iba": lambda m: m.IBA[1],
    "balanced_accuracy": lambda m: (m.BM[1] + 1) / 2,
    "cohen_kappa": lambda m: (m.Kappa + 1) / 2,
    "error_rate": lambda m: m.ERR[1],
    "true_positive_rate": lambda m: m.TPR[1],
    "true_negative_rate": lambda m: m.TNR[1],
    "false_positive_rate": lambda m: m.FPR[1],
    "false_negative_rate": lambda m: m.FNR[1],
    "negative_predictive_value": lambda m: m.NPV[1],
    "false_discovery_rate": lambda m: m.FDR[1],
    "false_omission_rate": lambda m: m.FOR[1],
    "positive_likelihood_ratio": lambda m: m.PLR[1],
    "negative_likelihood_ratio": lambda m: m.NLR[1],
    "diagnostic_odds_ratio": lambda m: m.DOR[1],
    # pycm has the logarithm to base 10, and nothing where a likelihood ratio is infinite.
    "discriminant_power": lambda m: m.DP[1] if m.DP[1] == "None" else m.DP[1] * np.log(10),
    "youden_j": lambda m: m.BM[1],
    "balanced_error_rate": lambda m: 1 - (m.TPR[1] + m.TNR[1]) / 2,
    "markedness_unscaled": lambda m: m.MK[1],
    "f2": lambda m: m.F2[1],
    "f0_5": lambda m: m.F05[1],
    "adjusted_f": lambda m: m.AGF[1],
    "scott_pi": lambda m: (m.PI + 1) / 2,
}


@pytest.mark.parametrize("key", PYCM)
def test_agreement_with_pycm(key):
    compared = 0
    for tp, fp, fn, tn in random_counts(200):
        own = METRICS[key].score(*labels(tp, fp, fn, tn), undefined=np.nan)
        if np.isfinite(own):
            matrix = PycmMatrix(matrix={1: {1: int(tp), 0: int(fn)}, 0: {1: int(fp), 0: int(tn)}})
            other = PYCM[key](matrix)
            if other != "None":
                assert other == pytest.approx(own, abs=1e-9), (tp, fp, fn, tn)
                compared += 1
    assert compared > 100


def test_scorers_in_a_parallel_search():
    data = load_breast_cancer(return_X_y=True)
    model = make_pipeline(StandardScaler(), LogisticRegression())
    scorers = {key: get_scorer(key, pos_label=0) for key in ("f1_i", "mcc")}
    grid = {"logisticregression__C": [1e-4, 1.0]}
    search = GridSearchCV(model, grid, scoring=scorers, refit="f1_i", cv=3, n_jobs=2)
    search.fit(*data)
    assert search.best_params_ == {"logisticregression__C": 1.0}
    own = search.cv_results_["mean_test_f1_i"]
    assert own[1] > own[0]
