import pickle
import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, strategies as st
from sklearn import metrics as sklearn_metrics
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score, cross_validate
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


@pytest.fixture(scope="module")
def data():
    return load_breast_cancer(return_X_y=True)


MODEL = make_pipeline(StandardScaler(), LogisticRegression())


@pytest.mark.slow
def test_scorers_in_a_cross_validation(data):
    scores = cross_val_score(MODEL, *data, scoring=get_scorer("mcc_i"), cv=3)
    assert (scores > 0.9).all()
    many = cross_validate(MODEL, *data, scoring={key: get_scorer(key) for key in METRICS}, cv=3)
    np.testing.assert_array_equal(many["test_mcc_i"], scores)
    np.testing.assert_allclose(
        many["test_f1"], cross_val_score(MODEL, *data, scoring="f1", cv=3), rtol=1e-12
    )


def test_scorers_can_be_pickled_and_named():
    scorer = pickle.loads(pickle.dumps(get_scorer("mcc", undefined=0.5)))
    assert "mcc" in repr(scorer)


def test_a_list_of_metrics_is_no_text():
    with pytest.raises(ValueError, match="metrics = 'f1': expected a list of keys"):
        score_all(TRUE, PREDICTED, metrics="f1")
    with pytest.raises(KeyError, match="no metric 5"):
        score_all(TRUE, PREDICTED, metrics=[5])
