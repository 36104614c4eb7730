import pickle
import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, strategies as st
from imblearn.metrics import geometric_mean_score, make_index_balanced_accuracy
from pycm import ConfusionMatrix as PycmMatrix
from sklearn import metrics as sklearn_metrics
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, cross_val_score, cross_validate
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.formulas import parse_metric
from skewproof.core.metric import UndefinedMetricWarning
from skewproof.metrics import METRICS, get_metric
from skewproof.practice.scoring import get_scorer, score_all

confusion_matrix = ConfusionMatrix.from_labels

TRUE = [1] * 12 + [0] * 24
PREDICTED = [1] * 9 + [0] * 3 + [1] * 4 + [0] * 20


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


@pytest.mark.parametrize("key", sorted(METRICS))
def test_a_score_is_the_metric_of_the_counts(key):
    expected = float(get_metric(key)(confusion_matrix(TRUE, PREDICTED)))
    assert METRICS[key].score(TRUE, PREDICTED) == expected


@pytest.mark.parametrize(
    ("true", "predicted", "pos_label"),
    [
        (TRUE, PREDICTED, 1),
        (np.array(TRUE, dtype=bool), np.array(PREDICTED, dtype=bool), True),
        (np.array(TRUE) * 2.0 - 1, np.array(PREDICTED) * 2.0 - 1, 1),
        (np.where(TRUE, "yes", "no"), np.where(PREDICTED, "yes", "no"), "yes"),
        (
            pd.Series(np.where(TRUE, "yes", "no"), dtype="category"),
            list(np.where(PREDICTED, "yes", "no")),
            "yes",
        ),
        (pd.Series(TRUE, index=range(100, 136)), pd.Series(PREDICTED), 1),
    ],
)
def test_labels_of_any_kind(true, predicted, pos_label):
    matrix = confusion_matrix(true, predicted, pos_label=pos_label)
    assert (matrix.tp, matrix.fp, matrix.fn, matrix.tn) == (9, 4, 3, 20)


def test_the_other_class_as_positive():
    matrix = confusion_matrix(TRUE, PREDICTED, pos_label=0)
    assert (matrix.tp, matrix.fp, matrix.fn, matrix.tn) == (20, 3, 4, 9)


def test_weights_are_those_of_scikit_learn():
    weights = np.random.default_rng(0).random(36)
    matrix = confusion_matrix(TRUE, PREDICTED, sample_weight=weights)
    (tn, fp), (fn, tp) = sklearn_metrics.confusion_matrix(TRUE, PREDICTED, sample_weight=weights)
    assert [matrix.tp, matrix.fp, matrix.fn, matrix.tn] == pytest.approx([tp, fp, fn, tn])
    with_zeros = confusion_matrix(TRUE, PREDICTED, sample_weight=np.array(PREDICTED) * 0.1)
    assert (float(with_zeros.fn), float(with_zeros.tn)) == (0, 0)


@pytest.mark.parametrize(
    ("true", "predicted", "options", "message"),
    [
        ([], [], {}, "y_true is empty: expected at least one label"),
        ([1, 0], [1], {}, "y_true and y_pred have 2 and 1 labels: expected equal lengths"),
        ([[1], [0]], [1, 0], {}, r"y_true has the shape \(2, 1\): expected one dimension"),
        ([1, 0], [1.0, np.nan], {}, r"y_pred\[1\] = nan: expected a label"),
        (["a", None], ["a", "a"], {"pos_label": "a"}, r"y_true\[1\] = None: expected a label"),
        ([0, 1, 2], [0, 1, 1], {}, "3 classes, 0, 1, 2: expected two"),
        ([0, 1, 1], [0, 1, 2], {}, "3 classes, 0, 1, 2: expected two"),
        (["a", "b"], ["a", "a"], {}, "pos_label = 1: expected one of the labels 'a', 'b'"),
        ([1, 0], [1, 0], {"sample_weight": [1]}, r"sample_weight has the shape \(1,\)"),
        ([1, 0], [1, 0], {"sample_weight": [1, -1]}, r"sample_weight\[1\] = -1.0: expected a"),
        ([1, 0], [1, 0], {"sample_weight": [1, np.inf]}, r"sample_weight\[1\] = inf: expected a"),
    ],
)
def test_bad_labels_are_refused(true, predicted, options, message):
    with pytest.raises(ValueError, match=message):
        METRICS["f1"].score(true, predicted, **options)


@pytest.mark.parametrize("present", [0, 1])
def test_one_class_alone_is_no_error(present):
    matrix = confusion_matrix([present] * 3, [present] * 3)
    assert float(matrix.positives) == 3 * present


