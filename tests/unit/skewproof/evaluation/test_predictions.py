"""Arguments of a report: their checks, and the predictions that are made of them."""

import numpy as np
import pandas as pd
import pytest

from skewproof import report
from skewproof.evaluation.predictions import checked_predictions

TRUE = np.repeat([1, 0], [20, 80])
SCORE = np.concatenate([np.linspace(0.3, 0.9, 20), np.linspace(0.0, 0.6, 80)])
ANIMALS = np.tile(["cat", "dog", "owl"], 30)
NOTHING = dict.fromkeys(["at", "groups", "time", "slices", "threshold", "models", "metrics"])


def checked(*labels, **given):
    given = NOTHING | {"require": (), "pos_label": 1} | given
    return checked_predictions(*labels, **given)


@pytest.mark.parametrize(
    ("labels", "given", "message"),
    [
        ([TRUE], {}, "y_pred = None: expected y_pred, y_score or models"),
        ([TRUE, TRUE], {"threshold": 0.5}, "threshold = 0.5: expected y_score as well"),
        ([TRUE, TRUE, SCORE], {"threshold": 0.5}, "expected the cut-off of the scores"),
        ([TRUE, TRUE], {"at": "1:x"}, "at = '1:x'"),
        ([TRUE, TRUE], {"metrics": ["f3"]}, "'f3' is neither the key or name"),
        ([TRUE, TRUE], {"require": "precision > 5"}, "require = 'precision > 5'"),
        ([TRUE, TRUE], {"require": "alarms <= 5"}, "a metric that does not count instances"),
        ([TRUE, TRUE], {"pos_label": "yes"}, "pos_label = 'yes'"),
        ([TRUE, None, SCORE[:5]], {}, "y_score"),
        ([ANIMALS, ANIMALS], {"require": "f1 >= .5"}, "none with more than two classes"),
        ([ANIMALS, ANIMALS], {"threshold": 0.5}, "none with more than two classes"),
        ([ANIMALS, ANIMALS, np.arange(90)], {}, "a column for each of more than two classes"),
        ([TRUE, TRUE], {"models": {"scores": SCORE}}, "labels of all models, or scores of all"),
    ],
)
def test_refusals(labels, given, message):
    with pytest.raises((ValueError, KeyError)) as error:
        report(*labels, **given)
    assert message in error.value.args[0]


def test_the_cut_off_in_use_is_found_between_the_scores_of_the_calls():
    called = (SCORE >= 0.5).astype(int)
    predictions = checked(TRUE, called, SCORE)
    assert np.array_equal(predictions.threshold <= SCORE, called == 1)
    assert predictions.threshold not in SCORE
    assert (
        checked(TRUE, np.where(np.arange(100) == 99, 1, called) * 0 + TRUE, SCORE).threshold is None
    )
    assert checked(TRUE, np.ones(100, dtype=int), SCORE).threshold is None


def test_a_cut_off_makes_calls():
    predictions = checked(TRUE, None, SCORE, threshold=0.5)
    assert np.array_equal(predictions.called, SCORE >= 0.5)


def test_labels_of_two_classes_are_ones_and_zeros():
    words = np.where(TRUE == 1, "yes", "no")
    predictions = checked(words, words[::-1], None, pos_label="yes", models={"other": words})
    assert np.array_equal(predictions.true, TRUE)
    assert np.array_equal(predictions.called, TRUE[::-1])
    assert {name: said.tolist() for name, said in predictions.models.items()} == {
        "this model": TRUE[::-1].tolist(),
        "other": TRUE.tolist(),
    }


def test_without_predictions_the_first_model_is_reported():
    scores = checked(TRUE, None, None, models=pd.DataFrame({"a": SCORE, "b": -SCORE}))
    assert np.array_equal(scores.score, SCORE)
    assert list(scores.models) == ["a", "b"]
    labels = checked(TRUE, None, None, models={"a": TRUE})
    assert np.array_equal(labels.called, TRUE)
    assert labels.models == {}
    named = checked(TRUE, None, pd.Series(SCORE, name="forest"), models={"b": -SCORE})
    assert list(named.models) == ["forest", "b"]


def test_probabilities_are_scores_from_0_to_1():
    assert checked(TRUE, None, SCORE).probable
    assert not checked(TRUE, None, SCORE + 1).probable
    assert not checked(TRUE, TRUE, None).probable
