"""The roles of columns by their names and contents."""

import numpy as np
import pandas as pd
import pytest

from skewproof import inspect_predictions
from skewproof.core.messages import UncertainRoleError

TRUE = [0, 1, 0, 0, 1, 1, 0, 0] * 10
CALLED = [0, 1, 1, 0, 1, 0, 0, 0] * 10
CHANCE = np.linspace(0.01, 0.99, 80)


def roles(**columns):
    return inspect_predictions(pd.DataFrame(columns)).roles


@pytest.mark.parametrize(
    "name", ["y_true", "truth", "actual", "obs", "label", "target", "Class", "True Label", "y_test"]
)
def test_names_of_the_truth(name):
    assert roles(**{name: TRUE, "y_pred": CALLED, "sex": CALLED}).true == name


@pytest.mark.parametrize(
    "name",
    [
        *("y_pred", "yhat", ".pred_class", "response", "predict", "prediction_label"),
        *("Scored Labels", "predicted", "Predicted Class", "pred"),
    ],
)
def test_names_of_predicted_labels(name):
    assert roles(**{"obs": TRUE, name: CALLED, "smoker": CALLED}).predicted == name


@pytest.mark.parametrize(
    "name",
    [
        *("y_score", "score", "y_proba", "probability", "prob", "risk", "Scored Probabilities"),
        *(".pred_1", "prob.1", "p1", "proba_1", "prediction_score_1", "y_pred", "prediction"),
    ],
)
def test_names_of_scores(name):
    assert roles(**{"obs": TRUE, name: CHANCE, "dose": CHANCE}).score == name


@pytest.mark.parametrize(
    ("labels", "positive"),
    [
        ([0, 1], "1"),
        ([-1, 1], "1"),
        (["no", "yes"], "yes"),
        (["Negative", "Positive"], "Positive"),
        ([False, True], "True"),
        (["ham", "spam"], "spam"),
        (["spam", "ham"], "ham"),
    ],
)
def test_the_class_of_interest_is_a_usual_one_or_the_rarer(labels, positive):
    assert roles(obs=[labels[entry] for entry in TRUE]).pos_label == positive


def test_the_truth_is_the_only_column_with_the_labels_of_predictions():
    words = np.array(["low", "mid", "high"])
    true, called = words[np.arange(90) % 3], words[np.arange(90) // 3 % 3]
    recognized = roles(Grade=true, pred=called, region=np.array(list("abc"))[np.arange(90) % 3])
    assert (recognized.true, recognized.by, recognized.pos_label) == ("Grade", ["region"], None)
    with pytest.raises(UncertainRoleError, match="may be 'Grade' or 'Level'"):
        roles(Grade=true, Level=true, pred=called)


def test_features_are_no_models_and_no_truth():
    recognized = roles(truth=TRUE, score=CHANCE, smoker=CALLED, smoothness=CHANCE[::-1])
    assert recognized.models == []
    assert (recognized.true, recognized.score, recognized.by) == ("truth", "score", ["smoker"])


def test_the_probability_of_the_predicted_class_is_no_score():
    sure = np.maximum(CHANCE, 1 - CHANCE)
    recognized = roles(obs=TRUE, pred=CALLED, prediction_score=sure)
    assert (recognized.score, recognized.confidence) == (None, "prediction_score")
    assert roles(obs=TRUE, pred=CALLED, prediction_score=CHANCE).confidence is None


def test_a_column_without_values_has_no_role():
    recognized = roles(y_true=[np.nan] * 80, y_pred=CALLED, row_id=range(80))
    assert (recognized.true, recognized.predicted, recognized.pos_label) == (None, "y_pred", "1")


@pytest.mark.parametrize(
    ("columns", "role", "name"),
    [
        ({"patient": np.arange(80) // 4}, "groups", "patient"),
        ({"patient": np.arange(80)}, "groups", None),
        ({"group": ["treated", "control"] * 40}, "by", ["group"]),
        ({"case_id": np.arange(80)}, "row_id", "case_id"),
        ({"month": ["May", "June"] * 40}, "time", "month"),
        ({"month": ["x", "y"] * 40}, "time", None),
        ({"date": pd.date_range("2026-01-01", periods=80)}, "time", None),
        ({"sample_weight": CHANCE}, "weight", "sample_weight"),
        ({"sample_weight": -CHANCE}, "weight", None),
        ({"fold": [1, 2] * 40}, "split", "fold"),
    ],
)
def test_other_roles(columns, role, name):
    assert getattr(roles(y_true=TRUE, y_pred=CALLED, **columns), role) == name


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"y_true": CHANCE}, "'y_true' has numbers such as .*: expected at most 200 labels"),
        ({"y_true": [1, "a"] * 40}, "expected values of one type"),
        ({"y_true": TRUE, "score": ["a"] * 80}, "'score' has text such as 'a', 1 in all"),
        ({"obs": TRUE, "pred": [f"{x:.1%}" for x in CHANCE]}, "pred has 1.0%.*the labels of obs"),
        ({"obs": TRUE, "score": [np.inf, *CHANCE[1:]]}, "expected finite numbers"),
        ({"smoker": TRUE}, "y_true = None: expected true labels, which may be 'smoker'"),
    ],
)
def test_content_that_does_not_fit_the_name(columns, message):
    with pytest.raises(ValueError, match=message):
        roles(**columns)
