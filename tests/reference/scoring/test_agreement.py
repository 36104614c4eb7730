"""Metrics compared with scikit-learn's, imbalanced-learn's and pycm's, one slow matrix at a time.

The conventions that differ are read from the tables in docs/guide/scoring.md.
"""

import re
from math import log
from pathlib import Path

import numpy as np
import pycm
import pytest
import sklearn
import sklearn.metrics
from imblearn.metrics import geometric_mean_score, make_index_balanced_accuracy
from pycm import ConfusionMatrix as PycmMatrix
from sklearn import metrics as sklearn_metrics
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from skewproof.audits.choosing.clusterings import fowlkes_mallows
from skewproof.curves.precision_recall import precision_recall_curve
from skewproof.metrics import METRICS
from skewproof.scoring.scoring import get_scorer

PAGE = (Path(__file__).parents[3] / "docs/guide/scoring.md").read_text()


def rows_of(heading):
    """Read the cells of the table in a section of the page, without its heading."""
    section = PAGE.split(f"## {heading}\n")[1].split("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines[2:]]


def keys_in(cell):
    return re.findall(r"`(\w+)`", cell)


def labels(tp, fp, fn, tn):
    true = np.repeat([1, 0, 1, 0], [tp, fp, fn, tn])
    return true, np.repeat([1, 1, 0, 0], [tp, fp, fn, tn])


def random_counts(number):
    """Draw small counts with many zeros, and large ones."""
    random = np.random.default_rng(0)
    small = random.integers(0, 4, (number // 2, 4))
    large = random.integers(0, 200, (number - number // 2, 4))
    return [row for row in np.concatenate([small, large]) if row.sum()]


SMALL = np.indices((3, 3, 3, 3)).reshape(4, -1).T[1:]
EDGES = [row for row in SMALL if (row[[0, 1]].sum() * row[[0, 2]].sum() * row[[1, 3]].sum() == 0)]


IMBLEARN_IBA = make_index_balanced_accuracy(alpha=1, squared=True)(geometric_mean_score)

SKLEARN = {
    "f1": sklearn_metrics.f1_score,
    "gilbert_ratio": sklearn_metrics.jaccard_score,
    "mcc": sklearn_metrics.matthews_corrcoef,
    "precision": sklearn_metrics.precision_score,
    "youden_j": lambda t, p: sklearn_metrics.balanced_accuracy_score(t, p, adjusted=True),
    "cohen_kappa": sklearn_metrics.cohen_kappa_score,
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
    "true_positive_rate": sklearn_metrics.recall_score,
    "true_negative_rate": lambda t, p: sklearn_metrics.recall_score(t, p, pos_label=0),
    "negative_predictive_value": lambda t, p: sklearn_metrics.precision_score(t, p, pos_label=0),
    "f2": lambda t, p: sklearn_metrics.fbeta_score(t, p, beta=2),
    "f0_5": lambda t, p: sklearn_metrics.fbeta_score(t, p, beta=0.5),
}


DIFFERENT = rows_of("Other conventions elsewhere")


@pytest.mark.parametrize(("here", "elsewhere", "relation"), DIFFERENT)
def test_conventions_of_other_libraries_as_the_page_has_them(here, elsewhere, relation):
    """The cells of the page are run, on matrices in which nothing is 0."""
    (key,), call, relation = keys_in(here), elsewhere.strip("`"), relation.strip("`")
    libraries = {
        "sklearn": sklearn,
        "pycm": pycm,
        "make_index_balanced_accuracy": make_index_balanced_accuracy,
        "geometric_mean_score": geometric_mean_score,
    }
    apart = 0
    for tp, fp, fn, tn in np.random.default_rng(0).integers(1, 60, (60, 4)):
        true, predicted = labels(tp, fp, fn, tn)
        x = eval(call, libraries | {"y_true": true, "y_pred": predicted})
        rates = {"TPR": tp / (tp + fn), "TNR": tn / (tn + fp), "N": tn + fp, "T": tp + fp + fn + tn}
        value = METRICS[key].score(true, predicted)
        assert eval(relation, rates | {"x": x, "log": log}) == pytest.approx(value, rel=1e-11)
        apart += abs(x - value) > 1e-3
    assert apart == 0 if relation == "x" else apart > 50


def other_class_recall(true, predicted):
    """Compute the share of correct calls of a single class."""
    return np.mean(true == predicted)


def adjusted(true, predicted):
    """Compute the recall of a single class, scaled by a chance of 1 of 1."""
    return np.nan if np.all(true == predicted) else -np.inf


CONVENTIONS = dict.fromkeys(SKLEARN, 0.0) | {
    "cohen_kappa": np.nan,
    "balanced_accuracy": other_class_recall,
    "youden_j": adjusted,
}
"""Values of the other library where ours divides 0 by 0, as docs/guide/scoring.md says."""

LIKELIHOOD_RATIOS = ("positive_likelihood_ratio", "negative_likelihood_ratio")


def test_the_page_has_a_row_for_every_convention_of_the_undefined():
    named = {key for row in rows_of("Undefined scores") for key in keys_in(row[0])}
    assert named == {*CONVENTIONS, *LIKELIHOOD_RATIOS}


@pytest.mark.filterwarnings("ignore:A single label was found")
@pytest.mark.filterwarnings("ignore:y_pred contains classes not in y_true")
@pytest.mark.filterwarnings("ignore:divide by zero")
@pytest.mark.filterwarnings("ignore:invalid value")
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.UndefinedMetricWarning")
@pytest.mark.parametrize("key", CONVENTIONS)
def test_conventions_of_scikit_learn_on_empty_margins(key):
    undefined = 0
    for counts in [*EDGES, *random_counts(150)]:
        true, predicted = labels(*counts)
        value = METRICS[key].score(true, predicted, undefined=np.nan)
        other, convention = SKLEARN[key](true, predicted), CONVENTIONS[key]
        if np.isfinite(value):
            assert other == pytest.approx(value, abs=1e-12), counts
        else:
            expected = convention(true, predicted) if callable(convention) else convention
            np.testing.assert_allclose(float(other), expected, rtol=1e-12, err_msg=str(counts))
            undefined += 1
    assert undefined


@pytest.mark.filterwarnings("ignore:A single label was found")
@pytest.mark.filterwarnings("ignore:invalid value")
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.UndefinedMetricWarning")
@pytest.mark.parametrize("position", [0, 1])
def test_likelihood_ratios_of_scikit_learn(position):
    kinds = set()
    for counts in SMALL:
        true, predicted = labels(*counts)
        value = METRICS[LIKELIHOOD_RATIOS[position]].score(true, predicted, undefined=np.nan)
        kinds.add(str(value) if not np.isfinite(value) else "finite")
        if np.unique([true, predicted]).size == 1:
            with pytest.raises(ValueError, match="not enough values to unpack"):
                sklearn_metrics.class_likelihood_ratios(true, predicted)
            continue
        other = sklearn_metrics.class_likelihood_ratios(true, predicted)[position]
        np.testing.assert_allclose(other, value if np.isfinite(value) else np.nan, rtol=1e-12)
    assert kinds == {"nan", "inf", "finite"}


PYCM = {
    "f1": "F1",
    "mcc": "MCC",
    "markedness": "MK",
    "g_mean": "GM",
    "gilbert_ratio": "J",
    "optimized_precision": "OP",
    "true_positive_rate": "TPR",
    "negative_predictive_value": "NPV",
    "false_discovery_rate": "FDR",
    "positive_likelihood_ratio": "PLR",
    "negative_likelihood_ratio": "NLR",
    "diagnostic_odds_ratio": "DOR",
    "discriminant_power": "DP",
    "precision": "PPV",
    "adjusted_f": "AGF",
}
"""Names there of metrics whose values on larger matrices tests/reference/atlas has."""


@pytest.mark.parametrize("key", PYCM)
def test_pycm_has_no_value_where_a_metric_is_not_finite(key):
    for tp, fp, fn, tn in SMALL.tolist():
        value = METRICS[key].score(*labels(tp, fp, fn, tn), undefined=np.nan)
        matrix = PycmMatrix(matrix={1: {1: tp, 0: fn}, 0: {1: fp, 0: tn}})
        none_called = key == "diagnostic_odds_ratio" and value == tn == 0
        none = getattr(matrix, PYCM[key])[1] == "None"
        assert none == (none_called or not np.isfinite(value)), (tp, fp, fn, tn)


def test_other_conventions_of_single_calls():
    true, predicted = labels(0, 3, 4, 5)  # without hits
    assert METRICS["adjusted_g_mean"].score(true, predicted) == 0
    assert PycmMatrix(true, predicted).AGM[1] == 0
    true, predicted = labels(9, 4, 3, 20)
    of_pairs = sklearn_metrics.fowlkes_mallows_score(true, predicted)
    assert of_pairs == fowlkes_mallows(true, predicted)
    assert of_pairs != pytest.approx(METRICS["fowlkes_mallows"].score(true, predicted), abs=0.01)
    assert sklearn_metrics.precision_recall_curve([0, 1], [2, 1])[0][-1] == 1
    assert precision_recall_curve([0, 1], [2, 1]).precision[0] == 0


def test_scorers_in_a_parallel_search():
    data = load_breast_cancer(return_X_y=True)
    model = make_pipeline(StandardScaler(), LogisticRegression())
    scorers = {key: get_scorer(key, pos_label=0) for key in ("f1_i", "mcc")}
    grid = {"logisticregression__C": [1e-4, 1.0]}
    search = GridSearchCV(model, grid, scoring=scorers, refit="f1_i", cv=3, n_jobs=2)
    search.fit(*data)
    assert search.best_params_ == {"logisticregression__C": 1.0}
    scores = search.cv_results_["mean_test_f1_i"]
    assert scores[1] > scores[0]