@given(data=st.data(), seed=st.integers(0, 1000))
def test_the_order_of_instances_does_not_matter(data, seed):
    pairs = st.tuples(st.integers(0, 1), st.integers(0, 1))
    true, predicted = np.array(data.draw(st.lists(pairs, min_size=1, max_size=40))).T
    order = np.random.default_rng(seed).permutation(true.size)
    once, again = (
        score_all(true[place], predicted[place], undefined=np.nan)
        for place in (np.arange(true.size), order)
    )
    pd.testing.assert_frame_equal(once, again)


def test_undefined_scores():
    true, predicted = [1, 0], [0, 0]
    with pytest.warns(UndefinedMetricWarning, match="0 divided by 0: mcc"):
        assert np.isnan(METRICS["mcc"].score(true, predicted))
    with pytest.raises(ValueError, match="undefined on these labels"):
        METRICS["mcc"].score(true, predicted, undefined="error")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert METRICS["mcc"].score(true, predicted, undefined=0.5) == 0.5
        assert np.isnan(METRICS["mcc"].score(true, predicted, undefined=np.nan))
        assert METRICS["accuracy"].score(true, predicted) == 0.5
    with pytest.raises(ValueError, match="undefined = 'drop': expected 'warn', 'error' or a numb"):
        METRICS["accuracy"].score(true, predicted, undefined="drop")


def test_infinite_scores_are_values():
    true, predicted = [1, 1, 0], [1, 0, 0]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert METRICS["positive_likelihood_ratio"].score(true, predicted) == np.inf
        assert (
            METRICS["discriminant_power"].score([1, 0, 0], [0, 0, 1], undefined="error") == -np.inf
        )


def test_scorers_prefer_fewer_errors(data):
    model = MODEL.fit(*data)
    for key, sign in (("error_rate", -1), ("accuracy", 1), ("negative_likelihood_ratio", -1)):
        value = METRICS[key].score(data[1], model.predict(data[0]))
        assert get_scorer(key)(model, *data) == sign * value


@pytest.mark.parametrize(
    "metric", ["f1_i", METRICS["f1_i"], parse_metric("tp/(tp + fp + 1)", key="own")]
)
def test_a_scorer_can_be_pickled(metric, data):
    model = MODEL.fit(*data)
    scorer = get_scorer(metric)
    assert pickle.loads(pickle.dumps(scorer))(model, *data) == scorer(model, *data)


def test_unknown_metrics():
    with pytest.raises(KeyError, match="did you mean 'mcc_i'"):
        get_scorer("mcc_ii")
    with pytest.raises(TypeError, match="beta"):
        get_scorer("f1", beta=2)


def test_all_metrics_at_once():
    frame = score_all(TRUE, PREDICTED)
    assert list(frame.columns) == ["metric", "name", "value"]
    assert list(frame["metric"]) == list(METRICS)
    for row in frame.itertuples():
        assert row.value == METRICS[row.metric].score(TRUE, PREDICTED)
    assert list(score_all(TRUE, PREDICTED, metrics=["mcc", "f1"])["metric"]) == ["mcc", "f1"]


def test_all_metrics_warn_once():
    with pytest.warns(UndefinedMetricWarning) as caught:
        frame = score_all([1, 0], [0, 0])
    assert len(caught) == 1
    for key in frame.loc[frame["value"].isna(), "metric"]:
        assert key in str(caught[0].message)


def zero_for_undefined(key, counts):
    return METRICS[key].score(*labels(*counts), undefined=0.0)


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


@pytest.fixture(scope="module")
def data():
    return load_breast_cancer(return_X_y=True)


MODEL = make_pipeline(StandardScaler(), LogisticRegression())


def test_scorers_in_a_cross_validation(data):
    scores = cross_val_score(MODEL, *data, scoring=get_scorer("mcc_i"), cv=3)
    assert (scores > 0.9).all()
    many = cross_validate(MODEL, *data, scoring={key: get_scorer(key) for key in METRICS}, cv=3)
    np.testing.assert_array_equal(many["test_mcc_i"], scores)
    np.testing.assert_allclose(
        many["test_f1"], cross_val_score(MODEL, *data, scoring="f1", cv=3), rtol=1e-12
    )


def test_scorers_in_a_parallel_search(data):
    scorers = {key: get_scorer(key, pos_label=0) for key in ("f1_i", "mcc")}
    grid = {"logisticregression__C": [1e-4, 1.0]}
    search = GridSearchCV(MODEL, grid, scoring=scorers, refit="f1_i", cv=3, n_jobs=2)
    search.fit(*data)
    assert search.best_params_ == {"logisticregression__C": 1.0}
    own = search.cv_results_["mean_test_f1_i"]
    assert own[1] > own[0]


def test_scorers_can_be_pickled_and_named():
    scorer = pickle.loads(pickle.dumps(get_scorer("mcc", undefined=0.5)))
    assert "mcc" in repr(scorer)
